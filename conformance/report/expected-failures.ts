// Expected failures. What is printed about an updated list: `src/cli/conformance-run.ts`.

import { existsSync } from 'node:fs';
import type { Document, Node, YAMLSeq } from 'yaml';
import { didYouMean } from '../../lib/nearest.ts';
import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import { cut, oneLine } from '../../lib/text.ts';
import { yaml } from '../../lib/yaml.ts';
import type { DataViolation } from '../../openapi/contract/data-file.ts';
import { isMatch, notSelected } from '../checks/check.ts';
import { loadValid, readText } from '../run/suite-error.ts';
import type { CheckResult, Report } from './report.ts';

/** A check that is known to fail, and why. */
export interface ExpectedFailure {
  /** Its id, or a pattern: `*` matches any text. */
  check: string;
  reason: string;
  /** The last day on which it is expected, for instance `2026-12-31`. */
  until?: string;
  /** Whether it comes and goes: then passing is expected too. */
  flaky?: boolean;
}

const schema = new URL('../expected-failures.schema.json', import.meta.url);

/**
 * The list of `--expected-failures`. Throws a `SuiteError` for an invalid file or an entry that matches none of `ids`.
 */
export function loadExpectedFailures(file: string, ids: readonly string[]): ExpectedFailure[] {
  return loadValid<ExpectedFailure[]>(file, schema, 'EXPECTED_FAILURES_INVALID', (entries) =>
    entries.flatMap(({ check }, index) => complaints(entries, ids, check, index)),
  );
}

function complaints(
  entries: readonly ExpectedFailure[],
  ids: readonly string[],
  check: string,
  index: number,
): DataViolation[] {
  const location = [index, 'check'];
  if (!ids.some((id) => isMatch(check, id))) return [{ location, message: unknown(check, ids) }];
  const isFirst = entries.findIndex((entry) => entry.check === check) === index;
  return isFirst ? [] : [{ location, message: say`names ${check}, which is listed above already` }];
}

function unknown(check: string, ids: readonly string[]): Sentence {
  const hint = own(didYouMean(check, ids, '--list shows all checks'));
  const rule = own(check.includes('*') ? 'must match the id of a check' : 'must be the id of a check');
  return say`${rule}; it is ${asJson(check)}${hint}`;
}

/**
 * The results with expected failures, and checks not judged because of one, marked; and the entries that did not fail
 * or were not judged.
 */
export function markExpected(
  results: readonly CheckResult[],
  expected: readonly ExpectedFailure[],
  today: string,
): Pick<Report, 'checks' | 'expectedFailures'> {
  const checks = withConsequences(
    results.map((result) => {
      const { expectedFailure: _, noLongerExpected: __, ...bare } = result;
      const entry = entryFor(expected, result.id);
      return entry === undefined || !isFailing(result) ? bare : marked(bare, entry, today);
    }),
  );
  const withState = (state: EntryState) => {
    return expected.filter((entry) => stateOf(entry, results) === state).map(({ check }) => check);
  };
  return { checks, expectedFailures: { stale: withState('stale'), notJudged: withState('notJudged') } };
}

// Checks that an expected failure prevents from being judged are known as well.
function withConsequences(checks: readonly CheckResult[]): CheckResult[] {
  const known = new Map(checks.map(({ id, expectedFailure }) => [id, expectedFailure]));
  return checks.map((check) => {
    const reason = check.outcome === 'inconclusive' ? known.get(check.because ?? '') : undefined;
    return reason === undefined ? check : { ...check, expectedFailure: `it follows from ${check.because}: ${reason}` };
  });
}

/** Whether some entry is about a check. */
function isListed(expected: readonly ExpectedFailure[], id: string): boolean {
  return entryFor(expected, id) !== undefined;
}

// An entry with the id of a check takes precedence over one with a pattern.
function entryFor(expected: readonly ExpectedFailure[], id: string): ExpectedFailure | undefined {
  return expected.find(({ check }) => check === id) ?? expected.find(({ check }) => isMatch(check, id));
}

