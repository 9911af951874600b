/** Runs programs as a user would: each in a separate process group, in an environment without traces of this run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { timeLimit } from './time-limit.ts';

/** A new folder, removed once it is disposed of. */
export interface TemporaryFolder {
  readonly path: string;
  /** The path of something inside. */
  at(...segments: string[]): string;
  remove(): void;
}

export function temporaryFolder(purpose: string): TemporaryFolder {
  const path = mkdtempSync(join(realpathSync(tmpdir()), `agent-platform-${purpose}-`));
  return {
    path,
    at: (...segments) => join(path, ...segments),
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

export interface ShellOptions {
  cwd: string;
  /** Folders whose programs take precedence. */
  programs?: readonly string[];
  environment?: Readonly<Record<string, string>>;
  /** After this time the whole process group is ended. */
  timeoutMs?: number;
}

export interface Finished {
  stdout: string;
  stderr: string;
  /** Null if a signal ended it. */
  exitCode: number | null;
}

/** A running program. */
export interface Started {
  /** Its first line on standard output. Rejects if it ends without one. */
  firstLine(): Promise<string>;
  /** Its output so far. */
  readonly output: Readonly<Pick<Finished, 'stdout' | 'stderr'>>;
  ended: Promise<Finished>;
  /** Sends SIGTERM only to it, as a supervisor does, and waits for its end. */
  stop(): Promise<Finished>;
  /** Ends its process group, if it still runs. */
  kill(): void;
}

export function start(command: string, args: readonly string[], options: ShellOptions): Started {
  const { cwd, programs = [], environment = {}, timeoutMs = timeLimit(60_000) } = options;
  const child = spawn(command, args, {
    cwd,
    env: { ...userEnvironment(programs), ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(child);
  const kill = () => killGroup(child);
  const timer = setTimeout(kill, timeoutMs);
  const ended = once(child, 'close').then(([exitCode]) => ({ ...output, exitCode }));
  const clear = () => clearTimeout(timer);
  ended.then(clear, clear);
  return { firstLine: () => firstLine(child, output, ended), output, ended, stop: () => stop(child, ended), kill };
}

function stop(child: ChildProcess, ended: Promise<Finished>): Promise<Finished> {
  child.kill('SIGTERM');
  return ended;
}

/** Runs a program to its end. */
export function run(command: string, args: readonly string[], options: ShellOptions): Promise<Finished> {
  return start(command, args, options).ended;
}

/** Runs a program to its end and returns its output. Rejects, with its complaints, unless it succeeded. */
export async function succeed(command: string, args: readonly string[], options: ShellOptions): Promise<string> {
  const { stdout, stderr, exitCode } = await run(command, args, options);
  if (exitCode === 0) return stdout;
  const end = exitCode === null ? 'was ended, perhaps because it took too long' : `ended with ${exitCode}`;
  throw new Error(`\`${command} ${args.join(' ')}\` ${end}:\n${stderr || stdout}`);
}

/** The folders of PATH, without those that npm or npx put there. */
export function machinePath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
}

// What npm and Vitest set for child processes, and what would configure the mock.
const traces =
  /^(npm_(lifecycle|package|command|exec|node|config_(local_)?prefix)|INIT_CWD|NODE_|VITEST|AGENT_PLATFORM_)/;

function userEnvironment(programs: readonly string[]): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => name === 'NODE_EXTRA_CA_CERTS' || !traces.test(name));
  return { ...Object.fromEntries(kept), PATH: [...programs, ...machinePath()].join(delimiter) };
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return output;
}

async function firstLine(child: ChildProcess, output: { stdout: string }, ended: Promise<Finished>): Promise<string> {
  const silence = ended.then(({ stderr, exitCode }) => {
    throw new Error(`It ended with ${exitCode ?? 'a signal'} before it had printed a line:\n${stderr}`);
  });
  while (!output.stdout.includes('\n')) {
    await Promise.race([child.stdout === null ? silence : once(child.stdout, 'data'), silence]);
  }
  silence.catch(() => undefined);
  return output.stdout.slice(0, output.stdout.indexOf('\n'));
}

function killGroup(child: ChildProcess): void {
  const isOver = child.exitCode !== null || child.signalCode !== null;
  if (isOver || child.pid === undefined) return;
  process.kill(-child.pid, 'SIGKILL');
}
