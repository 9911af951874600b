import type { Profile } from '../../../openapi/contract/profile.ts';
import { createMock, type Mock, type MockOptions } from '../../http/create-mock.ts';
import type { Exchange } from '../../http/exchange.ts';
import { UsageError } from '../usage-error.ts';
import { type Ended, runChild } from './child.ts';
import { type Play, SearchEnded, type Trial } from './ledger.ts';

export interface RunnerOptions {
  /** The program and its words. */
  command: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  /** The base: what each mock is started with. It has a whole profile and no choices beside it. */
  mock: MockOptions;
  /** Ends the run that is under way. */
  signal: AbortSignal;
}

/**
 * Plays a world: a fresh mock, and the command beside it, told by the environment where the mock listens. Ids are those of
 * the base's random seed in every world, so that two worlds differ in their choices alone.
 */
export function createRunner(options: RunnerOptions): Play {
  return async (choices) => {
    if (options.signal.aborted) throw new SearchEnded('stopped');
    const seen = createSeen();
    const mock = await createMock({ ...options.mock, set: choices as Partial<Profile>, onExchange: seen.onExchange });
    try {
      const trial = { ...(await runBeside(mock, options)), ...seen.all() };
      if (Object.keys(choices).length === 0) requireCalls(trial);
      return trial;
    } finally {
      await mock.close();
    }
  };
}

/** What the mock sees of a run. */
function createSeen() {
  const met = new Set<string>();
  let requests = 0;
  return {
    onExchange: ({ openPoints = '' }: Exchange) => {
      requests++;
      for (const id of openPoints.split(', ').filter((one) => one !== '')) met.add(id);
    },
    all: () => ({ requests, met: [...met] }),
  };
}

// Else every world would be as green as the base, and nothing would be found.
function requireCalls({ isRed, requests }: Trial): void {
  if (isRed || requests > 0) return;
  throw new UsageError(
    'Your tests are green without a single request to the mock, so they cannot tell one world from another. They find it ' +
      'by AGENT_PLATFORM_BASE_URL and AGENT_PLATFORM_API_KEY in their environment.',
  );
}

type Outcome = Omit<Trial, 'requests' | 'met'>;

async function runBeside(mock: Mock, { command, environment, timeoutMs, signal }: RunnerOptions): Promise<Outcome> {
  const told = { AGENT_PLATFORM_BASE_URL: mock.url, AGENT_PLATFORM_API_KEY: mock.keys[0] };
  const startedMs = performance.now();
  const ended = await runChild(command, { environment: { ...environment, ...told }, timeoutMs, signal }).catch(
    (error: unknown) => {
      throw notStarted(command, error);
    },
  );
  if (signal.aborted) throw new SearchEnded('stopped');
  return {
    isRed: ended.exitCode !== 0 || ended.isTimedOut,
    durationMs: performance.now() - startedMs,
    ending: endingOf(ended, timeoutMs),
    output: ended.output,
  };
}

function endingOf({ exitCode, signal, isTimedOut }: Ended, timeoutMs: number): string {
  if (isTimedOut) return `ended after ${timeoutMs} ms, the time limit`;
  return exitCode === null ? `ended by ${signal}` : `exit code ${exitCode}`;
}

function notStarted([program = '']: readonly string[], error: unknown): UsageError {
  const { code } = error as NodeJS.ErrnoException;
  const reason =
    code === 'ENOENT' ? 'there is no such program' : code === 'EACCES' ? 'it may not be run' : String(code);
  const remedy = "What stands behind -- is started as it is, without a shell; sh -c '…' gives you one.";
  return new UsageError(`${program} cannot be started: ${reason}. ${remedy}`);
}
