import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { describeParseError } from '../app/parse-error.ts';
import { corsHeaders } from '../http/cors.ts';
import { closeSoon } from '../http/wire.ts';
import type { ExchangeViolation, FailureKind } from './exchange.ts';

/** Why there is no response of the upstream to relay. */
export class ProxyFailure extends Error {
  readonly kind: FailureKind;
  readonly violations: readonly ExchangeViolation[];

  constructor(kind: FailureKind, detail: string, violations: readonly ExchangeViolation[] = []) {
    super(detail);
    this.name = 'ProxyFailure';
    this.kind = kind;
    this.violations = violations;
  }
}

/** The proxy's own responses. Nobody receives `clientGone` and `proxyStopped`. */
const definitions: Record<FailureKind, { title: string; status: number }> = {
  upstreamUnreachable: { title: 'The upstream cannot be reached', status: 502 },
  upstreamTimeout: { title: 'The upstream does not respond', status: 504 },
  upstreamBroke: { title: 'The upstream did not return valid HTTP', status: 502 },
  upstreamLoop: { title: 'The proxy is its own upstream', status: 508 },
  malformedRequest: { title: 'The request is not valid HTTP', status: 400 },
  requestViolation: { title: 'The request breaks the contract', status: 422 },
  answerViolation: { title: 'The response of the upstream breaks the contract', status: 502 },
  proxyStopped: { title: 'The proxy was stopped', status: 503 },
  clientGone: { title: 'The client went away', status: 499 },
  proxyBroke: { title: 'Unexpected error in the proxy', status: 500 },
};

// In the mock's order under the default profile: key, media type, JSON, input.
function statusOfRequest(violations: readonly ExchangeViolation[]): number {
  const codes = new Set(violations.map(({ code }) => code));
  if (codes.has('unauthenticated')) return 401;
  if (codes.has('unsupportedMediaType')) return 415;
  return codes.has('malformedJson') ? 400 : 422;
}

export function titleOf(kind: FailureKind): string {
  return definitions[kind].title;
}

export function statusOf({ kind, violations }: ProxyFailure): number {
  return kind === 'requestViolation' ? statusOfRequest(violations) : definitions[kind].status;
}

/** The body of a response by the proxy itself. */
function problemOf(kind: FailureKind, status: number, detail: string) {
  const name = kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return { type: `urn:agent-platform:proxy:${name}`, title: definitions[kind].title, status, detail };
}

/** Responds instead of the upstream, in a form that cannot be mistaken for its response. */
export function answerFailure(request: IncomingMessage, response: ServerResponse, failure: ProxyFailure): void {
  const { kind, message: detail, violations } = failure;
  const status = statusOf(failure);
  const validation = violations.length === 0 ? {} : { validation: violations };
  const problem = { ...problemOf(kind, status, detail), ...validation };
  const body = JSON.stringify(problem);
  response.writeHead(status, {
    // Only the upstream knows which pages may read its responses.
    ...corsHeaders(request.headers, 'local'),
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'x-proxy-error': kind,
  });
  response.end(body);
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
  const malformed = ['400 Bad Request', describeParseError(code)] as const;
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

/** Why a request to the upstream failed, from Node's error code. */
export function toFailure(error: unknown, upstream: string): ProxyFailure {
  if (error instanceof ProxyFailure) return error;
  const code = String((error as { code?: unknown }).code ?? 'no code');
  if (code === 'ECONNRESET' || code === 'EPIPE' || /^(HPE|ERR_HTTP|ERR_STREAM|ERR_INVALID)_/.test(code)) {
    // The upstream sent something that Node could not parse. Other codes may have other causes.
    if (code.startsWith('HPE_')) return malformedAnswer(upstream, `could not be parsed (${code})`);
    const remedy = 'It sent no complete HTTP response; check its log.';
    return new ProxyFailure('upstreamBroke', `${upstream} closed the connection early (${code}). ${remedy}`);
  }
  return new ProxyFailure('upstreamUnreachable', `${upstream} cannot be reached (${code}). ${remedyFor(code)}`);
}

/** The upstream sent a response that HTTP does not allow: its violation. `flaw` ends the sentence "Its response …". */
export function malformedAnswer(upstream: string, flaw: string): ProxyFailure {
  const message = `The response ${flaw}`;
  const violation = { location: ['response'], severity: 'Error', code: 'malformedAnswer', message } as const;
  return new ProxyFailure('upstreamBroke', `${upstream} did not return valid HTTP. ${message}.`, [violation]);
}

function remedyFor(code: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'Check the host name of --upstream.';
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return 'Check its certificate; set NODE_EXTRA_CA_CERTS to the file of your CA.';
  }
  return 'Check that it is running, and check the host and port of --upstream.';
}
