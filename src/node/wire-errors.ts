import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Answer } from '../engine/call.ts';
import { startTimer } from '../workbench/connection.ts';
import { tooLarge } from '../workbench/edge/refusals.ts';

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
  return isParseError
    ? refuse('malformedRequest', `This is not a well-formed HTTP request (${error.code}).`)
    : undefined;
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
    ...(openPoints !== undefined && hasOpenPoints ? { 'x-open-points': openPoints } : {}),
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
