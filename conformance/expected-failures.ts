import type { DataViolation } from '../openapi/contract/data-file.ts';
import { didYouMean } from '../openapi/contract/nearest.ts';
import { asJson, own, type Sentence, say } from '../openapi/reading/sentence.ts';
import { loadValid } from './config/data-files.ts';
import type { CheckResult, Report } from './report.ts';

/** A check that is known to fail, and why. */
export interface ExpectedFailure {
  check: string;
  reason: string;
  /** The last day on which it is expected, for instance `2026-12-31`. */
  until?: string;
}

const schema = new URL('./expected-failures.schema.json', import.meta.url);

/** The list of `--expected-failures`. Throws a `SuiteError` for an invalid file, or a check that is not in `ids`. */
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
  if (!ids.includes(check)) return [{ location, message: unknown(check, ids) }];
  const isFirst = entries.findIndex((entry) => entry.check === check) === index;
  return isFirst ? [] : [{ location, message: say`names ${check}, which is listed above already` }];
}

function unknown(check: string, ids: readonly string[]): Sentence {
  if (check.includes('*')) return say`must name one check, not a pattern; it is ${asJson(check)}`;
  const hint = didYouMean(check, ids, '--list shows all checks');
  return say`must be the id of a check; it is ${asJson(check)}${own(hint)}`;
}

/** The results with the expected failures marked, and the entries that passed or were not judged. */
export function markExpected(
  results: readonly CheckResult[],
  expected: readonly ExpectedFailure[],
  today: string,
): Pick<Report, 'checks' | 'expectedFailures'> {
  const checks = results.map((result) => {
    const entry = expected.find(({ check }) => check === result.id);
    return entry === undefined || !['failed', 'warned'].includes(result.outcome)
      ? result
      : marked(result, entry, today);
  });
  const outcomes = new Map(results.map(({ id, outcome }) => [id, outcome]));
  const ids = expected.map(({ check }) => check);
  const stale = ids.filter((id) => outcomes.get(id) === 'passed');
  const notJudged = ids.filter((id) => !['passed', 'failed', 'warned'].includes(outcomes.get(id) ?? 'missing'));
  return { checks, expectedFailures: { stale, notJudged } };
}

function marked(result: CheckResult, { reason, until }: ExpectedFailure, today: string): CheckResult {
  if (until === undefined || today <= until) return { ...result, expectedFailure: reason };
  return { ...result, reason: `${result.reason} It was expected until ${until}: ${reason}` };
}
