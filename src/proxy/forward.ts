/*
 * A request through the proxy: read its body, up to the limit; with `errors`, refuse it before anything is sent; send
 * it to the upstream, a second time only if that is safe; read the response, up to the limit; judge both (`judge.ts`);
 * observe open points without judging (`openapi/reading/`); relay head, violations and body; record
 * (`exchange-record.ts`).
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { excerpt, type Sentence, say } from '../../lib/sentence.ts';
import {
  type AnswerView,
  type Body,
  mediaTypeOf,
  parseBody,
  type RequestView,
} from '../../openapi/reading/messages.ts';
import { BodyReader, type Extent, type ReadLimits } from '../http/body-reader.ts';
import { originOf } from '../http/wire.ts';
import type { ExchangeViolation, FailureKind } from './exchange.ts';
import { ExchangeRecord, type ProxyContext, textOf } from './exchange-record.ts';
import { answerFailure, malformedAnswer, ProxyFailure, statusOf, toFailure } from './failures.ts';
import { endToEnd, type HeaderPair, loop, outsideHead, pairsOf, toRecord, toView } from './headers.ts';
import { judgeAnswer, judgeRequest } from './judge.ts';
import { toOwnLocation } from './target.ts';
import { flawOf, UpstreamCall } from './upstream-call.ts';

/**
 * Forwards a request to the upstream, and its response to the client. Bodies are read up to the limit; a larger one is
 * streamed, and not judged.
 */
