/** Other ways to get the package than its tarball, and the tarball made twice. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWhole } from '../support/depth.ts';
import { checkout, copyCheckout, inProject, npm, pack, packed } from '../support/packing.ts';
import { run, type ShellOptions, succeed, type TemporaryFolder, temporaryFolder } from '../support/shell.ts';
import { timeLimit } from '../support/time-limit.ts';

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = temporaryFolder('installing');
  await copyCheckout(folder.at('clone'));
  await git(['init', '--quiet', '--initial-branch=main'], folder.at('clone'));
  await git(['add', '--all'], folder.at('clone'));
  await git(['-c', 'user.name=a', '-c', 'user.email=a@a.test', 'commit', '--quiet', '--message=a'], folder.at('clone'));
});

afterAll(() => folder.remove());

function git(args: readonly string[], cwd: string): Promise<string> {
  return succeed('git', args, { cwd });
}

/** A folder with a manifest; where to run npm in it, with time to install what builds the package. */
function projectAt(name: string, manifest: object): ShellOptions {
  mkdirSync(folder.at(name), { recursive: true });
  writeFileSync(folder.at(name, 'package.json'), JSON.stringify({ private: true, type: 'module', ...manifest }));
  const development = join(checkout, 'node_modules', '.bin');
  return { ...inProject(folder.at(name)), programs: [development], timeoutMs: timeLimit(400_000) };
}

const program = `
import { createMock } from 'agent-platform-contract';
const mock = await createMock();
const { status } = await fetch(mock.url + '/drives', { headers: { 'X-API-Key': mock.keys[0] } });
console.log(status);
await mock.close();
`;

async function expectUsable(shell: ShellOptions): Promise<void> {
  expect(await succeed('node', ['--input-type=module', '--eval', program], shell)).toBe('200\n');
  expect(await succeed('npx', ['--no', '--', 'agent-platform-contract', '--version'], shell)).toMatch(
    /^\d+\.\d+\.\d+\n$/,
  );
}

describe('from git', () => {
  // As the address of a hosted repository: git is told to look for it in the folder.
  const hosted = 'https://git.example.test/team/agent-platform-contract.git';

  test('npm builds the package', async () => {
    const shell = projectAt('from-git', {});
    const config = folder.at('gitconfig');
    writeFileSync(config, `[url "file://${folder.at('clone')}"]\n  insteadOf = ${hosted}\n`);
    // npm 12 takes no git dependency without this; npm 10 does not know it.
    const allowed = ['install', '--prefer-offline', '--allow-git=root', '--save-dev', `git+${hosted}#main`];
    await npm(allowed, { ...shell, environment: { GIT_CONFIG_GLOBAL: config } });
    const installed = folder.at('from-git', 'node_modules', 'agent-platform-contract');
    expect(readdirSync(installed).sort()).toEqual([
      ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'],
      ...['dist', 'docs', 'examples', 'package.json'],
    ]);
    await expectUsable(shell);
  });
});

// As from git, npm installs what builds the package.
describe.runIf(isWhole)('as a workspace', () => {
  test('npm builds the clone for the members that depend on it', async () => {
    const shell = projectAt('workspace', { workspaces: ['packages/*'] });
    await git(['clone', '--quiet', folder.at('clone'), folder.at('workspace/packages/contract')], folder.path);
    const member = projectAt('workspace/packages/web', {
      ...{ name: 'web', version: '1.0.0', dependencies: { 'agent-platform-contract': '*' } },
    });
    await npm(['install', '--prefer-offline'], shell);
    await expectUsable(member);
  });
});

describe('npm pack', () => {
  let first: Buffer;
  let second: Buffer;

  beforeAll(async () => {
    first = readFileSync(await packed());
    second = readFileSync(await pack(folder.at('other', 'deeper')));
  });

  test('makes the same bytes at another time in another place', () => {
    expect(first.length).toBeGreaterThan(100_000);
    expect(second.equals(first)).toBe(true);
  });

  test('leaves the manifest as it was', () => {
    expect(readFileSync(folder.at('other', 'deeper', 'package.json'), 'utf8')).toBe(
      readFileSync(join(checkout, 'package.json'), 'utf8'),
    );
  });
});

describe('npm ci in a clone', () => {
  test('builds nothing: the script that npm runs then ends at once', async () => {
    const clone = folder.at('clone');
    const script = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')).scripts.prepare;
    const done = await run('sh', ['-c', script], { cwd: clone, environment: { npm_config_local_prefix: clone } });
    expect(done).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(readdirSync(clone)).not.toContain('dist');
  });

  test('says what is missing where a project installs the clone without what builds it', async () => {
    const { exitCode, stderr } = await run('node', ['.ci/prepare.mjs'], { cwd: folder.at('clone') });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^agent-platform-contract is not built: /);
  });
});
