/** Which pages may call the mock, also with `--live-mcp`. Used in `server.ts`. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { mockHeaders } from '../../openapi/contract/mock-headers.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { isLoopback } from '../app/admin-api/guard.ts';
import { StartError } from '../app/start-error.ts';
import { originOf } from './wire.ts';

type Headers = Record<string, string>;

const exposed = [
  ...Object.values(mockHeaders).map((name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())),
  ...['Preference-Applied', 'WWW-Authenticate', 'Retry-After', 'Allow', 'Date'],
  ...['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
].join(', ');
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const maxAgeSeconds = '600';
const withoutOrigin: Headers = { vary: 'Origin' };

/** The headers that let a page read a response, also an error response, if its origin is allowed. */
export function corsHeaders(
  { origin }: IncomingHttpHeaders,
  choice: Profile['cors'],
  origins: readonly string[] = [],
): Headers {
  if (origin === undefined || !mayRead(origin, choice, origins)) return withoutOrigin;
  return {
    vary: 'Origin',
    ...(choice === 'any'
      ? { 'access-control-allow-origin': '*' }
      : { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }),
    'access-control-expose-headers': exposed,
  };
}

/** Whether pages of an origin may read responses. Under `local` also those of the given origins; `*` stands for all. */
export function mayRead(origin: string, choice: Profile['cors'], origins: readonly string[]): boolean {
  if (choice !== 'local') return choice === 'any';
  return isPageOfThisMachine(origin) || origins.includes('*') || origins.includes(origin);
}

/** The headers that let a page of an allowed origin read a response of the admin API, or pass its preflight. */
export function controlCorsHeaders(method: string | undefined, headers: IncomingHttpHeaders): Headers {
  const { origin = '' } = headers;
  const asked = isPreflight(method ?? '', headers) ? preflightHeaders(headers) : withoutOrigin;
  return {
    ...{ ...asked, 'access-control-allow-origin': origin },
    'access-control-expose-headers': 'WWW-Authenticate, Allow',
  };
}

/** Whether a request is a preflight. It never needs a key, on any path. */
export function isPreflight(method: string, headers: IncomingHttpHeaders): boolean {
  return method === 'OPTIONS' && 'origin' in headers && 'access-control-request-method' in headers;
}

/** The response to a preflight: everything may be sent. */
export function preflightHeaders(headers: IncomingHttpHeaders): Headers {
  const requested = headers['access-control-request-headers'];
  return {
    vary: 'Origin, Access-Control-Request-Headers',
    'access-control-allow-methods': methods,
    'access-control-max-age': maxAgeSeconds,
    ...(requested === undefined ? {} : { 'access-control-allow-headers': requested }),
    ...('access-control-request-private-network' in headers ? { 'access-control-allow-private-network': 'true' } : {}),
  };
}

/** Throws a {@link StartError} for a text that is not an origin as browsers send it. */
export function requireOrigin(origin: string): void {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  // Apps have their own schemes, for instance tauri://localhost.
  const ofApp = url?.host ? `${url.protocol}//${url.host}` : undefined;
  const right = url === undefined || url.origin === 'null' ? ofApp : url.origin;
  if (right === origin) return;
  const remedy = right === undefined ? 'such as http://localhost:5173' : `here ${right}`;
  const rule = 'An origin is a scheme, a host and a port, as browsers send it in Origin';
  throw new StartError('OPTION_INVALID', `${rule}, ${remedy}; it is ${JSON.stringify(origin)}.`);
}

/**
 * Whether a request may call a mock that contacts other servers: one without an origin (not from a page), or from a
 * page of this machine, of the mock itself or of one of these origins.
 */
export function isCautiousPage(request: IncomingMessage, origins: readonly string[]): boolean {
  const { origin } = request.headers;
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  // By name, a foreign page may claim to be the mock's own (DNS rebinding).
  const isOwn = origin === originOf(request) && isIP(hostname.replace(/^\[|\]$/g, '')) > 0;
  return isOwn || isPageOfThisMachine(origin);
}

/** Whether a page comes from this machine, judging by its origin: any port, or an app with its own scheme. */
function isPageOfThisMachine(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return isLoopback(hostname) || hostname.endsWith('.localhost');
}
