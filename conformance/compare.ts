import { loadOpenPoints } from '../openapi/contract/load.ts';
import type { Choice } from '../openapi/contract/open-points.ts';
import type { CheckResult, Outcome, Report, Verdict } from './report.ts';
import { type Paint, painter } from './reporters/paint.ts';
import { oneLine, plural } from './reporters/text.ts';

/** A check that ended otherwise than before. */
export interface ChangedCheck {
  id: string;
  before: Outcome;
  after: Outcome;
  /** Why it ended as it did the second time. */
  reason: string;
}

/** A check that only one of the reports has. */
export interface LoneCheck {
  id: string;
  outcome: Outcome;
}

/** What the target does otherwise than before where the specification is silent. */
export interface ChangedChoice {
  openPoint: string;
  before: Choice;
  after: Choice;
}

/** What a comparison says of each of the two runs. */
export interface ComparedRun {
  verdict: Verdict;
  baseUrl: string;
  startedAt: string;
  tool: string;
  contractVersion: string;
  /** Set when the suite broke off, so that checks may be missing. */
  suiteError?: string;
}

/** What changed from one report to another. */
export interface Comparison {
  before: ComparedRun;
  after: ComparedRun;
  newlyFailing: ChangedCheck[];
  newlyWarned: ChangedCheck[];
  newlyUnverified: ChangedCheck[];
  newlySkipped: ChangedCheck[];
  newlyPassing: ChangedCheck[];
  added: LoneCheck[];
  removed: LoneCheck[];
  /** Choices that were seen in both runs and differ. */
  changedChoices: ChangedChoice[];
}

/** What changed from report `a` to report `b`. */
export function compareReports(a: Report, b: Report): Comparison {
  const changed = changedChecks(a, b);
  const newly = (outcome: Outcome) => changed.filter(({ after }) => after === outcome);
  return {
    before: toRun(a),
    after: toRun(b),
    newlyFailing: newly('failed'),
    newlyWarned: newly('warned'),
    newlyUnverified: newly('unverified'),
    newlySkipped: newly('skipped'),
    newlyPassing: newly('passed'),
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

function changedChecks(a: Report, b: Report): ChangedCheck[] {
  const before = byId(a);
  return b.checks.flatMap(({ id, outcome, reason, evidence }) => {
    const earlier = before.get(id);
    if (earlier === undefined || earlier.outcome === outcome) return [];
    return [{ id, before: earlier.outcome, after: outcome, reason: reason || (evidence?.actual ?? '') }];
  });
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

/** The comparison for a person: what got worse first. */
export function toComparison(comparison: Comparison, { color }: { color: boolean }): string {
  const paint = painter(color);
  const { before, after, added, removed } = comparison;
  const parts = [
    [runLine('before', before, paint), runLine('after', after, paint)],
    checkPart('Newly failing', comparison.newlyFailing, paint('red', 'failed'), paint),
    checkPart('Newly warned', comparison.newlyWarned, paint('yellow', 'warned'), paint),
    checkPart('Newly unverified', comparison.newlyUnverified, 'unverified', paint),
    checkPart('Newly skipped', comparison.newlySkipped, 'skipped', paint),
    checkPart('Newly passing', comparison.newlyPassing, paint('green', 'passed'), paint),
    part(
      'Only in the second report',
      added.map(({ id, outcome }) => `${id}: ${outcome}`),
      paint,
    ),
    part(
      'Only in the first report',
      removed.map(({ id, outcome }) => `${id}: ${outcome}`),
      paint,
    ),
    choicePart(comparison.changedChoices, paint),
    [paint('bold', summaryOf(comparison))],
  ];
  const told = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${told.join('\n\n')}\n`;
}

function runLine(label: string, run: ComparedRun, paint: Paint): string {
  const facts = [run.baseUrl, run.startedAt, run.tool, `contract ${run.contractVersion}`].map(oneLine).join(', ');
  const brokeOff = run.suiteError === undefined ? '' : ` The suite broke off: ${oneLine(run.suiteError)}`;
  return `${label.padEnd(6)}  ${paint('bold', run.verdict.padEnd(14))}  ${paint('dim', facts)}${paint('red', brokeOff)}`;
}

function part(title: string, lines: readonly string[], paint: Paint): string[] {
  if (lines.length === 0) return [];
  return [paint(['bold', 'underline'], `${title} (${lines.length})`), ...lines.map((line) => `  ${line}`)];
}

function checkPart(title: string, checks: readonly ChangedCheck[], now: string, paint: Paint): string[] {
  const line = ({ id, before, reason }: ChangedCheck) =>
    `${paint('bold', id)}: ${before} -> ${now}${reason === '' ? '' : `. ${oneLine(reason)}`}`;
  return part(title, checks.map(line), paint);
}

function choicePart(changed: readonly ChangedChoice[], paint: Paint): string[] {
  const open = new Map(loadOpenPoints().map((point) => [point.id, point.open]));
  const line = ({ openPoint, before, after }: ChangedChoice) =>
    `${paint('bold', oneLine(openPoint))}: ${oneLine(String(before))} -> ${oneLine(String(after))}  ${paint('dim', open.get(openPoint) ?? '')}`;
  const lines = part(
    'Choices that changed',
    changed.map((one) => line(one).trimEnd()),
    paint,
  );
  return lines.length === 0 ? [] : [...lines, '  Each is legal, but clients may notice.'];
}

function summaryOf(comparison: Comparison): string {
  const { newlyFailing, newlyWarned, newlyUnverified, newlySkipped, newlyPassing, added, removed, changedChoices } =
    comparison;
  const counts: [number, string][] = [
    [newlyFailing.length, 'newly failing'],
    [newlyWarned.length, 'newly warned'],
    [newlyUnverified.length, 'newly unverified'],
    [newlySkipped.length, 'newly skipped'],
    [newlyPassing.length, 'newly passing'],
    [added.length, 'added'],
    [removed.length, 'removed'],
  ];
  const changed = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const choices = changedChoices.length > 0 ? [plural(changedChoices.length, 'changed choice')] : [];
  return [...changed, ...choices].join(', ') || 'Nothing changed.';
}
