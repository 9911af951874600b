import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import {
  type AnswerView,
  type Body,
  mediaTypeOf,
  parseBody,
  type RequestView,
} from '../../../openapi/reading/messages.ts';
import { decodeQuery } from '../../../openapi/reading/query.ts';
import { excerpt, type Sentence, say } from '../../../openapi/reading/sentence.ts';
import type { BodyReader, Extent, ReadLimits } from '../body-reader.ts';
import { type ExchangeRecord, textOf } from './exchange-record.ts';
import { ProxyFailure } from './failures.ts';
import { pairsOf, toRecord } from './headers.ts';
import type { ProxyContext } from './received-request.ts';

function limitsOf({ judgeLimitBytes, judgeTimeMs }: ProxyContext): Required<ReadLimits> {
  return { bytes: judgeLimitBytes, timeMs: judgeTimeMs };
}

/** Reads the body of a request up to the limits. Undefined where the request is for no operation: it is not read then. */
export async function readRequest(record: ExchangeRecord): Promise<RequestView | undefined> {
  const { context, request } = record;
  const { route, body, message, pairs } = request;
  if (route.operation === undefined) return undefined;
  const extent = await body.collect(limitsOf(context)).catch((error: Error) => {
    const detail = `The request broke off after ${body.lengthBytes} bytes of its body (${error.message}).`;
    throw new ProxyFailure('clientGone', detail);
  });
  const read = await readTaken(record, 'request', body, extent, message);
  if (extent === 'whole') record.requestText = textOf(body.taken, message.headers['content-encoding']);
  const { operation, below } = route;
  return { operation, path: below.sentPath, query: decodeQuery(below.query), headers: toRecord(pairs), body: read };
}

/** Reads the body of an answer up to the limits, where it is to be judged; `isWhole` says whether that was all of it. */
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
  const read = await readTaken(record, 'answer', body, extent, incoming);
  if (extent === 'whole') record.answerText = textOf(body.taken, incoming.headers['content-encoding']);
  const headers = toRecord(pairsOf(incoming.rawHeaders));
  return { view: { status: incoming.statusCode ?? 0, headers, body: read }, isWhole: extent === 'whole' };
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
  extent: Extent,
  { headers }: IncomingMessage,
): Promise<Body> {
  const lengthBytes = Math.max(body.lengthBytes, Number(headers['content-length'] ?? 0));
  const encoding = headers['content-encoding'];
  const read = await readBody({ bytes: body.taken, lengthBytes, extent, encoding }, limitsOf(context));
  if (read.kind === 'unread') notJudged.push(`${side} ${say`${read.why}`.shown(request.redact)}`);
  return read;
}

/** What is known of a body when it is to be judged. */
interface BodyBytes {
  bytes: Buffer;
  /** How many came so far, or were announced. */
  lengthBytes: number;
  extent: Extent;
  /** `Content-Encoding` */
  encoding: string | undefined;
}

/** Reads a body, of which a compressed one is decompressed for this purpose alone. */
async function readBody(body: BodyBytes, limits: Required<ReadLimits>): Promise<Body> {
  const { bytes, lengthBytes, extent, encoding } = body;
  const tooLarge = say`body above ${limits.bytes} bytes`;
  if (extent === 'tooLarge') return { kind: 'unread', why: tooLarge, lengthBytes };
  if (extent === 'tooSlow') return { kind: 'unread', why: say`body slower than ${limits.timeMs} ms`, lengthBytes };
  if (bytes.length === 0) return { kind: 'none' };
  try {
    return parseBody(await decode(bytes, encoding, limits.bytes));
  } catch (error) {
    if (error instanceof UnknownEncoding) return { kind: 'unread', why: error.reason, lengthBytes };
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
      return { kind: 'unread', why: tooLarge, lengthBytes };
    }
    return { kind: 'text', why: say`the body is not in its Content-Encoding, ${encoding ?? ''}`, lengthBytes };
  }
}

class UnknownEncoding extends Error {
  readonly reason: Sentence;

  constructor(name: string) {
    super();
    this.reason = say`Content-Encoding ${excerpt(name, 40)} is not read`;
  }
}

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: Record<string, Decoder> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: async (bytes, options) => (isZlib(bytes) ? promisify(inflate) : promisify(inflateRaw))(bytes, options),
};

// Some servers leave the frame of zlib out (RFC 9110, section 8.4.1.2).
function isZlib([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

async function decode(bytes: Buffer, encoding: string | undefined, maxOutputLength: number): Promise<Buffer> {
  const names = (encoding ?? '')
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
