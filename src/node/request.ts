import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Refusal, refuse } from '../domain/refusal.ts';

const host = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** The origin by which the client addresses this server, from its address if the Host is invalid. */
export function originOf({ headers, socket }: IncomingMessage): string {
  const scheme = isEncrypted(socket) ? 'https' : 'http';
  const isNamed = headers.host !== undefined && host.test(headers.host);
  return `${scheme}://${isNamed ? headers.host : authority(socket.localAddress ?? '', socket.localPort)}`;
}

/** The origin of a listening server. */
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

/** Refuses a target or Host that HTTP/1.1 does not allow (RFC 9112, section 3.2). Runs before the path is checked. */
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
