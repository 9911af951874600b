import { withDefaults } from '../../lib/options.ts';
import { type Choices, defaultProfile, differingChoices, type Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import type { Exchange } from '../app/request-log.ts';
import { StartError } from '../app/start-error.ts';
import { createMock, type MockOptions } from '../http/create-mock.ts';
import { loadSeed } from '../http/load-settings.ts';
import type { Mock } from '../http/mock-handle.ts';
import { type VaryOptions, varyOptions } from '../options/vary-options.ts';
import { type Ended, runChild } from './child.ts';
import { Ledger, type Run, type RunTests, SearchEnded, type Trial } from './ledger.ts';
import { createDraw, prepareProfiles } from './profiles.ts';
import { ownTestsGuide, toReport, type VaryReport, type VarySettings } from './report.ts';
import { type DrawnProfile, type SearchOptions, search } from './search.ts';

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

interface RunnerOptions {
  /** The program and its arguments. */
  command: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  /** The options of each mock: a complete base profile, and no `set`. */
  mock: MockOptions;
  /** Stops the current run. */
  signal: AbortSignal;
}

/**
 * Applies choices to the base profile: starts a fresh mock and runs the tests, which find the mock through environment
 * variables. The random seed is always the same, so that two runs differ only in their choices.
 */
export function createRunner(options: RunnerOptions): RunTests {
  return async (choices) => {
    if (options.signal.aborted) throw new SearchEnded('stopped');
    const met = new Set<string>();
    let requests = 0;
    let unauthorized = 0;
    const onExchange = ({ status, openPoints = '' }: Exchange) => {
      requests++;
      if (status === 401) unauthorized++;
      for (const id of openPoints.split(', ').filter((one) => one !== '')) met.add(id);
    };
    const mock = await createMock({ ...options.mock, set: choices as Choices, onExchange });
    try {
      const ended = await runTests(mock, options);
      const trial = { ...ended, requests, unauthorized, met: [...met] };
      if (Object.keys(choices).length === 0) requireCalls(trial);
      return trial;
    } finally {
      await mock.close();
    }
  };
}

// Tests that do not call the mock pass with every profile, and nothing would be found.
function requireCalls({ isRed, requests }: Trial): void {
  if (isRed || requests > 0) return;
  throw new StartError(
    'OPTION_INVALID',
    'Your tests pass without a single request to the mock, so vary cannot find a difference. They must call the mock at ' +
      'AGENT_PLATFORM_BASE_URL with the key AGENT_PLATFORM_API_KEY (environment variables), and not start one themselves. ' +
      `For a helper that does this, see ${ownTestsGuide}.`,
  );
}

async function runTests(mock: Mock, options: RunnerOptions): Promise<Omit<Trial, 'requests' | 'unauthorized' | 'met'>> {
  const { command, timeoutMs, signal } = options;
  const address = { AGENT_PLATFORM_BASE_URL: mock.url, AGENT_PLATFORM_API_KEY: mock.key };
  const environment = { ...options.environment, ...address };
  const startedMs = performance.now();
  const ended = await runChild(command, { environment, timeoutMs, signal }).catch((error: unknown) => {
    throw notStarted(command, error);
  });
  if (signal.aborted) throw new SearchEnded('stopped');
  return {
    isRed: ended.exitCode !== 0 || ended.isTimedOut,
    durationMs: performance.now() - startedMs,
    ending: endingOf(ended, timeoutMs),
    output: ended.output,
  };
}

function endingOf({ exitCode, signal, isTimedOut }: Ended, timeoutMs: number): string {
  if (isTimedOut) return `stopped after ${timeoutMs} ms, the time limit; raise it with --timeout`;
  return exitCode === null ? `ended by ${signal}` : `exit code ${exitCode}`;
}

function notStarted([program = '']: readonly string[], error: unknown): StartError {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = { ENOENT: 'no such program', EACCES: 'permission denied' };
  const reason = reasons[code ?? ''] ?? String(code);
  const fix = "The command after -- runs without a shell. For a shell use sh -c '…'.";
  return new StartError('OPTION_INVALID', `Cannot start ${program}: ${reason}. ${fix}`, { cause: error });
}
