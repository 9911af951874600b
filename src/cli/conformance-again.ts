// Runs checks again: those that failed (`--failed`), and all after each change (`--watch`).
import { existsSync, statSync, watch as watchFiles } from 'node:fs';
import { join } from 'node:path';
import {
  allChecks,
  type CheckResult,
  contractDigest,
  inWords,
  loadReport,
  type Outcome,
  type Report,
  reporters,
  type Settings,
  SuiteError,
} from '../../conformance/index.ts';
import { own, say } from '../../lib/sentence.ts';
import { nameList, plural } from '../../lib/text.ts';
import { conformanceFlags } from '../options/conformance-options.ts';
import { UsageError } from './read-options.ts';
import type { SafeTerminal } from './secret-safe-output.ts';
import { watchWay } from './watch-way.ts';

/** A report, and those of its checks that will run again. */
export interface FailedBefore {
  file: string;
  report: Report;
  ids: readonly string[];
  /** Other checks, whose requests show what some of those found. */
  senders: readonly string[];
}

const again: readonly Outcome[] = ['failed', 'warned', 'inconclusive', 'not-enabled'];

/**
 * The checks of `--failed`. Throws a {@link SuiteError} if there is no report, or one on another contract or target.
 */
export function loadFailed(
  { failed, json, reportDir }: { failed?: string; json?: string; reportDir?: string },
  settings: Settings,
  { redact }: Pick<SafeTerminal, 'redact'>,
): FailedBefore | undefined {
  if (failed === undefined) return undefined;
  const file = failed === conformanceFlags.failed.bare ? lastOf(json, reportDir) : failed;
  const report = loadReport(file);
  requireSame(file, report, redact(settings.baseUrl));
  const checks = report.checks.filter(({ outcome }) => again.includes(outcome));
  return { file: redact(file), report, ids: checks.map(({ id }) => id), senders: otherSenders(checks) };
}

/** The other checks whose requests show what some checks found. */
function otherSenders(checks: readonly CheckResult[]): string[] {
  const ids = new Set(checks.map(({ id }) => id));
  const senders = new Set(checks.flatMap(({ evidence }) => evidence?.sentBy ?? []));
  return [...senders].filter((id) => !ids.has(id));
}

/** Where this command line writes a JSON report; the newer one if there are two. */
function lastOf(json: string | undefined, reportDir = conformanceFlags.reportDir.default): string {
  const places = [...(json === undefined ? [] : [json]), join(reportDir, reporters.json.fileName)];
  const written = places.filter((file) => existsSync(file));
  const [newest] = written.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (newest !== undefined) return newest;
  const hint = own('Run all checks with --report json first, or name a report: --failed=<report.json>');
  throw new SuiteError(
    'REPORT_INVALID',
    say`--failed needs a JSON report; there is none at ${places.join(' or ')}. ${hint}.`,
  );
}

function requireSame(file: string, { run, digest }: Report, baseUrl: string): void {
  if (run.baseUrl !== baseUrl) {
    const remedy = own('Name a report on this server: --failed=<report.json>');
    throw new SuiteError(
      'REPORT_INVALID',
      say`${file} is a report on ${run.baseUrl}, but this run judges ${baseUrl}. ${remedy}.`,
    );
  }
  if (digest?.contract === contractDigest()) return;
  const hint = own('Run all checks again with --report json');
  throw new SuiteError('REPORT_INVALID', say`${file} was written by a different version of the contract. ${hint}.`);
}

/** Says which checks will run again. */
export function describeAgain({ file, report, ids, senders }: FailedBefore): string {
  const counts = again.map((outcome) => `${report.summary[outcome]} ${inWords(outcome)}`).join(', ');
  const more =
    senders.length === 0 ? '' : `, and ${plural(senders.length, 'check')} with the requests behind their results`;
  return `Running again: ${plural(ids.length, 'check')} of ${file} (${counts}), ${report.run.startedAt}${more}\n`;
}

/** Says how the checks of a report ended when they ran again. */
export function describeRecovered({ file, report, ids }: FailedBefore, now: Report): string {
  const after = new Map(now.checks.map(({ id, outcome }) => [id, outcome]));
  const notFound = report.checks.filter(({ id, outcome }) => {
    return (outcome === 'failed' || outcome === 'warned') && after.get(id) === 'passed';
  });
  const mended = notFound.filter((check) => isMended(check, after));
  const unsure = notFound.filter((check) => !mended.includes(check));
  const count = (outcome: Outcome) => ids.filter((id) => after.get(id) === outcome).length;
  const rest = again.filter((outcome) => count(outcome) > 0).map((outcome) => `${count(outcome)} ${inWords(outcome)}`);
  const names = [
    ...named('No longer failing:', mended),
    ...named('Not seen again; only a full run can tell whether they still fail:', unsure),
  ];
  const total = `Of ${plural(ids.length, 'check')} in ${file}: ${[`${count('passed')} passed`, ...rest].join(', ')}`;
  return ['', ...names, total, ''].join('\n');
}

/** Whether everything that showed a finding was sent again, and is enough to show it. */
function isMended({ id, evidence }: CheckResult, after: ReadonlyMap<string, Outcome>): boolean {
  const judged: readonly (Outcome | undefined)[] = ['passed', 'failed', 'warned'];
  const { sentBy } = evidence ?? {};
  if (sentBy === undefined || (weighsRun(id) && sentBy.some((sender) => sender !== id))) return false;
  return sentBy.every((sender) => judged.includes(after.get(sender)));
}

/** Whether a check compares or counts what others sent: a few requests do not show what many do. */
function weighsRun(id: string): boolean {
  const check = allChecks().find((one) => one.id === id);
  return check?.phase === 'judge' && !check.isAboutAnswers;
}

function named(title: string, checks: readonly CheckResult[]): string[] {
  if (checks.length === 0) return [];
  const ids = checks.map(({ id }) => id);
  return [title, ...nameList(ids, '  ')];
}

/** The outcome of one round. */
export interface Round {
  report: Report;
  exitCode: number;
}

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
