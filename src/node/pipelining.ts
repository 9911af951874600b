/*
 * Requests that a client sends before it has the responses to its earlier ones (RFC 9112, section 9.3.2). Node would
 * take them all at once.
 */
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers';

interface Pipeline {
  /** The response to the latest request whose head was read. */
  latest: ServerResponse;
  /** How many requests wait for the responses before theirs. */
  waiting: number;
}

const pipelines = new WeakMap<Socket, Pipeline>();

// A connection that is not read does not show when the client leaves, so a few waiting requests do not pause it.
const mostWaiting = 64;

/**
 * Lets a listener take the requests of each connection one after the other, whatever they expect: a request takes effect
 * once the responses before it were sent, and other connections had a turn. While many wait, no more is read from their
 * connection.
 */
export function takeInOrder(server: Server, listener: RequestListener): void {
  const take: RequestListener = (request, response) => {
    const { socket } = request;
    const pipeline = pipelineOf(socket, response);
    pipeline.latest = response;
    if (response.socket !== null) return void listener(request, response);
    pipeline.waiting++;
    holdIfFull(socket, pipeline);
    whenDue(response, () => {
      if (--pipeline.waiting === mostWaiting) socket.resume();
      if (!socket.destroyed) listener(request, response);
    });
  };
  server.on('request', take).on('checkExpectation', take);
}

function pipelineOf(connection: Socket, latest: ServerResponse): Pipeline {
  const known = pipelines.get(connection);
  if (known !== undefined) return known;
  const pipeline = { latest, waiting: 0 };
  // Node resumes a connection for the body of any request, even one read long ago.
  connection.on('resume', () => holdIfFull(connection, pipeline));
  pipelines.set(connection, pipeline);
  return pipeline;
}

function holdIfFull(connection: Socket, { waiting }: Pipeline): void {
  if (waiting > mostWaiting) connection.pause();
}

/** The response to the latest request whose head was read. */
export function latestResponseOn(connection: Socket): ServerResponse | undefined {
  return pipelines.get(connection)?.latest;
}

/**
 * Ends a connection on which nothing more can be read, after all pending responses. `answer` ends it with a response to
 * the unreadable request, which may have had its response before it was complete.
 */
export function endInOrder(connection: Socket, answer: () => void): void {
  const latest = latestResponseOn(connection);
  if (latest === undefined) answer();
  else if (isWaiting(latest)) whenDue(latest, () => endInOrder(connection, answer));
  else if (latest.req.complete) whenFinished(latest, answer);
  else if (latest.headersSent) whenFinished(latest, () => connection.destroySoon());
  else answer();
}

// A response gets the socket after the previous one was sent, and gives it back once it is sent itself.
function isWaiting(response: ServerResponse): boolean {
  return response.socket === null && !response.writableFinished;
}

/** Once the responses before it were sent, and other connections had a turn. */
function whenDue(response: ServerResponse, act: () => void): void {
  response.once('socket', () => setImmediate(act));
}

function whenFinished(response: ServerResponse, act: () => void): void {
  if (response.writableFinished) act();
  else response.once('finish', act);
}
