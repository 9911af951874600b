import type { RegisteredCheck } from '../checks/index.ts';
import type { Settings } from '../config/settings.ts';
import { settingsOf, unmet } from '../plan/needs.ts';

/** Checks, and the requirements that they judge. */
export interface Reach {
  checks: number;
  requirements: number;
}

/** A setting that is missing, and what it would let be judged. */
export interface Unlock {
  setting: string;
  /** What nothing else stands in the way of. */
  alone: Reach;
  /** What needs it, and may need other settings that are missing as well. */
  withOthers: Reach;
}

/** What can be judged with the settings, and in all. */
export function reachOf(checks: readonly RegisteredCheck[], settings: Settings): { now: Reach; all: Reach } {
  return { now: count(checks.filter(({ needs }) => unmet(needs, settings).length === 0)), all: count(checks) };
}

/** Every setting that is missing with what it would unlock, the most telling first. */
export function unlocksOf(checks: readonly RegisteredCheck[], settings: Settings): Unlock[] {
  const blocked = checks
    .map((check) => ({ check, missing: settingsOf(unmet(check.needs, settings)) }))
    .filter(({ missing }) => missing.length > 0);
  return [...new Set(blocked.flatMap(({ missing }) => missing))]
    .map((setting) => {
      const asking = blocked.filter(({ missing }) => missing.includes(setting));
      const alone = asking.filter(({ missing }) => missing.length === 1);
      return {
        setting,
        alone: count(alone.map(({ check }) => check)),
        withOthers: count(asking.map(({ check }) => check)),
      };
    })
    .sort((a, b) => b.withOthers.checks - a.withOthers.checks);
}

function count(checks: readonly RegisteredCheck[]): Reach {
  const requirements = new Set(checks.flatMap((check) => check.requirements.map(({ id }) => id)));
  return { checks: checks.length, requirements: requirements.size };
}
