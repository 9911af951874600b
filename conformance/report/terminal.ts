import { type Paint, painter } from '../../lib/terminal-colors.ts';
import { cut, duration, nameList, oneLine, plural, visible, wrap } from '../../lib/text.ts';
import { type Ending, endingOf } from '../run/verdict.ts';
import {
  againRows,
  alikeText,
  differs,
  exchangeRow,
  findingRows,
  fold,
  type LeftGroup,
  layOut,
  leftGroups,
  onlyOptions,
  type Reported,
  wholeCommand,
} from './failure-text.ts';
import type { CheckResult, Leftover, Report } from './report.ts';
import {
  crashLines,
  expectedFailureLines,
  findingsTitle,
  headlineOf,
  headlineText,
  inWords,
  isExpected,
  readingOrder,
  reasonsIn,
  requiredChoiceLines,
  serverErrorLines,
  unexpected,
  unjudgedGroups,
} from './words.ts';

/** How to write the closing text. */
interface TerminalOptions {
  color: boolean;
  /** The command line of this run without the options that select checks; the text appends `--only <id>`. */
  command: string;
  /** The report files that were written. */
  written?: readonly string[];
  /** How the command ends. Default: as the run does without `--strict`; unknown if the user stopped it. */
  ending?: Ending<number>;
}

interface Layout extends Omit<TerminalOptions, 'color'> {
  paint: Paint;
}

/** The closing text of a run for people: what is left behind, the findings, and the verdict last. */
export function toTerminal(report: Report, { color, ...rest }: TerminalOptions): string {
  const layout = { ...rest, paint: painter(color) };
  // A receipt of a hundred lines at the end would push the findings off the screen.
  const lines = [
    ...leftovers(report.leftovers, layout),
    ...findings(report, 'failed', layout),
    ...findings(report, 'warned', layout),
    ...section(layout, 'Not enabled', report.summary['not-enabled'], unjudged(report, 'not-enabled', layout)),
    ...section(layout, 'Inconclusive', report.summary.inconclusive, unjudged(report, 'inconclusive', layout)),
    ...crashes(report, layout),
    ...serverErrors(report, layout),
    ...requiredChoices(report, layout),
    ...expectedFailures(report, layout),
    ...closing(report, layout),
  ];
  return `${lines.join('\n')}\n`;
}

