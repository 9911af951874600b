import { writeFileSync } from 'node:fs';
import {
  allChecks,
  type Config,
  compareReports,
  describeDiagnosis,
  describeRestored,
  diagnose,
  isBack,
  loadConfig,
  loadMovedFiles,
  loadReport,
  parseRequired,
  resolveSettings,
  restoreFiles,
  type Settings,
  SuiteError,
  sampleConfig,
  secretsOf,
  toComparison,
  withCommands,
} from '../../conformance/index.ts';
import type { Options, Values } from '../../lib/options.ts';
import { own, say } from '../../lib/sentence.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import {
  compareFlags,
  configKeys,
  conformanceFlags,
  doctorFlags,
  restoreFlags,
} from '../options/conformance-options.ts';
import { secondWords } from './command-names.ts';
import { judge, suiteTool } from './conformance-run.ts';
import { readCommandLine, readOptions, secretsIn, UsageError } from './read-options.ts';
import { runSafely, type SafeTerminal } from './secret-safe-output.ts';
import { stopSignal, type Terminal, wantsColor } from './terminal.ts';

/** `agent-platform-contract conformance`: judges a target, or shows what a run would do. Returns the exit code. */
export const runConformance = command('conformance', conformanceFlags, async (args, terminal) => {
  const values = readJudging(args, terminal);
  return judge(args, values, terminal, (prepares) => settingsFrom(values, terminal, { prepares }));
});

/**
 * `agent-platform-contract conformance doctor`: shows which settings a check of the target lacks. Returns the exit
 * code.
 */
export const runDoctor = command('conformance doctor', doctorFlags, async (args, terminal) => {
  const values = readOptions(doctorFlags, args, terminal);
  const { writeConfig: file, config } = values;
  const settings = await settingsFrom(values, terminal);
  const diagnosis = await diagnose(settings, suiteTool(), stopSignal(terminal));
  if (file !== undefined) writeNew(file, sampleConfig(diagnosis, settings));
  const shown = (path: string | undefined) => (path === undefined ? undefined : terminal.redact(path));
  const files = { given: shown(config), written: shown(file) };
  terminal.write(
    describeDiagnosis(diagnosis, allChecks(), settings, { color: wantsColor(values, terminal), ...files }),
  );
  return 0;
});

// A config that somebody filled in must not be overwritten.
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = own(code === 'EEXIST' ? 'it exists' : code);
    throw new SuiteError('FILE_UNWRITABLE', say`${file} cannot be written: ${reason}. Choose a different path.`);
  }
}

/** `agent-platform-contract conformance restore`: moves files back after a run. Exit code 1 if any is not back. */
export const runRestore = command('conformance restore', restoreFlags, async (args, terminal) => {
  const { values, operands } = readCommandLine(restoreFlags, args, terminal);
  const [file] = operands;
  if (file === undefined || operands.length > 1) {
    throw new UsageError(`It takes 1 file: a move log or a JSON report. You gave ${operands.length}.`);
  }
  const moved = loadMovedFiles(file);
  const settings = await settingsFrom(values, terminal, { usual: { baseUrl: moved.baseUrl } });
  const given = terminal.redact(settings.baseUrl);
  if (given !== moved.baseUrl && !values.anyBaseUrl) {
    const hint = own('Omit the base URL, or add --any-base-url');
    throw new UsageError(say`The moves were made on ${moved.baseUrl}, and the base URL is ${given}. ${hint}.`);
  }
  const files = await restoreFiles(settings, moved, { tool: suiteTool(), signal: stopSignal(terminal) });
  terminal.write(describeRestored(files, { baseUrl: given }, { color: wantsColor(values, terminal) }));
  return files.every(isBack) ? 0 : 1;
});

/** `agent-platform-contract conformance compare`: shows what changed between two reports. Exit code 1 for a new failure. */
export const runCompare = command('conformance compare', conformanceFlags, async (args, terminal) => {
  const { values, operands } = readCommandLine(compareFlags, args, terminal);
  const [before, after] = operands;
  if (before === undefined || after === undefined || operands.length > 2) {
    throw new UsageError(`It takes 2 files: <before.json> <after.json>. You gave ${operands.length}.`);
  }
  const comparison = compareReports(loadReport(before), loadReport(after));
  terminal.write(toComparison(comparison, { color: wantsColor(values, terminal) }));
  const isWorse = comparison.newlyFailing.length > 0 || comparison.added.some(({ outcome }) => outcome === 'failed');
  return isWorse ? 1 : 0;
});

type Run = (args: readonly string[], terminal: SafeTerminal) => Promise<number>;

/** A command that never prints a secret. `options` says which values are secret. */
function command(name: string, options: Options, run: Run) {
  return (args: readonly string[], terminal: Terminal): Promise<number> => {
    const secrets = secretsIn(options, args, terminal.environment);
    return runSafely(terminal, secrets, name, (safe) => run(args, safe));
  };
}

/** The options of a run. The report of `--failed` may follow as a separate word. */
function readJudging(args: readonly string[], terminal: Terminal): Values<typeof conformanceFlags> {
  const { values, operands } = readCommandLine(conformanceFlags, args, terminal);
  const [file, ...others] = operands;
  const isBare = values.failed === conformanceFlags.failed.bare;
  if (isBare && file !== undefined && others.length === 0) return { ...values, failed: file };
  if (file === undefined) return values;
  const second = secondWords('conformance').find((word) => operands.includes(word));
  if (second !== undefined) {
    const command = shownCommand(`conformance ${second}`, ['[options]']);
    throw new UsageError(`${second} comes before all options: ${command}.`);
  }
  // Throws: the word belongs to no option.
  return readOptions(conformanceFlags, args, { ...terminal, complain: () => undefined });
}

/**
 * The settings of a run. Precedence: flags, environment, the `--config` file, `usual`. `prepares`: whether the command runs
 * that prepares the target.
 */
async function settingsFrom(
  values: Partial<Values<typeof doctorFlags>> & { require?: string[] },
  terminal: SafeTerminal,
  { usual = {}, prepares = false }: { usual?: Config; prepares?: boolean } = {},
): Promise<Settings> {
  const { config: file, color, headers: lines, require: required = [], ...given } = values;
  const config = { ...usual, ...(file === undefined ? {} : loadConfig(file)) };
  const { apiKey = '', otherApiKey, headers = {} } = config;
  terminal.learn(secretsOf({ apiKey, otherApiKey, headers }));
  const settled = Object.fromEntries(Object.entries(given).filter(([key]) => Object.hasOwn(configKeys, key)));
  const hosting = given.hostMcpUrl === undefined ? {} : { hostMcpServer: true };
  const reading = given.noAllowWrites ? { allowWrites: false, allowDestructive: false } : {};
  const named = { headers: parseHeaders(lines), require: parseRequired(required) };
  const flags = { ...hosting, ...settled, ...reading, ...named };
  const settings = resolveSettings(
    await withCommands(config, flags, { prepares, environment: terminal.environment, signal: stopSignal(terminal) }),
    flags,
  );
  terminal.learn(secretsOf(settings));
  return settings;
}

// Errors do not quote the line: it may hold a secret.
function parseHeaders(lines: readonly string[] = []): Record<string, string> {
  const headers = lines.map((line) => {
    const end = line.indexOf(':');
    if (end < 1) throw new UsageError("--header takes 'Name: value'.");
    return [line.slice(0, end).trim(), line.slice(end + 1).trim()];
  });
  return Object.fromEntries(headers);
}
