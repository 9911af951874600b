import { createHeadersRedact } from '../../../lib/secrets.ts';
import { mockHeaders } from '../../../openapi/contract/mock-headers.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { type Answer, type Call, type RequestHeaders, withHeaders } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Changes } from '../admin-api/changes.ts';
import type { Connection } from '../connection.ts';
import { applyEffect, type Damage, type Loss } from '../faults/effects.ts';
import type { FaultMatch } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import type { AnswerPreferring } from '../forced/forced-answers.ts';
import { mayPrefer } from '../forced/preferences.ts';
import type { Exchange } from '../request-log.ts';
import { type MockRequestLog, recordOf } from '../request-log.ts';
import { type FindRoute, sentRequestId } from './request.ts';

/** Everything around an engine that all edges share, in Node and in a page. */
export interface EdgeContext {
  engine: Engine;
  basePath: string;
  findRoute: FindRoute;
  /** Whether responses name the open points that shaped them. */
  hasOpenPoints: boolean;
  faults: Faults;
  /** Runs before the response to a call leaves; returns undefined if there is nothing to do. */
  prepare: ((call: Call) => Promise<void> | undefined) | undefined;
  /** Responds to a call according to its preferences. */
  answerPreferring: AnswerPreferring;
  requestLog: MockRequestLog | undefined;
  requestIds: RequestIds;
  digest: Digest;
  /** Notified of changes by the admin API or code. */
  changes: Changes;
  /** Persists changes. If it returns an error, no response may leave. */
  save: (() => Error | undefined) | undefined;
  /** Called with each exchange when its response is written. */
  onExchange: ((exchange: Exchange) => void) | undefined;
  onUnexpected: (error: unknown) => void;
}

/** One call, with everything needed to respond to it. */
interface PendingCall {
  operation: Operation;
  call: Call;
  /** Carries this exchange and others. */
  connection: Connection;
  /** The exchange itself. */
  exchange: Connection;
  send(answer: Answer, damage?: Damage): void;
  /** Ends the exchange without a response. */
  lose(about: NonNullable<Answer['about']>, how: Loss): void;
  fail(error: unknown): void;
}

/** Responds to a call: according to its faults, its preferences, or else state and input. */
export function answerCall(context: EdgeContext, pending: PendingCall): void {
  const { faults, engine } = context;
  const { operationId, headers } = pending.call;
  // A call without a valid key belongs to no organization: no fault applies.
  const caller = faults.isEmpty ? undefined : engine.authenticate(headers);
  const match = caller === undefined || isRefusal(caller) ? undefined : faults.strike(operationId, caller.id);
  if (match !== undefined) applyFaults(context, pending, match);
  else carryOut(context, pending, (answer) => pending.send(answer));
}

/** Passes on the response to a call, immediately or later; never if the client has disconnected. */
function carryOut(context: EdgeContext, pending: PendingCall, then: (answer: Answer) => void): void {
  const { engine, prepare, answerPreferring } = context;
  const { operation, call } = pending;
  const later = mayPrefer(call.query, call.headers)
    ? answerPreferring(operation, call, pending.exchange)
    : prepare?.(call)?.then(() => engine.answer(call));
  if (later === undefined) {
    then(engine.answer(call));
    return;
  }
  later.then((answer) => answer && then(answer)).catch((error) => pending.fail(error));
}

/** Applies the faults of a call: delays it, performs it unless it fails before, delays again, and responds or not. */
function applyFaults(context: EdgeContext, pending: PendingCall, match: FaultMatch): void {
  const { operation, call, connection } = pending;
  const { organizationId, faults, spoiling, delayMs } = match;
  const about = { operationId: call.operationId, organizationId, faults };
  // A delay ends outside the request's handling, so nothing else would catch an error.
  const guard = (step: () => void) => {
    try {
      step();
    } catch (error) {
      pending.fail(error);
    }
  };
  const wait = (delay: number, then: () => void) =>
    context.faults.held.hold(match, connection, delay, () => guard(then));
  const struck = { engine: context.engine, operation, headers: call.headers, wait };
  const end = (own: Answer | undefined) => {
    const { loss, answer, damage } = applyEffect(spoiling?.effect, own, struck);
    if (loss !== undefined) pending.lose(about, loss);
    if (answer === undefined) return;
    pending.send({ ...withHeaders(answer, { [mockHeaders.fault]: faults.join(', ') }), about }, damage);
  };
  const finish = (answer?: Answer) => wait(delayMs.after, () => end(answer));
  wait(delayMs.before, () => {
    if (spoiling?.moment === 'before') finish();
    else carryOut(context, pending, finish);
  });
}

