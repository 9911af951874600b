import fc from 'fast-check';

/** True in `npm run test:full`, false in `npm test`. */
export const isFull = process.env.TEST_DEPTH === 'full';

/**
 * True in the full run of CI, which follows the quick one: what goes no deeper there has just run, and is left out with
 * `describe.skipIf(hasJustRun)`. Never for a test that uses {@link depth} or {@link sampleOf}.
 */
export const hasJustRun = isFull && process.env.AFTER_QUICK_RUN !== undefined;

/** The random seed of this run: that of the repository, unless TEST_SEED replays a round of `npm run explore`. */
export const randomSeed = Number(process.env.TEST_SEED);

/** The share that the full run of CI uses of what goes deeper: as the random seed draws. */
const share = hasJustRun ? 1 / 6 : 1;

/** One of two counts: how far the quick run goes, and how far the full one. */
export function depth(quick: number, full: number): number {
  return isFull ? Math.max(quick, Math.ceil(full * share)) : quick;
}

/** All items in the full run. In the quick one, `count` of them, which the random seed draws; in their order. */
export function sampleOf<T>(items: readonly T[], count: number): T[] {
  return drawn(items, depth(count, items.length));
}

/** `count` of the items, which the random seed draws; in their order. */
export function drawn<T>(items: readonly T[], count: number): T[] {
  const length = Math.min(items.length, count);
  const subarrays = fc.subarray([...items], { minLength: length, maxLength: length });
  return fc.sample(subarrays, { seed: randomSeed, numRuns: 1 })[0] ?? [];
}
