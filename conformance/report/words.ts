// The words that all reports share: outcomes, their order, and the headline.
import type { Headline } from '../../lib/report-words.ts';
import { plural } from '../../lib/text.ts';
import { loadRequirements } from '../../openapi/contract/load.ts';
import type { Requirement } from '../../openapi/contract/requirements.ts';
import { isMet, unmetChoices } from '../run/verdict.ts';
import type { CheckResult, EndedBy, Outcome, Report, RequiredChoice } from './report.ts';

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
  return known === 0 ? title : `${title} beyond the ${known} expected`;
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
function counted(obstacle: string, { run }: Report): string {
  const trouble = run.troubles?.find(({ what }) => what === obstacle);
  return trouble === undefined ? obstacle : `${obstacle}, ${plural(trouble.count, 'time')}`;
}

/** The checks that could not be judged and do not follow from an expected failure. */
export function inconclusiveChecks({ checks }: Report): CheckResult[] {
  return checks.filter((check) => check.outcome === 'inconclusive' && !isExpected(check));
}

/** The obstacles of checks, most frequent first; a failed check is named by its id. */
function obstaclesIn(report: Report): string[] {
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

/** What serious findings of a run mean, in the register's words. The verdict must not hide them. */
function weaknesses({ checks }: Report): string[] {
  return [...new Set(checks.flatMap((check) => (isFinding(check) ? headlinesOf(check) : [])))];
}

function isFinding({ outcome }: CheckResult): boolean {
  return outcome === 'warned' || outcome === 'failed';
}

/** Whether a finding has its own headline: it is more serious than others at its level. */
function hasHeadline(check: CheckResult): boolean {
  return headlinesOf(check).length > 0;
}

let register: Map<string, Requirement['headline']> | undefined;

function headlinesOf({ operation, requirements }: CheckResult): string[] {
  register ??= new Map(loadRequirements().map(({ id, headline }) => [id, headline]));
  return requirements.flatMap((id) => register?.get(id)?.[operation] ?? []);
}

/**
 * Findings in the order in which to look at them, for every format: first signs that requests of two organizations are
 * mixed up, then those that explain most other results, then operations that are not served and keys that are not
 * accepted, then those with a headline, then those that show a fault most plainly, then the rest by id.
 */
function byCause(findings: readonly CheckResult[], { checks }: Report): CheckResult[] {
  const explained = Map.groupBy(checks, ({ because }) => because);
  const mixed = mixedUp(findings);
  const ranked = findings.map((check) => {
    return {
      check,
      rank: [
        Number(!mixed.includes(check)),
        -(explained.get(check.id)?.length ?? 0),
        Number(check.because !== undefined),
        kindOf(check),
      ],
    };
  });
  const compare = (a: readonly number[], b: readonly number[]) =>
    a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
  const byRank = ranked.sort((a, b) => compare(a.rank, b.rank) || a.check.id.localeCompare(b.check.id, 'en'));
  return byRank.map(({ check }) => check);
}

/**
 * Signs that a server handles a request for the organization of another request in progress: then any rule may break on
 * any operation. If only one list is affected, that list may be wrong.
 */
function mixedUp(findings: readonly CheckResult[]): CheckResult[] {
  const ofLists = findings.filter(({ id }) => /\.(own-list-at-once|hides-other-organization)$/.test(id));
  const isOneList = new Set(ofLists.map(({ operation }) => operation)).size < 2;
  return isOneList ? [] : ofLists.filter(({ id }) => id.endsWith('-at-once'));
}

const basics = [/\.is-served$/, /\.(header|bearer)-key$/];

/** Checks that show a fault more plainly than others that find it too. */
const plainest = [
  /\.dot-dot-segment\.middle$/,
  /\.hides-other-organization$/,
  /-taken-over$/,
  /\.belongs-to-organization$/,
];

function kindOf(check: CheckResult): number {
  const basic = basics.findIndex((pattern) => pattern.test(check.id));
  if (basic >= 0) return basic;
  if (hasHeadline(check)) return basics.length;
  const plain = plainest.findIndex((pattern) => pattern.test(check.id));
  return basics.length + 1 + (plain >= 0 ? plain : plainest.length);
}

/** The checks with this outcome that are not expected failures, by cause. */
export function unexpected(report: Report, outcome: Outcome): CheckResult[] {
  const found = report.checks.filter((check) => check.outcome === outcome && !isExpected(check));
  return byCause(found, report);
}

/** All checks: what failed first, by cause; then the others by outcome. */
export function inReadingOrder(report: Report): CheckResult[] {
  return readingOrder.flatMap((outcome) =>
    byCause(
      report.checks.filter((check) => check.outcome === outcome),
      report,
    ),
  );
}

const mostNamed = 3;

/** Names checks briefly: up to three ids or rules, otherwise the first, which deserves attention first. */
function briefNames(checks: readonly CheckResult[]): string {
  const [first, ...others] = checks;
  if (first === undefined || checks.length <= mostNamed) return checks.map(({ id }) => id).join(', ');
  const byRule = [...Map.groupBy(checks, ruleOf)];
  if (byRule.length > mostNamed) return `${first.id} and ${others.length} more`;
  return byRule.map(([rule, ofIt]) => `${rule} of ${placesOf(ofIt)}`).join(', ');
}

/** `createDrive.name-kept.long` belongs to the rule `name-kept`. */
function ruleOf({ id }: CheckResult): string {
  return id.split('.')[1] ?? id;
}

function placesOf(checks: readonly CheckResult[]): string {
  const operations = [...new Set(checks.map(({ operation }) => operation))];
  return operations.length <= mostNamed ? operations.join(', ') : `${operations.length} operations`;
}

// The words for what weakens a verdict are `headline` in `openapi/requirements.yaml`.

/** The headline as text, for instance `CONFORMANT, with 1 warning: files of another organization can be read; …`. */
export function headlineText(report: Report): string {
  const { word, rest } = headlineOf(report);
  return `${word.toUpperCase()}${rest}`;
}

/** The headline of a run. What weakens the verdict comes right after it. */
export function headlineOf(report: Report): Headline {
  if (isSpotCheck(report)) return ofSpotCheck(report);
  const { verdict } = report;
  // A failure says more than an unmet required choice.
  const isFailed = verdict === 'non-conformant';
  const promised = broken(report);
  const found = [...weaknesses(report), ...warnings(report), ...reasons(report)];
  const said = isFailed ? [...found, ...promised] : [...promised, ...found];
  const rest = said.length === 0 ? '' : `: ${said.join('; ')}`;
  const left = isFailed ? [] : leftOut(report).map((part) => `; ${part}`);
  return { word: verdict, tone: toneOf(report), rest: `${scopeOf(report)}${rest}${left.join('')}` };
}

/** `in 202 of 573 checks, with 1 warning`: a verdict on some checks must not read like one on all of them. */
function scopeOf({ verdict, summary, checks }: Report): string {
  if (verdict !== 'conformant') return '';
  const judged = summary.passed + summary.failed + summary.warned;
  const share =
    judged === checks.length ? `all ${plural(judged, 'check')}` : `${judged} of ${plural(checks.length, 'check')}`;
  return ` in ${share}${summary.warned > 0 ? `, with ${plural(summary.warned, 'warning')}` : ''}`;
}

function toneOf(report: Report): Headline['tone'] {
  if (report.verdict === 'non-conformant' || broken(report).length > 0) return 'bad';
  if (report.verdict === 'inconclusive') return 'open';
  return weaknesses(report).length > 0 || report.summary['not-enabled'] > 0 ? 'weak' : 'good';
}

/** What fails a run besides the contract; the verdict must not hide it. */
function broken(report: Report): string[] {
  const unmet = unmetChoices(report).length;
  const stale = report.expectedFailures.stale.length;
  return [
    ...(unmet === 0 ? [] : [`${plural(unmet, 'required choice')} ${unmet === 1 ? 'was' : 'were'} not seen`]),
    ...(stale === 0 ? [] : [`${plural(stale, 'expected failure')} did not fail`]),
  ];
}

/** The warnings without a headline in the register. */
function warnings(report: Report): string[] {
  const warned = unexpected(report, 'warned').filter((check) => !hasHeadline(check));
  if (warned.length === 0 || report.verdict === 'non-conformant') return [];
  const names = briefNames(warned);
  return [report.verdict === 'conformant' ? names : `${plural(warned.length, 'warning')} (${names})`];
}

/** Why the verdict is what it is, for instance `41 checks could not be judged (status 429, 812 times)`, `nothing failed`. */
function reasons(report: Report): string[] {
  const failures = failuresIn(report);
  const byVerdict = {
    'non-conformant': [failures, notJudged(report)],
    inconclusive: [notJudged(report), failures],
    conformant: [],
  };
  return [stopped(report), crashed(report), ...byVerdict[report.verdict]].filter((part) => part !== '');
}

const namedObstacles = 3;

/** How many checks could not be judged, and what prevented them. */
function notJudged(report: Report): string {
  const { length } = inconclusiveChecks(report);
  const known = report.summary.inconclusive - length;
  if (length === 0 && known > 0) return `${plural(known, 'check')} could not be judged because of expected failures`;
  if (length === 0) return '';
  const all = obstaclesIn(report);
  const more = all.length > namedObstacles ? [`${all.length - namedObstacles} more`] : [];
  const named = [...all.slice(0, namedObstacles), ...more].join('; ');
  return `${plural(length, 'check')} could not be judged${named === '' ? '' : ` (${named})`}`;
}

/** What was not enabled or not selected, most frequent first. */
function leftOut({ checks }: Report): string[] {
  const others = checks.filter(({ outcome, obstacle }) => {
    return outcome === 'not-enabled' || (outcome === 'skipped' && obstacle === undefined);
  });
  const byNeed = [...Map.groupBy(others, ({ setting, reason }) => setting ?? /--[\w-]+/.exec(reason)?.[0])];
  const bySize = byNeed.sort(([, a], [, b]) => b.length - a.length);
  return [...bySize.map(([need, { length }]) => leftLine(need, length)), ...inapplicable(checks)];
}

function leftLine(need: string | undefined, count: number): string {
  if (need === undefined) return `${count} ${count === 1 ? 'was' : 'were'} not selected`;
  return `${count} ${count === 1 ? 'needs' : 'need'} ${need}`;
}

/** Checks that do not apply because of a legal choice of the target. */
function inapplicable(checks: Report['checks']): string[] {
  const { length } = checks.filter(({ outcome, obstacle }) => outcome === 'skipped' && obstacle !== undefined);
  return length === 0 ? [] : [`${length} ${length === 1 ? 'does' : 'do'} not apply to this server`];
}

/** What ended a run early, as a sentence without a full stop. */
export function endingOf(run: Report['run']): string {
  return endings[run.endedBy ?? 'suite'];
}

const endings: Readonly<Record<EndedBy, string>> = {
  suite: 'the suite stopped early',
  user: 'the run was stopped early',
  target: 'the target no longer responds',
  key: 'the target no longer accepts the key',
  'time-limit': 'the run reached --time-limit',
};

function stopped({ run, checks }: Report): string {
  if (run.suiteError === undefined) return '';
  const { length } = checks.filter(({ outcome }) => ['passed', 'failed', 'warned'].includes(outcome));
  const [trouble] = run.endedBy === 'time-limit' ? (run.troubles ?? []) : [];
  const why = trouble === undefined ? '' : ` (${trouble.what}, ${plural(trouble.count, 'time')})`;
  return `${endingOf(run)}${length === 0 ? '' : `, after ${plural(length, 'check')}`}${why}`;
}

function crashed({ run }: Report): string {
  const { crashes = [] } = run;
  return crashes.length === 0 ? '' : `the target crashed ${plural(crashes.length, 'time')}`;
}

function failuresIn(report: Report): string {
  const { failed } = report.summary;
  if (failed === 0) return 'nothing failed';
  const news = unexpected(report, 'failed');
  const expected = failed - news.length;
  const known = expected === 0 ? '' : `, ${expected === failed ? 'as' : `${expected} of them as`} expected`;
  const names = briefNames(news);
  if (names === '') return `${plural(failed, 'check')} failed${known}`;
  return `${plural(failed, 'check')} failed${known === '' ? ` (${names})` : `${known}; not expected: ${names}`}`;
}

const few = 10;
const namedChecks = 3;
const tones: Record<Outcome, Headline['tone']> = {
  failed: 'bad',
  warned: 'weak',
  inconclusive: 'open',
  'not-enabled': 'open',
  passed: 'good',
  skipped: 'open',
};

/** Whether only a few of many checks were selected: then only their outcomes matter. */
function isSpotCheck({ summary, checks, run }: Report): boolean {
  const ran = checks.length - summary.skipped;
  return ran > 0 && ran <= few && summary.skipped > ran && run.suiteError === undefined;
}

/** `PASSED listDrives.offset-skips`; `FAILED 4 checks; 2 passed`. */
function ofSpotCheck(report: Report): Headline {
  const { checks, summary } = report;
  const [worst = 'passed', ...others] = readingOrder.filter((outcome) => outcome !== 'skipped' && summary[outcome] > 0);
  const ended = checks.filter(({ outcome }) => outcome === worst);
  const ids = ended.length <= namedChecks ? ended.map(({ id }) => id).join(', ') : plural(ended.length, 'check');
  const names = ended.every(isExpected) ? `${ids} as expected` : ids;
  const counts = others.map((outcome) => `${summary[outcome]} ${inWords(outcome)}`);
  const unmet = broken(report);
  const tone = unmet.length > 0 ? 'bad' : tones[worst];
  const why = worst === 'inconclusive' ? obstaclesIn(report).slice(0, namedObstacles) : [];
  return { word: inWords(worst), tone, rest: ` ${[names, ...why, ...counts, ...unmet].join('; ')}` };
}
