import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { excerpt, type Sentence, say } from '../../../lib/sentence.ts';
import {
  type AnswerView,
  type Body,
  mediaTypeOf,
  parseBody,
  type RequestView,
} from '../../../openapi/reading/messages.ts';
import type { BodyReader, Extent, ReadLimits } from '../body-reader.ts';
import { type ExchangeRecord, type ProxyContext, textOf } from './exchange-record.ts';
import { ProxyFailure } from './failures.ts';
import { readAnswerHead } from './headers.ts';
import { type RequestHead, toView } from './request-head.ts';

type Limits = Required<ReadLimits>;

function limitsOf({ judgeLimitBytes, judgeTimeMs }: ProxyContext): Limits {
  return { bytes: judgeLimitBytes, timeMs: judgeTimeMs };
}

/** Reads the body of a request up to the limits. Undefined, and not read, if the request is not for an operation. */
export async function readRequest(record: ExchangeRecord): Promise<RequestView | undefined> {
  const { context, request } = record;
  const { head, body, message } = request;
  if (head.view !== undefined || head.route.operation === undefined) return head.view;
  const extent = await body.collect(limitsOf(context)).catch((error: Error) => {
    const detail = `The request broke off after ${body.lengthBytes} bytes of its body (${error.message}).`;
    throw new ProxyFailure('clientGone', detail);
  });
  const read = await readTaken(record, 'request', body, extent, message);
  record.requestText = read.text;
  return toView(head, read.body);
}

/** Reads the body of a response up to the limits, if it is judged; `isWhole` says whether all of it was read. */
export async function readAnswer(
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
  const { view, text } = await readCollected(record, incoming, body, extent);
  record.answerText = text;
  return { view, isWhole: extent === 'whole' };
}

/** A response that was read, and the beginning of its text for the request log. */
interface ReadAnswer {
  view: AnswerView;
  text: string | undefined;
}

// The latest response to each request head: servers often repeat the same response to the same request.
const latestAnswers = new WeakMap<RequestHead, ReadAnswer & { bytes: Buffer; tellingText: string }>();
const longestKeptBytes = 32_768;

async function readCollected(
  record: ExchangeRecord,
  incoming: IncomingMessage,
  body: BodyReader,
  extent: Extent,
): Promise<ReadAnswer> {
  const { request } = record;
  const { statusCode: status = 0, rawHeaders } = incoming;
  const { telling, tellingText } = readAnswerHead(rawHeaders);
  const bytes = body.taken;
  const latest = latestAnswers.get(request.head);
  const isSame = latest?.view.status === status && latest.tellingText === tellingText && latest.bytes.equals(bytes);
  if (isSame && extent === 'whole') return latest;
  const { body: read, text } = await readTaken(record, 'response', body, extent, incoming);
  const answer = { view: { status, headers: telling, body: read }, text };
  const isKept = read.kind !== 'unread' && bytes.length <= longestKeptBytes;
  if (isKept) latestAnswers.set(request.head, { ...answer, bytes, tellingText });
  return answer;
}

// An event stream may never end; partial content and 304 come from HTTP features, not from the contract.
function whyNotJudged(message: IncomingMessage, { statusCode, headers }: IncomingMessage): string | undefined {
  if (isEventStream(headers)) return 'event stream';
  if (statusCode === 206 && message.headers.range !== undefined) return 'partial response';
  return statusCode === 304 ? 'not modified' : undefined;
}

/** Whether a response may stay silent for any time. */
export function isEventStream(headers: IncomingHttpHeaders): boolean {
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
