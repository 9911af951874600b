import type { CheckResult, Outcome, Report } from '../report.ts';
import { hasHeadline } from './weaknesses.ts';
import { isExpected, readingOrder } from './words.ts';

/**
 * Findings in the order in which to look at them, for every format: first signs that requests of two organizations are
 * mixed up, then those that explain most other results, then operations that are not served and keys that are not
 * accepted, then those with a headline, then those that show a fault most plainly, then the rest by id.
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
 * Signs that a server handles a request for the organization of another request in progress: then any rule may break on
 * any operation. If only one list is affected, that list may be wrong.
 */
function mixedUp(findings: readonly CheckResult[]): CheckResult[] {
  const ofLists = findings.filter(({ id }) => /\.(own-list-at-once|hides-other-organization)$/.test(id));
  const isOneList = new Set(ofLists.map(({ operation }) => operation)).size < 2;
  return isOneList ? [] : ofLists.filter(({ id }) => id.endsWith('-at-once'));
}

const basics = [/\.is-served$/, /\.(header|bearer)-key$/];

/** Checks that show a fault more plainly than others that find it too. */
const plainest = [
  /\.dot-dot-segment\.middle$/,
  /\.hides-other-organization$/,
  /-taken-over$/,
  /\.belongs-to-organization$/,
];

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
