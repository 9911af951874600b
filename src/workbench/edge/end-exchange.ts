import { createHeadersRedact } from '../../../lib/secrets.ts';
import type { Answer, RequestHeaders } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Exchange } from '../exchange.ts';
import { recordOf } from '../request-log/entry.ts';
import type { EdgeContext } from './edge-context.ts';

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
  if (openPoints !== undefined && hasOpenPoints) headers['x-open-points'] = openPoints;
  if (fixedAtMs !== undefined) headers.date = new Date(fixedAtMs).toUTCString();
  return headers;
}

/** The id that a client sent with its request; undefined if it is missing or cannot be reused. */
export function sentRequestId({ 'x-request-id': sent }: RequestHeaders): string | undefined {
  return typeof sent === 'string' && /^[\w.:/+=-]{1,128}$/.test(sent) ? sent : undefined;
}

/**
 * Passes an exchange to log and request log. An error in a listener must not affect the client: its response is sent.
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
  const retired = headers['x-retired-sandboxes'];
  if (retired === undefined) return notes;
  return [...notes, `Retired to make room for a new sandbox (--max-sandboxes ${sandboxes.rules.limit}): ${retired}.`];
}
