import type { Answer } from '../engine/call.ts';
import type { Damage } from '../workbench/faults/damage.ts';
import { reasonPhrase } from '../workbench/status-problem.ts';
import { arrivalOf, streamOf } from './body.ts';
import type { PageRequest } from './request.ts';

const encoder = new TextEncoder();

/** The length of a text in UTF-8. */
export function lengthBytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** What `fetch` rejects with where the connection is lost. Its cause says why. */
export class LostConnection extends TypeError {
  constructor(cause: unknown) {
    super('Failed to fetch', { cause });
  }
}

/** Why an exchange ends without an answer, or in the middle of one. */
export function causeOf({ about }: Pick<Answer, 'about'>, effect: string): Error {
  const faults = about?.faults?.join(', ') ?? '';
  return new Error(`The mock was told to: ${faults} (${effect}) applied to ${about?.operationId ?? 'this request'}.`);
}

/** An answer as a response, with more headers before its own. */
export function toResponse(
  request: PageRequest,
  answer: Answer,
  { more, damage }: { more: Readonly<Record<string, string>>; damage: Damage | undefined },
): Response {
  const { status, headers, body = '' } = answer;
  const bytes = encoder.encode(body);
  const hasLength = status !== 204 && status !== 304;
  const length = hasLength ? { 'content-length': String(bytes.length) } : {};
  const isEmpty = request.method === 'HEAD' || [204, 205, 304].includes(status);
  const failure = () => new TypeError('network error', { cause: causeOf(answer, 'truncatedBody') });
  const sent = isEmpty ? null : streamOf(request.connection, arrivalOf(bytes, damage, failure));
  const init = { status, statusText: reasonPhrase(status), headers: { ...more, ...length, ...headers } };
  return asFetched(new Response(sent, init), request.address);
}

/** A text that is sent in pieces until the reader stops it. */
export function toEventResponse(
  { address, connection }: PageRequest,
  stream: (write: (text: string) => void) => () => void,
  headers: Readonly<Record<string, string>>,
): Response {
  let stop = () => {};
  const texts = streamOf(connection, {
    start: ({ write }) => {
      stop = stream((text) => write(encoder.encode(text)));
    },
    stop: () => stop(),
  });
  const all = { 'content-type': 'text/event-stream', ...headers };
  return asFetched(new Response(texts, { statusText: reasonPhrase(200), headers: all }), address);
}

/** A response with what only those of `fetch` have: where they come from, and headers that nobody changes. */
function asFetched(response: Response, url: string): Response {
  const refuse = () => {
    throw new TypeError('The headers of this response cannot be changed.');
  };
  for (const name of ['append', 'delete', 'set']) Object.defineProperty(response.headers, name, { value: refuse });
  return Object.defineProperties(response, {
    url: { value: url },
    type: { value: 'basic' },
    clone: { value: () => asFetched(Response.prototype.clone.call(response), url) },
  });
}
