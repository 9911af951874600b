import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The folder of the project: every child runs there. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** A child process, and the end of what it wrote to standard error. */
export interface Child {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly complaint: () => string;
}

const running = new Set<ChildProcess>();
const patienceMs = 5_000;
const keptText = 2_000;
const execute = promisify(execFile);

/** Starts Node, the same as this one, with these arguments. What it writes to standard output is dropped. */
export function startNode(args: readonly string[], cwd = root): Child {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  if (child.pid === undefined) throw new Error(`Node could not be started with ${args.join(' ')}.`);
  running.add(child);
  child.once('exit', () => running.delete(child));
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    complaint = (complaint + part).slice(-keptText);
  });
  return { process: child, pid: child.pid, complaint: () => complaint };
}

/** What a program wrote to standard output in a run that ended well in time. */
export async function run(program: string, args: readonly string[], limitMs: number): Promise<string> {
  const limits = { timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: 10_000_000 } as const;
  return (await execute(program, args, { cwd: root, ...limits })).stdout;
}

/** Ends one child and waits until it is gone. */
export async function end({ process: child }: Child): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  kill(child, 'SIGTERM');
  await Promise.race([ended, delay(patienceMs, undefined, { ref: false })]);
  if (hasEnded(child)) return;
  kill(child, 'SIGKILL');
  await ended;
}

// With what it has started.
function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal);
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Ends what is still running, without waiting: for the way out. */
export function endAll(): void {
  for (const child of running) kill(child, 'SIGKILL');
}
