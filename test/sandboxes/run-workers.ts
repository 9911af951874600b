/** Runs tests in sandboxes with Vitest, as a team would: a child process with so many workers, against one mock. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { run, type TemporaryFolder, temporaryFolder } from '../support/shell.ts';
import type { SandboxPlan } from './sandbox-tests.ts';

/** How a run ended. */
export interface WorkersRun {
  passed: number;
  /** What the failed tests and files say. */
  failures: string[];
  /** From the start of Vitest to its end. */
  wallMs: number;
}

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const sandboxTests = fileURLToPath(new URL('sandbox-tests.ts', import.meta.url));
const limitMs = 240_000;

/** Runs one file of tests for each plan, as many of them at a time as there are workers. */
export async function runWorkers(baseUrl: string, plans: readonly SandboxPlan[], workers: number): Promise<WorkersRun> {
  const folder = temporaryFolder('sandboxes');
  try {
    writeFiles(folder, baseUrl, plans);
    writeFileSync(folder.at('vitest.config.mjs'), `export default { test: ${JSON.stringify(settings(workers))} };\n`);
    const startedMs = performance.now();
    const { stderr, stdout } = await run(process.execPath, [vitest, 'run'], { cwd: folder.path, timeoutMs: limitMs });
    const wallMs = performance.now() - startedMs;
    return { ...readResult(folder.at('result.json'), stderr || stdout), wallMs };
  } finally {
    folder.remove();
  }
}

function writeFiles(folder: TemporaryFolder, baseUrl: string, plans: readonly SandboxPlan[]): void {
  const head = `import { defineSandboxTests } from ${JSON.stringify(sandboxTests)};`;
  for (const [index, plan] of plans.entries()) {
    const call = `defineSandboxTests(${JSON.stringify(baseUrl)}, ${JSON.stringify(plan)});`;
    writeFileSync(folder.at(`sandbox-${index + 1}.test.ts`), `${head}\n${call}\n`);
  }
}

// Threads that keep what they have loaded: otherwise mostly the start of Node would be measured.
function settings(workers: number) {
  return {
    ...{ pool: 'threads', isolate: false, maxWorkers: workers, testTimeout: 120_000, hookTimeout: 120_000 },
    ...{ reporters: ['json'], outputFile: 'result.json' },
  };
}

interface JsonReport {
  numPassedTests: number;
  testResults: { message: string; assertionResults: { failureMessages: string[] }[] }[];
}

function readResult(file: string, complaint: string): Pick<WorkersRun, 'passed' | 'failures'> {
  if (!existsSync(file)) throw new Error(`Vitest wrote no result: ${complaint}`);
  const { numPassedTests, testResults }: JsonReport = JSON.parse(readFileSync(file, 'utf8'));
  const failures = testResults.flatMap(({ message, assertionResults }) => [
    ...(message === '' ? [] : [message]),
    ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
  ]);
  return { passed: numPassedTests, failures };
}
