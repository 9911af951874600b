import { setTimeout } from 'node:timers/promises';
import { createRandom } from '../../src/domain/random.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { fixturesOf } from './fixtures.ts';
import { startFront } from './front.ts';
import type { Mutant, WireFault } from './mutant.ts';
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
  /** Has every answer come a little later, each by another time that depends on this number. */
  latencySeed?: number;
}

/** Starts a mutant, or a sound mock with a profile, over the demo seed, on a free port. */
export async function startMutant(
  mutant: Pick<Mutant, 'profile' | 'break' | 'wire' | 'prefix'>,
  { latencySeed, ...options }: MutantOptions = {},
): Promise<RunningMutant> {
  const mock = await createMock({ seed: 'demo', profile: mutant.profile ?? {}, ...options });
  const fixtures = fixturesOf(mock);
  mutant.break?.(mock.engine);
  if (mutant.wire === undefined && mutant.prefix === undefined && latencySeed === undefined) {
    return { baseUrl: mock.url, keys: mock.keys, mock, fixtures, close: () => mock.close() };
  }
  const fault = mutant.wire?.() ?? passOn;
  const front = await startFront(mock.url, latencySeed === undefined ? fault : late(fault, latencySeed), mutant.prefix);
  const close = async () => {
    await front.close();
    await mock.close();
  };
  return { baseUrl: front.baseUrl, keys: mock.keys, mock, fixtures, close };
}

const longestDelayMs = 3;

function late(fault: WireFault, seed: number): WireFault {
  const random = createRandom(`latency ${seed}`);
  return async (request, response, forward) => {
    await setTimeout(random.uint32() % longestDelayMs);
    await fault(request, response, forward);
  };
}
