import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type AnswerView, type Body, mediaTypeOf, type RequestView } from '../../../openapi/reading/messages.ts';
import { decodeQuery } from '../../../openapi/reading/query.ts';
import { say } from '../../../openapi/reading/sentence.ts';
import type { BodyReader } from '../body-reader.ts';
import { type ExchangeRecord, textOf } from './exchange-record.ts';
import { ProxyFailure } from './failures.ts';
import { pairsOf, toRecord } from './headers.ts';
import { readBody } from './judge/body.ts';

/** Reads the body of a request up to the limit. Undefined where the request is for no operation: it is not read then. */
export async function readRequest(record: ExchangeRecord): Promise<RequestView | undefined> {
  const { context, request } = record;
  const { route, body, message, pairs } = request;
  if (route.operation === undefined) return undefined;
  // It is needed when the answer comes; both take their time.
  context.judge.prepare().catch(() => undefined);
  const isWhole = await body.collect(context.judgeLimitBytes).catch((error: Error) => {
    const detail = `The request broke off after ${body.lengthBytes} bytes of its body (${error.message}).`;
    throw new ProxyFailure('clientGone', detail);
  });
  const read = await readTaken(record, 'request', body, isWhole, message);
  if (isWhole) record.requestText = textOf(body.taken, message.headers['content-encoding']);
  const { operation, below } = route;
  return { operation, path: below.sentPath, query: decodeQuery(below.query), headers: toRecord(pairs), body: read };
}

/** An answer whose body was read up to the limit. */
interface AnswerReading {
  /** Undefined where the answer is not judged. */
  view: AnswerView | undefined;
  /** Whether the whole body was read. */
  isWhole: boolean;
}

/** Reads the body of an answer up to the limit, where it is to be judged. */
export async function readAnswer(
  record: ExchangeRecord,
  incoming: IncomingMessage,
  body: BodyReader,
  onPiece: () => void,
): Promise<AnswerReading> {
  const why = whyNotJudged(record.request.message, incoming);
  if (why !== undefined) {
    record.notJudged.push(why);
    return { view: undefined, isWhole: false };
  }
  const isWhole = await body.collect(record.context.judgeLimitBytes, onPiece);
  const read = await readTaken(record, 'answer', body, isWhole, incoming);
  if (isWhole) record.answerText = textOf(body.taken, incoming.headers['content-encoding']);
  const headers = toRecord(pairsOf(incoming.rawHeaders));
  return { view: { status: incoming.statusCode ?? 0, headers, body: read }, isWhole };
}

// An event stream may never end; a part, and 304, are answers to what the client asked of HTTP, not of the contract.
function whyNotJudged(message: IncomingMessage, { statusCode, headers }: IncomingMessage): string | undefined {
  if (isEventStream(headers)) return 'event stream';
  if (statusCode === 206 && message.headers.range !== undefined) return 'part of an answer';
  return statusCode === 304 ? 'not modified' : undefined;
}

/** Whether an answer may be silent for as long as it likes. */
export function isEventStream(headers: IncomingHttpHeaders): boolean {
  return mediaTypeOf({ 'content-type': headers['content-type'] ?? '' }) === 'text/event-stream';
}

async function readTaken(
  { context, notJudged, request }: ExchangeRecord,
  side: 'request' | 'answer',
  body: BodyReader,
  isWhole: boolean,
  { headers }: IncomingMessage,
): Promise<Body> {
  const lengthBytes = Math.max(body.lengthBytes, Number(headers['content-length'] ?? 0));
  const encoding = headers['content-encoding'];
  const read = await readBody({ bytes: body.taken, lengthBytes, isWhole, encoding }, context.judgeLimitBytes);
  if (read.kind === 'unread') notJudged.push(`${side} ${say`${read.why}`.shown(request.redact)}`);
  return read;
}
