import { plural } from '../../reporting/text.ts';
import type { CheckResult, Leftover, Outcome, Report } from '../report.ts';

/** The outcomes in the order in which a person wants to read them. */
export const readingOrder: readonly Outcome[] = ['failed', 'warned', 'unverified', 'passed', 'skipped'];

/** The reason of the verdict, for instance `41 checks could not be judged; nothing failed`. */
export function verdictReason(report: Report): string {
  const { passed, warned, unverified, skipped } = report.summary;
  const failures = failuresIn(report);
  // A verdict on a few selected checks must not read like one on all of them.
  const left = skipped > 0 ? `${plural(skipped, 'check')} ${skipped === 1 ? 'was' : 'were'} not selected` : '';
  const reasons = {
    'non-conformant': [failures],
    undetermined: [unverified > 0 ? `${plural(unverified, 'check')} could not be judged` : '', failures, left],
    conformant: [`${plural(passed, 'check')} passed`, warned > 0 ? `${warned} warned` : '', failures, left],
  };
  const stopped = report.run.suiteError === undefined ? '' : 'the suite stopped early';
  return [stopped, ...reasons[report.verdict]].filter((part) => part !== '').join('; ');
}

function failuresIn(report: Report): string {
  const { failed } = report.summary;
  const expected = report.checks.filter((check) => check.outcome === 'failed' && isExpected(check)).length;
  if (failed === 0) return 'nothing failed';
  if (expected === 0) return `${plural(failed, 'check')} failed`;
  return `${plural(failed, 'check')} failed, ${expected === failed ? 'as' : `${expected} of them as`} expected`;
}

/** Whether a failure or warning is in the list of expected failures. */
export function isExpected(check: CheckResult): boolean {
  return check.expectedFailure !== undefined;
}

/** The checks with this outcome that are not expected failures. */
export function unexpected(report: Report, outcome: Outcome): CheckResult[] {
  return report.checks.filter((check) => check.outcome === outcome && !isExpected(check));
}

/** The result of each expected failure: `text` continues a sentence that begins with the id. */
export function expectedFailureLines(report: Report): { id: string; text: string; isStale: boolean }[] {
  const { stale, notJudged } = report.expectedFailures;
  const failed = report.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned').filter(isExpected);
  return [
    ...failed.map(({ id, outcome, expectedFailure = '' }) => ({
      ...{ id, isStale: false },
      text: `${outcome} as expected: ${expectedFailure}`,
    })),
    ...stale.map((id) => ({ id, isStale: true, text: 'did not fail: remove it from the list' })),
    ...notJudged.map((id) => ({ id, isStale: false, text: 'was not judged' })),
  ];
}

/** Unverified checks with the same need. */
export interface UnverifiedGroup {
  /** `12 checks need`, followed by the setting; without one, the number of checks and the reason. */
  lead: string;
  /** A flag or a place in the config that lets the checks be judged. */
  setting?: string;
  checks: CheckResult[];
}

/** The unverified checks by the setting that they need, the largest group first. */
export function unverifiedGroups(report: Report): UnverifiedGroup[] {
  const unverified = report.checks.filter(({ outcome }) => outcome === 'unverified');
  const groups = Map.groupBy(unverified, ({ setting, reason }) => JSON.stringify([setting ?? null, setting ?? reason]));
  return [...groups.values()].map(toGroup).sort((a, b) => b.checks.length - a.checks.length);
}

function toGroup(checks: CheckResult[]): UnverifiedGroup {
  const { setting, reason = '' } = checks[0] ?? {};
  const count = plural(checks.length, 'check');
  if (setting === undefined) return { lead: `${count}: ${reason || 'no reason is known'}`, checks };
  return { lead: `${count} ${checks.length === 1 ? 'needs' : 'need'}`, setting, checks };
}

/** What a leftover is, for people. */
export function leftoverKind(kind: Leftover['kind']): string {
  if (kind === 'mcpServer') return 'MCP server';
  return kind === 'deletedFile' ? 'deleted file' : kind;
}
