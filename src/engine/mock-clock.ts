import type { Clock } from '../domain/clock.ts';

/** The clock of a mock: the machine's, or one fixed at a time until it is moved. Times in milliseconds. */
export class MockClock implements Clock {
  readonly #startMs: number | undefined;
  #fixedAtMs: number | undefined;

  /** Without `fixedAtMs` the clock runs with the machine's. */
  constructor(fixedAtMs?: number) {
    this.#startMs = fixedAtMs;
    this.#fixedAtMs = fixedAtMs;
  }

  nowMs(): number {
    return this.#fixedAtMs ?? Date.now();
  }

  /** The time at which it was fixed at the start; undefined if it ran. */
  get startMs(): number | undefined {
    return this.#startMs;
  }

  /** The time at which it is fixed; undefined while it runs. */
  get fixedAtMs(): number | undefined {
    return this.#fixedAtMs;
  }

  /** Fixes the clock at a time; lets it run when none is given. */
  set(fixedAtMs: number | undefined): void {
    this.#fixedAtMs = fixedAtMs;
  }

  /** Sets the clock back to how it started. */
  reset(): void {
    this.#fixedAtMs = this.#startMs;
  }
}
