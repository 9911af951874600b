import type { Values } from '../../lib/options.ts';
import { packageVersion } from '../../lib/package-version.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import { painter } from '../../lib/terminal-colors.ts';
import { duration, plural } from '../../lib/text.ts';
import { type VaryOptions, varyFlags } from '../options/vary-options.ts';
import { killRunning } from '../vary/child.ts';
import { toJunit } from '../vary/junit.ts';
import type { Run } from '../vary/ledger.ts';
import { namesOf } from '../vary/probes.ts';
import { byHand, exitCodeOf, type VaryReport, type VarySettings } from '../vary/report.ts';
import { baseIsRed, head, toText } from '../vary/report-text.ts';
import { vary } from '../vary/vary.ts';
import { errorExitCodes } from './exit-codes.ts';
import { findUnwritable, inputsOf, type Output, reportOutputs, writeAll } from './output-files.ts';
import { parseChoices } from './parse-choices.ts';
import { readOptions, UsageError } from './read-options.ts';
import { statusLine, stopSignal, type Terminal, wantsColor } from './terminal.ts';

/** `agent-platform-contract vary`: finds what a team's tests rely on without a promise. Returns the exit code. */
export async function runVary(args: readonly string[], terminal: Terminal): Promise<number> {
  const end = args.indexOf('--');
  const command = end < 0 ? [] : args.slice(end + 1);
  if ((command[0] ?? '') === '') {
    throw new UsageError(
      `Put the command that runs your tests after --: ${shownCommand('vary', ['[options]', '--', 'npm test'])}.`,
    );
  }
  const values = readOptions(varyFlags, args.slice(0, end), terminal);
  const outputs = outputsOf(values);
  const unwritable = findUnwritable(outputs, inputsIn(values));
  if (unwritable !== undefined) throw new UsageError(unwritable);
  const paint = painter(wantsColor(values, terminal));
  const options = toVaryOptions(values, command, terminal);
  const progress = progressOn(terminal);
  const durationsMs: number[] = [];
  let settings: VarySettings | undefined;
  const events: Parameters<typeof vary>[1] = {
    onStart: (plan) => {
      settings = plan.settings;
      terminal.write(head(options, plan, paint));
      progress.start();
    },
    onRun: (run) => {
      durationsMs.push(run.durationMs);
      progress.run(run);
    },
    onBase: () => settings && progress.note(estimate(settings, durationsMs)),
    onSuspect: ({ choices }) => progress.note(`suspected, not yet confirmed: your tests fail with ${namesOf(choices)}`),
    onCause: ({ choices }) => progress.note(`found: your tests fail with ${namesOf(choices)}`),
  };
  const report = await vary(options, events).finally(progress.end);
  const { written, problems } = writeAll(outputs, report);
  if (report.base.outcome === 'red') terminal.complain(baseIsRed(report));
  else terminal.write(toText(report, byHand(options), written, paint));
  for (const problem of problems) terminal.complain(problem.plain);
  const exitCode = exitCodeOf(report, values.strict === true);
  return exitCode === 0 && problems.length > 0 ? errorExitCodes.report : exitCode;
}

/** The runs of most searches: the more the tests rely on, the more it takes to find and to confirm it. */
const usualRuns = [10, 150] as const;

/** How long a search may take, after the runs with the base profile. */
function estimate({ variants, maxRuns, parallel }: VarySettings, durationsMs: readonly number[]): string {
  const oneMs = durationsMs.reduce((sum, ms) => sum + ms, 0) / durationsMs.length;
  const one = `a run of your tests takes ${duration(oneMs)}`;
  if (variants === 0) return one;
  const [fewest, most] = usualRuns.map((runs) => Math.min(runs, maxRuns));
  const [from, to] = [fewest, most].map((runs = 0) => duration((runs * oneMs) / parallel));
  if (fewest === most) return `${one}; the search has at most ${plural(maxRuns, 'run')}: ${to}`;
  return `${one}; most searches need ${fewest} to ${most} runs: ${from} to ${to}`;
}

function toVaryOptions(values: Values<typeof varyFlags>, command: string[], terminal: Terminal): VaryOptions {
  const { strict, json, report, reportDir, color, set, only, ...rest } = values;
  terminal.onSecondSignal(killRunning);
  const message = '\nStopping: ending the current test run. Results so far follow. A second signal stops immediately.';
  return {
    ...rest,
    set: parseChoices('set', set),
    only: parseChoices('only', only),
    command,
    environment: terminal.environment,
    tool: `agent-platform-vary/${packageVersion()}`,
    signal: stopSignal(terminal, message),
  };
}

function inputsIn({ profile, seed, learned }: Values<typeof varyFlags>) {
  return inputsOf({ '--profile': profile, '--seed': seed === 'demo' ? undefined : seed, '--learned': learned });
}

function outputsOf(values: Values<typeof varyFlags>): Output<VaryReport>[] {
  const write = (report: VaryReport) => `${JSON.stringify(report, null, 2)}\n`;
  const formats = { junit: { fileName: 'vary.junit.xml', write: toJunit }, json: { fileName: 'vary.json', write } };
  const { json } = values;
  const whole = json === undefined ? [] : [{ option: '--json', path: json, write }];
  return [...reportOutputs<VaryReport>(values, formats, varyFlags.reportDir.default), ...whole];
}

/** What the user sees while the tests run: one line that is overwritten; without a terminal, one line per run. */
function progressOn(terminal: Terminal): ReturnType<typeof overwrittenLine> {
  const { complain } = terminal;
  if (terminal.isInteractive) return overwrittenLine(terminal);
  return {
    start: () => undefined,
    run: ({ number, purpose, isRed, durationMs, ending }) =>
      complain(`run ${number}: ${purpose}: ${isRed ? `failed, ${ending}` : 'passed'} (${duration(durationMs)})`),
    note: complain,
    end: () => undefined,
  };
}

function overwrittenLine(terminal: Terminal) {
  const { show, clear } = statusLine(terminal);
  return {
    start: () => show('run 1: the base profile …'),
    run: ({ number, purpose, isRed, durationMs }: Run) => {
      show(`run ${number}: ${purpose}: ${isRed ? 'failed' : 'passed'} (${duration(durationMs)})`);
    },
    note: (text: string) => {
      clear();
      terminal.write(`  ${text}\n`);
    },
    end: clear,
  };
}
