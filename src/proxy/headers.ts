/*
 * Which headers the proxy forwards or adds, and what it refuses as malformed. `proof/smuggling/` has the attacks from both
 * sides.
 */
import type { IncomingMessage } from 'node:http';
import { decodeQuery } from '../../lib/query.ts';
import { createRequestRedact, type Redact } from '../../lib/secrets.ts';
import { type Operation, operationsAt } from '../../openapi/contract/operations.ts';
import { keyHeaders } from '../../openapi/contract/security.ts';
import type { Body, RequestView } from '../../openapi/reading/messages.ts';
import { isPreflight } from '../http/cors.ts';
import type { ExchangeViolation } from './exchange.ts';
import { ProxyFailure } from './failures.ts';
import type { Rules } from './judge.ts';
import { type Below, belowBase, type Mapping, toUpstreamTarget } from './target.ts';

/** A header as it came over the wire. */
export type HeaderPair = [name: string, value: string];

/** The headers of a message as received, with order, case and repetitions. */
export function pairsOf(raw: readonly string[]): HeaderPair[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[index * 2] ?? '', raw[index * 2 + 1] ?? '']);
}

/** The headers by name in lower case; repeated ones are joined. */
export function toRecord(pairs: readonly HeaderPair[]): Record<string, string> {
  const byName = Map.groupBy(pairs, ([name]) => name.toLowerCase());
  return Object.fromEntries([...byName].map(([name, all]) => [name, all.map(([, value]) => value).join(', ')]));
}

// They concern one connection only (RFC 9110, section 7.6.1), and names that some servers read as framing.
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
  'content_length',
  'transfer_encoding',
];

// Without these a message means something else: `Connection` cannot remove them, and a trailer cannot add them.
const essential = new Set([
  ...keyHeaders.map((name) => name.toLowerCase()),
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'via',
]);

/**
 * The headers to forward, in their order and case. Headers that `Connection` names are dropped, unless the message
 * needs them. `Content-Length` is written as the parser read it, so that nobody can read a different number.
 */
export function endToEnd(pairs: readonly HeaderPair[]): HeaderPair[] {
  const { connection = '', 'transfer-encoding': coding } = toRecord(pairs);
  const named = connection.split(',').map((name) => name.trim().toLowerCase());
  // Trailers need chunked encoding, which rules out a length.
  const unfit = coding === undefined ? 'trailer' : 'content-length';
  const dropped = new Set([...named.filter((name) => !essential.has(name)), ...hopByHop, unfit]);
  return pairs
    .filter(([name]) => !dropped.has(name.toLowerCase()))
    .map(([name, value]) => [name, name.toLowerCase() === 'content-length' ? BigInt(value).toString() : value]);
}

/** The fields that may be forwarded in trailers or an interim response (RFC 9110, section 6.5.1). */
export function outsideHead(raw: readonly string[]): HeaderPair[] {
  if (raw.length === 0) return [];
  return endToEnd(pairsOf(raw).filter(([name]) => !essential.has(name.toLowerCase())));
}

