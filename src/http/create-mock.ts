import { randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { basePathOf } from '../../openapi/contract/operations.ts';
import { packageVersion } from '../../openapi/contract/package-version.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { isRefusal } from '../domain/refusal.ts';
import type { Seed } from '../domain/seed.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { MockClock } from '../engine/clock.ts';
import type { Loudness } from '../engine/draw-profile.ts';
import { Engine } from '../engine/engine.ts';
import type { NewWorld } from '../engine/worlds.ts';
import { controlPrefix, isLoopback } from './control/guard.ts';
import type { ServerOptions } from './edge.ts';
import type { Exchange } from './exchange.ts';
import { Faults } from './faults/faults.ts';
import type { LiveMcpOptions } from './live-tools/live-mcp-options.ts';
import { createLiveTools, type LiveTools } from './live-tools/live-tools.ts';
import { toLiveSettings, withLiveTools } from './live-tools/options.ts';
import { defaultJournalLimit, defaultMaxWorlds, defaultRandomSeed } from './mock-defaults.ts';
import { addressOf, createServer } from './server.ts';
import { loadChoices, loadDrawnProfile, loadProfile, loadSeed } from './settings.ts';
import { StartError, toListenError } from './start-error.ts';

// Of bodies, together.
const journalBodyBytes = 8_388_608;

/** A drawn random seed is below this: short enough to be typed again. */
const drawnSeedLimit = 1_000_000;

/** How to start a mock. Everything may be left out. */
export interface MockOptions {
  /** Default 0: any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** `demo` (the default), the path of a YAML or JSON file, or the seed itself. */
  seed?: Seed | string;
  /** The path of a YAML or JSON file, or the choices themselves. What is left out has its default. */
  profile?: Partial<Profile> | string;
  /** Choices laid over those of `profile`. */
  set?: Partial<Profile>;
  /** An ISO date-time at which the clock stands still. Default: the machine's clock. */
  clock?: string;
  /** Play a world that is drawn from the random seed: what is chosen here stays, the other open points vary. */
  vary?: Loudness;
  /** A whole number. Ids depend on it alone (and, where they show time, on the clock). Default 1; drawn under `vary`. */
  randomSeed?: number;
  /** Whether pages of other origins may call the mock. Default true. */
  cors?: boolean;
  /** Whether any unknown key opens a world of its own: a fresh copy of the seed's first organization. Default false. */
  openKeys?: boolean;
  /** How many worlds there may be; one more retires the idle one. Default 1,000. */
  maxWorlds?: number;
  /** Whether there is a control plane at `/__admin`. Default true; without a token only on a loopback address. */
  admin?: boolean;
  /** Demanded by the control plane as a bearer token. */
  adminToken?: string;
  /** How many exchanges the journal keeps. Default 1,000; 0: none. */
  journalLimit?: number;
  /** Whether answers say in `X-Open-Points` which open points shaped them. Default true. */
  openPointsHeader?: boolean;
  /** Whether MCP servers are really asked for their tools, and how. Default false: then nothing is ever contacted. */
  liveMcp?: boolean | LiveMcpOptions;
  /** Told of each exchange when it is over. */
  onExchange?: (exchange: Exchange) => void;
  /** Told of what should not have happened. Default: written to standard error. */
  onUnexpected?: (error: unknown) => void;
}

/** A mock that is listening. */
export interface Mock {
  /** The base URL, with the version segment: `http://127.0.0.1:4010/v0.1`. */
  readonly url: string;
  /** The API keys of the seed, in its order. */
  readonly keys: readonly string[];
  /** What the mock plays where the specification is silent. */
  readonly profile: Readonly<Profile>;
  /** The engine behind it, for those who embed the mock. */
  readonly engine: Engine;
  /** Where the control plane is; undefined when there is none. */
  readonly adminUrl: string | undefined;
  /** Opens a world: an organization with a fresh copy of the seed and a key of its own. */
  openWorld(world?: NewWorld): { key: string; organizationId: string };
  /** The deviations that it injects: none, until some are added. */
  readonly faults: Faults;
  /** Back to the starting state, without faults. */
  reset(): void;
  /** The whole state as data. */
  snapshot(): Snapshot;
  /** Puts back a state that was got from {@link Mock.snapshot}. */
  restore(snapshot: Snapshot): void;
  /** Ends open connections and stops listening. */
  close(): Promise<void>;
}

/** Starts a mock. Rejects with a {@link StartError} that says what was wrong and what to do. */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  const { host = '127.0.0.1', port = 0 } = options;
  requireUsable(options);
  const engine = createEngine(options);
  const faults = new Faults(engine.world.randomSeed);
  const live = createLive(engine, options);
  const app = createServer(engine, { ...toServerOptions(options, host), faults, prepare: live?.prepare });
  app.addHook('preClose', (done) => {
    live?.close();
    done();
  });
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw toListenError(error, host, port);
  }
  return toMock(engine, faults, app, hasControl(options, host));
}

