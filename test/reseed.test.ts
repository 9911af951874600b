import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Mock, Seed } from '../src/index.ts';
import { seed as modelSeed } from './model/seed.ts';
import { startControlled } from './support/control.ts';
import { depth, randomSeed } from './support/depth.ts';
import { anyStep, type Step, sendStep, toRequest } from './support/random-steps.ts';
import { tinySeed } from './support/tiny-seed.ts';

// Another seed for a running engine: what is new at once, and what stays.

const byName = (mock: Mock) =>
  Object.fromEntries(mock.snapshot().organizations.map((organization) => [organization.name, organization]));

/** The state, but for the number of calls, which only counts where something is deferred. */
const stateOf = (mock: Mock) =>
  mock.snapshot().organizations.map(({ deferred: { tasks }, ...organization }) => ({ ...organization, tasks }));

it('the same seed changes nothing, whatever happened before', async () => {
  const { mock, control } = await startControlled({ seed: modelSeed, openKeys: true });
  const keys = ['alpha-key', 'opened', 'world'];
  const check = async (turns: { at: number; step: Step }[]) => {
    await control('POST', '/reset');
    mock.openWorld({ key: 'world' });
    mock.engine.authenticate({ 'x-api-key': 'opened' });
    for (const { at, step } of turns) await sendStep(mock, toRequest(mock, keys[at] as string, step));
    const before = stateOf(mock);
    mock.engine.reseed(structuredClone(modelSeed));
    expect(stateOf(mock)).toEqual(before);
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
  expect(mock.engine.reseed(seed)).toEqual({ renewed: ['Birch', 'Cedar'], kept: ['Alder'] });
  expect(mock.engine.store.ownerOf('key-a')?.organization.id).toBe(alder?.id);
  expect(byName(mock).Cedar).toMatchObject({ keys: ['key-c'], firstKeys: ['key-a', 'key-c'] });
  await control('POST', '/reset');
  expect(byName(mock).Cedar?.keys).toEqual(['key-a', 'key-c']);
  expect(byName(mock).Alder).toBeUndefined();
});

it('a revoked key stays revoked, and a profile of its own stays played', async () => {
  const { mock, api } = await startControlled();
  mock.setProfile({ createStatus: 202 }, { organization: 'org-b' });
  mock.engine.store.revoke('key-a2');
  mock.engine.reseed(structuredClone(tinySeed));
  expect((await api('GET', '/drives', { key: 'key-a2' })).status).toBe(401);
  expect((await api('POST', '/drives', { key: 'key-b', json: { name: 'New' } })).status).toBe(202);
  expect(mock.profile.createStatus).toBe(201);
});

it('a world copies the organization that it copied before, wherever the seed has it', async () => {
  const { mock } = await startControlled({ openKeys: true });
  const [alder, birch] = tinySeed.organizations as [Seed['organizations'][0], Seed['organizations'][0]];
  const [first, second] = [mock.openWorld(), mock.openWorld({ copyOf: 'Birch' })];
  const agentsOf = (id: string) =>
    mock.engine.store
      .tenant(id)
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