/** One request as received, with its response's request id. */
export interface Received {
  method: string;
  /** As sent: path and query. */
  url: string;
  headers: RequestHeaders;
  /** The body that was read, if any. */
  body: Uint8Array | undefined;
  requestId: string;
  /** How long the response took. */
  durationMs: number;
  /** The length of the response body in UTF-8. */
  answerBytes: number;
}

/** The headers that every response has. */
export function commonHeaders({ engine, hasOpenPoints }: EdgeContext, { openPoints }: Answer): Record<string, string> {
  const { fixedAtMs } = engine.clock;
  const headers: Record<string, string> = {};
  if (openPoints !== undefined && hasOpenPoints) headers[mockHeaders.openPoints] = openPoints;
  if (fixedAtMs !== undefined) headers.date = new Date(fixedAtMs).toUTCString();
  return headers;
}

/**
 * Passes an exchange to log and request log. An error here must not affect the client: its response is sent.
 */
export function recordExchange(context: EdgeContext, received: Received, answer: Answer): void {
  const { requestLog, engine, onExchange, onUnexpected } = context;
  const { method, url, headers, body, requestId, durationMs, answerBytes } = received;
  try {
    const { status, openPoints } = answer;
    if (onExchange !== undefined) {
      const redact = createHeadersRedact(headers);
      const notes = notesOf(answer, engine);
      const shownId = sentRequestId(headers) === undefined ? requestId : redact(requestId);
      const exchange: Exchange = { method, path: redact(url), status, durationMs, requestId: shownId, openPoints };
      if (notes.length > 0) exchange.notes = notes.map(redact);
      onExchange(exchange);
    }
    if (requestLog === undefined) return;
    const bytes = (body?.length ?? 0) + answerBytes;
    const timeMs = engine.clock.nowMs();
    const request = { timeMs, durationMs, method, url, requestId, headers, body };
    requestLog.add({ ...request, ...recordOf(answer), isStripped: false }, bytes);
  } catch (error) {
    onUnexpected(error);
  }
}

function notesOf({ notes = [], headers }: Answer, { sandboxes }: Engine): readonly string[] {
  const retired = headers[mockHeaders.retiredSandboxes];
  if (retired === undefined) return notes;
  return [...notes, `Retired to make room for a new sandbox (--max-sandboxes ${sandboxes.rules.limit}): ${retired}.`];
}

/** A digest that cannot be inverted, in hexadecimal: SHA-256. */
export type Digest = (text: string) => string;

/** Returns the id for the next request of an organization; undefined stands for requests without a valid key. */
export type RequestIds = (organizationId: string | undefined) => string;

// This many deleted organizations are remembered.
const rememberedCounts = 10_000;

/**
 * Ids for requests that came without one. Each organization counts separately, so that two runs give the same ids
 * however their tests overlap. The digest hides the count, so that nobody learns how much others send.
 */
export function createRequestIds(randomSeed: number, digest: Digest, countKept: () => number): RequestIds {
  const counted = new Map<string, Counted>();
  let latest: { id: string; own: Counted } | undefined;
  const find = (id: string): Counted => {
    // Moving it to the end at each call would cost more than the rest of its id.
    if (latest?.id === id) return latest.own;
    const own = counted.get(id) ?? { count: 0, digits: '' };
    // Moves the latest one to the end.
    counted.delete(id);
    counted.set(id, own);
    const isFull = counted.size > countKept() + rememberedCounts;
    const oldest = isFull ? counted.keys().next().value : undefined;
    if (oldest !== undefined) counted.delete(oldest);
    latest = { id, own };
    return own;
  };
  return (organizationId = '') => {
    const own = find(organizationId);
    const place = own.count++ % idsOfDigest;
    if (place === 0) own.digits = digest(`${randomSeed}/${organizationId}/${own.count}`);
    return `req-${own.digits.slice(place * idDigits, (place + 1) * idDigits)}`;
  };
}

/** How many ids an organization got, and the digits for its next ones. */
interface Counted {
  count: number;
  digits: string;
}

const idDigits = 16;
const idsOfDigest = 4;
