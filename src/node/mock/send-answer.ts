import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../domain/refusal.ts';
import type { Answer, Call } from '../../engine/call.ts';
import { isControlTarget } from '../../workbench/control-plane/control-plane.ts';
import type { Damage, Wait } from '../../workbench/faults/play-faults.ts';
import { redactFor } from '../../workbench/journal/entry.ts';
import { type Deliver, toWire, type WireAnswer, writeWhole } from '../answer.ts';
import { corsHeaders } from '../cors.ts';
import { noStatus } from '../exchange.ts';
import { originForm } from '../request.ts';
import { toRefusal } from '../wire-errors.ts';
import type { MockContext } from './mock-context.ts';

/** Sends an answer, damaged or not, and records the exchange. */
export function sendAnswer(context: MockContext, reply: FastifyReply, answer: Answer, damage?: Damage): void {
  reply.hijack();
  const deliver = deliverDamaged(damage);
  const requestId = requestIdOf(context, reply.request, answer);
  deliver(reply.raw, toWire(answer, { ...commonHeaders(context, reply.request, answer), 'x-request-id': requestId }));
  record(context, reply.request, answer, requestId);
}

/** Ends an exchange without an answer, and records it. */
export function loseAnswer(
  context: MockContext,
  reply: FastifyReply,
  about: NonNullable<Answer['about']>,
  how: keyof typeof endings,
): void {
  reply.hijack();
  endings[how](reply.raw);
  const answer = { status: noStatus, headers: {}, about };
  record(context, reply.request, answer, requestIdOf(context, reply.request, answer));
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

function commonHeaders(
  { engine, hasCors, allowsPage, hasOpenPoints }: MockContext,
  request: FastifyRequest,
  { openPoints }: Answer,
): Record<string, string> {
  const { fixedAtMs } = engine.clock;
  return {
    ...(hasCors && allowsPage(request.raw) ? corsHeaders(request.raw.headers) : {}),
    ...(openPoints !== undefined && hasOpenPoints ? { 'x-open-points': openPoints } : {}),
    ...(fixedAtMs === undefined ? {} : { date: new Date(fixedAtMs).toUTCString() }),
  };
}

function requestIdOf({ requestIds }: MockContext, { id }: FastifyRequest, { about }: Answer): string {
  return id === '' ? requestIds(about?.organizationId) : id;
}

/** Passes an exchange to log and journal. The answer is out: an error of a listener must not affect the client. */
function record(context: MockContext, request: FastifyRequest, answer: Answer, requestId: string): void {
  const { journal, engine, onExchange, onUnexpected } = context;
  const { method, url, raw, startedAtMs } = request;
  const { headers } = raw;
  const durationMs = performance.now() - startedAtMs;
  try {
    const { status, openPoints } = answer;
    if (onExchange !== undefined) {
      const redact = redactFor(headers);
      const notes = notesOf(answer, engine).map(redact);
      const about = { durationMs, requestId: redact(requestId), openPoints, ...(notes.length === 0 ? {} : { notes }) };
      onExchange({ method, path: redact(url), status, ...about });
    }
    if (journal === undefined) return;
    const body = request.body instanceof Uint8Array ? request.body : undefined;
    const bytes = (body?.length ?? 0) + Buffer.byteLength(answer.body ?? '');
    journal.add({ timeMs: engine.clock.nowMs(), durationMs, method, url, requestId, headers, body, answer }, bytes);
  } catch (error) {
    onUnexpected(error);
  }
}

function notesOf({ notes = [], headers }: Answer, { tenants }: MockContext['engine']): readonly string[] {
  const retired = headers['x-retired-worlds'];
  if (retired === undefined) return notes;
  return [...notes, `Retired for a new world, as there may be ${tenants.rules.limit} (--max-worlds): ${retired}.`];
}

const maxPieces = 10;

/** How an answer with this damage is written. */
function deliverDamaged(damage: Damage | undefined): Deliver {
  if (damage === undefined) return writeWhole;
  if (damage.kind === 'truncatedBody') return writeHalf;
  return (response, answer) => writeSlowly(response, answer, damage.overMs, damage.wait);
}

/** How an exchange ends without an answer: by a reset (TCP RST), or in good order. */
const endings: Readonly<Record<'connectionReset' | 'emptyAnswer', (response: ServerResponse) => void>> = {
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
    const half = bytes.subarray(0, bytes.length / 2);
    if (half.length === 0) response.flushHeaders();
    else response.write(half);
    connection.destroySoon();
  });
};

/** Sends the headers at once and the body piece by piece, the last one after `overMs`. */
function writeSlowly(
  response: ServerResponse,
  { status, headers, body }: WireAnswer,
  overMs: number,
  wait: Wait,
): void {
  const bytes = bytesFor(response, body);
  const pieceBytes = Math.ceil(bytes.length / maxPieces);
  const pauseMs = (overMs * pieceBytes) / bytes.length;
  const writeFrom = (start: number) => {
    if (start >= bytes.length) response.end();
    else
      wait(pauseMs, () => {
        response.write(bytes.subarray(start, start + pieceBytes));
        writeFrom(start + pieceBytes);
      });
  };
  response.writeHead(status, headers);
  response.flushHeaders();
  writeFrom(0);
}

// No earlier answer on the same connection is lost with it.
function whenItsTurn(response: ServerResponse, act: (connection: Socket) => void): void {
  if (response.socket === null) response.once('socket', act);
  else act(response.socket);
}

function bytesFor({ req }: ServerResponse, body: string): Buffer {
  return Buffer.from(req.method === 'HEAD' ? '' : body);
}
