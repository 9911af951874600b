import { createHash, randomInt } from 'node:crypto';
import { basePathOf } from '../../../openapi/contract/operations.ts';
import { withDefaults } from '../../../openapi/contract/options.ts';
import { packageVersion } from '../../../openapi/contract/package-version.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import type { Seed } from '../../domain/seed.ts';
import { Engine } from '../../engine/engine.ts';
import { MockClock } from '../../engine/mock-clock.ts';
import type { ControlContext } from '../../workbench/control-plane/control.ts';
import { ControlPlane } from '../../workbench/control-plane/control-plane.ts';
import type { Access } from '../../workbench/control-plane/guard.ts';
import { controlHandlers, loadControlDocument } from '../../workbench/control-plane/handlers.ts';
import type { Loudness } from '../../workbench/draw-profile.ts';
import { Faults } from '../../workbench/faults/faults.ts';
import { createPreferring } from '../../workbench/forced/forced-answers.ts';
import { createMockJournal } from '../../workbench/journal/entry.ts';
import { createControlEdge } from '../control-edge.ts';
import type { Exchange } from '../exchange.ts';
import type { LiveMcpOptions } from '../live-tools/live-mcp-options.ts';
import { createLiveTools, toLiveSettings, withLiveTools } from '../live-tools/live-tools.ts';
import { loadChoices, loadDrawnProfile, loadProfile, loadSeed } from '../load-settings.ts';
import { type MoreTypes, mockOptions, requireOptions } from '../options.ts';
import { isCautiousPage } from '../page-origins.ts';
import { portOf } from '../request.ts';
import { requireNode, StartError, toListenError } from '../start-error.ts';
import { toAccess } from './access.ts';
import type { MockContext } from './mock-context.ts';
import { type Mock, toMock } from './mock-handle.ts';
import { createRequestIds } from './request-ids.ts';
import { createServer } from './server.ts';
import { type LatencyOption, startingFaults } from './starting-faults.ts';
import { loadTls, writeCertificate } from './tls.ts';

// Of bodies, together.
const journalBodyBytes = 8_388_608;

/** A drawn random seed is below this: short enough to be typed again. */
const drawnSeedLimit = 1_000_000;

/** The options of a mock. All are optional. */
export interface MockOptions {
  /** Default 0: any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** `demo` (the default), the path of a YAML or JSON file, or the seed itself. */
  seed?: Seed | string;
  /** The path of a YAML or JSON file, or the choices themselves. Other open points have their default. */
  profile?: Partial<Profile> | string;
  /** Choices that override those of `profile`. */
  set?: Partial<Profile>;
  /** A Date, or an ISO date-time, at which the clock stops. Default: the machine's clock. */
  clock?: string | Date;
  /** Delays every call: milliseconds, or a random time from one number of milliseconds to another. Default: no delay. */
  latency?: LatencyOption;
  /** Choose open points at random, from the random seed; those in `profile` and `set` keep their choice. */
  vary?: Loudness;
  /** A whole number. Ids depend on it alone (and, where they show time, on the clock). Default 1; drawn under `vary`. */
  randomSeed?: number;
  /** Whether pages of other origins may call the mock. Default true. */
  cors?: boolean;
  /** Whether each unknown key gets a world of its own: a fresh copy of the seed's first organization. Default false. */
  openKeys?: boolean;
  /** The maximum number of worlds; a further one replaces the one that was idle longest, first those never written to. */
  maxWorlds?: number;
  /** Whether there is a control plane at `/__admin`. Default true; without a token only on a loopback address. */
  admin?: boolean;
  /** The bearer token that the control plane demands. */
  adminToken?: string;
  /** The origins of the pages that may use the control plane, such as `http://localhost:5173`. Default: only its own. */
  adminOrigins?: readonly string[];
  /** The maximum number of exchanges in the journal; 0: no journal. */
  journalLimit?: number;
  /** Serve https with a certificate made at the start, for this machine and `host`. {@link Mock.certificate} shows it. */
  https?: boolean;
  /** With `https`: the PEM file to which the certificate is written. */
  httpsWriteCert?: string;
  /** The PEM file of a certificate: the mock serves https. Needs `httpsKey`. */
  httpsCert?: string;
  /** The PEM file of the key of the certificate. */
  httpsKey?: string;
  /** Whether answers name in `X-Open-Points` the open points that shaped them. Default true. */
  openPointsHeader?: boolean;
  /** Whether the mock requests the tools of MCP servers from them, and how. Default false: nothing is ever contacted. */
  liveMcp?: boolean | LiveMcpOptions;
  /** Called with each exchange when it is over. */
  onExchange?: (exchange: Exchange) => void;
  /** Called with errors that should not happen. Default: written to standard error. */
  onUnexpected?: (error: unknown) => void;
}

