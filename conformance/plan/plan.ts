import type { RegisteredCheck } from '../checks/index.ts';
import type { Settings } from '../config/settings.ts';
import { observingDeeds } from '../observe/table.ts';
import type { Amounts } from './amounts.ts';
import { type Effects, type SharedEffect, sharedEffects } from './demands.ts';
import { needs, unmet } from './needs.ts';

/** What some checks do to a sound target. */
export interface Deeds extends Amounts {
  /** Files that are moved and moved back, the disposable ones apart. */
  moves: number;
  /** What comes on top where the target has nothing of the kind to look at. */
  perhaps: Amounts;
}

/** What a run is going to do to a sound target. */
export interface Plan extends Deeds {
  /** How many files may be moved about and deleted. */
  disposableFiles: number;
  /** What is done on top, at most, to see what the target does where the specification is silent. */
  observing: Amounts;
  /** Checks that can judge something with these settings, and all that were selected. */
  judging: number;
  selected: number;
}

/** What the checks will do, given the permissions and the data of the settings. */
export function planOf(selected: readonly RegisteredCheck[], settings: Settings, isObserving = false): Plan {
  const judging = selected.filter((check) => unmet(check.needs, settings).length === 0);
  const deeds = deedsOf(judging.map((check) => allowed(check.effects, settings)));
  const disposableFiles = settings.fixtures.disposableFiles?.length ?? 0;
  return {
    ...deeds,
    deletions: Math.min(deeds.deletions, disposableFiles),
    disposableFiles,
    observing: isObserving ? sum([allowedAmounts(observingDeeds, settings)]) : nothing,
    judging: judging.length,
    selected: selected.length,
  };
}

/** All effects together; what checks share is done once. */
export function deedsOf(effects: readonly Effects[]): Deeds {
  const shared = new Set(effects.flatMap((effect) => effect.shared ?? []));
  const perhaps = new Set(effects.flatMap((effect) => effect.perhaps ?? []).filter((name) => !shared.has(name)));
  const own = effects.map(({ drives = 0, mcpServers = 0, deletions = 0 }) => ({
    ...nothing,
    drives,
    mcpServers,
    deletions,
  }));
  return {
    ...sum([...own, ...amountsOf(shared)]),
    moves: effects.some(({ moves }) => moves) ? 1 : 0,
    perhaps: sum(amountsOf(perhaps)),
  };
}

const nothing: Amounts = { drives: 0, mcpServers: 0, otherDrives: 0, publications: 0, deletions: 0 };

function mayDeleteFiles(settings: Settings): boolean {
  return (['deletions', 'treeParameter', 'disposableFiles'] as const).every((name) => needs[name].isMet(settings));
}

/** The effects that the settings permit: what may not be written or deleted is not tried. */
function allowed(effects: Effects, settings: Settings): Effects {
  if (!settings.allowWrites) return {};
  const mayDelete = mayDeleteFiles(settings);
  const isAllowed = (name: SharedEffect) => mayDelete || sharedEffects[name].deletions === 0;
  const isPossible = (name: SharedEffect) =>
    sharedEffects[name].otherDrives === 0 || settings.otherApiKey !== undefined;
  return {
    ...effects,
    deletions: mayDelete ? (effects.deletions ?? 0) : 0,
    shared: (effects.shared ?? []).filter(isAllowed),
    perhaps: (effects.perhaps ?? []).filter(isPossible),
  };
}

// Disposable files are neither planted nor deleted without every permission.
function allowedAmounts(amounts: Amounts, settings: Settings): Amounts {
  const { drives, mcpServers, deletions = 0 } = allowed(amounts, settings);
  return { ...nothing, drives: drives ?? 0, mcpServers: mcpServers ?? 0, deletions };
}

function amountsOf(names: Iterable<SharedEffect>): Amounts[] {
  return [...names].map((name) => sharedEffects[name]);
}

function sum(all: readonly Amounts[]): Amounts {
  return all.reduce(
    (total, each) => ({
      drives: total.drives + each.drives,
      mcpServers: total.mcpServers + each.mcpServers,
      otherDrives: total.otherDrives + each.otherDrives,
      publications: total.publications + each.publications,
      deletions: total.deletions + each.deletions,
    }),
    nothing,
  );
}
