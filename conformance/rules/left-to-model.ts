import type { OperationId } from '../../openapi/contract/operations.ts';
import { type Check, checksOf } from '../checks/check.ts';
import { successfulReplies } from '../probing/operations.ts';

/** A check of every response of an operation that sends as much as is needed to judge it, and leaves that to the model. */
export function leftToModel(operation: OperationId, rule: string, does: string): Check {
  const run = async (session: Parameters<Check['run']>[0]) => void (await successfulReplies(session, operation));
  return checksOf(operation, 'judge')(rule, does, run, { isJudgedByModel: true, isAboutAnswers: true });
}
