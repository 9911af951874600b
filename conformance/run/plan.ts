// What a run will do: its effects, the permissions that it uses, and the texts that say so (`--dry-run`, `--explain`).
import { say } from '../../lib/sentence.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import { plural, quoted, wrap } from '../../lib/text.ts';
import { loadDocument, loadRequirements, sharedOf } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import { type EffectCounts, type Effects, requireMatch, type SharedEffect, sharedEffects } from '../checks/check.ts';

import type { RegisteredCheck } from '../checks/index.ts';
import type { Observer } from '../observe/observer.ts';
import { volume as many, mostMade, mostRequests, mostWalked } from '../walk/limits.ts';
import { needs, settingsOf, unmet } from './needs.ts';
import { sectionsOf } from './run-check.ts';
import type { Settings } from './settings.ts';
import { SuiteError } from './suite-error.ts';

/** All counts together. */
function sumOf(all: readonly Partial<EffectCounts>[]): EffectCounts {
  const total = { drives: 0, mcpServers: 0, otherDrives: 0, otherMcpServers: 0, publications: 0, deletions: 0 };
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) total[name as keyof EffectCounts] += count;
  }
  return total;
}

const readOperations = sharedOf(
  () => new Set(operationsOf(loadDocument()).flatMap((one) => (one.isRead ? [one.operationId] : []))),
);

/** The settings for some checks and observers: if they only read, nothing is written, whatever the config allows. */
export function settingsFor(
  checks: readonly RegisteredCheck[],
  settings: Settings,
  observers: readonly Observer[],
): Settings {
  // A run of selected checks neither walks nor makes many of anything.
  const { walk, volume } = checks.length < countChecks() ? { walk: 0, volume: false } : settings;
  const reads = readOperations();
  const isReading = checks.every(({ operation, needs, effects: { drives, mcpServers, deletions, moves } }) => {
    const changes = drives || mcpServers || deletions || moves;
    return reads.has(operation) && !needs.includes('writes') && !changes;
  });
  return isReading && observers.every(({ effects }) => effects === undefined)
    ? { ...settings, walk, volume, allowWrites: false, allowDestructive: false }
    : { ...settings, walk, volume };
}

/** How many checks there are: each stands under a requirement. */
function countChecks(): number {
  return new Set(loadRequirements().flatMap(({ checks = [] }) => checks)).size;
}

/** The changes that some checks make on a correct target. */
interface PlannedEffects extends EffectCounts {
  /** Files that are moved and moved back, besides the disposable ones. */
  moves: number;
  /** Added if the target has no such data. */
  perhaps: EffectCounts;
}

/** The changes that a run will make on a correct target. */
export interface Plan extends PlannedEffects {
  /** The number of files that may be moved and deleted. */
  disposableFiles: number;
  /** The maximum added to observe open points. */
  observing: Omit<PlannedEffects, 'perhaps'>;
  /** The maximum added by the walk, and how many requests it sends. */
  walking: Omit<PlannedEffects, 'perhaps'> & { requests: number };
  /** What `--volume` adds. */
  volume: Omit<PlannedEffects, 'perhaps'>;
  /** How many checks can judge with these settings, and how many were selected. */
  judging: number;
  selected: number;
}

/** Plans a run of the selected checks with these settings, and of these observers. */
export function planOf(
  selected: readonly RegisteredCheck[],
  given: Settings,
  observers: readonly Observer[] = [],
): Plan {
  const settings = settingsFor(selected, given, observers);
  const judging = selected.filter((check) => unmet(check.needs, settings).length === 0);
  const { files = [], disposableFiles = [] } = settings.fixtures;
  const planned = (effects: readonly Effects[]) => {
    const all = planEffects(effects.map((each) => allowed(each, settings)));
    const deletions = Math.min(all.deletions, disposableFiles.length);
    return { ...all, moves: all.moves === 0 ? 0 : files.length, deletions };
  };
  const ofChecks = judging.map(({ effects }) => effects);
  const { perhaps, ...certain } = planned(ofChecks);
  const { perhaps: _, ...all } = planned([...ofChecks, ...observers.map(({ effects = {} }) => effects)]);
  const names = Object.keys(certain) as (keyof typeof certain)[];
  return {
    ...certain,
    perhaps,
    disposableFiles: disposableFiles.length,
    observing: { ...all, ...Object.fromEntries(names.map((name) => [name, all[name] - certain[name]])) },
    walking: walkingOf(settings),
    volume: volumeOf(settings),
    judging: judging.length,
    selected: selected.length,
  };
}

