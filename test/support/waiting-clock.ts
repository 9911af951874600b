import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../conformance/target/clock.ts';

/** A clock on which waiting takes no time: it advances by the time waited. */
export interface WaitingClock extends Clock {
  /** The total time waited in milliseconds. Parallel waits each count in full. */
  waitedMs(): number;
}

export function createWaitingClock(): WaitingClock {
  let waitedMs = 0;
  return {
    nowMs: () => performance.now() + waitedMs,
    waitedMs: () => waitedMs,
    sleep: async (ms) => {
      waitedMs += Math.max(0, ms);
      await setImmediate();
    },
  };
}
