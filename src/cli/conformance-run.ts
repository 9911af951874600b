import {
  allChecks,
  describePlan,
  exitCodeOf,
  explain,
  listing,
  loadExpectedFailures,
  type Plan,
  planOf,
  type RegisteredCheck,
  type Report,
  reporters,
  runSuite,
  type Settings,
  SuiteError,
  selectIds,
  toProfileYaml,
  toReceipt,
  toTerminal,
} from '../../conformance/index.ts';
import type { Values } from '../../openapi/contract/options.ts';
import { packageVersion } from '../../openapi/contract/package-version.ts';
import type { Redact } from '../../openapi/reading/secrets.ts';
import { columns } from '../../reporting/text.ts';
import { conformanceFlags } from './conformance-options.ts';
import { errorExitCodes } from './exit-codes.ts';
import { findUnwritable, type Output, reportOutputs, writeAll } from './output-files.ts';
import { type Environment, optionWords } from './read-options.ts';
import type { SafeTerminal } from './secret-safe-output.ts';
import { statusLine, stopSignal, wantsColor } from './terminal.ts';

type RunValues = Values<typeof conformanceFlags>;

/** Name and version of the suite, for targets and reports. */
export function suiteTool(): string {
  return `agent-platform-conformance/${packageVersion()}`;
}

/** Judges a target, or shows what a run would do. The exit code. */
export async function judge(
  args: readonly string[],
  values: RunValues,
  terminal: SafeTerminal,
  loadSettings: () => Settings,
): Promise<number> {
  const print = (text: string) => {
    terminal.write(text);
    return 0;
  };
  const { only = [], skip = [] } = values;
  const checks = allChecks();
  const known = checks.map(({ id }) => id);
  const ids = selectIds(known, { only, skip });
  const selected = checks.filter(({ id }) => ids.has(id));
  if (values.explain !== undefined) return print(explain(checks, values.explain));
  if (values.list) return print(listing(selected));
  const settings = loadSettings();
  const { expectedFailures: file } = values;
  const expectedFailures = file === undefined ? [] : loadExpectedFailures(file, known);
  const isWhole = selected.length === checks.length && !values.noObserve;
  const observe = values.observe !== undefined || isWhole;
  const introduction = head(settings, planOf(selected, settings, observe), terminal.redact);
  if (values.dryRun) {
    return print(
      `${introduction}\nThese checks would run. No request was sent and no file was written:\n\n${listing(selected)}`,
    );
  }
  const outputs = outputsOf(values, terminal.environment);
  const unwritable = findUnwritable(outputs);
  if (unwritable !== undefined) throw new SuiteError('FILE_UNWRITABLE', unwritable);
  terminal.write(`${introduction}\n`);
  const report = await run(settings, { only, skip, expectedFailures, observe }, values, terminal, selected);
  return finish(report, args, values, terminal, outputs);
}

type Choice = Pick<Parameters<typeof runSuite>[1], 'only' | 'skip' | 'expectedFailures' | 'observe'>;

function run(
  settings: Settings,
  choice: Choice,
  values: RunValues,
  terminal: SafeTerminal,
  selected: readonly RegisteredCheck[],
): Promise<Report> {
  const color = wantsColor(values, terminal);
  const progress = progressOn(terminal, selected);
  return runSuite(settings, {
    ...choice,
    tool: suiteTool(),
    signal: stopSignal(
      terminal,
      'Stopping: moving files back. A second signal stops at once and leaves them where they are.',
    ),
    onStart: ({ receipt }) => {
      terminal.lastWords = () => toReceipt(receipt.all(), { color });
    },
    onResult: progress.note,
  }).finally(progress.end);
}

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

function finish(
  report: Report,
  args: readonly string[],
  values: RunValues,
  terminal: SafeTerminal,
  outputs: readonly Output<Report>[],
): number {
  const { redact } = terminal;
  const { written, problems } = writeAll(outputs, report);
  const options = { color: wantsColor(values, terminal), command: rerunCommand(args, redact) };
  terminal.write(toTerminal(report, { ...options, written: written.map(redact) }));
  terminal.lastWords = () => '';
  for (const problem of problems) terminal.complain(problem.shown(redact));
  const exitCode = exitCodeOf(report, values.strict ?? false);
  return exitCode === 0 && problems.length > 0 ? errorExitCodes.report : exitCode;
}

function outputsOf(values: RunValues, environment: Environment): Output<Report>[] {
  const { json, observe } = values;
  const summary = environment.GITHUB_STEP_SUMMARY ?? '';
  return [
    ...reportOutputs(values, reporters, conformanceFlags.reportDir.default),
    ...(json === undefined ? [] : [{ path: json, write: reporters.json.write }]),
    ...(observe === undefined ? [] : [{ path: observe, write: toProfileYaml }]),
    ...(summary === '' ? [] : [{ path: summary, write: reporters.markdown.write, isAppended: true }]),
  ];
}

/** The text above a run: the target, the permissions, and what the run will change. */
function head(settings: Settings, plan: Plan, redact: Redact): string {
  const { judging, selected } = plan;
  const some = `${selected}; ${judging} can be judged with these settings (the doctor shows what the others need)`;
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

// Options that select checks or handle the results.
const left = 'only skip list explain dry-run strict expected-failures json report report-dir observe no-color'.split(
  ' ',
);

// Keys are never repeated. The curl lines use the same variables.
const variables = {
  'api-key': '"$AGENT_PLATFORM_API_KEY"',
  'other-api-key': '"$AGENT_PLATFORM_OTHER_API_KEY"',
};

/** The command line of a run without the options that select checks: `--only <id>` after it runs one check. */
function rerunCommand(args: readonly string[], redact: Redact): string {
  const words = optionWords(conformanceFlags, args, left, { shownAs: variables, redact });
  return ['agent-platform conformance', ...words].join(' ');
}
