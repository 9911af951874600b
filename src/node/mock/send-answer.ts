import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../../engine/call.ts';
import type { Damage, Wait } from '../../workbench/faults/play-faults.ts';
import { redactFor } from '../../workbench/journal/entry.ts';
import { type Deliver, toWire, type WireAnswer, writeWhole } from '../answer.ts';
import { corsHeaders } from '../cors.ts';
import { noStatus } from '../exchange.ts';
import type { MockContext } from './mock-context.ts';

/** Sends an answer, and records the exchange. */
export function sendAnswer(
  context: MockContext,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  deliver: Deliver = writeWhole,
): void {
  reply.hijack();
  deliver(reply.raw, toWire(answer, commonHeaders(context, request, answer)));
  record(context, request, answer);
}

/** Ends an exchange without an answer, and records it. */
export function loseAnswer(
  context: MockContext,
  request: FastifyRequest,
  reply: FastifyReply,
  about: Answer['about'],
  end: (response: ServerResponse) => void,
): void {
  reply.hijack();
  end(reply.raw);
  record(context, request, { status: noStatus, headers: {}, ...(about === undefined ? {} : { about }) });
}

function commonHeaders(
  { engine, options }: MockContext,
  request: FastifyRequest,
  { openPoints }: Answer,
): Record<string, string> {
  const { fixedAtMs } = engine.clock;
  return {
    ...(options.hasCors ? corsHeaders(request.raw.headers) : {}),
    'x-request-id': request.id,
    ...(openPoints !== undefined && options.hasOpenPoints ? { 'x-open-points': openPoints } : {}),
    ...(fixedAtMs === undefined ? {} : { date: new Date(fixedAtMs).toUTCString() }),
  };
}

/** Passes an exchange to log and journal. The answer is out: an error of a listener must not affect the client. */
function record({ options, journal, engine }: MockContext, request: FastifyRequest, answer: Answer): void {
  const { method, url, id: requestId, raw, startedAtMs } = request;
  const { headers } = raw;
  const durationMs = performance.now() - startedAtMs;
  try {
    const { status, openPoints } = answer;
    if (options.onExchange !== undefined) {
      const redact = redactFor(headers);
      options.onExchange({ method, path: redact(url), status, durationMs, requestId: redact(requestId), openPoints });
    }
    if (journal === undefined) return;
    const body = request.body instanceof Uint8Array ? request.body : undefined;
    const bytes = (body?.length ?? 0) + Buffer.byteLength(answer.body ?? '');
    journal.add({ timeMs: engine.clock.nowMs(), durationMs, method, url, requestId, headers, body, answer }, bytes);
  } catch (error) {
    options.onUnexpected(error);
  }
}

const maxPieces = 10;

/** How an answer with this damage is written. */
export function deliverDamaged(damage: Damage | undefined): Deliver {
  if (damage === undefined) return writeWhole;
  if (damage.kind === 'truncatedBody') return writeHalf;
  return (response, answer) => writeSlowly(response, answer, damage.overMs, damage.wait);
}

/** How an exchange ends without an answer: by a reset (TCP RST), or in good order. */
export const endings: Readonly<Record<'connectionReset' | 'emptyAnswer', (response: ServerResponse) => void>> = {
  connectionReset: (response) => whenItsTurn(response, (connection) => connection.resetAndDestroy()),
  emptyAnswer: (response) => whenItsTurn(response, (connection) => connection.destroySoon()),
};

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
