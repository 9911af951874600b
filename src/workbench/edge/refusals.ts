import type { Operation } from '../../../openapi/contract/operations.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';

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
