import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TemporaryFolder } from '../support/shell.ts';
import type { MutatedPart } from './parts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = fileURLToPath(new URL('.', import.meta.url));
const modules = `${folder}node_modules/@stryker-mutator`;

/** One fault that was made in a file, and what became of it. */
export interface Mutant {
  file: string;
  line: number;
  /** From where to where: `1:5-1:9`, lines and columns. */
  range: string;
  /** The kind of the fault, as Stryker names it. */
  kind: string;
  /** What stands there instead. */
  becomes: string;
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'CompileError' | 'Ignored' | 'Pending';
}

/**
 * Makes each fault that Stryker knows in the files of a part, one at a time, and runs the tests that reach it: first the
 * quick ones, and for what they miss all.
 */
export async function mutate({ files, quickTests, tests }: MutatedPart, work: TemporaryFolder): Promise<Mutant[]> {
  await install();
  const mutants = await runStryker(files, quickTests, work);
  const missed = mutants.filter(isMissed);
  if (missed.length === 0) return mutants;
  const again = await runStryker(missed.map(placeOf), [...quickTests, ...tests], work);
  const noticed = new Set(again.filter(isNoticed).map(keyOf));
  return mutants.map((mutant) => (noticed.has(keyOf(mutant)) ? { ...mutant, status: 'Killed' } : mutant));
}

/** Whether no test failed with a fault. */
export const isMissed = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage';

/** Whether a test failed with it, or hung. */
export const isNoticed = ({ status }: Mutant): boolean => status === 'Killed' || status === 'Timeout';

// Whole lines: with columns, Stryker leaves out some of what it reported there.
const placeOf = ({ file, range }: Mutant) => `${file}:${range.replaceAll(/:\d+/g, '')}`;
const keyOf = ({ file, range, kind, becomes }: Mutant) => JSON.stringify([file, range, kind, becomes]);

async function runStryker(places: readonly string[], tests: readonly string[], work: TemporaryFolder) {
  const report = work.at('report.json');
  const config = work.at('config.json');
  writeFileSync(config, JSON.stringify(configOf(places, report)));
  const stryker = [`${modules}/core/bin/stryker.js`, 'run', config];
  await run(process.execPath, stryker, { MUTATION_TESTS: tests.join(',') });
  return mutantsIn(readFileSync(report, 'utf8'));
}

// Of no use to anybody who does not look for faults in the tests: `npm ci` does not install it.
async function install(): Promise<void> {
  if (existsSync(modules)) return;
  await run('npm', ['ci', '--prefix', folder], {});
}

function configOf(places: readonly string[], report: string): object {
  return {
    plugins: [`${modules}/vitest-runner/dist/src/index.js`],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    mutate: places,
    // What is written in YAML loads much faster as JSON, and each fault loads it.
    buildCommand: `${process.execPath} test/mutation/write-twins.ts`,
    coverageAnalysis: 'perTest',
    // What runs when a module is loaded would need a new process for each fault.
    ignoreStatic: true,
    concurrency: 2,
    timeoutMS: 10_000,
    reporters: ['json', 'dots'],
    jsonReporter: { fileName: report },
    allowConsoleColors: false,
    disableTypeChecks: false,
    ignorePatterns: ['examples', 'docs', 'dist', 'test/mutation/node_modules', 'test/power/held-out'],
    tempDirName: '.stryker-tmp',
  };
}

async function run(program: string, args: readonly string[], environment: Record<string, string>): Promise<void> {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...environment }, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}.`);
}

interface StrykerReport {
  files: Record<string, { mutants: StrykerMutant[] }>;
}

interface StrykerMutant {
  mutatorName: string;
  replacement?: string;
  status: Mutant['status'];
  location: Record<'start' | 'end', { line: number; column: number }>;
}

function mutantsIn(text: string): Mutant[] {
  const { files }: StrykerReport = JSON.parse(text);
  return Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.map(({ mutatorName, replacement = '', status, location }) => ({
      ...{ file, line: location.start.line, range: rangeOf(location), kind: mutatorName, becomes: replacement, status },
    })),
  );
}

function rangeOf({ start, end }: StrykerMutant['location']): string {
  return `${start.line}:${start.column}-${end.line}:${end.column}`;
}
