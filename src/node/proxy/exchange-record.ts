import type { IncomingMessage } from 'node:http';
import { redactHeaders } from '../../../openapi/reading/secrets.ts';
import type { BodyReader } from '../body-reader.ts';
import {
  type ExchangeViolation,
  type FoundViolation,
  type Message,
  type ProxyExchange,
  toViolation,
} from './exchange.ts';
import type { ProxyFailure } from './failures.ts';
import { type HeaderPair, pairsOf, toRecord } from './headers.ts';
import type { ProxyContext, ReceivedRequest } from './received-request.ts';

/** How much of a body the journal shows: enough to understand the message, and little enough to hold many. */
const shownTextBytes = 16_384;
// Kept besides, so that no secret is cut in two before it is taken out.
const longestSecretBytes = 4_096;

// A long list may break a rule in each item.
const mostViolations = 200;

/** The record of one exchange, as far as it is known by now. */
export class ExchangeRecord {
  readonly context: ProxyContext;
  readonly request: ReceivedRequest;
  readonly violations: ExchangeViolation[] = [];
  readonly notJudged: string[] = [];
  /** The beginnings of the bodies that were read whole. */
  requestText: string | undefined;
  answerText: string | undefined;
  /** The answer of the upstream. */
  answer: IncomingMessage | undefined;
  answerBody: BodyReader | undefined;
  failure: ProxyFailure | undefined;
  #isFinished = false;
  readonly #startedAtMs = performance.now();
  readonly #time = new Date().toISOString();

  constructor(context: ProxyContext, request: ReceivedRequest) {
    this.context = context;
    this.request = request;
    const { route } = request;
    if (route.operation !== undefined) return;
    this.notJudged.push(route.why);
    this.violations.push(...route.violations);
  }

  /** Adds the violations that `find` finds. A defect in the judge must not stop the traffic. */
  async judge(find: () => Promise<FoundViolation[]>): Promise<void> {
    try {
      const found = await find();
      this.violations.push(...found.slice(0, mostViolations).map((each) => toViolation(each, this.request.redact)));
      if (found.length > mostViolations) this.notJudged.push(`more than ${mostViolations} violations`);
    } catch (error) {
      this.notJudged.push('the judge failed');
      this.context.onUnexpected(error);
    }
  }

  fail(failure: ProxyFailure): void {
    this.failure = failure;
    const known = new Set(this.violations);
    this.violations.push(...failure.violations.filter((violation) => !known.has(violation)));
  }

  /** Passes the exchange to journal, summary and listener; once. `status` is the one the client got, 0 for none. */
  finish(status: number): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    const { journal, tallies, onExchange, onUnexpected } = this.context;
    const exchange = this.#toExchange(status);
    // The size of its text in memory, roughly.
    journal.add(exchange, JSON.stringify(exchange).length * 2);
    tallies.add(exchange);
    try {
      onExchange?.(exchange);
    } catch (error) {
      onUnexpected(error);
    }
  }

  #toExchange(status: number): ProxyExchange {
    const { request, answer, failure } = this;
    const { message, redact, route } = request;
    return {
      requestId: redact(request.requestId),
      time: this.#time,
      method: message.method ?? '',
      path: redact(message.url ?? ''),
      ...(route.operation === undefined ? {} : { operation: route.operation.operationId }),
      status,
      durationMs: performance.now() - this.#startedAtMs,
      request: this.#toMessage(request.pairs, request.body, this.requestText),
      ...(answer === undefined ? {} : { answer: this.#toAnswer(answer) }),
      notJudged: [...this.notJudged],
      violations: [...this.violations],
      ...(failure === undefined ? {} : { failure: { kind: failure.kind, detail: failure.message } }),
    };
  }

  #toAnswer({ statusCode: status = 0, rawHeaders }: IncomingMessage): Message & { status: number } {
    return { status, ...this.#toMessage(pairsOf(rawHeaders), this.answerBody, this.answerText) };
  }

  #toMessage(pairs: readonly HeaderPair[], body: BodyReader | undefined, text: string | undefined): Message {
    const { redact } = this.request;
    const shown = text === undefined ? {} : { body: redact(text).slice(0, shownTextBytes) };
    const headers = redactHeaders(Object.entries(toRecord(pairs)), redact);
    return { headers, bodyBytes: body?.lengthBytes ?? 0, ...shown };
  }
}

/** The beginning of a body, as text; undefined for a body that is empty or compressed. */
export function textOf(bytes: Buffer, encoding: string | undefined): string | undefined {
  if (bytes.length === 0 || (encoding ?? 'identity') !== 'identity') return undefined;
  return bytes.subarray(0, shownTextBytes + longestSecretBytes).toString();
}
