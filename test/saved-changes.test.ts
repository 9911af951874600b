import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { Engine } from '../src/engine/engine.ts';
import { MockClock } from '../src/engine/mock-clock.ts';
import { Repetition } from '../src/engine/repeat-changes.ts';
import { allChanges, headOf } from '../src/engine/saved-changes.ts';
import { createMock } from '../src/index.ts';
import { rulesOf } from '../src/workbench/settings.ts';
import { createRandom } from './model/random.ts';
import { randomProfile } from './model/random-profile.ts';
import { now, seed } from './model/seed.ts';
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
