// A run of the suite on the command line: its plan, its rounds (`--failed`, `--watch`), and what it prints and writes.
import { existsSync, statSync, watch as watchFiles } from 'node:fs';
import { join } from 'node:path';
import {
  allChecks,
  type CheckResult,
  contractDigest,
  describeMoveLog,
  describePlan,
  type ExpectedFailure,
  endingOf,
  estimateMs,
  explain,
  idleSettings,
  inWords,
  listing,
  listText,
  loadExpectedFailures,
  loadReport,
  modeOf,
  type Observer,
  type Outcome,
  observersFor,
  planOf,
  type RegisteredCheck,
  type RenewedList,
  type Report,
  type Reporter,
  type ReporterName,
  renewList,
  reporters,
  restoreHint,
  runSuite,
  type Settings,
  SuiteError,
  selectIds,
  settingsFor,
  toAnnotations,
  toProfileYaml,
  toReceipt,
  toTerminal,
  usualMoveLog,
  withList,
  withoutCommands,
} from '../../conformance/index.ts';
import type { Values } from '../../lib/options.ts';
import { packageVersion } from '../../lib/package-version.ts';
import type { Redact } from '../../lib/secrets.ts';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import { columns, duration, nameList, oneLine, plural } from '../../lib/text.ts';
import { conformanceFlags } from '../options/conformance-options.ts';
import { commandEnding } from './command-ending.ts';
import { findUnwritable, inputsOf, type Output, reportOutputs, writeAll } from './output-files.ts';
import { type Environment, optionWords, UsageError } from './read-options.ts';
import type { SafeTerminal } from './secret-safe-output.ts';
import { statusLine, stopSignal, wantsColor } from './terminal.ts';
import { pollPath } from './watch-file.ts';

/** The text above a run: the target, the permissions, and what the run will change. */
function head({ settings, selected: checks, observers, idle }: RoundPlan, redact: Redact): string {
  const plan = planOf(checks, settings, observers);
  const { judging, selected } = plan;
  const some = `${selected} selected, ${judging} can run with these settings; ${shownCommand('conformance doctor', [])} explains the rest`;
  return [
    `Agent Platform conformance ${packageVersion()}`,
    '',
    ...columns([
      ['Target', redact(settings.baseUrl)],
      ['Keys', settings.otherApiKey === undefined ? 'of one organization' : 'of two organizations'],
      ['Mode', modeOf(settings)],
      ['Checks', judging === selected ? String(selected) : some],
      ...idle.map((line): [string, string] => ['No effect', line]),
    ]),
    '',
    ...describePlan(plan, settings),
    '',
  ].join('\n');
}

interface ListValues {
  expectedFailures?: string;
  writeExpectedFailures?: string;
  strict?: boolean;
}

/** The list of a run: from `--expected-failures`, or the one that the run updates. */
function previousList({ expectedFailures, writeExpectedFailures: file }: ListValues): string | undefined {
  if (expectedFailures !== undefined) return expectedFailures;
  return file !== undefined && existsSync(file) ? file : undefined;
}

const listOption = '--write-expected-failures';

/** The list that a run updates. */
interface Renewal {
  path: string;
  list: RenewedList;
  /** The report under the new list. */
  report: Report;
  output: Output<Report>;
}

/** The list after a run; undefined if none is wanted, or the run did not finish. */
function renewalOf(report: Report, values: ListValues, expected: readonly ExpectedFailure[]): Renewal | undefined {
  const { writeExpectedFailures: path, strict = false } = values;
  const { suiteError, crashes } = report.run;
  if (path === undefined || suiteError !== undefined || crashes !== undefined) return undefined;
  const list = renewList(report, expected, strict);
  const text = listText(list, path, previousList(values));
  return { path, list, report: withList(report, list), output: { option: listOption, path, write: () => text } };
}

