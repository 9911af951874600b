/** The package as npm packs and installs it. */
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from './once.ts';
import { run, type ShellOptions, succeed } from './shell.ts';
import { timeLimit } from './time-limit.ts';

export const checkout = fileURLToPath(new URL('../..', import.meta.url));
/** Only for hanging installations: several in parallel, with an empty cache, take minutes. A setup runs two in a row. */
export const npmMs = timeLimit(240_000);

/** Copies the files of the checkout that git tracks or would track, without packages. */
export async function copyCheckout(copy: string): Promise<void> {
  const flags = ['--cached', '--others', '--exclude-standard', '--exclude=node_modules'];
  const listed = await succeed('git', ['ls-files', '-z', ...flags], { cwd: checkout });
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(checkout, name)))) {
    cpSync(join(checkout, file), join(copy, file));
  }
}

/** The tarball of the checkout, packed once per run. */
export async function packed(): Promise<string> {
  const folder = await once('packed', async (empty) => void (await pack(join(empty, 'checkout'))));
  return tarballIn(join(folder, 'checkout'));
}

/** Packs a copy of the checkout, so that the checkout's `dist/` stays unchanged. Returns the tarball in the copy. */
export async function pack(copy: string): Promise<string> {
  await copyCheckout(copy);
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
  await npm(['pack'], { cwd: copy });
  return tarballIn(copy);
}

function tarballIn(folder: string): string {
  return join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? 'no tarball');
}

/** A user's project that contains nothing but its own Node. */
export async function createProject(folder: string, version: string): Promise<void> {
  mkdirSync(folder);
  // The `node` package fetches its program with an install script.
  const manifest = { private: true, type: 'module', allowScripts: { node: true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  await install([`node@${version}`], { cwd: folder });
}

/** How to run something in a project: with its Node and the programs of its packages. */
export function inProject(folder: string): ShellOptions & { programs: string[] } {
  return { cwd: folder, programs: [join(folder, 'node_modules', '.bin')] };
}

/** Installs into the project, at once. Returns npm's output, including warnings. */
export function install(what: readonly string[], shell: ShellOptions): Promise<string> {
  return npm(['install', '--prefer-offline', '--no-audit', '--no-fund', ...what], shell, 'warn');
}

/** Runs npm to its end. Returns its output. */
export async function npm(
  args: readonly string[],
  shell: ShellOptions,
  loglevel: 'error' | 'warn' = 'error',
): Promise<string> {
  const flags = [`--loglevel=${loglevel}`, '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  const options = { timeoutMs: npmMs, ...shell };
  const { stdout, stderr, exitCode } = await run('npm', [...flags, ...args], options);
  if (exitCode === 0) return stdout + stderr;
  const cause = exitCode === null ? `It did not end within ${options.timeoutMs} ms.` : `It ended with ${exitCode}.`;
  throw new Error(`\`npm ${args.join(' ')}\`: ${cause} It needs its registry or a full cache.\n${stdout}${stderr}`);
}
