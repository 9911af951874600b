import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers';

// A connection that is not read does not show when the client leaves, so a few waiting requests do not pause it.
const mostWaiting = 64;
// Thousands of connections may have requests due: clients that send one at a time get turns in between.
const takenPerTurn = 16;

/**
 * Takes the requests of each connection one after the other: each after the responses before it were sent, and after
 * other connections had a turn. So no client waits long behind one that sends thousands of requests at the same time,
 * and no request takes effect when nobody is left to read its response.
 */
export class Turns {
  readonly #lines = new WeakMap<Socket, Line>();
  readonly #due = new Due();

  /**
   * Lets a listener take the requests of a server, whatever they expect. A client with `Expect: 100-continue` (RFC
   * 9110, section 10.1.1) is asked for its body just before. Node itself would ask too early: between head and body of
   * the response to an earlier request.
   */
  serve(server: Server, listener: RequestListener): void {
    const take: RequestListener = (request, response) => this.#lineOf(request.socket).add(request, response, listener);
    const takeExpecting: RequestListener = (request, response) =>
      this.#lineOf(request.socket).add(request, response, () => {
        response.writeContinue();
        listener(request, response);
      });
    server.on('request', take).on('checkExpectation', take).on('checkContinue', takeExpecting);
  }

  /** The response to the latest request whose head was read. */
  latestOn(connection: Socket): ServerResponse | undefined {
    return this.#lines.get(connection)?.latest;
  }

  /**
   * Ends a connection on which nothing more can be read, after all pending responses. `answer` ends it with a response
   * to the unreadable request, which may have had its response before it was complete.
   */
  end(connection: Socket, answer: () => void): void {
    this.#lineOf(connection).end(answer);
  }

  #lineOf(connection: Socket): Line {
    const known = this.#lines.get(connection);
    if (known !== undefined) return known;
    const line = new Line(connection, this.#due);
    this.#lines.set(connection, line);
    return line;
  }
}

/** The lines whose first request can be taken: a few per turn of the event loop. */
class Due {
  readonly #lines: Line[] = [];

  add(line: Line): void {
    if (this.#lines.push(line) === 1) setImmediate(this.#takeFew);
  }

  readonly #takeFew = (): void => {
    const few = this.#lines.splice(0, takenPerTurn);
    if (this.#lines.length > 0) setImmediate(this.#takeFew);
    for (const line of few) line.takeFirst();
  };
}

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
  take: RequestListener;
  whenTaken?: () => void;
}

/** The waiting requests of one connection. */
class Line {
  latest: ServerResponse | undefined;
  readonly #waiting: Waiting[] = [];
  readonly #connection: Socket;
  readonly #due: Due;

  constructor(connection: Socket, due: Due) {
    this.#connection = connection;
    this.#due = due;
    // Node resumes a connection for the body of any request, even one read long ago.
    connection.on('resume', () => this.#hold());
  }

  add(request: IncomingMessage, response: ServerResponse, take: RequestListener): void {
    this.latest = response;
    if (response.socket !== null) return void take(request, response);
    if (this.#waiting.push({ request, response, take }) === 1) this.#awaitTurn();
    this.#hold();
  }

  end(answer: () => void): void {
    const { latest } = this;
    const last = this.#waiting.at(-1);
    if (latest === undefined) answer();
    else if (latest.req.complete) whenFinished(latest, answer);
    else if (last === undefined) this.#endBroken(latest, answer);
    else last.whenTaken = () => this.#endBroken(latest, answer);
  }

  #endBroken(response: ServerResponse, answer: () => void): void {
    if (response.headersSent) whenFinished(response, () => this.#connection.destroySoon());
    else answer();
  }

  // A response gets the socket after the previous one was sent.
  #awaitTurn(): void {
    const first = this.#waiting[0];
    if (first === undefined) return;
    if (first.response.socket !== null) this.#due.add(this);
    else first.response.once('socket', () => this.#due.add(this));
  }

  takeFirst(): void {
    const first = this.#waiting.shift();
    if (first === undefined || this.#connection.destroyed) return;
    if (this.#waiting.length === mostWaiting) this.#connection.resume();
    this.#awaitTurn();
    first.take(first.request, first.response);
    first.whenTaken?.();
  }

  /** Pauses reading while many requests wait. */
  #hold(): void {
    if (this.#waiting.length > mostWaiting) this.#connection.pause();
  }
}

function whenFinished(response: ServerResponse, act: () => void): void {
  if (response.writableFinished) act();
  else response.once('finish', act);
}