export async function forward(
  context: ProxyContext,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const record = new ExchangeRecord(context, message);
  const call = new UpstreamCall(context, record.request, response);
  // Bytes after an upgrade request may be in the other protocol, and Node may lose them: close after the response.
  if (message.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  try {
    await exchange(record, call, response);
  } catch (error) {
    endBadly(record, call, response, error);
  }
}

async function exchange(record: ExchangeRecord, call: UpstreamCall, response: ServerResponse): Promise<void> {
  const { context, request } = record;
  if (request.head.refusal !== undefined) throw request.head.refusal;
  const view = await readRequest(record);
  if (context.isStrict) refuseRequest(record, view);
  watch(record, view);
  const incoming = await call.send();
  record.answer = incoming;
  const flaw = flawOf(incoming);
  if (flaw !== undefined) throw malformedAnswer(context.upstreamUrl, flaw);
  if (isOwnLoop(incoming)) throw new ProxyFailure('upstreamLoop', loop);
  const body = new BodyReader(incoming);
  record.answerBody = body;
  const answer = view && (await readAnswer(record, incoming, body, call.renew));
  call.stopWaiting();
  if (view !== undefined) judgeExchange(record, view, answer?.view);
  endWatch(record, answer?.view);
  refuseAnswer(record);
  await relay(record, call, response, { incoming, body, isWhole: answer?.isWhole === true });
}

// The response of this proxy to its own request, not one of the service.
function isOwnLoop({ statusCode, headers }: IncomingMessage): boolean {
  const kind: FailureKind = 'upstreamLoop';
  return statusCode === 508 && headers['x-proxy-error'] === kind;
}

// Once the head of a response was accepted, the client gets what the proxy received of the body.
function endBadly(record: ExchangeRecord, call: UpstreamCall, response: ServerResponse, error: unknown): void {
  const { answer, answerBody, request } = record;
  const failure = failureOf(record, call, error);
  endWatch(record, undefined);
  record.fail(failure);
  call.abort();
  const isBroken = answerBody !== undefined && failure.kind === 'upstreamBroke';
  const isUnheard = failure.kind === 'clientGone' || failure.kind === 'proxyStopped';
  if (isUnheard || response.headersSent || isBroken) {
    if (answer === undefined || isUnheard) response.destroy();
    else relayBroken(record, response, answer);
    record.finish(response.headersSent ? response.statusCode : 0);
    return;
  }
  record.finish(statusOf(failure));
  if (failure.kind === 'malformedRequest') response.shouldKeepAlive = false;
  for (const [name, value] of violationsHeaders(record.violations)) response.setHeader(name, value);
  answerFailure(request.message, response, failure);
}

function failureOf({ context, request }: ExchangeRecord, call: UpstreamCall, error: unknown): ProxyFailure {
  const { upstreamUrl, timeoutMs, onUnexpected, isStopping } = context;
  if (isStopping) return new ProxyFailure('proxyStopped', 'The proxy was stopped before the exchange was over.');
  if (call.isClientGone)
    return new ProxyFailure('clientGone', 'The client closed the connection before it got the response.');
  if (call.hasTimedOut) {
    const remedy = 'Check its load, or allow more time with --timeout.';
    return new ProxyFailure('upstreamTimeout', `${upstreamUrl} sent nothing for ${timeoutMs} ms. ${remedy}`);
  }
  if (error instanceof ProxyFailure) return error;
  if (typeof (error as { code?: unknown }).code === 'string') return toFailure(error, upstreamUrl);
  onUnexpected(error);
  const remedy = 'Internal error in the proxy. Please report it and include the request.';
  return new ProxyFailure('proxyBroke', `${request.message.method} could not be forwarded. ${remedy}`);
}

/** Judges a request before it is forwarded; throws if it breaks the contract. */
function refuseRequest(record: ExchangeRecord, view: RequestView | undefined): void {
  if (view !== undefined) record.judge(() => judgeRequest(view, record.context.rules));
  const errors = record.violations.filter(({ severity }) => severity === 'Error');
  const what = 'The request breaks the contract, so it was not forwarded (--errors).';
  if (errors.length > 0) throw new ProxyFailure('requestViolation', `${what} ${errors[0]?.message}.`, errors);
}

/** Judges an exchange: the request unless that was done before, and the response if it was read. */
function judgeExchange(record: ExchangeRecord, view: RequestView, answer: AnswerView | undefined): void {
  const { context, request } = record;
  if (!context.isStrict) record.judge(() => judgeRequest(view, context.rules));
  if (answer === undefined) return;
  record.judge(() => judgeAnswer(view, answer, context.rules));
  const { redact, shownUrl } = request.head;
  record.judge(() => {
    context.sightings.add(view, answer, `${request.message.method} ${shownUrl}`, redact);
    return [];
  });
  const [key] = record.watched?.keys ?? [];
  if (key !== undefined) context.recording.add(key, view, answer);
}

/** Tells the model of the server's state that a request is sent. */
function watch(record: ExchangeRecord, view: RequestView | undefined): void {
  const { context, request } = record;
  const { route } = request.head;
  if (view === undefined || route.operation === undefined || request.message.method === 'HEAD') return;
  const { requestId, body } = request;
  const isRead = view.body.kind !== 'unread' && isIdentity(request.message.headers['content-encoding']);
  const text = isRead && body.taken.length > 0 ? body.taken.toString() : undefined;
  const [query = ''] = /\?.*/s.exec(request.message.url ?? '') ?? [];
  record.judge(() => {
    record.watched = context.state.begin(view, { requestId, target: view.path + query, text });
    return [];
  });
}

/** Tells it the response, if one came, and once. */
function endWatch(record: ExchangeRecord, answer: AnswerView | undefined): void {
  const { watched, context } = record;
  record.watched = undefined;
  if (watched !== undefined) record.judge(() => context.state.end(watched, answer));
}

/** Throws if a response breaks the contract. */
function refuseAnswer({ context, violations }: ExchangeRecord): void {
  const errors = violations.filter(({ severity, location: [side] }) => severity === 'Error' && side === 'response');
  if (!context.isStrict || errors.length === 0) return;
  const what =
    'The upstream handled the request, but its response breaks the contract, so it was not forwarded (--errors).';
  throw new ProxyFailure('answerViolation', `${what} ${errors[0]?.message}.`, errors);
}

/** An accepted response of the upstream. */
interface AcceptedAnswer {
  incoming: IncomingMessage;
  body: BodyReader;
  /** Whether the whole body was read. */
  isWhole: boolean;
}

/** Sends a response to the client: its head with the violations, then its body as it arrives. */
async function relay(
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
function relayBroken(record: ExchangeRecord, response: ServerResponse, incoming: IncomingMessage): void {
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
  return endToEnd(pairsOf(rawHeaders))
    .filter(([name]) => !dropped.includes(name.toLowerCase()))
    .map(([name, value]) => {
      const isLocation = name.toLowerCase() === 'location';
      return [name, isLocation ? toOwnLocation(context.mapping, value, origin) : value];
    });
}

/** The headers that the proxy adds; pages that may read the response may read them too. */
function violationsHeaders(violations: readonly ExchangeViolation[], incoming?: IncomingMessage): HeaderPair[] {
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

type Limits = Required<ReadLimits>;

function limitsOf({ judgeLimitBytes, judgeTimeMs }: ProxyContext): Limits {
  return { bytes: judgeLimitBytes, timeMs: judgeTimeMs };
}

/** Reads the body of a request up to the limits. Undefined, and not read, if the request is not for an operation. */
async function readRequest(record: ExchangeRecord): Promise<RequestView | undefined> {
  const { context, request } = record;
  const { head, body, message } = request;
  if (head.view !== undefined || head.route.operation === undefined) return head.view;
  const extent = await body.collect(limitsOf(context)).catch((error: Error) => {
    const detail = `The request was cut off after ${body.lengthBytes} bytes of its body (${error.message}).`;
    throw new ProxyFailure('clientGone', detail);
  });
  const read = await readTaken(record, 'request', body, extent, message);
  record.requestText = read.text;
  return toView(head, read.body);
}

/** Reads the body of a response up to the limits, if it is judged; `isWhole` says whether all of it was read. */
async function readAnswer(
  record: ExchangeRecord,
  incoming: IncomingMessage,
  body: BodyReader,
  onPiece: () => void,
): Promise<{ view: AnswerView | undefined; isWhole: boolean }> {
  const why = whyNotJudged(record.request.message, incoming);
  if (why !== undefined) {
    record.notJudged.push(why);
    return { view: undefined, isWhole: false };
  }
  const extent = await body.collect(limitsOf(record.context), onPiece);
  const read = await readTaken(record, 'response', body, extent, incoming);
  record.answerText = read.text;
  const { statusCode: status = 0, rawHeaders } = incoming;
  return {
    view: { status, headers: toRecord(pairsOf(rawHeaders)), body: read.body },
    isWhole: extent === 'whole',
  };
}

// An event stream may never end; partial content and 304 come from HTTP features, not from the contract.
function whyNotJudged(message: IncomingMessage, { statusCode, headers }: IncomingMessage): string | undefined {
  if (isEventStream(headers)) return 'event stream';
  if (statusCode === 206 && message.headers.range !== undefined) return 'partial response';
  const isConditional = ['if-none-match', 'if-modified-since'].some((name) => message.headers[name] !== undefined);
  return statusCode === 304 && isConditional ? 'not modified' : undefined;
}

/** Whether a response may stay silent for any time. */
function isEventStream(headers: IncomingHttpHeaders): boolean {
  return mediaTypeOf({ 'content-type': headers['content-type'] ?? '' }) === 'text/event-stream';
}

/** A body as it is judged, and the beginning of its text for the request log. */
interface ReadBody {
  body: Body;
  text: string | undefined;
}

async function readTaken(
  { context, notJudged, request }: ExchangeRecord,
  side: 'request' | 'response',
  body: BodyReader,
  extent: Extent,
  { headers }: IncomingMessage,
): Promise<ReadBody> {
  const lengthBytes = Math.max(body.lengthBytes, Number(headers['content-length'] ?? 0));
  const encoding = headers['content-encoding'];
  const read = await readBody({ bytes: body.taken, lengthBytes, extent, encoding }, limitsOf(context));
  if (read.body.kind === 'unread') notJudged.push(`${side} ${say`${read.body.why}`.shown(request.head.redact)}`);
  return read;
}

/** What is known about a body when it is judged. */
interface BodyBytes {
  bytes: Buffer;
  /** The number received so far, or announced. */
  lengthBytes: number;
  extent: Extent;
  /** `Content-Encoding` */
  encoding: string | undefined;
}

/** Reads a body; decompresses it only for judging. */
async function readBody({ bytes, lengthBytes, extent, encoding }: BodyBytes, limits: Limits): Promise<ReadBody> {
  const tooLarge = () => say`body larger than ${limits.bytes} bytes`;
  const unread = (why: Sentence): ReadBody => ({ body: { kind: 'unread', why, lengthBytes }, text: undefined });
  if (extent === 'tooLarge') return unread(tooLarge());
  if (extent === 'tooSlow') return unread(say`body slower than ${limits.timeMs} ms`);
  if (isIdentity(encoding)) return readBytes(bytes);
  const text = undefined;
  if (bytes.length === 0) return { body: { kind: 'none' }, text };
  try {
    return { body: readBytes(await decode(bytes, encoding, limits.bytes)).body, text };
  } catch (error) {
    if (error instanceof UnknownEncoding) return unread(error.reason);
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') return unread(tooLarge());
    const why = say`the body does not match its Content-Encoding, ${encoding}`;
    return { body: { kind: 'text', why, lengthBytes }, text };
  }
}

function isIdentity(encoding: string | undefined): encoding is undefined | 'identity' {
  return (encoding ?? 'identity') === 'identity';
}

function readBytes(bytes: Buffer): ReadBody {
  return { body: parseBody(bytes), text: textOf(bytes) };
}

class UnknownEncoding extends Error {
  readonly reason: Sentence;

  constructor(name: string) {
    super();
    this.reason = say`Content-Encoding ${excerpt(name, 40)} is not supported`;
  }
}

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: Record<string, Decoder> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: async (bytes, options) => (isZlib(bytes) ? promisify(inflate) : promisify(inflateRaw))(bytes, options),
};

// Some servers leave out the zlib frame (RFC 9110, section 8.4.1.2).
function isZlib([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

async function decode(bytes: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  let decoded = bytes;
  for (const name of names.filter((each) => each !== '' && each !== 'identity').reverse()) {
    const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (decoder === undefined) throw new UnknownEncoding(name);
    decoded = await decoder(decoded, { maxOutputLength });
  }
  return decoded;
}
