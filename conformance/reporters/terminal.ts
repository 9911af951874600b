import type { CheckResult, Leftover, Report } from '../report.ts';
import { painter } from './paint.ts';
import { heading, nameList, type Pen } from './pen.ts';
import { failures, warnings } from './terminal-failures.ts';
import { duration, oneLine, plural } from './text.ts';
import {
  expected,
  leftoverKind,
  readingOrder,
  type UnverifiedGroup,
  unverifiedGroups,
  verdictReason,
} from './words.ts';

/** How the closing text is written. */
export interface TerminalOptions {
  color: boolean;
  /** The command line of this run without what chooses checks; `--only <id>` is put behind it. */
  command: string;
  /** The report files that were written, for whoever wants to see the whole. */
  written?: readonly string[];
}

const shownNames = 12;

/** The closing text of a run, for a person: what failed comes first, the verdict last, where the eye is. */
export function toTerminal(report: Report, { color, ...rest }: TerminalOptions): string {
  const pen = { ...rest, paint: painter(color) };
  const lines = [
    ...failures(report, pen),
    ...warnings(report, pen),
    ...unverified(report, pen),
    ...expectedFailures(report, pen),
    ...leftovers(report.leftovers, pen),
    ...closing(report, pen),
  ];
  return `${lines.join('\n')}\n`;
}

/** What a run left behind on the target, for a person; empty when it left nothing. */
export function toReceipt(left: readonly Leftover[], { color }: { color: boolean }): string {
  const lines = leftovers(left, { paint: painter(color), command: '' });
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function unverified(report: Report, pen: Pen): string[] {
  const groups = unverifiedGroups(report);
  if (groups.length === 0) return [];
  return [
    ...heading(pen, `Unverified (${report.summary.unverified})`),
    ...groups.flatMap((group) => groupLines(group, pen)),
    '',
  ];
}

function groupLines({ lead, setting, checks }: UnverifiedGroup, { paint }: Pen): string[] {
  const needed = setting === undefined ? '' : ` ${paint('bold', oneLine(setting))}:`;
  const names = checks.length > shownNames ? perOperation(checks) : checks.map(({ id }) => id);
  return [`  ${oneLine(lead)}${needed}`, ...nameList(names).map((line) => paint('dim', line))];
}

/** How many checks of each operation there are. All their names would bury the rest; the report files have them. */
function perOperation(checks: readonly CheckResult[]): string[] {
  const groups = Map.groupBy(checks, ({ operation }) => operation);
  return [...groups].map(([operation, { length }]) => `${operation} (${length})`);
}

function expectedFailures(report: Report, pen: Pen): string[] {
  const { stale, notJudged } = report.expectedFailures;
  const failed = expected(report);
  const lines = [
    ...failed.map((check) => `  ${check.id} ${check.outcome} as expected: ${oneLine(check.expectedFailure ?? '')}`),
    ...stale.map((id) => pen.paint('yellow', `  ${oneLine(id)} did not fail: take it off the list`)),
    ...notJudged.map((id) => `  ${oneLine(id)} was not judged`),
  ];
  return lines.length === 0 ? [] : [...heading(pen, `Expected failures (${lines.length})`), ...lines, ''];
}

function leftovers(left: readonly Leftover[], pen: Pen): string[] {
  if (left.length === 0) return [];
  const groups = Map.groupBy(left, ({ kind, note }) => `${kind} ${note}`);
  const lines = [...groups.values()].flatMap(alikeLines);
  return [...heading(pen, `Left behind on the target (${left.length})`), ...lines, ''];
}

// What is to be said of many is said once.
function alikeLines(alike: readonly Leftover[]): string[] {
  const [first] = alike;
  if (first === undefined) return [];
  const kind = leftoverKind(first.kind);
  if (alike.length === 1) return [`  ${oneLine(`${kind} ${nameOf(first)}: ${first.note}`)}`];
  return [`  ${alike.length} ${kind}s: ${oneLine(first.note)}`, ...alike.map((one) => `    ${oneLine(nameOf(one))}`)];
}

function nameOf({ id, name, driveId }: Leftover): string {
  const called = name === undefined ? '' : ` "${name}"`;
  const place = driveId === undefined ? '' : ` in drive ${driveId}`;
  return `${id}${called}${place}`;
}

const formats = { conformant: 'green', 'non-conformant': 'red', undetermined: 'yellow' } as const;

function brokenOff(suiteError: string, { paint }: Pen): string[] {
  const [first = '', ...stack] = suiteError.split('\n');
  return [
    paint(['red', 'bold'], `The suite broke off: ${oneLine(first)}`),
    ...stack.map((line) => paint('dim', `  ${oneLine(line)}`)),
    '',
  ];
}

function closing(report: Report, pen: Pen): string[] {
  const { run, verdict, summary } = report;
  const { paint, written = [] } = pen;
  return [
    ...(run.suiteError === undefined ? [] : brokenOff(run.suiteError, pen)),
    readingOrder.map((outcome) => `${summary[outcome]} ${outcome}`).join(', '),
    `${plural(run.requests, 'request')} in ${duration(run.durationMs)} to ${oneLine(run.baseUrl)}`,
    paint('dim', oneLine(`run ${run.id}, random seed ${run.randomSeed}, ${run.tool}, contract ${run.contractVersion}`)),
    ...(written.length === 0 ? [] : [`written: ${written.join(', ')}`]),
    '',
    paint([formats[verdict], 'bold'], `${verdict.toUpperCase()}: ${verdictReason(report)}`),
  ];
}
