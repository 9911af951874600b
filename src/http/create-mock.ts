import { hash, randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { guarded } from '../../lib/guarded.ts';
import type { MoreTypes } from '../../lib/options.ts';
import type { Choices, Profile } from '../../openapi/contract/profile.ts';
import { controlPrefix } from '../app/admin-api/admin-api.ts';
import { type Access, isLoopback } from '../app/admin-api/guard.ts';
import { type EdgeContext, recordExchange } from '../app/edge/answer-call.ts';
import { createAdminApi, createEdgeContext, type EdgeOptions, toHandle } from '../app/edge/edge-context.ts';
import { sentRequestId } from '../app/edge/request.ts';
import { requireOptions, valueTypes } from '../app/require-options.ts';
import { createEngine, toProfileInUse, toRandomSeed } from '../app/settings.ts';
import { StartError } from '../app/start-error.ts';
import type { Seed } from '../domain/seed.ts';
import type { Answer } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { type LiveMcpOptions, mockOptions } from '../options/mock-options.ts';
import type { OpenState } from '../state/saved-state.ts';
import { createControlEdge } from './control-edge.ts';
import { isCautiousPage, requireOrigin } from './cors.ts';
import { closing, type Listening, listen } from './listening.ts';
import { loadChoices, loadSeed } from './load-settings.ts';
import type { Mock } from './mock-handle.ts';
import { createServer, type MockContext } from './server.ts';
import { requireNode } from './start-error.ts';
import { loadTls, type Tls } from './tls.ts';
import { originOfServer, portOf } from './wire.ts';

/** The options of a mock. All are optional. */
export interface MockOptions extends EdgeOptions {
  /** Default 0: any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** `demo` (the default), the path of a YAML or JSON file, or the seed itself. */
  seed?: Seed | string;
  /**
   * The file that keeps the state; it is created if it does not exist. If it exists, the mock resumes from it, and
   * `seed`, `randomSeed` and `clock` have no effect. Default: the state is in memory only.
   */
  state?: string;
  /** The path of a YAML or JSON file, or the choices themselves. Other open points use their defaults. */
  profile?: Choices | string;
  /** Whether there is an admin API at `/__admin`. Default true; without a token only on a loopback address. */
  admin?: boolean;
  /** The bearer token that the admin API demands. */
  adminToken?: string;
  /** The origins of the pages that may use the admin API, such as `http://localhost:5173`. Default: only its own. */
  adminOrigins?: readonly string[];
  /** The PEM file of a certificate: the mock serves HTTPS. Needs `httpsKey`. */
  httpsCert?: string;
  /** The PEM file of the key of the certificate. */
  httpsKey?: string;
  /** Whether and how the mock asks MCP servers for their tools. Default false: it makes no outbound connections. */
  liveMcp?: boolean | LiveMcpOptions;
  /** Whether the mock keeps its process alive until it is closed. Default false, so that a failing test run can end. */
  ref?: boolean;
}

/** How long a request may take to arrive. */
const requestTimeoutMs = 30_000;

/** Starts a mock. Rejects with a {@link StartError} that shows the error and the fix. */
export function createMock(options: MockOptions = {}): Promise<Mock> {
  return createMockWithin(requestTimeoutMs, options);
}

/** The same, with a different time limit for requests to arrive. */
export async function createMockWithin(requestTimeoutMs: number, options: MockOptions): Promise<Mock> {
  requireNode();
  requireOptions(mockOptions, options, moreTypes);
  const access = toAccess(options);
  const tls = await loadTls(options);
  const code = options.state === undefined ? undefined : await import('../state/open-state.ts');
  const keeping = code && { ...code, open: code.openState(options.state as string) };
  try {
    return await start(requestTimeoutMs, options, { access, tls, keeping });
  } catch (error) {
    keeping?.open.file.close();
    throw error;
  }
}

/** A mock's state file, and the code for state files, which is loaded only if needed. */
type Keeping = typeof import('../state/open-state.ts') & { open: OpenState };

/** Asks MCP servers for their tools; undefined if nothing may be contacted. */
async function loadLiveTools(engine: Engine, { liveMcp = false }: MockOptions, ownPort: () => number | undefined) {
  if (liveMcp === false) return undefined;
  const { createLiveTools, toLiveSettings } = await import('./live-tools/live-tools.ts');
  const settings = toLiveSettings(liveMcp);
  return { ...createLiveTools(engine, settings, ownPort), origins: settings.origins };
}

interface Prepared {
  access: Access | undefined;
  tls: Tls | undefined;
  keeping: Keeping | undefined;
}

async function start(
  requestTimeoutMs: number,
  options: MockOptions,
  { access, tls, keeping }: Prepared,
): Promise<Mock> {
  const { engine, asked } = loadEngine(options, keeping);
  const { promise: lost, resolve: lose } = Promise.withResolvers<StartError>();
  const onLost = (error: StartError) => {
    server.closeAllConnections();
    lose(error);
  };
  const kept = keeping && new keeping.KeptState(engine, keeping.open, asked, onLost);
  const live = await loadLiveTools(engine, options, () => portOf(server));
  const allowsPage: MockContext['allowsPage'] = live && ((request) => isCautiousPage(request, live.origins));
  const save = kept && (() => kept.save());
  const pageOrigins = live?.origins ?? [];
  const more = { prepare: live?.prepare, save, allowsPage, pageOrigins, requestTimeoutMs };
  const context = createContext(engine, options, access, more);
  const server = createServer(context, tls);
  const { host = mockOptions.host.default, port = 0, ref } = options;
  let listening: Listening | undefined;
  const close = async () => {
    live?.close();
    await listening?.close();
    kept?.close();
  };
  try {
    listening = await listen(server, { host, port, ref });
    kept?.begin();
  } catch (error) {
    await close();
    throw error;
  }
  lost.then((error) => {
    context.onUnexpected(error);
    return close();
  });
  const origin = originOfServer(server, tls !== undefined);
  const { file, saved } = keeping?.open ?? {};
  const state = file && { file: file.name, isContinued: saved !== undefined };
  return toMock(context, origin, { state, lost, close });
}

/** The engine in its initial state, or in the state of the state file; and the profile of the options. */
function loadEngine(options: MockOptions, keeping: Keeping | undefined): { engine: Engine; asked: Profile } {
  const { saved } = keeping?.open ?? {};
  const randomSeed = saved?.start.randomSeed ?? toRandomSeed(options, randomInt);
  const asked = loadInUse(options, randomSeed);
  if (keeping === undefined || saved === undefined)
    return { engine: createEngine(options, randomSeed, asked, loadSeed(options.seed)), asked };
  return { engine: keeping.continueEngine(keeping.open.file.name, saved, options, asked), asked };
}

function createContext(
  engine: Engine,
  options: MockOptions,
  access: Access | undefined,
  { prepare, save, ...rest }: Pick<MockContext, 'prepare' | 'save' | 'allowsPage' | 'pageOrigins' | 'requestTimeoutMs'>,
): MockContext {
  const { vary } = options;
  const onUnexpected = guarded(options.onUnexpected ?? console.error, console.error);
  const context = createEdgeContext(engine, options, { prepare, save, onUnexpected, digest });
  const plane = access && createAdminApi(context, vary, access);
  return {
    ...context,
    ...rest,
    answerControl:
      plane && createControlEdge(plane, onUnexpected, (request, answer) => logRefused(context, request, answer)),
    access,
    startedAt: new Date().toISOString(),
  };
}

/** A page cannot read why it may not use the admin API: the log says it. */
function logRefused(context: EdgeContext, { method = '', url = '', headers }: IncomingMessage, answer: Answer): void {
  const requestId = sentRequestId(headers) ?? '';
  const received = { method, url, headers, body: undefined, requestId, durationMs: 0, answerBytes: 0 };
  recordExchange({ ...context, requestLog: undefined }, received, answer);
}

const digest = (text: string) => hash('sha256', text);

const moreTypes: MoreTypes = { ...valueTypes, liveMcp: ['boolean', 'object'], ref: ['boolean'] };

/** The profile that the options ask for. Throws a {@link StartError}. */
export function loadInUse(options: MockOptions, randomSeed: number): Profile {
  const { profile, set, vary, liveMcp = false } = options;
  return withLiveTools(toProfileInUse(loadChoices(profile, set), vary, randomSeed), set, liveMcp !== false);
}

/**
 * The profile with `toolsOfNewServer: live` if that is permitted. Throws a {@link StartError} if the profile has it
 * without permission, or if `set` contradicts the permission.
 */
function withLiveTools(profile: Profile, set: Choices = {}, isPermitted: boolean): Profile {
  if (!isPermitted && profile.toolsOfNewServer === 'live') {
    const remedy = 'Allow it with --live-mcp (liveMcp: true in code), or choose none or plausible.';
    throw new StartError('PROFILE_INVALID', `toolsOfNewServer: live makes the mock contact MCP servers. ${remedy}`);
  }
  if (!isPermitted) return profile;
  const { toolsOfNewServer = 'live' } = set;
  if (toolsOfNewServer === 'live') return { ...profile, toolsOfNewServer };
  const remedy = 'Leave one of them out.';
  throw new StartError('PROFILE_INVALID', `toolsOfNewServer=${toolsOfNewServer} contradicts --live-mcp. ${remedy}`);
}

/** The handle of a listening mock. */
function toMock(context: MockContext, origin: string, given: Pick<Mock, 'state' | 'lost' | 'close'>): Mock {
  const { basePath, access } = context;
  const more = {
    url: origin + basePath,
    adminUrl: access !== undefined && access.closed === undefined ? origin + controlPrefix : undefined,
    ...given,
    ...closing(given.close),
  };
  // Getters are copied as getters.
  return Object.defineProperties(toHandle(context), Object.getOwnPropertyDescriptors(more)) as Mock;
}

/**
 * Who may use the admin API; undefined if there is none. If other machines can reach it, it needs a token. Throws a
 * {@link StartError}.
 */
function toAccess(options: MockOptions): Access | undefined {
  const { host = mockOptions.host.default, admin = true, adminToken: token, adminOrigins: origins = [] } = options;
  // An empty token, for example from an unset variable, would admit everybody.
  if (token !== undefined && !/^[!-~]+$/.test(token)) {
    const remedy = 'Omit it to open the admin API on this machine only.';
    throw new StartError('OPTION_INVALID', `The admin token must be printable ASCII without spaces. ${remedy}`);
  }
  for (const origin of origins) requireOrigin(origin);
  if (!admin) return undefined;
  if (token !== undefined || isLoopback(host)) return { token, origins };
  const why = `because the mock listens on ${host}, which other machines can reach`;
  return { origins, closed: `The admin API is closed, ${why}. Start the mock with --admin-token.` };
}
