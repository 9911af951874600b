import { lookup as dnsLookup } from 'node:dns';
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import { type AllowedHosts, leadsHere } from './allowed-hosts.ts';
import { NoTools, withoutSecrets } from './no-tools.ts';
import type { Question } from './question.ts';

/** As the MCP library calls it. */
type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Where a guarded fetch may connect, and how it resolves names. */
export interface Guard {
  allowed: AllowedHosts;
  /** The mock's port: the mock never asks itself. Undefined if there is none. */
  ownPort?: (() => number | undefined) | undefined;
  lookup?: LookupFunction;
}

/** One request of a question. */
interface Errand {
  question: Question;
  url: URL;
  /** Notes a possible reason for a failure. */
  suspect(reason: NoTools): NoTools;
}

/**
 * A fetch for one question. It connects only to allowed hosts, and checks the addresses that it really connects to. It
 * never follows redirects, does not send credentials from URLs, and counts what it receives. `optional`: methods that
 * may fail.
 */
export function createGuardedFetch(question: Question, guard: Guard, optional: readonly string[] = []): Fetch {
  return async (input, { method = 'GET', headers, signal, body } = {}) => {
    const url = new URL(input);
    url.username = url.password = '';
    requireAllowed(question, guard, url);
    question.send();
    const suspect = (reason: NoTools) => (optional.includes(method) ? reason : question.suspect(reason));
    const errand: Errand = { question, url, suspect };
    const options = {
      method,
      headers: { ...Object.fromEntries(new Headers(headers)), 'user-agent': 'agent-platform-mock' },
      lookup: guardedLookup(errand, guard),
    };
    const stop = AbortSignal.any([question.signal, ...(signal ? [signal] : [])]);
    const message = await send(errand, options, body, stop);
    refuseRedirect(errand, message);
    return toResponse(errand, message);
  };
}

function requireAllowed(question: Question, { allowed, ownPort }: Guard, url: URL): void {
  if (!(url.protocol in question.agents)) {
    throw question.fail(new NoTools('NOT_HTTP', 'its URL is neither http nor https.'));
  }
  if (leadsHere(url, ownPort?.())) throw question.fail(itself(url));
  if (allowed.allows(url)) return;
  const text = `${url.host} is not an allowed host. Allow it with --live-mcp-allow ${url.host}.`;
  throw question.fail(new NoTools('HOST_NOT_ALLOWED', text));
}

// Whoever registers a server must not reach the admin API through the mock.
function itself({ host }: URL): NoTools {
  return new NoTools('HOST_NOT_ALLOWED', `${host} is this mock itself. Register a different server.`);
}

// Checked when connecting: an address looked up earlier could have changed by then.
function guardedLookup({ question, url }: Errand, { allowed, ownPort, lookup = systemLookup }: Guard): LookupFunction {
  const problemOf = (addresses: readonly { address: string }[]): Error | undefined => {
    try {
      if (addresses.some(({ address }) => leadsHere(url, ownPort?.(), address))) return question.fail(itself(url));
      const wrong = addresses.find(({ address }) => !allowed.allowsAddress(url, address));
      if (wrong === undefined) return undefined;
      const leads = `${url.hostname} resolves to ${wrong.address}, which is not an allowed address`;
      const remedy = `Allow it with --live-mcp-allow ${wrong.address}.`;
      return question.fail(new NoTools('ADDRESS_NOT_ALLOWED', `${leads}. ${remedy}`));
    } catch (error) {
      // This machine's addresses cannot be read. Nobody would catch an error here.
      return error as Error;
    }
  };
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, []);
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const problem = problemOf(addresses);
      if (problem !== undefined) return done(problem, []);
      if (options.all === true) done(null, addresses);
      else done(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  };
}

const systemLookup = dnsLookup as LookupFunction;

/**
 * Sends the request. The signal closes its connection without an error: Node's `signal` option would outlive the
 * request on a kept connection, and its error would end the process.
 */
async function send(
  { question, url, suspect }: Errand,
  options: RequestOptions,
  body: RequestInit['body'],
  stop: AbortSignal,
): Promise<IncomingMessage> {
  stop.throwIfAborted();
  const isSecure = url.protocol === 'https:';
  const agent = question.agents[isSecure ? 'https:' : 'http:'];
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (isSecure ? requestHttps : requestHttp)(url, { ...options, agent });
  const fail = (error: Error) => reject(suspect(unreachable(error)));
  stop.addEventListener('abort', () => request.destroy(), { once: true });
  request.on('error', fail).on('close', () => reject(new NoTools('UNREACHABLE', 'it closed the connection.')));
  request.on('response', (message) => {
    // A response that nobody reads any more may be cut off.
    message.on('error', () => undefined);
    resolve(message);
  });
  request.end(typeof body === 'string' ? body : undefined);
  return promise;
}

function unreachable(error: Error & { code?: unknown }): NoTools {
  const code = typeof error.code === 'string' ? ` (${error.code})` : '';
  const text = `the connection failed${code}. Check that it is running and that its URL is correct.`;
  return new NoTools('UNREACHABLE', text, { cause: error });
}

function refuseRedirect({ question, url }: Errand, { statusCode = 0, headers: { location } }: IncomingMessage): void {
  if (statusCode < 300 || statusCode > 399 || location === undefined || !URL.canParse(location, url)) return;
  const target = new URL(location, url);
  // Within the same origin the MCP library follows redirects itself, through this fetch.
  if (target.origin === url.origin) return;
  const text = `it redirects to ${withoutSecrets(target.href)}. Register that URL instead.`;
  throw question.fail(new NoTools('REDIRECTED', text));
}

const withoutBody = [204, 205, 304];

function toResponse(errand: Errand, message: IncomingMessage): Response {
  const { statusCode: status = 0, headers } = message;
  if (status >= 400) errand.suspect(new NoTools('FAILED', `it returned status ${status}.`));
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  if (withoutBody.includes(status)) return new Response(null, { status, headers: entries });
  const body = ReadableStream.from(received(errand, message)) as globalThis.ReadableStream;
  return new Response(body, { status, headers: entries });
}

async function* received({ question, suspect }: Errand, message: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of message as AsyncIterable<Uint8Array>) {
      question.receive(chunk.length);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof NoTools ? error : suspect(unreachable(error as Error));
  }
}
