import type { Check, ConformanceReport, Dependency, Outcome, VaryReport } from './formats.ts';

/**
 * What became of something. `unjudged`: a check that is not judged now. `choice`: an open point; nothing about it is better
 * or worse.
 */
export type Change = 'worse' | 'better' | 'unjudged' | 'choice' | 'new' | 'gone';

/** One thing that differs between two reports. */
export interface Difference {
  id: string;
  change: Change;
  /** Undefined where only the other report has it. */
  before: string | undefined;
  after: string | undefined;
}

/** What differs between two reports of conformance: the checks, then what was observed at open points. */
export function compareConformance(before: ConformanceReport, after: ConformanceReport): Difference[] {
  return [
    ...differences(outcomesOf(before.checks), outcomesOf(after.checks), changeOf),
    ...differences(textsOf(before.observed), textsOf(after.observed), () => 'choice').filter(
      ({ change }) => change === 'choice',
    ),
  ];
}

/** What differs between two reports of vary: what the tests rely on, then what is known of the other open points. */
export function compareVary(before: VaryReport, after: VaryReport): Difference[] {
  return [
    ...differences(reliancesOf(before), reliancesOf(after), () => 'choice').map(asReliance),
    ...differences(freeOf(before), freeOf(after), () => 'choice').filter(({ change }) => change === 'choice'),
  ];
}

function differences<T extends string>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  changeOf: (was: T, is: T) => Change,
): Difference[] {
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((id) => {
    const [was, is] = [before.get(id), after.get(id)];
    if (was === is) return [];
    const change = was === undefined ? 'new' : is === undefined ? 'gone' : changeOf(was, is);
    return [{ id, change, before: was, after: is }];
  });
}

const isJudged = (outcome: Outcome) => ['passed', 'warned', 'failed'].includes(outcome);

// From best to worst; what was not judged may have been either.
const ranks: Readonly<Record<Outcome, number>> = {
  ...{ passed: 0, inconclusive: 1, 'not-enabled': 1, skipped: 1, warned: 2, failed: 3 },
};

function changeOf(was: Outcome, is: Outcome): Change {
  if (!isJudged(is)) return 'unjudged';
  return ranks[is] > ranks[was] ? 'worse' : 'better';
}

function outcomesOf(checks: readonly Check[]): ReadonlyMap<string, Outcome> {
  return new Map(checks.map(({ id, outcome }) => [id, outcome]));
}

function textsOf(choices: Readonly<Record<string, string | number>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(choices).map(([id, value]) => [id, String(value)]));
}

/** The name of what tests rely on: `createStatus = 201 with errorBody = problem`. */
export function relianceOf({ openPoints }: Dependency): string {
  return openPoints.map(({ openPoint, reliesOn }) => `${openPoint} = ${reliesOn}`).join(' with ');
}

function reliancesOf({ dependencies }: VaryReport): ReadonlyMap<string, string> {
  return new Map(dependencies.map((one) => [relianceOf(one), 'relied on']));
}

// To rely on one thing more is worse.
function asReliance(difference: Difference): Difference {
  return { ...difference, change: difference.change === 'new' ? 'worse' : 'better' };
}

/** What is known of the open points on which the tests do not rely. */
function freeOf({ openPoints }: VaryReport): ReadonlyMap<string, string> {
  const words = { free: 'passed with others', notVaried: 'not varied', notMet: 'not met', reliedOn: '' };
  return new Map(
    openPoints.filter(({ outcome }) => outcome !== 'reliedOn').map(({ id, outcome }) => [id, words[outcome]]),
  );
}
