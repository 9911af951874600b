import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { guarded } from '../../lib/guarded.ts';
import type { MoreTypes } from '../../lib/options.ts';
import { withDefaults } from '../../lib/options.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { basePathOf } from '../../openapi/contract/operations.ts';
import type { Choices } from '../../openapi/contract/profile.ts';
import { Reading } from '../../openapi/reading/reading.ts';
import { AdminApi, controlPrefix, isControlTarget } from '../app/admin-api/admin-api.ts';
import { originForm, sentRequestId } from '../app/edge/request.ts';
import { RequestLog } from '../app/request-log.ts';
import { requireOptions } from '../app/require-options.ts';
import { StartError } from '../app/start-error.ts';
import type { Seed } from '../domain/seed.ts';
import { createControlEdge, unexpected } from '../http/control-edge.ts';
import { closing, type Listening, listen } from '../http/listening.ts';
import { loadProfile } from '../http/load-settings.ts';
import { sendPage, wantsPage } from '../http/page.ts';
import { requireNode } from '../http/start-error.ts';
import { closeIdle, endInOrder, latestResponseOn, originOfServer, takeInOrder } from '../http/wire.ts';
import { proxyOptions } from '../options/proxy-options.ts';
import { proxyControl } from './control.ts';
import type { ProxyExchange } from './exchange.ts';
import type { ProxyContext } from './exchange-record.ts';
import { refuseMalformed, refuseTunnel } from './failures.ts';
import { forward } from './forward.ts';
import { createRules } from './judge.ts';
import { type Recorded, Recording } from './recording.ts';
import { StateJudge } from './state-judge.ts';
import { type ProxySummary, Tallies } from './summary.ts';
import { baseUrlOf, parseUpstream } from './target.ts';
import { maxHeaderBytes, Upstream } from './upstream.ts';

/** The options of a proxy. All but the upstream are optional. */
export interface ProxyOptions {
  /** The base URL of the server behind the proxy, with its version segment. */
  upstream: string;
  /** Default 0: any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Also judge by this profile: a file, or the choices. Without it and `set`, open points are not judged. */
  profile?: Choices | string;
  /** Choices that override `profile`. */
  set?: Choices;
  /** Block messages with violations of severity `Error`. Default false: only report them. */
  errors?: boolean;
  /** Whether all requests to the server pass through the proxy. Then what contradicts earlier responses is a violation. */
  allTraffic?: boolean;
  /** Larger bodies are streamed, and not judged. */
  judgeLimitBytes?: number;
  /** Bodies that take longer to arrive, in milliseconds, are streamed, and not judged. */
  judgeTimeMs?: number;
  /** The idle timeout of the upstream, in milliseconds. */
  timeoutMs?: number;
  /** The maximum number of exchanges in the request log. */
  requestLogLimit?: number;
  /** Whether the proxy keeps its process alive until it is closed. Default false. */
  ref?: boolean;
  /** Called with each exchange when it is over. */
  onExchange?: (exchange: ProxyExchange) => unknown;
  /** Called with unexpected errors. Default: written to standard error. */
  onUnexpected?: (error: unknown) => unknown;
}

