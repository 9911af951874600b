import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Operation, operationsAt } from '../../../openapi/contract/operations.ts';
import type { Reading } from '../../../openapi/reading/reading.ts';
import { createRequestRedact, type Redact } from '../../../openapi/reading/secrets.ts';
import type { Journal } from '../../workbench/journal/journal.ts';
import { BodyReader } from '../body-reader.ts';
import { isPreflight } from '../cors.ts';
import type { ExchangeViolation, ProxyExchange } from './exchange.ts';
import { type HeaderPair, type Identity, pairsOf } from './headers.ts';
import type { Judge } from './judge/judge.ts';
import type { Tallies } from './summary.ts';
import { type Below, belowBase, type Mapping } from './target.ts';
import type { Upstream } from './upstream.ts';

/** Everything that the requests to one proxy share. */
export interface ProxyContext {
  mapping: Mapping;
  identity: Identity;
  upstream: Upstream;
  /** The base URL of the upstream, for messages. */
  upstreamUrl: string;
  judge: Judge;
  sightings: Reading;
  tallies: Tallies;
  journal: Journal<ProxyExchange>;
  judgeLimitBytes: number;
  judgeTimeMs: number;
  timeoutMs: number;
  /** Whether violations are refused, and not only reported. */
  isStrict: boolean;
  /** Whether the proxy is closing: what ends now, it has cut off itself. */
  isStopping: boolean;
  requestIds(headers: IncomingHttpHeaders): string;
  onExchange?: ((exchange: ProxyExchange) => void) | undefined;
  onUnexpected(error: unknown): void;
}

/** The operation of a request. */
type Route =
  | { operation: Operation; below: Below }
  /** Not judged, and why. */
  | { operation?: undefined; why: string; violations: readonly ExchangeViolation[] };

/** A request as it came, with its body still to be read. */
export interface ReceivedRequest {
  readonly message: IncomingMessage;
  readonly requestId: string;
  readonly route: Route;
  readonly pairs: readonly HeaderPair[];
  readonly body: BodyReader;
  /** Takes the secrets of the request out of texts from the client and from the upstream. */
  readonly redact: Redact;
}

export function receive(context: ProxyContext, message: IncomingMessage): ReceivedRequest {
  const pairs = pairsOf(message.rawHeaders);
  return {
    ...{ message, pairs, redact: createRequestRedact(pairs), body: new BodyReader(message) },
    requestId: context.requestIds(message.headers),
    route: routeOf(context, message),
  };
}

function routeOf({ mapping, judge }: ProxyContext, { url = '', method = '', headers }: IncomingMessage): Route {
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
    there.length === 0 ? 'The contract shows no such path' : `The contract shows ${known} here, not ${method}`;
  return { location: ['request', 'path'], severity: 'Warning', code: 'unknownOperation', message };
}
