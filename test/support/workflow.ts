/** Runs the job of a workflow, as far as that needs no server: its run lines in bash, and those of local actions. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { run, type ShellOptions } from './shell.ts';

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

export interface JobResult {
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

/** Runs a job of a workflow in a project. `skipped`: run lines that were executed before. */
export async function runJob(file: string, job: string, shell: ShellOptions, skipped: readonly string[]) {
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
