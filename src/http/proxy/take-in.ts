import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BodyReader } from './body-reader.ts';
import { ProxyFailure } from './failures.ts';
import { pairsOf, toRecord } from './headers.ts';
import { type Body, readBody } from './judge/body.ts';
import { type AnswerView, mediaTypeOf, toRequestView } from './judge/views.ts';
import { keptTextBytes, longestSecretBytes, type Passage } from './passage.ts';

/** Takes in the body of a request up to the limit. What is for no operation is not taken in. */
export async function takeRequest(passage: Passage): Promise<void> {
  const { route, body, request, edge, pairs } = passage;
  if (route.operation === undefined) return;
  // It is needed when the answer is there; both take their time.
  edge.judge.prepare().catch(() => undefined);
  const isWhole = await body.collect(edge.judgeLimitBytes, nothing).catch((error: Error) => {
    throw new ProxyFailure(
      'clientGone',
      `The request broke off after ${body.lengthBytes} bytes of its body (${error.message}).`,
    );
  });
  const read = await readTaken(passage, body, isWhole, request);
  if (read.kind === 'unread') passage.notJudged.push(`request ${read.why}`);
  passage.requestText = isWhole ? toKeptText(body.taken, request.headers['content-encoding']) : undefined;
  passage.view = toRequestView(route.operation, route.below, toRecord(pairs), read);
}

const nothing = () => undefined;

/** Takes in the body of an answer up to the limit. Undefined where the answer is not one to be judged. */
export async function takeAnswer(passage: Passage, incoming: IncomingMessage): Promise<AnswerView | undefined> {
  const body = new BodyReader(incoming);
  passage.answerBody = body;
  if (passage.view === undefined) return undefined;
  const why = whyNotJudged(passage, incoming);
  if (why !== undefined) {
    passage.notJudged.push(why);
    return undefined;
  }
  passage.isAnswerWhole = await body.collect(passage.edge.judgeLimitBytes, passage.renewPatience);
  const read = await readTaken(passage, body, passage.isAnswerWhole, incoming);
  if (read.kind === 'unread') passage.notJudged.push(`answer ${read.why}`);
  passage.answerText = passage.isAnswerWhole ? toKeptText(body.taken, incoming.headers['content-encoding']) : undefined;
  return { status: incoming.statusCode ?? 0, headers: toRecord(pairsOf(incoming.rawHeaders)), body: read };
}

// An event stream may never end; a part, and what has not changed, are what the client asked HTTP for.
function whyNotJudged({ request }: Passage, { statusCode, headers }: IncomingMessage): string | undefined {
  if (isEventStream(headers)) return 'event stream';
  if (statusCode === 206 && request.headers.range !== undefined) return 'part of an answer';
  return statusCode === 304 ? 'not modified' : undefined;
}

/** Whether an answer may keep silent for as long as it likes. */
export function isEventStream(headers: IncomingHttpHeaders): boolean {
  return mediaTypeOf({ 'content-type': headers['content-type'] ?? '' }) === 'text/event-stream';
}

function readTaken({ edge }: Passage, body: BodyReader, isWhole: boolean, { headers }: IncomingMessage): Promise<Body> {
  const lengthBytes = Math.max(body.lengthBytes, Number(headers['content-length'] ?? 0));
  const encoding = headers['content-encoding'];
  return readBody({ bytes: body.taken, lengthBytes, isWhole, encoding }, edge.judgeLimitBytes);
}

/** The beginning of a body for the journal; nothing of one that is compressed. */
function toKeptText(bytes: Buffer, encoding: string | undefined): string | undefined {
  if (bytes.length === 0 || (encoding ?? 'identity') !== 'identity') return undefined;
  return bytes.subarray(0, keptTextBytes + longestSecretBytes).toString();
}
