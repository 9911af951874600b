import { describePlan, type Plan, type Settings } from '../../conformance/index.ts';
import { packageVersion } from '../../openapi/contract/package-version.ts';
import { columns } from './help.ts';

/** What stands above a run: what is judged, with which rights, and what will be done to it. */
export function head(settings: Settings, plan: Plan): string {
  return [
    `Agent Platform conformance ${packageVersion()}`,
    '',
    columns([
      ['Target', settings.baseUrl],
      ['Keys', settings.otherApiKey === undefined ? 'of one organization' : 'of two organizations'],
      ['Mode', modeOf(settings)],
      ['Checks', checksOf(plan)],
    ]),
    '',
    ...describePlan(plan, settings),
    '',
  ].join('\n');
}

function modeOf({ allowWrites, allowDestructive, treePathParameter }: Settings): string {
  if (!allowWrites)
    return allowDestructive ? 'reading only: --allow-destructive takes --allow-writes as well' : 'reading only';
  if (!allowDestructive) return 'reading and writing, no deletions';
  return treePathParameter === undefined
    ? 'reading and writing; no deletions, as openPoints.treePathParameter is not given'
    : 'reading, writing and deleting';
}

function checksOf({ judging, selected }: Plan): string {
  if (judging === selected) return String(selected);
  return `${selected}; with these settings ${judging} can judge something (the doctor says what the others lack)`;
}
