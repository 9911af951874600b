/** What the guide "Test runners" promises, with the package as npm installs it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Runs Jest on one file of the project; what it printed. */
async function jest(version: string, file: string, ...args: string[]) {
  return run('jest', ['--testMatch', `**/${file}`, '--cache=false', ...args], on(version));
}

const listsDrives = `
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
  test('Vitest runs the sample', async () => {
    write(version, 'drives.vitest.test.js', shownFile(guide, 'drives.vitest.test.js'));
    const { exitCode, stdout } = await run('vitest', ['run', 'drives.vitest.test.js'], on(version));
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/Tests.*1 passed/)]);
  });

  test('node:test runs the sample', async () => {
    write(version, 'drives.node-test.mjs', shownFile('docs/in-your-tests.md', 'drives.node-test.mjs'));
    const { exitCode, stdout } = await run('node', ['--test', 'drives.node-test.mjs'], on(version));
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/pass 2/)]);
  });

  test('Jest runs the sample in CommonJS, by the command of the guide', async () => {
    write(version, 'drives.test.cjs', shownFile(guide, 'drives.test.cjs'));
    const command = shownCommands(guide, 'npx jest ')[0] ?? '';
    const { exitCode, stderr } = await run('sh', ['-c', command.replace('npx ', '')], on(version));
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/Tests: +1 passed/)]);
  });

  test('Jest runs the sample in ES modules, by the command of the guide', async () => {
    write(version, 'drives.jest.mjs', shownFile(guide, 'drives.jest.mjs'));
    const command = shownCommands(guide, 'NODE_OPTIONS=')[0] ?? '';
    const { exitCode, stderr } = await run('sh', ['-c', command.replace('npx ', '')], on(version));
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/Tests: +1 passed/)]);
  });

  test('Jest runs a mock in jsdom, called with XMLHttpRequest', async () => {
    write(version, 'jsdom.test.cjs', byXmlHttpRequest);
    const { exitCode, stderr } = await jest(version, 'jsdom.test.cjs', '--env=jsdom');
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/Tests: +1 passed/)]);
  });

  test('Jest runs the mock as fetch in jest-fixed-jsdom', async () => {
    write(
      version,
      'fixed.test.cjs',
      `const { createFetch } = require('agent-platform-contract/fetch');\n${listsDrives}`,
    );
    const { exitCode, stderr } = await jest(version, 'fixed.test.cjs', '--env=jest-fixed-jsdom');
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/Tests: +1 passed/)]);
  });

  test('what plain jsdom lacks is named, with the remedy', async () => {
    write(
      version,
      'plain.test.cjs',
      `const { createFetch } = require('agent-platform-contract/fetch');\n${listsDrives}`,
    );
    const { exitCode, stderr } = await jest(version, 'plain.test.cjs', '--env=jsdom');
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