/** What changed in the list. */
function describeRenewal(renewal: Renewal | undefined, redact: Redact): string {
  if (renewal === undefined)
    return 'The list of expected failures was not written, because the run did not finish or the target crashed.\n\n';
  const { path, list } = renewal;
  const { added, dropped, entries } = list;
  const line = (word: string) => (one: ExpectedFailure) => `  ${word}  ${one.check}`;
  const kept = entries.length - added.length;
  return [
    `${oneLine(redact(path))}: ${plural(entries.length, 'expected failure')}; ${added.length} added, ${dropped.length} dropped, ${kept} kept`,
    ...added.map(line('added  ')),
    ...dropped.map(line('dropped')),
    ...(added.length === 0 ? [] : ['Write down why each is expected: replace "to be explained".']),
    '',
    '',
  ].join('\n');
}

type RunValues = Values<typeof conformanceFlags>;

/** Name and version of the suite, for targets and reports. */
export function suiteTool(): string {
  return `agent-platform-conformance/${packageVersion()}`;
}

/** What all rounds of a command share. */
interface Job {
  args: readonly string[];
  values: RunValues;
  terminal: SafeTerminal;
  stop: AbortSignal;
}

/** What one round will do. */
interface RoundPlan {
  settings: Settings;
  selected: readonly RegisteredCheck[];
  observers: readonly Observer[];
  /** The settings without effect, with the reasons. */
  idle: readonly string[];
  only: readonly string[];
  skip: readonly string[];
  observe: boolean | undefined;
  moveLog: string;
  expectedFailures: readonly ExpectedFailure[];
}

/** Judges the target once, and writes and prints the results. */
async function runRound(job: Job, plan: RoundPlan): Promise<Round> {
  const { terminal } = job;
  const { settings, moveLog } = plan;
  const introduction = head(plan, terminal.redact);
  terminal.write(`${introduction}${describeMoveLog(settings, terminal.redact(moveLog))}\n`);
  const problems: Sentence[] = [];
  const report = await run(job, plan, (problem) => problems.push(problem));
  return { report, exitCode: finish(report, job, plan, problems) };
}

function requireWritable(values: RunValues, environment: Environment): void {
  const { trace, writeExpectedFailures: list } = values;
  const { config, expectedFailures, require: required } = values;
  const settings = inputsOf({ '--config': config, '--require': required });
  const reports = [...outputsOf(values, environment), ...outputsAt('--trace', trace)];
  const lists = outputsAt(listOption, list);
  const unwritable =
    findUnwritable(reports, [
      ...settings,
      ...inputsOf({ '--expected-failures': expectedFailures, [listOption]: list }),
    ]) ??
    // A run may update the list that it starts from.
    findUnwritable([...reports, ...lists], settings);
  if (unwritable !== undefined) throw new SuiteError('FILE_UNWRITABLE', unwritable);
}

function outputsAt(option: string, path: string | undefined): Output<Report>[] {
  return path === undefined ? [] : [{ option, path, write: () => '' }];
}

function run(
  { values, terminal, stop }: Job,
  plan: RoundPlan,
  onProblem: (problem: Sentence) => void,
): Promise<Report> {
  const { settings, selected, observers: _observers, idle: _idle, observe, ...choice } = plan;
  const color = wantsColor(values, terminal);
  const progress = progressOn(terminal, selected);
  const sayStopping = () => terminal.complain(stopping);
  stop.addEventListener('abort', sayStopping);
  return runSuite(settings, {
    ...choice,
    ...(observe === undefined ? {} : { observe }),
    ...(values.trace === undefined ? {} : { trace: values.trace }),
    onProblem,
    tool: suiteTool(),
    signal: AbortSignal.any([stop, terminal.crashed]),
    onStart: ({ receipt, moveLog }) => {
      terminal.lastWords = () =>
        toReceipt(receipt.all(), { color }) + (moveLog.isOpen ? `${restoreHint(terminal.redact(moveLog.path))}\n` : '');
    },
    onReached: (latencyMs) => terminal.write(estimateLine(plan, latencyMs)),
    onResult: progress.note,
  }).finally(() => {
    stop.removeEventListener('abort', sayStopping);
    progress.end();
  });
}

