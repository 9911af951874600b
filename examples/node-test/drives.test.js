import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMock } from 'agent-platform-contract';
import { createDrive, listDriveNames } from './drives.js';

const mock = await createMock();
const service = { baseUrl: mock.url, key: mock.key };
beforeEach(() => mock.reset());
after(() => mock.close());

test('a new drive is in the list', async () => {
  await createDrive(service, 'Launch plans');
  const isListed = async () => (await listDriveNames(service)).includes('Launch plans');
  // The contract does not promise that it is listed immediately.
  for (let tries = 0; tries < 50 && !(await isListed()); tries++) await sleep(20);
  assert.ok(await isListed());
});

test('a reset takes it away', async () => {
  assert.equal((await listDriveNames(service)).length, 5);
});

test('a failure is reported', async () => {
  mock.faults.add({ effect: { status: { code: 503 } }, operations: ['listDrives'], when: { next: 1 } });
  await assert.rejects(listDriveNames(service), /could not be loaded \(503\)/);
});
