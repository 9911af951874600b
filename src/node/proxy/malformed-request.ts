import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { closeSoon } from '../wire-errors.ts';
import { hasOddCoding, pairsOf } from './headers.ts';

/** Why a request is no valid HTTP/1.x, though Node accepts it: two servers could read it differently. */
export function malformationOf(message: IncomingMessage): string | undefined {
  const { httpVersion, url = '', rawHeaders } = message;
  if (httpVersion !== '1.0' && httpVersion !== '1.1') return 'The proxy speaks HTTP/1.1. Send that version.';
  if (url.includes('#')) return 'The URL contains a #. Send it percent-encoded, as %23.';
  const hosts = pairsOf(rawHeaders).filter(([name]) => name.toLowerCase() === 'host');
  if (hosts.length > 1) return 'There are several Host headers. Send one.';
  if (!hasOddCoding(message)) return undefined;
  return 'Transfer-Encoding must be chunked, and nothing else, in HTTP/1.1. Send a Content-Length instead.';
}

/** Answers CONNECT, for which Node leaves the connection to whoever asks for it. */
export function refuseTunnel(socket: Duplex): void {
  socket
    .on('error', () => undefined)
    .end('HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  closeSoon(socket);
}

const statusLines: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers a request that Node could not read, and closes its connection. */
export function refuseMalformed(error: Error, socket: Socket): void {
  const code = 'code' in error ? String(error.code) : '';
  if (!socket.writable) return void socket.destroy();
  socket.end(`HTTP/1.1 ${statusLines[code] ?? '400 Bad Request'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.destroySoon();
}
