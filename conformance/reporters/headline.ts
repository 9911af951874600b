import { plural } from '../../reporting/text.ts';
import type { Outcome, Report } from '../report.ts';
import { unmetChoices } from '../required-choices.ts';
import { briefNames } from './named-checks.ts';
import { unexpected } from './order.ts';
import { hasHeadline, weaknesses } from './weaknesses.ts';
import { isExpected, readingOrder } from './words.ts';

/** The result of a run in one line. */
export interface Headline {
  /** The verdict; after a run of a few selected checks, how they ended. */
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
  const { verdict, summary } = report;
  const counted = verdict === 'conformant' && summary.warned > 0 ? `, with ${plural(summary.warned, 'warning')}` : '';
  // A failure says more than a choice that was promised.
  const isFailed = verdict === 'non-conformant';
  const promised = broken(report);
  const found = [...weaknesses(report), ...warnings(report), ...reasons(report)];
  const rest = (isFailed ? [...found, ...promised] : [...promised, ...found]).join('; ');
  return { word: verdict, tone: toneOf(report), rest: rest === '' ? counted : `${counted}: ${rest}` };
}

function toneOf(report: Report): Headline['tone'] {
  if (report.verdict === 'non-conformant' || broken(report).length > 0) return 'bad';
  if (report.verdict === 'undetermined') return 'open';
  return weaknesses(report).length > 0 ? 'weak' : 'good';
}

/** What fails a run besides the contract: no verdict may conceal it. */
function broken(report: Report): string[] {
  const unmet = unmetChoices(report).length;
  const stale = report.expectedFailures.stale.length;
  return [
    ...(unmet === 0 ? [] : [`${plural(unmet, 'required choice')} ${unmet === 1 ? 'was' : 'were'} not seen`]),
    ...(stale === 0 ? [] : [`${plural(stale, 'expected failure')} did not fail`]),
  ];
}

/** The warnings that the register does not word. */
function warnings(report: Report): string[] {
  const warned = unexpected(report, 'warned').filter((check) => !hasHeadline(check));
  if (warned.length === 0 || report.verdict === 'non-conformant') return [];
  const names = briefNames(warned);
  return [report.verdict === 'conformant' ? names : `${plural(warned.length, 'warning')} (${names})`];
}

/** Why the verdict is what it is, for instance `41 checks could not be judged`, `nothing failed`. */
function reasons(report: Report): string[] {
  const { passed, unverified } = report.summary;
  const failures = failuresIn(report);
  const left = leftOut(report);
  const byVerdict = {
    'non-conformant': [failures],
    undetermined: [unverified > 0 ? `${plural(unverified, 'check')} could not be judged` : '', failures, ...left],
    conformant: [`${plural(passed, 'check')} passed`, failures, ...left],
  };
  return [stopped(report), crashed(report), ...byVerdict[report.verdict]].filter((part) => part !== '');
}

/** What did not run. A verdict on some selected checks must not read like one on all of them. */
function leftOut({ checks }: Report): string[] {
  const skipped = checks.filter(({ outcome }) => outcome === 'skipped');
  const byOption = [...Map.groupBy(skipped, ({ reason }) => /--[\w-]+/.exec(reason)?.[0])];
  return byOption.map(([option, { length }]) => {
    if (option !== undefined) return `${plural(length, 'check')} ${length === 1 ? 'needs' : 'need'} ${option}`;
    return `${plural(length, 'check')} ${length === 1 ? 'was' : 'were'} not selected`;
  });
}

function stopped({ run, checks }: Report): string {
  if (run.suiteError === undefined) return '';
  const { length } = checks.filter(({ outcome }) => outcome !== 'skipped');
  return `the suite stopped early${length === 0 ? '' : `, after ${plural(length, 'check')}`}`;
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
  unverified: 'open',
  passed: 'good',
  skipped: 'open',
};

/** Whether only a few of many checks were selected: then it matters how these ended, not what the others would show. */
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
  const counts = others.map((outcome) => `${summary[outcome]} ${outcome}`);
  const unmet = broken(report);
  const tone = unmet.length > 0 ? 'bad' : tones[worst];
  return { word: worst, tone, rest: ` ${[names, ...counts, ...unmet].join('; ')}` };
}
