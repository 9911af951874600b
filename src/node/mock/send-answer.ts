import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refuse } from '../../domain/refusal.ts';
import type { Answer, Call } from '../../engine/call.ts';
import { isControlTarget } from '../../workbench/admin-api/admin-api.ts';
import type { Loss } from '../../workbench/edge/answer-call.ts';
import { commonHeaders, type Received, recordExchange, sentRequestId } from '../../workbench/edge/end-exchange.ts';
import { originForm } from '../../workbench/edge/target.ts';
import { noStatus } from '../../workbench/exchange.ts';
import { type Damage, dribble, half } from '../../workbench/faults/damage.ts';
import { type Deliver, toWire, writeWhole } from '../answer.ts';
import { corsHeaders } from '../cors.ts';
import { isEncrypted } from '../request.ts';
import { toRefusal } from '../wire-errors.ts';
import type { Arrival } from './arrival.ts';
import type { MockContext } from './mock-context.ts';

/** Sends a response, damaged or not, and records the exchange. */
export function sendAnswer(context: MockContext, arrival: Arrival, answer: Answer, damage?: Damage): void {
  if (context.save?.() !== undefined) return void arrival.response.destroy();
  const deliver = deliverDamaged(damage);
  const requestId = requestIdOf(context, arrival, answer);
  const more = headersFor(context, arrival, answer);
  more['x-request-id'] = requestId;
  const wire = toWire(answer, more);
  deliver(arrival.response, wire);
  record(context, arrival, answer, { requestId, answerBytes: wire.lengthBytes });
}

/** Sends a response for the developer page or about the mock. It is not traffic, so it is not recorded. */
export function sendUnrecorded(context: MockContext, arrival: Arrival, answer: Answer): void {
  writeWhole(arrival.response, toWire(answer, headersFor(context, arrival, answer)));
}

/** Ends an exchange without a response, and records it. */
export function loseAnswer(
  context: MockContext,
  arrival: Arrival,
  about: NonNullable<Answer['about']>,
  how: Loss,
): void {
  endings[how](arrival.response);
  const answer = { status: noStatus, headers: {}, about };
  record(context, arrival, answer, { requestId: requestIdOf(context, arrival, answer), answerBytes: 0 });
}

/** Runs `act` for a request; turns a thrown error into a response. */
export function guarded(context: MockContext, arrival: Arrival, act: () => void): void {
  try {
    act();
  } catch (error) {
    answerError(context, error, arrival);
  }
}

/** Responds to a request that failed with an error. */
export function answerError(context: MockContext, error: unknown, arrival: Arrival): void {
  const { engine, onUnexpected, answerControl } = context;
  const { request, response, about } = arrival;
  const { bodySizeLimit } = engine.appliedFor(request.headers).profile;
  const refusal = toRefusal(error as { code?: unknown }, bodySizeLimit);
  if (refusal === undefined) onUnexpected(error);
  if (isForControl(context, request)) {
    answerControl?.(request, response, refusal ?? unexpected);
    return;
  }
  const answer = engine.refusal(refusal ?? unexpected, undefined, knownOf(arrival));
  sendAnswer(context, arrival, about === undefined ? answer : { ...answer, about });
}

const unexpected = refuse('unexpected', 'Internal error in the mock. Please report it and include the request.');

/** Whether a request is for the admin API. */
export function isForControl({ answerControl }: MockContext, { url = '' }: IncomingMessage): boolean {
  return answerControl !== undefined && isControlTarget(originForm(url));
}

/** The known part of a call whose body was not read. */
export function knownOf({ operationId, request: { headers } }: Arrival): Partial<Call> {
  return operationId === undefined ? { headers } : { operationId, headers };
}

function headersFor(context: MockContext, { request }: Arrival, answer: Answer): Record<string, string> {
  const { pageRule, allowsPage } = context;
  const common = commonHeaders(context, answer);
  return allowsPage(request) ? { ...corsHeaders(request.headers, pageRule()), ...common } : common;
}

// Requests without an id get one with the response, when the organization is known.
function requestIdOf({ requestIds }: MockContext, { request }: Arrival, { about }: Answer): string {
  return sentRequestId(request.headers) ?? requestIds(about?.organizationId);
}

function record(
  context: MockContext,
  { request, startedAtMs, body }: Arrival,
  answer: Answer,
  facts: Pick<Received, 'requestId' | 'answerBytes'>,
): void {
  const { method = '', url = '', headers } = request;
  const durationMs = performance.now() - startedAtMs;
  recordExchange(context, { method, url, headers, body, durationMs, ...facts }, answer);
}

/** How a response with this damage is written. */
function deliverDamaged(damage: Damage | undefined): Deliver {
  if (damage === undefined) return writeWhole;
  if (damage.kind === 'truncatedBody') return writeHalf;
  // Sends the headers immediately and the body piece by piece.
  return (response, { status, headers, body }) => {
    response.writeHead(status, headers);
    response.flushHeaders();
    const end = () => response.end();
    dribble(bytesFor(response, body), damage, { write: (piece) => response.write(piece), end });
  };
}

/** How an exchange ends without a response: by a reset (TCP RST), or by a regular close. */
const endings: Readonly<Record<Loss, (response: ServerResponse) => void>> = {
  connectionReset: ({ socket }) => socket && reset(socket),
  emptyAnswer: ({ socket }) => socket?.destroySoon(),
};

// A TLS connection cannot be reset; it ends without a closing alert.
function reset(connection: Socket): void {
  if (isEncrypted(connection)) connection.destroy();
  else connection.resetAndDestroy();
}

/** Announces the whole body, sends the first half of its bytes and closes the connection. */
const writeHalf: Deliver = (response, { status, headers, body }) => {
  response.writeHead(status, headers);
  const bytes = bytesFor(response, body);
  const sent = half(bytes);
  if (sent.length === 0) response.flushHeaders();
  else response.write(sent);
  response.socket?.destroySoon();
};

function bytesFor({ req }: ServerResponse, body: string): Buffer {
  return Buffer.from(req.method === 'HEAD' ? '' : body);
}
