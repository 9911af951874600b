/** The package as a user gets it: packed, installed from the tarball, and run on each Node that it promises to run on. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findBrowser } from './support/browser.ts';
import { copyExample, runPlaywrightExample, runVitestExample, worldsAt } from './support/examples.ts';
import { run, start, succeed, type TemporaryFolder, temporaryFolder } from './support/shell.ts';
import { expectReadable } from './support/written-reports.ts';
import { complaintsOf, strangerOptions } from './types/compiler.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const { engines } = readManifest(join(checkout, 'package.json'));
// The very first version that `engines` allows: '>=22' is a promise about 22.0.0 too.
const oldest = [...engines.node.replace('>=', '').split('.'), '0', '0'].slice(0, 3).join('.');
const promised = [oldest, '22', '24'];
const tooOld = '20';
// Two steps of npm follow each other in the setup.
const npmMs = 75_000;

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

beforeAll(async () => {
  folder = temporaryFolder('package');
  const packed = pack();
  await settled([packed, ...[tooOld, ...promised].map(createProject)]);
  const tarball = await packed;
  await settled(promised.map((version) => install(tarball, projectOf(version))));
});

// Tens of thousands of small files.
afterAll(() => folder.remove());

/** Waits for all steps, also after one has failed: none may write into the folder once it is removed. */
async function settled(steps: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(steps);
  await Promise.all(steps);
}

/** Packs a copy of the checkout, so that its own `dist/` stays as it is. */
async function pack(): Promise<string> {
  const copy = folder.at('checkout');
  const flags = ['--cached', '--others', '--exclude-standard', '--exclude=node_modules'];
  const listed = await succeed('git', ['ls-files', '-z', ...flags], { cwd: checkout });
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(checkout, name)))) {
    cpSync(join(checkout, file), join(copy, file));
  }
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
  await npm(['pack', '--pack-destination', folder.path], copy);
  const [tarball] = readdirSync(folder.path).filter((name) => name.endsWith('.tgz'));
  return folder.at(tarball ?? 'no tarball');
}

/** A project of a user in which there is nothing yet but a Node of its own. */
async function createProject(version: string): Promise<void> {
  const project = projectOf(version);
  mkdirSync(project);
  // The `node` package fetches its program with an install script.
  writeFileSync(
    join(project, 'package.json'),
    '{ "private": true, "type": "module", "allowScripts": { "node": true } }',
  );
  await install(`node@${version}`, project);
}

function install(what: string, project: string): Promise<void> {
  return npm(['install', '--prefer-offline', '--no-audit', '--no-fund', what], project);
}

