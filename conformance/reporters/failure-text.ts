import { cut, visible, wrap } from '../../reporting/text.ts';
import type { CheckResult } from '../report.ts';
import { exchangeLines } from './exchange-text.ts';

/** One labelled part of the text about a check. */
interface Row {
  label: string;
  lines: string[];
}

const proseWidth = 86;
const shownText = 4000;
const shownCurl = 8000;
const shownPlaces = 3;

/** What was found, required, expected and received; without the exchanges. */
export function findingRows(check: CheckResult): Row[] {
  const { evidence, reason } = check;
  const required = (check.required ?? []).flatMap(requiredRows);
  // With evidence, the reason only repeats what was expected and received.
  const isRepeated = reason === '' || (evidence !== undefined && reason.includes(evidence.actual));
  const found = isRepeated ? [] : [prose('Found', reason)];
  if (evidence === undefined) return [...found, ...required];
  const smallest = evidence.smallest === undefined ? [] : [verbatim('Smallest', evidence.smallest)];
  return [...found, ...required, prose('Expected', evidence.expected), prose('Actual', evidence.actual), ...smallest];
}

/** The exchanges in their compact form, with blank lines between them. */
export function exchangeRow(check: CheckResult): Row[] {
  const exchanges = check.evidence?.exchanges ?? [];
  const lines = exchanges.flatMap((exchange) => [...exchangeLines(exchange), '']);
  return lines.length === 0 ? [] : [{ label: 'Exchange', lines }];
}

/** How to send the deciding request again, and how to run the check again. */
export function againRows(check: CheckResult, rerun: string): Row[] {
  const { curl } = check.evidence ?? {};
  return [
    ...(curl === undefined ? [] : [{ label: 'Send again', lines: visible(cut(curl, shownCurl)).split('\n') }]),
    { label: 'Rerun', lines: [rerun] },
  ];
}

/** A rule, and below it, without a label, its sources. */
function requiredRows({ text, sections, pointers }: NonNullable<CheckResult['required']>[number]): Row[] {
  const more = pointers.length - shownPlaces;
  const places = [
    ...(sections.length === 0 ? [] : [`section ${sections.join(', ')}`]),
    ...pointers.slice(0, shownPlaces).map((pointer) => `openapi.yaml${pointer}`),
    ...(more > 0 ? [`${more} more`] : []),
  ];
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
      // Spaces at the end of a line may matter, so nothing is trimmed.
      return line === '' ? label : label.padEnd(labelWidth) + line;
    }),
  );
}
