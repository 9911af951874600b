import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Mock } from '../../src/index.ts';
import type { Tool } from './tools.ts';
import type { Target, Used } from './uses/shared.ts';

const here = import.meta.dirname;
const call = promisify(execFile);

/** What a generator made of a document. */
export interface Made {
  tool: Tool;
  version: string;
  /** The first line that the generator complained with, or the compiler; undefined where it did not. */
  problem: string | undefined;
  /** Calls all operations of a target with the client. Absent after a problem. */
  use?(target: Target): Promise<Used>;
}

/** Installs the generators once for each state of their lock file. The folder. */
export async function installTools(): Promise<string> {
  const lock = readFileSync(join(here, 'package-lock.json'));
  const name = `generators-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`;
  const folder = join(here, '../../node_modules/.cache', name);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(here, file), join(unfinished, file));
  await call('npm', ['ci'], { cwd: unfinished });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}

/** Lets a generator read a document, compiles what it made under `strict`, and bundles its use. */
export async function make(installed: string, tool: Tool, document: string, runName: string): Promise<Made> {
  const { version } = JSON.parse(readFileSync(join(installed, 'node_modules', tool.package, 'package.json'), 'utf8'));
  const folder = join(installed, 'runs', `${runName}-${tool.id}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'generated'), { recursive: true });
  prepare(folder, tool, document);
  const steps = [
    ['generates', tool.command(document)],
    ['compiles', ['../../node_modules/typescript/bin/tsc', '-p', '.', '--pretty', 'false']],
    ['bundles', ['../../node_modules/esbuild/bin/esbuild', 'use.ts', ...bundling]],
  ] as const;
  for (const [step, words] of steps) {
    const complaint = await complaintOf(folder, words);
    if (complaint !== undefined) return { tool, version, problem: `${step}: ${complaint}` };
  }
  const { use } = (await import(pathToFileURL(join(folder, 'use.mjs')).href)) as Required<Pick<Made, 'use'>>;
  return { tool, version, problem: undefined, use };
}

// CommonJS packages among the dependencies call require.
const bundling = [
  ...['--bundle', '--platform=node', '--format=esm', '--outfile=use.mjs', '--log-level=error'],
  '--banner:js=import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
];

function prepare(folder: string, tool: Tool, document: string): void {
  cpSync(join(here, 'uses', `${tool.id}.ts`), join(folder, 'use.ts'));
  cpSync(join(here, 'uses/shared.ts'), join(folder, 'shared.ts'));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(compiling));
  for (const [name, text] of Object.entries(tool.files?.(document) ?? {})) writeFileSync(join(folder, name), text);
}

const compiling = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
    ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: ['node'] },
    lib: ['es2023', 'dom', 'dom.iterable'],
  },
  files: ['use.ts'],
  include: ['generated'],
};

/** The first line with which a command complains, if it fails. */
async function complaintOf(folder: string, words: readonly string[]): Promise<string | undefined> {
  try {
    await call(process.execPath, words, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return undefined;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
    return lines.find((line) => /error/i.test(line)) ?? lines.find((line) => line !== '') ?? String(error);
  }
}

/** A target, with ids with which every operation of it succeeds. */
export function targetOf({ url, keys, engine }: Mock): Target {
  const [organization] = engine.store.organizations;
  const agent = organization?.agents.all().find(({ revisions }) => revisions.length > 0);
  const drive = organization?.drives.all().find(({ id }) => organization.filesOf(id).size > 0);
  const file = drive && organization?.filesOf(drive.id).first();
  const server = organization?.mcpServers.all().find(({ tools }) => tools.length > 0);
  const revision = agent?.revisions.at(-1);
  if (!agent || !revision || !drive || !file || !server) throw new Error('The seed lacks a resource.');
  const ids = { agentId: agent.id, revisionId: revision.id, driveId: drive.id, fileId: file.id };
  return { baseUrl: url, key: keys[0] ?? '', ids: { ...ids, mcpServerId: server.id } };
}
