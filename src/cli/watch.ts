import { statSync, watch as watchFiles } from 'node:fs';
import { type CheckResult, type Report, SuiteError } from '../../conformance/index.ts';
import { plural } from '../../lib/text.ts';
import type { Round } from './conformance-round.ts';
import { otherSenders } from './failed-checks.ts';
import { UsageError } from './read-options.ts';
import type { SafeTerminal } from './secret-safe-output.ts';
import { watchWay } from './watch-way.ts';

/** Checks the target: with the named checks, or with all that the command line selects. */
type RunOne = (only?: readonly string[]) => Promise<Round>;

/** Repeats rounds until a signal or the end of the input. Returns the last round's exit code. */
export async function watch(
  terminal: SafeTerminal,
  stop: AbortSignal,
  paths: readonly string[],
  run: RunOne,
): Promise<number> {
  if (terminal.entered === undefined) {
    throw new UsageError('--watch needs a terminal: it waits for Enter. In CI and in scripts, run without it.');
  }
  requireThere(paths);
  let last: Ended = { failing: [], exitCode: 0 };
  for (;;) {
    last = await runRounds(terminal, run, last);
    if (stop.aborted) return last.exitCode;
    terminal.write(`\n${closingLine(last.failing, paths)}\n`);
    if ((await next(terminal, stop, paths)) === 'end') return last.exitCode;
  }
}

interface Ended {
  /** The checks that failed unexpectedly. */
  failing: readonly CheckResult[];
  exitCode: number;
}

/** What failed before runs first; the rest only if that passes. A target that is not up yet ends nothing. */
async function runRounds(terminal: SafeTerminal, run: RunOne, { failing, exitCode }: Ended): Promise<Ended> {
  try {
    if (failing.length > 0) {
      const first = await run([...failing.map(({ id }) => id), ...otherSenders(failing)]);
      const still = failingIn(first.report);
      if (still.length > 0 || first.report.run.suiteError !== undefined) return { ...first, failing: still };
      terminal.write(
        `\n${plural(failing.length, 'check')} that failed before ${failing.length === 1 ? 'passes' : 'pass'}. Now the others:\n\n`,
      );
    }
    const whole = await run();
    return { failing: failingIn(whole.report), exitCode: whole.exitCode };
  } catch (error) {
    if (!(error instanceof SuiteError)) throw error;
    terminal.complain(error.sentence.shown(terminal.redact));
    return { failing, exitCode };
  }
}

function failingIn({ checks }: Report): CheckResult[] {
  return checks.filter(({ outcome, expectedFailure }) => outcome === 'failed' && expectedFailure === undefined);
}

function closingLine(failing: readonly unknown[], paths: readonly string[]): string {
  const result = failing.length === 0 ? 'Nothing fails' : `${plural(failing.length, 'check')} failed`;
  const changes = paths.length === 0 ? '' : `, or change ${paths.join(', ')}`;
  return `${result}. Press Enter to run again${changes}; Ctrl+C to stop.`;
}

function requireThere(paths: readonly string[]): void {
  const missing = paths.find((path) => statSync(path, { throwIfNoEntry: false }) === undefined);
  if (missing !== undefined) throw new UsageError(`--watch-path ${missing}: there is no such file or folder.`);
}

/** Waits for Enter, a file change, a signal or the end of the input. */
async function next(terminal: SafeTerminal, stop: AbortSignal, paths: readonly string[]): Promise<'again' | 'end'> {
  const waiting = new AbortController();
  const signal = AbortSignal.any([stop, waiting.signal]);
  const changed = new Promise<'again'>((resolve) => {
    const again = () => resolve('again');
    for (const path of paths) watchPath(path, again, signal);
  });
  const entered = terminal.entered?.(signal).then((line) => (line ? ('again' as const) : ('end' as const)));
  const stopped = new Promise<'end'>((resolve) => {
    if (stop.aborted) resolve('end');
    stop.addEventListener('abort', () => resolve('end'), { once: true });
  });
  return Promise.race([changed, stopped, ...(entered === undefined ? [] : [entered])]).finally(() => waiting.abort());
}

/** The time files must stay unchanged: a build writes many. */
const quietMs = 200;

/** Calls `again` after a change in a folder, to a file, or on the path there. */
function watchPath(path: string, again: () => void, signal: AbortSignal): void {
  let timer: NodeJS.Timeout | undefined;
  const note = () => {
    clearTimeout(timer);
    timer = setTimeout(again, quietMs);
  };
  const ignore = () => undefined;
  watchWay(path, note, ignore, signal);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder) watchFiles(path, { recursive: true, signal }, note).on('error', ignore);
}
