import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Redact, redactHeaders } from '../../lib/secrets.ts';
import type { Reading } from '../../openapi/reading/reading.ts';
import { sentRequestId } from '../app/edge/request.ts';
import type { RequestLog } from '../app/request-log.ts';
import { BodyReader } from '../http/body-reader.ts';
import {
  type ExchangeViolation,
  type FoundViolation,
  type Message,
  mostViolations,
  type ProxyExchange,
  toViolation,
} from './exchange.ts';
import type { ProxyFailure } from './failures.ts';
import { type HeadContext, pairsOf, type RequestHead, readHead, toRecord } from './headers.ts';
import type { Recording } from './recording.ts';
import type { StateJudge, Watched } from './state-judge.ts';
import type { Tallies } from './summary.ts';
import type { Upstream } from './upstream.ts';

/** Everything that the requests to one proxy share. */
export interface ProxyContext extends HeadContext {
  upstream: Upstream;
  /** The base URL of the upstream, for messages. */
  upstreamUrl: string;
  sightings: Reading;
  state: StateJudge;
  recording: Recording;
  tallies: Tallies;
  requestLog: RequestLog<ProxyExchange>;
  judgeLimitBytes: number;
  judgeTimeMs: number;
  timeoutMs: number;
  /** Whether violations are refused, and not only reported. */
  isStrict: boolean;
  /** Whether the proxy is closing: exchanges that end now were cut off by it. */
  isStopping: boolean;
  requestIds(headers: IncomingHttpHeaders): string;
  onExchange?: ((exchange: ProxyExchange) => void) | undefined;
  onUnexpected(error: unknown): void;
}

/** A request as received, its body still unread. */
export interface ReceivedRequest {
  readonly message: IncomingMessage;
  readonly requestId: string;
  readonly head: RequestHead;
  readonly body: BodyReader;
}

/** How much of a body the request log shows: enough to understand the message, but little enough to keep many. */
const shownTextBytes = 16_384;
// Kept in addition, so that no secret is cut in two before it is redacted.
const longestSecretBytes = 4_096;

/** What is known so far about one exchange. */
export class ExchangeRecord {
  readonly context: ProxyContext;
  readonly request: ReceivedRequest;
  readonly violations: ExchangeViolation[] = [];
  readonly notJudged: string[] = [];
  /** The beginnings of the bodies that were read whole. */
  requestText: string | undefined;
  answerText: string | undefined;
  /** The response of the upstream. */
  answer: IncomingMessage | undefined;
  answerBody: BodyReader | undefined;
  /** The request as the model of the server's state knows it, from when it is sent. */
  watched: Watched | undefined;
  failure: ProxyFailure | undefined;
  #isFinished = false;
  readonly #startedAtMs = performance.now();
  readonly #time = new Date().toISOString();

  constructor(context: ProxyContext, message: IncomingMessage) {
    const head = readHead(context, message);
    this.context = context;
    this.request = { message, requestId: context.requestIds(message.headers), head, body: new BodyReader(message) };
    const { route } = head;
    if (route.operation !== undefined) return;
    this.notJudged.push(route.why);
    this.violations.push(...route.violations);
  }

  /** Adds the violations that `find` finds. A bug in the judge must not stop the traffic. */
  judge(find: () => readonly FoundViolation[]): void {
    try {
      const found = find();
      this.violations.push(
        ...found.slice(0, mostViolations).map((each) => toViolation(each, this.request.head.redact)),
      );
      if (found.length > mostViolations) this.notJudged.push(`more than ${mostViolations} violations`);
    } catch (error) {
      this.notJudged.push('an internal error during validation');
      this.context.onUnexpected(error);
    }
  }

  fail(failure: ProxyFailure): void {
    this.failure = failure;
    const known = new Set(this.violations);
    this.violations.push(...failure.violations.filter((violation) => !known.has(violation)));
  }

  /** Passes the exchange to request log, summary and listener, once. `status` is what the client got, 0 for none. */
  finish(status: number): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    const { requestLog, tallies, onExchange } = this.context;
    const exchange = this.#toExchange(status);
    requestLog.add(exchange, this.#sizeBytes());
    tallies.add(exchange);
    onExchange?.(exchange);
  }

  #toExchange(status: number): ProxyExchange {
    const { message, requestId, head, body } = this.request;
    const { redact, route, shownUrl, headers } = head;
    const { answer, answerBody, failure } = this;
    const request = { headers, bodyBytes: body.lengthBytes, text: this.requestText, redact };
    const answered = answer && {
      ...{ headers: toRecord(pairsOf(answer.rawHeaders)), bodyBytes: answerBody?.lengthBytes ?? 0 },
      ...{ text: this.answerText, redact, status: answer.statusCode ?? 0 },
    };
    return {
      requestId: sentRequestId(message.headers) === undefined ? requestId : redact(requestId),
      ...{ time: this.#time, method: message.method ?? '', path: shownUrl },
      ...(route.operation === undefined ? {} : { operation: route.operation.operationId }),
      ...{ status, durationMs: performance.now() - this.#startedAtMs },
      // Formatted and redacted only when somebody reads them: most are never read.
      get request() {
        return toMessage(request);
      },
      get answer() {
        return answered && { status: answered.status, ...toMessage(answered) };
      },
      ...{ notJudged: [...this.notJudged], violations: [...this.violations] },
      ...(failure && { failure: { kind: failure.kind, detail: failure.message } }),
    };
  }

  /** The approximate size of its text in memory. */
  #sizeBytes(): number {
    const { request, answer, requestText = '', answerText = '', violations } = this;
    const headers = [...request.message.rawHeaders, ...(answer?.rawHeaders ?? [])];
    const lengths = headers.reduce((sum, { length }) => sum + length, fixedLength + request.head.shownUrl.length);
    const found = violations.length === 0 ? 0 : JSON.stringify(violations).length;
    return 2 * (lengths + requestText.length + answerText.length + found);
  }
}

// For what every exchange has: its id, times, names and numbers.
const fixedLength = 400;

/** A message as received. */
interface RawMessage extends Omit<Message, 'body'> {
  text: string | undefined;
  redact: Redact;
}

function toMessage({ headers, bodyBytes, text, redact }: RawMessage): Message {
  const shown = text === undefined ? {} : { body: redact(text).slice(0, shownTextBytes) };
  return { headers: redactHeaders(Object.entries(headers), redact), bodyBytes, ...shown };
}

/** The beginning of a body, as text; undefined for an empty one. */
export function textOf(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return undefined;
  return bytes.subarray(0, shownTextBytes + longestSecretBytes).toString();
}
