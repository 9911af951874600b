import type { Settings } from '../config/settings.ts';
import { plural } from '../reporters/text.ts';
import type { Amounts } from './amounts.ts';
import type { Deeds, Plan } from './plan.ts';

/** What a run is going to do, for whoever owns the target; before it does it. */
export function describePlan(plan: Plan, { allowWrites, fixtures }: Settings): string[] {
  if (!allowWrites) return ['This run only reads. What a server has to refuse is tried on things that do not exist.'];
  const deeds = describeDeeds(plan, ` of ${plural(plan.disposableFiles, 'disposable file')}`);
  const perhaps = creationsOf(plan.perhaps);
  return [
    deeds === '' ? 'This run changes nothing on a sound server.' : `This run will ${deeds}.`,
    ...(perhaps.length === 0
      ? []
      : [`Where the target has nothing to look at yet, it will also create ${inWords(perhaps)}.`]),
    ...observingLine(plan),
    'Nothing that is created, published or deleted can be undone through the API.',
    'A broken server may do more: requests that it has to refuse are sent as well.',
    ...(plan.deletions === 0 ? [] : [riskOf(fixtures.disposableFiles ?? [])]),
  ];
}

function observingLine({ observing }: Plan): string[] {
  const created = creationsOf(observing);
  const deleted =
    observing.deletions === 0 ? [] : [`delete up to ${plural(observing.deletions, 'disposable file')} more`];
  if (created.length + deleted.length === 0) return [];
  const deeds = inWords([...(created.length === 0 ? [] : [`create up to ${inWords(created)} more`]), ...deleted]);
  return [`To see what the target does where the specification is silent, it will ${deeds}.`];
}

/** What may be lost on a server that deletes more than it should. */
export function riskOf(disposableFiles: readonly { driveId: string }[]): string {
  const drives = new Set(disposableFiles.map(({ driveId }) => driveId)).size;
  const where = drives === 1 ? 'the drive' : `the ${drives} drives`;
  return `On a broken server every file of ${where} named in disposableFiles is at risk.`;
}

/** What is done to a sound target, as in `create 2 drives and move 1 file and move it back`; empty when nothing is. */
export function describeDeeds(deeds: Omit<Deeds, 'perhaps'>, ofHowMany = ' disposable files'): string {
  const { publications, moves, deletions } = deeds;
  const created = creationsOf(deeds);
  return inWords([
    ...(created.length === 0 ? [] : [`create ${inWords(created)}`]),
    ...(publications === 0 ? [] : [`publish ${plural(publications, 'revision')}`]),
    ...(moves === 0 ? [] : [`move ${plural(moves, 'file')} and move ${moves === 1 ? 'it' : 'them'} back`]),
    ...(deletions === 0 ? [] : [`delete up to ${deletions}${ofHowMany}`]),
  ]);
}

function creationsOf({ drives, mcpServers, otherDrives }: Amounts): string[] {
  return [
    ...(drives === 0 ? [] : [plural(drives, 'drive')]),
    ...(mcpServers === 0 ? [] : [plural(mcpServers, 'MCP server')]),
    ...(otherDrives === 0 ? [] : [`${plural(otherDrives, 'drive')} of the second organization`]),
  ];
}

function inWords(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')}${parts.length > 2 ? ',' : ''} and ${last}`;
}
