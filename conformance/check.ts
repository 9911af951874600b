import type { OperationId } from '../openapi/contract/operations.ts';
import type { Demands } from './plan/demands.ts';
import type { Session } from './session.ts';

/**
 * When a check runs: readings first, deletions late, and last what judges all that was answered. What must have no effect
 * is tried before anything else could have had it: publications with the creations, deletions under `guard`.
 */
export const phases = ['read', 'create', 'list', 'publish', 'move', 'guard', 'delete', 'judge'] as const;
export type Phase = (typeof phases)[number];

/**
 * One executable test of a requirement. Its id stands in `requirements.yaml`, which gives its level and what it judges.
 * `run` returns when all is well (with a remark, if there is something to say), and throws `Violated` or `Unverified`.
 * `needs` and `effects` are those of a valid request of the operation, unless said otherwise.
 */
export interface Check extends Partial<Demands> {
  id: string;
  operation: OperationId;
  phase: Phase;
  /** What it does, in one sentence, for `--explain`. */
  does: string;
  run(session: Session): Promise<unknown>;
}
