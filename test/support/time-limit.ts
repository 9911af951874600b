// How long the work below takes on the machine on which the tests' limits were set.
const referenceMs = 30;

/** How many times slower this machine is now than that one; at least 1. */
export function measureSlowness(): number {
  const value = Array.from({ length: 1_000 }, (_, index) => ({ id: `id-${index}`, list: [index, index + 1] }));
  const startMs = performance.now();
  for (let round = 0; round < 100; round++) JSON.parse(JSON.stringify(value));
  return Math.max(1, (performance.now() - startMs) / referenceMs);
}

/** A time limit in milliseconds, scaled to this machine. */
export function timeLimit(ms: number): number {
  return Math.ceil(ms * Number(process.env.TEST_SLOWNESS ?? 1));
}
