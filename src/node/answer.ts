import type { ServerResponse } from 'node:http';
import type { Answer } from '../engine/call.ts';

/** An answer with all its headers, as it goes over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

/** Writes an answer in one way or another. */
export type Deliver = (response: ServerResponse, answer: WireAnswer) => void;

/** An answer with its length, and with more headers before its own. */
export function toWire({ status, headers, body = '' }: Answer, more: WireAnswer['headers'] = {}): WireAnswer {
  const hasLength = status !== 204 && status !== 304;
  return {
    ...{ status, body },
    headers: { ...more, ...(hasLength ? { 'content-length': Buffer.byteLength(body) } : {}), ...headers },
  };
}

/**
 * Sends an answer in one piece. Not through Fastify's `reply.send`: that would add a charset, which is an open point, or
 * send text and headers in two pieces.
 */
export const writeWhole: Deliver = (response, { status, headers, body }) => {
  response.writeHead(status, headers);
  // Text of as many bytes as characters is ASCII: Node sends it in one piece with the headers. Other text it would send
  // so as well, and spoil a header that is not ASCII.
  if ((headers['content-length'] ?? 0) === body.length) response.end(body, 'latin1');
  else response.end(Buffer.from(body));
};
