import { describePlan, type Plan, type Settings } from '../../conformance/index.ts';
import { packageVersion } from '../../lib/package-version.ts';
import type { Redact } from '../../lib/secrets.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import { columns } from '../../lib/text.ts';

/** The text above a run: the target, the permissions, and what the run will change. */
export function head(settings: Settings, plan: Plan, redact: Redact): string {
  const { judging, selected } = plan;
  const some = `${selected} selected, ${judging} can run with these settings; ${shownCommand('conformance doctor', [])} explains the rest`;
  return [
    `Agent Platform conformance ${packageVersion()}`,
    '',
    ...columns([
      ['Target', redact(settings.baseUrl)],
      ['Keys', settings.otherApiKey === undefined ? 'of one organization' : 'of two organizations'],
      ['Mode', modeOf(settings)],
      ['Checks', judging === selected ? String(selected) : some],
    ]),
    '',
    ...describePlan(plan, settings),
    '',
  ].join('\n');
}

function modeOf({ allowWrites, allowDestructive, treePathParameter }: Settings): string {
  if (!allowWrites) return allowDestructive ? 'read only: --allow-destructive also needs --allow-writes' : 'read only';
  if (!allowDestructive) return 'read and write, no deletions';
  return treePathParameter === undefined
    ? 'read and write; no deletions, because openPoints.treePathParameter is missing'
    : 'read, write and delete';
}