// A short run needs no estimate.
function estimateLine({ settings, selected, observers }: RoundPlan, latencyMs: number): string {
  const ms = estimateMs(planOf(selected, settings, observers), latencyMs, settings.rate);
  return ms < 20_000
    ? ''
    : `A response takes ${Math.round(latencyMs)} ms, so expect a run of about ${duration(Math.round(ms / 1_000) * 1_000).replace('.0 s', ' s')}.\n\n`;
}

const stopping = 'Stopping: moving files back. A second signal stops immediately and leaves them where they are.';

function progressOn(terminal: SafeTerminal, selected: readonly RegisteredCheck[]) {
  const { show, clear } = statusLine(terminal);
  const ids = new Set(selected.map(({ id }) => id));
  let done = 0;
  let failed = 0;
  const note = ({ id, outcome }: Report['checks'][number]) => {
    if (!ids.has(id)) return;
    done++;
    if (outcome === 'failed') failed++;
    show(`${done} of ${ids.size}${failed === 0 ? '' : `, ${failed} failed`}: ${id}`);
  };
  return terminal.isInteractive ? { note, end: clear } : { note: () => undefined, end: () => undefined };
}

function finish(judged: Report, { args, values, terminal }: Job, plan: RoundPlan, traced: readonly Sentence[]): number {
  const { redact } = terminal;
  const renewal = renewalOf(judged, values, plan.expectedFailures);
  // The new list has no entry that did not fail, so nothing must ask to remove one.
  const report = renewal === undefined ? judged : { ...judged, expectedFailures: renewal.report.expectedFailures };
  const outputs = [...outputsOf(values, terminal.environment), ...(renewal === undefined ? [] : [renewal.output])];
  const { written, problems } = writeAll(outputs, report);
  const files = [...written, ...(values.trace === undefined ? [] : [values.trace])].map(redact);
  const options = { color: wantsColor(values, terminal), command: rerunCommand(args, redact) };
  const all = [...traced, ...problems];
  const ending = commandEnding(terminal, endingOf(renewal?.report ?? report, values.strict ?? false), all.length);
  const text = toTerminal(report, { ...options, written: files, ending });
  const isOnGitHub = terminal.environment.GITHUB_ACTIONS === 'true';
  if (values.writeExpectedFailures !== undefined) terminal.write(describeRenewal(renewal, redact));
  terminal.write(isOnGitHub ? withoutCommands(text) + toAnnotations(report, options.command, values.strict) : text);
  terminal.lastWords = () => '';
  for (const problem of all) terminal.complain(problem.shown(redact));
  if (report.run.moveLog !== undefined) terminal.complain(restoreHint(report.run.moveLog));
  return ending.exitCode;
}

function outputsOf(values: RunValues, environment: Environment): Output<Report>[] {
  const { json, observe } = values;
  const summary = environment.GITHUB_STEP_SUMMARY ?? '';
  return [
    ...reportOutputs(values, formatsOf(values), conformanceFlags.reportDir.default),
    ...(json === undefined ? [] : [{ option: '--json', path: json, write: reporters.json.write }]),
    ...(observe === undefined ? [] : [{ option: '--observe', path: observe, write: toProfileYaml }]),
    ...(summary === ''
      ? []
      : [{ option: 'GITHUB_STEP_SUMMARY', path: summary, write: reporters.markdown.write, isAppended: true }]),
  ];
}

/** The formats. A file must not say that nothing failed if `--strict` fails the run. */
function formatsOf({ strict = false }: RunValues): Record<ReporterName, Reporter> {
  const { junit } = reporters;
  return { ...reporters, junit: { ...junit, write: (report) => junit.write(report, strict) } };
}

