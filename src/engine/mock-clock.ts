import type { Clock } from '../domain/clock.ts';

// Years have four digits, with a year to spare for later times. The same bounds as TimeMs in the admin API.
const earliestMs = Date.parse('0001-01-01T00:00:00Z');
const latestMs = Date.UTC(9998, 11, 31, 23, 59, 59, 999);

/** Whether the clock may be set to a time: responses can show it, and times soon after it. */
export function isClockTime(timeMs: number): boolean {
  return timeMs >= earliestMs && timeMs <= latestMs;
}

/** The clock of a mock: the machine's, or one fixed at a time until it is moved. Times in milliseconds. */
export class MockClock implements Clock {
  /** The time at which it was fixed at the start; undefined if it ran. */
  readonly startMs: number | undefined;
  /** The time at which it is fixed; undefined while it runs. */
  fixedAtMs: number | undefined;

  /** Without `fixedAtMs` the clock runs with the machine's. */
  constructor(fixedAtMs?: number) {
    this.startMs = fixedAtMs;
    this.fixedAtMs = fixedAtMs;
  }

  nowMs(): number {
    return this.fixedAtMs ?? Date.now();
  }

  /** Fixes the clock at a time; without one, lets it run. */
  set(fixedAtMs: number | undefined): void {
    this.fixedAtMs = fixedAtMs;
  }

  /** Sets the clock back to how it started. */
  reset(): void {
    this.fixedAtMs = this.startMs;
  }
}
