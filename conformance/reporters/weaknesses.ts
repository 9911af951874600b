import { loadRequirements } from '../../openapi/contract/load.ts';
import type { Requirement } from '../../openapi/contract/requirements.ts';
import type { CheckResult, Report } from '../report.ts';

/** What the findings of a run mean, as far as no verdict may conceal it. The register words it. */
export function weaknesses({ checks }: Report): string[] {
  return [...new Set(checks.flatMap((check) => (isFinding(check) ? headlinesOf(check) : [])))];
}

function isFinding({ outcome }: CheckResult): boolean {
  return outcome === 'warned' || outcome === 'failed';
}

/** Whether a finding has a headline of its own: it is graver than others of its level. */
export function hasHeadline(check: CheckResult): boolean {
  return headlinesOf(check).length > 0;
}

let register: Map<string, Requirement['headline']> | undefined;

function headlinesOf({ operation, requirements }: CheckResult): string[] {
  register ??= new Map(loadRequirements().map(({ id, headline }) => [id, headline]));
  return requirements.flatMap((id) => register?.get(id)?.[operation] ?? []);
}
