import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../../engine/call.ts';
import { redactFor } from '../../workbench/journal/entry.ts';
import { type Deliver, toWire, writeWhole } from '../answer.ts';
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
