import type { Strike } from './fault.ts';

/** What matters of a socket. Named here, so that the types of the package need none of Node's. */
interface Connection {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

interface Held {
  readonly strike: Strike;
  drop(): void;
  goOn(): void;
}

/** The calls that faults hold up. A wait ends when the client goes away, and keeps no process alive. */
export class HeldCalls {
  readonly #held = new Set<Held>();
  readonly #ofConnection = new WeakMap<Connection, Set<Held>>();

  /** How many there are now. */
  get count(): number {
    return this.#held.size;
  }

  /** Calls `then` after the delay; never, when the connection is lost meanwhile. */
  hold(strike: Strike, connection: Connection, delayMs: number, then: () => void): void {
    if (delayMs === 0) then();
    else if (!connection.destroyed) this.#add(strike, this.#onConnection(connection), delayMs, then);
  }

  /** Lets those go on at once that are meant. They have gone on when this returns. */
  letGo(isMeant: (strike: Strike) => boolean): void {
    // What is held up again while it goes on comes up in this same loop.
    for (const held of this.#held) if (isMeant(held.strike)) held.goOn();
  }

  #add(strike: Strike, neighbours: Set<Held>, delayMs: number, then: () => void): void {
    const drop = () => {
      clearTimeout(timer);
      neighbours.delete(held);
      this.#held.delete(held);
    };
    const goOn = () => {
      drop();
      then();
    };
    const held: Held = { strike, drop, goOn };
    const timer = setTimeout(goOn, delayMs).unref();
    neighbours.add(held);
    this.#held.add(held);
  }

  // One listener for each connection, however many calls come over it.
  #onConnection(connection: Connection): Set<Held> {
    const known = this.#ofConnection.get(connection);
    if (known !== undefined) return known;
    const fresh = new Set<Held>();
    this.#ofConnection.set(connection, fresh);
    connection.once('close', () => {
      for (const held of fresh) held.drop();
    });
    return fresh;
  }
}
