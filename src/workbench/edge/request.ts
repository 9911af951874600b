import type { Operation } from '../../../openapi/contract/operations.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { RequestHeaders } from '../../engine/call.ts';

/** Path and query of a request target, without the origin that clients of a proxy put before them. */
export function originForm(target: string): string {
  const form = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  return form.startsWith('?') || form === '' ? `/${form}` : form;
}

/** The path of a request target, decoded, without its query: `/drives` for `http://a/%64rives?limit=1`. */
export function pathOf(target: string): string {
  return decodePath(originForm(target).split('?', 1)[0] as string);
}

/** A path with unnecessarily encoded characters decoded (RFC 3986, section 6.2.2.2). */
export function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Whether the path of a request target is percent-encoded UTF-8. */
export function isEncoded(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  try {
    // The value is used, so that the bundler does not remove the call.
    return decodeURI(path) !== undefined;
  } catch {
    return false;
  }
}

/** Whether the key is checked first: for methods with a body, which is not read without a valid key. */
export function isKeyFirst({ method }: Operation): boolean {
  return method !== 'GET';
}

/** The error response to a path that cannot be decoded. */
export const notEncoded = refuse('malformedRequest', 'The path is not percent-encoded UTF-8.');

/** The error response to a body above a limit. */
export function tooLarge(limitBytes: number): Refusal {
  return refuse('bodyTooLarge', `The body exceeds the limit of ${sizeWords(limitBytes)}.`);
}

/** `1 MiB (1,048,576 bytes)`, `5,000 bytes` */
function sizeWords(bytes: number): string {
  const exact = `${bytes.toLocaleString('en')} bytes`;
  const unit = [1_048_576, 1_024].find((size) => bytes % size === 0);
  if (unit === undefined) return exact;
  return `${bytes / unit} ${unit === 1_024 ? 'KiB' : 'MiB'} (${exact})`;
}

/** The id that a client sent with its request; undefined if it is missing or cannot be reused. */
export function sentRequestId({ 'x-request-id': sent }: RequestHeaders): string | undefined {
  return typeof sent === 'string' && /^[\w.:/+=-]{1,128}$/.test(sent) ? sent : undefined;
}
