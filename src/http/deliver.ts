import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../engine/call.ts';
import { corsHeaders } from './cors.ts';
import type { Edge } from './edge.ts';
import { redactUrl } from './journal/secrets.ts';

/**
 * Writes an answer as it is. Not through `reply.send`: that would add a charset, which is an open point, or send text
 * and headers in two pieces.
 */
export function send(edge: Edge, request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
  const { status, body = '' } = answer;
  const length = Buffer.byteLength(body);
  reply.hijack();
  const response = reply.raw.writeHead(status, headersOf(edge, request, answer, length));
  // Text of as many bytes as characters is ASCII: Node sends it in one piece with the headers. Other text it would send
  // so as well, and spoil a header that is not ASCII.
  if (length === body.length) response.end(body, 'latin1');
  else response.end(Buffer.from(body));
  tell(edge, request, answer);
}

/** The headers with which an answer goes out. */
export function headersOf(
  { engine, options }: Edge,
  request: FastifyRequest,
  { status, headers }: Answer,
  lengthBytes: number,
): Record<string, string | number> {
  const written: Record<string, string | number> = options.hasCors ? { ...corsHeaders(request.raw.headers) } : {};
  written['x-request-id'] = request.id;
  const { standsAtMs } = engine.clock;
  if (standsAtMs !== undefined) written.date = new Date(standsAtMs).toUTCString();
  if (status !== 204) written['content-length'] = lengthBytes;
  return Object.assign(written, headers);
}

function shownUrl({ url, raw }: FastifyRequest): string {
  return redactUrl(url, raw.headers);
}

/** Tells log and journal of an exchange. The answer is out: what a listener throws is no business of the client's. */
export function tell({ options, journal, engine }: Edge, request: FastifyRequest, answer: Answer): void {
  const { method, id, startedAtMs } = request;
  const durationMs = performance.now() - startedAtMs;
  try {
    options.onExchange?.({ method, path: shownUrl(request), status: answer.status, durationMs, requestId: id });
    journal?.note(request, answer, durationMs, engine.clock.nowMs());
  } catch (error) {
    options.onUnexpected?.(error);
  }
}
