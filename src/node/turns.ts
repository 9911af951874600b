import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The requests of each connection, taken one after the other: each when the answers before it are out, and not before other
 * connections had a turn. So nobody waits long behind a client that sends thousands of requests at once, and none of
 * them is acted on whose answer nobody reads.
 */
export class Turns {
  readonly #latest = new WeakMap<Socket, ServerResponse>();
  /** The last request that waits; of a connection on which requests have waited before. */
  readonly #waiting = new WeakMap<Socket, ServerResponse | undefined>();

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
    if (!this.#waiting.has(connection)) connection.on('resume', () => this.#hold(connection));
    this.#waiting.set(connection, response);
    this.#hold(connection);
    whenItsTurn(response, () => {
      if (this.#waiting.get(connection) === response) this.#release(connection);
      act();
    });
  }

  /** Reads no more requests while some wait. Node resumes a connection for the body of a request that was read long ago. */
  #hold(connection: Socket): void {
    if (this.#waiting.get(connection) !== undefined) connection.pause();
  }

  #release(connection: Socket): void {
    this.#waiting.set(connection, undefined);
    connection.resume();
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
