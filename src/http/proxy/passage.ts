import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { operationsAt } from '../../../openapi/contract/operations.ts';
import { isPreflight } from '../cors.ts';
import { BodyReader } from './body-reader.ts';
import type { ExchangeViolation, FailureKind, Message, ProxyExchange } from './exchange.ts';
import { type HeaderPair, type Identity, pairsOf, toRecord } from './headers.ts';
import type { Journal } from './journal.ts';
import type { Judge } from './judge/judge.ts';
import type { RequestView } from './judge/views.ts';
import type { Sightings } from './observe/sightings.ts';
import type { Patience } from './patience.ts';
import { createRedaction, type Redaction } from './redact.ts';
import type { Tallies } from './summary.ts';
import { type Below, belowBase, type Mapping } from './target.ts';
import type { Upstream } from './upstream.ts';

/** What all requests to one proxy share. */
export interface Edge {
  mapping: Mapping;
  identity: Identity;
  upstream: Upstream;
  /** The base URL of the upstream, for messages. */
  upstreamUrl: string;
  judge: Judge;
  sightings: Sightings;
  tallies: Tallies;
  journal: Journal<ProxyExchange>;
  judgeLimitBytes: number;
  timeoutMs: number;
  /** Whether what breaks the contract is refused, and not only reported. */
  isStrict: boolean;
  requestIds(sent: unknown): string;
  onExchange?: ((exchange: ProxyExchange) => void) | undefined;
  onUnexpected(error: unknown): void;
}

/** How much of a body the journal keeps: enough to understand what was sent, and little enough to keep many. */
export const keptTextBytes = 16_384;
/** Taken in beside it, so that no secret is cut in two before it is taken out. */
export const longestSecretBytes = 4_096;

/** What a request is for. */
export type Route =
  | { operation: Operation; below: Below }
  /** Not judged, and why. */
  | { operation?: undefined; why: string; violations: readonly ExchangeViolation[] };

/** One request on its way through the proxy, and what is known of it by now. */
export class Passage {
  readonly edge: Edge;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly route: Route;
  readonly pairs: readonly HeaderPair[];
  readonly redaction: Redaction;
  readonly body: BodyReader;
  readonly notJudged: string[] = [];
  violations: ExchangeViolation[] = [];
  view: RequestView | undefined;
  /** The beginning of the bodies, for the journal. */
  requestText: string | undefined;
  answerText: string | undefined;
  outgoing: ClientRequest | undefined;
  incoming: IncomingMessage | undefined;
  answerBody: BodyReader | undefined;
  /** Whether the answer was taken in to its end. */
  isAnswerWhole = false;
  patience: Patience | undefined;
  hasLostPatience = false;
  /** What the client got in the end; 0 while it has nothing. */
  status = 0;
  failure: { kind: FailureKind; detail: string } | undefined;
  isRecorded = false;
  isClientGone = false;
  readonly #startedAtMs = performance.now();
  readonly #time = new Date().toISOString();

  constructor(edge: Edge, request: IncomingMessage, response: ServerResponse) {
    this.edge = edge;
    this.request = request;
    this.response = response;
    this.requestId = edge.requestIds(request.headers['x-request-id']);
    this.route = routeOf(edge, request);
    this.pairs = pairsOf(request.rawHeaders);
    this.redaction = createRedaction(this.pairs);
    this.body = new BodyReader(request);
    if (this.route.operation !== undefined) return;
    this.notJudged.push(this.route.why);
    this.violations.push(...this.route.violations);
  }

  readonly renewPatience = (): void => this.patience?.renew();

  /** What the journal keeps of it. */
  toExchange(): ProxyExchange {
    const { request, redaction, route, incoming, failure, answerBody } = this;
    const answer = incoming && {
      status: incoming.statusCode ?? 0,
      ...this.#message(pairsOf(incoming.rawHeaders), answerBody?.lengthBytes ?? 0, this.answerText),
    };
    return {
      requestId: redaction.text(this.requestId),
      time: this.#time,
      method: request.method ?? '',
      path: redaction.target(request.url ?? ''),
      ...(route.operation === undefined ? {} : { operation: route.operation.operationId }),
      status: this.status,
      durationMs: performance.now() - this.#startedAtMs,
      request: this.#message(this.pairs, this.body.lengthBytes, this.requestText),
      ...(answer === undefined ? {} : { answer }),
      notJudged: this.notJudged,
      violations: this.violations.map((each) => this.#redacted(each)),
      ...(failure === undefined ? {} : { failure: { ...failure, detail: redaction.text(failure.detail) } }),
    };
  }

  #redacted({ location, message, ...rest }: ExchangeViolation): ExchangeViolation {
    const { text } = this.redaction;
    return { ...rest, location: location.map(text), message: text(message) };
  }

  #message(pairs: readonly HeaderPair[], bodyBytes: number, text: string | undefined): Message {
    const body = text === undefined ? {} : { body: this.redaction.text(text).slice(0, keptTextBytes) };
    return { headers: this.redaction.headers(toRecord(pairs)), bodyBytes, ...body };
  }
}

function routeOf({ mapping, judge }: Edge, { url = '', method = '', headers }: IncomingMessage): Route {
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
