import type { Clock } from '../domain/clock.ts';

/** The clock of a mock: the machine's, or one that stands still until it is moved. Times in milliseconds. */
export class MockClock implements Clock {
  readonly #startMs: number | undefined;
  #standsAtMs: number | undefined;

  /** `standsAtMs` is where it stands; absent: it runs with the machine's. */
  constructor(standsAtMs?: number) {
    this.#startMs = standsAtMs;
    this.#standsAtMs = standsAtMs;
  }

  nowMs(): number {
    return this.#standsAtMs ?? Date.now();
  }

  /** Where it stands; undefined when it runs. */
  get standsAtMs(): number | undefined {
    return this.#standsAtMs;
  }

  /** Lets it stand at a time, or run when none is given. */
  set(standsAtMs: number | undefined): void {
    this.#standsAtMs = standsAtMs;
  }

  /** Back to how it was at the start. */
  reset(): void {
    this.#standsAtMs = this.#startMs;
  }
}
