/** The package as a user gets it: packed, installed from the tarball, and run on each Node that it promises to run on. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Weight, weigh } from '../../.ci/weigh.mjs';
import { reporters } from '../../conformance/report/index.ts';
import { parseReport } from '../../conformance/report/parse-report.ts';
import { loadRequirements } from '../../openapi/contract/load.ts';
import { findBrowser, noBrowser } from '../support/browser.ts';
import { isWhole } from '../support/depth.ts';
import { copyExample, runPlaywrightExample, runVitestExample, sandboxesAt } from '../support/examples.ts';
import { checkout, createProject, inProject, install, npm, npmMs, packed } from '../support/packing.ts';
import { run, start, succeed, type TemporaryFolder, temporaryFolder } from '../support/shell.ts';
import { complaintsOf, strangerOptions } from '../types/compiler.ts';

const { engines } = readManifest(join(checkout, 'package.json'));
// The very first version that `engines` allows, and the newest. CI leaves out those between: all its other tests run on 24.
const oldest = [...engines.node.replace('>=', '').split('.'), '0', '0'].slice(0, 3).join('.');
const newest = '26';
const promised = [oldest, newest, ...(isWhole ? ['22', '24'] : [])];
const tooOld = ['20', ...(isWhole ? ['22.12.0'] : [])];

let folder: TemporaryFolder;

interface Manifest {
  version: string;
  engines: { node: string };
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  exports: Record<string, unknown>;
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** What npm said while it installed the package on each Node. */
const said = new Map<string, string>();

/** How many packages it brought. */
const brought = new Map<string, number>();

beforeAll(async () => {
  folder = temporaryFolder('package');
  const packing = packed();
  await settled([packing, ...[...tooOld, ...promised].map((version) => createProject(projectOf(version), version))]);
  const tarball = await packing;
  const installOn = async (version: string) => {
    const before = packagesIn(projectOf(version)).length;
    said.set(version, await install([tarball], inNode(version)));
    brought.set(version, packagesIn(projectOf(version)).length - before);
  };
  await settled(promised.map(installOn));
});

// Tens of thousands of small files.
afterAll(() => folder.remove());

/** Waits for all steps, also after one has failed: none may write into the folder once it is removed. */
async function settled(steps: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(steps);
  await Promise.all(steps);
}

function packagesIn(project: string): string[] {
  return Object.keys(JSON.parse(readFileSync(join(project, 'node_modules', '.package-lock.json'), 'utf8')).packages);
}

function projectOf(version: string): string {
  return folder.at(`node-${version}`);
}

function inNode(version: string) {
  // The command keeps its compiled code, for the next start; here it shall go with the rest.
  return { ...inProject(projectOf(version)), environment: { NODE_COMPILE_CACHE: folder.at('compile-cache') } };
}

function installed(...segments: string[]): string {
  return join(projectOf(newest), 'node_modules', 'agent-platform-contract', ...segments);
}

function installedFiles(): string[] {
  const entries = readdirSync(installed(), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => path.slice(installed().length + 1)).filter((path) => !path.startsWith('node_modules'));
}

function manifest(): Manifest {
  return readManifest(installed('package.json'));
}

