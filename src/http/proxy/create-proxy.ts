import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadDocument } from '../../../openapi/contract/load.ts';
import { basePathOf } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { createRequestIds } from '../request-id.ts';
import { loadProfile } from '../settings.ts';
import { StartError, toListenError } from '../start-error.ts';
import { answerAdmin, isAdmin } from './admin.ts';
import { proxyDefaults } from './defaults.ts';
import type { ProxyExchange } from './exchange.ts';
import { pass } from './forward.ts';
import { Journal } from './journal.ts';
import { Judge } from './judge/judge.ts';
import { Sightings } from './observe/sightings.ts';
import type { Edge } from './passage.ts';
import { type ProxySummary, Tallies } from './summary.ts';
import { baseUrlOf, parseUpstream } from './target.ts';
import { createUpstream, maxHeaderBytes } from './upstream.ts';

/** How to start a proxy. Everything but the upstream may be left out. */
export interface ProxyOptions {
  /** The base URL of the server behind the proxy, with its version segment. */
  upstream: string;
  /** Default 0: any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Judge by what this profile plays: a file, or the choices. Without it, and without `set`, what is open is not judged. */
  profile?: Partial<Profile> | string;
  /** Choices laid over those of `profile`. */
  set?: Partial<Profile>;
  /** Refuse what breaks the contract. Default false: it is only reported. */
  errors?: boolean;
  /** Bodies above this are passed on unjudged. Default 1048576. */
  judgeLimitBytes?: number;
  /** How long the upstream may keep silent. Default 30000. */
  timeoutMs?: number;
  /** How many exchanges the journal keeps. Default 1000. */
  journalLimit?: number;
  /** Told of each exchange when it is over. */
  onExchange?: (exchange: ProxyExchange) => void;
  /** Told of what should not have happened. Default: written to standard error. */
  onUnexpected?: (error: unknown) => void;
}

/** A validating proxy that is listening. */
export interface ValidatingProxy {
  /** The base URL for clients: `http://127.0.0.1:4011/v0.1`. */
  readonly url: string;
  /** The base URL of the server behind it. */
  readonly upstream: string;
  /** The newest exchanges, the oldest of them first. Secrets are taken out. */
  readonly journal: Journal<ProxyExchange>;
  /** What came of everything so far. */
  summary(): ProxySummary;
  /** Ends open connections and stops listening. */
  close(): Promise<void>;
}

// Beside the number of exchanges: bodies may be large.
const journalBytes = 16 * 1024 * 1024;
const keepAliveTimeout = 72_000;

/** Starts a proxy. Rejects with a {@link StartError} that says what was wrong and what to do. */
export async function createProxy(options: ProxyOptions): Promise<ValidatingProxy> {
  const { host = '127.0.0.1', port = 0 } = options;
  requireNode();
  const edge = createEdge(options);
  const view = {
    journal: edge.journal,
    summary: () => edge.tallies.summary(edge.upstreamUrl, edge.sightings.learned()),
  };
  const server = createListener((request, response) => {
    if (isAdmin(request.url ?? '')) answerAdmin(view, request, response);
    else {
      pass(edge, request, response).catch((error) => {
        edge.onUnexpected(error);
        response.destroy();
      });
    }
  });
  await listen(server, host, port);
  return {
    url: `http://${authorityOf(server)}${edge.mapping.basePath}`,
    upstream: edge.upstreamUrl,
    ...view,
    close: () => close(server, edge),
  };
}

// What judges is a CommonJS package that requires modules.
function requireNode(): void {
  if (process.features.require_module === true) return;
  const needed = 'The proxy needs Node 22.12 or later';
  throw new StartError('NODE_TOO_OLD', `${needed}; this is Node ${process.versions.node}.`);
}

function createEdge(options: ProxyOptions): Edge {
  const { profile, set, onExchange, onUnexpected = console.error } = options;
  const { judgeLimitBytes, timeoutMs, journalLimit } = { ...proxyDefaults, ...options };
  const upstream = parseUpstream(options.upstream);
  const sightings = new Sightings();
  const seenTreeParameter = () => sightings.choiceAt('treePathParameter') as string | undefined;
  const isPlayed = profile !== undefined || set !== undefined;
  return {
    mapping: { basePath: basePathOf(loadDocument()), upstream },
    identity: { host: upstream.host, pseudonym: `agent-platform-${randomBytes(6).toString('hex')}` },
    upstream: createUpstream(upstream),
    upstreamUrl: baseUrlOf(upstream),
    judge: new Judge(isPlayed ? loadProfile(profile, set) : undefined, seenTreeParameter),
    sightings,
    tallies: new Tallies(),
    journal: new Journal({ entries: journalLimit, bytes: journalBytes }, sizeOf),
    judgeLimitBytes,
    timeoutMs,
    isStrict: options.errors === true,
    requestIds: createRequestIds(),
    onExchange,
    onUnexpected,
  };
}

// What the text of an entry takes, roughly.
function sizeOf(exchange: ProxyExchange): number {
  return JSON.stringify(exchange).length * 2;
}

function createListener(listener: RequestListener): Server {
  // A large body may take its time.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout, maxHeaderSize: maxHeaderBytes }, listener);
  // An expectation that this proxy does not know is for the upstream to judge.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error) => reject(toListenError(error, host, port))).listen(port, host, resolve);
  await promise;
}

function authorityOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function close(server: Server, { upstream }: Edge): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  upstream.close();
  await closed;
}
