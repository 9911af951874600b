/** A mock keeps no process alive: a test that fails ends, with or without closing the mock. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createMock, createProxy } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { shownFile } from '../support/guide-files.ts';
import { checkout } from '../support/packing.ts';
import { selfSigned } from '../support/self-signed.ts';
import { run, temporaryFolder } from '../support/shell.ts';
import { timeLimit } from '../support/time-limit.ts';

const index = pathToFileURL(join(checkout, 'src/index.ts')).href;
const programs = [join(checkout, 'node_modules', '.bin')];
const { at, write } = createFolder('keeps-no-process');
write('cert.pem', selfSigned.cert);
write('key.pem', selfSigned.key);

/** Runs a program of Node to its end, in a folder of its own. */
async function runHere(name: string, text: string, command: readonly [string, ...string[]]) {
  const folder = temporaryFolder('process');
  try {
    writeFileSync(folder.at(name), text.replaceAll(`'agent-platform-contract'`, `'${index}'`));
    const [program, ...args] = command;
    return await run(program, args, { cwd: folder.path, programs, timeoutMs: timeLimit(100_000) });
  } finally {
    folder.remove();
  }
}

const failing = (text: string) => {
  const changed = text.replace('length, 5)', 'length, 6)').replace('toHaveLength(5)', 'toHaveLength(6)');
  if (changed === text) throw new Error('The sample asserts something else');
  return changed;
};
const unclosed = (text: string) => text.replace(/^after(All)?\(.*\n/m, '');
const sample = () => shownFile('docs/in-your-tests.md', 'drives.node-test.mjs');

describe.each([
  ['as it is', (text: string) => text],
  ['without closing the mock', unclosed],
])('the sample test of the guide, %s', (_, change) => {
  it('passes, and ends', async () => {
    const { exitCode, stdout } = await runHere('a.test.mjs', change(sample()), ['node', '--test', 'a.test.mjs']);
    expect(exitCode, stdout).toBe(0);
  });

  it('ends with 1 where its assertion fails', async () => {
    const done = await runHere('a.test.mjs', failing(change(sample())), ['node', '--test', 'a.test.mjs']);
    expect([done.exitCode, done.stdout]).toEqual([1, expect.stringContaining('there are five drives at first')]);
  });

  it('ends with 1 with Vitest as well', async () => {
    const text = failing(change(shownFile('README.md', 'first.test.js')));
    const done = await runVitest(text);
    expect(done.exitCode, done.stdout + done.stderr).toBe(1);
    expect(done.stdout).toContain('1 failed');
  });
});

// Within the checkout: Vite looks for packages from there.
async function runVitest(text: string) {
  const cache = join(checkout, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'process-'));
  try {
    writeFileSync(join(folder, 'a.spec.js'), text.replaceAll(`'agent-platform-contract'`, `'${index}'`));
    writeFileSync(
      join(folder, 'vitest.config.js'),
      'export default { test: { include: ["*.spec.js"], exclude: [] } };',
    );
    return await run('vitest', ['run', '--root', folder], { cwd: folder, programs, timeoutMs: timeLimit(100_000) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('a process', () => {
  it.each([
    ['http', '{}'],
    ['https', JSON.stringify({ httpsCert: at('cert.pem'), httpsKey: at('key.pem') })],
    ['localhost', `{ host: 'localhost' }`],
    ['a slow answer', `{ latency: 300 }`],
  ])('has its answer, and ends: %s', async (_, options) => {
    const text = `
      import { createMock } from 'agent-platform-contract';
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      const mock = await createMock(${options});
      mock.faults.add({ effect: { slowDribble: { overMs: 100 } } });
      const response = await fetch(mock.url + '/drives', { headers: { 'x-api-key': mock.key } });
      console.log((await response.json()).pagination.total);
    `;
    const done = await runHere('a.mjs', text, ['node', '--no-warnings', 'a.mjs']);
    expect(done).toEqual({ stdout: '5\n', stderr: '', exitCode: 0 });
  });

  it('has its answer through a proxy, and ends', async () => {
    const text = `
      import { createMock, createProxy } from 'agent-platform-contract';
      const mock = await createMock();
      const proxy = await createProxy({ upstream: mock.url });
      console.log((await fetch(proxy.url + '/agents', { headers: { 'x-api-key': mock.key } })).status);
    `;
    expect(await runHere('a.mjs', text, ['node', 'a.mjs'])).toEqual({ stdout: '200\n', stderr: '', exitCode: 0 });
  });

  it.each(['createMock({ ref: true })', `createProxy({ upstream: 'http://127.0.0.1:1/v0.1', ref: true })`])(
    'goes on with %s',
    async (call) => {
      const text = `
        import { createMock, createProxy } from 'agent-platform-contract';
        const server = await ${call};
        // Called when nothing else is left to do: it never would be.
        process.on('exit', () => console.log('ended'));
        setTimeout(() => (console.log('goes on'), server.close()), 200).unref();
      `;
      const { stdout, exitCode } = await runHere('a.mjs', text, ['node', 'a.mjs']);
      expect({ stdout, exitCode }).toEqual({ stdout: 'goes on\nended\n', exitCode: 0 });
    },
  );
});

describe('await using', () => {
  it('closes a mock and a proxy at the end of the block', async () => {
    const urls: string[] = [];
    const open = async () => {
      await using mock = await createMock();
      await using proxy = await createProxy({ upstream: mock.url });
      urls.push(mock.url, proxy.url);
      expect((await fetch(`${proxy.url}/agents`, { headers: { 'x-api-key': mock.key } })).status).toBe(200);
      throw new Error('in the block');
    };
    await expect(open()).rejects.toThrow('in the block');
    for (const url of urls) await expect(fetch(`${url}/agents`)).rejects.toThrow('fetch failed');
  });
});

describe('the key of a mock', () => {
  it('is its first', async () => {
    await using mock = await createMock();
    expect([mock.key, typeof mock.key]).toEqual([mock.keys[0], 'string']);
  });
});
