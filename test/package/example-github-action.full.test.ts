/** The jobs of the workflow, with the run lines of the two actions in bash. Checkout, Node and upload are not run. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseReport } from '../../conformance/report/parse-report.ts';
import { installExample } from '../support/examples.ts';
import { freePort } from '../support/free-port.ts';
import { npmMs } from '../support/packing.ts';
import { run, type ShellOptions, type TemporaryFolder, temporaryFolder } from '../support/shell.ts';

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

interface Step {
  id?: string;
  if?: string;
  run?: string;
  uses?: string;
  shell?: string;
  env?: Record<string, string>;
  with?: Record<string, string | number>;
}

interface Action {
  inputs?: Record<string, { default?: string }>;
  outputs?: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

interface JobResult {
  /** The exit code of the first failed step; 0 if none failed. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** Actions from elsewhere, with their inputs: they are not run. */
  used: Record<string, Record<string, string>>;
  /** The process groups of the steps, including processes that they left running. */
  groups: number[];
  /** The outputs of local actions, by name. */
  outputs: Record<string, string>;
}

/** What an expression such as `${{ inputs.port }}` can name. */
type Names = Readonly<Record<string, string>>;

/**
 * Runs the job of a workflow in a project, as far as that needs no server: its run lines in bash, and those of local
 * actions. `skipped`: run lines that were executed before.
 */
async function runJobOf(file: string, job: string, shell: ShellOptions, skipped: readonly string[]) {
  const { env = {}, steps }: { env?: Record<string, string>; steps: Step[] } = parse(readFileSync(file, 'utf8')).jobs[
    job
  ];
  const result: JobResult = { exitCode: 0, stdout: '', stderr: '', used: {}, groups: [], outputs: {} };
  const left = steps.filter(({ run: line }) => line === undefined || !skipped.includes(line));
  await runSteps(left, { shell, result, names: {}, environment: { ...env } });
  return result;
}

interface Running {
  shell: ShellOptions;
  result: JobResult;
  names: Names;
  /** Shared by all steps: a step may add to it. */
  environment: Record<string, string>;
}

async function runSteps(steps: readonly Step[], running: Running): Promise<void> {
  const { result } = running;
  for (const step of steps) {
    if (result.exitCode !== 0 && step.if !== 'always()') continue;
    const given = resolved(step.with ?? {}, running.names);
    if (step.run !== undefined) await runLines(step, running);
    else if (step.uses?.startsWith('./')) await runAction(step.uses, given, running);
    else result.used[step.uses ?? ''] = given;
  }
}

async function runAction(path: string, given: Names, running: Running): Promise<void> {
  const {
    inputs = {},
    outputs = {},
    runs,
  }: Action = parse(readFileSync(join(running.shell.cwd, path, 'action.yml'), 'utf8'));
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(inputs, name));
  if (runs.using !== 'composite' || unknown.length > 0) throw new Error(`${path}: ${runs.using}, unknown: ${unknown}`);
  const names: Record<string, string> = {};
  for (const [name, input] of Object.entries(inputs)) names[`inputs.${name}`] = given[name] ?? input.default ?? '';
  // A composite action must name the shell of each step.
  for (const step of runs.steps)
    if (step.run !== undefined && step.shell !== 'bash') throw new Error(`${path}: no shell`);
  await runSteps(runs.steps, { ...running, names });
  for (const [name, { value }] of Object.entries(outputs)) {
    running.result.outputs[name] = value.replace(expression, (_, id: string) => running.result.outputs[id] ?? '');
  }
}

const expression = /\$\{\{ ([\w.-]+) \}\}/g;

function resolved(texts: Readonly<Record<string, string | number>>, names: Names): Record<string, string> {
  const entries = Object.entries(texts).map(([name, text]) => [name, withNames(String(text), names)]);
  return Object.fromEntries(entries);
}

function withNames(text: string, names: Names): string {
  return text.replace(expression, (whole, name: string) => {
    const value = names[name];
    if (value === undefined) throw new Error(`${whole} is not known here`);
    return value;
  });
}

/** Runs the lines of a step as GitHub does, and collects what they add to the environment and the outputs. */
async function runLines(step: Step, { shell, result, names, environment }: Running): Promise<void> {
  const files = { GITHUB_ENV: join(shell.cwd, '.env-added'), GITHUB_OUTPUT: join(shell.cwd, '.outputs-added') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const given = { ...files, RUNNER_TEMP: shell.cwd, GITHUB_ACTIONS: 'true', GITHUB_SHA: '4f1c2ab', CI: 'true' };
  const lines = `echo "$$" > .group\n${withNames(step.run ?? '', names)}`;
  const { exitCode, stdout, stderr } = await run('bash', ['-eo', 'pipefail', '-c', lines], {
    ...shell,
    environment: { ...given, ...environment, ...resolved(step.env ?? {}, names) },
  });
  result.groups.push(Number(readFileSync(join(shell.cwd, '.group'), 'utf8')));
  result.stdout += stdout;
  result.stderr += stderr;
  if (exitCode !== 0) result.exitCode = exitCode;
  Object.assign(environment, pairsIn(files.GITHUB_ENV));
  for (const [name, value] of Object.entries(pairsIn(files.GITHUB_OUTPUT))) {
    result.outputs[`steps.${step.id}.outputs.${name}`] = value;
  }
}

function pairsIn(file: string): Record<string, string> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return Object.fromEntries(lines.filter((line) => line !== '').map((line) => line.split(/=(.*)/s, 2)));
}