describe('tarball', () => {
  test('holds only the intended files and folders', () => {
    const top = new Set(installedFiles().map((path) => path.split('/')[0]));
    expect([...top].sort()).toEqual([
      ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'],
      ...['dist', 'docs', 'examples', 'package.json'],
    ]);
    expect(readdirSync(installed('dist')).sort()).toEqual([
      ...['_virtual', 'browser', 'conformance', 'docs', 'lib', 'openapi', 'src'],
    ]);
  });

  test('holds the list of open points, to which its contract links', () => {
    expect(readFileSync(installed('dist/openapi/openapi.yaml'), 'utf8')).toContain('](../docs/open-points.md)');
    const list = readFileSync(installed('dist/docs/open-points.md'), 'utf8');
    expect(list).toContain('<a id="successStatus.createDrive"></a>');
    const files = [...list.matchAll(/\]\(([^)#:\s]+)/g)].map(([, path = '']) => path);
    expect(files.filter((path) => !existsSync(installed('dist/docs', path)))).toEqual([]);
  });

  test('holds what its documents link to, sources in dist, except pictures and files for working on the repository', () => {
    const isLeftOut = (path: string) => /^(docs\/pictures|bench|proof)\//.test(path);
    const broken = installedFiles()
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => {
        const links = [...readFileSync(installed(file), 'utf8').matchAll(/\]\(([^)#:\s]+)(?:#[^)\s]*)?\)/g)];
        return links.map(([, link = '']) => join(dirname(file), link));
      })
      .filter((path) => !existsSync(installed(path)) && !existsSync(installed('dist', path)) && !isLeftOut(path));
    expect(broken).toEqual([]);
  });

  test('holds neither sources nor tests', () => {
    const isSource = (path: string) => path.endsWith('.ts') && !path.endsWith('.d.ts');
    const isTest = (path: string) => /(^|\/)(test|tests|bench|\.ci)\/|\.test\./.test(path);
    const own = installedFiles().filter((path) => !path.startsWith('examples/'));
    expect(own.filter((path) => isSource(path) || isTest(path))).toEqual([]);
  });

  test('imports exactly its declared dependencies', () => {
    const code = installedFiles().filter((path) => path.startsWith('dist/') && /\.(js|d\.ts)$/.test(path));
    const imported = new Set(code.flatMap((path) => packagesOf(readFileSync(installed(path), 'utf8'))));
    const peers = Object.keys(manifest().peerDependencies);
    expect([...imported].filter((name) => !peers.includes(name)).sort()).toEqual(
      Object.keys(manifest().dependencies).sort(),
    );
    expect(peers.filter((name) => !imported.has(name))).toEqual([]);
  });
});

/** The packages that a module imports, at once or later. */
function packagesOf(code: string): string[] {
  const specifiers = ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName);
  const foreign = specifiers.filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier));
  return foreign.map((specifier) =>
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/'),
  );
}

const checkCount = new Set(loadRequirements().flatMap(({ checks = [] }) => checks)).size;

/** Asserts that a conformant run wrote its reports, each as this checkout writes it, whose tests read them as others do. */
async function expectReadable(folder: string, baseUrl: string): Promise<void> {
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
  const report = parseReport(textOf('report.json'), 'report.json');
  expect(report).toMatchObject({
    ...{ verdict: 'conformant', run: { baseUrl } },
    summary: { failed: 0, warned: 0, inconclusive: 0, 'not-enabled': 0 },
  });
  expect(report.checks).toHaveLength(checkCount);
  for (const { fileName, write } of [reporters.junit, reporters.html, reporters.markdown])
    expect(textOf(`reports/${fileName}`), fileName).toBe(write(report));
}

describe.each(promised)('on Node %s', (version) => {
  test('node prints that version', async () => {
    const printed = await succeed('node', ['--print', 'process.version'], inNode(version));
    expect(`${printed.trim()}.`).toContain(`v${version}.`);
  });

  test('the command listens, answers and stops', async () => {
    const mock = start('agent-platform-contract', ['mock', '--port', '0'], inNode(version));
    try {
      const { message, url }: Record<string, string> = JSON.parse(await mock.firstLine());
      expect(message).toBe('listening');
      expect((await fetch(`${url}/drives`, { headers: { 'X-API-Key': 'demo-key' } })).status).toBe(200);
      const page = await fetch(new URL('/', url), { headers: { accept: 'text/html' } });
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script>')]);
      const { stdout, stderr, exitCode } = await mock.stop();
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(messagesOf(stdout)).toEqual(['listening', 'request']);
    } finally {
      mock.kill();
    }
  });

  test('npm warns of nothing that is ours', () => {
    const warnings = said.get(version)?.match(/^npm warn .*/gm) ?? [];
    const others = /^npm warn Unknown (user|project|env) config/;
    expect(warnings.filter((line) => !others.test(line))).toEqual([]);
  });

  test('npm installs few packages, as the guide says', () => {
    const guide = readFileSync(join(checkout, 'docs', 'in-your-tests.md'), 'utf8');
    const shown = Number(/are (\d+) packages/.exec(guide)?.[1]);
    // A release of a dependency may bring some.
    expect(Math.abs((brought.get(version) ?? 0) - shown)).toBeLessThan(10);
  });

  test('the guide leads to the first typed call', async () => {
    const guide = readFileSync(join(checkout, 'docs', 'generated-clients.md'), 'utf8');
    const [, file = '', code = ''] = /<!-- file (\S+) -->\n\n```ts\n([^`]+)```/.exec(guide) ?? [];
    writeFileSync(join(projectOf(version), file), code);
    const steps = [...guide.matchAll(/<!-- steps -->\n\n```text\n([^`]+)```/g)].flatMap(([, lines = '']) => lines);
    let printed = '';
    for (const step of steps.join('').trim().split('\n')) {
      printed = await succeed('sh', ['-c', step], { ...inNode(version), timeoutMs: npmMs });
    }
    expect(printed).toBe('Marketing assets\nSupplier contracts\n');
  });

  test('forced responses and the proxy work without Prism, which generated bodies ask for', async () => {
    writeFileSync(join(projectOf(version), 'forced.js'), useOfForced);
    const used = async () => JSON.parse(await succeed('node', ['forced.js'], inNode(version)));
    const { detail, ...without } = await used();
    expect(without).toEqual({ forced: 503, generated: 400, passed: 200, violations: 1 });
    const line = /^A generated body needs the package @stoplight\/prism-http\. Install it: npm (install .*)$/.exec(
      detail,
    );
    if (version !== oldest) return;
    // The newest Prism that this Node can run; the tests of the checkout use the newest of all.
    await npm((line?.[1] ?? '').split(' '), inNode(version));
    expect(await used()).toMatchObject({ ...without, generated: 200 });
  });

  test('live MCP tools ask for the library that they need', async () => {
    const { stderr, exitCode } = await run('agent-platform-contract', ['mock', '--live-mcp'], inNode(version));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^--live-mcp .* needs the package (\S+)\. Install it: npm install --save-dev \1\n$/);
  });

  test('npx finds the command', async () => {
    const printed = await succeed('npx', ['--no', '--', 'agent-platform-contract', '--version'], inNode(version));
    expect(printed.trim()).toBe(manifest().version);
  });

  test('createMock works from plain JavaScript and lets the process exit', async () => {
    writeFileSync(join(projectOf(version), 'use.js'), useInJavaScript);
    const { stdout, stderr, exitCode } = await run('node', ['use.js'], inNode(version));
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout)).toEqual({ listed: 200, created: 202, name: 'Field reports', order: 'oldestFirst' });
  });

  test('the mock without a server works from plain JavaScript and lets the process exit', async () => {
    writeFileSync(join(projectOf(version), 'fetch.js'), useOfFetch);
    const { stdout, stderr, exitCode } = await run('node', ['fetch.js'], inNode(version));
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout)).toEqual({ listed: 200, created: 202, refused: 422, version: manifest().version });
  });

  test('a state file works, without a word of Node about SQLite', async () => {
    const file = join(projectOf(version), 'kept.state');
    for (const isContinued of [false, true]) {
      const code = `import('agent-platform-contract').then(async ({ createMock }) => {
        const mock = await createMock({ state: ${JSON.stringify(file)} });
        console.log(mock.state.isContinued, mock.snapshot().organizations.length > 0);
        mock.openSandbox();
        await mock.close();
      })`;
      const { stdout, stderr, exitCode } = await run('node', ['--eval', code], inNode(version));
      expect({ stdout, stderr, exitCode }).toEqual({ stdout: `${isContinued} true\n`, stderr: '', exitCode: 0 });
    }
  });

  test('the suite judges a server on another port and writes readable reports', async () => {
    const mock = start('agent-platform-contract', ['mock', '--port', '0'], inNode(version));
    try {
      const { url = '' }: Record<string, string> = JSON.parse(await mock.firstLine());
      const config = 'node_modules/agent-platform-contract/examples/conformance-demo.json';
      const reports = ['--json', 'report.json', '--report', 'junit,html,markdown', '--report-dir', 'reports'];
      const args = ['conformance', '--config', config, '--base-url', url, ...reports];
      const { stdout, stderr, exitCode } = await run('agent-platform-contract', args, inNode(version));
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(stdout).toMatch(/^CONFORMANT in /m);
      await expectReadable(projectOf(version), url);
    } finally {
      mock.kill();
    }
  });

  test('exported data files resolve and parse', async () => {
    const names = Object.entries(manifest().exports).flatMap(([name, target]) =>
      typeof target === 'string' ? [name] : [],
    );
    expect(names).toEqual(expect.arrayContaining(dataFiles));
    const script = `console.log(JSON.stringify(${JSON.stringify(names)}.map((name) =>
      import.meta.resolve('agent-platform-contract' + name.slice(1)))))`;
    const printed = await succeed('node', ['--input-type=module', '--eval', script], inNode(version));
    const contents = (JSON.parse(printed) as string[]).map((url) => parse(readFileSync(fileURLToPath(url), 'utf8')));
    expect(contents).toEqual(names.map(() => expect.any(Object)));
  });
});

