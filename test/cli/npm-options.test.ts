import { execFile, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fullEnvironment, runCommand, serve } from '../support/command.ts';
import { isFull } from '../support/depth.ts';
import { freePort } from '../support/free-port.ts';
import { timeLimit } from '../support/time-limit.ts';

// The classic first mistakes: an option before the `--` of npm, which takes it, and the variable PORT.

const script = (command: string) => ({
  npm_lifecycle_event: command === 'mock' ? 'start' : command,
  npm_lifecycle_script: `node src/cli/main.ts ${command}`,
});

// JSON is written faster than YAML.
const contract = ['contract', '--format', 'json'];

// What npm 11 hands on for each line.
const mistakes: [line: string, args: string[], environment: Record<string, string>, says: string][] = [
  ['npm start --port 4854', ['mock', '4854'], { npm_config_port: 'true' }, 'npm start -- --port 4854'],
  ['npm start --port=4854', ['mock'], { npm_config_port: '4854' }, 'npm start -- --port 4854'],
  ['npm start --no-admin', ['mock'], { npm_config_admin: '' }, 'npm start -- --no-admin'],
  [
    'npm start --open-keys --seed my.yaml',
    ['mock', 'my.yaml'],
    { npm_config_open_keys: 'true', npm_config_seed: 'true' },
    'npm start -- --seed <file> --open-keys',
  ],
  [
    'npm run proxy --upstream=http://127.0.0.1:1/v0.1',
    ['proxy'],
    { npm_config_upstream: 'http://127.0.0.1:1/v0.1' },
    'npm run proxy -- --upstream http://127.0.0.1:1/v0.1',
  ],
  ['npm run contract --output x.yaml', ['contract', 'x.yaml'], { npm_config_output: 'true' }, '-- --output x.yaml'],
  [
    'npm run vary --max-runs=3 -- -- npm test',
    ['vary', '--', 'npm', 'test'],
    { npm_config_max_runs: '3' },
    'npm run vary -- --max-runs 3',
  ],
  [
    'npm run conformance --api-key=hidden-key',
    ['conformance'],
    { npm_config_api_key: 'hidden-key' },
    'npm run conformance -- --api-key <key>',
  ],
  [
    'npm run conformance --allow-writes',
    ['conformance'],
    { npm_config_allow_writes: 'true' },
    'npm run conformance -- --allow-writes',
  ],
];

describe('option that npm took', () => {
  it.each(mistakes)('%s: the remedy is named', async (_, args, environment, says) => {
    const { code, stdout, stderr } = await runCommand(args, { ...script(args[0] ?? ''), ...environment });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^npm took --\S.* for itself\. Put the options of this command after --: npm /);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain('hidden-key');
  });

  it.runIf(isFull)('is found with the npm of this machine', async () => {
    const cwd = fileURLToPath(new URL('../..', import.meta.url));
    const ended = promisify(execFile)('npm', ['start', '--port', '4854'], { cwd });
    await expect(ended).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'npm took --port for itself. Put the options of this command after --: npm start -- --port 4854',
      ),
    });
  });

  it.each([
    ['another script, which starts the command', { npm_lifecycle_script: 'vitest run', npm_config_port: '3000' }],
    [
      'a script that reads the option of npm itself',
      { npm_lifecycle_script: 'agent-platform-contract mock & vite --port $npm_config_port', npm_config_port: '3000' },
    ],
    ['an option of npm itself', { npm_lifecycle_script: 'agent-platform-contract contract', npm_config_json: 'true' }],
  ])('is not suspected in %s', async (_, environment) => {
    const { code, stderr } = await runCommand(contract, { npm_lifecycle_event: 'dev', ...environment });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe.each(['mock', 'proxy'])('port of the %s', (command) => {
  const upstream = command === 'proxy' ? ['--upstream', 'http://127.0.0.1:1/v0.1'] : [];

  /** Where the command listens. */
  async function portWith(args: string[], environment: Record<string, string>): Promise<string> {
    const { url, stop } = await serve([command, ...upstream, ...args], environment);
    await stop();
    return new URL(url).port;
  }

  it('is that of the flag, else of AGENT_PLATFORM_PORT, else of PORT', async () => {
    const [flag, own, usual] = (await Promise.all([freePort(), freePort(), freePort()])).map(String) as [
      string,
      string,
      string,
    ];
    expect(await portWith([], { PORT: usual })).toBe(usual);
    expect(await portWith([], { PORT: usual, AGENT_PLATFORM_PORT: own })).toBe(own);
    expect(await portWith(['--port', flag], { PORT: usual, AGENT_PLATFORM_PORT: own })).toBe(flag);
  });

  it('names the variable that is wrong', async () => {
    const { code, stderr } = await runCommand([command, ...upstream], { PORT: 'many' });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^PORT must be a whole number/) });
  });
});

it.each([
  [
    'to a pipe',
    { npm_lifecycle_event: 'contract' },
    /^npm printed its own lines before the document\. Use npm run --silent/,
  ],
  ['silently', { npm_lifecycle_event: 'contract', npm_config_loglevel: 'silent' }, /^$/],
  ['without npm', {}, /^$/],
])('a contract that is written %s: says what npm has put before it', async (_, environment, says) => {
  const { code, stderr } = await runCommand(contract, environment as Record<string, string>);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(says) });
});

// Windows has no such signals.
describe.skipIf(process.platform === 'win32')('a script of npm', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const start = 'node --require ./.ci/require-node.cjs src/cli/main.ts mock --port 0';

  it('ends when npm has passed a signal to the shell only', { timeout: timeLimit(60_000) }, async () => {
    const env = { ...fullEnvironment({ npm_lifecycle_event: 'start' }) };
    const shell = spawn('sh', ['-c', `${start}; exit`], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const text of shell.stdout) if (String(text).includes('listening')) shell.kill('SIGTERM');
    // The pipe is closed when the last process that writes to it has ended.
    expect(shell.signalCode ?? shell.exitCode).not.toBe(0);
  });

  it.each([
    ['without the Node of the repository', 'nowhere', /run `npm ci` with install scripts allowed/],
    ['without npm', '.', /Use `npm run`, or start it with node_modules\/\.bin\/node, which is Node 24\.\n$/],
  ])('says what to do with an old Node %s', (_, folder, says) => {
    const file = join(root, '.ci/require-node.cjs');
    const directory = JSON.stringify(join(root, folder, '.ci'));
    const code = `Object.defineProperty(process.versions, 'node', { value: '20.1.0' });
new Function('require', '__dirname', require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8'))(require, ${directory})`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(says)]);
    expect(stderr).toMatch(/^This needs Node 24, and this is Node 20\.1\.0\. /);
  });
});
