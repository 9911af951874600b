// The report as JUnit XML. Its format is in `lib/junit.ts`.
import { type JunitCase, type JunitResult, toJunitXml } from '../../lib/junit.ts';
import { cut, oneLine } from '../../lib/text.ts';
import { againRows, exchangeRow, findingRows, layOut, onlyOptions } from './failure-text.ts';
import type { CheckResult, Report } from './report.ts';
import { headlineText, inReadingOrder, isExpected, requiredChoiceLines, staleLines } from './words.ts';

const shownMessage = 500;
const shownReason = 2000;

/** The report as JUnit XML: a test case per check, in one suite. With `isStrict`, what `--strict` adds fails too. */
export function toJunit(report: Report, isStrict = false): string {
  const { run, verdict } = report;
  const { tool, contractVersion, baseUrl, suiteError, startedAt, durationMs } = run;
  const properties = {
    ...{ verdict, 'verdict.reason': headlineText(report), tool, contractVersion, baseUrl },
    ...{ randomSeed: String(run.randomSeed), runId: run.id, requests: String(run.requests) },
    ...{ allowWrites: String(run.allowWrites), allowDestructive: String(run.allowDestructive) },
  };
  const checks = inReadingOrder(report).map((check) => testCase(check, report, isStrict));
  const cases = [...checks, ...choiceCases(report), ...staleCases(report)];
  if (suiteError !== undefined) {
    const message = cut(oneLine(suiteError), shownMessage);
    const result: JunitResult = { kind: 'error', message, type: 'suite', text: suiteError };
    cases.push({ classname: 'suite', name: 'suite', results: [result] });
  }
  return toJunitXml({ name: 'conformance', startedAt, durationMs, properties, cases });
}

function choiceCases(report: Report): JunitCase[] {
  return requiredChoiceLines(report).map(({ choice, text, isMet }) => {
    const failure: JunitResult = { kind: 'failure', message: oneLine(`${choice} ${text}`), type: 'required choice' };
    return { classname: 'required choices', name: choice, results: isMet ? [] : [failure] };
  });
}

/** An entry that did not fail fails the run, so it gets its own case: a pattern does not belong to one check. */
function staleCases(report: Report): JunitCase[] {
  return staleLines(report).map(({ id, text }) => {
    const failure: JunitResult = { kind: 'failure', message: oneLine(`${id} ${text}`), type: 'expected failure' };
    return { classname: 'expected failures', name: id, results: [failure] };
  });
}

function testCase(check: CheckResult, { expectedFailures }: Report, isStrict: boolean): JunitCase {
  const { id, operation, requirements, level, outcome, setting, obstacle, because, durationMs } = check;
  return {
    ...{ classname: operation, name: id, durationMs, results: resultsOf(check, isStrict) },
    properties: {
      ...{ requirement: requirements.join(' '), level, outcome },
      ...(setting === undefined ? {} : { setting }),
      ...(obstacle === undefined ? {} : { obstacle }),
      ...(because === undefined ? {} : { because }),
      ...(expectedFailures.stale.includes(id) ? { expectedFailure: 'stale: it did not fail' } : {}),
    },
  };
}

function resultsOf(check: CheckResult, isStrict: boolean): JunitResult[] {
  const { outcome, level, reason } = check;
  const message = cut(oneLine(check.evidence?.actual || reason), shownMessage);
  switch (outcome) {
    case 'passed':
      return [];
    // It was requested but could not be done: neither green nor a failure of the server.
    case 'inconclusive': {
      const why = `inconclusive: ${cut(reason, shownReason)}`;
      if (isExpected(check)) return [{ kind: 'skipped', message: why }];
      return [
        { kind: 'error', message: cut(oneLine(why), shownMessage), type: check.obstacle ?? 'inconclusive', text: why },
      ];
    }
    case 'not-enabled': {
      const why = `not enabled: ${cut(reason, shownReason)}`;
      if (!isStrict) return [{ kind: 'skipped', message: why }];
      return [{ kind: 'failure', message: cut(oneLine(why), shownMessage), type: 'not enabled', text: why }];
    }
    case 'skipped':
      return [{ kind: 'skipped', message: cut(reason, shownReason) || 'not selected' }];
    // JUnit has no warnings. Without --strict a broken should does not break a build, so the case passes, with a note in its output.
    case 'warned':
      if (isStrict && !isExpected(check)) return [{ kind: 'failure', message, type: level, text: story(check) }];
      return [{ kind: 'system-out', text: `warned: ${message}\n${story(check)}` }];
    // JUnit has no expected failures. As in other runners, they are skipped with the reason: neither green nor red.
    case 'failed':
      return isExpected(check)
        ? [{ kind: 'skipped', message: `expected failure: ${check.expectedFailure}` }]
        : [{ kind: 'failure', message, type: level, text: story(check) }];
  }
}

function story(check: CheckResult): string {
  const rows = [...findingRows(check), ...exchangeRow(check), ...againRows(check, onlyOptions(check))];
  return `\n${layOut(rows).join('\n')}\n`;
}