test('weighs what the guide says, and the same dependencies bring it', () => {
  const guide = readFileSync(join(checkout, 'docs', 'package-size.md'), 'utf8');
  const [, table = ''] = /<!-- weights -->\n\n([\s\S]*?)\n\n/.exec(guide) ?? [];
  const shown = table
    .split('\n')
    .slice(2)
    .map((row) => row.split(' | '));
  const weights = weigh(projectOf(newest));
  const whole = weights.reduce((sum, { bytes }) => sum + bytes / 1e6, 0);
  const titles = (of: readonly Weight[]) => of.map(({ title }) => title).sort();
  expect(
    shown
      .slice(0, -1)
      .map(([title = '']) => title.replace('| ', ''))
      .sort(),
  ).toEqual(titles(weights));
  // A release of a dependency may weigh more or less.
  expect(Math.abs(whole - Number.parseFloat(shown.at(-1)?.[2] ?? '')) / whole).toBeLessThan(0.2);
});

describe('examples', () => {
  const copied = (name: string) => copyExample(installed('examples', name), inNode(newest));

  test('vitest-sandboxes passes with its own mock and, one sandbox per test, with a running mock', async () => {
    const shell = copied('vitest-sandboxes');
    expect(await runVitestExample(shell)).toEqual({ files: 2, passed: 5, failures: [] });
    const mock = start('agent-platform-contract', ['mock', '--port', '0', '--open-keys'], {
      ...shell,
      timeoutMs: npmMs,
    });
    try {
      const { url = '' }: Record<string, string> = JSON.parse(await mock.firstLine());
      expect(await runVitestExample(shell, url)).toEqual({ files: 2, passed: 5, failures: [] });
      // One of the tests opens two.
      expect(await sandboxesAt(url)).toBe(6);
    } finally {
      mock.kill();
    }
  });

  test('vitest-sandboxes passes under vary', async () => {
    const args = ['vary', '--open-keys', '--only', 'successStatus.createDrive=202', '--', 'vitest', 'run'];
    const ended = await run('agent-platform-contract', args, copied('vitest-sandboxes'));
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ exitCode: 0 });
  });

  test('playwright-sandboxes passes with two workers', async (context) => {
    const browser = findBrowser();
    if (browser === undefined) return context.skip(noBrowser);
    const done = await runPlaywrightExample(copied('playwright-sandboxes'), browser);
    expect(done).toEqual({ passed: 4, failures: [], workers: 2 });
  });
});

