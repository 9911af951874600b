import { type Connection, startTimer } from '../connection.ts';
import type { FaultMatch } from './fault.ts';

interface HeldCall {
  readonly match: FaultMatch;
  drop(): void;
  release(): void;
}

/** The calls that faults delay. A delay ends when the client disconnects, and keeps no process alive. */
export class HeldCalls {
  readonly #held = new Set<HeldCall>();
  readonly #ofConnection = new WeakMap<Connection, Set<HeldCall>>();

  /** The number of calls delayed now. */
  get count(): number {
    return this.#held.size;
  }

  /** Calls `then` after the delay; never if the connection is lost meanwhile. */
  hold(match: FaultMatch, connection: Connection, delayMs: number, then: () => void): void {
    if (delayMs === 0) then();
    else if (!connection.destroyed) this.#add(match, connection, delayMs, then);
  }

  /** Releases the selected calls. They have continued when this returns. */
  letGo(isSelected: (match: FaultMatch) => boolean): void {
    // A call that is delayed again while it continues is visited in the same loop.
    for (const held of this.#held) if (isSelected(held.match)) held.release();
  }

  #add(match: FaultMatch, connection: Connection, delayMs: number, then: () => void): void {
    const neighbours = this.#onConnection(connection);
    const drop = () => {
      cancel();
      neighbours.delete(held);
      this.#held.delete(held);
    };
    const release = () => {
      drop();
      then();
    };
    const held: HeldCall = { match, drop, release };
    const cancel = startTimer(delayMs, release, connection);
    neighbours.add(held);
    this.#held.add(held);
  }

  // One listener for each connection, however many calls come over it.
  #onConnection(connection: Connection): Set<HeldCall> {
    const known = this.#ofConnection.get(connection);
    if (known !== undefined) return known;
    const fresh = new Set<HeldCall>();
    this.#ofConnection.set(connection, fresh);
    connection.once('close', () => {
      for (const held of fresh) held.drop();
    });
    return fresh;
  }
}
