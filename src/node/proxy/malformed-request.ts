import type { IncomingMessage } from 'node:http';
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
