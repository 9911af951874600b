import { loadRequirements } from '../../openapi/contract/load.ts';
import type { Requirement } from '../../openapi/contract/requirements.ts';
import type { CheckResult, Report } from '../report.ts';

/** What serious findings of a run mean, in the register's words. The verdict must not hide them. */
export function weaknesses({ checks }: Report): string[] {
  return [...new Set(checks.flatMap((check) => (isFinding(check) ? headlinesOf(check) : [])))];
}

function isFinding({ outcome }: CheckResult): boolean {
  return outcome === 'warned' || outcome === 'failed';
}

/** Whether a finding has its own headline: it is more serious than others at its level. */
export function hasHeadline(check: CheckResult): boolean {
  return headlinesOf(check).length > 0;
}

let register: Map<string, Requirement['headline']> | undefined;

function headlinesOf({ operation, requirements }: CheckResult): string[] {
  register ??= new Map(loadRequirements().map(({ id, headline }) => [id, headline]));
  return requirements.flatMap((id) => register?.get(id)?.[operation] ?? []);
}