function messagesOf(log: string): unknown[] {
  return log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).message);
}

const dataFiles = [
  './openapi.yaml',
  './requirements.yaml',
  './seed.schema.json',
  './profile.schema.json',
  './package.json',
];

const useOfFetch = `
import { createFetch } from 'agent-platform-contract/fetch';

const mock = createFetch({ set: { 'successStatus.createDrive': 202 } });
const headers = { 'x-api-key': mock.keys[0], 'content-type': 'application/json' };
const create = (body) => mock(mock.url + '/drives', { method: 'POST', headers, body: JSON.stringify(body) });
const { status: listed } = await mock(mock.url + '/drives', { headers });
const [{ status: created }, { status: refused }] = [await create({ name: 'Field reports' }), await create({})];
const { version } = await (await mock(mock.adminUrl + '/version')).json();
console.log(JSON.stringify({ listed, created, refused, version }));
`;

const useInJavaScript = `
import { createMock, defaultProfile, loadOpenPoints } from 'agent-platform-contract';
const mock = await createMock({ set: { 'successStatus.createDrive': 202 } });
const headers = { 'X-API-Key': mock.keys[0], 'Content-Type': 'application/json' };
const listed = await fetch(mock.url + '/drives', { headers });
const body = JSON.stringify({ name: 'Field reports' });
const created = await fetch(mock.url + '/drives', { method: 'POST', headers, body });
const { name } = await created.json();
const order = defaultProfile(loadOpenPoints()).listOrder;
console.log(JSON.stringify({ listed: listed.status, created: created.status, name, order }));
await mock.close();
`;

