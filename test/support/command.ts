import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** How a command ended, and what it said. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const entry = new URL('../../src/cli/main.ts', import.meta.url).pathname;

function start(args: readonly string[], environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [entry, ...args], {
    env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function collect(child: ChildProcess): { stdout: () => string; stderr: () => string } {
  const texts = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    texts.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    texts.stderr += chunk;
  });
  return { stdout: () => texts.stdout, stderr: () => texts.stderr };
}

/** Runs `agent-platform` to its end. */
export function runCommand(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  return startCommand(args, environment).ended;
}

/** A running `agent-platform`. */
export interface RunningCommand {
  ended: Promise<Ended>;
  /** What has been printed so far. */
  stdout(): string;
  kill(signal: NodeJS.Signals): void;
}

/** Starts `agent-platform`. */
export function startCommand(args: readonly string[], environment: Record<string, string> = {}): RunningCommand {
  const child = start(args, environment);
  const said = collect(child);
  const closed = once(child, 'close');
  return {
    ended: closed.then(([code]) => ({ code, stdout: said.stdout(), stderr: said.stderr() })),
    stdout: said.stdout,
    kill: (signal) => void child.kill(signal),
  };
}

/** A running `agent-platform mock`. */
export interface RunningMock {
  url: string;
  /** What has been printed so far. */
  stdout(): string;
  /** Reads no further. */
  pause(): void;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** Starts `agent-platform mock` on a free port and waits until it says where it listens. */
export async function startMock(
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<RunningMock> {
  const child = start(['mock', ...args], { AGENT_PLATFORM_PORT: '0', ...environment });
  const said = collect(child);
  const url = await baseUrlOf(child, said.stderr);
  return {
    url,
    stdout: said.stdout,
    pause: () => void child.stdout?.pause(),
    stop: async (signal = 'SIGTERM') => {
      const [exited, closed] = [once(child, 'exit'), once(child, 'close')];
      child.kill(signal);
      const [code] = await exited;
      child.stdout?.resume();
      await closed;
      return { code, stdout: said.stdout(), stderr: said.stderr() };
    },
  };
}

async function baseUrlOf(child: ChildProcess, stderr: () => string): Promise<string> {
  if (child.stdout === null) throw new Error('no standard output');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+?\/v0\.1/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`the mock did not start: ${stderr()}`);
}
