/** The helper that the guide shows for tests that start a mock themselves: they run under `vary`, and without it. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { isFull } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { shownFile } from '../support/guide-files.ts';
import { checkout } from '../support/packing.ts';
import { run } from '../support/shell.ts';
import { complaintsOf, strangerOptions } from '../types/compiler.ts';

const folder = createFolder('own-tests');
const index = join(checkout, 'src/index.ts');

mkdirSync(folder.at('node_modules/agent-platform-contract'), { recursive: true });
const inPackage = (name: string, text: string) => folder.write(`node_modules/agent-platform-contract/${name}`, text);
inPackage('package.json', '{ "type": "module", "exports": { "types": "./index.d.ts", "default": "./index.js" } }');
inPackage('index.js', `export * from '${pathToFileURL(index).href}';`);
inPackage('index.d.ts', `export * from '${index}';`);

folder.write('package.json', '{ "type": "module" }');
const helpers = ['mock.ts', 'revisions.ts'].map((name) =>
  folder.write(name, shownFile('docs/what-does-your-frontend-rely-on.md', name)),
);
const tests = folder.write(
  'drives.ts',
  `import assert from 'node:assert/strict';
import { control, mock } from './mock.ts';
import { newestRevisionOf } from './revisions.ts';

const { key, url } = mock;
const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
const listDrives = () => fetch(url + '/drives?limit=100&offset=0', { headers });
const { status } = await fetch(url + '/drives', { method: 'POST', headers, body: '{"name":"Launch plans"}' });
await mock.reset();
assert.equal((await (await listDrives()).json()).data.length, 5);
await mock.faults.add({ effect: { status: { code: 503 } }, when: { next: 1 } });
assert.equal((await listDrives()).status, 503);
assert.ok((await listDrives()).ok);
const agents: { id: string; name: string }[] = await (await fetch(url + '/agents', { headers })).json();
const agentId = agents.find(({ name }) => name === 'Support Triage')?.id;
const revisionId = await newestRevisionOf('Support Triage');
const body = JSON.stringify({ revisionId });
assert.ok((await fetch(url + '/agents/' + agentId + '/publish', { method: 'POST', headers, body })).ok);
await control('DELETE', '/organizations/self/agents/' + agentId);
await assert.rejects(control('GET', '/organizations/self/agents/' + agentId), /not found|no agent|404/i);
await mock.close();
assert.equal(status, 201);
`,
);

it.runIf(isFull)('the helper of the guide compiles with strict settings', () => {
  const program = ts.createProgram([...helpers, tests], {
    ...strangerOptions(['node']),
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    ...{ allowImportingTsExtensions: true, noEmit: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true },
  });
  expect(complaintsOf(program, (path) => [...helpers, tests].includes(path))).toEqual([]);
});

it('the helper of the guide starts a mock, calls the admin API, resets the mock and injects a fault', async () => {
  const { exitCode, stderr } = await run(process.execPath, [tests], { cwd: checkout });
  expect([exitCode, stderr]).toEqual([0, '']);
});

it.runIf(isFull)('the helper of the guide uses the mock of vary, which finds what the tests rely on', async () => {
  const choices = ['successStatus.createDrive=202', 'readAfterWrite=lagging', 'idFormat=numeric'];
  const args = ['vary', ...choices.flatMap((choice) => ['--only', choice]), '--repeat', '1'];
  const { code, stdout } = await runCommand([...args, '--', process.execPath, tests]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining('Found: 1 dependency on successStatus.createDrive = 201.'),
  ]);
});
