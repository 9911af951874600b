import {
  allChecks,
  type ExpectedFailure,
  exitCodeOf,
  explain,
  listing,
  loadExpectedFailures,
  planOf,
  type RegisteredCheck,
  type Report,
  runSuite,
  type Settings,
  selectIds,
  toReceipt,
  toTerminal,
} from '../../conformance/index.ts';
import { packageVersion } from '../../openapi/contract/package-version.ts';
import { flag, list, settingsFrom, text, wantsColor } from './conformance-config.ts';
import { outputsOf, requireWritable } from './conformance-files.ts';
import { head } from './conformance-head.ts';
import { conformanceOptions } from './conformance-options.ts';
import type { Discreet } from './discretion.ts';
import { type Chosen, readOptions } from './options.ts';
import { writeAll } from './output-files.ts';
import { progressOn } from './progress.ts';
import { rerunCommand } from './rerun-command.ts';
import { stopSignal } from './stop-signal.ts';

/** Name and version of the suite, as targets and reports see it. */
export function suiteTool(): string {
  return `agent-platform-conformance/${packageVersion()}`;
}

/** Judges a target, or says what a run would do. The exit code. */
export async function judge(args: readonly string[], terminal: Discreet): Promise<number> {
  const chosen = readOptions(conformanceOptions, args, terminal.environment);
  const checks = allChecks();
  const selected = selectedOf(checks, chosen);
  const explained = text(chosen, 'explain');
  if (explained !== undefined) return say(terminal, explain(checks, explained));
  if (flag(chosen, 'list')) return say(terminal, listing(selected));
  const settings = settingsFrom(chosen, terminal);
  const expected = expectedFrom(chosen, checks);
  const isObserving = observes(chosen, selected.length === checks.length);
  const introduction = head(settings, planOf(selected, settings, isObserving));
  if (flag(chosen, 'dry-run')) return say(terminal, `${introduction}\n${dryRun(selected)}`);
  return run(args, chosen, terminal, { settings, expected, introduction, isObserving, selected });
}

function observes(chosen: Chosen, isWhole: boolean): boolean {
  if (text(chosen, 'observe') !== undefined) return true;
  return isWhole && flag(chosen, 'no-observe') !== true;
}

function say(terminal: Discreet, words: string): number {
  terminal.write(words);
  return 0;
}

function selectedOf(checks: readonly RegisteredCheck[], chosen: Chosen): RegisteredCheck[] {
  const ids = selectIds(
    checks.map(({ id }) => id),
    { only: list(chosen, 'only'), skip: list(chosen, 'skip') },
  );
  return checks.filter(({ id }) => ids.has(id));
}

function dryRun(selected: readonly RegisteredCheck[]): string {
  return ['These checks would run; no request was sent:', '', listing(selected)].join('\n');
}

function expectedFrom(chosen: Chosen, checks: readonly RegisteredCheck[]): ExpectedFailure[] {
  const file = text(chosen, 'expected-failures');
  if (file === undefined) return [];
  return loadExpectedFailures(
    file,
    checks.map(({ id }) => id),
  );
}

interface Prepared {
  settings: Settings;
  expected: readonly ExpectedFailure[];
  introduction: string;
  isObserving: boolean;
  selected: readonly RegisteredCheck[];
}

async function run(args: readonly string[], chosen: Chosen, terminal: Discreet, prepared: Prepared): Promise<number> {
  const { settings, expected, introduction, isObserving, selected } = prepared;
  const outputs = outputsOf(chosen, terminal.environment);
  requireWritable(outputs);
  terminal.write(`${introduction}\n`);
  const color = wantsColor(chosen, terminal);
  const progress = progressOn(terminal, selected);
  const report = await runSuite(settings, {
    tool: suiteTool(),
    only: list(chosen, 'only'),
    skip: list(chosen, 'skip'),
    expectedFailures: expected,
    observe: isObserving,
    signal: announced(stopSignal(terminal), terminal),
    onStart: ({ receipt }) => {
      terminal.lastWords = () => toReceipt(receipt.all(), { color });
    },
    onResult: progress.note,
  }).finally(progress.end);
  return close(report, args, chosen, terminal, outputs);
}

function announced(signal: AbortSignal, terminal: Discreet): AbortSignal {
  signal.addEventListener('abort', () => {
    terminal.complain('Stopping: files are moved back. A second signal ends at once, and leaves them where they are.');
  });
  return signal;
}

function close(
  report: Report,
  args: readonly string[],
  chosen: Chosen,
  terminal: Discreet,
  outputs: ReturnType<typeof outputsOf>,
): number {
  const { written, problems } = writeAll(outputs, report);
  const color = wantsColor(chosen, terminal);
  terminal.write(toTerminal(report, { color, command: rerunCommand(args), written }));
  terminal.lastWords = () => '';
  for (const problem of problems) terminal.complain(problem);
  const exitCode = exitCodeOf(report, flag(chosen, 'strict') ?? false);
  return exitCode === 0 && problems.length > 0 ? 2 : exitCode;
}
