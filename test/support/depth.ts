import fc from 'fast-check';

/** True in `npm run test:full`, false in `npm test`. */
export const isFull = process.env.TEST_DEPTH === 'full';

/**
 * True in the full run of CI, which follows the quick one: tests that are not deeper there have just run, and are left
 * out with `describe.skipIf(hasJustRun)`. Never for a test that uses {@link depth} or {@link sampleOf}.
 */
export const hasJustRun = isFull && process.env.AFTER_QUICK_RUN !== undefined;

/** True in `npm run test:full` alone: CI leaves out what takes minutes and shows little more than its neighbours. */
export const isWhole = isFull && !hasJustRun;

/** The random seed of this run: the repository's, unless TEST_SEED replays a round of `npm run explore`. */
export const randomSeed = Number(process.env.TEST_SEED);

/** The share of the deeper tests that the full run of CI uses, drawn from the random seed. */
const share = hasJustRun ? 1 / 6 : 1;

/** One of two counts: for the quick run and for the full one. */
export function depth(quick: number, full: number): number {
  return isFull ? Math.max(quick, Math.ceil(full * share)) : quick;
}

/** All items in the full run. In the quick one, `count` of them, drawn from the random seed, in order. */
export function sampleOf<T>(items: readonly T[], count: number): T[] {
  return drawn(items, depth(count, items.length));
}

/** `count` of the items, drawn from the random seed, in order. */
export function drawn<T>(items: readonly T[], count: number): T[] {
  const length = Math.min(items.length, count);
  const subarrays = fc.subarray([...items], { minLength: length, maxLength: length });
  return fc.sample(subarrays, { seed: randomSeed, numRuns: 1 })[0] ?? [];
}
