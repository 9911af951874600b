import { beforeAll, describe, expect, it } from 'vitest';
import { withoutNeeds } from '../../openapi/points/open-point.ts';
import { defaultProfile, loadOpenPoints, type Profile } from '../../src/index.ts';
import { createRandom } from '../model/random.ts';
import { randomProfile } from '../model/random-profile.ts';
import { depth, drawn, randomSeed, sampleOf } from '../support/depth.ts';
import {
  carryOut,
  changesTo,
  type InUse,
  listedAndMore,
  needless,
  oddProfiles,
  padding,
  unnamed,
} from '../support/guesses.ts';

// Each request is sent to a mock that uses a profile, and to mocks that use another choice at one open point. Where an
// answer differs, the first one must have named that open point.

const allPoints = loadOpenPoints();
const points = withoutNeeds(allPoints);
const orderOf = new Map(allPoints.map(({ id }, place) => [id, place]));
/** The open points at which other choices are used. */
const varied = sampleOf(points, 2);

describe('X-Open-Points under the default profile', () => {
  const base = defaultProfile(allPoints);
  let reference: InUse[];
  let changes: ReadonlySet<string>[];

  beforeAll(async () => {
    reference = await carryOut(base);
    changes = await changesTo(base, reference, varied, listedAndMore);
  }, 240_000);

  it('names each open point at which another choice changes the answer', () => {
    expect(unnamed(reference, changes)).toEqual([]);
  });

  it('names only open points that change an answer of the same operation and outcome', () => {
    expect(padding(reference, changes, varied)).toEqual([]);
  });

  it('names an open point that the request shows only where another choice changes this very answer', () => {
    expect(needless(reference, changes, varied)).toEqual([]);
  });

  it('names every open point in some answer', async () => {
    // By default no query parameter is refused because it is unknown.
    const strict = await carryOut({ ...base, 'unknownInput.queryParameters': 'refused' });
    const named = new Set([...reference, ...strict].flatMap(({ openPoints }) => openPoints));
    expect(points.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([]);
  });

  it('names open points once each, in the order of the register', () => {
    for (const { openPoints, script } of reference) {
      const places = openPoints.map((id) => orderOf.get(id) ?? -1);
      expect(places, script.name).toEqual([...new Set(places)].sort((one, other) => one - other));
    }
  });

  it('is tested with a success of every operation, and ten or more outcomes', () => {
    const outcomes = Map.groupBy(reference, ({ script }) => script.operationId);
    expect(outcomes.size).toBe(11);
    for (const [operationId, applied] of outcomes) {
      if (operationId !== undefined) expect(applied.map(({ outcome }) => outcome)).toContain('success');
    }
    expect(new Set(reference.map(({ outcome }) => outcome)).size).toBeGreaterThan(9);
  });
});

describe.each(drawn(Object.entries(oddProfiles), depth(1, 2)))('X-Open-Points under a %s profile', (_, choices) => {
  it('names what changes the answer, and of what the request shows nothing else', async () => {
    const base = { ...defaultProfile(allPoints), ...choices };
    const reference = await carryOut(base);
    const changes = await changesTo(base, reference, varied, listedAndMore);
    expect(unnamed(reference, changes)).toEqual([]);
    expect([...padding(reference, changes, varied), ...needless(reference, changes, varied)]).toEqual([]);
  }, 240_000);
});

// Where several odd choices meet. One other choice of each open point: all of them would take minutes.
describe.each([randomSeed, 3, 5].slice(0, depth(0, 3)))('X-Open-Points under the random profile %i', (seed) => {
  it('names each open point at which another choice changes the answer', async () => {
    const random = createRandom(seed);
    const base = randomProfile(random);
    const reference = await carryOut(base);
    const changes = await changesTo(base, reference, varied, ({ id, choices }) => {
      const others = choices.map(({ value }) => value).filter((value) => value !== base[id as keyof Profile]);
      return [random.pick(others)];
    });
    expect(unnamed(reference, changes)).toEqual([]);
  }, 240_000);
});
