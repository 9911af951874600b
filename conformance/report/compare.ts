import { type Paint, painter } from '../../lib/terminal-colors.ts';
import { oneLine, plural } from '../../lib/text.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import type { Choice } from '../../openapi/points/open-point.ts';
import type { CheckResult, Outcome, Report, Verdict } from './report.ts';

/** A check whose outcome has changed. */
interface ChangedCheck {
  id: string;
  before: Outcome;
  after: Outcome;
  /** The reason of the second outcome. */
  reason: string;
}

/** A check that only one of the reports has. */
interface LoneCheck {
  id: string;
  outcome: Outcome;
}

/** An open point at which the target chose differently than before. */
interface ChangedChoice {
  openPoint: string;
  before: Choice;
  after: Choice;
}

/** One of the two runs. After a `suiteError`, checks may be missing. */
type ComparedRun = Pick<Report['run'], 'baseUrl' | 'startedAt' | 'tool' | 'contractVersion' | 'suiteError'> & {
  verdict: Verdict;
};

// The worst first.
const changes = [
  ['newlyFailing', 'failed', 'bad'],
  ['newlyWarned', 'warned', 'warning'],
  ['newlyInconclusive', 'inconclusive', undefined],
  ['newlyNotEnabled', 'not-enabled', undefined],
  ['newlySkipped', 'skipped', undefined],
  ['newlyPassing', 'passed', 'good'],
] as const;

type ChangedChecks = Record<(typeof changes)[number][0], ChangedCheck[]>;

/** What changed from one report to another. */
export interface Comparison extends ChangedChecks {
  before: ComparedRun;
  after: ComparedRun;
  added: LoneCheck[];
  removed: LoneCheck[];
  /** Choices that were observed in both runs and differ. */
  changedChoices: ChangedChoice[];
}

/** What changed from report `a` to report `b`. */
export function compareReports(a: Report, b: Report): Comparison {
  return {
    before: toRun(a),
    after: toRun(b),
    ...changedChecks(a, b),
    added: missingFrom(a, b),
    removed: missingFrom(b, a),
    changedChoices: changedChoices(a, b),
  };
}

function toRun({ verdict, run }: Report): ComparedRun {
  const { baseUrl, startedAt, tool, contractVersion, suiteError } = run;
  const compared = { verdict, baseUrl, startedAt, tool, contractVersion };
  return suiteError === undefined ? compared : { ...compared, suiteError };
}

function changedChecks(a: Report, b: Report): ChangedChecks {
  const before = byId(a);
  const changed = b.checks.flatMap(({ id, outcome, reason, evidence }) => {
    const earlier = before.get(id);
    if (earlier === undefined || earlier.outcome === outcome) return [];
    return [{ id, before: earlier.outcome, after: outcome, reason: reason || (evidence?.actual ?? '') }];
  });
  const groups = changes.map(([key, outcome]) => [key, changed.filter(({ after }) => after === outcome)]);
  return Object.fromEntries(groups) as ChangedChecks;
}

function byId(report: Report): Map<string, CheckResult> {
  return new Map(report.checks.map((check) => [check.id, check]));
}

function missingFrom(report: Report, other: Report): LoneCheck[] {
  const known = byId(report);
  return other.checks.filter(({ id }) => !known.has(id)).map(({ id, outcome }) => ({ id, outcome }));
}

function changedChoices(a: Report, b: Report): ChangedChoice[] {
  return Object.entries(b.observed).flatMap(([openPoint, after]) => {
    const before = Object.hasOwn(a.observed, openPoint) ? a.observed[openPoint] : undefined;
    return before === undefined || before === after ? [] : [{ openPoint, before, after }];
  });
}

/** The comparison as text, changes for the worse first. */
export function toComparison(comparison: Comparison, { color }: { color: boolean }): string {
  const paint = painter(color);
  const { before, after, added, removed } = comparison;
  const loneLine = ({ id, outcome }: LoneCheck) => `${id}: ${outcome}`;
  const parts = [
    [runLine('before', before, paint), runLine('after', after, paint)],
    ...changes.map(([key, outcome, format]) => {
      const now = format === undefined ? outcome : paint(format, outcome);
      const lines = comparison[key].map(({ id, before: was, reason }) => {
        return `${paint('bold', id)}: ${was} -> ${now}${reason === '' ? '' : `. ${oneLine(reason)}`}`;
      });
      return part(paint, titleOf(key), lines);
    }),
    part(paint, 'Only in the second report', added.map(loneLine)),
    part(paint, 'Only in the first report', removed.map(loneLine)),
    choicePart(comparison.changedChoices, paint),
    [paint('bold', summaryOf(comparison))],
  ];
  const filled = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${filled.join('\n\n')}\n`;
}

/** `Newly failing` for `newlyFailing` */
function titleOf(key: string): string {
  return key
    .replace(/^newly/, 'Newly')
    .replaceAll(/[A-Z]/g, (letter, place: number) => (place === 0 ? letter : ` ${letter.toLowerCase()}`));
}

function runLine(label: string, run: ComparedRun, paint: Paint): string {
  const facts = [run.baseUrl, run.startedAt, run.tool, `contract ${run.contractVersion}`].map(oneLine).join(', ');
  const stopped = run.suiteError === undefined ? '' : ` The suite stopped: ${oneLine(run.suiteError)}`;
  return `${label.padEnd(6)}  ${paint('bold', run.verdict.padEnd(14))}  ${paint('dim', facts)}${paint('bad', stopped)}`;
}

function part(paint: Paint, title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [paint(['bold', 'underline'], `${title} (${lines.length})`), ...lines.map((line) => `  ${line}`)];
}

function choicePart(changed: readonly ChangedChoice[], paint: Paint): string[] {
  const open = new Map(loadOpenPoints().map((point) => [point.id, point.open]));
  const lines = changed.map(({ openPoint, before, after }) => {
    const choices = `${oneLine(String(before))} -> ${oneLine(String(after))}`;
    return `${paint('bold', oneLine(openPoint))}: ${choices}  ${paint('dim', open.get(openPoint) ?? '')}`.trimEnd();
  });
  const listed = part(paint, 'Changed choices', lines);
  return listed.length === 0 ? [] : [...listed, '  Each choice is legal, but clients may notice the change.'];
}

function summaryOf(comparison: Comparison): string {
  const { added, removed, changedChoices } = comparison;
  const counts: [number, string][] = [
    ...changes.map(([key]): [number, string] => [comparison[key].length, titleOf(key).toLowerCase()]),
    [added.length, 'added'],
    [removed.length, 'removed'],
  ];
  const changed = counts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
  const choices = changedChoices.length > 0 ? [plural(changedChoices.length, 'changed choice')] : [];
  return [...changed, ...choices].join(', ') || 'Nothing changed.';
}
