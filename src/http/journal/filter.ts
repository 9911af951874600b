import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Kept } from './kept.ts';

/** Which exchanges are wanted; what is left out may be anything. */
export interface JournalFilter {
  organizationId?: string | undefined;
  operationId?: OperationId | undefined;
  status?: number | undefined;
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
}

/** Whether a filter lets an exchange through. */
export function isWanted({ answer, timeMs }: Kept, filter: JournalFilter): boolean {
  const { organizationId, operationId, status, sinceMs = Number.NEGATIVE_INFINITY } = filter;
  const { untilMs = Number.POSITIVE_INFINITY } = filter;
  return (
    (organizationId === undefined || answer.about?.organizationId === organizationId) &&
    (operationId === undefined || answer.about?.operationId === operationId) &&
    (status === undefined || answer.status === status) &&
    timeMs >= sinceMs &&
    timeMs <= untilMs
  );
}
