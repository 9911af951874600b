import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Mock, Seed } from '../../src/index.ts';
import { seed as modelSeed } from '../model/seed.ts';
import { type Controlled, startControlled } from '../support/control.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { anyStep, type Step, sendStep, toRequest } from '../support/random-steps.ts';
import { now, tinySeed } from '../support/tiny-seed.ts';

// Another seed for a running engine: what is new at once, and what stays.

const byName = (mock: Mock) =>
  Object.fromEntries(mock.snapshot().organizations.map((organization) => [organization.name, organization]));

it('the same seed changes nothing, whatever happened before', async () => {
  const { mock, control } = await startControlled({ seed: modelSeed, openKeys: true });
  const keys = ['alpha-key', 'opened', 'sandbox'];
  const check = async (turns: { at: number; step: Step }[]) => {
    await control('POST', '/reset');
    mock.openSandbox({ key: 'sandbox' });
    mock.engine.authenticate({ 'x-api-key': 'opened' });
    for (const { at, step } of turns) await sendStep(mock, toRequest(mock, keys[at] as string, step));
    const before = mock.snapshot();
    mock.engine.reseed(structuredClone(modelSeed));
    expect(mock.snapshot()).toEqual(before);
  };
  const anyTurn = fc.record({ at: fc.nat(keys.length - 1), step: anyStep.filter(({ kind }) => kind !== 'issueKey') });
  await fc.assert(fc.asyncProperty(fc.array(anyTurn, { maxLength: 15 }), check), {
    numRuns: depth(8, 60),
    seed: randomSeed,
  });
});

it('a key that a kept organization has stays there; the new one gets it with a reset', async () => {
  const { mock, api, control } = await startControlled();
  await api('POST', '/drives', { json: { name: 'Kept' } });
  const [alder, birch] = tinySeed.organizations;
  const seed = { organizations: [birch, { name: 'Cedar', keys: ['key-a', 'key-c'] }] } as Seed;
  expect(mock.engine.reseed(seed)).toEqual({ renewed: ['Birch', 'Cedar'], kept: ['Alder'], deleted: [] });
  expect(mock.engine.store.ownerOf('key-a')?.organization.id).toBe(alder?.id);
  expect(byName(mock).Cedar).toMatchObject({ keys: ['key-c'], firstKeys: ['key-a', 'key-c'] });
  await control('POST', '/reset');
  expect(byName(mock).Cedar?.keys).toEqual(['key-a', 'key-c']);
  expect(byName(mock).Alder).toBeUndefined();
});

it('a revoked key stays revoked, and a profile of its own stays used', async () => {
  const { mock, api } = await startControlled();
  mock.setProfile({ 'successStatus.createDrive': 202 }, { organization: 'org-b' });
  mock.engine.store.revoke('key-a2');
  mock.engine.reseed(structuredClone(tinySeed));
  expect((await api('GET', '/drives', { key: 'key-a2' })).status).toBe(401);
  expect((await api('POST', '/drives', { key: 'key-b', json: { name: 'New' } })).status).toBe(202);
  expect(mock.profile['successStatus.createDrive']).toBe(201);
});

it('a sandbox copies the organization that it copied before, wherever the seed has it', async () => {
  const { mock } = await startControlled({ openKeys: true });
  const [alder, birch] = tinySeed.organizations as [Seed['organizations'][0], Seed['organizations'][0]];
  const [first, second] = [mock.openSandbox(), mock.openSandbox({ copyOf: 'Birch' })];
  const agentsOf = (id: string) =>
    mock.engine.store
      .sandbox(id)
      ?.organization.agents.all()
      .map(({ name }) => name);
  const [newAlder, newBirch] = [
    { ...alder, agents: [{ name: 'A' }] },
    { ...birch, agents: [{ name: 'B' }] },
  ];
  mock.engine.reseed({ organizations: [newBirch, newAlder] });
  expect([agentsOf(first.organizationId), agentsOf(second.organizationId)]).toEqual([['A'], ['B']]);
  mock.engine.reseed({ organizations: [newBirch] });
  expect([agentsOf(first.organizationId), agentsOf(second.organizationId)]).toEqual([['A'], ['B']]);
});

it('of organizations with one name and no ids, each stays at its place', async () => {
  const of = (key: string, drive: string) => ({ name: 'Same', keys: [key], drives: [{ name: drive }] });
  const { mock, api } = await startControlled({ seed: { organizations: [of('key-1', 'One'), of('key-2', 'Two')] } });
  const drivesOf = async (key: string) =>
    (await api('GET', '/drives', { key })).body.data.map(({ name }: Named) => name);
  await api('POST', '/drives', { key: 'key-2', json: { name: 'Mine' } });
  mock.engine.reseed({ organizations: [of('key-1', 'First'), of('key-2', 'Second')] });
  expect([await drivesOf('key-1'), await drivesOf('key-2')]).toEqual([['First'], ['Two', 'Mine']]);
  expect(mock.snapshot().organizations.map(({ origin }) => origin)).toEqual([
    { kind: 'seed', index: 0 },
    { kind: 'seed', index: 1 },
  ]);
});

