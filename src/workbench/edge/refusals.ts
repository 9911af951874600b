import type { Operation } from '../../../openapi/contract/operations.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';

/** Whether the key of a request is judged before all else: where it may carry a body, which is not read without one. */
export function isKeyFirst({ method }: Operation): boolean {
  return method !== 'GET';
}

/** The refusal for a path that cannot be decoded. */
export const notEncoded = refuse('malformedRequest', 'The path is not percent-encoded UTF-8.');

/** The refusal for a body above a limit. */
export function tooLarge(limitBytes: number): Refusal {
  return refuse('bodyTooLarge', `The body is larger than ${limitBytes} bytes. Send a smaller one.`);
}
