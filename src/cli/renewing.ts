import { existsSync } from 'node:fs';
import {
  type ExpectedFailure,
  listText,
  type RenewedList,
  type Report,
  renewList,
  withList,
} from '../../conformance/index.ts';
import type { Redact } from '../../lib/secrets.ts';
import { oneLine, plural } from '../../lib/text.ts';
import type { Output } from './output-files.ts';

/** The options for known failures. */
interface ListValues {
  expectedFailures?: string;
  writeExpectedFailures?: string;
  strict?: boolean;
}

/** The list of a run: from `--expected-failures`, or the one that the run updates. */
export function previousList({ expectedFailures, writeExpectedFailures: file }: ListValues): string | undefined {
  if (expectedFailures !== undefined) return expectedFailures;
  return file !== undefined && existsSync(file) ? file : undefined;
}

/** The list that a run updates. */
interface Renewal {
  path: string;
  list: RenewedList;
  /** The report under the new list. */
  report: Report;
  output: Output<Report>;
}

/** The list after a run; undefined if none is wanted, or the run did not finish. */
export function renewalOf(
  report: Report,
  values: ListValues,
  expected: readonly ExpectedFailure[],
): Renewal | undefined {
  const { writeExpectedFailures: path, strict = false } = values;
  const { suiteError, crashes } = report.run;
  if (path === undefined || suiteError !== undefined || crashes !== undefined) return undefined;
  const list = renewList(report, expected, strict);
  const text = listText(list, path, previousList(values));
  return { path, list, report: withList(report, list), output: { path, write: () => text } };
}

/** What changed in the list. */
export function describeRenewal(renewal: Renewal | undefined, redact: Redact): string {
  if (renewal === undefined)
    return 'The list of known failures was not written, because the run did not finish or the target crashed.\n\n';
  const { path, list } = renewal;
  const { added, dropped, entries } = list;
  const line = (word: string) => (one: ExpectedFailure) => `  ${word}  ${one.check}`;
  const kept = entries.length - added.length;
  return [
    `${oneLine(redact(path))}: ${plural(entries.length, 'known failure')}; ${added.length} added, ${dropped.length} dropped, ${kept} kept`,
    ...added.map(line('added  ')),
    ...dropped.map(line('dropped')),
    ...(added.length === 0 ? [] : ['Write down why each is expected: replace "to be explained".']),
    '',
    '',
  ].join('\n');
}
