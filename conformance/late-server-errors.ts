import { own, say } from '../openapi/reading/sentence.ts';
import type { JudgedCheck } from './causes.ts';
import type { RegisteredCheck } from './checks/index.ts';
import { serverErrorIn } from './checks/server-errors.ts';
import { runCheck } from './run-check.ts';
import { isServerError } from './server-errors.ts';
import type { Session } from './session.ts';

/** The results, with the server errors that came after the checks: observing and tidying up send requests as well. */
export function withLateServerErrors(
  session: Session,
  checks: readonly RegisteredCheck[],
  results: readonly JudgedCheck[],
): Promise<JudgedCheck[]> {
  const byId = new Map(checks.map((check) => [check.id, check]));
  return Promise.all(
    results.map((result) => {
      const check = byId.get(result.id);
      return check !== undefined && mayBeLate(result) ? judgeAgain(session, check, result) : result;
    }),
  );
}

// What the tools of a made-up server are answered with is open, and may be a 500.
function mayBeLate({ id, outcome }: JudgedCheck): boolean {
  return outcome === 'passed' && id.endsWith('.no-server-error') && !id.startsWith('listMcpServerTools.');
}

async function judgeAgain(session: Session, check: RegisteredCheck, result: JudgedCheck): Promise<JudgedCheck> {
  const failed = session.repliesOf(check.operation).filter(isServerError);
  const [first] = failed;
  if (first === undefined) return result;
  const { method, url } = first.exchange.request;
  const when = say` (${failed.length} times after the checks, first to ${own(method)} ${own(url)})`;
  const problem = serverErrorIn(session, failed, when);
  return runCheck(session, { ...check, run: () => Promise.reject(problem) });
}
