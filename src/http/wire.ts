/** HTTP/1.1 on Node's sockets, for mock and proxy: addresses, heads, responses, unreadable requests, pipelining. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers';
import { mockHeaders } from '../../openapi/contract/mock-headers.ts';
import { startTimer } from '../app/connection.ts';
import { tooLarge } from '../app/edge/request.ts';
import { describeParseError } from '../app/parse-error.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Answer } from '../engine/call.ts';

const host = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** The origin by which the client addresses this server, from its address if the Host is invalid. */
export function originOf({ headers, socket }: IncomingMessage): string {
  const scheme = isEncrypted(socket) ? 'https' : 'http';
  const isNamed = headers.host !== undefined && host.test(headers.host);
  return `${scheme}://${isNamed ? headers.host : authority(socket.localAddress ?? '', socket.localPort)}`;
}

export function originOfServer(server: Server, isSecure = false): string {
  const { address, port } = server.address() as AddressInfo;
  return `${isSecure ? 'https' : 'http'}://${authority(address, port)}`;
}

/** Whether a connection uses TLS. Does not use the class: Node takes a while to load TLS. */
export function isEncrypted(socket: Socket): boolean {
  return 'encrypted' in socket && socket.encrypted === true;
}

/** The port on which a server listens; undefined before it does. */
export function portOf(server: Server): number | undefined {
  return (server.address() as AddressInfo | null)?.port;
}

function authority(address: string, port: number | undefined): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Whether a request came from this machine. */
export function isLocal({ socket }: IncomingMessage): boolean {
  return /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/.test(socket.remoteAddress ?? '');
}

/**
 * Refuses a target or Host that HTTP/1.1 does not allow (RFC 9112, section 3.2), and an expectation that cannot be met
 * (RFC 9110, section 10.1.1). Runs before the path is checked.
 */
export function refuseHead({ url = '', httpVersion, headers }: IncomingMessage): Refusal | undefined {
  const { host, expect } = headers;
  if (url.includes('#')) return refuse('malformedRequest', 'The URL contains a #. Send it percent-encoded, as %23.');
  if (host?.includes(', ')) return refuse('malformedRequest', 'There are several Host headers. Send one.');
  if (host === undefined && httpVersion === '1.1')
    return refuse('malformedRequest', 'There is no Host header. Send one.');
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return refuse('expectationFailed', 'Only Expect: 100-continue is supported.');
}

/** A response with all its headers, as sent over the wire. */
interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
  /** The length of the body in UTF-8. */
  readonly lengthBytes: number;
}

/** A way to write a response. */
export type Deliver = (response: ServerResponse, answer: WireAnswer) => void;

/** A response with its length; the `more` headers come first. */
export function toWire({ status, headers, body = '' }: Answer, more: WireAnswer['headers'] = {}): WireAnswer {
  const lengthBytes = Buffer.byteLength(body);
  const all = { ...more };
  if (status !== 204 && status !== 304) all['content-length'] = lengthBytes;
  return { status, body, lengthBytes, headers: Object.assign(all, headers) };
}

// Under load, responses are sent one right after the other, once all requests that had arrived were read. A client that
// sleeps is then woken once, not by each response, which halves the time that the system needs for them.
const due: (() => void)[] = [];
const busyMs = 0.2;
let latestMs = 0;

/** Sends a response in one piece, headers and body. */
export const writeWhole: Deliver = (response, { status, headers, body, lengthBytes }) => {
  response.writeHead(status, headers);
  // As many bytes as characters means ASCII, which Node sends in one piece with the headers. It would send other text
  // the same way and corrupt non-ASCII headers.
  const send = () => (lengthBytes === body.length ? response.end(body, 'latin1') : response.end(Buffer.from(body)));
  const nowMs = performance.now();
  const isBusy = nowMs - latestMs < busyMs;
  latestMs = nowMs;
  if (!isBusy && due.length === 0) send();
  else if (due.push(send) === 1) setImmediate(() => due.splice(0).forEach((each) => void each()));
};

/** The error response to a request that Node could not read. Undefined for an error that is not the client's. */
export function toRefusal(error: { code?: unknown }, limitBytes: number): Refusal | undefined {
  switch (error.code) {
    case 'BODY_TOO_LARGE':
      return tooLarge(limitBytes);
    case 'ECONNRESET':
      return refuse('malformedRequest', 'The connection closed before the request was complete.');
    case 'HPE_HEADER_OVERFLOW':
      return refuse('headersTooLarge', 'The URL and the headers are too long. Shorten them or send fewer headers.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse('requestTimeout', 'The request did not arrive completely in time.');
  }
  const isParseError = typeof error.code === 'string' && error.code.startsWith('HPE_');
  return isParseError ? refuse('malformedRequest', describeParseError(String(error.code))) : undefined;
}

/** Writes a response to a connection on which no more HTTP can be read, and closes it. */
export function answerOnSocket(socket: Socket, answer: Answer, dateMs: number, hasOpenPoints: boolean): void {
  const { status, headers, body = '', openPoints } = answer;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = Object.entries({
    date: new Date(dateMs).toUTCString(),
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    ...(openPoints !== undefined && hasOpenPoints ? { [mockHeaders.openPoints]: openPoints } : {}),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  // The reason phrase may be empty, and the table of phrases is slow to load.
  socket.end(`HTTP/1.1 ${status} \r\n${lines.join('')}\r\n${body}`);
  closeSoon(socket);
}

const lingerMs = 2_000;

/**
 * Closes a connection after its last response. Not immediately: a client that is still sending would lose the response.
 * Nor when the client closes: it may never do so.
 */
export function closeSoon(socket: Duplex): void {
  socket.once(
    'close',
    startTimer(lingerMs, () => socket.destroy()),
  );
}

/**
 * Closes an idle connection, also if the client does not read, or has not sent all of its request, but not if it waits
 * for a response. `response` is the latest one on it.
 */
export function closeIdle(socket: Socket, response: ServerResponse | undefined): void {
  const isOwed = response?.req.complete === true && !response.writableFinished;
  if (!isOwed || socket.writableLength > 0) socket.destroy();
}

// Requests that a client sends before it has the responses to its earlier ones (RFC 9112, section 9.3.2). Node would
// take them all at once.
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
