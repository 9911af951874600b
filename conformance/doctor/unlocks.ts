import type { RegisteredCheck } from '../checks/index.ts';
import type { Settings } from '../config/settings.ts';
import { type NeedName, settingsOf, unmet } from '../plan/needs.ts';

/** A number of checks, and the number of requirements that they judge. */
export interface Coverage {
  checks: number;
  requirements: number;
}

/** A missing setting, and the checks that it would enable. */
export interface Unlock {
  setting: string;
  /** The checks that need no other missing setting. */
  alone: Coverage;
  /** The checks that need it, and may need other missing settings too. */
  withOthers: Coverage;
}

/** The checks that can judge with the settings, and all checks. `absent`: the data that the target lacks. */
export function coverageOf(
  checks: readonly RegisteredCheck[],
  settings: Settings,
  absent: readonly NeedName[] = [],
): { now: Coverage; all: Coverage } {
  return { now: count(checks.filter(({ needs }) => unmet(needs, settings, absent).length === 0)), all: count(checks) };
}

/** Every missing setting with the checks that it would enable, those with most checks first. */
export function unlocksOf(
  checks: readonly RegisteredCheck[],
  settings: Settings,
  absent: readonly NeedName[] = [],
): Unlock[] {
  const blocked = checks
    .map((check) => ({ check, missing: settingsOf(unmet(check.needs, settings, absent)) }))
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

function count(checks: readonly RegisteredCheck[]): Coverage {
  const requirements = new Set(checks.flatMap((check) => check.requirements.map(({ id }) => id)));
  return { checks: checks.length, requirements: requirements.size };
}
