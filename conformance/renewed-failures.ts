import { existsSync } from 'node:fs';
import type { Document, YAMLSeq } from 'yaml';
import { cut, oneLine } from '../lib/text.ts';
import { yaml } from '../lib/yaml.ts';
import { type ExpectedFailure, isListed, markExpected } from './expected-failures.ts';
import { readText } from './read-text.ts';
import type { Report } from './report.ts';

/** An updated list of expected failures. */
export interface RenewedList {
  entries: ExpectedFailure[];
  added: ExpectedFailure[];
  /** The entries that did not fail. */
  dropped: ExpectedFailure[];
}

const shownActual = 120;

/**
 * The list after a run: entries that still fail, or were not judged, stay as they are; those that did not fail are dropped;
 * other failures are added. With `isStrict` warnings are added too.
 */
export function renewList(report: Report, entries: readonly ExpectedFailure[], isStrict: boolean): RenewedList {
  const { stale } = report.expectedFailures;
  const dropped = entries.filter(({ check }) => stale.includes(check));
  const kept = entries.filter((entry) => !dropped.includes(entry));
  const added = report.checks
    .filter(({ outcome }) => outcome === 'failed' || (isStrict && outcome === 'warned'))
    .filter(({ id }) => !isListed(kept, id))
    .map(({ id, evidence, reason }) => {
      return { check: id, reason: `to be explained: ${cut(oneLine(evidence?.actual ?? reason), shownActual)}` };
    });
  return { entries: [...kept, ...added], added, dropped };
}

/** The report under a different list. */
export function withList(report: Report, { entries }: RenewedList): Report {
  return { ...report, ...markExpected(report.checks, entries, report.run.startedAt.slice(0, 10)) };
}

/** The text of a list. YAML keeps the comments of the earlier text `before`. */
export function listText({ entries, added, dropped }: RenewedList, file: string, before: string | undefined): string {
  if (file.endsWith('.json')) return `${JSON.stringify(entries, null, 2)}\n`;
  const { parseDocument, isSeq } = yaml();
  const isThere = before !== undefined && !before.endsWith('.json') && existsSync(before);
  const document = parseDocument(isThere ? readText(before) : '');
  const list = document.contents;
  if (!isSeq(list) || list.items.length === 0)
    return `${title}${entries.length === 0 ? '[]\n' : yaml().stringify(entries)}`;
  change(document, list, dropped, added);
  return list.items.length === 0 ? `${title}[]\n` : String(document);
}

const title = '# Known failures, for --expected-failures.\n';

function change(
  document: Document,
  list: YAMLSeq,
  dropped: readonly ExpectedFailure[],
  added: readonly ExpectedFailure[],
): void {
  const names = dropped.map(({ check }) => check);
  const isDropped = (item: unknown) => yaml().isMap(item) && names.includes(String(item.get('check')));
  list.items = [...list.items.filter((item) => !isDropped(item)), ...added.map((entry) => document.createNode(entry))];
}