function toMock(engine: Engine, faults: Faults, app: FastifyInstance, hasAdmin: boolean): Mock {
  const origin = `http://${addressOf(app)}`;
  return {
    url: origin + basePathOf(engine.contract),
    adminUrl: hasAdmin ? origin + controlPrefix : undefined,
    keys: engine.store.keys,
    get profile() {
      return engine.world.profile;
    },
    engine,
    faults,
    openWorld: (world) => openWorld(engine, world),
    reset: () => {
      // In this order: a call that a fault holds up still belongs to the state of before.
      faults.clear();
      engine.reset();
    },
    // Copies: what the caller does to them is no business of the state.
    snapshot: () => structuredClone(engine.snapshot()),
    restore: (snapshot) => {
      faults.held.letGo(() => true);
      engine.restore(structuredClone(snapshot));
    },
    close: () => app.close(),
  };
}

function openWorld(engine: Engine, world: NewWorld = {}): { key: string; organizationId: string } {
  const opened = engine.worlds.open(world);
  if (isRefusal(opened)) throw new StartError('OPTION_INVALID', opened.detail);
  return { key: opened.key, organizationId: opened.resident.organization.id };
}

function toServerOptions(options: MockOptions, host: string): Omit<ServerOptions, 'faults'> {
  const {
    cors = true,
    onExchange,
    onUnexpected = console.error,
    adminToken,
    journalLimit = defaultJournalLimit,
  } = options;
  return {
    ...{ hasCors: cors, hasOpenPoints: options.openPointsHeader ?? true, onExchange, onUnexpected },
    journal: journalLimit === 0 ? undefined : { entries: journalLimit, bodyBytes: journalBodyBytes },
    control: hasControl(options, host)
      ? { token: adminToken, version: packageVersion(), vary: options.vary }
      : undefined,
  };
}

function requireUsable({ adminToken, maxWorlds, journalLimit }: MockOptions): void {
  requireWhole('maxWorlds', maxWorlds, 1);
  requireWhole('journalLimit', journalLimit, 0);
  // An empty one, as of a variable that is not set, would let everybody in.
  if (adminToken === undefined || /^[!-~]+$/.test(adminToken)) return;
  const remedy = 'Leave it out where no control plane is wanted beyond this machine.';
  throw new StartError('OPTION_INVALID', `The admin token must be printable ASCII without blanks. ${remedy}`);
}

function requireWhole(name: string, value: number | undefined, minimum: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= minimum)) return;
  throw new StartError('OPTION_INVALID', `${name} must be a whole number of at least ${minimum}; it is ${value}.`);
}

/** Whether there is a control plane: where others can reach it, only with a token. */
function hasControl({ admin = true, adminToken }: MockOptions, host: string): boolean {
  return admin && (adminToken !== undefined || isLoopback(host));
}

function createLive(engine: Engine, { liveMcp }: MockOptions): LiveTools | undefined {
  const settings = toLiveSettings(liveMcp);
  return settings === undefined ? undefined : createLiveTools(engine, settings);
}

/** The engine of a mock without the server around it. */
function createEngine(options: MockOptions = {}): Engine {
  const { vary } = options;
  const clock = new MockClock(options.clock === undefined ? undefined : parseTime(options.clock));
  const randomSeed = options.randomSeed ?? (vary === undefined ? defaultRandomSeed : randomInt(drawnSeedLimit));
  if (!Number.isSafeInteger(randomSeed)) {
    throw new StartError('OPTION_INVALID', `randomSeed must be a whole number; it is ${randomSeed}.`);
  }
  const chosen = loadChoices(options.profile, options.set);
  const played = vary === undefined ? loadProfile(chosen) : loadDrawnProfile(chosen, { loudness: vary, randomSeed });
  const profile = withLiveTools(played, options.set, (options.liveMcp ?? false) !== false);
  const rules = { hasOpenKeys: options.openKeys ?? false, limit: options.maxWorlds ?? defaultMaxWorlds };
  return new Engine({ profile, clock, randomSeed, startedAtMs: clock.nowMs() }, loadSeed(options.seed), rules);
}

/** Milliseconds since the epoch of an ISO date-time with a zone, or a {@link StartError}. */
function parseTime(text: string): number {
  const timeMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (!Number.isNaN(timeMs)) return timeMs;
  const example = '2026-03-02T08:15:00Z';
  throw new StartError(
    'OPTION_INVALID',
    `The clock must be an ISO date-time with a zone, such as ${example}; it is ${JSON.stringify(text)}.`,
  );
}
