import {
  describeMoveLog,
  type ExpectedFailure,
  endingOf,
  estimateMs,
  type Observer,
  planOf,
  type RegisteredCheck,
  type Report,
  type Reporter,
  type ReporterName,
  reporters,
  restoreHint,
  runSuite,
  type Settings,
  SuiteError,
  toAnnotations,
  toProfileYaml,
  toReceipt,
  toTerminal,
  withoutCommands,
} from '../../conformance/index.ts';
import type { Values } from '../../lib/options.ts';
import { packageVersion } from '../../lib/package-version.ts';
import type { Redact } from '../../lib/secrets.ts';
import type { Sentence } from '../../lib/sentence.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import { duration } from '../../lib/text.ts';
import { head } from './conformance-head.ts';
import { conformanceFlags } from './conformance-options.ts';
import { errorExitCodes } from './exit-codes.ts';
import { findUnwritable, type Output, reportOutputs, writeAll } from './output-files.ts';
import { type Environment, optionWords } from './read-options.ts';
import { describeRenewal, renewalOf } from './renewing.ts';
import type { SafeTerminal } from './secret-safe-output.ts';
import { statusLine, wantsColor } from './terminal.ts';

export type RunValues = Values<typeof conformanceFlags>;

/** Name and version of the suite, for targets and reports. */
export function suiteTool(): string {
  return `agent-platform-conformance/${packageVersion()}`;
}

/** What all rounds of a command share. */
export interface Job {
  args: readonly string[];
  values: RunValues;
  terminal: SafeTerminal;
  stop: AbortSignal;
}

/** What one round will do. */
export interface RoundPlan {
  settings: Settings;
  selected: readonly RegisteredCheck[];
  observers: readonly Observer[];
  only: readonly string[];
  skip: readonly string[];
  observe: boolean | undefined;
  moveLog: string;
  expectedFailures: readonly ExpectedFailure[];
}

/** The outcome of one round. */
export interface Round {
  report: Report;
  exitCode: number;
}

/** Judges the target once, and writes and prints the results. */
export async function runRound(job: Job, plan: RoundPlan): Promise<Round> {
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
