import { plural } from '../../reporting/text.ts';
import type { CheckResult, Outcome, Report, RequiredChoice } from '../report.ts';
import { isMet } from '../required-choices.ts';

/** The outcomes in the order in which a person wants to read them. */
export const readingOrder: readonly Outcome[] = ['failed', 'warned', 'unverified', 'passed', 'skipped'];

/** What is to be said of each kind of server error, such as `GET /agents: 500, 3 times`. */
export function serverErrorLines({ serverErrors = [] }: Report): { text: string; curl: string }[] {
  return serverErrors.map(({ method, path, status, count, curl }) => {
    return { text: `${method} ${path}: ${status}, ${plural(count, 'time')}`, curl };
  });
}

/** What is to be said of each crash of the target, in one line each. */
export function crashLines({ run }: Report): string[] {
  return (run.crashes ?? []).map(({ request, check, isRepeated }) => {
    const by = check === undefined ? '' : `, sent by ${check}`;
    return isRepeated ? `twice, by ${request}${by}` : `once, during ${request}${by}`;
  });
}

/** Whether a failure or warning is in the list of expected failures. */
export function isExpected(check: CheckResult): boolean {
  return check.expectedFailure !== undefined;
}

/** The result of each expected failure: `text` continues a sentence that begins with the id. */
export function expectedFailureLines(report: Report): { id: string; text: string; isStale: boolean }[] {
  const { notJudged } = report.expectedFailures;
  const failed = report.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned').filter(isExpected);
  const expired = report.checks.filter(({ noLongerExpected }) => noLongerExpected !== undefined);
  return [
    ...expired.map(({ id, outcome, noLongerExpected }) => ({
      ...{ id, isStale: true },
      text: `${outcome}; it was expected ${noLongerExpected}`,
    })),
    ...failed.map(({ id, outcome, expectedFailure = '' }) => ({
      ...{ id, isStale: false },
      text: `${outcome} as expected: ${expectedFailure}`,
    })),
    ...staleLines(report).map((line) => ({ ...line, isStale: true })),
    ...notJudged.map((id) => ({ id, isStale: false, text: 'was not judged' })),
  ];
}

/** The entries of the expected failures that fail the run, because nothing that they name failed. */
export function staleLines({ expectedFailures }: Report): { id: string; text: string }[] {
  return expectedFailures.stale.map((id) => ({ id, text: 'did not fail: remove it from the list' }));
}

/** Unverified checks with the same need, or the same failure in their way. */
export interface UnverifiedGroup {
  /** `12 checks need`, followed by the setting; without one, the number of checks and the reason. */
  lead: string;
  /** A flag or a place in the config that lets the checks be judged; or the check whose failure prevents them. */
  setting?: string;
  checks: CheckResult[];
}

/** The unverified checks by what they need, the largest group first. */
export function unverifiedGroups(report: Report): UnverifiedGroup[] {
  const unverified = report.checks.filter(({ outcome }) => outcome === 'unverified');
  const needOf = ({ because, setting }: CheckResult) => because ?? setting;
  const groups = Map.groupBy(unverified, (check) =>
    JSON.stringify([needOf(check) ?? null, needOf(check) ?? check.reason]),
  );
  return [...groups.values()].map(toGroup).sort((a, b) => b.checks.length - a.checks.length);
}

function toGroup(checks: CheckResult[]): UnverifiedGroup {
  const { setting, because, reason = '' } = checks[0] ?? {};
  const count = plural(checks.length, 'check');
  if (because !== undefined) return { lead: `${count} cannot be judged because of`, setting: because, checks };
  if (setting === undefined) return { lead: `${count}: ${reason || 'no reason is known'}`, checks };
  return { lead: `${count} ${checks.length === 1 ? 'needs' : 'need'}`, setting, checks };
}

/** What became of a required choice: `text` continues a sentence that begins with the open point and the choice. */
export function requiredChoiceLines({
  requiredChoices = [],
}: Report): { choice: string; text: string; isMet: boolean }[] {
  return requiredChoices.map((one) => {
    return { choice: `${one.openPoint}=${one.required}`, text: choiceText(one), isMet: isMet(one) };
  });
}

function choiceText(choice: RequiredChoice): string {
  const { seen, reason } = choice;
  if (isMet(choice)) return 'is required, and was seen';
  if (seen === undefined) return `is required, and was not seen${reason === undefined ? '' : `. ${reason}`}`;
  return `is required; ${seen === 'other' ? 'none of the listed choices' : seen} was seen`;
}
