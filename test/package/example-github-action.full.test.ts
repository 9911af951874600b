/** The jobs of the workflow, with the run lines of the two actions in bash. Checkout, Node and upload are not run. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseReport } from '../../conformance/report/parse-report.ts';
import { installExample } from '../support/examples.ts';
import { freePort } from '../support/free-port.ts';
import { npmMs } from '../support/packing.ts';
import { type ShellOptions, type TemporaryFolder, temporaryFolder } from '../support/shell.ts';
import { runJob as runJobOf } from '../support/workflow.ts';

const workflow = '.github/workflows/test.yaml';

let folder: TemporaryFolder;
let shell: ShellOptions;
const groups: number[] = [];

beforeAll(async () => {
  folder = temporaryFolder('example-github-action');
  shell = { ...(await installExample('github-action', folder)), timeoutMs: npmMs };
  const port = String(await freePort());
  for (const file of [workflow, 'package.json', 'conformance.yaml']) {
    change(file, (text) => text.replaceAll('4020', port));
  }
});
afterAll(() => {
  for (const group of groups) end(group);
  folder.remove();
});

const at = (...segments: string[]) => join(shell.cwd, ...segments);

function change(file: string, by: (text: string) => string): void {
  const text = readFileSync(at(file), 'utf8');
  writeFileSync(at(file), by(text));
}

function end(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Runs a job; the packages are installed. `given`: what the action of the mock is given. */
async function runJob(name: string, given = '') {
  change(workflow, (text) => text.replace(/with: \{ port: .*\}/, `with: { port: ${given} }`));
  const result = await runJobOf(at(workflow), name, shell, ['npm install']);
  groups.push(...result.groups);
  return result;
}

describe('the example of actions for GitHub', () => {
  it('has a file for the mock and one for the suite', () => {
    expect(globSync('.github/actions/*/action.yml', { cwd: shell.cwd }).sort()).toEqual([
      '.github/actions/conformance/action.yml',
      '.github/actions/mock/action.yml',
    ]);
  });

  it('starts the mock, which the tests of a frontend find, unless something else has its port', async () => {
    const port = String(await freePort());
    const result = await runJob('frontend', port);
    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/pass 1/) });
    expect(Object.keys(result.used)).toEqual(['actions/checkout@v4', 'actions/setup-node@v4']);
    expect((await fetch(new URL('/__admin/health', result.outputs['base-url'] ?? ''))).status).toBe(200);
    const { exitCode, stdout } = await runJob('frontend', port);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`::error::Port ${port} is in use.`);
  });

  it('says why the mock does not start', async () => {
    const { exitCode, stdout } = await runJob('frontend', `${await freePort()}, options: --no`);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^::error::The mock did not start\.\n.*--no/m);
  });

  it('judges a server, and keeps the reports', async () => {
    const { exitCode, stdout, stderr, used } = await runJob('server');
    expect({ exitCode, end: stdout.slice(-2_000), stderr }).toMatchObject({ exitCode: 0 });
    const { path = '' } = used['actions/upload-artifact@v4'] ?? {};
    for (const ending of ['html', 'md', 'junit.xml']) expect(existsSync(at(path, `conformance.${ending}`))).toBe(true);
    const report = parseReport(readFileSync(at(path, 'conformance.json'), 'utf8'), 'the report');
    expect(report).toMatchObject({ verdict: 'conformant', run: { targetName: '4f1c2ab' } });
  });
});
