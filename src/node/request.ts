import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Refusal, refuse } from '../domain/refusal.ts';

const host = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** The origin by which the client of a request names this server; by its address, if the Host is not valid. */
export function originOf({ headers, socket }: IncomingMessage): string {
  const scheme = isEncrypted(socket) ? 'https' : 'http';
  const isNamed = headers.host !== undefined && host.test(headers.host);
  return `${scheme}://${isNamed ? headers.host : authority(socket.localAddress ?? '', socket.localPort)}`;
}

/** The origin of a server that is listening. */
export function originOfServer(server: Server, isSecure = false): string {
  const { address, port } = server.address() as AddressInfo;
  return `${isSecure ? 'https' : 'http'}://${authority(address, port)}`;
}

/** Whether a connection is one of TLS. Seen without its class: Node takes a while to load TLS. */
export function isEncrypted(socket: Socket): boolean {
  return 'encrypted' in socket && socket.encrypted === true;
}

/** The port at which a server listens; undefined before it does. */
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

/** Refuses what HTTP/1.1 does not allow before the path is looked at (RFC 9112, sections 3.2 and 7.2). */
export function refuseTarget(url: string, httpVersion: string, headers: IncomingHttpHeaders): Refusal | undefined {
  if (url.includes('#')) return refuse('malformedRequest', 'The URL contains a #. Send it percent-encoded, as %23.');
  const { host } = headers;
  if (host?.includes(', ')) return refuse('malformedRequest', 'There are several Host headers. Send one.');
  if (host === undefined && httpVersion === '1.1')
    return refuse('malformedRequest', 'There is no Host header. Send one.');
  return undefined;
}

/** Refuses an expectation that cannot be met (RFC 9110, section 10.1.1). */
export function refuseExpectation({ expect }: IncomingHttpHeaders): Refusal | undefined {
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return refuse('expectationFailed', 'Only Expect: 100-continue is supported.');
}
