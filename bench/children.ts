import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

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

/** Starts Node, the same as this one, with these arguments. */
export function startNode(args: readonly string[]): Child {
  return startNodeIn(root, args);
}

/** The same in another folder. */
export function startNodeIn(cwd: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  if (child.pid === undefined) throw new Error(`Node could not be started with ${args.join(' ')}.`);
  running.add(child);
  child.once('exit', () => running.delete(child));
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    complaint = (complaint + part).slice(-keptText);
  });
  return { process: child, pid: child.pid, complaint: () => complaint };
}

/** What Node wrote to standard output in a run that ended well in time. */
export async function runNode(args: readonly string[], limitMs: number): Promise<string> {
  const child = startNode(args);
  const timer = setTimeout(() => kill(child.process, 'SIGKILL'), limitMs);
  const ended = once(child.process, 'exit');
  const output = await text(child.process.stdout as NodeJS.ReadableStream);
  const [code, signal] = await ended;
  clearTimeout(timer);
  if (code === 0) return output;
  const said = `${output.slice(-keptText)}${child.complaint()}`.trim();
  throw new Error(`${args.join(' ')} ended with ${code ?? signal}: ${said}`);
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

// With what it has started: npm starts a shell, which ends without its child.
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
