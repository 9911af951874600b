/** The exchanges in progress. */
export class OpenExchanges {
  readonly #open = new Set<Promise<void>>();

  add(ended: Promise<void>): void {
    this.#open.add(ended);
    ended.then(() => this.#open.delete(ended));
  }

  /** Resolves when all of them are over. */
  async ended(): Promise<void> {
    await Promise.all(this.#open);
  }
}
