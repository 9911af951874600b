import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateChoices } from '../../openapi/contract/profile.ts';
import { withoutNeeds } from '../../openapi/points/open-point.ts';
import { drawProfile } from '../../src/app/draw-profile.ts';
import {
  createMock,
  defaultProfile,
  loadOpenPoints,
  type Mock,
  type MockOptions,
  type Profile,
} from '../../src/index.ts';
import { createRandom } from '../model/random.ts';
import { randomProfile } from '../model/random-profile.ts';

const openPoints = loadOpenPoints();
const ids = openPoints.map(({ id }) => id as keyof Profile);
const hiddenIds = openPoints.flatMap(({ id, impact }) => (impact === 'hidden' ? [id] : []));
const base = defaultProfile(openPoints);

const anySeed = fc.maxSafeNat();
const anyBase = fc.nat().map((seed) => randomProfile(createRandom(seed)));
const anyImpact = fc.constantFrom<'hidden' | 'visible'>('hidden', 'visible');

const differing = (one: Profile, other: Profile) => ids.filter((id) => one[id] !== other[id]);

describe('a drawn profile', () => {
  it('is legal, complete and the same for the same seed', () => {
    fc.assert(
      fc.property(anySeed, anyBase, anyImpact, (randomSeed, over, impact) => {
        const drawn = drawProfile(openPoints, over, impact, randomSeed);
        expect(validateChoices(openPoints, drawn)).toEqual([]);
        expect(Object.keys(drawn).sort()).toEqual([...ids].sort());
        expect(drawProfile(openPoints, over, impact, randomSeed)).toEqual(drawn);
      }),
    );
  });

  it('differs from the base only in hidden choices when drawn as hidden', () => {
    fc.assert(
      fc.property(anySeed, anyBase, (randomSeed, over) => {
        const drawn = drawProfile(openPoints, over, 'hidden', randomSeed);
        expect(hiddenIds).toEqual(expect.arrayContaining(differing(over, drawn)));
      }),
    );
  });

  it('varies only the given open points, each independently of the others', () => {
    fc.assert(
      fc.property(anySeed, anyBase, fc.subarray(openPoints), (randomSeed, over, some) => {
        const whole = drawProfile(openPoints, over, 'visible', randomSeed);
        const part = drawProfile(some, over, 'visible', randomSeed);
        const isVaried = (id: string) => some.some((point) => point.id === id);
        for (const id of ids) expect(part[id]).toBe(isVaried(id) ? whole[id] : over[id]);
      }),
    );
  });

  // The same on every machine, and from version to version: what a team has seen can be used again.
  it('stays the same across versions for seed 7', () => {
    const drawn = drawProfile(openPoints, base, 'visible', 7);
    const shown = [
      'successStatus.createDrive',
      'successStatus.publishAgentRevision',
      'pagingDefaults.limit',
      'listOrder',
      'errorBody',
      'idFormat',
    ] as const;
    expect(Object.fromEntries(shown.map((id) => [id, drawn[id]]))).toMatchInlineSnapshot(`
      {
        "errorBody": "problem",
        "idFormat": "sortable",
        "listOrder": "newestFirst",
        "pagingDefaults.limit": "all",
        "successStatus.createDrive": 203,
        "successStatus.publishAgentRevision": 204,
      }
    `);
  });

  describe('over a thousand seeds', () => {
    const drawn = Array.from({ length: 1000 }, (_, seed) => drawProfile(openPoints, base, 'visible', seed));

    it.each(withoutNeeds(openPoints))('draws each listed choice of $id', ({ id, choices, range }) => {
      const applied = drawn.map((profile) => profile[id as keyof Profile]);
      // A fair share is 1000 / choices; less than half of it is out of the question for one that is drawn evenly.
      const least = 1000 / choices.length / 2;
      for (const { value } of choices)
        expect(applied.filter((choice) => choice === value).length).toBeGreaterThan(least);
      const unlisted = applied.filter((choice) => choices.every(({ value }) => value !== choice));
      expect(new Set(unlisted).size > 0).toBe(range !== undefined);
    });

    it('allows bodies of at least 64 KiB', () => {
      expect(Math.min(...drawn.map(({ bodySizeLimit }) => bodySizeLimit))).toBeGreaterThanOrEqual(65_536);
    });

    it('is different for each seed', () => {
      expect(new Set(drawn.map((profile) => JSON.stringify(profile))).size).toBe(1000);
    });
  });
});

describe('a mock that varies', () => {
  it('uses a drawn profile that keeps explicit choices', async () => {
    const set = { 'successStatus.createDrive': 201, errorBody: 'list' } as const;
    for (let randomSeed = 0; randomSeed < 10; randomSeed++) {
      const mock = await createMock({ vary: 'visible', randomSeed, profile: { listOrder: 'byName' }, set });
      await mock.close();
      expect(mock.profile).toMatchObject({ ...set, listOrder: 'byName' });
      expect(mock.profile).toEqual({
        ...drawProfile(openPoints, base, 'visible', randomSeed),
        ...set,
        listOrder: 'byName',
      });
    }
  });

  it('reports its drawn profile in the settings', async () => {
    const settingsOf = async (options: MockOptions) => {
      const mock = await createMock(options);
      const settings = await (await fetch(`${mock.adminUrl}/settings`)).json();
      await mock.close();
      return settings;
    };
    const drawn = await settingsOf({ vary: 'hidden', randomSeed: 3 });
    expect(drawn).toMatchObject({ vary: 'hidden', randomSeed: 3, profile: drawProfile(openPoints, base, 'hidden', 3) });
    expect(await settingsOf({})).toMatchObject({ vary: null, profile: base });
  });

  it('draws a random seed if none is given, and repeats profile and ids with that seed', async () => {
    const mocks = await Promise.all(Array.from({ length: 3 }, () => createMock({ vary: 'hidden', clock })));
    const seeds = mocks.map(({ engine }) => engine.runtime.randomSeed);
    const again = await Promise.all(seeds.map((randomSeed) => createMock({ vary: 'hidden', clock, randomSeed })));
    await Promise.all([...mocks, ...again].map((mock) => mock.close()));
    expect(again.map(usedBy)).toEqual(mocks.map(usedBy));
    // Three equal ones of a million: once in a trillion.
    expect(new Set(seeds).size).toBeGreaterThan(1);
  });
});

const clock = '2026-10-01T09:00:00Z';

function usedBy({ profile, engine }: Mock) {
  return { profile, ids: engine.store.organizations.map(({ id }) => id) };
}
