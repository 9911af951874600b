/** Sixteen Vitest workers, each in a sandbox of its own, against one mock; and the same tests one after another. */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { afterAll, expect, it } from 'vitest';
import type { OrganizationSnapshot } from '../../src/domain/snapshot.ts';
import { runWorkers } from '../sandboxes/run-workers.ts';
import type { SandboxPlan } from '../sandboxes/sandbox-tests.ts';
import { driveLists, seedFor } from '../sandboxes/story.ts';
import { type RunningMock, startMock } from '../support/command.ts';
import { keyIdOf } from '../support/key-id.ts';
import { temporaryFolder } from '../support/shell.ts';

const keys = Array.from({ length: 16 }, (_, index) => `worker-${index + 1}`);
const tests = Array.from({ length: 125 }, (_, index) => index + 1);
const limitMs = 300_000;

const folder = temporaryFolder('sandboxes-seed');
afterAll(() => folder.remove());

/** Gives a mock of its own, with open keys and the files of the tests. */
async function withMock<Result>(use: (mock: RunningMock) => Promise<Result>): Promise<Result> {
  writeFileSync(folder.at('seed.json'), JSON.stringify(seedFor(tests)));
  const mock = await startMock(['--open-keys', '--log-level', 'error', '--seed', folder.at('seed.json')]);
  try {
    return await use(mock);
  } finally {
    await mock.stop();
  }
}

async function admin<Body>({ url }: RunningMock, path: string): Promise<Body> {
  const response = await fetch(new URL(`/__admin/${path}`, url));
  expect(response.status).toBe(200);
  return (await response.json()) as Body;
}

interface Shown {
  id: string;
  kind: 'seed' | 'sandbox';
  keyIds: string[];
}

/** Runs the tests in sixteen sandboxes with so many workers, and looks at what each sandbox holds afterwards. */
async function runInSandboxes(workers: number): Promise<number> {
  return withMock(async (mock) => {
    const seedBefore = await admin(mock, 'snapshot');
    const plans = keys.map((key): SandboxPlan => ({ key, tests, sandboxesAtOnce: workers }));
    const { passed, failures, wallMs } = await runWorkers(mock.url, plans, workers);
    expect({ passed, failures }).toEqual({ passed: keys.length * tests.length, failures: [] });
    await expectSandboxesAsLeft(mock, seedBefore);
    return wallMs;
  });
}

async function expectSandboxesAsLeft(mock: RunningMock, seedBefore: unknown): Promise<void> {
  const organizations = await admin<Shown[]>(mock, 'organizations');
  const sandboxes = organizations.filter(({ kind }) => kind === 'sandbox');
  const idOf = (key: string) => sandboxes.find(({ keyIds }) => keyIds.join() === keyIdOf(key))?.id;
  const snapshots = keys.map((key) => admin<OrganizationSnapshot>(mock, `snapshot?organization=${idOf(key)}`));
  const held = await Promise.all(snapshots);
  expect(held.map(toDriveLists)).toEqual(keys.map((key) => driveLists(key, tests)));
  const created = held.flatMap(({ drives }) => drives.slice(1).map(({ id }) => id));
  expect(new Set(created).size).toBe(keys.length * tests.length);
  for (const { id } of sandboxes) await fetch(new URL(`/__admin/organizations/${id}`, mock.url), { method: 'DELETE' });
  expect(await admin(mock, 'snapshot')).toEqual(seedBefore);
}

function toDriveLists({ drives }: OrganizationSnapshot) {
  return drives.map(({ name, files }) => ({ name, files: files.map(({ id, path }) => ({ id, path })) }));
}

it(
  'keeps the sandboxes of 2,000 tests in 16 parallel workers separate',
  async () => {
    const parallelMs = await runInSandboxes(16);
    const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
    const parallel = `2,000 tests in 16 sandboxes, on ${availableParallelism()} cores: ${seconds(parallelMs)} with 16 workers at once`;
    // The figure to compare with says nothing of the mock, and takes as long again.
    const serialMs = process.env.CI === undefined ? await runInSandboxes(1) : undefined;
    const serial =
      serialMs === undefined
        ? ''
        : `, ${seconds(serialMs)} one after another, ratio ${(serialMs / parallelMs).toFixed(2)}`;
    process.stdout.write(`\n${parallel}${serial}\n\n`);
  },
  limitMs,
);

it(
  'fails the same tests when two workers share a sandbox',
  () =>
    withMock(async (mock) => {
      const plan = { key: 'shared', tests: tests.slice(0, 5), sandboxesAtOnce: 1 };
      const { failures } = await runWorkers(mock.url, [plan, plan], 2);
      expect(failures).not.toEqual([]);
    }),
  limitMs,
);
