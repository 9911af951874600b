import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../engine/call.ts';
import { corsHeaders } from './cors.ts';
import type { Edge } from './edge.ts';
import { type Deliver, writeWhole } from './faults/deliver.ts';
import { redactUrl } from './journal/secrets.ts';

/**
 * Writes an answer as it is. Not through `reply.send`: that would add a charset, which is an open point, or send text
 * and headers in two pieces.
 */
export function send(
  edge: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  deliver: Deliver = writeWhole,
): void {
  const { status, body = '' } = answer;
  reply.hijack();
  deliver(reply.raw, { status, headers: headersOf(edge, request, answer, Buffer.byteLength(body)), body });
  tell(edge, request, answer);
}

/** Ends an exchange without an answer. */
export function lose(
  edge: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  end: (response: ServerResponse) => void,
): void {
  reply.hijack();
  end(reply.raw);
  tell(edge, request, answer);
}

function headersOf(
  { engine, options }: Edge,
  request: FastifyRequest,
  { status, headers, openPoints }: Answer,
  lengthBytes: number,
): Record<string, string | number> {
  const written: Record<string, string | number> = options.hasCors ? { ...corsHeaders(request.raw.headers) } : {};
  written['x-request-id'] = request.id;
  if (openPoints !== undefined && options.hasOpenPoints) written['x-open-points'] = openPoints;
  const { standsAtMs } = engine.clock;
  if (standsAtMs !== undefined) written.date = new Date(standsAtMs).toUTCString();
  if (status !== 204 && status !== 304) written['content-length'] = lengthBytes;
  return Object.assign(written, headers);
}

function shownUrl({ url, raw }: FastifyRequest): string {
  return redactUrl(url, raw.headers);
}

/** Tells log and journal of an exchange. The answer is out: what a listener throws is no business of the client's. */
function tell({ options, journal, engine }: Edge, request: FastifyRequest, answer: Answer): void {
  const { method, id, startedAtMs } = request;
  const durationMs = performance.now() - startedAtMs;
  try {
    const { status, openPoints } = answer;
    options.onExchange?.({ method, path: shownUrl(request), status, durationMs, requestId: id, openPoints });
    journal?.note(request, answer, durationMs, engine.clock.nowMs());
  } catch (error) {
    options.onUnexpected?.(error);
  }
}
