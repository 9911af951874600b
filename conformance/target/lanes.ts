/** Bounds how many requests are in progress. The others wait for their turn, in order. */
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

  /** Allows one request at a time from now on. Returns whether more were allowed before. */
  narrow(): boolean {
    const wasWide = this.#limit > 1;
    this.#limit = 1;
    return wasWide;
  }

  // The next one takes over the lane, unless there are fewer lanes by now.
  #leave(): void {
    const next = this.#busy <= this.#limit ? this.#waiting.shift() : undefined;
    if (next === undefined) this.#busy--;
    else next();
  }
}
