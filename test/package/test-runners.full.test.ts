/** What the guide "Test runners" promises, with the package as npm installs it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWhole } from '../support/depth.ts';
import { shownCommands, shownFile } from '../support/guide-files.ts';
import { createProject, inProject, install, packed } from '../support/packing.ts';
import { run, type ShellOptions, succeed, type TemporaryFolder, temporaryFolder } from '../support/shell.ts';

const guide = 'docs/test-runners.md';
const runners = ['vitest', 'jest@30', 'jest-environment-jsdom@30', 'jest-fixed-jsdom', 'typescript', '@types/node'];

let folder: TemporaryFolder;

const projectOf = (version: string) => folder.at(`node-${version}`);
const on = (version: string): ShellOptions => inProject(projectOf(version));
const versions = ['22.13', ...(isWhole ? ['24'] : [])];

beforeAll(async () => {
  folder = temporaryFolder('test-runners');
  const tarball = await packed();
  for (const version of versions) {
    await createProject(projectOf(version), version);
    await install([tarball, ...runners], on(version));
  }
});
afterAll(() => folder.remove());

function write(version: string, name: string, text: string): void {
  writeFileSync(join(projectOf(version), name), text);
}

const sample = (file: string) => shownFile(guide, file);
const ofNode = shownFile('docs/in-your-tests.md', 'drives.node-test.mjs');
/** A command of the guide that begins like this, without npx. */
const commandOf = (beginning: string) => (shownCommands(guide, beginning)[0] ?? '').replace('npx ', '');
const jestOn = (file: string, environment: string) =>
  `jest --testMatch '**/${file}' --cache=false --env=${environment}`;

const asFetch = `
const { createFetch } = require('agent-platform-contract/fetch');
  test('there are five drives at first', async () => {
    const api = createFetch();
    const response = await api(api.url + '/drives', { headers: { 'X-API-Key': api.key } });
    expect((await response.json()).pagination.total).toBe(5);
  });`;

const byXmlHttpRequest = `
const { createMock } = require('agent-platform-contract');
let mock;
beforeAll(async () => { mock = await createMock({ profile: { cors: 'any' } }); });
afterAll(() => mock.close());
test('there are five drives at first', () => new Promise((done, fail) => {
  const request = new XMLHttpRequest();
  request.open('GET', mock.url + '/drives');
  request.setRequestHeader('X-API-Key', mock.key);
  request.onerror = fail;
  request.onload = () => { expect(JSON.parse(request.responseText).pagination.total).toBe(5); done(); };
  request.send();
}));
`;

describe.each(versions)('on Node %s', (version) => {
  test.each<[string, string, string, string]>([
    ['Vitest', 'drives.vitest.test.js', sample('drives.vitest.test.js'), 'vitest run drives.vitest.test.js'],
    ['node:test', 'drives.node-test.mjs', ofNode, 'node --test drives.node-test.mjs'],
    ['Jest in CommonJS', 'drives.test.cjs', sample('drives.test.cjs'), commandOf('npx jest ')],
    ['Jest in ES modules', 'drives.jest.mjs', sample('drives.jest.mjs'), commandOf('NODE_OPTIONS=')],
    ['Jest in jsdom, with XMLHttpRequest', 'jsdom.test.cjs', byXmlHttpRequest, jestOn('jsdom.test.cjs', 'jsdom')],
    ['Jest in jest-fixed-jsdom, as fetch', 'fixed.test.cjs', asFetch, jestOn('fixed.test.cjs', 'jest-fixed-jsdom')],
  ])('%s runs a mock', async (_, file, text, command) => {
    write(version, file, text);
    const { exitCode, stdout, stderr } = await run('sh', ['-c', command], on(version));
    // With the variable CI, some of them print in colours.
    const printed = stripVTControlCharacters(stdout + stderr);
    expect([exitCode, printed]).toEqual([0, expect.stringMatching(/Tests:? +1 passed|pass 2/)]);
  });

  test('what plain jsdom lacks is named, with the remedy', async () => {
    write(version, 'plain.test.cjs', asFetch);
    const { exitCode, stderr } = await run('sh', ['-c', jestOn('plain.test.cjs', 'jsdom')], on(version));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/jest-fixed-jsdom/);
  });

  test('`require` and `import` give the same functions, so there is one copy of the state', async () => {
    const code = `import { createRequire } from 'node:module';
      import * as imported from 'agent-platform-contract';
      const required = createRequire(import.meta.url)('agent-platform-contract');
      process.stdout.write(String(required.createMock === imported.createMock));`;
    expect(await succeed('node', ['--input-type=module', '--eval', code], on(version))).toBe('true');
  });

  test.each([
    ['nodenext', 'mts'],
    ['nodenext', 'cts'],
    ['node16', 'mts'],
    ['node16', 'cts'],
    ['preserve', 'ts'],
  ])('TypeScript accepts a mock with module %s in a file .%s', async (module, extension) => {
    const name = `typed-${module}.${extension}`;
    write(version, name, typed);
    const resolution = module === 'preserve' ? 'bundler' : module;
    const flags = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2024,dom,esnext.disposable'];
    const kind = ['--module', module, '--moduleResolution', resolution, '--types', 'node', '--skipLibCheck'];
    const { exitCode, stdout } = await run('tsc', [...flags, ...kind, name], on(version));
    expect([exitCode, stdout]).toEqual([0, '']);
  });
});

const typed = `import { createMock, type Mock } from 'agent-platform-contract';
import { createFetch } from 'agent-platform-contract/fetch';
import { runSuite, toSettings } from 'agent-platform-contract/conformance';

export async function started(): Promise<Mock> {
  const mock = await createMock({ profile: { 'successStatus.createDrive': 200 } });
  const response = await createFetch()(mock.url);
  if (response.ok) await runSuite(toSettings({ baseUrl: mock.url, apiKey: mock.key }), { tool: 'test' });
  return mock;
}
`;
