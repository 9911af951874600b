import type { Answer } from '../engine/call.ts';
import { type Damage, dribble, half } from '../workbench/faults/damage.ts';

const encoder = new TextEncoder();

/** The length of a text in UTF-8. */
export function lengthBytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** What `fetch` rejects with where the connection is lost. */
export class LostConnection extends TypeError {
  constructor() {
    super('Failed to fetch');
  }
}

/** An answer as a response, with more headers before its own. */
export function toResponse(
  { status, headers, body = '' }: Answer,
  { method, more, damage }: { method: string; more: Readonly<Record<string, string>>; damage: Damage | undefined },
): Response {
  const bytes = encoder.encode(body);
  const hasLength = status !== 204 && status !== 304;
  const length = hasLength ? { 'content-length': String(bytes.length) } : {};
  const isEmpty = method === 'HEAD' || [204, 205, 304].includes(status);
  const sent = isEmpty ? null : damage === undefined ? bytes : damaged(bytes, damage);
  return new Response(sent, { status, headers: { ...more, ...length, ...headers } });
}

/** A text that is sent in pieces until the reader stops it. */
export function toEventResponse(
  stream: (write: (text: string) => void) => () => void,
  headers: Readonly<Record<string, string>>,
): Response {
  let stop = () => {};
  const texts = new ReadableStream<Uint8Array>({
    start: (controller) => {
      stop = stream((text) => controller.enqueue(encoder.encode(text)));
    },
    cancel: () => stop(),
  });
  return new Response(texts, { headers: { 'content-type': 'text/event-stream', ...headers } });
}

function damaged(bytes: Uint8Array, damage: Damage): ReadableStream<Uint8Array> {
  return damage.kind === 'truncatedBody' ? truncated(bytes) : dribbled(bytes, damage);
}

// The error comes with the next read: one that came at once would take the first half with it.
function truncated(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const sent = half(bytes);
  let isSent = sent.length === 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (isSent) controller.error(new TypeError('network error'));
        else controller.enqueue(sent);
        isSent = true;
      },
    },
    { highWaterMark: 0 },
  );
}

function dribbled(bytes: Uint8Array, damage: Extract<Damage, { kind: 'slowDribble' }>): ReadableStream<Uint8Array> {
  let isRead = true;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const ifRead = (act: () => void) => () => (isRead ? act() : undefined);
      const write = (piece: Uint8Array) => ifRead(() => controller.enqueue(piece))();
      dribble(bytes, damage, { write, end: ifRead(() => controller.close()) });
    },
    cancel: () => {
      isRead = false;
    },
  });
}
