import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A key and the organization it stands for. */
export interface ApiKey {
  readonly key: string;
  readonly organizationId: string;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Digests have one length, and every key is looked at: the time tells nothing about the keys. */
function organizationOf(candidate: string, keys: readonly ApiKey[]): string | undefined {
  const given = digest(candidate);
  let found: string | undefined;
  for (const { key, organizationId } of keys) {
    if (timingSafeEqual(given, digest(key))) found = organizationId;
  }
  return found;
}

/**
 * The organization of the caller. One valid key is enough, in either header; with two valid keys
 * the one in `Authorization` counts.
 */
export function identify(headers: IncomingHttpHeaders, keys: readonly ApiKey[]): string | undefined {
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1];
  const header = headers['x-api-key'];
  const candidates = [bearer, typeof header === 'string' ? header : undefined];
  const known = candidates.map((candidate) => organizationOf(candidate ?? '', keys));
  return known.find((organizationId) => organizationId !== undefined);
}
