import type { IncomingMessage } from 'node:http';
import { decodeQuery } from '../../../lib/query.ts';
import { rememberingBy } from '../../../lib/remembering.ts';
import { createRequestRedact, type Redact } from '../../../lib/secrets.ts';
import { type Operation, operationsAt } from '../../../openapi/contract/operations.ts';
import type { Body, RequestView } from '../../../openapi/reading/messages.ts';
import { isPreflight } from '../cors.ts';
import type { ExchangeViolation } from './exchange.ts';
import { ProxyFailure } from './failures.ts';
import {
  type HeaderPair,
  type Identity,
  isFramed,
  isLoop,
  malformationOf,
  pairsOf,
  toRecord,
  toUpstreamHeaders,
} from './headers.ts';
import type { Judge } from './judge/judge.ts';
import { type Below, belowBase, type Mapping, toUpstreamTarget } from './target.ts';
import type { Outgoing } from './upstream.ts';

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
  /** What is judged in a request without a body. Shared by requests with the same head. */
  readonly view: RequestView | undefined;
  /** The head with which the request is forwarded. */
  readonly outgoing: Outgoing;
  /** Why it must not be forwarded. */
  readonly refusal: ProxyFailure | undefined;
}

/** Reads the heads of requests. Cached: clients keep sending the same few. */
export function createHeadReader(context: HeadContext): (message: IncomingMessage) => RequestHead {
  return rememberingBy(textOfHead, (message) => readHead(context, message), longestHead);
}

const longestHead = 4_096;

// No part of a head contains a line break.
function textOfHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  return `${method} ${url} ${httpVersion}\n${rawHeaders.join('\n')}`;
}

/** What is needed to read the head of a request. */
export interface HeadContext {
  mapping: Mapping;
  identity: Identity;
  judge: Judge;
}

function readHead(context: HeadContext, message: IncomingMessage): RequestHead {
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

const loop = 'The request came back to the proxy that sent it. --upstream must name the service, not this proxy.';

function refusalOf(message: IncomingMessage, identity: Identity): ProxyFailure | undefined {
  if (isLoop(message, identity)) return new ProxyFailure('upstreamLoop', loop);
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

function routeOf({ mapping, judge }: HeadContext, { url = '', method = '', headers }: IncomingMessage): Route {
  const below = belowBase(mapping.basePath, url);
  if (below === undefined) return unjudged(`not below ${mapping.basePath}`);
  if (isPreflight(method, headers)) return unjudged('preflight');
  const operations = operationsAt([...judge.rules.operations.values()], below.path);
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
