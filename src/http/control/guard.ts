import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, refuse } from '../../domain/refusal.ts';

/** Below which path the control plane is. */
export const controlPrefix = '/__admin';

/** Whether a request target is the control plane's. */
export function isControlPath(url: string): boolean {
  return url.startsWith(controlPrefix) && /^[/?]?$/.test(url.charAt(controlPrefix.length));
}

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/**
 * Refuses who may not use the control plane. Without a token: whoever names another host than this machine, as a page
 * does that made a name of its own point here. In either case: a page of another origin, which may send a simple POST
 * without being asked.
 */
export function refuseStranger(headers: IncomingHttpHeaders, token: string | undefined): Refusal | undefined {
  const { host = '', origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    return refuse('forbidden', 'The control plane takes no requests from pages of other origins.');
  }
  if (token === undefined) {
    const isForeign = !isLoopback(host.replace(/:\d+$/, ''));
    return isForeign
      ? refuse('forbidden', 'Without --admin-token the control plane answers to localhost only.')
      : undefined;
  }
  if (isSame(bearerIn(headers), token)) return undefined;
  return refuse('unauthenticated', 'Send the token of --admin-token as Authorization: Bearer <token>.');
}

function bearerIn({ authorization = '' }: IncomingHttpHeaders): string {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
}

// Digests have one length, so the comparison takes one time.
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
