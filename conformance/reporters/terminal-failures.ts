import type { CheckResult, Report } from '../report.ts';
import { againRows, exchangeRow, findingRows, layOut, type Row } from './failure-text.ts';
import { fold, type Told } from './fold.ts';
import { heading, indented, type Pen } from './pen.ts';
import { cut, oneLine, plural } from './text.ts';
import { unexpected } from './words.ts';

const shownInFull = 30;
const shownBrief = 160;

/** Every failure so that it can be understood alone; many of one kind, or very many, a line each. */
export function failures(report: Report, pen: Pen): string[] {
  const failed = unexpected(report, 'failed');
  if (failed.length === 0) return [];
  const { told, rest } = fold(failed, shownInFull);
  const first = firstOfShared(told);
  return [
    ...heading(pen, `Failures (${failed.length})`),
    ...told.flatMap((one) => [...inFull(one, first.get(one.check), pen), '']),
    ...theRest(rest, pen),
  ];
}

function inFull({ check, alike }: Told, sameAs: CheckResult | undefined, pen: Pen): string[] {
  const exchanges =
    sameAs === undefined ? exchangeRow(check) : [{ label: 'Exchange', lines: [`as at ${sameAs.id}, above`] }];
  const rows = [...findingRows(check), ...exchanges, ...againRows(check, rerun(check, pen))];
  return [title(check, pen), ...indented(layOut(rows, styleOf(pen))), ...alikeLines(alike, pen)];
}

function alikeLines(alike: readonly CheckResult[], pen: Pen): string[] {
  if (alike.length === 0) return [];
  return [
    '',
    `  The same came of ${plural(alike.length, 'more check')}:`,
    ...alike.map((one) => `    ${title(one, pen)}`),
  ];
}

/** Of each check whose exchanges stand at three or more of those told, the first of them, unless it is that one. */
function firstOfShared(told: readonly Told[]): Map<CheckResult, CheckResult> {
  const key = ({ evidence }: CheckResult) =>
    JSON.stringify(evidence?.exchanges.map(({ request, response, failure }) => [request, response, failure]) ?? []);
  const groups = [
    ...Map.groupBy(
      told.map(({ check }) => check),
      key,
    ).values(),
  ];
  const shared = groups.filter(([first, ...others]) => first?.evidence?.exchanges.length && others.length >= 2);
  return new Map(
    shared.flatMap(([first, ...others]) => (first === undefined ? [] : others.map((one) => [one, first] as const))),
  );
}

function theRest(rest: readonly CheckResult[], pen: Pen): string[] {
  if (rest.length === 0) return [];
  const where = pen.written?.length ? `in ${pen.written.join(', ')}, or ` : '';
  return [
    `${rest.length} more, each in full ${where}with ${pen.command} --only <id>:`,
    ...rest.map((check) => `  ${title(check, pen)} ${brief(check)}`),
    '',
  ];
}

/** What is only recommended, and was not met: shorter, without the exchange. */
export function warnings(report: Report, pen: Pen): string[] {
  const warned = unexpected(report, 'warned');
  if (warned.length === 0) return [];
  const { told, rest } = fold(warned, shownInFull);
  return [
    ...heading(pen, `Warnings (${warned.length})`),
    ...told.flatMap((one) => [...inShort(one, pen), '']),
    ...theRest(rest, pen),
  ];
}

function inShort({ check, alike }: Told, pen: Pen): string[] {
  const rows = [...findingRows(check), { label: 'Rerun', lines: [rerun(check, pen)] }];
  return [title(check, pen), ...indented(layOut(rows, styleOf(pen))), ...alikeLines(alike, pen)];
}

function title(check: CheckResult, { paint }: Pen): string {
  const format = check.outcome === 'failed' ? 'red' : 'yellow';
  return `${paint([format, 'bold'], check.outcome.toUpperCase())} ${paint('bold', check.id)} (${check.level.toUpperCase()})`;
}

function brief(check: CheckResult): string {
  return cut(oneLine(check.evidence?.actual ?? check.reason), shownBrief);
}

function rerun(check: CheckResult, { command }: Pen): string {
  return `${command} --only ${check.id}`;
}

function styleOf({ paint }: Pen): (row: Row, line: string) => string {
  return ({ label }, line) => {
    if (label === 'Actual') return paint('red', line);
    if (label === 'Expected') return paint('green', line);
    if (label === 'Exchange' || label === '') return paint('dim', line);
    return line;
  };
}
