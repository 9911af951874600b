import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../workbench/admin-api/guard.ts';
import { StartError } from '../workbench/start-error.ts';
import { originOf } from './request.ts';

/** Throws a {@link StartError} for a text that is not an origin as browsers send it. */
export function requireOrigin(origin: string): void {
  const right = originIn(origin);
  if (right === origin) return;
  const remedy = right === undefined ? 'such as http://localhost:5173' : `here ${right}`;
  const rule = 'An origin is a scheme, a host and a port, as browsers send it in Origin';
  throw new StartError('OPTION_INVALID', `${rule}, ${remedy}; it is ${JSON.stringify(origin)}.`);
}

/** The origin in a URL, as browsers write it; undefined if there is none. */
function originIn(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol, host } = new URL(text);
  if (origin !== 'null') return origin;
  // Apps have their own schemes, for instance tauri://localhost.
  return host === '' ? undefined : `${protocol}//${host}`;
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
export function isPageOfThisMachine(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return isLoopback(hostname) || hostname.endsWith('.localhost');
}
