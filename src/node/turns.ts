import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

// A connection that is not read does not show that the client has left it: few requests do not stop the reading.
const mostWaiting = 64;

/**
 * The requests of each connection, taken one after the other: each when the answers before it are out, and not before other
 * connections had a turn. So nobody waits long behind a client that sends thousands of requests at once, and none of
 * them is acted on whose answer nobody reads.
 */
export class Turns {
  readonly #latest = new WeakMap<Socket, ServerResponse>();
  /** How many requests wait; of a connection on which some have waited before. */
  readonly #waiting = new WeakMap<Socket, number>();

  /** The response to the latest request whose head was read. */
  latestOn(connection: Socket): ServerResponse | undefined {
    return this.#latest.get(connection);
  }

  /** Takes each request when it is its turn. */
  take(listener: RequestListener): RequestListener {
    return (request, response) => {
      this.#latest.set(request.socket, response);
      if (response.socket === null) this.#wait(request.socket, response, () => listener(request, response));
      else listener(request, response);
    };
  }

  #wait(connection: Socket, response: ServerResponse, act: () => void): void {
    // Node resumes a connection for the body of any request, also of one that was read long ago.
    if (!this.#waiting.has(connection)) connection.on('resume', () => this.#hold(connection));
    this.#count(connection, 1);
    this.#hold(connection);
    whenItsTurn(response, () => {
      if (this.#count(connection, -1) === mostWaiting) connection.resume();
      act();
    });
  }

  #count(connection: Socket, more: number): number {
    const count = (this.#waiting.get(connection) ?? 0) + more;
    this.#waiting.set(connection, count);
    return count;
  }

  /** Reads no more requests while many wait. */
  #hold(connection: Socket): void {
    if ((this.#waiting.get(connection) ?? 0) > mostWaiting) connection.pause();
  }
}

/** Does something when the answers before this one are out: at once, or after a turn of the event loop. */
export function whenItsTurn(response: ServerResponse, act: (connection: Socket) => void): void {
  if (response.socket !== null) act(response.socket);
  else response.once('socket', (connection) => setImmediate(() => connection.destroyed || act(connection)));
}

/**
 * Asks clients that wait for it to send their bodies (`Expect: 100-continue`; RFC 9110, section 10.1.1), each when it is its
 * turn. Behind other requests of a connection, Node itself would ask between the head and the body of the answer.
 */
export function continueInTurn(server: Server): void {
  server.on('checkContinue', (request, response) => {
    whenItsTurn(response, () => {
      if (!response.headersSent) response.writeContinue();
    });
    server.emit('request', request, response);
  });
}

/**
 * Ends a connection on which no more can be read, after all answers that are due. `answer` ends it with one to the request
 * that could not be read; that request may have been answered before it was whole. `latest` is the response to the
 * latest request whose head was read.
 */
export function endInTurn(socket: Socket, latest: ServerResponse | undefined, answer: () => void): void {
  const close = () => socket.destroySoon();
  if (latest === undefined) answer();
  else if (latest.req.complete) whenFinished(latest, answer);
  else if (latest.headersSent) whenFinished(latest, close);
  else whenItsTurn(latest, () => (latest.headersSent ? whenFinished(latest, close) : answer()));
}

function whenFinished(response: ServerResponse, act: () => void): void {
  if (response.writableFinished) act();
  else response.once('finish', act);
}
