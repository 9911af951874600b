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
export const processClock: Clock = {
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
