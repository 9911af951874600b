import { readFileSync } from 'node:fs';
import {
  allChecks,
  compareReports,
  describeDiagnosis,
  diagnose,
  loadConfig,
  parseReport,
  type Report,
  resolveSettings,
  type Settings,
  SuiteError,
  secretsOf,
  toComparison,
} from '../../conformance/index.ts';
import type { Options, Values } from '../../openapi/contract/options.ts';
import { say } from '../../openapi/reading/sentence.ts';
import { compareFlags, configKeys, conformanceFlags, doctorFlags } from './conformance-options.ts';
import { judge, suiteTool } from './conformance-run.ts';
import { readCommandLine, readOptions, secretsIn, UsageError } from './read-options.ts';
import { hideSecrets, runSafely, type SafeTerminal } from './secret-safe-output.ts';
import { stopSignal, type Terminal, wantsColor } from './terminal.ts';

/** `agent-platform conformance`: judges a target, or shows what a run would do. The exit code. */
export const runConformance = command('conformance', conformanceFlags, async (args, terminal) => {
  const values = readOptions(conformanceFlags, args, terminal.environment);
  return judge(args, values, terminal, () => settingsFrom(values, terminal));
});

/** `agent-platform conformance doctor`: shows whether a target can be judged, and what is missing. The exit code. */
export const runDoctor = command('conformance doctor', doctorFlags, async (args, terminal) => {
  const values = readOptions(doctorFlags, args, terminal.environment);
  const settings = settingsFrom(values, terminal);
  const diagnosis = await diagnose(settings, suiteTool(), stopSignal(terminal));
  const color = wantsColor(values, terminal);
  terminal.write(describeDiagnosis(diagnosis, allChecks(), settings, { color }));
  return 0;
});

/** `agent-platform conformance compare`: shows what changed between two reports. Exit code 1 for a new failure. */
export const runCompare = command('conformance compare', conformanceFlags, async (args, terminal) => {
  const { values, operands } = readCommandLine(compareFlags, args, terminal.environment);
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

/** A command that never prints a secret. `options` names the secret ones. */
function command(name: string, options: Options, run: Run) {
  return (args: readonly string[], terminal: Terminal): Promise<number> => {
    const safe = hideSecrets(terminal, secretsIn(options, args, terminal.environment));
    return runSafely(safe, name, () => run(args, safe));
  };
}

/** The settings of a run: flags over environment over the file of `--config`. */
function settingsFrom(values: Values<typeof doctorFlags>, terminal: SafeTerminal): Settings {
  const { config: file, color, headers: lines, ...given } = values;
  const config = file === undefined ? {} : loadConfig(file);
  const { apiKey = '', otherApiKey, headers = {} } = config;
  terminal.learn(secretsOf({ apiKey, otherApiKey, headers }));
  const settled = Object.fromEntries(Object.entries(given).filter(([key]) => Object.hasOwn(configKeys, key)));
  const hosting = given.hostMcpUrl === undefined ? {} : { hostMcpServer: true };
  const settings = resolveSettings(config, { ...hosting, ...settled, headers: parseHeaders(lines) });
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

function loadReport(file: string): Report {
  try {
    return parseReport(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof SuiteError) throw error;
    throw new SuiteError('FILE_UNREADABLE', say`${file} cannot be read. Check that it exists and may be read.`);
  }
}
