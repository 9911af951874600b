import type { ServerResponse } from 'node:http';
import type { Answer } from '../engine/call.ts';

/** A response with all its headers, as it goes over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
  /** The length of the body, in UTF-8. */
  readonly lengthBytes: number;
}

/** Writes a response in one way or another. */
export type Deliver = (response: ServerResponse, answer: WireAnswer) => void;

/** A response with its length, and with more headers before its own. */
export function toWire({ status, headers, body = '' }: Answer, more: WireAnswer['headers'] = {}): WireAnswer {
  const lengthBytes = Buffer.byteLength(body);
  const all = { ...more };
  if (status !== 204 && status !== 304) all['content-length'] = lengthBytes;
  return { status, body, lengthBytes, headers: Object.assign(all, headers) };
}

/** Sends a response in one piece, headers and body. */
export const writeWhole: Deliver = (response, { status, headers, body, lengthBytes }) => {
  response.writeHead(status, headers);
  // Text of as many bytes as characters is ASCII: Node sends it in one piece with the headers. Other text it would send
  // so as well, and spoil a header that is not ASCII.
  if (lengthBytes === body.length) response.end(body, 'latin1');
  else response.end(Buffer.from(body));
};
