/*
 * Which pages may call the mock; with `--live-mcp` also `page-origins.ts`. Used in `mock/send-answer.ts`, for
 * preflights in `mock/server.ts`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Profile } from '../../openapi/contract/profile.ts';
import { isPageOfThisMachine } from './page-origins.ts';

type Headers = Record<string, string>;

const exposed = [
  ...[
    'X-Request-Id',
    'X-Open-Points',
    'X-Sandbox',
    'X-Retired-Sandboxes',
    'X-Fault',
    'X-Undeclared',
    'X-Mock-Error',
    'X-Mock-Hint',
  ],
  ...['Preference-Applied', 'WWW-Authenticate', 'Retry-After', 'Allow', 'Date'],
  ...['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
].join(', ');
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const maxAgeSeconds = '600';
const withoutOrigin: Headers = { vary: 'Origin' };

/** Which pages may read responses. */
export interface PageRule {
  choice: Profile['cors'];
  /** Further allowed origins; `*` for all. No effect under `none`. */
  origins: readonly string[];
}

/** The headers that let a page read a response, also an error response, if the rule allows its origin. */
export function corsHeaders({ origin }: IncomingHttpHeaders, rule: PageRule): Headers {
  if (origin === undefined || !mayRead(origin, rule)) return withoutOrigin;
  return {
    vary: 'Origin',
    ...(rule.choice === 'any'
      ? { 'access-control-allow-origin': '*' }
      : { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }),
    'access-control-expose-headers': exposed,
  };
}

/** Whether a rule lets pages of an origin read responses. */
export function mayRead(origin: string, { choice, origins }: PageRule): boolean {
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
