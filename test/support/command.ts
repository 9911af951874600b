/** Runs `agent-platform-contract`: within this process, or in a separate one if signals or a crash need that. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { run } from '../../src/cli/run.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { createClient } from './client.ts';

/** How a command ended, and what it printed. */
export interface Ended {
  /** Null if a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

type Environment = Record<string, string>;

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const compileCache = fileOf('../../node_modules/.cache/agent-platform');

/** Of this run's environment only the path to programs; Node keeps its compile cache. */
export function fullEnvironment(environment: Environment = {}): Record<string, string | undefined> {
  return { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...environment };
}

/** Who sits at the terminal; `onPrinted` gets all of standard output so far. */
type Person = Partial<Pick<Terminal, 'isInteractive' | 'entered' | 'stopped'>> & { onPrinted?(stdout: string): void };

/** Runs a command line to its end: within this process, unless its environment affects Node itself. */
export async function runCommand(
  args: readonly string[],
  environment: Environment = {},
  { isInteractive = false, onPrinted, ...more }: Person = {},
): Promise<Ended> {
  if ('NODE_OPTIONS' in environment) return startProcess(args, environment).ended;
  const printed = { stdout: '', stderr: '' };
  const terminal = createTerminal({
    environment: fullEnvironment(environment),
    isInteractive,
    ...more,
    write: (text, done) => {
      printed.stdout += text;
      onPrinted?.(printed.stdout);
      done?.();
    },
    complain: (text) => {
      printed.stderr += `${text}\n`;
    },
  });
  return { code: await run(args, terminal), ...printed };
}

/** A terminal at which nobody presses Ctrl+C. */
export function createTerminal(
  own: Pick<Terminal, 'environment' | 'isInteractive' | 'write' | 'complain'> & Partial<Terminal>,
): Terminal {
  const stopped = () => new Promise<never>(() => undefined);
  const nothing = () => undefined;
  return { onCrash: nothing, waitForNoReader: nothing, onSecondSignal: nothing, stopped, ...own };
}

/** A command in a separate process. */
export type RunningProcess = ReturnType<typeof startProgram>;

/** Starts a command line in a separate process. */
export function startProcess(args: readonly string[], environment: Environment = {}): RunningProcess {
  return startProgram([fileOf('../../src/cli/main.ts'), ...args], environment);
}

/** Runs a Node program to its end. */
export function runProgram(args: readonly string[], environment: Environment = {}): Promise<Ended> {
  return startProgram(args, environment).ended;
}

/** Starts a Node program, given its file and arguments. */
export function startProgram(args: readonly string[], environment: Environment = {}) {
  const child = spawn(process.execPath, args, {
    env: fullEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      texts[stream] += text;
    });
  }
  const ended: Promise<Ended> = codeOf(child).then((code) => ({ code, ...texts }));
  const matched = async (stream: keyof typeof texts, expression: RegExp): Promise<string> => {
    const found = expression.exec(texts[stream])?.[0];
    if (found !== undefined) return found;
    const end = ended.then(({ stderr }) => Promise.reject(new Error(`It ended without ${expression}: ${stderr}`)));
    await Promise.race([once(child[stream], 'data'), end]);
    return matched(stream, expression);
  };
  return {
    pid: child.pid ?? -1,
    ended,
    /** Its output so far. */
    stdout: () => texts.stdout,
    /** Resolves with the match of an expression on standard output. Rejects if the command ends before that. */
    printed: (expression: RegExp) => matched('stdout', expression),
    /** The same for standard error. */
    complained: (expression: RegExp) => matched('stderr', expression),
    /** Sends a signal, and waits for the end. */
    stop: (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
    /** Stops reading its output. */
    pause: () => void child.stdout.pause(),
  };
}

/** Sends a signal again and again until the process ends. */
export async function stopAgain(running: RunningProcess, signal: NodeJS.Signals = 'SIGINT'): Promise<Ended> {
  const timer = setInterval(() => void running.stop(signal), 50);
  return running.ended.finally(() => clearInterval(timer));
}

/** The exit code. Resumes paused output, since a process closes only after all of it was read. */
async function codeOf(child: ChildProcess): Promise<number | null> {
  const closed = once(child, 'close');
  const [code] = await once(child, 'exit');
  child.stdout?.resume();
  await closed;
  return code;
}

/** Runs a server within this process, where neither signals nor a crash are the point, and waits until it listens. */
export async function serve(args: readonly string[], environment: Environment = {}, person: Person = {}) {
  const listening = Promise.withResolvers<string>();
  const stopped = Promise.withResolvers<NodeJS.Signals>();
  let printed = '';
  const ended = runCommand(args, environment, {
    ...person,
    stopped: () => stopped.promise,
    onPrinted: (stdout) => {
      printed = stdout;
      const url = urlIn.exec(stdout)?.[0];
      if (url !== undefined) listening.resolve(url);
    },
  });
  const end = ended.then(({ stderr }) => Promise.reject(new Error(`It does not listen: ${stderr}`)));
  const url = await Promise.race([listening.promise, end]);
  end.catch(() => undefined);
  const stop = () => {
    stopped.resolve('SIGTERM');
    return ended;
  };
  return { url, stdout: () => printed, stop };
}

const urlIn = /https?:\/\/\S+?\/v0\.1/;

/** A running `agent-platform-contract mock`. */
export type RunningMock = RunningProcess & { url: string };

/** Starts `agent-platform-contract mock` in a separate process, on a free port, and waits until it listens. */
export async function startMock(args: readonly string[] = [], environment: Environment = {}): Promise<RunningMock> {
  const mock = startProcess(['mock', ...args], { AGENT_PLATFORM_PORT: '0', ...environment });
  return { ...mock, url: await mock.printed(urlIn) };
}

/** The same within this process: see {@link serve}. */
export function startMockHere(args: readonly string[] = [], environment: Environment = {}) {
  return serve(['mock', ...args], { AGENT_PLATFORM_PORT: '0', ...environment });
}

/** Everything that a client sees in a short session with a mock started for it, including headers. */
export async function transcriptOf(args: readonly string[]): Promise<string> {
  const mock = await startMockHere(args);
  const call = createClient(mock.url, 'demo-key');
  const replies = [];
  for (const name of ['a', 'b']) replies.push(await call('POST', '/drives', { json: { name } }));
  for (const path of ['/agents', '/drives?limit=3', '/mcp-servers', '/nowhere']) replies.push(await call('GET', path));
  await mock.stop();
  return JSON.stringify(replies.map(({ status, headers, text }) => [status, [...headers], text]));
}
