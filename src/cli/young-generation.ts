import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

// A larger one is no faster under load (`npm run bench`), and takes memory.
const enoughBytes = 32 * 2 ** 20;

/**
 * Keeps the young generation of the heap from growing while a server starts. The returned function lets it grow until
 * its collections cost little under load; V8 by itself would let it grow to twice that size.
 */
export function holdYoungGeneration(): () => void {
  setGrowthFactor(1);
  return () => new PerformanceObserver(() => setGrowthFactor(isLargeEnough() ? 1 : 2)).observe({ entryTypes: ['gc'] });
}

// V8 reads this each time the young generation could grow. Its limit is fixed before any code runs.
function setGrowthFactor(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

function isLargeEnough(): boolean {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return young !== undefined && young.space_size >= enoughBytes;
}
