import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseReport } from '../../conformance/report/parse-report.ts';
import { installExample } from '../support/examples.ts';
import { checkout, npmMs } from '../support/packing.ts';
import { run, type ShellOptions, type TemporaryFolder, temporaryFolder } from '../support/shell.ts';
import { timeLimit } from '../support/time-limit.ts';

let folder: TemporaryFolder;
let shell: ShellOptions;

beforeAll(async () => {
  folder = temporaryFolder('example-conformance-ci');
  shell = await installExample('conformance-ci', folder);
});
afterAll(() => folder.remove());

const at = (...segments: string[]) => join(shell.cwd, ...segments);

interface Step {
  run?: string;
  with?: Record<string, unknown>;
}

function stepsOfJob(): Step[] {
  return parse(readFileSync(at('.github/workflows/conformance.yaml'), 'utf8')).jobs.conformance.steps;
}

/** Runs the last command of the job; the one before it has installed the packages. */
function runJob() {
  const command = stepsOfJob().findLast((step) => step.run !== undefined)?.run ?? '';
  return run('sh', ['-c', command], { ...shell, timeoutMs: timeLimit(npmMs) });
}

/** A file, a part of it, and what stands in its place. */
type Change = readonly [file: string, part: string, by: string];

/** Runs the job with changed files, and puts them back. */
async function runJobWith(...changes: Change[]) {
  const texts = changes.map(([file]) => readFileSync(at(file), 'utf8'));
  for (const [index, [file, part, by]] of changes.entries()) {
    expect(texts[index]).toContain(part);
    writeFileSync(at(file), (texts[index] ?? '').replace(part, by));
  }
  try {
    return await runJob();
  } finally {
    for (const [index, [file]] of changes.entries()) writeFileSync(at(file), texts[index] ?? '');
  }
}

// As the README says it.
const repair: Change = ['src/agents.js', 'row.has_changes,', 'row.has_changes === 1,'];

describe('the example of a conformance job', () => {
  it('is green, keeps readable reports, and its README shows the verdict and the counts', async () => {
    const { exitCode, stdout, stderr } = await runJob();
    expect({ exitCode, end: stdout.slice(-2_000), stderr }).toMatchObject({ exitCode: 0 });
    const artefact = String(stepsOfJob().at(-1)?.with?.path);
    const report = (file: string) => readFileSync(at(artefact, `conformance.${file}`), 'utf8');
    const { failed, warned, inconclusive } = parseReport(report('json'), 'the report').summary;
    expect({ failed, warned, inconclusive }).toEqual({ failed: 1, warned: 1, inconclusive: 0 });
    for (const format of ['junit.xml', 'html', 'md']) expect(report(format)).toContain('listAgents.flags-are-booleans');
    const [result = ''] = /^Expected failures[\s\S]*?skipped\n/m.exec(stdout) ?? [];
    const [verdict = ''] = /^[A-Z-]+: .*\n/m.exec(stdout) ?? [];
    expect(verdict).toBe('NON-CONFORMANT: 1 check failed, as expected\n');
    const readme = join(checkout, 'examples/conformance-ci/README.md');
    const block = `\`\`\`text\n${result}…\n\n${verdict}\`\`\``;
    const shown = readFileSync(readme, 'utf8').replace(/```text\n[\s\S]*?```/, () => block);
    await expect(shown).toMatchFileSnapshot(readme);
  });

  it('is red when an expected failure is repaired', async () => {
    const { exitCode, stdout } = await runJobWith(repair);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('listAgents.flags-are-booleans did not fail: remove it from the list');
  });

  it('is green again once the repaired failure is out of the list', async () => {
    const [entry = ''] = /^- check: listAgents.*\n.*\n/m.exec(readFileSync(at('expected-failures.yaml'), 'utf8')) ?? [];
    const { exitCode, stdout } = await runJobWith(repair, ['expected-failures.yaml', entry, '']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('0 failed, 1 warned');
  });

  it('is red when a failure is not in the list', async () => {
    const { exitCode, stdout } = await runJobWith(['expected-failures.yaml', 'updateDriveFile.', 'createDrive.']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('WARNED updateDriveFile.no-server-error');
  });

  it('is red when the service does not start', async () => {
    const { exitCode, stderr } = await runJobWith(['schema.sql', 'CREATE TABLE agents', 'CREATE agents']);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('syntax error');
  });
});
