import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../domain/refusal.ts';
import type { Answer, Call } from '../../engine/call.ts';
import { isControlTarget } from '../../workbench/control-plane/control-plane.ts';
import type { Loss } from '../../workbench/edge/answer-call.ts';
import { commonHeaders, type Received, recordExchange } from '../../workbench/edge/end-exchange.ts';
import { originForm } from '../../workbench/edge/target.ts';
import { noStatus } from '../../workbench/exchange.ts';
import { type Damage, dribble, half } from '../../workbench/faults/damage.ts';
import { type Deliver, toWire, writeWhole } from '../answer.ts';
import { corsHeaders } from '../cors.ts';
import { toRefusal } from '../wire-errors.ts';
import type { MockContext } from './mock-context.ts';

/** Sends an answer, damaged or not, and records the exchange. */
export function sendAnswer(context: MockContext, reply: FastifyReply, answer: Answer, damage?: Damage): void {
  reply.hijack();
  if (context.save?.() !== undefined) return void reply.raw.destroy();
  const deliver = deliverDamaged(damage);
  const requestId = requestIdOf(context, reply.request, answer);
  const more = { ...headersFor(context, reply.request, answer), 'x-request-id': requestId };
  const wire = toWire(answer, more);
  deliver(reply.raw, wire);
  record(context, reply.request, answer, { requestId, answerBytes: wire.lengthBytes });
}

/** Sends an answer that is for the developer page, or about the mock: it is no traffic, so it is not recorded. */
export function sendUnrecorded(context: MockContext, reply: FastifyReply, answer: Answer): void {
  reply.hijack();
  writeWhole(reply.raw, toWire(answer, headersFor(context, reply.request, answer)));
}

/** Ends an exchange without an answer, and records it. */
export function loseAnswer(
  context: MockContext,
  reply: FastifyReply,
  about: NonNullable<Answer['about']>,
  how: Loss,
): void {
  reply.hijack();
  endings[how](reply.raw);
  const answer = { status: noStatus, headers: {}, about };
  record(context, reply.request, answer, { requestId: requestIdOf(context, reply.request, answer), answerBytes: 0 });
}

/** Answers a request that failed with an error. */
export function answerError(context: MockContext, error: unknown, reply: FastifyReply): void {
  const { engine, onUnexpected, answerControl } = context;
  const { request } = reply;
  const { bodySizeLimit } = engine.playOf(request.raw.headers).profile;
  const refusal = toRefusal(error as { code?: unknown }, bodySizeLimit);
  if (refusal === undefined) onUnexpected(error);
  if (isForControl(context, request)) {
    reply.hijack();
    answerControl?.(request.raw, reply.raw, refusal ?? unexpected);
    return;
  }
  const answer = engine.refusal(refusal ?? unexpected, undefined, knownOf(request));
  sendAnswer(context, reply, request.about === undefined ? answer : { ...answer, about: request.about });
}

const unexpected = refuse('unexpected', 'This is a defect of the mock. Please report it with the request.');

/** Whether a request is for the control plane. */
export function isForControl({ answerControl }: MockContext, { url }: FastifyRequest): boolean {
  return answerControl !== undefined && isControlTarget(originForm(url));
}

/** The known part of a call whose body was not read. */
export function knownOf({ routeOptions, raw }: FastifyRequest): Partial<Call> {
  const { operationId } = routeOptions.config;
  return operationId === undefined ? { headers: raw.headers } : { operationId, headers: raw.headers };
}

function headersFor(context: MockContext, { raw }: FastifyRequest, answer: Answer): Record<string, string> {
  const { hasCors, allowsPage } = context;
  return { ...(hasCors && allowsPage(raw) ? corsHeaders(raw.headers) : {}), ...commonHeaders(context, answer) };
}

function requestIdOf({ requestIds }: MockContext, { id }: FastifyRequest, { about }: Answer): string {
  return id === '' ? requestIds(about?.organizationId) : id;
}

function record(
  context: MockContext,
  request: FastifyRequest,
  answer: Answer,
  facts: Pick<Received, 'requestId' | 'answerBytes'>,
): void {
  const { method, url, raw, startedAtMs } = request;
  const body = request.body instanceof Uint8Array ? request.body : undefined;
  const durationMs = performance.now() - startedAtMs;
  recordExchange(context, { method, url, headers: raw.headers, body, durationMs, ...facts }, answer);
}

/** How an answer with this damage is written. */
function deliverDamaged(damage: Damage | undefined): Deliver {
  if (damage === undefined) return writeWhole;
  if (damage.kind === 'truncatedBody') return writeHalf;
  // The headers at once, and the body piece by piece.
  return (response, { status, headers, body }) => {
    response.writeHead(status, headers);
    response.flushHeaders();
    const end = () => response.end();
    dribble(bytesFor(response, body), damage, { write: (piece) => response.write(piece), end });
  };
}

/** How an exchange ends without an answer: by a reset (TCP RST), or in good order. */
const endings: Readonly<Record<Loss, (response: ServerResponse) => void>> = {
  connectionReset: (response) => whenItsTurn(response, reset),
  emptyAnswer: (response) => whenItsTurn(response, (connection) => connection.destroySoon()),
};

// A TLS connection cannot be reset; it ends without its closing words.
function reset(connection: Socket): void {
  if (connection instanceof TLSSocket) connection.destroy();
  else connection.resetAndDestroy();
}

/** Announces the whole body, sends the first half of its bytes and closes the connection. */
const writeHalf: Deliver = (response, { status, headers, body }) => {
  whenItsTurn(response, (connection) => {
    response.writeHead(status, headers);
    const bytes = bytesFor(response, body);
    const sent = half(bytes);
    if (sent.length === 0) response.flushHeaders();
    else response.write(sent);
    connection.destroySoon();
  });
};

// No earlier answer on the same connection is lost with it.
function whenItsTurn(response: ServerResponse, act: (connection: Socket) => void): void {
  if (response.socket === null) response.once('socket', act);
  else act(response.socket);
}

function bytesFor({ req }: ServerResponse, body: string): Buffer {
  return Buffer.from(req.method === 'HEAD' ? '' : body);
}