// Options that select checks or handle the results.
const left = [
  ...['only', 'skip', 'failed', 'list', 'explain', 'dry-run', 'strict', 'time-limit', 'require', 'expected-failures'],
  ...['write-expected-failures', 'watch', 'watch-path', 'json', 'report', 'report-dir', 'move-log', 'trace'],
  ...['observe', 'no-color'],
];

// Keys are never repeated. The curl lines use the same variables.
const variables = { 'api-key': '"$AGENT_PLATFORM_API_KEY"', 'other-api-key': '"$AGENT_PLATFORM_OTHER_API_KEY"' };

/** The command line of a run without the options that select checks: `--only <id>` after it runs one check. */
function rerunCommand(args: readonly string[], redact: Redact): string {
  const words = optionWords(conformanceFlags, args, left, { shownAs: variables, redact });
  return shownCommand('conformance', words);
}

/** Judges a target, or shows what a run would do. Returns the exit code. */
export async function judge(
  args: readonly string[],
  values: RunValues,
  terminal: SafeTerminal,
  loadSettings: (prepares: boolean) => Promise<Settings>,
): Promise<number> {
  const shown = describeChecks(values);
  if (shown !== undefined) return print(terminal, shown);
  // Before the config's own commands run.
  if (!values.dryRun) requireWritable(values, terminal.environment);
  const job = { args, values, terminal, stop: stopSignal(terminal) };
  const plan = async (prepares: boolean, only?: readonly string[]) =>
    planRound(values, await loadSettings(prepares), only);
  const run = async (only?: readonly string[]) => runRound(job, await plan(true, only));
  if (values.watch || values.watchPath !== undefined) {
    return watch(terminal, AbortSignal.any([job.stop, terminal.crashed]), values.watchPath ?? [], run);
  }
  const before = values.failed === undefined ? undefined : loadFailed(values, await loadSettings(false), terminal);
  if (before?.ids.length === 0) {
    return print(terminal, `In ${before.file}, all checks that ran were judged and passed.\n`);
  }
  if (values.dryRun)
    return print(terminal, dryRun(await plan(false, before === undefined ? undefined : idsOf(before)), terminal));
  if (before === undefined) return (await run()).exitCode;
  terminal.write(`${describeAgain(before)}\n`);
  const { report, exitCode } = await run(idsOf(before));
  terminal.write(describeRecovered(before, report));
  return exitCode;
}

/** The text of `--explain` or `--list`; undefined if neither is given. Throws a `SuiteError` for an unknown check. */
function describeChecks({ only = [], skip = [], explain: id, list }: RunValues): string | undefined {
  const checks = allChecks();
  const known = checks.map((check) => check.id);
  const ids = selectIds(known, { only, skip });
  if (id !== undefined) return explain(checks, id);
  return list ? listing(checks.filter((check) => ids.has(check.id))) : undefined;
}

function print(terminal: SafeTerminal, text: string): 0 {
  terminal.write(text);
  return 0;
}

/** Checks the target: with the named checks, or with all that the command line selects. */
type RunOne = (only?: readonly string[]) => Promise<Round>;

function idsOf({ ids, senders }: FailedBefore): string[] {
  return [...ids, ...senders];
}

/** What one round will do. `only`: the checks to run, instead of the command line's. */
function planRound(values: RunValues, given: Settings, only: readonly string[] = values.only ?? []): RoundPlan {
  const { skip = [], moveLog = usualMoveLog() } = values;
  const checks = allChecks();
  const known = checks.map(({ id }) => id);
  const ids = selectIds(known, { only, skip });
  const selected = checks.filter(({ id }) => ids.has(id));
  const observe = values.noObserve ? false : values.observe === undefined ? undefined : true;
  const observers = observersFor(given, selected.length === checks.length, observe);
  const settings = settingsFor(selected, given, observers);
  const idle = [
    ...idleSettings(selected, given, observers, selected.length === checks.length),
    ...(values.moveLog !== undefined && describeMoveLog(settings, moveLog) === ''
      ? ['--move-log: this run cannot move files']
      : []),
  ];
  const list = previousList(values);
  const expectedFailures = list === undefined ? [] : loadExpectedFailures(list, known);
  return { settings, selected, observers, idle, only, skip, observe, moveLog, expectedFailures };
}

