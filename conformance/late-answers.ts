import type { JudgedCheck } from './causes.ts';
import type { RegisteredCheck } from './checks/index.ts';
import { inParallel } from './in-parallel.ts';
import { judgeAtEnd, runCheck } from './run-check.ts';
import type { Session } from './session.ts';

/**
 * The results after late responses: observing and tidying up also send requests. Passed checks of responses judge all
 * responses once more, and all are searched for what a valid request must not cause.
 */
export function withLateAnswers(
  session: Session,
  checks: readonly RegisteredCheck[],
  results: readonly JudgedCheck[],
): Promise<JudgedCheck[]> {
  const byId = new Map(checks.map((check) => [check.id, check]));
  return inParallel(results, async (result) => {
    const check = byId.get(result.id);
    if (check === undefined || result.outcome !== 'passed') return result;
    return check.isAboutAnswers ? judgeAgain(session, check, result) : judgeAtEnd(session, check, result);
  });
}

async function judgeAgain(session: Session, check: RegisteredCheck, result: JudgedCheck): Promise<JudgedCheck> {
  const again = await runCheck(session, check);
  return again.outcome === 'failed' || again.outcome === 'warned' ? again : result;
}
