import { type JunitCase, toJunitXml } from '../../lib/junit.ts';
import { quoted } from '../../lib/text.ts';
import { isStillRed, type OpenPointReport, type VaryReport, whyUnfinished } from './report.ts';
import { describeDependency, relianceOf, stillRedText } from './report-text.ts';

/** The report as JUnit XML: a test case for the base, for each open point, and for each profile that still fails. */
export function toJunit(report: VaryReport): string {
  const { tool, command, settings, runs, endedBy, startedAt, durationMs } = report;
  const facts = { tool, command: command.map(quoted).join(' '), ...settings, runsInAll: runs, endedBy };
  const properties = Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)]));
  const reason = whyUnfinished(report);
  const cases = [
    baseCase(report),
    ...report.openPoints.map((point) => openPointCase(point, report)),
    ...report.variants.filter(isStillRed).map((variant) => {
      const message = stillRedText(variant);
      return toCase('variants', variant.name, [{ kind: 'failure', message, type: 'red', text: message }]);
    }),
    ...flakyCase(report),
    ...(reason === undefined
      ? []
      : [toCase('tests', 'finished', [{ kind: 'skipped', message: `not finished: ${reason}` }])]),
  ];
  return toJunitXml({ name: 'vary', startedAt, durationMs, properties, cases });
}

function toCase(classname: string, name: string, results: JunitCase['results'] = []): JunitCase {
  return { classname, name, results };
}

function baseCase({ base }: VaryReport): JunitCase {
  if (base.outcome === 'green') return toCase('base', 'base');
  const message = base.outcome === 'red' ? `failed in ${base.red} of ${base.runs} runs` : 'not finished';
  return toCase('base', 'base', [{ kind: 'error', message, text: base.output || message }]);
}

function openPointCase({ id, outcome, notVariedBecause }: OpenPointReport, { dependencies }: VaryReport): JunitCase {
  const found = dependencies.filter(({ openPoints }) => openPoints.some(({ openPoint }) => openPoint === id));
  const failures = found.map((dependency) => ({
    ...({ kind: 'failure', message: relianceOf(dependency), type: 'dependency' } as const),
    text: `\n${describeDependency(dependency).join('\n')}\n`,
  }));
  if (found.length > 0 || outcome === 'free') return toCase('openPoints', id, failures);
  const message =
    outcome === 'notMet' ? 'no response to the tests depended on it' : `not varied, because ${notVariedBecause}`;
  return toCase('openPoints', id, [{ kind: 'skipped', message }]);
}

// JUnit has no warnings: the case passes, with a note in its output.
function flakyCase({ flakiness }: VaryReport): JunitCase[] {
  if (flakiness === undefined) return [];
  const { red, runs, output } = flakiness;
  const text = `flaky: ${red} of ${runs} runs failed with profiles that can pass\n${output}`;
  return [toCase('tests', 'flakiness', [{ kind: 'system-out', text }])];
}