/** Starts a mock. Rejects with a {@link StartError} that shows the error and the fix. */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  requireNode();
  requireOptions(mockOptions, options, moreTypes);
  const access = toAccess(options);
  const tls = await loadTls(options);
  const { host = mockOptions.host.default, port = 0 } = options;
  const engine = createEngine(options);
  const settings = toLiveSettings(options.liveMcp);
  const live = settings && createLiveTools(engine, settings, () => portOf(app.server));
  const allowsPage: MockContext['allowsPage'] = (request) => !settings || isCautiousPage(request, settings.origins);
  const context = createContext(engine, options, access, { prepare: live?.prepare, allowsPage });
  const app = createServer(context, tls);
  app.addHook('preClose', (done) => {
    live?.close();
    done();
  });
  try {
    await app.listen({ host, port });
    writeCertificate(options, tls);
  } catch (error) {
    await app.close();
    throw toListenError(error, host, port);
  }
  return toMock(context, app, tls?.cert);
}

function createContext(
  engine: Engine,
  options: MockOptions,
  access: Access | undefined,
  { prepare, allowsPage }: Pick<MockContext, 'prepare' | 'allowsPage'>,
): MockContext {
  const { cors = true, openPointsHeader = true, onExchange, onUnexpected = console.error } = options;
  const { journalLimit: entries } = withDefaults(mockOptions, options);
  const journal = entries === 0 ? undefined : createMockJournal({ entries, bodyBytes: journalBodyBytes });
  const parts = {
    engine,
    journal,
    faults: new Faults(engine.runtime.randomSeed, startingFaults(options.latency)),
    prepare,
  };
  const plane = access && createControlPlane(parts, options, access);
  return {
    ...{ ...parts, onExchange, onUnexpected, hasCors: cors, allowsPage, hasOpenPoints: openPointsHeader },
    basePath: basePathOf(engine.contract),
    requestIds: createRequestIds(engine.runtime.randomSeed, () => engine.store.openedCount),
    latest: new WeakMap(),
    answerPreferring: createPreferring(engine),
    answerControl: plane && createControlEdge(plane, onUnexpected),
    hasControl: access !== undefined && access.closed === undefined,
  };
}

function createControlPlane(
  { engine, journal, faults, prepare }: Pick<MockContext, 'engine' | 'journal' | 'faults' | 'prepare'>,
  { vary }: MockOptions,
  access: Access,
): ControlPlane<ControlContext> {
  const definition = { loadDocument: loadControlDocument, handlers: controlHandlers };
  const context = {
    ...{ engine, journal, faults, version: packageVersion(), vary },
    hasLiveMcp: prepare !== undefined,
    hasToken: access.token !== undefined,
    digest: (text: string) => createHash('sha256').update(text).digest('hex'),
  };
  return new ControlPlane(definition, context, access);
}

const moreTypes: MoreTypes = {
  ...{
    seed: ['string', 'object'],
    latency: ['number', 'object', 'string'],
    profile: ['string', 'object'],
    set: ['object'],
    clock: ['string', 'Date'],
  },
  ...{ liveMcp: ['boolean', 'object'], onExchange: ['function'], onUnexpected: ['function'] },
};

/** The engine of a mock without the server around it. */
function createEngine(options: MockOptions = {}): Engine {
  const { vary } = options;
  const clock = new MockClock(options.clock === undefined ? undefined : parseTime(options.clock));
  const randomSeed =
    options.randomSeed ?? (vary === undefined ? mockOptions.randomSeed.default : randomInt(drawnSeedLimit));
  const profile = loadPlayed(options, randomSeed);
  const rules = { hasOpenKeys: options.openKeys ?? false, limit: options.maxWorlds ?? mockOptions.maxWorlds.default };
  return new Engine({ profile, clock, randomSeed, startedAtMs: clock.nowMs() }, loadSeed(options.seed), rules);
}

/** The profile that the options ask for. Throws a {@link StartError}. */
export function loadPlayed(options: MockOptions, randomSeed: number): Profile {
  const { profile, set, vary, liveMcp = false } = options;
  const chosen = loadChoices(profile, set);
  const played = vary === undefined ? loadProfile(chosen) : loadDrawnProfile(chosen, { loudness: vary, randomSeed });
  return withLiveTools(played, set, liveMcp !== false);
}

/** Milliseconds since the epoch of a Date, or an ISO date-time with a zone; else a {@link StartError}. */
function parseTime(clock: string | Date): number {
  const text = clock instanceof Date && !Number.isNaN(clock.getTime()) ? clock.toISOString() : String(clock);
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