interface Named {
  name: string;
}

describe('what was deleted stays deleted, until a reset', () => {
  const deletions: Record<string, string> = {
    agent: '/organizations/org-a/agents/agent-blank',
    drive: '/organizations/org-a/drives/drive-full',
    file: '/organizations/org-a/drives/drive-full/files/file-plain',
    'MCP server': '/organizations/org-a/mcp-servers/server-tools',
    organization: '/organizations/org-a',
  };

  it.each(Object.entries(deletions))('%s', async (_, path) => {
    const { mock, control } = await startControlled();
    const before = mock.snapshot();
    expect((await control('DELETE', path)).status).toBe(204);
    const after = mock.snapshot();
    expect(after).not.toEqual(before);
    for (const _again of [1, 2]) {
      mock.engine.reseed(structuredClone(tinySeed));
      expect(mock.snapshot()).toEqual(after);
    }
    await control('POST', '/reset');
    expect(mock.snapshot()).toEqual(before);
  });

  it('tree', async () => {
    const { mock, api } = await startControlled();
    await api('DELETE', '/drives/drive-full/items/tree?path=/');
    const after = mock.snapshot();
    mock.engine.reseed(structuredClone(tinySeed));
    expect(mock.snapshot()).toEqual(after);
  });

  it('organization: also where a sandbox is a copy of it', async () => {
    const { mock, control } = await startControlled();
    mock.openSandbox({ name: 'Copy', copyOf: 'Alder' });
    await control('DELETE', '/organizations/org-a');
    expect(mock.engine.reseed(structuredClone(tinySeed))).toEqual({
      ...{ renewed: ['Birch', 'Copy'], kept: [], deleted: ['Alder'] },
    });
    expect(Object.keys(byName(mock))).toEqual(['Birch', 'Copy']);
  });

  it('organization: but not one of the same name, which has its place now', async () => {
    const of = (key: string) => ({ name: 'Same', keys: [key] });
    const { mock, control } = await startControlled({ seed: { organizations: [of('key-1'), of('key-2')] } });
    const id = mock.engine.store.ownerOf('key-1')?.organization.id;
    await control('DELETE', `/organizations/${id}`);
    expect(mock.engine.reseed({ organizations: [of('key-3')] })).toEqual({
      ...{ renewed: ['Same'], kept: [], deleted: [] },
    });
    expect(mock.engine.store.keys).toEqual(['key-3']);
  });

  it('organization: wherever the seed has it, and in a snapshot; a new one comes', async () => {
    const { mock, control } = await startControlled();
    const [alder, birch] = tinySeed.organizations as [Seed['organizations'][0], Seed['organizations'][0]];
    await control('DELETE', '/organizations/org-a');
    const taken = mock.snapshot();
    const cedar = { name: 'Cedar', keys: ['key-c'] };
    const seed = { organizations: [cedar, birch, { ...alder, name: 'Alder again' }] } as Seed;
    expect(mock.engine.reseed(seed)).toEqual({ renewed: ['Cedar', 'Birch'], kept: [], deleted: ['Alder again'] });
    mock.restore(taken);
    expect(mock.engine.reseed(tinySeed).deleted).toEqual(['Alder']);
    expect(Object.keys(byName(mock))).toEqual(['Birch']);
    mock.engine.reseed({ organizations: [birch] });
    expect(mock.engine.reseed(tinySeed)).toMatchObject({ renewed: ['Alder'], deleted: [] });
  });
});

