import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyReader } from '../body-reader.ts';
import { originOf } from '../wire.ts';
import type { ExchangeViolation } from './exchange.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import { type HeaderPair, outsideHead, readAnswerHead } from './headers.ts';
import { isEventStream } from './read-bodies.ts';
import { toOwnLocation } from './target.ts';
import type { UpstreamCall } from './upstream-call.ts';

/** An accepted response of the upstream. */
interface AcceptedAnswer {
  incoming: IncomingMessage;
  body: BodyReader;
  /** Whether the whole body was read. */
  isWhole: boolean;
}

/** Sends a response to the client: its head with the violations, then its body as it arrives. */
export async function relay(
  record: ExchangeRecord,
  call: UpstreamCall,
  response: ServerResponse,
  { incoming, body, isWhole }: AcceptedAnswer,
): Promise<void> {
  writeHead(record, response, incoming);
  if (isWhole && incoming.rawTrailers.length === 0) {
    record.finish(response.statusCode);
    response.end(body.taken);
    return;
  }
  // The first piece may take a while.
  response.flushHeaders();
  if (!isEventStream(incoming.headers)) call.startWaiting();
  await body.passTo(response, call.renew);
  call.stopWaiting();
  response.addTrailers(outsideHead(incoming.rawTrailers));
  record.finish(response.statusCode);
  response.end();
}

/** Relays the received part of a truncated response, then closes the connection the way the upstream did. */
export function relayBroken(record: ExchangeRecord, response: ServerResponse, incoming: IncomingMessage): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  writeHead(record, response, incoming);
  response.flushHeaders();
  response.write(record.answerBody?.taken ?? '', () => response.destroy());
}

function writeHead(record: ExchangeRecord, response: ServerResponse, incoming: IncomingMessage): void {
  const headers = [...toClientHeaders(record, incoming), ...violationsHeaders(record.violations, incoming)];
  response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage ?? '', headers.flat());
}

function toClientHeaders(
  { context, request }: ExchangeRecord,
  { rawHeaders, statusCode = 0 }: IncomingMessage,
): HeaderPair[] {
  const origin = originOf(request.message);
  const hasBody = request.message.method !== 'HEAD' && statusCode !== 204 && statusCode !== 304;
  const dropped = ['sl-violations'];
  // Without a body there are no trailers, and HTTP/1.0 clients get no chunks.
  if (!hasBody || request.message.httpVersion !== '1.1') dropped.push('trailer');
  if (statusCode === 204) dropped.push('content-length');
  return readAnswerHead(rawHeaders)
    .endToEnd.filter(([name]) => !dropped.includes(name.toLowerCase()))
    .map(([name, value]) => {
      const isLocation = name.toLowerCase() === 'location';
      return [name, isLocation ? toOwnLocation(context.mapping, value, origin) : value];
    });
}

/** The headers that the proxy adds; pages that may read the response may read them too. */
export function violationsHeaders(violations: readonly ExchangeViolation[], incoming?: IncomingMessage): HeaderPair[] {
  if (violations.length === 0) return [];
  const isForPages = incoming?.headers['access-control-allow-origin'] !== undefined;
  const expose: HeaderPair[] = isForPages ? [['Access-Control-Expose-Headers', 'sl-violations']] : [];
  return [['sl-violations', toViolationsHeader(violations)], ...expose];
}

// The header with its name stays below 8 KiB.
const limitBytes = 8 * 1024 - 100;

/** The value of `sl-violations`: JSON in ASCII. A last element counts the violations that do not fit. */
function toViolationsHeader(violations: readonly ExchangeViolation[]): string {
  const texts = violations.map(toAscii);
  if (lengthOf(texts) <= limitBytes) return `[${texts.join(',')}]`;
  const fitting: string[] = [];
  for (const text of texts) {
    const withText = [...fitting, text, remainder(texts.length)];
    if (lengthOf(withText) > limitBytes) break;
    fitting.push(text);
  }
  return `[${[...fitting, remainder(texts.length - fitting.length)].join(',')}]`;
}

function remainder(count: number): string {
  const message = `${count} more; GET /__admin/requests lists them all`;
  return toAscii({ location: [], severity: 'Information', code: 'cut', message });
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((length, text) => length + text.length + 1, 1);
}

// Only ASCII is safe in a header.
function toAscii(violation: ExchangeViolation): string {
  const { location, severity, code, message } = violation;
  return JSON.stringify({ location, severity, code, message }).replaceAll(/[^\x20-\x7e]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
