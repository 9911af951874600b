import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TemporaryFolder } from '../../test/support/shell.ts';
import { type MutatedPart, recorders } from './parts.ts';
import { runGroup } from './run-group.ts';
import { type Draw, drawnIds, type MutationPlan } from './warm/drawing.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = fileURLToPath(new URL('.', import.meta.url));
const modules = `${folder}node_modules/@stryker-mutator`;

/** One fault that was made in a file, and what became of it. */
export interface Mutant {
  id: string;
  file: string;
  line: number;
  /** The line where it starts, without what is around it. */
  text: string;
  /** What stands there without the fault. */
  was: string;
  /** The kind of the fault, as Stryker names it. */
  kind: string;
  /** What stands there instead. */
  becomes: string;
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'CompileError' | 'Ignored' | 'Pending';
}

/** The faults of a part that were tried, and how many Stryker knows there. */
export interface Mutation {
  mutants: Mutant[];
  total: number;
}

// Most faults are noticed in a moment. A test that takes longer than all these together seldom notices another one.
const quickPlan: MutationPlan = { isFresh: false, budgetMs: 3000 };
const thoroughPlan: MutationPlan = { isFresh: true, budgetMs: 40_000 };

/**
 * Makes each fault that Stryker knows in the files of a part, or a sample of them, one at a time, and runs the tests that
 * reach it: first the quick ones, and for what they miss all.
 */
export async function mutate(part: MutatedPart, work: TemporaryFolder, sample?: Draw['sample']): Promise<Mutation> {
  await install();
  const { files, quickTests, tests } = part;
  await record(quickTests, work);
  const all = await runStryker(files, quickTests, { ...quickPlan, ...(sample && { sample }) }, work);
  const drawn = drawnIds(
    all.map(({ id }) => id),
    sample === undefined ? {} : { sample },
  );
  const mutants = all.filter(({ id }) => drawn.has(id));
  const ids = mutants.filter(isMissed).map(({ id }) => id);
  if (ids.length === 0 || tests.length === 0) return { mutants, total: all.length };
  const again = await runStryker(files, [...quickTests, ...tests], { ...thoroughPlan, ids }, work);
  const after = new Map(again.map((mutant) => [mutant.id, mutant]));
  const missed = new Set(ids);
  return { mutants: mutants.map((one) => (missed.has(one.id) ? (after.get(one.id) ?? one) : one)), total: all.length };
}

/** Whether no test failed with a fault. */
export const isMissed = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage';

/** Whether a test failed with it, or hung. */
export const isNoticed = ({ status }: Mutant): boolean => status === 'Killed' || status === 'Timeout';

// Once for all runs, and with the sources as they are: with Stryker's faults in them, which are off, it takes far longer.
async function record(tests: readonly string[], work: TemporaryFolder): Promise<void> {
  const recording = tests.filter((test) => recorders.has(test));
  if (recording.length === 0) return;
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'proof/mutation/vitest.config.ts'];
  await runGroup(root, process.execPath, vitest, { MUTATION_TESTS: recording.join(','), MUTATION_RECORDS: work.path });
}

async function runStryker(
  files: readonly string[],
  tests: readonly string[],
  plan: Draw & MutationPlan,
  work: TemporaryFolder,
) {
  const report = work.at('report.json');
  const config = work.at('config.json');
  writeFileSync(config, JSON.stringify(configOf(files, report)));
  const stryker = [`${modules}/core/bin/stryker.js`, 'run', config];
  await runGroup(root, process.execPath, stryker, {
    MUTATION_TESTS: tests.join(','),
    // As JSON: a pattern may have a comma in it.
    MUTATION_FILES: JSON.stringify(files),
    MUTATION_PLAN: JSON.stringify(plan),
    MUTATION_RECORDS: work.path,
  });
  return mutantsIn(readFileSync(report, 'utf8'));
}

// Of no use to anybody who does not look for faults in the tests: `npm ci` does not install it.
async function install(): Promise<void> {
  if (existsSync(modules)) return;
  await runGroup(root, 'npm', ['ci', '--prefix', folder], {});
}

function configOf(places: readonly string[], report: string): object {
  return {
    plugins: [`${folder}warm/plugin.ts`],
    testRunner: 'warm',
    mutate: places,
    // What is written in YAML loads much faster as JSON, and each fault loads it.
    buildCommand: `${process.execPath} proof/mutation/write-twins.ts`,
    coverageAnalysis: 'perTest',
    // What runs when a module is loaded would need a new process for each fault.
    ignoreStatic: true,
    concurrency: Number(process.env.MUTATION_WORKERS ?? 2),
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 60,
    reporters: ['json', 'dots'],
    jsonReporter: { fileName: report },
    allowConsoleColors: false,
    disableTypeChecks: false,
    ignorePatterns: [
      'biome.json',
      'examples/*',
      '!examples/*.json',
      'dist',
      'proof/mutation/node_modules',
      'proof/held-out',
    ],
    tempDirName: '.stryker-tmp',
  };
}

interface StrykerReport {
  files: Record<string, { source: string; mutants: StrykerMutant[] }>;
}

interface StrykerMutant {
  id: string;
  mutatorName: string;
  replacement?: string;
  status: Mutant['status'];
  location: Record<'start' | 'end', { line: number; column: number }>;
}

function mutantsIn(text: string): Mutant[] {
  const { files }: StrykerReport = JSON.parse(text);
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.map((mutant) => ({ file, ...toMutant(mutant, lines) }));
  });
}

function toMutant({ id, mutatorName, replacement = '', status, location }: StrykerMutant, lines: readonly string[]) {
  const { start, end } = location;
  const inside = lines.slice(start.line - 1, end.line);
  const last = inside.length - 1;
  inside[last] = (inside[last] ?? '').slice(0, end.column - 1);
  inside[0] = (inside[0] ?? '').slice(start.column - 1);
  return {
    ...{ id, line: start.line, text: (lines[start.line - 1] ?? '').trim(), was: inOneLine(inside.join(' ')) },
    ...{ kind: mutatorName, becomes: inOneLine(replacement), status },
  };
}

/** As one line: long ones are cut. */
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 100);
