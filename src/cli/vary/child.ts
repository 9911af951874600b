import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTail, type Tail } from './tail.ts';

/** How a program ended. */
export interface Ended {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Whether it was ended because its time was up. */
  isTimedOut: boolean;
  /** The last lines of what it printed on both streams. */
  output: string;
}

export interface ChildOptions {
  environment: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  /** Ends it. */
  signal: AbortSignal;
}

/** How long a process that was asked to end may take. */
const graceMs = 2_000;
/** The same for what a child leaves running. Where nobody takes in orphans, one that is gone still looks alive. */
const orphanGraceMs = 300;
const lookMs = 20;
// Elsewhere a process group cannot be signalled as one.
const hasGroups = process.platform !== 'win32';

/** Runs a program in a process group of its own to its end. Rejects with the error of the system when it cannot start. */
export async function runChild(command: readonly string[], options: ChildOptions): Promise<Ended> {
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    env: options.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: hasGroups,
  });
  const tail = listen(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exited = exitOf(child);
  const limits = limit(child, options);
  try {
    const { exitCode, signal } = await exited;
    // What it left running would be in the way of the next run.
    await endGroup(child, closed);
    return { exitCode, signal, isTimedOut: limits.isTimedOut(), output: tail.text() };
  } finally {
    limits.clear();
  }
}

function listen(child: ChildProcess): Tail {
  const tail = createTail();
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', tail.add);
  return tail;
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

/** Asks the child to end when its time is up or the search is stopped, and kills it when it does not. */
function limit(child: ChildProcess, { timeoutMs, signal }: ChildOptions) {
  const timers: NodeJS.Timeout[] = [];
  let isTimedOut = false;
  const end = () => {
    send(child, 'SIGTERM');
    timers.push(setTimeout(() => send(child, 'SIGKILL'), graceMs));
  };
  const timeOut = () => {
    isTimedOut = true;
    end();
  };
  timers.push(setTimeout(timeOut, timeoutMs));
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const clear = () => {
    signal.removeEventListener('abort', end);
    for (const timer of timers) clearTimeout(timer);
  };
  return { isTimedOut: () => isTimedOut, clear };
}

/** Ends what is left of the group of a child that is gone, and waits until its streams are closed. */
async function endGroup(child: ChildProcess, closed: Promise<void>): Promise<void> {
  if (hasGroups && send(child, 'SIGTERM')) {
    for (let waitedMs = 0; waitedMs < orphanGraceMs && send(child, 0); waitedMs += lookMs) await sleep(lookMs);
    send(child, 'SIGKILL');
  }
  const isClosed = await Promise.race([closed.then(() => true), sleep(graceMs, false, { ref: false })]);
  if (isClosed) return;
  // Somebody who left the group holds them open: what else is printed is of no interest.
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** Sends a signal to the whole group. False when nobody is there any more. */
function send(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  if (!hasGroups) return child.kill(signal);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}