describe('an organization that the seed no longer contains', () => {
  const seedOf = (...names: string[]): Seed => ({
    organizations: names.map((name) => ({ name, keys: [`key-${name}`], agents: [{ name: `Of ${name}` }] })),
  });
  const statusOf = async ({ api }: Controlled, name: string) =>
    (await api('GET', '/agents', { key: `key-${name}` })).status;
  const writeTo = ({ api }: Controlled, name: string) =>
    api('POST', '/drives', { key: `key-${name}`, json: { name: 'Kept' } });
  const resetOf = async ({ control }: Controlled, name: string) => {
    const { status, body } = await control('POST', `/reset?organization=${name}`);
    return [status, body.organizations?.[0].name ?? body.error?.message ?? body.detail];
  };

  it('takes no place of one that is added later', async () => {
    const controlled = await startControlled({ seed: seedOf('A', 'B') });
    const { engine } = controlled.mock;
    await writeTo(controlled, 'A');
    expect(engine.reseed(seedOf('B'))).toEqual({ renewed: ['B'], kept: ['A'], deleted: [] });
    expect(engine.reseed(seedOf('B', 'C'))).toEqual({ renewed: ['B', 'C'], kept: ['A'], deleted: [] });
    expect([await statusOf(controlled, 'A'), await statusOf(controlled, 'C')]).toEqual([200, 200]);
    expect((await resetOf(controlled, 'A'))[0]).toBe(409);
    engine.reseed(seedOf('C', 'A'));
    expect(await resetOf(controlled, 'A')).toEqual([200, 'A']);
    expect(await resetOf(controlled, 'C')).toEqual([200, 'C']);
  });

  it('leaves its copies as they are, which can be reset once it is back', async () => {
    const controlled = await startControlled({ seed: seedOf('A', 'B') });
    const { mock, control, api } = controlled;
    mock.openSandbox({ name: 'W', key: 'key-W', copyOf: 'A' });
    const agents = async () => (await api('GET', '/agents', { key: 'key-W' })).body.map(nameOf);
    for (const names of [['B'], ['B', 'C']]) {
      expect(mock.engine.reseed(seedOf(...names))).toEqual({ renewed: names, kept: ['W'], deleted: [] });
      expect(await resetOf(controlled, 'W')).toEqual([409, expect.stringContaining('no longer contains')]);
      expect(await agents()).toEqual(['Of A']);
    }
    const taken = (await control('GET', '/snapshot')).body;
    expect(mock.engine.reseed(seedOf('B', 'A')).renewed).toEqual(['B', 'A', 'W']);
    expect(await agents()).toEqual(['Of A']);
    expect((await control('PUT', '/snapshot', { json: taken })).status).toBe(200);
    expect(await resetOf(controlled, 'W')).toEqual([200, 'W']);
    expect(await agents()).toEqual(['Of A']);
  });

  it('is not mistaken for another when an earlier snapshot is restored', async () => {
    const controlled = await startControlled({ seed: seedOf('A', 'B') });
    const { mock } = controlled;
    mock.openSandbox({ name: 'W', key: 'key-W' });
    const taken = mock.snapshot();
    mock.engine.reseed(seedOf('Q', 'B'));
    mock.restore(taken);
    for (const name of ['A', 'W']) expect((await resetOf(controlled, name))[0]).toBe(409);
    expect(await resetOf(controlled, 'B')).toEqual([200, 'B']);
    const [one] = taken.organizations;
    const { control } = controlled;
    expect((await control('PUT', `/snapshot?organization=${one?.id}`, { json: one })).status).toBe(200);
    expect((await resetOf(controlled, 'A'))[0]).toBe(409);
  });
});

const nameOf = ({ name }: { name: string }) => name;

describe('another seed', () => {
  const of = (name: string, ...keys: string[]): Seed['organizations'][0] => ({ name, keys });
  const orders: [string, string[], string[]][] = [
    ['in another order', ['C', 'A', 'B'], ['C', 'A', 'B']],
    ['with one more between them', ['A', 'D', 'B', 'C'], ['A', 'D', 'B', 'C']],
    ['with one less', ['C', 'A'], ['C', 'A']],
    ['with many more', ['F', 'E', 'D', 'C', 'B', 'A', 'G'], ['F', 'E', 'D', 'C', 'B', 'A', 'G']],
  ];

  it.each(orders)('%s has its organizations in its order, and the sandboxes behind them', async (_, names, order) => {
    for (const written of [[], ['C'], ['A', 'C']]) {
      const seed = { organizations: ['A', 'B', 'C'].map((name) => of(name, `key-${name}`)) };
      const { mock, api } = await startControlled({ seed, clock: now });
      for (const name of ['Y', 'X']) mock.openSandbox({ name, key: `key-${name}`, copyOf: null });
      for (const name of written) await api('POST', '/drives', { key: `key-${name}`, json: { name: 'New' } });
      await api('POST', '/drives', { key: 'key-X', json: { name: 'New' } });
      const told = mock.engine.reseed({ organizations: names.map((name) => of(name, `key-${name}`)) });
      expect(mock.engine.store.sandboxes.map(({ organization }) => organization.name)).toEqual([...order, 'Y', 'X']);
      expect(told.kept.toSorted()).toEqual([...written, 'X'].sort());
      expect(told.renewed.toSorted()).toEqual([...order.filter((name) => !written.includes(name)), 'Y'].sort());
    }
  });

  it('keeps the keys that were issued, revoked and used', async () => {
    const { mock, control } = await startControlled();
    mock.openSandbox({ key: 'sandbox' });
    mock.engine.store.issue(mock.engine.store.named('Sandbox 1')[0] as never, 'issued');
    const usesOf = () => mock.engine.store.sandboxes.map(({ lastUse }) => lastUse);
    for (const key of ['key-b', 'issued', 'key-a']) mock.engine.authenticate({ 'x-api-key': key });
    const uses = usesOf();
    mock.engine.reseed(structuredClone(tinySeed));
    expect(usesOf()).toEqual(uses);
    expect(mock.engine.store.keys.toSorted()).toEqual(['issued', 'key-a', 'key-a2', 'key-b', 'sandbox']);
    expect((await control('POST', '/reset?organization=Sandbox%201')).status).toBe(200);
    expect(mock.engine.store.keys.toSorted()).toEqual(['key-a', 'key-a2', 'key-b', 'sandbox']);
  });
});
