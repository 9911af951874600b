/** A file has one of three statuses (section 2). */
import type { components } from '../../../openapi/types.strict.ts';

export function isFailed({ status }: components['schemas']['DriveFile']): boolean {
  return status === 'failed'; // refused: TS2367 no overlap
}
