/** Limits how many requests are in progress. The others wait in order. */
export class Lanes {
  #limit: number;
  #busy = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Does some work when a lane is free. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#busy >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#busy++;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Halves the number of parallel requests from now on, to at least one. */
  narrow(): void {
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }

  // The next request takes over the lane, unless there are fewer lanes now.
  #leave(): void {
    const next = this.#busy <= this.#limit ? this.#waiting.shift() : undefined;
    if (next === undefined) this.#busy--;
    else next();
  }
}
