import fc from 'fast-check';
import type { Job, JobResult } from '../power/jobs.ts';
import type { CatalogueName } from './catalogue.ts';
import { findingsOf, isRight, type Judged } from './judge.ts';

/** So many pairs and triples are drawn; always the same ones. */
const counts = { pairs: 300, triples: 100 } as const;
const seed = 20261123;

type Size = keyof typeof counts;
export const sizes = Object.keys(counts) as Size[];

/** How often at least one fault of a server with several was found, and how often all of them. */
export type CombinedFigures = Record<Size, { count: number; oneFound: number; allFound: number }>;

/** Joins the names of faults that one server has at the same time. */
const joint = '+';

/** The faults of a job or entry by name. */
export function faultsIn(name: string): string[] {
  return name.split(joint);
}

/** Servers with several faults of a catalogue. Each of the faults is found where it is alone. */
export function combinedJobs(catalogue: CatalogueName, alone: readonly Judged[]): Job[] {
  const found = alone.filter((one) => one.kind !== 'legal' && isRight(one)).map(({ name }) => name);
  return sizes.flatMap((size) =>
    drawn(found, size).map(
      (names): Job => ({ kind: 'heldOut', id: `${catalogue}/${names.join(joint)}`, mode: 'write' }),
    ),
  );
}

function drawn(names: readonly string[], size: Size): string[][] {
  const length = size === 'pairs' ? 2 : 3;
  const some = fc.subarray([...names], { minLength: length, maxLength: length });
  const different = fc.uniqueArray(some, { minLength: counts[size], maxLength: counts[size], selector: String });
  return fc.sample(different, { seed, numRuns: 1 })[0] ?? [];
}

/** What was found on servers with several faults. A fault is found where a check flags something that flags it alone. */
export function combinedFigures(
  alone: readonly Judged[],
  results: readonly JobResult[],
  base: JobResult | undefined,
): CombinedFigures {
  const flaggedAlone = new Map(alone.map((one) => [one.name, flaggedIn(one)]));
  const all = results.map((result) => {
    const names = faultsIn(result.job.id.split('/')[1] ?? '');
    const flagged = new Set(flaggedIn(findingsOf(result, base)));
    const isFound = (fault: string) => flaggedAlone.get(fault)?.some((check) => flagged.has(check)) ?? false;
    return { names, isOneFound: flagged.size > 0, areAllFound: names.every(isFound) };
  });
  const ofLength = (length: number) => {
    const some = all.filter(({ names }) => names.length === length);
    return {
      count: some.length,
      oneFound: some.filter((one) => one.isOneFound).length,
      allFound: some.filter((one) => one.areAllFound).length,
    };
  };
  return { pairs: ofLength(2), triples: ofLength(3) };
}

function flaggedIn({ failed, warned }: Pick<Judged, 'failed' | 'warned'>): string[] {
  return [...failed, ...warned];
}
