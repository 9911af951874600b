/** The tests of one parallel worker. All workers do the same to the same files, so that any mixing of sandboxes shows. */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import type { components } from '../../openapi/contract/types.gen.ts';
import { type Client, createClient } from './client.ts';
import { driveName, outbox, seedFilesOf, sentPath } from './story.ts';

/** What one file of tests is to do. */
export interface SandboxPlan {
  /** The key that opens the sandbox of this file. */
  key: string;
  /** The numbers of its tests. */
  tests: readonly number[];
  /** How many sandboxes must be open before its first test begins: proof that the workers run at the same time. */
  sandboxesAtOnce: number;
}

// Sixteen workers take a while to start on a busy machine.
const patienceMs = 90_000;

/** Registers the tests of one file. They run in their order, and each knows the whole list that it must find. */
export function defineSandboxTests(baseUrl: string, { key, tests, sandboxesAtOnce }: SandboxPlan): void {
  const api = createClient(baseUrl, key);
  const names: string[] = [];

  beforeAll(async () => {
    names.push(...(await listDriveNames(api)));
    await untilOpen(createClient(new URL('/__admin', baseUrl).href, key), sandboxesAtOnce);
  });

  it.for(tests)('test %i creates, lists, moves and deletes', async (test) => {
    names.push(driveName(test));
    expect((await api('POST', '/drives', { name: driveName(test) })).status).toBe(201);
    expect(await listDriveNames(api)).toEqual(names);
    await moveAndDelete(api, test, sentPath(key, test));
  });
}

async function moveAndDelete(api: Client, test: number, path: string): Promise<void> {
  const { kept, lost } = seedFilesOf(test);
  const file = `/drives/${outbox}/files/${kept.id}`;
  expect((await api('GET', file)).body).toMatchObject(kept);
  expect((await api('PATCH', file, { path })).body).toMatchObject({ id: kept.id, path });
  const deleted = await api('DELETE', `/drives/${outbox}/items/tree?path=/drafts/${test}`);
  expect(deleted.body).toMatchObject({ documentCount: 1 });
  expect((await api('GET', `/drives/${outbox}/files/${lost.id}`)).status).toBe(404);
}

async function listDriveNames(api: Client): Promise<string[]> {
  const names: string[] = [];
  for (let total = 1; names.length < total; ) {
    const { body } = await api('GET', `/drives?limit=100&offset=${names.length}`);
    const { data, pagination } = body as components['schemas']['DrivePage'];
    if (data.length === 0) throw new Error('A page before the end is empty.');
    names.push(...data.map(({ name = '' }) => name));
    total = pagination.total ?? 0;
  }
  return names;
}

async function untilOpen(admin: Client, wanted: number): Promise<void> {
  const count = async () =>
    ((await admin('GET', '/settings')).body as { sandboxes: { count: number } }).sandboxes.count;
  const startedMs = performance.now();
  for (let open = await count(); open < wanted; open = await count()) {
    if (performance.now() - startedMs > patienceMs) throw new Error(`Only ${open} of ${wanted} sandboxes were opened.`);
    await delay(20);
  }
}