/** What a walk may change. */
function walkingOf(settings: Settings): Plan['walking'] {
  const { walk, allowWrites, otherApiKey, fixtures } = settings;
  const none = { ...sumOf([]), moves: 0, requests: mostRequests(settings) };
  if (walk === 0 || !allowWrites) return none;
  const { own, other } = mostMade;
  const ofOther = otherApiKey === undefined ? {} : { otherDrives: other, otherMcpServers: other };
  const disposable = (fixtures.disposableFiles ?? []).length;
  const mayDelete = settings.allowDestructive && settings.treePathParameter !== undefined;
  const { stay, go } = mostWalked;
  const gone = Math.min(go, mayDelete ? disposable : 0);
  const moves = Math.min(stay, (fixtures.files ?? []).length) + gone;
  return { ...none, drives: own, mcpServers: own, ...ofOther, moves, deletions: gone };
}

/** What `--volume` adds. */
function volumeOf({ volume, allowWrites, fixtures, ...settings }: Settings): Plan['volume'] {
  const none = { ...sumOf([]), moves: 0 };
  if (!volume || !allowWrites) return none;
  const mayDelete = settings.allowDestructive && settings.treePathParameter !== undefined;
  return {
    ...none,
    drives: many.drives,
    publications: fixtures.agent === undefined ? 0 : many.publications,
    deletions: mayDelete ? (fixtures.disposableFiles ?? []).length : 0,
  };
}

/** The average number of requests per check, and of parallel requests, in whole runs on the mock. */
const [requestsPerCheck, atOnce] = [3.4, 2.7];

/** The approximate duration of a run in milliseconds, on a target that responds in `latencyMs`. */
export function estimateMs(plan: Pick<Plan, 'judging' | 'walking'>, latencyMs: number, rate?: number): number {
  const requests = plan.judging * requestsPerCheck + plan.walking.requests;
  return Math.max((requests * latencyMs) / atOnce, rate === undefined ? 0 : (requests / rate) * 1_000);
}

/** All effects together; shared ones count once. */
export function planEffects(effects: readonly Effects[]): PlannedEffects {
  const shared = new Set(effects.flatMap((effect) => effect.shared ?? []));
  const perhaps = new Set(effects.flatMap((effect) => effect.perhaps ?? []).filter((name) => !shared.has(name)));
  return {
    ...sumOf([...effects.map(countsIn), ...countsOf(shared)]),
    moves: effects.some(({ moves }) => moves) ? 1 : 0,
    perhaps: sumOf(countsOf(perhaps)),
  };
}

/** The effects that the settings permit. */
function allowed(effects: Effects, settings: Settings): Effects {
  if (!settings.allowWrites) return {};
  const mayDelete = unmet(['deletions', 'treeParameter', 'disposableFiles'], settings).length === 0;
  const hasOther = settings.otherApiKey !== undefined;
  const mayPublish = settings.fixtures.agent !== undefined;
  const has = (name: SharedEffect, count: keyof EffectCounts) => count in sharedEffects[name];
  return {
    ...effects,
    deletions: mayDelete ? (effects.deletions ?? 0) : 0,
    shared: (effects.shared ?? []).filter(
      (name) => (mayDelete || !has(name, 'deletions')) && (mayPublish || !has(name, 'publications')),
    ),
    perhaps: (effects.perhaps ?? []).filter((name) => hasOther || !has(name, 'otherDrives')),
  };
}

function countsIn(effects: Effects): Partial<EffectCounts> {
  const { drives = 0, mcpServers = 0, otherDrives = 0, otherMcpServers = 0, deletions = 0 } = effects;
  return { drives, mcpServers, otherDrives, otherMcpServers, deletions };
}

function countsOf(names: Iterable<SharedEffect>): Partial<EffectCounts>[] {
  return Array.from(names, (name) => sharedEffects[name]);
}

/** What a run may do, in a few words. */
export function modeOf({ allowWrites, allowDestructive, treePathParameter, fixtures }: Settings): string {
  if (!allowWrites) return 'read only';
  const mayDelete = allowDestructive && treePathParameter !== undefined && fixtures.disposableFiles?.[0] !== undefined;
  return mayDelete ? 'read, write and delete' : 'read and write, no deletions';
}

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
    ...walkingLine(plan),
    ...volumeLine(plan),
    'The API cannot undo creations, publications or deletions.',
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

