import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { Engine } from '../src/engine/engine.ts';
import { MockClock } from '../src/engine/mock-clock.ts';
import { Repetition } from '../src/engine/repeat-changes.ts';
import { allChanges, countChanges, headOf, putChanges, type SavedChange } from '../src/engine/saved-changes.ts';
import { createMock } from '../src/index.ts';
import { rulesOf } from '../src/workbench/settings.ts';
import { createRandom } from './model/random.ts';
import { randomProfile } from './model/random-profile.ts';
import { now, seed } from './model/seed.ts';
import { clientsOf } from './support/control.ts';
import { depth, randomSeed } from './support/depth.ts';
import { anyKeptStep, sendStep, toTurnRequest, toTurns } from './support/random-steps.ts';

// A state as it is written into a file: as a head, and as changes of an empty store. Made again from the text of both, it
// is the same. test/kept-state.test.ts tests the same with files, and with what is written as it happens.

const options = { openKeys: true, maxWorlds: 4 };

/** The engine that is made from what another one writes. */
function madeAgain(engine: Engine): Engine {
  const written = JSON.stringify([headOf(engine), [...allChanges(engine)]]);
  const [head, changes] = JSON.parse(written) as [ReturnType<typeof headOf>, Parameters<Repetition['repeat']>[0][]];
  const { profile, randomSeed, startedAtMs, clock } = head;
  const made = new Engine(
    { profile, randomSeed, startedAtMs, clock: new MockClock(clock.startMs) },
    head.seed,
    rulesOf(options),
  );
  const repetition = new Repetition(made, head);
  for (const change of changes) repetition.repeat(change);
  return made;
}

function stateOf(engine: Engine): unknown {
  const tenants = engine.store.tenants.map(({ organization, ownProfile, lastUse }) => ({
    ...{ isWritten: organization.isWritten, ownProfile, lastUse },
    isAsMade: organization.isAsMade,
  }));
  const state = { snapshot: engine.snapshot(), tenants, worlds: engine.tenants.state(), keys: engine.store.keys };
  return JSON.parse(JSON.stringify(state));
}

it('a state that is made again from what is written of it is the same, after any course', async () => {
  const course = fc.record({ profileSeed: fc.nat(), turns: toTurns(anyKeptStep, 0, 30) });
  const property = fc.asyncProperty(course, async ({ profileSeed, turns }) => {
    const profile = randomProfile(createRandom(profileSeed));
    const mock = await createMock({ seed, profile, clock: now, ...options });
    try {
      for (const turn of turns) await sendStep(mock, toTurnRequest(mock, turn));
      mock.engine.authenticate({ 'x-api-key': `visitor-${turns.length}` });
      expect(stateOf(madeAgain(mock.engine))).toEqual(stateOf(mock.engine));
    } finally {
      await mock.close();
    }
  });
  await fc.assert(property, { numRuns: depth(15, 100), seed: randomSeed });
});

it('files that change by themselves do so at the same time in a state that is made again', async () => {
  const at = '2026-03-02T08:15:00Z';
  const file = { path: '/a', becomes: { status: 'error' as const, afterMs: 500 }, status: 'processing' as const };
  const pending = {
    organizations: [{ name: 'A', keys: ['k'], drives: [{ name: 'D', createdAt: at, files: [file] }] }],
  };
  const mock = await createMock({ seed: pending, clock: now, ...options });
  onTestFinished(() => mock.close());
  mock.engine.clock.set(Date.parse(now) + 300);
  mock.openWorld({ key: 'world' });
  expect(stateOf(madeAgain(mock.engine))).toEqual(stateOf(mock.engine));
});

/** Has what happens in one engine repeated in another one. Returns what repeats where all have got to. */
function follow(engine: Engine, other: Engine): () => void {
  const repetition = new Repetition(other, headOf(other));
  const repeat = (change: SavedChange) => repetition.repeat(JSON.parse(JSON.stringify(change)));
  for (const change of allChanges(engine)) repeat(change);
  engine.store.recorder = {
    note: repeat,
    noteIn: ({ id }, change) => change && repeat({ ...change, in: id }),
    notePut: (tenant) => [...putChanges(tenant)].forEach(repeat),
  };
  return () => {
    engine.store.tenants.flatMap(countChanges).forEach(repeat);
    repeat({ do: 'worlds', ...engine.tenants.progress });
    repeat({ do: 'clock', fixedAtMs: engine.clock.fixedAtMs });
  };
}

