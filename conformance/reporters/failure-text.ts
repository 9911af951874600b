import { cut, number, visible, wrap } from '../../lib/text.ts';
import { adviceIfMeant, ifMeant } from '../check.ts';
import type { CheckResult } from '../report.ts';
import { exchangeLines } from './exchange-text.ts';

/** One labelled part of the text about a check. */
interface Row {
  label: string;
  lines: string[];
}

const proseWidth = 86;
const shownText = 4000;
const longestCommand = 8000;
const shownPlaces = 3;

/** What was found, required, expected and received; without the exchanges. */
export function findingRows(check: CheckResult): Row[] {
  const { evidence, noLongerExpected } = check;
  const known = noLongerExpected === undefined ? [] : [prose('Known', `expected ${noLongerExpected}`)];
  const required = (check.required ?? []).flatMap(requiredRows);
  const news = newsOf(check);
  const found = [...(news === '' ? [] : [prose('Found', news)]), ...known];
  if (evidence === undefined) return [...found, ...required];
  const smallest = evidence.smallest === undefined ? [] : [verbatim('Smallest', evidence.smallest)];
  return [...found, ...required, prose('Expected', evidence.expected), prose('Actual', evidence.actual), ...smallest];
}

/** Whether a failure comes with what to declare if it is meant. */
export function isAdvised({ reason }: CheckResult): boolean {
  return reason.includes(adviceIfMeant);
}

/** The part of the reason that the evidence does not repeat, without advice. */
export function newsOf({ reason: whole, evidence }: CheckResult): string {
  if (evidence === undefined) return whole;
  const reason = whole.replace(adviceIfMeant, '').trim();
  const { actual } = evidence;
  const repeated = `; got ${actual}.`;
  const end = reason.indexOf(repeated);
  if (end >= 0) return reason.slice(end + repeated.length).trim();
  return reason.includes(actual) ? '' : reason;
}

/** The exchanges in their compact form, with blank lines between them. */
export function exchangeRow(check: CheckResult): Row[] {
  const exchanges = check.evidence?.exchanges ?? [];
  const lines = exchanges.flatMap((exchange) => [...exchangeLines(exchange), '']);
  return lines.length === 0 ? [] : [{ label: 'Exchange', lines }];
}

/** The options that run only this check, with the checks whose requests show what it found. */
export function onlyOptions({ id, evidence }: CheckResult): string {
  const senders = (evidence?.sentBy ?? []).filter((sender) => sender !== id);
  return [id, ...senders].map((one) => `--only ${one}`).join(' ');
}

/** How to find the requests in the target's log, how to reproduce them, how to rerun the check, and last what to do if it is meant. */
export function againRows(check: CheckResult, rerun: string): Row[] {
  const advice = isAdvised(check) ? [prose('If meant', ifMeant)] : [];
  return [...requestIdRow(check), ...sendAgainRow(check), { label: 'Run only this check', lines: [rerun] }, ...advice];
}

const shownIds = 5;

/** The ids of the last requests that show a finding, the decisive one last. */
export function requestIdsOf({ evidence }: CheckResult): string[] {
  const ids = evidence?.exchanges.flatMap(({ requestId }) => requestId ?? []) ?? [];
  return ids.slice(-shownIds);
}

function requestIdRow(check: CheckResult): Row[] {
  const ids = requestIdsOf(check);
  return ids.length === 0 ? [] : [{ label: 'Request id', lines: ids.map((id) => visible(cut(id, shownText))) }];
}

/** The commands that reproduce the exchanges. */
function sendAgainRow({ evidence }: CheckResult): Row[] {
  const { curl } = evidence ?? {};
  return curl === undefined ? [] : [{ label: 'Reproduce', lines: visible(wholeCommand(curl)).split('\n') }];
}

/** A command, if it is short enough to show: a truncated one would send something else. */
export function wholeCommand(curl: string): string {
  if (curl.length <= longestCommand) return curl;
  return `# ${number(curl.length)} characters, too long to show: the JSON report has it`;
}

/** The first places in the contract, and how many more there are. */
export function placesOf(pointers: readonly string[]): { shown: string[]; more: string[] } {
  const left = pointers.length - shownPlaces;
  return {
    shown: pointers.slice(0, shownPlaces).map((pointer) => `openapi.yaml${pointer}`),
    more: left > 0 ? [`${left} more`] : [],
  };
}

/** A rule, and below it, without a label, its sources. */
function requiredRows({ text, sections, pointers }: NonNullable<CheckResult['required']>[number]): Row[] {
  const { shown, more } = placesOf(pointers);
  const places = [...(sections.length === 0 ? [] : [`section ${sections.join(', ')}`]), ...shown, ...more];
  return [prose('Required', text), ...(places.length === 0 ? [] : [prose('', places.join('; '))])];
}

function prose(label: string, text: string): Row {
  return { label, lines: wrap(visible(cut(text, shownText)), proseWidth) };
}

function verbatim(label: string, text: string): Row {
  return { label, lines: visible(cut(text, shownText)).split('\n') };
}

const labelWidth = 12;

/** The rows in two columns. */
export function layOut(rows: readonly Row[], style = (_row: Row, line: string) => line): string[] {
  return rows.flatMap((row) =>
    row.lines.map((text, index) => {
      const label = index === 0 ? row.label : '';
      const line = style(row, text);
      // Trailing spaces may matter, so nothing is trimmed.
      const column = label.length < labelWidth ? label.padEnd(labelWidth) : `${label}  `;
      return line === '' ? label : column + line;
    }),
  );
}