/** A validating proxy that is listening. */
export interface ValidatingProxy {
  /** The base URL for clients: `http://127.0.0.1:4011/v0.1`. */
  readonly url: string;
  /** The base URL of the server behind it. */
  readonly upstream: string;
  /** The latest exchanges, oldest first. Secrets are redacted. */
  readonly requestLog: RequestLog<ProxyExchange>;
  /** Counts and violations so far. */
  summary(): ProxySummary;
  /** What the server has shown so far, as a seed for the mock. */
  seed(): Seed;
  /** The same, with what a seed cannot hold. */
  recorded(): Recorded;
  /** Closes open connections and stops listening. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

// A limit besides the number of exchanges: bodies may be large.
const requestLogBytes = 16 * 1024 * 1024;
const keepAliveTimeout = 72_000;
const clientTimeMs = 60_000;

/** Starts a proxy. Rejects with a {@link StartError} that shows the error and the fix. */
export function createProxy(options: ProxyOptions): Promise<ValidatingProxy> {
  return createProxyWithin(clientTimeMs, options);
}

/** The same, with a different time limit for clients: to send a head, or to send or read anything. */
export async function createProxyWithin(clientMs: number, options: ProxyOptions): Promise<ValidatingProxy> {
  requireNode();
  requireOptions(proxyOptions, options, moreTypes);
  const { host, port } = withDefaults(proxyOptions, { ...options, port: options.port ?? 0 });
  const edge = createEdge(options);
  const view = {
    requestLog: edge.requestLog,
    summary: () => edge.tallies.summary(edge.upstreamUrl, edge.sightings.learned()),
  };
  const baseUrl = () => originOfServer(server) + edge.mapping.basePath;
  const answerControl = createControlEdge(new AdminApi(proxyControl, { ...view, baseUrl }), edge.onUnexpected);
  const exchanges = new Set<Promise<void>>();
  const server = createListener(clientMs);
  // The upstream judges expectations that this proxy does not know.
  takeInOrder(server, (request, response) => {
    if (asksForPage(request)) {
      sendPage(request, response).catch((error) => {
        edge.onUnexpected(error);
        answerControl(request, response, unexpected);
      });
    } else if (isControlTarget(originForm(request.url ?? ''))) answerControl(request, response);
    else {
      const forwarding = forward(edge, request, response).catch((error) => {
        edge.onUnexpected(error);
        response.destroy();
      });
      const ended = forwarding.finally(() => exchanges.delete(ended));
      exchanges.add(ended);
    }
  });
  // Idle connections, and those on which nothing more can be read.
  server.setTimeout(clientMs + edge.timeoutMs, (socket: Socket) => closeIdle(socket, latestResponseOn(socket)));
  server.on('clientError', (error, socket: Socket) => endInOrder(socket, () => refuseMalformed(error, socket)));
  const listening = await listen(server, { host, port, ref: options.ref });
  return {
    url: baseUrl(),
    upstream: edge.upstreamUrl,
    ...view,
    seed: () => edge.recording.recorded().seed,
    recorded: () => edge.recording.recorded(),
    ...closing(() => close(listening, edge, exchanges)),
  };
}

/**
 * Whether a browser requests the developer page. It is below the admin API, so it hides no path of the upstream. It
 * holds no data, and tells whoever may not use the admin API why.
 */
function asksForPage({ method = '', url = '', headers }: IncomingMessage): boolean {
  const path = originForm(url).replace(/\?.*/s, '');
  const isHere = path === controlPrefix || path === `${controlPrefix}/`;
  return isHere && ['GET', 'HEAD'].includes(method) && wantsPage(headers.accept);
}

const moreTypes: MoreTypes = {
  ...{ profile: ['string', 'object'], set: ['object'], onExchange: ['function'], onUnexpected: ['function'] },
  ref: ['boolean'],
};

function createEdge(options: ProxyOptions): ProxyContext {
  const { profile, set, onExchange } = options;
  const onUnexpected = guarded(options.onUnexpected ?? console.error, console.error);
  const { judgeLimitBytes, judgeTimeMs, timeoutMs, requestLogLimit } = withDefaults(proxyOptions, options);
  const upstream = parseUpstream(options.upstream);
  let requestCount = 0;
  const sightings = new Reading();
  const seenTreeParameter = () => sightings.choiceAt('treePathParameter') as string | undefined;
  const inUse = profile === undefined && set === undefined ? undefined : loadProfile(profile, set);
  return {
    mapping: { basePath: basePathOf(loadDocument()), upstream },
    identity: { host: upstream.host, pseudonym: `agent-platform-${randomBytes(6).toString('hex')}` },
    rules: createRules(inUse, seenTreeParameter),
    upstream: new Upstream(upstream),
    upstreamUrl: baseUrlOf(upstream),
    sightings,
    state: new StateJudge(options.allTraffic === true, inUse?.foreignResources, seenTreeParameter),
    recording: new Recording(seenTreeParameter),
    tallies: new Tallies(),
    requestLog: new RequestLog<ProxyExchange>(
      { entries: requestLogLimit, bodyBytes: requestLogBytes },
      { largestShare: 1, shrink: () => undefined },
    ),
    judgeLimitBytes,
    judgeTimeMs,
    timeoutMs,
    isStrict: options.errors === true,
    isStopping: false,
    // Counted, not random: two runs give requests the same ids.
    requestIds: (headers) => sentRequestId(headers) ?? `req-${++requestCount}`,
    onExchange: onExchange && guarded(onExchange, onUnexpected),
    onUnexpected,
  };
}

function createListener(clientMs: number): Server {
  // A large body may take its time, a head may not. Node uses the shorter limit unless both are given.
  const limits = { requestTimeout: 0, headersTimeout: clientMs, connectionsCheckingInterval: Math.ceil(clientMs / 30) };
  // A missing Host is refused with the request: Node itself would not say why.
  const heads = { maxHeaderSize: maxHeaderBytes, requireHostHeader: false };
  const server = createServer({ ...limits, ...heads, keepAliveTimeout });
  // No limit on their number: some Node versions hide headers above it but still act on them. Their size is limited.
  server.maxHeadersCount = 0;
  server.on('connect', (_, socket) => refuseTunnel(socket));
  return server;
}

// Once it resolves, all exchanges are in the request log.
async function close(listening: Listening, edge: ProxyContext, exchanges: Set<Promise<void>>): Promise<void> {
  edge.isStopping = true;
  const closed = listening.close();
  edge.upstream.close();
  await Promise.all([closed, ...exchanges]);
}
