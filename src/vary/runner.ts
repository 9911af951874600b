import type { Profile } from '../../openapi/contract/profile.ts';
import { createMock, type MockOptions } from '../node/mock/create-mock.ts';
import type { Mock } from '../node/mock/mock-handle.ts';
import type { Exchange } from '../workbench/exchange.ts';
import { StartError } from '../workbench/start-error.ts';
import { type Ended, runChild } from './child.ts';
import { type RunTests, SearchEnded, type Trial } from './ledger.ts';

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
    const mock = await createMock({ ...options.mock, set: choices as Partial<Profile>, onExchange });
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

/** The section of the guide on how tests find the mock. */
export const ownTestsGuide = '"Your own tests" in docs/what-does-your-frontend-rely-on.md of this package';

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
  if (isTimedOut) return `stopped after ${timeoutMs} ms, the time limit`;
  return exitCode === null ? `ended by ${signal}` : `exit code ${exitCode}`;
}

function notStarted([program = '']: readonly string[], error: unknown): StartError {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = { ENOENT: 'no such program', EACCES: 'permission denied' };
  const reason = reasons[code ?? ''] ?? String(code);
  const fix = "The command after -- runs without a shell. For a shell use sh -c '…'.";
  return new StartError('OPTION_INVALID', `Cannot start ${program}: ${reason}. ${fix}`, { cause: error });
}