async function npm(args: readonly string[], cwd: string): Promise<void> {
  const flags = ['--loglevel=error', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  await succeed('npm', [...flags, ...args], { cwd, timeoutMs: npmMs }).catch((cause: Error) => {
    throw new Error(`This test needs npm, and its registry or a full cache. ${cause.message}`, { cause });
  });
}

function projectOf(version: string): string {
  return folder.at(`node-${version}`);
}

/** How to run something in a project: with its Node, and with the programs of its packages. */
function inProject(version: string) {
  return {
    cwd: projectOf(version),
    programs: [join(projectOf(version), 'node_modules', '.bin')],
    // The command keeps its compiled code, for the next start; here it shall go with the rest.
    environment: { NODE_COMPILE_CACHE: folder.at('compile-cache') },
  };
}

function installed(...segments: string[]): string {
  return join(projectOf('24'), 'node_modules', 'agent-platform-contract', ...segments);
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
    expect([...top].sort()).toEqual(['LICENSE', 'README.md', 'dist', 'examples', 'package.json']);
    expect(readdirSync(installed('dist')).sort()).toEqual(['conformance', 'docs', 'openapi', 'reporting', 'src']);
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

describe.each(promised)('on Node %s', (version) => {
  test('node prints that version', async () => {
    const printed = await succeed('node', ['--print', 'process.version'], inProject(version));
    expect(`${printed.trim()}.`).toContain(`v${version}.`);
  });

  test('the command listens, answers and stops', async () => {
    const mock = start('agent-platform-contract', ['mock', '--port', '0'], inProject(version));
    try {
      const { message, url }: Record<string, string> = JSON.parse(await mock.firstLine());
      expect(message).toBe('listening');
      expect((await fetch(`${url}/drives`, { headers: { 'X-API-Key': 'demo-key' } })).status).toBe(200);
      expect((await fetch(new URL('/questions.html', url))).status).toBe(200);
      const { stdout, stderr, exitCode } = await mock.stop();
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(messagesOf(stdout)).toEqual(['listening', 'request', 'request']);
    } finally {
      mock.kill();
    }
  });

  test('npx finds the command', async () => {
    const printed = await succeed('npx', ['--no', '--', 'agent-platform-contract', '--version'], inProject(version));
    expect(printed.trim()).toBe(manifest().version);
  });

  test('createMock works from plain JavaScript and lets the process exit', async () => {
    writeFileSync(join(projectOf(version), 'use.js'), useInJavaScript);
    const { stdout, stderr, exitCode } = await run('node', ['use.js'], inProject(version));
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout)).toEqual({ listed: 200, created: 202, name: 'Field reports', order: 'oldestFirst' });
  });

  test('the suite judges a server on another port and writes readable reports', async () => {
    const mock = start('agent-platform-contract', ['mock', '--port', '0'], inProject(version));
    try {
      const { url = '' }: Record<string, string> = JSON.parse(await mock.firstLine());
      const config = 'node_modules/agent-platform-contract/examples/conformance-demo.json';
      const reports = ['--json', 'report.json', '--report', 'junit,html,markdown', '--report-dir', 'reports'];
      const args = ['conformance', '--config', config, '--base-url', url, ...reports];
      const { stdout, stderr, exitCode } = await run('agent-platform-contract', args, inProject(version));
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(stdout).toContain('CONFORMANT: ');
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
    const printed = await succeed('node', ['--input-type=module', '--eval', script], inProject(version));
    const contents = (JSON.parse(printed) as string[]).map((url) => parse(readFileSync(fileURLToPath(url), 'utf8')));
    expect(contents).toEqual(names.map(() => expect.any(Object)));
  });
});

describe('examples', () => {
  const copied = (name: string) => copyExample(installed('examples', name), inProject('24'));

  test('vitest-worlds passes with its own mock and, one world per test, with a running mock', async () => {
    const shell = copied('vitest-worlds');
    expect(await runVitestExample(shell)).toEqual({ files: 2, passed: 5, failures: [] });
    const mock = start('agent-platform-contract', ['mock', '--port', '0', '--open-keys'], {
      ...shell,
      timeoutMs: npmMs,
    });
    try {
      const { url = '' }: Record<string, string> = JSON.parse(await mock.firstLine());
      expect(await runVitestExample(shell, url)).toEqual({ files: 2, passed: 5, failures: [] });
      // One of the tests opens two.
      expect(await worldsAt(url)).toBe(6);
    } finally {
      mock.kill();
    }
  });

  const browser = findBrowser();

  // Without a browser outside CI this is skipped and says so; in CI findBrowser fails.
  test.skipIf(browser === undefined)('playwright-worlds passes with two workers', async () => {
    const done = await runPlaywrightExample(copied('playwright-worlds'), browser ?? '');
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
  './open-points.yaml',
  './seed.schema.json',
  './profile.schema.json',
  './package.json',
];

const useInJavaScript = `
import { createMock, defaultProfile, loadOpenPoints } from 'agent-platform-contract';
const mock = await createMock({ set: { createStatus: 202 } });
const headers = { 'X-API-Key': mock.keys[0], 'Content-Type': 'application/json' };
const listed = await fetch(mock.url + '/drives', { headers });
const body = JSON.stringify({ name: 'Field reports' });
const created = await fetch(mock.url + '/drives', { method: 'POST', headers, body });
const { name } = await created.json();
const order = defaultProfile(loadOpenPoints()).listOrder;
console.log(JSON.stringify({ listed: listed.status, created: created.status, name, order }));
await mock.close();
`;

const useInTypeScript = `
import { createMock, type components, type Mock, type Profile } from 'agent-platform-contract';
const set: Partial<Profile> = { listOrder: 'byName', createStatus: 202 };
const mock: Mock = await createMock({ set });
const response = await fetch(mock.url + '/drives', { headers: { 'X-API-Key': mock.keys[0] ?? '' } });
const page: components['schemas']['DrivePage'] = await response.json();
export const names: string[] = page.data.map((drive) => drive.name);
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
    const path = join(projectOf('24'), 'use.ts');
    writeFileSync(path, useInTypeScript);
    const program = ts.createProgram([path], { ...strangerOptions(types), ...resolutions[resolution] });
    expect(complaintsOf(program, (name) => name === path || name.startsWith(installed()))).toEqual([]);
  });
});

test('prints the required Node version in one line on an older Node', async () => {
  const { programs } = inProject(tooOld);
  const command = join(projectOf('24'), 'node_modules', '.bin', 'agent-platform-contract');
  const version = await succeed('node', ['--print', 'process.version'], { cwd: folder.path, programs });
  const { stdout, stderr, exitCode } = await run(command, ['mock', '--port', '0'], { cwd: folder.path, programs });
  expect(version).toMatch(`v${tooOld}.`);
  expect(exitCode).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^agent-platform-contract needs Node 22(\.\d+)* or later; this is Node 20\.\S+\.\n$/);
});

test('the library rejects with the same sentence on an older Node', async () => {
  const { programs } = inProject(tooOld);
  const code = `import('agent-platform-contract').then(({ createMock }) => createMock()).catch(({ code, message }) => console.log(code, message))`;
  const { stdout, exitCode } = await run('node', ['--eval', code], { cwd: projectOf('24'), programs });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^NODE_TOO_OLD agent-platform-contract needs Node 22 or later; this is Node 20\.\S+\.\n$/);
});
