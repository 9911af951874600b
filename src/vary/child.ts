import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { hasGroups, signalGroup } from '../../lib/process-group.ts';
import { invisible } from '../../lib/text.ts';

/** How a program ended. */
export interface Ended {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Whether it was stopped at the time limit. */
  isTimedOut: boolean;
  /** The lines of both output streams that tell most: from the first failure, or else the last ones. */
  output: string;
}

interface ChildOptions {
  environment: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  /** Stops the program. */
  signal: AbortSignal;
}

/** How long a process may take after SIGTERM. */
const graceMs = 2_000;
/** The same for processes that the child leaves running. Without an init process, a dead orphan still looks alive. */
const orphanGraceMs = 300;
const lookMs = 20;

const running = new Set<ChildProcess>();

/** Kills all programs that run now, with all that they have started: this process is about to end. */
export function killRunning(): void {
  for (const child of running) signalGroup(child, 'SIGKILL');
}

/** Runs a program in its own process group. Rejects with the system error if it cannot start. */
export async function runChild(command: readonly string[], options: ChildOptions): Promise<Ended> {
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    env: options.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: hasGroups,
  });
  const heard = createOutput();
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', heard.add);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exited = new Promise<Pick<Ended, 'exitCode' | 'signal'>>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const limits = limit(child, options);
  running.add(child);
  try {
    const { exitCode, signal } = await exited;
    // Processes left running would disturb the next run.
    await endGroup(child, closed);
    return { exitCode, signal, isTimedOut: limits.isTimedOut(), output: heard.text() };
  } finally {
    running.delete(child);
    limits.clear();
  }
}

/** Stops the child at the time limit or when the search is stopped, and kills it if it does not end. */
function limit(child: ChildProcess, { timeoutMs, signal }: ChildOptions) {
  const timers: NodeJS.Timeout[] = [];
  let isTimedOut = false;
  const end = () => {
    signalGroup(child, 'SIGTERM');
    timers.push(setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs));
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

/** Stops what is left of the group of a dead child, and waits until its streams are closed. */
async function endGroup(child: ChildProcess, closed: Promise<void>): Promise<void> {
  if (hasGroups && signalGroup(child, 'SIGTERM')) {
    for (let waitedMs = 0; waitedMs < orphanGraceMs && signalGroup(child, 0); waitedMs += lookMs) await sleep(lookMs);
    signalGroup(child, 'SIGKILL');
  }
  const isClosed = await Promise.race([closed.then(() => true), sleep(graceMs, false, { ref: false })]);
  if (isClosed) return;
  // A process that left the group keeps them open. Its further output is ignored.
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** The lines of what a program prints that tell most. */
function createOutput() {
  let kept = '';
  return {
    // Cut only when the length has doubled, not for every small piece.
    add: (text: string) => {
      kept += text;
      if (kept.length > 2 * keptCharacters) kept = kept.slice(-keptCharacters);
    },
    text: () => telling(plain(kept.slice(-keptCharacters)).trimEnd().split('\n')).slice(0, shownCharacters),
  };
}

const keptCharacters = 262_144;
const shownCharacters = 8_192;
const shownLines = 30;
/** How test runners begin the line of a failed test: Vitest, `node:test`, Jest, Mocha, Playwright, TAP. */
const failure = /^\s*(?:FAIL\b|[✖×✕✗✘●] |not ok\b|1\) )/;
const stackFrame = /^\s+at .*:\d+:\d+\)?( \{)?$/;

/** From the first failed test on, without repeated stack frames; the last lines if there is none. */
function telling(lines: readonly string[]): string {
  const first = lines.findIndex((line) => failure.test(line));
  if (first < 0) return lines.slice(-shownLines).join('\n').slice(-shownCharacters);
  const isRepeated = (line: string, at: number) => stackFrame.test(line) && stackFrame.test(lines[at - 1] ?? '');
  const rest = lines.filter((line, at) => at >= first && !isRepeated(line, at));
  const shown = rest.slice(0, shownLines);
  return [...shown, ...(rest.length > shown.length ? [`… (${rest.length - shown.length} more lines)`] : [])].join('\n');
}

/** The text without escape sequences and invisible characters, so that it may be shown anywhere. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll('\r\n', '\n').replaceAll(invisible, '');
}