type EntryState = 'failing' | 'passing' | 'stale' | 'notJudged';

/**
 * An entry is stale if all checks that it names were judged and none failed. Checks that run only with an option do not
 * count. A flaky entry is never stale.
 */
function stateOf({ check, flaky = false }: ExpectedFailure, results: readonly CheckResult[]): EntryState {
  const named = results.filter(({ id }) => isMatch(check, id));
  if (named.some(isFailing)) return 'failing';
  const isPattern = check.includes('*');
  const counted = named.filter(({ outcome, reason }) => !isPattern || outcome !== 'skipped' || reason === notSelected);
  const hasPassed = counted.length > 0 && counted.every(({ outcome }) => outcome === 'passed');
  if (!hasPassed) return 'notJudged';
  return flaky ? 'passing' : 'stale';
}

function isFailing({ outcome }: CheckResult): boolean {
  return outcome === 'failed' || outcome === 'warned';
}

function marked(result: CheckResult, { reason, until }: ExpectedFailure, today: string): CheckResult {
  if (until === undefined || today <= until) return { ...result, expectedFailure: reason };
  return { ...result, noLongerExpected: `until ${until}: ${reason}` };
}

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
  const isThere = before !== undefined && !before.endsWith('.json') && existsSync(before);
  const document = yaml().parseDocument(isThere ? readText(before) : `${title}[]\n`);
  if (yaml().isSeq(document.contents)) change(document, document.contents, dropped, isThere ? added : entries);
  return String(document);
}

const title = '# Expected failures, for --expected-failures.\n\n';

function change(
  document: Document,
  list: YAMLSeq,
  dropped: readonly ExpectedFailure[],
  added: readonly ExpectedFailure[],
): void {
  const names = dropped.map(({ check }) => check);
  const isDropped = (item: unknown) => yaml().isMap(item) && names.includes(String(item.get('check')));
  if (list.items.length === 0) list.flow = false;
  giveFirstItsComment(list);
  const { kept, loose } = withoutDropped(list.items as Node[], isDropped);
  list.items = [...kept, ...added.map((entry) => document.createNode(entry))];
  // What stood above entries that are all gone stays at the head, or at the end below those that are left.
  if (kept.length === 0) document.commentBefore = paragraphs([document.commentBefore, loose]);
  else document.comment = paragraphs([loose, document.comment]);
}

/** After a `---`, YAML takes the comment above the first entry for one of the list. */
function giveFirstItsComment(list: YAMLSeq): void {
  const [first] = list.items as Node[];
  if (list.flow || first === undefined || list.commentBefore == null) return;
  first.commentBefore = paragraphs([list.commentBefore, first.commentBefore]);
  list.commentBefore = null;
}

/** The entries that are kept, each with the comments above it, and the comments that no entry is left to follow. */
function withoutDropped(items: readonly Node[], isDropped: (item: Node) => boolean): { kept: Node[]; loose: string } {
  const kept: Node[] = [];
  let loose = '';
  for (const item of items) {
    if (isDropped(item)) loose = paragraphs([loose, aboveItsOwn(item.commentBefore ?? '')]);
    else {
      item.commentBefore = paragraphs([loose, item.commentBefore]);
      // A file does not begin with a blank line.
      if (kept.length === 0) item.spaceBefore = false;
      kept.push(item);
      loose = '';
    }
  }
  return { kept, loose };
}

/** A comment without its last paragraph, which is directly above the entry and about it: a blank line ends a paragraph. */
function aboveItsOwn(comment: string): string {
  const end = comment.endsWith('\n') ? undefined : Math.max(0, comment.lastIndexOf('\n\n'));
  return comment.slice(0, end).trimEnd();
}

function paragraphs(comments: readonly (string | null | undefined)[]): string {
  return comments.filter((comment) => comment != null && comment !== '').join('\n\n');
}
