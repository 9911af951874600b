import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';

/** The clock of a run, and how it waits. Tests use one that does not really wait. */
export interface Clock {
  /** Milliseconds since some moment. Never goes back. */
  nowMs(): number;
  /** Waits, unless the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of the process. */
const processClock: Clock = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => setTimeout(Math.max(0, ms), undefined, { signal }).catch(() => undefined),
};

const clocks = new AsyncLocalStorage<Clock>();

/** Does some work by a clock. */
export function byClock<Result>(clock: Clock, work: () => Promise<Result>): Promise<Result> {
  return clocks.run(clock, work);
}

/** The clock of the current work; by default the process's. */
export function currentClock(): Clock {
  return clocks.getStore() ?? processClock;
}

/**
 * Looks until `isThere` holds or the time is up. The last look begins when the time is up: a slow look that began
 * before says nothing of the time after it. Returns what was seen last, how long it took, and how much of that were
 * pauses.
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
    const isLast = clock.nowMs() - startedMs >= limitMs;
    const seen = await look();
    const tookMs = clock.nowMs() - startedMs;
    if (isThere(seen)) return { seen, isThere: true, tookMs, pausedMs };
    if (isLast) return { seen, isThere: false, tookMs, pausedMs };
    await clock.sleep(pauseMs);
    pausedMs += pauseMs;
  }
}
