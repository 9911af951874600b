import { withDefaults } from '../../lib/options.ts';
import { defaultProfile, differingChoices, type Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { loadSeed } from '../node/load-settings.ts';
import { Ledger, type Run } from './ledger.ts';
import { createDraw, prepareProfiles } from './profiles.ts';
import { toReport, type VaryReport, type VarySettings } from './report.ts';
import { createRunner } from './runner.ts';
import { type DrawnProfile, type SearchOptions, search } from './search.ts';
import { type VaryOptions, varyOptions } from './vary-options.ts';

/** What a search will try. */
export interface VaryPlan {
  settings: VarySettings;
  /** The choices of the base profile that differ from the default. */
  base: Readonly<Record<string, unknown>>;
  /** The profiles that are tried before any is drawn. */
  profiles: readonly DrawnProfile[];
}

/** Called while a search runs. */
interface VaryEvents extends Pick<SearchOptions, 'onBase' | 'onSuspect' | 'onCause'> {
  /** Before the first run. */
  onStart?: (plan: VaryPlan) => void;
  onRun?: (run: Run) => void;
}

/**
 * Runs the tests against many legal profiles of the mock and finds the smallest sets of choices that make them fail.
 * Rejects with a `StartError` if an option is invalid or the command cannot be run.
 */
export async function vary(options: VaryOptions, events: VaryEvents = {}): Promise<VaryReport> {
  const prepared = prepareProfiles(options);
  const { base, given, variables } = prepared;
  const settings = settingsOf(options);
  const openPoints = loadOpenPoints();
  events.onStart?.({ settings, base: differingChoices(defaultProfile(openPoints), base), profiles: given });
  const startedAt = new Date();
  const startedMs = performance.now();
  const ledger = createLedger(options, settings, base, events);
  const { repeat } = options;
  const draw = createDraw(options, prepared, ledger);
  const result = await search(ledger, given, { ...events, baseRepeat: repeat ?? 3, repeat, draw });
  const durationMs = performance.now() - startedMs;
  return toReport(result, ledger, { options, settings, base, openPoints, variables, startedAt, durationMs });
}

function settingsOf(options: VaryOptions): VarySettings {
  const settled = withDefaults(varyOptions, options);
  const { only = {}, runs, impact, randomSeed, repeat = null, maxRuns, parallel, timeoutMs } = settled;
  const variants = Object.keys(only).length > 0 ? 0 : runs;
  return { impact, randomSeed, variants, repeat, maxRuns, parallel, timeoutMs };
}

function createLedger(
  options: VaryOptions,
  { maxRuns, parallel, timeoutMs }: VarySettings,
  base: Profile,
  { onRun }: VaryEvents,
): Ledger {
  const { command, environment, signal, clock, openKeys = false } = options;
  // Read once: the file may change while the tests run.
  const seed = loadSeed(options.seed);
  const mock = { profile: base, seed, openKeys, ...(clock !== undefined && { clock }) };
  const runTests = createRunner({ command, environment, timeoutMs, mock, signal });
  return new Ledger(runTests, { maxRuns, parallel, ...(onRun && { onRun }) });
}