/** Whether a message has a body, or at least frames an empty one (RFC 9112, section 6.3). */
export function isFramed({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/** Whether a message has a transfer coding that cannot be decoded here: `gzip, chunked`, or any in HTTP/1.0. */
export function hasOddCoding({ headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion !== '1.1');
}

/** Why a request is not valid HTTP/1.x, though Node accepts it: two servers could read it differently. */
function malformationOf(message: IncomingMessage): string | undefined {
  const { httpVersion, url = '', rawHeaders } = message;
  if (httpVersion !== '1.0' && httpVersion !== '1.1') return 'The proxy supports HTTP/1.1. Send that version.';
  if (url.includes('#')) return 'The URL contains a #. Send it percent-encoded, as %23.';
  const hosts = pairsOf(rawHeaders).filter(([name]) => name.toLowerCase() === 'host');
  if (hosts.length > 1) return 'There are several Host headers. Send one.';
  if (hosts.length === 0 && httpVersion === '1.1') return 'There is no Host header. Send one.';
  if (!hasOddCoding(message)) return undefined;
  return 'Transfer-Encoding must be chunked, and nothing else, in HTTP/1.1. Send a Content-Length instead.';
}

/** How a proxy names itself in `Via` (RFC 9110, section 7.6.3). */
interface Identity {
  /** The authority of the upstream: `agents.example.com:8443`. */
  host: string;
  /** Unique, to detect loops. */
  pseudonym: string;
}

const bodiless = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'];

/** The headers of a request to the upstream, for Node to send unchanged. */
function toUpstreamHeaders(request: IncomingMessage, to: Identity): string[] {
  const { rawHeaders, headers, httpVersion } = request;
  // The proxy itself sends 100: it reads the body before it forwards the request.
  const isOwn = (name: string) => name === 'host' || (name === 'expect' && isContinue(headers.expect));
  const kept = endToEnd(pairsOf(rawHeaders)).filter(([name]) => !isOwn(name.toLowerCase()));
  return [['Host', to.host], ...kept, ['Via', `${httpVersion} ${to.pseudonym}`], ...addedFraming(request)].flat();
}

// As Node parses it before it sends 100.
function isContinue(expect = ''): boolean {
  return /(?:^|\W)100-continue(?:$|\W)/i.test(expect);
}

// A length stays where the client put it. By default, Node would announce chunks even without a body.
function addedFraming(request: IncomingMessage): HeaderPair[] {
  if (request.headers['transfer-encoding'] !== undefined) return [['Transfer-Encoding', 'chunked']];
  return isFramed(request) || bodiless.includes(request.method ?? '') ? [] : [['Content-Length', '0']];
}

/** The operation of a request. */
type Route =
  | { operation: Operation; below: Below }
  /** Not judged, and why. */
  | { operation?: undefined; why: string; violations: readonly ExchangeViolation[] };

/** What the head of a request says; it depends on the head alone. */
export interface RequestHead {
  readonly route: Route;
  readonly pairs: readonly HeaderPair[];
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Path and query without secrets. */
  readonly shownUrl: string;
  /** Removes the request's secrets from texts of the client and the upstream. */
  readonly redact: Redact;
  /** What is judged in a request without a body. */
  readonly view: RequestView | undefined;
  /** The head with which the request is forwarded. */
  readonly outgoing: Outgoing;
  /** Why it must not be forwarded. */
  readonly refusal: ProxyFailure | undefined;
}

/** The head of a request to an upstream. */
export interface Outgoing {
  method: string;
  /** Path and query at the upstream. */
  target: string;
  /** Names and values alternate. */
  headers: readonly string[];
}

export interface HeadContext {
  mapping: Mapping;
  identity: Identity;
  rules: Rules;
}

export function readHead(context: HeadContext, message: IncomingMessage): RequestHead {
  const { mapping, identity } = context;
  const { method = 'GET', url = '', rawHeaders } = message;
  const pairs = pairsOf(rawHeaders);
  const redact = createRequestRedact(pairs);
  const head = { pairs, redact, headers: toRecord(pairs), route: routeOf(context, message) };
  return {
    ...head,
    shownUrl: redact(url),
    view: isFramed(message) ? undefined : toView(head, { kind: 'none' }),
    outgoing: { method, target: toUpstreamTarget(mapping, url), headers: toUpstreamHeaders(message, identity) },
    refusal: refusalOf(message, identity),
  };
}

export const loop =
  'The request came back to the proxy that sent it. --upstream must name the service, not this proxy.';

function refusalOf(message: IncomingMessage, { pseudonym }: Identity): ProxyFailure | undefined {
  if (message.headers.via?.includes(pseudonym)) return new ProxyFailure('upstreamLoop', loop);
  const malformation = malformationOf(message);
  return malformation === undefined ? undefined : new ProxyFailure('malformedRequest', malformation);
}

/** A request with its body, as it is judged; undefined if it is not for an operation. */
export function toView(
  { route, headers }: Pick<RequestHead, 'route' | 'headers'>,
  body: Body,
): RequestView | undefined {
  if (route.operation === undefined) return undefined;
  const { operation, below } = route;
  return { operation, path: below.sentPath, query: decodeQuery(below.query), headers, body };
}

function routeOf({ mapping, rules }: HeadContext, { url = '', method = '', headers }: IncomingMessage): Route {
  const below = belowBase(mapping.basePath, url);
  if (below === undefined) return unjudged(`not below ${mapping.basePath}`);
  if (isPreflight(method, headers)) return unjudged('preflight');
  const operations = operationsAt([...rules.operations.values()], below.path);
  const operation = operations.find((each) => each.method === method);
  if (operation !== undefined) return { operation, below };
  if (['HEAD', 'OPTIONS', 'TRACE'].includes(method)) return unjudged(method);
  return unjudged('no operation of the contract', [unknownOperation(method, operations)]);
}

function unjudged(why: string, violations: readonly ExchangeViolation[] = []): Route {
  return { why, violations };
}

function unknownOperation(method: string, there: readonly Operation[]): ExchangeViolation {
  const known = there.map((each) => each.method).join(', ');
  const message =
    there.length === 0 ? 'The contract has no such path' : `At this path the contract has ${known}, not ${method}`;
  return { location: ['request', 'path'], severity: 'Warning', code: 'unknownOperation', message };
}