/** Everything that a run left behind on the target, for people; empty if nothing. For runs that write no report. */
export function toReceipt(left: readonly Leftover[], { color }: { color: boolean }): string {
  const lines = leftovers(left, { paint: painter(color), command: '' }, left.length);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function section({ paint }: Layout, title: string, count: number, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [paint(['bold', 'underline'], `${title} (${count})`), '', ...lines, ''];
}

const shownInFull = 30;
const shownName = 120;
const shownBrief = 160;
const styles: Record<string, 'bad' | 'good' | 'dim'> = {
  Actual: 'bad',
  Expected: 'good',
  Exchange: 'dim',
  '': 'dim',
};

/**
 * Each finding in full, so that it can be understood alone; similar ones, and those after the thirtieth, in one line.
 */
function findings(report: Report, outcome: 'failed' | 'warned', layout: Layout): string[] {
  const found = unexpected(report, outcome);
  const { reported, rest } = fold(found, shownInFull);
  const first = firstWithSameExchanges(reported);
  const lines = reported.flatMap((one) => [...inFull(one, first.get(one.check), layout), '']);
  return section(
    layout,
    findingsTitle(report, outcome),
    found.length,
    [...lines, ...theRest(rest, layout)].slice(0, -1),
  );
}

function inFull(reported: Reported, sameAs: CheckResult | undefined, layout: Layout): string[] {
  const { check } = reported;
  const rerun = `${layout.command} ${onlyOptions(check)}`;
  const exchanges =
    sameAs === undefined ? exchangeRow(check) : [{ label: 'Exchange', lines: [`as in ${sameAs.id}, above`] }];
  const rows = layOut([...findingRows(check), ...exchanges, ...againRows(check, rerun)], ({ label }, line) => {
    const style = styles[label];
    return style === undefined ? line : layout.paint(style, line);
  });
  return [
    title(check, layout),
    ...rows.map((line) => (line === '' ? '' : `  ${line}`)),
    ...alikeLines(reported, layout),
  ];
}

function alikeLines({ check, alike }: Reported, layout: Layout): string[] {
  if (alike.length === 0) return [];
  const lines = alike.map((one) => {
    const actual = differs(one, check) ? ` ${cut(oneLine(one.evidence?.actual ?? ''), shownBrief)}` : '';
    return `    ${title(one, layout)}${actual}`;
  });
  const shown = alike.length > shownNames ? nameList(namesOf(alike)) : lines;
  return ['', `  ${alikeText({ check, alike })}:`, ...shown];
}

/** If three or more findings have the same exchanges: maps all but the first finding to the first. */
function firstWithSameExchanges(reported: readonly Reported[]): Map<CheckResult, CheckResult> {
  const checks = reported.map(({ check }) => check).filter(({ evidence }) => evidence?.exchanges.length);
  const groups = Map.groupBy(checks, ({ evidence }) =>
    JSON.stringify(evidence?.exchanges.map(({ request, response, failure }) => [request, response, failure])),
  );
  const shared = [...groups.values()].flatMap(([first, ...others]) =>
    first !== undefined && others.length >= 2 ? others.map((one) => [one, first] as const) : [],
  );
  return new Map(shared);
}

function theRest(rest: readonly CheckResult[], layout: Layout): string[] {
  if (rest.length === 0) return [];
  const files = layout.written?.length ? `in ${layout.written.join(', ')}, or ` : '';
  return [
    `${rest.length} more. See each in full ${files}with ${layout.command} --only <id>:`,
    ...rest.map(
      (check) => `  ${title(check, layout)} ${cut(oneLine(check.evidence?.actual ?? check.reason), shownBrief)}`,
    ),
    '',
  ];
}

function title({ outcome, id, level }: CheckResult, { paint }: Layout): string {
  const word = paint([outcome === 'failed' ? 'bad' : 'warning', 'bold'], outcome.toUpperCase());
  return `${word} ${paint('bold', id)} (${level.toUpperCase()})`;
}

const shownNames = 12;
const shownReason = 500;
const reasonWidth = 92;

function unjudged(report: Report, outcome: 'inconclusive' | 'not-enabled', { paint }: Layout): string[] {
  return unjudgedGroups(report, outcome).flatMap((group) => {
    const { lead, setting } = group;
    const needed = setting === undefined ? '' : ` ${paint('bold', oneLine(setting))}:`;
    const why = reasonsIn(group).flatMap(({ reason, checks }) => [
      ...(reason === '' ? [] : wrap(cut(oneLine(reason), shownReason), reasonWidth).map((line) => `    ${line}`)),
      ...nameList(namesOf(checks)).map((line) => paint('dim', line)),
    ]);
    return [`  ${cut(oneLine(lead), shownReason)}${needed}`, ...why];
  });
}

// Many names would hide the rest. The report files have them.
function namesOf(checks: readonly CheckResult[]): string[] {
  if (checks.length <= shownNames) return checks.map(({ id }) => id);
  const perOperation = [...Map.groupBy(checks, ({ operation }) => operation)];
  return perOperation.map(([operation, { length }]) => `${operation} (${length})`);
}

function crashes(report: Report, layout: Layout): string[] {
  const lines = crashLines(report).map((line) => `  ${oneLine(line)}`);
  return section(layout, 'The target crashed and came back', lines.length, lines);
}

const shownErrors = 12;

function serverErrors(report: Report, layout: Layout): string[] {
  const all = serverErrorLines(report);
  const lines = all.slice(0, shownErrors).flatMap(({ text, curl }) => [
    `  ${oneLine(text)}`,
    ...visible(wholeCommand(curl))
      .split('\n')
      .map((line) => layout.paint('dim', `    ${line}`)),
  ]);
  const more = all.length - shownErrors;
  return section(layout, 'Server errors', all.length, [...lines, ...(more > 0 ? [`  ${more} more`] : [])]);
}

function requiredChoices(report: Report, layout: Layout): string[] {
  const lines = requiredChoiceLines(report).map(({ choice, text, isMet }) => {
    const line = oneLine(`${choice} ${text}`);
    return isMet ? `  ${line}` : `  ${layout.paint(['bad', 'bold'], 'FAILED')} ${line}`;
  });
  return section(layout, 'Required choices', lines.length, lines);
}

function expectedFailures(report: Report, layout: Layout): string[] {
  const lines = expectedFailureLines(report).map(({ id, text, isStale }) => {
    const line = oneLine(`${id} ${text}`);
    return isStale ? layout.paint('warning', `  ${line}`) : `  ${line}`;
  });
  return section(layout, 'Expected failures', lines.length, lines);
}

function leftovers(left: readonly Leftover[], layout: Layout, most?: number): string[] {
  const lines = leftGroups(left, most).flatMap(leftLines);
  return section(layout, 'Left behind on the target', left.length, lines);
}

function leftLines({ kind, note, count, shown, more }: LeftGroup): string[] {
  const names = shown.map(({ id, name, driveId }) => {
    const place = driveId === undefined ? '' : ` in drive ${driveId}`;
    return cut(oneLine(`${id}${name === undefined ? '' : ` "${cut(name, shownName)}"`}${place}`), shownReason);
  });
  const why = cut(oneLine(note), shownReason);
  if (count === 1) return [`  ${kind} ${names[0]}: ${why}`];
  return [`  ${count} ${kind}s: ${why}`, ...[...names, ...(more === '' ? [] : [more])].map((line) => `    ${line}`)];
}

const formats = { good: 'good', weak: 'warning', bad: 'bad', open: 'warning' } as const;

function closing(report: Report, { paint, written = [], ending }: Layout): string[] {
  const { run, summary } = report;
  // Only the command knows the signal, which decides the exit code of a run that the user stopped.
  const known = ending ?? (run.endedBy === 'user' ? undefined : endingOf(report, false));
  return [
    ...suiteError(run.suiteError, paint),
    readingOrder.map((outcome) => `${summary[outcome]} ${inWords(outcome)}`).join(', '),
    `${plural(run.requests, 'request')} in ${duration(run.durationMs)} to ${oneLine(run.baseUrl)}${run.targetName === undefined ? '' : ` (${oneLine(run.targetName)})`}`,
    ...busyLine(run),
    paint('dim', oneLine(`run ${run.id}, random seed ${run.randomSeed}, ${run.tool}, contract ${run.contractVersion}`)),
    ...(written.length === 0 ? [] : [`written: ${written.join(', ')}`]),
    ...keyNote(report),
    '',
    ...(known === undefined ? [] : exitNote(report, known)),
    paint([formats[headlineOf(report).tone], 'bold'], oneLine(headlineText(report))),
  ];
}

/** What the exit code says. Without expected failures, a 0 needs no words; the last lines must say what makes a run red. */
function exitNote(report: Report, { exitCode, reasons }: Ending<number>): string[] {
  const why = exitCode === 0 ? countOfExpected(report) : reasons;
  return why.length === 0 ? [] : [`exit code ${exitCode}: ${why.join('; ')}`];
}

/** `17 expected failures, 1 check behind them`. */
function countOfExpected({ checks }: Report): string[] {
  const known = checks.filter(isExpected);
  const behind = known.filter(({ outcome }) => outcome === 'inconclusive').length;
  const more = behind === 0 ? '' : `, ${plural(behind, 'check')} behind them`;
  return known.length === 0 ? [] : [`${plural(known.length - behind, 'expected failure')}${more}`];
}

// If the key came from a config file, this variable is not set, and the pasted command would be refused.
function keyNote(report: Report): string[] {
  const found = [...unexpected(report, 'failed'), ...unexpected(report, 'warned')];
  const variables = ['AGENT_PLATFORM_API_KEY', 'AGENT_PLATFORM_OTHER_API_KEY'].filter((name) =>
    found.some(({ evidence }) => evidence?.curl?.includes(`$${name}`)),
  );
  return variables.length === 0 ? [] : [`the commands after Reproduce take the key from $${variables.join(' and $')}`];
}

/** How often the target asked for a slower pace, and what it cost. */
function busyLine({ troubles = [], waitedMs = 0 }: Report['run']): string[] {
  const busy = troubles.flatMap(({ what, count }) => {
    const status = /^status (429|503)$/.exec(what)?.[1];
    return status === undefined ? [] : [`${plural(count, 'response')} with ${status}`];
  });
  if (busy.length === 0) return [];
  return [[...busy, ...(waitedMs === 0 ? [] : [`waited ${duration(waitedMs)}`])].join(', ')];
}

function suiteError(text: string | undefined, paint: Paint): string[] {
  if (text === undefined) return [];
  const [first = '', ...stack] = text.split('\n').map(oneLine);
  return [paint(['bad', 'bold'], `The suite stopped: ${first}`), ...stack.map((line) => paint('dim', `  ${line}`)), ''];
}