function walkingLine({ walking }: Plan): string[] {
  const deeds = deedsOf(walking);
  if (deeds.length === 0) return [];
  return [`Then it walks: up to ${walking.requests} requests in a random order, which may ${inWords(deeds)}.`];
}

function volumeLine({ volume }: Plan): string[] {
  const deeds = deedsOf(volume);
  return deeds.length === 0 ? [] : [`With --volume, it will also ${inWords(deeds)}.`];
}

/** What a server that deletes too much may destroy. */
export function riskOf(disposableFiles: readonly { driveId: string }[]): string {
  const drives = new Set(disposableFiles.map(({ driveId }) => driveId)).size;
  const where = drives === 1 ? 'the drive' : `the ${drives} drives`;
  return `On a broken server, every file in ${where} named in disposableFiles is at risk.`;
}

/** The changes on a correct target, for example `create 2 drives and move 1 file and move it back`; empty if none. */
export function describeEffects(effects: Counted): string {
  return inWords(deedsOf(effects));
}

type Counted = Omit<PlannedEffects, 'perhaps'>;

function deedsOf(effects: Counted, ofHowMany?: number): string[] {
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
  const own = created(drives, mcpServers);
  const other = created(otherDrives, otherMcpServers);
  if (own.length > 0 && own.join() === other.join()) return [`create ${inWords(own)} in each organization`];
  return [
    ...(own.length === 0 ? [] : [`create ${inWords(own)}`]),
    ...(other.length === 0 ? [] : [`create ${inWords(other)} in the second organization`]),
  ];
}

function created(drives: number, mcpServers: number): string[] {
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

/** The lines of `--list`: id, level, what each check does and which settings it needs. */
export function listing(checks: readonly RegisteredCheck[]): string {
  const idWidth = Math.max(...checks.map(({ id }) => id.length));
  const lines = checks.map(({ id, level, does, needs: names }) => {
    const settings = settingsOf(names);
    const needed = settings.length === 0 ? '' : ` Needs ${settings.join(', ')}`;
    return `${id.padEnd(idWidth)}  ${level.padEnd(6)}  ${does}${needed}\n`;
  });
  return lines.join('');
}

const width = 96;

/** The full description of one check. Throws a `SuiteError` if there is none with this id. */
export function explain(checks: readonly RegisteredCheck[], id: string): string {
  const check = checks.find((candidate) => candidate.id === id);
  if (check === undefined) {
    requireMatch(
      checks.map((candidate) => candidate.id),
      id,
    );
    throw new SuiteError(
      'UNKNOWN_CHECK',
      say`--explain takes the id of one check. --list --only '${id}' lists the checks that match.`,
    );
  }
  return [
    `${check.id} (${check.level})`,
    '',
    ...indented(wrap(check.does, width)),
    ...part('Judges', check.requirements.flatMap(requirementLines)),
    ...part('Needs', needLines(check)),
    ...part('Changes', changeLines(check)),
    ...part('Run only this check', [commandFor(check)]),
    '',
  ].join('\n');
}

function part(title: string, lines: readonly string[]): string[] {
  return ['', `${title}:`, ...indented(lines)];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function requirementLines({ requirement, sources, pointer }: RegisteredCheck['requirements'][number]): string[] {
  const places = pointer.map((place) => `openapi.yaml${place}`);
  return [...wrap(`${requirement.trim()} (section ${sectionsOf(sources).join(', ')})`, width), ...indented(places)];
}

function needLines({ needs: names }: RegisteredCheck): string[] {
  if (names.length === 0) return ['only the base URL and a key'];
  return names.map((name) => `${needs[name].setting.padEnd(30)} ${needs[name].what}`);
}

function changeLines({ effects, needs: names }: RegisteredCheck): string[] {
  const planned = planEffects([effects]);
  const certain = describeEffects(planned);
  const perhaps = describeEffects({ ...planned.perhaps, moves: 0 });
  const allowed = names.includes('writes') ? '' : 'with --allow-writes: ';
  return [
    certain === '' ? 'nothing' : `${allowed}${certain}; once per run, shared by all checks that need it`,
    ...(perhaps === '' ? [] : [`if the target has too little data, ${allowed}${perhaps}`]),
  ];
}

function commandFor({ id, needs: names }: RegisteredCheck): string {
  const settings = settingsOf(names);
  const flags = settings.filter((setting) => setting.startsWith('--'));
  const file = settings.length > flags.length ? ['--config <file>'] : [];
  return shownCommand('conformance', ['--base-url <url>', ...file, ...flags, `--only ${id}`]);
}
