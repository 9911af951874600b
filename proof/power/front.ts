import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { startUpstream } from '../../test/support/upstream.ts';
import type { Overrides, WireAnswer, WireFault } from './mutant.ts';

/** What listens in front of a mock. */
export interface Front {
  baseUrl: string;
  /** Ends open connections and stops listening. */
  close(): Promise<void>;
}

/** The way from the front to the mock behind it. */
interface Way {
  target: URL;
  agent: Agent;
  /** The path of the front's base URL. */
  prefix: string;
}

// As the mock itself.
const keepAliveTimeout = 72_000;

/** Starts a server that hands each request on to the mock at `mockUrl`, as `fault` has it. */
export async function startFront(mockUrl: string, fault: WireFault, prefix?: string): Promise<Front> {
  const target = new URL(mockUrl);
  const agent = new Agent({ keepAlive: true });
  const way: Way = { target, agent, prefix: prefix ?? target.pathname };
  const { origin, close } = await startUpstream(
    (request, response) => {
      // Not reached but when a side goes away in the middle.
      fault(request, response, (overrides) => forward(way, request, overrides)).catch(() => request.socket.destroy());
    },
    { requireHostHeader: false, keepAliveTimeout },
  );
  return { baseUrl: origin + way.prefix, close: () => close().finally(() => agent.destroy()) };
}

async function forward(way: Way, request: IncomingMessage, overrides: Overrides = {}): Promise<WireAnswer> {
  const sent = await buffer(request);
  const body = overrides.body === undefined ? sent : Buffer.from(overrides.body(sent.toString()));
  const outgoing = sendRequest({
    host: way.target.hostname,
    port: way.target.port,
    agent: way.agent,
    method: overrides.method ?? request.method,
    path: overrides.path ?? targetOf(way, request.url ?? ''),
    headers: headersOf(request, overrides, body.length),
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.once('response', resolve).once('error', reject).end(body);
  return toAnswer(await promise);
}

// Below another prefix there is the whole API, and at its own place nothing.
function targetOf({ target, prefix }: Way, url: string): string {
  if (prefix === target.pathname) return url;
  if (url.startsWith(`${prefix}/`)) return target.pathname + url.slice(prefix.length);
  return url.startsWith(`${target.pathname}/`) ? '/nowhere' : url;
}

function headersOf({ rawHeaders }: IncomingMessage, { headers = {}, body }: Overrides, length: number): string[] {
  const changed = body === undefined ? headers : { ...headers, 'content-length': String(length) };
  const replaced = new Set(Object.keys(changed).map((name) => name.toLowerCase()));
  if (body !== undefined) replaced.add('transfer-encoding');
  const kept = pairsOf(rawHeaders).filter(([name]) => !replaced.has(name.toLowerCase()));
  return [...kept, ...Object.entries(changed)].flat();
}

// These are about one connection; the front has its own.
const hopByHop = ['connection', 'keep-alive', 'transfer-encoding'];

async function toAnswer(incoming: IncomingMessage): Promise<WireAnswer> {
  const kept = pairsOf(incoming.rawHeaders).filter(([name]) => !hopByHop.includes(name.toLowerCase()));
  return { status: incoming.statusCode ?? 0, headers: Object.fromEntries(kept), body: await text(incoming) };
}

function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[index * 2] ?? '',
    rawHeaders[index * 2 + 1] ?? '',
  ]);
}
