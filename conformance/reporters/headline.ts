import { loadRequirements } from '../../openapi/contract/load.ts';
import type { Requirement } from '../../openapi/contract/requirements.ts';
import { plural } from '../../reporting/text.ts';
import type { CheckResult, Outcome, Report } from '../report.ts';
import { unmetChoices } from '../required-choices.ts';
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
  const found = [...weaknesses(report), ...reasons(report)];
  const rest = (isFailed ? [...found, ...promised] : [...promised, ...found]).join('; ');
  return { word: verdict, tone: toneOf(report), rest: rest === '' ? counted : `${counted}: ${rest}` };
}

function toneOf(report: Report): Headline['tone'] {
  if (report.verdict === 'non-conformant' || broken(report).length > 0) return 'bad';
  if (report.verdict === 'undetermined') return 'open';
  return weaknesses(report).length > 0 ? 'weak' : 'good';
}

/** What the target had to choose and did not: no verdict on the contract may conceal it. */
function broken(report: Report): string[] {
  const { length } = unmetChoices(report);
  return length === 0 ? [] : [`${plural(length, 'required choice')} ${length === 1 ? 'was' : 'were'} not seen`];
}

/** What the warnings of a run mean, as far as no verdict may conceal it. The register words it. */
export function weaknesses({ checks }: Report): string[] {
  return [...new Set(checks.flatMap((check) => (check.outcome === 'warned' ? headlinesOf(check) : [])))];
}

let register: Map<string, Requirement['headline']> | undefined;

function headlinesOf({ operation, requirements }: CheckResult): string[] {
  register ??= new Map(loadRequirements().map(({ id, headline }) => [id, headline]));
  return requirements.flatMap((id) => register?.get(id)?.[operation] ?? []);
}

/** Why the verdict is what it is, for instance `41 checks could not be judged`, `nothing failed`. */
function reasons(report: Report): string[] {
  const { passed, unverified, skipped } = report.summary;
  const failures = failuresIn(report);
  // A verdict on some selected checks must not read like one on all of them.
  const left = skipped > 0 ? `${plural(skipped, 'check')} ${skipped === 1 ? 'was' : 'were'} not selected` : '';
  const byVerdict = {
    'non-conformant': [failures],
    undetermined: [unverified > 0 ? `${plural(unverified, 'check')} could not be judged` : '', failures, left],
    conformant: [`${plural(passed, 'check')} passed`, failures, left],
  };
  const stopped = report.run.suiteError === undefined ? '' : 'the suite stopped early';
  return [stopped, crashed(report), ...byVerdict[report.verdict]].filter((part) => part !== '');
}

function crashed({ run }: Report): string {
  const { crashes = [] } = run;
  return crashes.length === 0 ? '' : `the target crashed ${plural(crashes.length, 'time')}`;
}

function failuresIn(report: Report): string {
  const { failed } = report.summary;
  const expected = report.checks.filter((check) => check.outcome === 'failed' && isExpected(check)).length;
  if (failed === 0) return 'nothing failed';
  if (expected === 0) return `${plural(failed, 'check')} failed`;
  return `${plural(failed, 'check')} failed, ${expected === failed ? 'as' : `${expected} of them as`} expected`;
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

/** Whether a finding has a headline of its own: it is graver than others of its level. */
export function hasHeadline(check: CheckResult): boolean {
  return headlinesOf(check).length > 0;
}
