import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { closeSoon } from '../wire-errors.ts';
import { problemOf } from './failures.ts';
import { hasOddCoding, pairsOf } from './headers.ts';

/** Why a request is not valid HTTP/1.x, though Node accepts it: two servers could read it differently. */
export function malformationOf(message: IncomingMessage): string | undefined {
  const { httpVersion, url = '', rawHeaders } = message;
  if (httpVersion !== '1.0' && httpVersion !== '1.1') return 'The proxy supports HTTP/1.1. Send that version.';
  if (url.includes('#')) return 'The URL contains a #. Send it percent-encoded, as %23.';
  const hosts = pairsOf(rawHeaders).filter(([name]) => name.toLowerCase() === 'host');
  if (hosts.length > 1) return 'There are several Host headers. Send one.';
  if (!hasOddCoding(message)) return undefined;
  return 'Transfer-Encoding must be chunked, and nothing else, in HTTP/1.1. Send a Content-Length instead.';
}

/** Responds to CONNECT, where Node hands over the connection. */
export function refuseTunnel(socket: Duplex): void {
  const detail = 'CONNECT opens a tunnel. Send requests to this proxy as you would to the server.';
  socket.on('error', () => undefined).end(closingAnswer('501 Not Implemented', detail));
  closeSoon(socket);
}

const refusals: Readonly<Record<string, [statusLine: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The URL and the headers are too long.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The chunk extensions are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive completely in time.'],
};

/** Responds to a request that Node could not read, and closes its connection. */
export function refuseMalformed(error: Error, socket: Socket): void {
  const code = 'code' in error ? String(error.code) : '';
  if (!socket.writable) return void socket.destroy();
  const malformed = ['400 Bad Request', `This is not a well-formed HTTP request (${code}).`] as const;
  const [statusLine, detail] = refusals[code] ?? malformed;
  socket.end(closingAnswer(statusLine, detail));
  closeSoon(socket);
}

/** A response of the proxy itself, as text for a connection that it closes. */
function closingAnswer(statusLine: string, detail: string): string {
  const body = JSON.stringify(problemOf('malformedRequest', Number.parseInt(statusLine, 10), detail));
  const head = ['Connection: close', 'Content-Type: application/problem+json', `Content-Length: ${body.length}`];
  return `HTTP/1.1 ${statusLine}\r\n${head.join('\r\n')}\r\n\r\n${body}`;
}
