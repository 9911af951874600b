import type { CheckResult, Outcome, Report } from '../report.ts';
import { hasHeadline } from './weaknesses.ts';
import { isExpected, readingOrder } from './words.ts';

/**
 * Findings in the order in which to look at them, for every format: first what shows that requests of two organizations are
 * mixed up, then those that explain most other results, then operations that are not served and keys that are not accepted,
 * then what no verdict may hide, then what shows a fault plainly, then the rest by id.
 */
function byCause(findings: readonly CheckResult[], { checks }: Report): CheckResult[] {
  const explained = Map.groupBy(checks, ({ because }) => because);
  const mixed = mixedUp(findings);
  const ranked = findings.map((check) => {
    return {
      check,
      rank: [
        Number(!mixed.includes(check)),
        -(explained.get(check.id)?.length ?? 0),
        Number(check.because !== undefined),
        kindOf(check),
      ],
    };
  });
  const compare = (a: readonly number[], b: readonly number[]) =>
    a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
  const byRank = ranked.sort((a, b) => compare(a.rank, b.rank) || a.check.id.localeCompare(b.check.id, 'en'));
  return byRank.map(({ check }) => check);
}

/**
 * What shows that a server gives a request the organization of another one that is in progress: then any rule may break, on
 * any operation. On one list alone it may be the list that is wrong.
 */
function mixedUp(findings: readonly CheckResult[]): CheckResult[] {
  const ofLists = findings.filter(({ id }) => /\.(own-list-at-once|hides-other-organization)$/.test(id));
  const isOneList = new Set(ofLists.map(({ operation }) => operation)).size < 2;
  return isOneList ? [] : ofLists.filter(({ id }) => id.endsWith('-at-once'));
}

const basics = [/\.is-served$/, /\.(header|bearer)-key$/];

/** A fault that others show as well, with an input or from a side that hides it. */
const plainest = [/\.hides-other-organization$/, /-taken-over$/, /\.belongs-to-organization$/];

function kindOf(check: CheckResult): number {
  const basic = basics.findIndex((pattern) => pattern.test(check.id));
  if (basic >= 0) return basic;
  if (hasHeadline(check)) return basics.length;
  const plain = plainest.findIndex((pattern) => pattern.test(check.id));
  return basics.length + 1 + (plain >= 0 ? plain : plainest.length);
}

/** The checks with this outcome that are not expected failures, by cause. */
export function unexpected(report: Report, outcome: Outcome): CheckResult[] {
  const found = report.checks.filter((check) => check.outcome === outcome && !isExpected(check));
  return byCause(found, report);
}

/** All checks: what failed first, by cause; then the others by outcome. */
export function inReadingOrder(report: Report): CheckResult[] {
  return readingOrder.flatMap((outcome) =>
    byCause(
      report.checks.filter((check) => check.outcome === outcome),
      report,
    ),
  );
}
