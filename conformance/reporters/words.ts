import { plural } from '../../lib/text.ts';
import type { CheckResult, Outcome, Report, RequiredChoice } from '../report.ts';
import { isMet } from '../required-choices.ts';

/** The outcomes in reading order. */
export const readingOrder: readonly Outcome[] = [
  ...(['failed', 'warned', 'inconclusive', 'not-enabled', 'passed', 'skipped'] as const),
];

/** An outcome in words. */
export function inWords(outcome: Outcome): string {
  return outcome.replace('-', ' ');
}

/** One line per kind of server error, such as `GET /agents: 500, 3 times`. */
export function serverErrorLines({ serverErrors = [] }: Report): { text: string; curl: string }[] {
  return serverErrors.map(({ method, path, status, count, curl }) => {
    return { text: `${method} ${path}: ${status}, ${plural(count, 'time')}`, curl };
  });
}

/** One line per crash of the target. */
export function crashLines({ run }: Report): string[] {
  return (run.crashes ?? []).map(({ request, check, isRepeated }) => {
    const by = check === undefined ? '' : `, sent by ${check}`;
    return `${request}${by}: ${isRepeated ? 'crashed it again when repeated' : 'crashed it once'}`;
  });
}

/** Whether a result is in the list of expected failures, or follows from one that is. */
export function isExpected(check: CheckResult): boolean {
  return check.expectedFailure !== undefined;
}

/** The title of the findings with an outcome. They are fewer than the count of the outcome if some are expected. */
export function findingsTitle({ checks }: Report, outcome: 'failed' | 'warned'): string {
  const known = checks.filter((check) => check.outcome === outcome && isExpected(check)).length;
  const title = outcome === 'failed' ? 'Failures' : 'Warnings';
  return known === 0 ? title : `${title} besides ${known} expected`;
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

/** Checks that were not judged, with the same missing setting or obstacle. */
export interface UnjudgedGroup {
  /** `12 checks need`, followed by the setting; without one, the number of checks and the reason. */
  lead: string;
  /** The flag or place in the config that enables the checks, the failed check that prevents them, or what came. */
  setting?: string;
  checks: CheckResult[];
}

/** The checks that were not judged, with this outcome, by missing setting or obstacle, largest group first. */
export function unjudgedGroups(report: Report, outcome: 'inconclusive' | 'not-enabled'): UnjudgedGroup[] {
  const unjudged = report.checks.filter((check) => check.outcome === outcome);
  const needOf = ({ because, setting, obstacle }: CheckResult) => because ?? setting ?? obstacle;
  const groups = Map.groupBy(unjudged, (check) =>
    JSON.stringify([needOf(check) ?? null, needOf(check) ?? check.reason]),
  );
  const bySize = [...groups.values()].sort((a, b) => b.length - a.length);
  return bySize.map((checks) => toGroup(checks, report));
}

function toGroup(checks: CheckResult[], report: Report): UnjudgedGroup {
  const { setting, because, obstacle, reason = '' } = checks[0] ?? {};
  const count = plural(checks.length, 'check');
  if (because !== undefined) return { lead: `${count} could not be judged because of`, setting: because, checks };
  if (setting !== undefined) return { lead: `${count} ${checks.length === 1 ? 'needs' : 'need'}`, setting, checks };
  if (obstacle === undefined) return { lead: `${count}: ${reason || 'no reason is known'}`, checks };
  return { lead: `${count} could not be judged:`, setting: counted(obstacle, report), checks };
}

const mostReasons = 4;

/**
 * The checks of a group by reason, if the reasons say more than the title of the group. Otherwise all checks together,
 * without a reason: permissions and failed checks explain themselves, and many reasons would hide the rest.
 */
export function reasonsIn({ setting, checks }: UnjudgedGroup): { reason: string; checks: CheckResult[] }[] {
  const all = [{ reason: '', checks }];
  if (setting === undefined || setting.startsWith('--') || checks[0]?.because !== undefined) return all;
  const byReason = Map.groupBy(checks, ({ reason = '' }) => reason);
  if (byReason.size > mostReasons) return all;
  return Array.from(byReason, ([reason, ofIt]) => ({ reason, checks: ofIt }));
}

/** An obstacle with its count in the run: `status 429, 812 times`. */
export function counted(obstacle: string, { run }: Report): string {
  const trouble = run.troubles?.find(({ what }) => what === obstacle);
  return trouble === undefined ? obstacle : `${obstacle}, ${plural(trouble.count, 'time')}`;
}

/** The checks that could not be judged and do not follow from a known failure. */
export function inconclusiveChecks({ checks }: Report): CheckResult[] {
  return checks.filter((check) => check.outcome === 'inconclusive' && !isExpected(check));
}

/** The obstacles of checks, most frequent first; a failed check is named by its id. */
export function obstaclesIn(report: Report): string[] {
  const obstacles = Map.groupBy(inconclusiveChecks(report), ({ because, obstacle }) => because ?? obstacle ?? '');
  const named = [...obstacles].filter(([obstacle]) => obstacle !== '').sort(([, a], [, b]) => b.length - a.length);
  return named.map(([obstacle]) => counted(obstacle, report));
}

/** The result of a required choice: `text` continues a sentence that begins with the open point and the choice. */
export function requiredChoiceLines({
  requiredChoices = [],
  samples,
}: Report): { choice: string; text: string; isMet: boolean }[] {
  return requiredChoices.map((one) => {
    const text = choiceText(one, samples[one.openPoint]);
    return { choice: `${one.openPoint}=${one.required}`, text, isMet: isMet(one) };
  });
}

function choiceText(choice: RequiredChoice, sample: string | undefined): string {
  const { seen, reason } = choice;
  if (isMet(choice)) return 'is required, and was seen';
  if (seen === undefined) return `is required, and was not seen${reason === undefined ? '' : `. ${reason}`}`;
  if (seen !== 'other') return `is required; ${seen} was seen`;
  return `is required; none of the listed choices was seen${sample === undefined ? '' : `, but ${sample}`}`;
}
