import { currentClock } from './clock.ts';

/**
 * Looks until `isThere` holds or the time is up. Returns what was seen last, how long it took, and how much of that
 * were pauses.
 */
export async function poll<T>(
  limitMs: number,
  look: () => Promise<T>,
  isThere: (seen: T) => boolean,
): Promise<{ seen: T; isThere: boolean; tookMs: number; pausedMs: number }> {
  const clock = currentClock();
  const startedMs = clock.nowMs();
  let pausedMs = 0;
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    const seen = await look();
    const tookMs = clock.nowMs() - startedMs;
    if (isThere(seen)) return { seen, isThere: true, tookMs, pausedMs };
    if (tookMs >= limitMs) return { seen, isThere: false, tookMs, pausedMs };
    await clock.sleep(pauseMs);
    pausedMs += pauseMs;
  }
}
