import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../conformance/target/clock.ts';

/** A clock on which waiting takes no time: it goes forward by what was waited for. */
export interface WaitingClock extends Clock {
  /** How long was waited, in milliseconds. Who waited at the same time counts once for each. */
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
