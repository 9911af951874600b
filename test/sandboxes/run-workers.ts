/** Runs tests in sandboxes with Vitest, as a team would: a child process with so many workers, against one mock. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runVitestExample } from '../support/examples.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/shell.ts';
import type { SandboxPlan } from './sandbox-tests.ts';

const programs = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));
const sandboxTests = fileURLToPath(new URL('sandbox-tests.ts', import.meta.url));

/** Runs one file of tests for each plan, as many of them at a time as there are workers. */
export async function runWorkers(baseUrl: string, plans: readonly SandboxPlan[], workers: number) {
  const folder = temporaryFolder('sandboxes');
  try {
    writeFiles(folder, baseUrl, plans);
    writeFileSync(folder.at('vitest.config.mjs'), `export default { test: ${JSON.stringify(settings(workers))} };\n`);
    const startedMs = performance.now();
    const { passed, failures } = await runVitestExample({ cwd: folder.path, programs: [programs] });
    return { passed, failures, wallMs: performance.now() - startedMs };
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
  return { pool: 'threads', isolate: false, maxWorkers: workers, testTimeout: 120_000, hookTimeout: 120_000 };
}
