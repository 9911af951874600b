import type { IncomingHttpHeaders } from 'node:http';
import type { Parts } from './operations.ts';
import { Refusal } from './refusal.ts';

/** The organization of the key in either header. Two headers must carry the same key. */
export async function authenticate({ repository }: Parts, headers: IncomingHttpHeaders): Promise<string> {
  const keys = new Set(keysIn(headers));
  const [key = ''] = keys;
  const organizationId = keys.size === 1 && key !== '' ? await repository.organizationOf(key) : undefined;
  if (organizationId === undefined) throw new Refusal(401, 'a valid API key is required');
  return organizationId;
}

function keysIn({ 'x-api-key': apiKey, authorization }: IncomingHttpHeaders): string[] {
  const bearer = authorization === undefined ? [] : [/^Bearer +(.+)$/i.exec(authorization)?.[1] ?? ''];
  return apiKey === undefined ? bearer : [String(apiKey), ...bearer];
}
