import { plural } from '../../reporting/text.ts';
import type { CheckResult } from '../report.ts';

const few = 3;

/** Which checks these are, as briefly as a headline needs: up to three ids, or rules, or how many of which operation. */
export function briefNames(checks: readonly CheckResult[]): string {
  if (checks.length <= few) return checks.map(({ id }) => id).join(', ');
  const byRule = [...Map.groupBy(checks, ruleOf)];
  if (byRule.length <= few) return byRule.map(([rule, ofIt]) => placesOf(rule, ofIt)).join(', ');
  const byOperation = [...Map.groupBy(checks, ({ operation }) => operation)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const [only, ...others] = byOperation;
  if (only !== undefined && others.length === 0) return `all of ${only[0]}`;
  const shown = byOperation.slice(0, few).map(([operation, { length }]) => `${length} of ${operation}`);
  const left = byOperation.length - few;
  return [...shown, ...(left > 0 ? [`others of ${plural(left, 'operation')}`] : [])].join(', ');
}

/** `createDrive.name-kept.long` belongs to the rule `name-kept`. */
function ruleOf({ id }: CheckResult): string {
  return id.split('.')[1] ?? id;
}

function placesOf(rule: string, checks: readonly CheckResult[]): string {
  const operations = [...new Set(checks.map(({ operation }) => operation))];
  const where = operations.length <= few ? operations.join(', ') : `${operations.length} operations`;
  return `${rule} of ${where}`;
}
