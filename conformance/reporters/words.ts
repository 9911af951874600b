import type { CheckResult, Outcome, Report } from '../report.ts';
import { plural } from './text.ts';

/** The outcomes in the order in which a person wants to read them. */
export const readingOrder: readonly Outcome[] = ['failed', 'warned', 'unverified', 'passed', 'skipped'];

/** The verdict and what it rests on, for instance `41 checks could not be judged; nothing failed`. */
export function verdictReason(report: Report): string {
  const { suiteError } = report.run;
  const brokeOff = suiteError === undefined ? '' : 'the suite broke off before its end; ';
  return `${brokeOff}${restsOn(report)}`;
}

function restsOn(report: Report): string {
  const { passed, warned, unverified, skipped } = report.summary;
  switch (report.verdict) {
    case 'non-conformant':
      return failuresIn(report);
    case 'undetermined':
      return joined([
        unverified > 0 ? `${plural(unverified, 'check')} could not be judged` : '',
        failuresIn(report),
        notAsked(skipped),
      ]);
    case 'conformant':
      return joined([
        `${plural(passed, 'check')} passed`,
        warned > 0 ? `${warned} warned` : '',
        failuresIn(report),
        notAsked(skipped),
      ]);
  }
}

function failuresIn(report: Report): string {
  const { failed } = report.summary;
  const expected = report.checks.filter((check) => check.outcome === 'failed' && isExpected(check)).length;
  if (failed === 0) return 'nothing failed';
  if (expected === 0) return `${plural(failed, 'check')} failed`;
  return `${plural(failed, 'check')} failed, ${expected === failed ? 'as' : `${expected} of them as`} expected`;
}

// A verdict on a few chosen checks must not read like one on all of them.
function notAsked(skipped: number): string {
  return skipped > 0 ? `${plural(skipped, 'check')} ${skipped === 1 ? 'was' : 'were'} not asked for` : '';
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}

export function isExpected(check: CheckResult): boolean {
  return check.expectedFailure !== undefined;
}

/** The checks with this outcome, but for those that the list of expected failures has. */
export function unexpected(report: Report, outcome: Outcome): CheckResult[] {
  return report.checks.filter((check) => check.outcome === outcome && !isExpected(check));
}

/** The checks that failed or warned as the list of expected failures says. */
export function expected(report: Report): CheckResult[] {
  return report.checks.filter(
    (check) => (check.outcome === 'failed' || check.outcome === 'warned') && isExpected(check),
  );
}

/** Checks that were not judged, and the one thing that would let them be. */
export interface UnverifiedGroup {
  /** `12 checks need`, which the setting ends; where no setting helps, how many there are and why. */
  lead: string;
  /** A flag or a place in the config. */
  setting?: string;
  checks: CheckResult[];
}

/** The unverified checks by the setting that would verify them, the largest group first. */
export function unverifiedGroups(report: Report): UnverifiedGroup[] {
  const unverified = report.checks.filter(({ outcome }) => outcome === 'unverified');
  const bySetting = Map.groupBy(unverified, ({ setting, reason }) =>
    JSON.stringify([setting ?? null, setting ?? reason]),
  );
  return [...bySetting.values()].map(toGroup).sort((a, b) => b.checks.length - a.checks.length);
}

function toGroup(checks: CheckResult[]): UnverifiedGroup {
  const { setting, reason = '' } = checks[0] ?? {};
  const count = plural(checks.length, 'check');
  if (setting === undefined) return { lead: `${count}: ${reason || 'no reason is known'}`, checks };
  return { lead: `${count} ${checks.length === 1 ? 'needs' : 'need'}`, setting, checks };
}

const leftoverKinds = {
  drive: 'drive',
  mcpServer: 'MCP server',
  file: 'file',
  deletedFile: 'deleted file',
  publication: 'publication',
} as const;

/** What a leftover is, for people. */
export function leftoverKind(kind: keyof typeof leftoverKinds): string {
  return leftoverKinds[kind];
}
