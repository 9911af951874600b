// A run of the suite on the command line: its plan, its rounds, and what it prints and writes.
import { existsSync } from 'node:fs';
import {
  allChecks,
  describeMoveLog,
  describePlan,
  type ExpectedFailure,
  endingOf,
  estimateMs,
  explain,
  listing,
  listText,
  loadExpectedFailures,
  type Observer,
  observersFor,
  type Plan,
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
import type { Sentence } from '../../lib/sentence.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import { columns, duration, oneLine, plural } from '../../lib/text.ts';
import { conformanceFlags } from '../options/conformance-options.ts';
import {
  describeAgain,
  describeRecovered,
  type FailedBefore,
  loadFailed,
  type Round,
  watch,
} from './conformance-again.ts';
import { errorExitCodes } from './exit-codes.ts';
import { findUnwritable, type Output, reportOutputs, writeAll } from './output-files.ts';
import { type Environment, optionWords } from './read-options.ts';
import type { SafeTerminal } from './secret-safe-output.ts';
import { statusLine, stopSignal, wantsColor } from './terminal.ts';

/** The text above a run: the target, the permissions, and what the run will change. */
function head(settings: Settings, plan: Plan, redact: Redact): string {
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
    ]),
    '',
    ...describePlan(plan, settings),
    '',
  ].join('\n');
}

function modeOf({ allowWrites, allowDestructive, treePathParameter }: Settings): string {
  if (!allowWrites) return allowDestructive ? 'read only: --allow-destructive also needs --allow-writes' : 'read only';
  if (!allowDestructive) return 'read and write, no deletions';
  return treePathParameter === undefined
    ? 'read and write; no deletions, because openPoints.treePathParameter is missing'
    : 'read, write and delete';
}

/** The options for known failures. */
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
  return { path, list, report: withList(report, list), output: { path, write: () => text } };
}

/** What changed in the list. */
function describeRenewal(renewal: Renewal | undefined, redact: Redact): string {
  if (renewal === undefined)
    return 'The list of known failures was not written, because the run did not finish or the target crashed.\n\n';
  const { path, list } = renewal;
  const { added, dropped, entries } = list;
  const line = (word: string) => (one: ExpectedFailure) => `  ${word}  ${one.check}`;
  const kept = entries.length - added.length;
  return [
    `${oneLine(redact(path))}: ${plural(entries.length, 'known failure')}; ${added.length} added, ${dropped.length} dropped, ${kept} kept`,
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
  only: readonly string[];
  skip: readonly string[];
  observe: boolean | undefined;
  moveLog: string;
  expectedFailures: readonly ExpectedFailure[];
}

/** Judges the target once, and writes and prints the results. */
async function runRound(job: Job, plan: RoundPlan): Promise<Round> {
  const { values, terminal } = job;
  const { settings, selected, observers, moveLog } = plan;
  requireWritable(values, terminal.environment);
  const introduction = head(settings, planOf(selected, settings, observers), terminal.redact);
  terminal.write(`${introduction}${describeMoveLog(settings, terminal.redact(moveLog))}\n`);
  const problems: Sentence[] = [];
  const report = await run(job, plan, (problem) => problems.push(problem));
  return { report, exitCode: finish(report, job, plan, problems) };
}

function requireWritable(values: RunValues, environment: Environment): void {
  const { trace, writeExpectedFailures: list } = values;
  const others = [trace, list].flatMap((path) => (path === undefined ? [] : [{ path, write: () => '' }]));
  const unwritable = findUnwritable([...outputsOf(values, environment), ...others]);
  if (unwritable !== undefined) throw new SuiteError('FILE_UNWRITABLE', unwritable);
}

function run(
  { values, terminal, stop }: Job,
  plan: RoundPlan,
  onProblem: (problem: Sentence) => void,
): Promise<Report> {
  const { settings, selected, observers: _, observe, ...choice } = plan;
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
  const ending = endingOf(renewal?.report ?? report, values.strict ?? false);
  const text = toTerminal(report, { ...options, written: files, ending });
  const isOnGitHub = terminal.environment.GITHUB_ACTIONS === 'true';
  if (values.writeExpectedFailures !== undefined) terminal.write(describeRenewal(renewal, redact));
  terminal.write(isOnGitHub ? withoutCommands(text) + toAnnotations(report, options.command, values.strict) : text);
  terminal.lastWords = () => '';
  const all = [...traced, ...problems];
  for (const problem of all) terminal.complain(problem.shown(redact));
  if (report.run.moveLog !== undefined) terminal.complain(restoreHint(report.run.moveLog));
  return ending.exitCode === 0 && all.length > 0 ? errorExitCodes.report : ending.exitCode;
}

function outputsOf(values: RunValues, environment: Environment): Output<Report>[] {
  const { json, observe } = values;
  const summary = environment.GITHUB_STEP_SUMMARY ?? '';
  return [
    ...reportOutputs(values, formatsOf(values), conformanceFlags.reportDir.default),
    ...(json === undefined ? [] : [{ path: json, write: reporters.json.write }]),
    ...(observe === undefined ? [] : [{ path: observe, write: toProfileYaml }]),
    ...(summary === '' ? [] : [{ path: summary, write: reporters.markdown.write, isAppended: true }]),
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
const variables = {
  'api-key': '"$AGENT_PLATFORM_API_KEY"',
  'other-api-key': '"$AGENT_PLATFORM_OTHER_API_KEY"',
};

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
  loadSettings: () => Settings,
): Promise<number> {
  const shown = describeChecks(values);
  if (shown !== undefined) return print(terminal, shown);
  const job = { args, values, terminal, stop: stopSignal(terminal) };
  const plan = (only?: readonly string[]) => planRound(values, loadSettings(), only);
  const run = (only?: readonly string[]) => runRound(job, plan(only));
  if (values.watch || values.watchPath !== undefined) {
    return watch(terminal, AbortSignal.any([job.stop, terminal.crashed]), values.watchPath ?? [], run);
  }
  const before = values.failed === undefined ? undefined : loadFailed(values, loadSettings(), terminal);
  if (before?.ids.length === 0) {
    return print(terminal, `In ${before.file}, all checks that ran were judged and passed.\n`);
  }
  if (values.dryRun) return print(terminal, dryRun(plan(before === undefined ? undefined : idsOf(before)), terminal));
  return before === undefined ? (await run()).exitCode : runAgain(before, terminal, run);
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

type RunOne = (only: readonly string[]) => Promise<Round>;

async function runAgain(before: FailedBefore, terminal: SafeTerminal, run: RunOne): Promise<number> {
  terminal.write(`${describeAgain(before)}\n`);
  const { report, exitCode } = await run(idsOf(before));
  terminal.write(describeRecovered(before, report));
  return exitCode;
}

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
  const list = previousList(values);
  const expectedFailures = list === undefined ? [] : loadExpectedFailures(list, known);
  return { settings, selected, observers, only, skip, observe, moveLog, expectedFailures };
}

function dryRun({ settings, selected, observers }: RoundPlan, { redact }: SafeTerminal): string {
  const introduction = head(settings, planOf(selected, settings, observers), redact);
  return `${introduction}\nThese checks would run. No request was sent and no file was written:\n\n${listing(selected)}`;
}
