import { loadOpenPoints } from '../../openapi/contract/load.ts';
import { packageVersion } from '../../openapi/contract/package-version.ts';
import { defaultProfile, type Profile } from '../../openapi/contract/profile.ts';
import type { MockOptions } from '../http/create-mock.ts';
import { loadSeed } from '../http/settings.ts';
import { differing } from './drawn-world.ts';
import { type Chosen, readCommandLine } from './options.ts';
import { findUnwritable, type Output, reportOutputs, writeAll } from './output-files.ts';
import { stopSignal } from './stop-signal.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { toJunit } from './vary/junit.ts';
import { Ledger } from './vary/ledger.ts';
import { linesFor } from './vary/lines.ts';
import { progressOn } from './vary/progress.ts';
import { exitCodeOf, toReport, type VaryReport, type VarySettings } from './vary/report.ts';
import { createRunner } from './vary/runner.ts';
import { namesOf, type SearchResult, search, type World } from './vary/search.ts';
import { baseIsRed, head, painter, toText } from './vary/text.ts';
import { prepareWorlds, type WorldSettings, worldSettingsOf } from './vary/worlds.ts';
import { varyOptions } from './vary-options.ts';

/** `agent-platform vary`: says what a team's tests rely on that the contract does not promise. The exit code. */
export async function runVary(args: readonly string[], terminal: Terminal): Promise<number> {
  if (!args.includes('--')) throw new UsageError(noCommand);
  const { chosen, command } = readCommandLine(varyOptions, args, terminal.environment);
  if (command.length === 0) throw new UsageError(noCommand);
  const outputs = outputsOf(chosen);
  const unwritable = findUnwritable(outputs);
  if (unwritable !== undefined) throw new UsageError(unwritable);
  const report = await vary(chosen, command, terminal);
  return close(report, chosen, terminal, outputs);
}

const noCommand = 'Say behind -- what runs your tests: agent-platform vary [options] -- npm test.';

function settingsOf(chosen: Chosen, { loudness, randomSeed, count }: WorldSettings): VarySettings {
  const number = (name: string, usual: number) => (chosen.get(name) as number | undefined) ?? usual;
  return {
    loudness,
    randomSeed,
    worlds: count,
    repeat: (chosen.get('repeat') as number | undefined) ?? null,
    maxRuns: number('max-runs', 400),
    parallel: number('parallel', 1),
    timeoutMs: number('timeout', 600_000),
  };
}

async function vary(chosen: Chosen, command: readonly string[], terminal: Terminal): Promise<VaryReport> {
  const worldSettings = worldSettingsOf(chosen);
  const { base, worlds } = prepareWorlds(worldSettings);
  const settings = settingsOf(chosen, worldSettings);
  const tool = `agent-platform-vary/${packageVersion()}`;
  const facts = { base: baseInWords(worldSettings, base), worlds: worldsInWords(worldSettings, worlds) };
  terminal.write(head({ tool, command: [...command], settings }, facts, paintFor(chosen, terminal)));
  const startedAt = new Date();
  const startedMs = performance.now();
  const { result, ledger } = await play(chosen, command, terminal, { base, worlds, settings });
  return toReport(result, ledger, {
    ...{ tool, startedAt, command, settings, base },
    durationMs: performance.now() - startedMs,
    openPoints: loadOpenPoints(),
    linesFor: (choices, isFlaky) => linesFor(chosen, command, choices, isFlaky),
  });
}

interface Prepared {
  base: Profile;
  worlds: readonly World[];
  settings: VarySettings;
}

async function play(
  chosen: Chosen,
  command: readonly string[],
  terminal: Terminal,
  { base, worlds, settings }: Prepared,
): Promise<{ result: SearchResult; ledger: Ledger }> {
  const run = createRunner({
    ...{ command, environment: terminal.environment, timeoutMs: settings.timeoutMs },
    mock: mockOptionsOf(chosen, base),
    signal: announced(stopSignal(terminal), terminal),
  });
  const progress = progressOn(terminal);
  const ledger = new Ledger(run, { maxRuns: settings.maxRuns, parallel: settings.parallel, onRun: progress.run });
  const options = {
    baseRepeat: settings.repeat ?? 3,
    repeat: settings.repeat ?? undefined,
    onCause: progress.cause,
  };
  const result = await search(ledger, worlds, options).finally(progress.end);
  return { result, ledger };
}

function mockOptionsOf(chosen: Chosen, base: Profile): MockOptions {
  const clock = chosen.get('clock') as string | undefined;
  // Read once: the file may change while the tests run.
  const seed = loadSeed(chosen.get('seed') as string | undefined);
  const rest = clock === undefined ? {} : { clock };
  return { profile: base, seed, openKeys: chosen.get('open-keys') === true, ...rest };
}

function announced(signal: AbortSignal, terminal: Terminal): AbortSignal {
  const words = 'Stopping: the tests that run are ended. What was found so far follows. A second signal ends at once.';
  signal.addEventListener('abort', () => terminal.complain(`\n${words}`));
  return signal;
}

function baseInWords({ profile, set }: WorldSettings, base: Profile): string {
  const choices = namesOf(differing(defaultProfile(loadOpenPoints()), base));
  const settled = Object.keys(set).length === 0 ? '' : `; settled: ${namesOf(set)}`;
  return `${profile ?? 'the default profile'}${choices === '' ? '' : `: ${choices}`}${settled}`;
}

function worldsInWords(
  { only, learned, count, loudness, randomSeed }: WorldSettings,
  worlds: readonly World[],
): string {
  if (Object.keys(only).length > 0) return namesOf(worlds[0]?.choices ?? {});
  const drawn = count === 0 ? [] : [`${count} drawn from random seed ${randomSeed} (${loudness})`];
  return [...learned, ...drawn].join(', then ');
}

function paintFor(chosen: Chosen, { isInteractive, environment }: Terminal) {
  return painter(isInteractive && chosen.get('no-color') !== true && (environment.NO_COLOR ?? '') === '');
}

const forms = {
  junit: { fileName: 'vary.junit.xml', write: toJunit },
  json: { fileName: 'vary.json', write: toJson },
};

function toJson(report: VaryReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

function outputsOf(chosen: Chosen): Output<VaryReport>[] {
  const json = chosen.get('json') as string | undefined;
  const whole = json === undefined ? [] : [{ path: json, write: toJson }];
  return [...reportOutputs<VaryReport>(chosen, forms, 'vary-report'), ...whole];
}

function close(report: VaryReport, chosen: Chosen, terminal: Terminal, outputs: readonly Output<VaryReport>[]): number {
  const { written, problems } = writeAll(outputs, report);
  if (report.base.outcome === 'red') terminal.complain(baseIsRed(report));
  else terminal.write(toText(report, written, paintFor(chosen, terminal)));
  for (const problem of problems) terminal.complain(problem);
  const exitCode = exitCodeOf(report, chosen.get('strict') === true);
  return exitCode === 0 && problems.length > 0 ? 2 : exitCode;
}