function dryRun(plan: RoundPlan, { redact }: SafeTerminal): string {
  return `${head(plan, redact)}\nThese checks would run. No request was sent and no file was written:\n\n${listing(plan.selected)}`;
}

/** A report, and those of its checks that will run again. */
interface FailedBefore {
  file: string;
  report: Report;
  ids: readonly string[];
  /** Other checks, whose requests show what some of those found. */
  senders: readonly string[];
}

const again: readonly Outcome[] = ['failed', 'warned', 'inconclusive', 'not-enabled'];

/**
 * The checks of `--failed`. Throws a {@link SuiteError} if there is no report, or it is about a different contract or target.
 */
function loadFailed(
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
function describeAgain({ file, report, ids, senders }: FailedBefore): string {
  const counts = again.map((outcome) => `${report.summary[outcome]} ${inWords(outcome)}`).join(', ');
  const more =
    senders.length === 0 ? '' : `, and ${plural(senders.length, 'check')} with the requests behind their results`;
  return `Running again: ${plural(ids.length, 'check')} of ${file} (${counts}), ${report.run.startedAt}${more}\n`;
}

/** Says how the checks of a report ended when they ran again. */
function describeRecovered({ file, report, ids }: FailedBefore, now: Report): string {
  const after = new Map(now.checks.map(({ id, outcome }) => [id, outcome]));
  const notFound = report.checks.filter(({ id, outcome }) => {
    return (outcome === 'failed' || outcome === 'warned') && after.get(id) === 'passed';
  });
  const mended = notFound.filter((check) => isMended(check, after) && enablesAsMuch(now, report));
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

/** Whether a run was given everything that enabled an earlier one to see what it found. */
function enablesAsMuch({ digest: now }: Report, { digest: before }: Report): boolean {
  const hasStill = (given: unknown, still: unknown): boolean => {
    if (given === undefined || given === null || given === false) return true;
    if (typeof given !== 'object') return given === still || Number(given) <= Number(still);
    return Object.entries(given).every(([name, value]) => hasStill(value, (still as Record<string, unknown>)?.[name]));
  };
  const names = ['allowWrites', 'allowDestructive', 'fixtures', 'organizations', 'treePathParameter', 'hostMcpServer'];
  return names.every((name) => hasStill(before?.config[name], now?.config[name]));
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
interface Round {
  report: Report;
  exitCode: number;
}

/** Repeats rounds until a signal or the end of the input. Returns the last round's exit code. */
async function watch(
  terminal: SafeTerminal,
  stop: AbortSignal,
  paths: readonly string[],
  run: RunOne,
): Promise<number> {
  if (terminal.entered === undefined) {
    throw new UsageError('--watch needs a terminal: it waits for Enter. In CI and in scripts, run without it.');
  }
  const missing = paths.find((path) => statSync(path, { throwIfNoEntry: false }) === undefined);
  if (missing !== undefined) throw new UsageError(`--watch-path ${missing}: there is no such file or folder.`);
  let last: Ended = { failing: [], exitCode: 0 };
  for (;;) {
    last = await runRounds(terminal, run, last);
    if (stop.aborted) return last.exitCode;
    const { length } = last.failing;
    const result = length === 0 ? 'Nothing fails' : `${plural(length, 'check')} failed`;
    const changes = paths.length === 0 ? '' : `, or change ${paths.join(', ')}`;
    terminal.write(`\n${result}. Press Enter to run again${changes}; Ctrl+C to stop.\n`);
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
  pollPath(path, note, signal);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder) watchFiles(path, { recursive: true, signal }, note).on('error', () => undefined);
}
