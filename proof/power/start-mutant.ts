import { setTimeout } from 'node:timers/promises';
import { createRandom } from '../../src/domain/random.ts';
import { createStore, type Seed } from '../../src/domain/seed.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { fixturesOf } from '../../test/support/fixtures.ts';
import { startAskingFront } from './asking-front.ts';
import { startFront } from './front.ts';
import type { Engine, Mutant, WireFault } from './mutant.ts';
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
interface MutantOptions {
  /** An ISO date-time at which the clock stands still. Default: the machine's clock. */
  clock?: string;
  /** Has every answer come a little later, each by another time that depends on this number. */
  latencySeed?: number | undefined;
}

/** What can be started: a mutant, or a sound server, which has less to it. */
export interface Startable extends Pick<Mutant, 'profile' | 'tools' | 'prefix'> {
  /** Another starting state than the demo seed. Here ids may stand twice. */
  seed?: Seed;
  /** Changes the engine of the mock, in place. What goes on in the background ends with the signal. */
  break?(engine: Engine, signal: AbortSignal): void;
  /** Stands between the wire and the mock. */
  wire?(engine: Engine): WireFault;
}

/** What requests come to: the mock, or the outermost of what stands in front of it. */
interface Listening {
  url: string;
  close(): Promise<void>;
}

/** Starts a mutant, or a sound mock with a profile, on a free port. */
export async function startMutant(
  mutant: Startable,
  { latencySeed, ...options }: MutantOptions = {},
): Promise<RunningMutant> {
  const mock = await createMock({ seed: 'demo', profile: mutant.profile ?? {}, ...options });
  const { engine } = mock;
  if (mutant.seed !== undefined) engine.store = createStore(engine.runtime, mutant.seed);
  const fixtures = fixturesOf(mock);
  const work = new AbortController();
  mutant.break?.(engine, work.signal);
  const asking = await askInFront(mutant, { url: mock.url, close: () => mock.close() });
  const { url, close } = await failInFront(mutant, engine, asking, latencySeed);
  const end = () => {
    work.abort();
    return close();
  };
  return { baseUrl: url, keys: engine.store.keys, mock, fixtures, close: end };
}

async function askInFront({ tools }: Startable, behind: Listening): Promise<Listening> {
  if (tools === undefined) return behind;
  const { url, close } = await startAskingFront(behind.url, tools());
  return { url, close: () => close().then(behind.close) };
}

async function failInFront(
  { wire, prefix }: Startable,
  engine: Engine,
  behind: Listening,
  latencySeed?: number,
): Promise<Listening> {
  if (wire === undefined && prefix === undefined && latencySeed === undefined) return behind;
  const fault = wire?.(engine) ?? passOn;
  const front = await startFront(behind.url, latencySeed === undefined ? fault : late(fault, latencySeed), prefix);
  return { url: front.baseUrl, close: () => front.close().then(behind.close) };
}

const longestDelayMs = 3;

function late(fault: WireFault, seed: number): WireFault {
  const random = createRandom(`latency ${seed}`);
  return async (request, response, forward) => {
    await setTimeout(random.uint32() % longestDelayMs);
    await fault(request, response, forward);
  };
}
