import type { Socket } from 'node:net';

/** The exchanges that are not over. Those of one connection follow each other: a write must not overtake a read. */
export class OpenExchanges {
  readonly #open = new Set<Promise<void>>();
  readonly #latest = new WeakMap<Socket, Promise<void>>();

  /** Begins an exchange. Its turn comes when the one before it on the connection is over. */
  add(socket: Socket, begin: (turn: Promise<void>) => Promise<void>): void {
    const ended = begin(this.#latest.get(socket) ?? Promise.resolve());
    this.#latest.set(socket, ended);
    this.#open.add(ended);
    ended.then(() => this.#open.delete(ended));
  }

  /** Resolves when all of them are over. */
  async ended(): Promise<void> {
    await Promise.all(this.#open);
  }
}