it('what is noted of changes when they happen leads to the same state, change by change', async () => {
  const started = { seed, clock: now, openKeys: true, maxWorlds: 2, set: { readAfterWrite: 'lagging' } } as const;
  const [mock, twin] = [await createMock(started), await createMock(started)];
  onTestFinished(async () => void (await Promise.all([mock.close(), twin.close()])));
  const { api, control } = clientsOf(mock);
  const catchUp = follow(mock.engine, twin.engine);
  const steps: Record<string, () => unknown> = {
    'a creation': () => api('POST', '/drives', { json: { name: 'New' } }),
    'a reading': () => api('GET', '/drives'),
    'a deletion': () => api('DELETE', '/drives/drive-two/items/tree?path=/a'),
    'time that goes by': () => control('PATCH', '/settings', { json: { advanceMs: 60_000 } }),
    'a world with a name': () => mock.openWorld({ name: 'Mine', key: 'mine' }),
    'a visitor': () => api('POST', '/drives', { key: 'visitor', json: { name: 'Of a visitor' } }),
    'a world that retires another': () => mock.openWorld(),
    'an issued key': () => control('POST', '/organizations/org-beta/keys', { json: { key: 'issued' } }),
    'a revoked key': () => mock.engine.store.revoke('issued'),
    'a profile of its own': () => mock.setProfile({ createStatus: 202 }, { organization: 'org-beta' }),
    'a reset': () => control('POST', '/reset?organization=org-alpha'),
    'a deletion of an organization': () => control('DELETE', '/organizations/org-beta'),
  };
  for (const [name, step] of Object.entries(steps)) {
    await step();
    catchUp();
    expect(stateOf(twin.engine), name).toEqual(stateOf(mock.engine));
  }
});

it('a change of an organization that is not there is refused', async () => {
  const mock = await createMock({ seed, clock: now });
  onTestFinished(() => mock.close());
  const repetition = new Repetition(mock.engine, headOf(mock.engine));
  expect(() => repetition.repeat({ do: 'use', in: 'org-alpha', lastUse: 1 })).toThrow(
    'There is no organization org-alpha.',
  );
  const made = { id: 'org-gamma', name: 'Gamma', origin: { kind: 'seed', index: 7 }, keys: [], firstKeys: [] } as const;
  expect(() => repetition.repeat({ do: 'make', made, pending: [] })).toThrow(
    'The seed has nothing to make the organization org-gamma from.',
  );
});

it('an organization that is as at its start is written in a few words, and one that was changed in whole', async () => {
  const mock = await createMock({ seed, clock: now, openKeys: true });
  onTestFinished(() => mock.close());
  const { api } = clientsOf(mock);
  mock.openWorld({ key: 'world' });
  const written = () => [...allChanges(mock.engine)].map((change) => change.do).join(' ');
  expect(written()).toBe('make count use make count use make count use');
  await api('POST', '/drives', { json: { name: 'New' } });
  expect(written()).toBe('gather put count use make count use make count use');
});

it('a large organization is written in several parts, from which it is the same', async () => {
  const files = Array.from({ length: 2_345 }, (_, index) => ({ path: `/file-${index}` }));
  const drives = [{ name: 'Large', files }, { name: 'Empty' }, { name: 'Small', files: files.slice(0, 2) }];
  const mock = await createMock({ seed: { organizations: [{ name: 'A', keys: ['k'], drives }] }, clock: now });
  onTestFinished(() => mock.close());
  await clientsOf(mock).api('POST', '/drives', { json: { name: 'New' } });
  const parts = [...allChanges(mock.engine)].flatMap((change) =>
    change.do === 'gather' ? [change.pieces.length] : [],
  );
  expect(parts.length).toBeGreaterThan(2);
  expect(Math.max(...parts)).toBeLessThanOrEqual(1_000);
  expect(stateOf(madeAgain(mock.engine))).toEqual(stateOf(mock.engine));
});
