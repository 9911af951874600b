import { createMock, type Mock } from '../../src/index.ts';
import { fixturesOf } from './fixtures.ts';
import { startFront } from './front.ts';
import type { Mutant } from './mutant.ts';
import { passOn } from './mutants/wire-faults.ts';

/** A mutant that is listening. */
export interface RunningMutant {
  /** With the version segment, unless that is the fault. */
  baseUrl: string;
  keys: readonly string[];
  /** The mock that was broken, or that stands behind the fault. */
  mock: Mock;
  /** What was on it before it was broken. */
  fixtures: ReturnType<typeof fixturesOf>;
  /** Ends open connections and stops listening. */
  close(): Promise<void>;
}

/** How to start a mutant. */
export interface MutantOptions {
  /** An ISO date-time at which the clock stands still. Default: the machine's clock. */
  clock?: string;
}

/** Starts a mutant over the demo seed, on a free port. */
export async function startMutant(mutant: Mutant, options: MutantOptions = {}): Promise<RunningMutant> {
  const mock = await createMock({ seed: 'demo', profile: mutant.profile ?? {}, ...options });
  const fixtures = fixturesOf(mock);
  mutant.break?.(mock.engine);
  if (mutant.wire === undefined && mutant.prefix === undefined) {
    return { baseUrl: mock.url, keys: mock.keys, mock, fixtures, close: () => mock.close() };
  }
  const front = await startFront(mock.url, mutant.wire?.() ?? passOn, mutant.prefix);
  const close = async () => {
    await front.close();
    await mock.close();
  };
  return { baseUrl: front.baseUrl, keys: mock.keys, mock, fixtures, close };
}
