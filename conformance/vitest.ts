import { afterAll, describe, it } from 'vitest';
import { type LoadConfig, registerWith, type VitestConfig, type VitestOptions } from './run/in-vitest.ts';

export type { VitestConfig, VitestOptions };

/**
 * Registers every check as a Vitest test. The first test that runs judges the target, with the checks that Vitest has
 * selected. A broken must fails its test; a broken should passes and is printed; a check that could not be judged is
 * skipped with its reason. Throws a `SuiteError`, here or in the run, for unknown or invalid options and settings.
 */
export function registerConformance(config: VitestConfig | LoadConfig, options: VitestOptions = {}): void {
  registerWith({ describe, it, afterAll }, config, options);
}
