/** Runs the examples in a project that has the package and the tools that they need. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { inProject, npm, packed } from './packing.ts';
import { run, type ShellOptions, succeed, type TemporaryFolder } from './shell.ts';
import { timeLimit } from './time-limit.ts';

const limitMs = timeLimit(240_000);

const tools = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Copies an example into a project, as its user would. It uses the tools of the checkout: none is fetched. */
export function copyExample(example: string, project: ShellOptions): ShellOptions {
  const cwd = join(project.cwd, basename(example));
  cpSync(example, cwd, { recursive: true });
  for (const name of ['vitest', '@playwright/test']) {
    const link = join(project.cwd, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(join(tools, name), link);
  }
  return { ...project, cwd, programs: [...(project.programs ?? []), join(tools, '.bin')] };
}

/** Takes an example that has its own manifest out of the tarball into a folder, and installs what it needs. */
export async function installExample(name: string, folder: TemporaryFolder): Promise<ShellOptions> {
  const tarball = await packed();
  await succeed('tar', ['-xzf', tarball, `package/examples/${name}`], { cwd: folder.path });
  const { cwd, programs } = inProject(folder.at('package', 'examples', name));
  // Uses the Node of the tests.
  const shell = { cwd, programs: [...programs, dirname(process.execPath)] };
  const manifest = join(cwd, 'package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('file:../..', `file:${tarball}`));
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund'], shell);
  return shell;
}

interface VitestReport {
  numPassedTests: number;
  testResults: { message: string; assertionResults: { failureMessages: string[] }[] }[];
}

/** Runs the Vitest example, with a running mock if its base URL is given. */
export async function runVitestExample(shell: ShellOptions, baseUrl?: string) {
  const running: Record<string, string> = baseUrl === undefined ? {} : { AGENT_PLATFORM_BASE_URL: baseUrl };
  const args = ['run', '--reporter=json', '--outputFile=result.json'];
  const { numPassedTests, testResults } = await resultOf<VitestReport>('vitest', args, shell, running);
  const failures = testResults.flatMap(({ message, assertionResults }) => [
    ...(message === '' ? [] : [message]),
    ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
  ]);
  return { files: testResults.length, passed: numPassedTests, failures };
}

interface PlaywrightError {
  message?: string;
}

interface PlaywrightReport {
  suites: { specs: { tests: { results: { workerIndex: number; status: string; errors: PlaywrightError[] }[] }[] }[] }[];
  errors: PlaywrightError[];
}

/** Runs an example with Playwright and the browser at a path. It starts everything that it needs. */
export async function runPlaywrightExample(shell: ShellOptions, browser: string, command = ['playwright', 'test']) {
  const environment = { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: 'result.json' };
  const [program = '', ...args] = [...command, '--reporter=json'];
  const { suites, errors } = await resultOf<PlaywrightReport>(program, args, shell, environment);
  const tests = suites.flatMap(({ specs }) => specs.flatMap((spec) => spec.tests));
  const results = tests.flatMap((test) => test.results);
  return {
    passed: results.filter(({ status }) => status === 'passed').length,
    failures: [...errors, ...results.flatMap((result) => result.errors)].map(toText),
    workers: new Set(results.map(({ workerIndex }) => workerIndex)).size,
  };
}

function toText({ message = '' }: PlaywrightError): string {
  return stripVTControlCharacters(message);
}

/** The number of sandboxes of a mock. */
export async function sandboxesAt(baseUrl: string): Promise<number> {
  const { sandboxes }: { sandboxes: { count: number } } = await (
    await fetch(new URL('/__admin/settings', baseUrl))
  ).json();
  return sandboxes.count;
}

async function resultOf<Report>(
  command: string,
  args: readonly string[],
  shell: ShellOptions,
  environment: Record<string, string>,
): Promise<Report> {
  const options = { ...shell, environment: { ...shell.environment, ...environment }, timeoutMs: limitMs };
  const file = join(shell.cwd, 'result.json');
  rmSync(file, { force: true });
  const { stdout, stderr } = await run(command, args, options);
  if (!existsSync(file)) throw new Error(`${command} wrote no result:\n${stderr || stdout}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}
