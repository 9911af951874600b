/** The command lines that we print, typed where they were printed. */
import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { checkout, createProject, inProject, install, npm, packed } from '../support/packing.ts';
import { type Finished, run, type ShellOptions, type TemporaryFolder, temporaryFolder } from '../support/shell.ts';

let folder: TemporaryFolder;
let mock: Mock;
const environment = { AGENT_PLATFORM_API_KEY: 'demo-key', AGENT_PLATFORM_PORT: '0' };

/** Where the command runs, and how a reader starts it there. */
interface Place {
  shell(): ShellOptions;
  command(words: string): string;
}

const inCheckout = { ...inProject(checkout), environment };
const inUserProject = () => ({ ...inProject(folder.at('project')), environment });
const globalPrefix = () => folder.at('global');

const clone: Place = {
  shell: () => inCheckout,
  command: (words) => `npm run --silent ${words.replace(' ', ' -- ')}`,
};
const project: Place = {
  shell: inUserProject,
  command: (words) => `npx agent-platform-contract ${words}`,
};
const globally: Place = {
  shell: () => ({ ...inCheckout, cwd: folder.path, programs: [join(globalPrefix(), 'bin'), ...inCheckout.programs] }),
  command: (words) => `agent-platform-contract ${words}`,
};
beforeAll(async () => {
  folder = temporaryFolder('printed');
  const tarball = await packed();
  await createProject(folder.at('project'), '24');
  await install([tarball], inUserProject());
  // Node looks for no tests among packages.
  cpSync(join(checkout, 'examples'), folder.at('project', 'examples'), {
    recursive: true,
    filter: (path) => basename(path) !== 'node_modules',
  });
  await npm(['install', '--global', '--prefer-offline', '--prefix', globalPrefix(), tarball], inCheckout);
  mock = await createMock();
  mock.faults.add({ effect: { status: { code: 500 } }, operations: ['listDrives'] });
});

afterAll(async () => {
  await mock.close();
  folder.remove();
});

function typed(line: string, shell: ShellOptions): Promise<Finished> {
  return run('sh', ['-c', line], shell);
}

/** The first line that was printed after this word. */
function printedAfter(word: string, { stdout, stderr }: Finished): string {
  const [, line] = new RegExp(`^ *${word} +(.+?)\\.?$`, 'm').exec(stdout + stderr) ?? [];
  if (line === undefined) throw new Error(`There is no ${word} in:\n${stdout}${stderr}`);
  return line;
}

describe.each([
  ['a clone', clone],
  ['a project', project],
  ['a machine with a global installation', globally],
])('in %s', (_, { shell, command }) => {
  test('the help that an error names can be called', async () => {
    const refused = await typed(command('mock --prot 1').replace('run --silent mock', 'start --silent'), shell());
    expect(refused.exitCode).toBe(2);
    const helped = await typed(printedAfter('See', refused), shell());
    expect([helped.exitCode, helped.stdout]).toEqual([0, expect.stringContaining('Usage: ')]);
  });

  test('a failed check can be run again', async () => {
    const args = `conformance --base-url ${mock.url} --api-key demo-key --only listDrives.is-served`;
    const failed = await typed(command(args), shell());
    expect(failed.exitCode).toBe(1);
    const again = await typed(printedAfter('Run only this check', failed), shell());
    expect([again.exitCode, again.stdout]).toEqual([1, expect.stringContaining('FAILED listDrives.is-served')]);
  });
});

describe.each([
  ['a clone', clone],
  ['a project', project],
])('in %s', (_, { shell, command }) => {
  test('a dependency can be searched again, and tried by hand', async () => {
    const tests = 'node --test examples/frontend/drive-browser.test.js';
    const options = '--impact hidden --repeat 1 --parallel 2 --profile examples/frontend/profile.yaml';
    const found = await typed(command(`vary ${options} -- ${tests}`), shell());
    expect(found.exitCode).toBe(1);
    const again = await typed(printedAfter('Again', found), shell());
    expect([again.exitCode, again.stdout]).toEqual([1, expect.stringContaining('Your tests rely on idFormat')]);
    // It would serve until it is stopped: a port in use shows that it came so far.
    const { port } = new URL(mock.url);
    const taken = { ...shell(), environment: { ...environment, AGENT_PLATFORM_PORT: port } };
    const byHand = await typed(printedAfter('By hand', found), taken);
    expect([byHand.exitCode, byHand.stderr]).toEqual([
      1,
      expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`),
    ]);
  });
});
