import { refusalsOf } from '../../../openapi/contract/contract-for.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { type RefusalKind, refusals } from '../../../openapi/contract/refusals.ts';
import { refuse } from '../../domain/refusal.ts';
import type { Answer, RequestHeaders } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { statusProblem } from '../status-problem.ts';
import type { Status } from './fault.ts';

const detail = 'A fault caused this response. The header X-Fault names the fault.';

/**
 * The response of a status fault to a call with these headers: the operation's own error with the code, if it has one, in
 * the shape of the caller's profile.
 */
export function toStatusAnswer(
  engine: Engine,
  operation: Operation,
  headers: RequestHeaders,
  { code, retryAfterSeconds }: Status,
): Answer {
  const applied = engine.appliedFor(headers);
  const kind = ownRefusal(operation, applied.profile, code);
  const answer =
    kind === undefined
      ? applied.problem(statusProblem(code, detail))
      : engine.refusal(refuse(kind, detail), undefined, { headers });
  if (retryAfterSeconds === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfterSeconds) } };
}

function ownRefusal(operation: Operation, profile: Profile, code: number): RefusalKind | undefined {
  const kinds: RefusalKind[] = ['unauthenticated', ...refusalsOf(operation, profile)];
  return kinds.find((kind) => refusals[kind].status(profile) === code);
}
