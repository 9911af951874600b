import { type Dependency, isStillRed, type OpenPointReport, type VaryReport, type WorldReport } from './report.ts';
import { describeDependency, relianceOf, stillRedText } from './words.ts';
import { type Element, toXml } from './xml.ts';

/** The report as JUnit XML: a test case for the base, for each open point, and for each world that stays red. */
export function toJunit(report: VaryReport): string {
  const cases = [
    baseCase(report),
    ...report.openPoints.map((point) => openPointCase(point, report)),
    ...report.worlds.filter(isStillRed).map(worldCase),
    ...flakyCase(report),
    ...endCase(report),
  ];
  const count = (name: string) =>
    cases.filter(({ children = [] }) => children.some((child) => isNamed(child, name))).length;
  const attributes = {
    name: 'vary',
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: (report.durationMs / 1000).toFixed(3),
  };
  const suite = { ...attributes, timestamp: report.startedAt };
  const children = [{ name: 'properties', children: propertiesOf(report) }, ...cases];
  return toXml({ name: 'testsuites', attributes, children: [{ name: 'testsuite', attributes: suite, children }] });
}

function isNamed(child: Element | string, name: string): boolean {
  return typeof child !== 'string' && child.name === name;
}

function propertiesOf({ tool, command, settings, runs, endedBy }: VaryReport): Element[] {
  const facts = { tool, command: command.join(' '), ...settings, runsInAll: runs, endedBy };
  return Object.entries(facts).map(([name, value]) => ({
    name: 'property',
    attributes: { name, value: String(value) },
  }));
}

function testCase(classname: string, name: string, children: readonly Element[] = []): Element {
  return { name: 'testcase', attributes: { classname, name, time: '0' }, children };
}

function baseCase({ base }: VaryReport): Element {
  if (base.outcome === 'green') return testCase('base', 'base');
  const message = base.outcome === 'red' ? `red in ${base.red} of ${base.runs} runs` : 'not finished';
  return testCase('base', 'base', [{ name: 'error', attributes: { message }, children: [base.output || message] }]);
}

function openPointCase({ id, outcome }: OpenPointReport, { dependencies }: VaryReport): Element {
  const found = dependencies.filter(({ openPoints }) => openPoints.some(({ openPoint }) => openPoint === id));
  if (found.length > 0) return testCase('openPoints', id, found.map(failure));
  if (outcome === 'free') return testCase('openPoints', id);
  const message = outcome === 'notMet' ? 'no answer to the tests was shaped by it' : 'it was not varied';
  return testCase('openPoints', id, [{ name: 'skipped', attributes: { message } }]);
}

function failure(dependency: Dependency): Element {
  const story = `\n${describeDependency(dependency).join('\n')}\n`;
  return { name: 'failure', attributes: { message: relianceOf(dependency), type: 'dependency' }, children: [story] };
}

function worldCase(world: WorldReport): Element {
  const message = stillRedText(world);
  return testCase('worlds', world.name, [
    { name: 'failure', attributes: { message, type: 'red' }, children: [message] },
  ]);
}

// JUnit knows no warning: a case that passes, and says so in its output.
function flakyCase({ flakiness }: VaryReport): Element[] {
  if (flakiness === undefined) return [];
  const { red, runs, output } = flakiness;
  const text = `flaky: red in ${red} of ${runs} runs where the tests can be green\n${output}`;
  return [testCase('tests', 'flakiness', [{ name: 'system-out', children: [text] }])];
}

function endCase({ endedBy }: VaryReport): Element[] {
  if (endedBy === 'end') return [];
  const message = endedBy === 'maxRuns' ? 'not finished: --max-runs was reached' : 'not finished: it was stopped';
  return [testCase('tests', 'finished', [{ name: 'skipped', attributes: { message } }])];
}
