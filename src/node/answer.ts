import type { ServerResponse } from 'node:http';
import type { Answer } from '../engine/call.ts';

/** A response with all its headers, as sent over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
  /** The length of the body in UTF-8. */
  readonly lengthBytes: number;
}

/** A way to write a response. */
export type Deliver = (response: ServerResponse, answer: WireAnswer) => void;

/** A response with its length; the `more` headers come first. */
export function toWire({ status, headers, body = '' }: Answer, more: WireAnswer['headers'] = {}): WireAnswer {
  const lengthBytes = Buffer.byteLength(body);
  const all = { ...more };
  if (status !== 204 && status !== 304) all['content-length'] = lengthBytes;
  return { status, body, lengthBytes, headers: Object.assign(all, headers) };
}

/** Sends a response in one piece, headers and body. */
export const writeWhole: Deliver = (response, { status, headers, body, lengthBytes }) => {
  response.writeHead(status, headers);
  // As many bytes as characters means ASCII, which Node sends in one piece with the headers. It would send other text
  // the same way and corrupt non-ASCII headers.
  if (lengthBytes === body.length) response.end(body, 'latin1');
  else response.end(Buffer.from(body));
};
