import {
  allChecks,
  explain,
  listing,
  loadExpectedFailures,
  observersFor,
  planOf,
  type Settings,
  selectIds,
  settingsFor,
  usualMoveLog,
} from '../../conformance/index.ts';
import { head } from './conformance-head.ts';
import { type Round, type RoundPlan, type RunValues, runRound, suiteTool } from './conformance-round.ts';
import { describeAgain, describeRecovered, type FailedBefore, loadFailed } from './failed-checks.ts';
import { previousList } from './renewing.ts';
import type { SafeTerminal } from './secret-safe-output.ts';
import { stopSignal } from './terminal.ts';
import { watch } from './watch.ts';

export { suiteTool };

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
