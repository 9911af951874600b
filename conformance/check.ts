import type { OperationId } from '../openapi/contract/operations.ts';
import type { Sentence } from '../openapi/reading/sentence.ts';
import type { Demands } from './plan/demands.ts';
import type { Session } from './session.ts';

/**
 * When a check runs: readings first, deletions late, and last the checks that judge all replies of the run. Requests that must
 * have no effect come before anything else that could have it: publications in `create` and `list`, deletions in `guard`.
 */
export const phases = ['read', 'create', 'list', 'publish', 'move', 'guard', 'delete', 'judge'] as const;
export type Phase = (typeof phases)[number];

/**
 * One executable test of a requirement. `requirements.yaml` names its id, and gives its level and what it judges. `run` returns
 * if all is well (with a remark, if there is one), and throws `Violated` or `Inconclusive` otherwise. `needs` and `effects`
 * default to those of a valid request of the operation.
 */
export interface Check extends Partial<Demands> {
  id: string;
  operation: OperationId;
  phase: Phase;
  /** Whether it runs after all checks before it in its phase, though it reads nothing that they change: it looks for what they must not change. */
  isLast?: boolean;
  /** Whether all its requests have to be refused for their key, and only the responses are judged. Such checks run together. */
  isAboutKeys?: boolean;
  /** Whether it judges all responses so far, and sends nothing when it runs again: at the end there are more responses. */
  isAboutAnswers?: boolean;
  /** Whether what it judges is open, but so dangerous that a server has to say so: the config declares it, or it fails. */
  declaredBy?: 'foreignResources';
  /** Throws if responses that came by the end of the run break what it judges. Called if it passed; sends nothing. */
  atEnd?(session: Session): void;
  /** What it does, in one sentence, for `--explain`. */
  does: string;
  // biome-ignore lint/suspicious/noConfusingVoidType: most checks return nothing.
  run(session: Session): Promise<Sentence | void>;
}

/** Makes the checks of one operation that run in the same phase. `more` is what differs from the defaults. */
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
