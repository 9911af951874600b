/** The helper that the guide shows for tests that start a mock themselves: they run under `vary`, and without it. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { isFull } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { shownFile } from '../support/guide-files.ts';
import { checkout } from '../support/packing.ts';
import { run } from '../support/shell.ts';

const folder = createFolder('own-tests');
const index = pathToFileURL(join(checkout, 'src/index.ts')).href;

const helper = shownFile('docs/what-does-your-frontend-rely-on.md', 'mock.js');
folder.write('mock.mjs', helper.replace("'agent-platform-contract'", `'${index}'`));
const tests = folder.write(
  'drives.mjs',
  `import assert from 'node:assert/strict';
import { addFault, close, key, reset, url } from './mock.mjs';

const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
const listDrives = () => fetch(url + '/drives?limit=100&offset=0', { headers });
const { status } = await fetch(url + '/drives', { method: 'POST', headers, body: '{"name":"Launch plans"}' });
await reset();
assert.equal((await (await listDrives()).json()).data.length, 5);
await addFault({ effect: { status: { code: 503 } }, when: { next: 1 } });
assert.equal((await listDrives()).status, 503);
assert.ok((await listDrives()).ok);
await close();
assert.equal(status, 201);
`,
);

it('the helper of the guide starts a mock, resets it and injects a fault', async () => {
  const { exitCode, stderr } = await run(process.execPath, [tests], { cwd: checkout });
  expect([exitCode, stderr]).toEqual([0, '']);
});

it.runIf(isFull)('the helper of the guide uses the mock of vary, which finds what the tests rely on', async () => {
  const args = ['vary', '--only', 'successStatus.createDrive=202', '--only', 'readAfterWrite=lagging', '--repeat', '1'];
  const { code, stdout } = await runCommand([...args, '--', process.execPath, tests]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining('Found: 1 dependency on successStatus.createDrive = 201.'),
  ]);
});
