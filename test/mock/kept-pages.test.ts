import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/app/settings.ts';
import type { Answer, Call } from '../../src/engine/call.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createJsonText, KeptPages } from '../../src/engine/json-text.ts';
import { createMock, type Profile } from '../../src/index.ts';
import { queryOf } from '../model/call.ts';
import { anyCallUnder } from '../model/random-calls.ts';
import { now, seed } from '../model/seed.ts';
import { startControlled, useControlled } from '../support/control.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { anyProfile, anyStepAtAll, sendStep, type Turn, toTurnRequest, toTurns } from '../support/random-steps.ts';
import { timeLimit } from '../support/time-limit.ts';

// Bodies of lists are kept, and what was read of calls. Nobody may notice, except by the clock; and they must not fill the
// memory.

const lists = [
  { operationId: 'listAgents', query: '' },
  { operationId: 'listMcpServers', query: '' },
  { operationId: 'listDrives', query: '' },
  { operationId: 'listDrives', query: 'limit=2&offset=1' },
] as const;

function listAll(engine: Engine): Answer[] {
  const calls = engine.store.keys.flatMap((key) =>
    lists.map((list): Call => ({ ...list, pathParameters: {}, headers: { 'x-api-key': key } })),
  );
  return calls.map((call) => engine.answer(call));
}

/** The same state in an engine that has kept nothing. */
function freshFrom(engine: Engine): Engine {
  const fresh = createEngine({ clock: now }, 1, engine.runtime.profile, seed);
  fresh.restore(engine.snapshot());
  for (const { organization, ownProfile } of engine.store.sandboxes) {
    const sandbox = fresh.store.sandbox(organization.id);
    if (sandbox !== undefined && ownProfile !== undefined) fresh.applyFor(sandbox, ownProfile);
  }
  return fresh;
}

// What a mock counts by the minute is no part of its state.
function withoutCounts(answers: readonly Answer[]): Answer[] {
  const isKept = ([name]: [string, string]) => !name.startsWith('ratelimit-');
  return answers.map(({ headers, ...answer }) => ({
    ...answer,
    headers: Object.fromEntries(Object.entries(headers).filter(isKept)),
  }));
}

describe('kept bodies of lists', () => {
  const started = useControlled({ seed, clock: now });

  it(
    'are those that are made afresh, whatever happened before',
    async () => {
      const { mock, control } = started();
      const course = fc.tuple(anyProfile, anyProfile, toTurns(anyStepAtAll, 10, 25));
      const walk = async ([profile, own, turns]: [Profile, Profile, Turn[]]) => {
        await control('PATCH', '/settings', { json: { profile } });
        await control('POST', '/reset');
        await control('POST', '/organizations', { json: { key: 'sandbox-1', name: 'One' } });
        const second = mock.engine.store.sandboxes[1];
        if (second !== undefined) mock.engine.applyFor(second, own);
        for (const turn of turns) {
          await sendStep(mock, toTurnRequest(mock, turn));
          const expected = listAll(freshFrom(mock.engine));
          expect(withoutCounts(listAll(mock.engine))).toEqual(withoutCounts(expected));
        }
      };
      await fc.assert(fc.asyncProperty(course, walk), { numRuns: depth(2, 150), seed: randomSeed, endOnFailure: true });
    },
    timeLimit(60_000),
  );

  it('are bounded in their text, and the same again as long as they are kept', () => {
    const pages = new KeptPages(createJsonText('documented'));
    const records = [{}];
    const make = () => ({ text: 'x'.repeat(100_000) });
    const [first, again] = [pages.of('first', records, make), pages.of('first', [...records], make)];
    expect(again).toBe(first);
    expect(pages.of('first', [{}], make)).not.toBe(first);
    for (let index = 0; index < 100; index++) pages.of(`page ${index}`, records, make);
    expect(pages.length).toBeGreaterThan(1_000_000);
    expect(pages.length).toBeLessThanOrEqual(2_097_152);
    expect(pages.of('first', records, make)).not.toBe(first);
  });

  it('are bounded in their number where they are small', () => {
    const pages = new KeptPages(createJsonText('documented'));
    for (let index = 0; index < 6_000; index++) pages.of(`page ${index}`, [], () => []);
    expect(pages.size).toBeGreaterThan(1_000);
    expect(pages.size).toBeLessThan(5_000);
  });

  it('are not kept where one is large', () => {
    const pages = new KeptPages(createJsonText('documented'));
    const make = () => ({ text: 'x'.repeat(1_000_000) });
    const large = pages.of('large', [], make);
    expect(pages.of('large', [], make)).toEqual(large);
    expect(pages.length).toBe(0);
  });
});

describe('what is kept of earlier calls shows in no answer', () => {
  /** Calls of the model. A client that repeats a call sends the same objects again, so these are shared. */
  function anyCallsUnder(profile: Profile): fc.Arbitrary<Call[]> {
    const kept = new Map<string, unknown>();
    const shared = <T>(value: T): T => {
      const text = JSON.stringify(value);
      if (!kept.has(text)) kept.set(text, value);
      return kept.get(text) as T;
    };
    const one = anyCallUnder(profile).map(
      (call): Call => ({
        ...{ operationId: call.operationId, pathParameters: shared(call.params), headers: shared(call.headers) },
        query: queryOf(call).slice(1),
        body: call.body === undefined ? undefined : new TextEncoder().encode(call.body),
      }),
    );
    return fc.array(one, { minLength: 2, maxLength: 12 });
  }

  it.each<[string, Partial<Profile>]>([
    ['default', {}],
    ['strict', { malformedIds: 'refused', 'unknownInput.queryParameters': 'refused', judgedFirst: 'resource' }],
    ['lenient', { 'oddPaging.outOfRange': 'ignored', 'requiredFields.createDrive': 'none', mediaTypeRules: 'lenient' }],
  ])('under a %s profile', async (_, set) => {
    const options = { seed, clock: now, set };
    const [among, alone] = [await createMock(options), await createMock(options)];
    const property = fc.property(anyCallsUnder(among.profile), (calls) => {
      among.reset();
      for (const call of calls) {
        // In the same state, but of other objects, so that nothing of it can be known.
        alone.restore(among.snapshot());
        expect(among.engine.answer(call)).toEqual(alone.engine.answer(structuredClone(call)));
      }
    });
    fc.assert(property, { seed: randomSeed, numRuns: depth(8, 700) });
    await Promise.all([among.close(), alone.close()]);
  });

  it('and a call that is repeated has what changed meanwhile named', async () => {
    const { mock } = await startControlled({ set: { 'unknownInput.queryParameters': 'refused' } });
    const shared = {
      pathParameters: { driveId: 'drive-full', fileId: 'file-plain' },
      headers: { 'x-api-key': 'key-a' },
    };
    const read: Call = { ...shared, operationId: 'getDriveFile', query: 'colour=red' };
    const namesTwoFaults = () => mock.engine.answer(read).openPoints?.split(', ').includes('judgedFirst');
    const before = mock.snapshot();
    expect([namesTwoFaults(), namesTwoFaults()]).toEqual([false, false]);
    expect(mock.engine.answer({ ...read, operationId: 'deleteDriveTree', query: 'path=/docs' }).status).toBe(200);
    expect([namesTwoFaults(), namesTwoFaults()]).toEqual([true, true]);
    mock.restore(before);
    expect(namesTwoFaults()).toBe(false);
  });
});