const useOfForced = `
import { createMock, createProxy } from 'agent-platform-contract';
const mock = await createMock();
const proxy = await createProxy({ upstream: mock.url });
const get = (url, headers) => fetch(url, { headers: { 'X-API-Key': mock.keys[0], ...headers } });
const { status: forced } = await get(mock.url + '/drives', { Prefer: 'code=503' });
const dynamic = await get(mock.url + '/drives', { Prefer: 'dynamic=true' });
const { detail } = await dynamic.json();
const { status: passed } = await get(proxy.url + '/drives');
await get(proxy.url + '/drives?limit=none');
const violations = proxy.summary().client.length;
console.log(JSON.stringify({ forced, generated: dynamic.status, detail, passed, violations }));
await proxy.close();
await mock.close();
`;

const useInTypeScript = `
import { createMock, type components, type Mock, type Profile } from 'agent-platform-contract';
import { createFetch } from 'agent-platform-contract/fetch';
import type { components as Usual } from 'agent-platform-contract/types';
import type { components as Strict } from 'agent-platform-contract/types/strict';
const set: Partial<Profile> = { listOrder: 'byName', 'successStatus.createDrive': 202 };
const mock: Mock = await createMock({ set });
const response = await fetch(mock.url + '/drives', { headers: { 'X-API-Key': mock.keys[0] ?? '' } });
const page: components['schemas']['DrivePage'] = await response.json();
export const names: string[] = page.data.map(({ name }) => name);
export const agents: number = (await createFetch()('/agents')).status;
export const nameOf = (agent: Usual['schemas']['Agent']): string => agent.name;
// @ts-expect-error That a listed agent has a name is open.
export const nameIn = (agent: Strict['schemas']['Agent']): string => agent.name;
await mock.close();
// @ts-expect-error There is no such option: the types are there, and not hollow.
await createMock({ prot: 1 });
// @ts-expect-error There is no such choice.
export const profile: Partial<Profile> = { listOrder: 'newest' };
`;

const resolutions = {
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
};

describe.each(['nodenext', 'bundler'] as const)('types under moduleResolution %s', (resolution) => {
  // A user has them or not; what other packages need of them is not ours.
  test.each([
    { types: ['node'] as const, title: 'with the types of Node' },
    { types: [] as const, title: 'without the types of Node' },
  ])('accept legal and refuse illegal options and choices $title', ({ types }) => {
    const path = join(projectOf(newest), 'use.ts');
    writeFileSync(path, useInTypeScript);
    const program = ts.createProgram([path], { ...strangerOptions(types), ...resolutions[resolution] });
    expect(complaintsOf(program, (name) => name === path || name.startsWith(installed()))).toEqual([]);
  });
});

describe.each(tooOld)('on Node %s, which is too old', (version) => {
  const shell = () => ({ ...inNode(version), cwd: folder.path });

  test('the command says so in one line', async () => {
    const command = join(projectOf(newest), 'node_modules', '.bin', 'agent-platform-contract');
    const { stdout, stderr, exitCode } = await run(command, ['mock', '--port', '0'], shell());
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toMatch(
      new RegExp(
        `^agent-platform-contract needs Node 22.13 or later; this is Node ${version}\\S*\\. Install .*node@24, .*\\.\\n$`,
      ),
    );
  });

  test('the library rejects with the same words', async () => {
    const code = `import('agent-platform-contract').then(({ createMock }) => createMock()).catch(({ code, message }) => console.log(code, message))`;
    const { stdout, exitCode } = await run('node', ['--eval', code], { ...shell(), cwd: projectOf(newest) });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^NODE_TOO_OLD agent-platform-contract needs Node 22\.13 or later; this is Node \S+\. Install .*node@24, .*\.\n$/,
    );
  });
});
