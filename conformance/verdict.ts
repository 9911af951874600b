import { type CheckResult, type Outcome, outcomes, type Report, type Summary, type Verdict } from './report.ts';
import { unmetChoices } from './required-choices.ts';

/** How many checks ended with each outcome. */
export function summarize(checks: readonly CheckResult[]): Summary {
  const counts = outcomes.map((outcome) => [outcome, checks.filter((check) => check.outcome === outcome).length]);
  return Object.fromEntries(counts) as Summary;
}

/** Non-conformant if a must failed; conformant if none failed and everything was judged; else undetermined. */
export function verdictOf({ failed, unverified, passed, warned }: Summary, isWhole: boolean): Verdict {
  if (failed > 0) return 'non-conformant';
  return isWhole && unverified === 0 && passed + warned > 0 ? 'conformant' : 'undetermined';
}

/**
 * The exit code of a run. 0: no must failed. 1: a must failed, even if the suite stopped early afterwards; or an expected
 * failure is stale, or a required choice was not seen; or, if strict, a should is broken or something could not be judged. 2: the suite stopped early, the target
 * crashed, or nothing was judged. Expected failures do not count; crashes always do.
 */
export function exitCodeOf(report: Report, isStrict: boolean): 0 | 1 | 2 {
  const { summary, checks, expectedFailures, run } = report;
  const unexpected = checks.filter(({ expectedFailure }) => expectedFailure === undefined);
  const has = (outcome: Outcome) => unexpected.some((check) => check.outcome === outcome);
  if (has('failed')) return 1;
  if (run.suiteError !== undefined || run.crashes !== undefined) return 2;
  if (expectedFailures.stale.length > 0 || unmetChoices(report).length > 0) return 1;
  if (summary.passed + summary.failed + summary.warned === 0) return 2;
  return isStrict && (has('warned') || has('unverified')) ? 1 : 0;
}
