import { shownCommand } from '../../lib/shown-command.ts';
import { plural, quoted } from '../../lib/text.ts';
import type { Settings } from '../config/settings.ts';
import type { EffectCounts } from './demands.ts';
import type { Plan, PlannedEffects } from './plan.ts';

/** What a run will do to the target: shown to its owner before the start. */
export function describePlan(plan: Plan, { allowWrites, fixtures }: Settings): string[] {
  if (!allowWrites) return ['Read-only run. Negative tests use ids that do not exist.'];
  const effects = deedsOf(plan, plan.disposableFiles);
  const perhaps = creationsOf(plan.perhaps);
  return [
    ...(effects.length === 0 ? ['This run changes nothing on a correct server.'] : listed('This run will', effects)),
    ...(perhaps.length === 0
      ? []
      : [
          `If the target has too little data, the run will also ${inWords(perhaps).replaceAll(' and create ', ' and ')}.`,
        ]),
    ...observingLine(plan),
    'The API cannot undo creations, publications and deletions.',
    'A broken server may change more: the run also sends requests that a server must refuse.',
    ...(plan.deletions === 0 ? [] : [riskOf(fixtures.disposableFiles ?? [])]),
  ];
}

/** Where a run records its moves; empty if it may not move files. */
export function describeMoveLog({ allowWrites, fixtures }: Settings, file: string): string {
  const mayMove = allowWrites && [fixtures.files, fixtures.disposableFiles].some((files) => (files ?? []).length > 0);
  if (!mayMove) return '';
  return `Moves are logged in ${file}\nIf the run is killed, move the files back with ${restoreCommand(file)}\n`;
}

/** How to move back the files that a run could not. */
export function restoreHint(file: string): string {
  return `Some files may not be back. Move them back with ${restoreCommand(file)}`;
}

function restoreCommand(file: string): string {
  return shownCommand('conformance restore', [quoted(file)]);
}

function observingLine({ observing }: Plan): string[] {
  const deeds = deedsOf(observing);
  return deeds.length === 0 ? [] : [`To observe open points, the run may also ${inWords(deeds)}.`];
}

/** What a server that deletes too much may destroy. */
export function riskOf(disposableFiles: readonly { driveId: string }[]): string {
  const drives = new Set(disposableFiles.map(({ driveId }) => driveId)).size;
  const where = drives === 1 ? 'the drive' : `the ${drives} drives`;
  return `On a broken server, every file in ${where} named in disposableFiles is at risk.`;
}

/** The changes on a correct target, for example `create 2 drives and move 1 file and move it back`; empty if none. */
export function describeEffects(effects: Effects): string {
  return inWords(deedsOf(effects));
}

type Effects = Omit<PlannedEffects, 'perhaps'>;

function deedsOf(effects: Effects, ofHowMany?: number): string[] {
  const { publications, moves, deletions } = effects;
  const files = plural(ofHowMany ?? deletions, 'disposable file');
  return [
    ...creationsOf(effects),
    ...(publications === 0 ? [] : [`publish ${plural(publications, 'revision')}`]),
    ...(moves === 0 ? [] : [`move ${plural(moves, 'file')} and move ${moves === 1 ? 'it' : 'them'} back`]),
    ...(deletions === 0 ? [] : [`delete up to ${ofHowMany === undefined ? '' : `${deletions} of `}${files}`]),
  ];
}

function creationsOf({ drives, mcpServers, otherDrives, otherMcpServers }: EffectCounts): string[] {
  const own = countsOf(drives, mcpServers);
  const other = countsOf(otherDrives, otherMcpServers);
  if (own.length > 0 && own.join() === other.join()) return [`create ${inWords(own)} in each organization`];
  return [
    ...(own.length === 0 ? [] : [`create ${inWords(own)}`]),
    ...(other.length === 0 ? [] : [`create ${inWords(other)} in the second organization`]),
  ];
}

function countsOf(drives: number, mcpServers: number): string[] {
  return [
    ...(drives === 0 ? [] : [plural(drives, 'drive')]),
    ...(mcpServers === 0 ? [] : [plural(mcpServers, 'MCP server')]),
  ];
}

/** One action in a sentence, several in a list. */
function listed(start: string, deeds: readonly string[]): string[] {
  return deeds.length === 1 ? [`${start} ${deeds[0]}.`] : [start, ...deeds.map((deed) => `  ${deed}`)];
}

function inWords(parts: readonly string[]): string {
  return new Intl.ListFormat('en').format(parts);
}
