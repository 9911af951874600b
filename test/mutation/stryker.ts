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
  /** The kind of the fault, as Stryker names it. */
  kind: string;
  /** What stands there instead. */
  becomes: string;
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'CompileError' | 'Ignored' | 'Pending';
}

/** Makes each fault that Stryker knows in the files of a part, one at a time, and runs the tests that reach it. */
export async function mutate(name: string, part: MutatedPart, work: TemporaryFolder): Promise<Mutant[]> {
  await install();
  const report = work.at(`${name}.json`);
  const config = work.at(`${name}.config.json`);
  writeFileSync(config, JSON.stringify(configOf(part, report)));
  const stryker = [`${modules}/core/bin/stryker.js`, 'run', config];
  await run(process.execPath, stryker, { MUTATION_TESTS: part.tests.join(',') });
  return mutantsIn(readFileSync(report, 'utf8'));
}

// Of no use to anybody who does not look for faults in the tests: `npm ci` does not install it.
async function install(): Promise<void> {
  if (existsSync(modules)) return;
  await run('npm', ['ci', '--prefix', folder], {});
}

function configOf({ files }: MutatedPart, report: string): object {
  return {
    plugins: [`${modules}/vitest-runner/dist/src/index.js`],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    mutate: files,
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
  location: { start: { line: number } };
}

function mutantsIn(text: string): Mutant[] {
  const { files }: StrykerReport = JSON.parse(text);
  return Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.map(({ mutatorName, replacement = '', status, location }) => ({
      ...{ file, line: location.start.line, kind: mutatorName, becomes: replacement, status },
    })),
  );
}
