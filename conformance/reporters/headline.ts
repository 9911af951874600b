// The words for what weakens a verdict are `headline` in `openapi/requirements.yaml`.
import { plural } from '../../lib/text.ts';
import type { EndedBy, Outcome, Report } from '../report.ts';
import { unmetChoices } from '../required-choices.ts';
import { briefNames } from './named-checks.ts';
import { unexpected } from './order.ts';
import { hasHeadline, weaknesses } from './weaknesses.ts';
import { inconclusiveChecks, inWords, isExpected, obstaclesIn, readingOrder } from './words.ts';

/** The result of a run in one line. */
export interface Headline {
  /** The verdict; after a run of a few selected checks, their outcome. */
  word: string;
  /** How good it is, for colours. */
  tone: 'good' | 'weak' | 'bad' | 'open';
  /** Everything after the word. */
  rest: string;
}

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
  if (length === 0 && known > 0) return `${plural(known, 'check')} could not be judged because of known failures`;
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
