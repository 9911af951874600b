import type { CheckResult } from '../report.ts';

const few = 3;

/** Names checks briefly: up to three ids or rules, otherwise the first, which deserves attention first. */
export function briefNames(checks: readonly CheckResult[]): string {
  const [first, ...others] = checks;
  if (first === undefined || checks.length <= few) return checks.map(({ id }) => id).join(', ');
  const byRule = [...Map.groupBy(checks, ruleOf)];
  if (byRule.length > few) return `${first.id} and ${others.length} more`;
  return byRule.map(([rule, ofIt]) => `${rule} of ${placesOf(ofIt)}`).join(', ');
}

/** `createDrive.name-kept.long` belongs to the rule `name-kept`. */
function ruleOf({ id }: CheckResult): string {
  return id.split('.')[1] ?? id;
}

function placesOf(checks: readonly CheckResult[]): string {
  const operations = [...new Set(checks.map(({ operation }) => operation))];
  return operations.length <= few ? operations.join(', ') : `${operations.length} operations`;
}
