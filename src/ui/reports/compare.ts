import type { Check, ConformanceReport, Dependency, Outcome, VaryReport } from './formats.ts';

/**
 * How something changed. `unjudged`: a check that is no longer judged. `choice`: an open point; nothing about it is
 * better or worse.
 */
export type Change = 'worse' | 'better' | 'unjudged' | 'choice' | 'new' | 'gone';

/** One thing that differs between two reports. */
export interface Difference {
  id: string;
  change: Change;
  /** Undefined if only the other report has it. */
  before: string | undefined;
  after: string | undefined;
}

/** The differences between two conformance reports: the checks, then the observed choices. */
export function compareConformance(before: ConformanceReport, after: ConformanceReport): Difference[] {
  return [
    ...differences(outcomesOf(before.checks), outcomesOf(after.checks), changeOf),
    ...differences(textsOf(before.observed), textsOf(after.observed), () => 'choice').filter(
      ({ change }) => change === 'choice',
    ),
  ];
}

/** The differences between two vary reports: what the tests rely on, then what is known about the other open points. */
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

// From best to worst. What was not judged is in the middle: it may have been either.
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

/** The name of what tests rely on: `successStatus.createDrive = 201 with errorBody = problem`. */
export function relianceOf({ openPoints }: Dependency): string {
  return openPoints.map(({ openPoint, reliesOn }) => `${openPoint} = ${reliesOn}`).join(' with ');
}

function reliancesOf({ dependencies }: VaryReport): ReadonlyMap<string, string> {
  return new Map(dependencies.map((one) => [relianceOf(one), 'relied on']));
}

// Relying on one more thing is worse.
function asReliance(difference: Difference): Difference {
  return { ...difference, change: difference.change === 'new' ? 'worse' : 'better' };
}

/** What is known about the open points on which the tests do not rely. */
function freeOf({ openPoints }: VaryReport): ReadonlyMap<string, string> {
  const words = { free: 'passed with others', notVaried: 'not varied', notMet: 'not met', reliedOn: '' };
  return new Map(
    openPoints.filter(({ outcome }) => outcome !== 'reliedOn').map(({ id, outcome }) => [id, words[outcome]]),
  );
}
