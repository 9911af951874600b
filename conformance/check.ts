import type { Sentence } from '../lib/sentence.ts';
import type { OperationId } from '../openapi/contract/operations.ts';
import type { Demands } from './plan/demands.ts';
import type { Session } from './session.ts';

/**
 * When a check runs: readings first, deletions late, and last the checks that judge all replies of the run. Requests
 * that must have no effect come before those that do have it: publications in `create` and `list`, deletions in
 * `guard`.
 */
export const phases = ['read', 'create', 'list', 'publish', 'move', 'guard', 'delete', 'judge'] as const;
export type Phase = (typeof phases)[number];

/**
 * One executable test of a requirement. `requirements.yaml` has its id, its level and what it judges. `run` returns
 * if all is well (with a remark, if there is one), and throws `Violated` or `Inconclusive` otherwise. `needs` and `effects`
 * default to those of a valid request of the operation.
 */
export interface Check extends Partial<Demands> {
  id: string;
  operation: OperationId;
  phase: Phase;
  /** Whether it runs after all earlier checks in its phase: it looks for what they must not change. */
  isLast?: boolean;
  /**
   * Whether all its requests must be refused for their key and it only judges the responses. Such checks run together.
   */
  isAboutKeys?: boolean;
  /** Whether it judges all responses so far. It runs again at the end, when there are more, and sends nothing then. */
  isAboutAnswers?: boolean;
  /** Whether it judges an open but dangerous choice: a server fails unless the config declares that choice. */
  declaredBy?: 'foreignResources';
  /** Throws if later responses break what it judges. Called at the end of the run if it passed; sends nothing. */
  atEnd?(session: Session): void;
  /** What it does, as one sentence for `--explain`. */
  does: string;
  // biome-ignore lint/suspicious/noConfusingVoidType: most checks return nothing.
  run(session: Session): Promise<Sentence | void>;
}

const howToDeclare = 'declare openPoints.foreignResources: shared in the config; then this only warns.';

/** When to declare what {@link Check.declaredBy} names, and how: a row of its own in reports. */
export const ifMeant = `organizations share resources by their ids: ${howToDeclare}`;

/** The same at the end of a reason. */
export const adviceIfMeant = `If organizations are meant to share resources by their ids, ${howToDeclare}`;

/** Creates the checks of one operation that run in the same phase. `more` overrides the defaults. */
export function checksOf(operation: OperationId, phase: Phase) {
  return (rule: string, does: string, run: Check['run'], more: Partial<Check> = {}): Check => ({
    id: `${operation}.${rule}`,
    operation,
    phase,
    does,
    run,
    ...more,
  });
}
