import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { Api } from './app.ts';

/**
 * A sandbox for one test. The key is made up: the mock has never seen it, so it opens an organization of its own, with a
 * fresh copy of the seed. A key per test needs no cleaning up, and holds for retries and `test.concurrent`, too.
 */
export function openSandbox(): Api {
  return { baseUrl: inject('baseUrl'), apiKey: `test-${randomUUID()}` };
}

/** Puts a file into a drive. The API has no operation for that; the admin API of the mock has. */
export async function addFile({ baseUrl, apiKey }: Api, driveId: string, path: string): Promise<string> {
  const url = new URL(`/__admin/organizations/self/drives/${driveId}/files`, baseUrl);
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ path }) });
  if (!response.ok) throw new Error(await response.text());
  const { id }: { id: string } = await response.json();
  return id;
}
