/** Sixteen Vitest workers, each in a sandbox of its own, against one mock. */
import { expect, it } from 'vitest';
import type { OrganizationSnapshot } from '../../src/domain/snapshot.ts';
import { runWorkers } from '../sandboxes/run-workers.ts';
import { driveLists, seedFor } from '../sandboxes/story.ts';
import { createClient } from '../support/client.ts';
import { startMock } from '../support/command.ts';
import { createFolder } from '../support/folder.ts';
import { keyIdOf } from '../support/key-id.ts';

const keys = Array.from({ length: 16 }, (_, index) => `worker-${index + 1}`);
const tests = Array.from({ length: 125 }, (_, index) => index + 1);

const folder = createFolder('sandboxes-seed');

it('keeps the sandboxes of 2,000 tests in 16 parallel workers separate', async () => {
  const seed = folder.write('seed.json', seedFor(tests));
  const mock = await startMock(['--open-keys', '--log-level', 'error', '--seed', seed]);
  const admin = createClient(new URL('/__admin', mock.url).href, keys[0] as string);
  const seedBefore = (await admin('GET', '/snapshot', { key: null })).body;
  const plans = keys.map((key) => ({ key, tests, sandboxesAtOnce: keys.length }));
  const { passed, failures, wallMs } = await runWorkers(mock.url, plans, keys.length);
  process.stdout.write(`\n2,000 tests in 16 sandboxes: ${(wallMs / 1_000).toFixed(1)} s\n\n`);
  expect({ passed, failures }).toEqual({ passed: keys.length * tests.length, failures: [] });
  const held: OrganizationSnapshot[] = [];
  for (const key of keys) {
    const { body } = await admin('GET', '/organizations/self', { key });
    expect(body).toMatchObject({ kind: 'sandbox', keyIds: [keyIdOf(key)] });
    held.push((await admin('GET', '/snapshot?organization=self', { key })).body);
    await admin('DELETE', `/organizations/${body.id}`);
  }
  const shown = held.map(({ drives }) =>
    drives.map(({ name, files }) => ({ name, files: files.map(({ id, path }) => ({ id, path })) })),
  );
  expect(shown).toEqual(keys.map((key) => driveLists(key, tests)));
  const created = held.flatMap(({ drives }) => drives.slice(1).map(({ id }) => id));
  expect(new Set(created).size).toBe(keys.length * tests.length);
  expect((await admin('GET', '/snapshot', { key: null })).body).toEqual(seedBefore);
  await mock.stop();
});
