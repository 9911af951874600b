import type { IncomingMessage } from 'node:http';
import type { Fixtures } from '../../../conformance/config/settings.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { createStore, type Seed } from '../../../src/domain/seed.ts';
import { createMock, type Mock } from '../../../src/index.ts';
import { fixturesOf } from '../fixtures.ts';
import { startFront } from '../front.ts';
import type { WireFault } from '../mutant.ts';
import { passOn } from '../mutants/wire-faults.ts';

/** A legal server that no profile of the mock plays, and that is listening. */
export interface RunningOddServer {
  baseUrl: string;
  /** The key of the organization that is judged, and that of the other one. */
  keys: readonly string[];
  mock: Mock;
  /** What its user vouches for. */
  fixtures: Fixtures;
  /** Ends open connections and stops listening. */
  close(): Promise<void>;
}

/** A legal server, or one with unusual fixtures, that no profile of the mock covers. */
export interface OddLegalServer {
  /** Kebab-case, unique. */
  id: string;
  /** Why it is legal, with the section. */
  why: string;
  /** The checks that may warn, by `*`: what the text asks for as a should, and this server does otherwise. */
  mayWarn: readonly string[];
  start(): Promise<RunningOddServer>;
}

/** What makes a server odd. Everything else is the mock over the demo seed. */
export interface Oddity {
  id: string;
  why: string;
  mayWarn?: readonly string[];
  profile?: Partial<Profile>;
  /** Another starting state. Here ids may stand twice. */
  seed?: Seed;
  /** Changes the engine of the mock, in place, and may stop that at the end. */
  prepare?(mock: Mock): (() => void) | undefined;
  /** Stands between the wire and the mock. */
  wire?(mock: Mock): WireFault;
  /** The path of the base URL, where it is another than `/v0.1`. */
  prefix?: string;
  /** Other fixtures than all that a user could know. */
  fixtures?(usual: Fixtures, mock: Mock): Fixtures;
  /** Other keys than the two of the mock. */
  keys?(usual: readonly string[]): readonly string[];
}

/** Whether a request comes with a key that the mock knows. */
export function hasValidKey({ engine }: Mock, { headers }: IncomingMessage): boolean {
  const bearer = String(headers.authorization ?? '').replace(/^Bearer /, '');
  return [String(headers['x-api-key'] ?? ''), bearer].some((key) => engine.store.organizationOf(key) !== undefined);
}

/** The server of an oddity. */
export function toServer(oddity: Oddity): OddLegalServer {
  const { id, why, mayWarn = [] } = oddity;
  return { id, why, mayWarn, start: () => startOdd(oddity) };
}

async function startOdd(oddity: Oddity): Promise<RunningOddServer> {
  const mock = await createMock({ seed: 'demo', profile: oddity.profile ?? {} });
  if (oddity.seed !== undefined) mock.engine.store = createStore(mock.engine.runtime, oddity.seed);
  const usual = fixturesOf(mock);
  const keys = oddity.keys?.(mock.keys) ?? mock.engine.store.keys;
  const fixtures = oddity.fixtures?.(usual, mock) ?? usual;
  const stop = oddity.prepare?.(mock);
  const front = await startFront(mock.url, oddity.wire?.(mock) ?? passOn, oddity.prefix);
  const close = async () => {
    stop?.();
    await front.close();
    await mock.close();
  };
  return { baseUrl: front.baseUrl, keys, mock, fixtures, close };
}
