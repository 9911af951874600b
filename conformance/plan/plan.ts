import type { RegisteredCheck } from '../checks/index.ts';
import type { Settings } from '../config/settings.ts';
import type { Observer } from '../observe/observer.ts';
import { type EffectCounts, type Effects, type SharedEffect, sharedEffects, sumOf } from './demands.ts';
import { unmet } from './needs.ts';
import { settingsFor } from './permissions.ts';

/** The changes that some checks make on a correct target. */
export interface PlannedEffects extends EffectCounts {
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
    judging: judging.length,
    selected: selected.length,
  };
}

/** The average number of requests per check, and of parallel requests, in whole runs on the mock. */
const [requestsPerCheck, atOnce] = [3.4, 1.9];

/** The approximate duration of a run in milliseconds, on a target that responds in `latencyMs`. */
export function estimateMs({ judging }: Pick<Plan, 'judging'>, latencyMs: number, rate?: number): number {
  const requests = judging * requestsPerCheck;
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
