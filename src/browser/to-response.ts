import type { WritePiece } from '../app/admin-api/control.ts';
import type { Damage } from '../app/faults/effects.ts';
import { reasonPhrase } from '../app/status-problem.ts';
import type { Answer } from '../engine/call.ts';
import { arrivalOf, type Body, createBody } from './body.ts';
import type { PageRequest } from './request.ts';

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function lengthBytesOf(text: string): number {
  return toBytes(text).length;
}

/** Why an exchange ends without a response, or in the middle of one. */
export function causeOf({ about }: Pick<Answer, 'about'>, effect: string): Error {
  const faults = about?.faults?.join(', ') ?? '';
  return new Error(`Injected on purpose: ${faults} (${effect}) applied to ${about?.operationId ?? 'this request'}.`);
}

/** An answer as a `Response`; the `more` headers come first. */
export function toResponse(
  request: PageRequest,
  answer: Answer,
  { more, damage }: { more: Readonly<Record<string, string>>; damage: Damage | undefined },
): Response {
  const { status, headers, body: text = '' } = answer;
  const bytes = toBytes(text);
  const hasLength = status !== 204 && status !== 304;
  const length = hasLength ? { 'content-length': String(bytes.length) } : {};
  const isEmpty = request.method === 'HEAD' || [204, 205, 304].includes(status);
  const failure = () => new TypeError('network error', { cause: causeOf(answer, 'truncatedBody') });
  const body = isEmpty ? undefined : createBody(request.connection, arrivalOf(bytes, damage, failure));
  return asFetched({ status, headers: { ...more, ...length, ...headers } }, body, request.address);
}

/** A stream of text or bytes, sent in pieces until the reader cancels it. */
export function toEventResponse(
  { address, connection }: PageRequest,
  stream: (write: WritePiece) => () => void,
  headers: Readonly<Record<string, string>>,
): Response {
  let stop = () => {};
  const body = createBody(connection, {
    start: ({ write }) => {
      stop = stream((piece) => write(typeof piece === 'string' ? toBytes(piece) : piece));
    },
    stop: () => stop(),
  });
  // As over HTTP. Without a length or this header, MSW 3 ends the process when a client aborts.
  const own = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' };
  return asFetched({ status: 200, headers: { ...own, ...headers } }, body, address);
}

function asFetched({ status, headers }: Answer, body: Body | undefined, url: string): Response {
  const response = new Response(body?.stream ?? null, { status, statusText: reasonPhrase(status), headers });
  return withOrigin(response, body, url);
}

/** A response with what only `fetch` responses have: a URL and type, immutable headers, and the reason of an abort. */
function withOrigin(response: Response, body: Body | undefined, url: string): Response {
  const refuse = () => {
    throw new TypeError('The headers of this response cannot be changed.');
  };
  for (const name of ['append', 'delete', 'set']) Object.defineProperty(response.headers, name, { value: refuse });
  for (const name of readers)
    if (name in response) Object.defineProperty(response, name, { value: () => readBy(response, name, body) });
  const clone = () => withOrigin(Response.prototype.clone.call(response), body, url);
  return Object.defineProperties(response, { url: { value: url }, type: { value: 'basic' }, clone: { value: clone } });
}

const readers = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const;

async function readBy(response: Response, name: (typeof readers)[number], body: Body | undefined): Promise<unknown> {
  const isFirst = !response.bodyUsed && response.body?.locked !== true;
  try {
    return await Response.prototype[name].call(response);
  } catch (error) {
    throw isFirst && body?.failed !== undefined ? body.failed.error : error;
  }
}
