import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OrganizationSnapshot } from '../../src/domain/snapshot.ts';
import { runWorkers } from '../sandboxes/run-workers.ts';
import { driveLists, seedFor } from '../sandboxes/story.ts';
import { installExample } from '../support/examples.ts';
import { freePort } from '../support/free-port.ts';
import { findNginx } from '../support/nginx.ts';
import { type ShellOptions, type Started, start, type TemporaryFolder, temporaryFolder } from '../support/shell.ts';
import { timeLimit } from '../support/time-limit.ts';

const patience = { timeout: timeLimit(60_000), interval: 50 };
const tests = Array.from({ length: 25 }, (_, index) => index + 1);
const keys = Array.from({ length: 16 }, (_, index) => `worker-${index + 1}`);

interface ScaledOut {
  process: Started;
  /** Of nginx. */
  url: string;
  /** The processes of the mocks. */
  shards: number[];
}

// Without nginx outside CI this is skipped and says so; in CI findNginx fails.
describe.skipIf(findNginx() === undefined)('the example of several mocks behind one nginx', () => {
  let folder: TemporaryFolder;
  let shell: ShellOptions;
  const running: Started[] = [];

  beforeAll(async () => {
    folder = temporaryFolder('example-scale-out');
    shell = await installExample('scale-out', folder);
    writeFileSync(join(shell.cwd, 'seed.json'), JSON.stringify(seedFor(tests)));
    writeFileSync(
      join(shell.cwd, 'mock-options.js'),
      "export const mockOptions = { openKeys: true, seed: 'seed.json' };\n",
    );
  });
  afterAll(async () => {
    await Promise.all(running.map((process) => process.stop()));
    folder.remove();
  });

  async function startWith(processes: number, ...more: string[]): Promise<ScaledOut> {
    const port = await freePort();
    const options = [`--processes=${processes}`, `--port=${port}`, ...more];
    const process = start('node', ['start.js', ...options], { ...shell, timeoutMs: timeLimit(400_000) });
    running.push(process);
    await process.firstLine();
    const told = () => [...process.output.stdout.matchAll(/\(process (\d+)\)/g)].map(([, pid]) => Number(pid));
    await vi.waitFor(() => expect(told()).toHaveLength(processes), patience);
    return { process, url: `http://127.0.0.1:${port}/v0.1`, shards: told() };
  }

  const ask = (url: string, headers: Record<string, string>, path = '/drives', more: RequestInit = {}) =>
    fetch(url + path, { ...more, headers: { ...headers, 'content-type': 'application/json' } });

  const createDrive = (url: string, key: string, name: string) =>
    ask(url, { 'x-api-key': key }, '/drives', { method: 'POST', body: JSON.stringify({ name }) });

  async function stateOf(url: string, key: string): Promise<OrganizationSnapshot> {
    const response = await ask(new URL('/__admin', url).href, { 'x-api-key': key }, '/snapshot?organization=self');
    expect(response.status).toBe(200);
    return (await response.json()) as OrganizationSnapshot;
  }

  async function sandboxesOf({ url, shards }: ScaledOut): Promise<number[]> {
    const counts = shards.map(async (_, index) => {
      const response = await fetch(new URL(`/shards/${index + 1}/__admin/settings`, url));
      return ((await response.json()) as { sandboxes: { count: number } }).sandboxes.count;
    });
    return Promise.all(counts);
  }

  it('keeps the sandboxes of parallel workers apart', async () => {
    const scaled = await startWith(3);
    const plans = keys.map((key) => ({ key, tests, sandboxesAtOnce: 1 }));
    const { passed, failures } = await runWorkers(scaled.url, plans, keys.length);
    expect({ passed, failures }).toEqual({ passed: keys.length * tests.length, failures: [] });
    const held = await Promise.all(keys.map((key) => stateOf(scaled.url, key)));
    const lists = held.map(({ drives }) =>
      drives.map(({ name, files }) => ({ name, files: files.map(({ id, path }) => ({ id, path })) })),
    );
    expect(lists).toEqual(keys.map((key) => driveLists(key, tests)));
    const sandboxes = await sandboxesOf(scaled);
    expect(sandboxes.reduce((sum, count) => sum + count)).toBe(keys.length);
    expect(Math.min(...sandboxes)).toBeGreaterThan(0);
  });

  it('finds the sandbox of a key from either header', async () => {
    const { url } = await startWith(4);
    for (const key of keys) {
      expect((await createDrive(url, key, 'Harbour plans')).headers.get('x-sandbox')).toBe('opened');
      for (const authorization of [`Bearer ${key}`, `bearer  ${key} `]) {
        const { data } = (await (await ask(url, { authorization })).json()) as { data: { name: string }[] };
        expect(data.map(({ name }) => name)).toContain('Harbour plans');
      }
    }
  });

  it('loses only the sandboxes of a mock that is killed, and moves no key to another mock', async () => {
    const scaled = await startWith(3);
    const { url, process: front, shards } = scaled;
    for (const key of keys) await createDrive(url, key, 'Harbour plans');
    const before = await sandboxesOf(scaled);
    process.kill(shards[0] as number, 'SIGKILL');
    await vi.waitFor(
      () => expect(front.output.stderr).toContain('Shard 1 ended (SIGKILL) and starts again.'),
      patience,
    );
    const nameOfSandbox = async (key: string) => (await createDrive(url, key, 'Later plans')).headers.get('x-sandbox');
    const opened = await vi.waitFor(() => Promise.all(keys.map(nameOfSandbox)), patience);
    expect(opened.filter((sandbox) => sandbox === 'opened').length).toBeLessThanOrEqual(before[0] as number);
    expect(await sandboxesOf(scaled)).toEqual(before);
    const kept = await Promise.all(keys.map((key) => stateOf(url, key)));
    const withBoth = kept.filter(({ drives }) => drives.some(({ name }) => name === 'Harbour plans'));
    expect(withBoth).toHaveLength(keys.length - (before[0] as number));
  });

  it('brings the sandboxes of a killed mock back with --state', async () => {
    const scaled = await startWith(2, `--state=${folder.at('states')}`);
    const { url, process: front, shards } = scaled;
    for (const key of keys) await createDrive(url, key, 'Harbour plans');
    process.kill(shards[0] as number, 'SIGKILL');
    await vi.waitFor(() => expect(front.output.stderr).toContain('Its sandboxes come back from its file.'), patience);
    const drivesOf = async (key: string) => (await ask(url, { 'x-api-key': key })).json();
    const lists = await vi.waitFor(() => Promise.all(keys.map(drivesOf)), patience);
    for (const { data } of lists) expect(data).toContainEqual(expect.objectContaining({ name: 'Harbour plans' }));
  });

  it.each(['connectionReset', 'emptyAnswer', 'truncatedBody'])('passes on the fault %s', async (effect) => {
    const { url } = await startWith(2);
    const body = JSON.stringify({ effect: { [effect]: {} }, operations: ['listDrives'] });
    const added = await ask(new URL('/__admin', url).href, { 'x-api-key': 'one' }, '/faults', { method: 'POST', body });
    expect(added.status).toBe(201);
    const text = async (path: string) => (await ask(url, { 'x-api-key': 'one' }, path)).text();
    await expect(text('/drives')).rejects.toThrow(/fetch failed|terminated/);
    expect(JSON.parse(await text('/agents'))).toEqual([]);
  });

  it.each([
    ['a port out of range', ['--port', '70000'], '--port must be a whole number from 1 to 65535, not "70000".'],
    ['no number of processes', ['--processes', 'x'], '--processes must be a whole number from 1 to 64, not "x".'],
    ['an unknown option', ['--workers', '2'], "Unknown option '--workers'"],
  ])('refuses %s', async (_, args, message) => {
    const { exitCode, stderr } = await start('node', ['start.js', ...args], shell).ended;
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
    expect(stderr).toContain('Usage: npm start');
  });

  it('ends with all it started when its port is taken', async () => {
    const { url } = await startWith(1);
    const { exitCode, stdout, stderr } = await start('node', ['start.js', `--port=${new URL(url).port}`], shell).ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('Address already in use');
  });
});
