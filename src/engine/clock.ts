import type { Clock } from '../domain/clock.ts';

/** The machine's clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** A clock that stands still at one time, in milliseconds since the epoch. */
export function standingClock(atMs: number): Clock {
  return { nowMs: () => atMs };
}
