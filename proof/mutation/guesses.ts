import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type OpenPoint, withoutNeeds } from '../../openapi/points/open-point.ts';
import { defaultProfile, loadOpenPoints, type Profile } from '../../src/index.ts';
import { createRandom } from '../../test/model/random.ts';
import { randomProfile } from '../../test/model/random-profile.ts';
import {
  carryOut,
  changesTo,
  type InUse,
  listedAndMore,
  needless,
  oddProfiles,
  padding,
  unnamed,
} from '../../test/support/guesses.ts';

// The same as test/mock/guesses.test.ts for all open points, but quick: which choices change an answer is found out once,
// without a fault, and kept in a file.

const allPoints = loadOpenPoints();
const points = withoutNeeds(allPoints);
const orderOf = new Map(allPoints.map(({ id }, place) => [id, place]));

const byDefault = defaultProfile(allPoints);
const random = createRandom(3);
const odd = randomProfile(random);
const oneOther = ({ id, choices }: OpenPoint) => [
  random.pick(choices.map(({ value }) => value).filter((value) => value !== odd[id as keyof Profile])),
];

// The codes of refusals are named alike under all profiles.
const decisive = points.filter(({ id }) => !/Status(\.|$)/.test(id));

/** Profiles, the choices that are used beside each at some open points, and the file for what they change. */
const bases: [file: string, Profile, typeof listedAndMore, readonly OpenPoint[]][] = [
  ['changes-of-default.json', byDefault, listedAndMore, points],
  ['changes-of-random.json', odd, oneOther, points],
  ...Object.entries(oddProfiles).map(([name, choices]): (typeof bases)[number] => {
    return [`changes-of-${name}.json`, { ...byDefault, ...choices }, listedAndMore, decisive];
  }),
];

const fileOf = (known: string) => join(process.env.MUTATION_RECORDS ?? '', known);

async function knownChanges(
  known: string,
  base: Profile,
  valuesOf: typeof listedAndMore,
  varied: readonly OpenPoint[],
): Promise<ReadonlySet<string>[]> {
  const file = fileOf(known);
  if (!existsSync(file)) {
    const found = await changesTo(base, await carryOut(base), varied, valuesOf);
    writeFileSync(file, JSON.stringify(found.map((some) => [...some])));
  }
  const written = JSON.parse(readFileSync(file, 'utf8')) as string[][];
  return written.map((some) => new Set(some));
}

describe.each(bases)('X-Open-Points (%s)', (known, base, valuesOf, varied) => {
  let changes: ReadonlySet<string>[];
  let reference: InUse[];

  beforeAll(
    async () => {
      changes = await knownChanges(known, base, valuesOf, varied);
      reference = await carryOut(base);
    },
    existsSync(fileOf(known)) ? 120_000 : 600_000,
  );

  it('names each open point at which another choice changes the answer', () => {
    expect(unnamed(reference, changes)).toEqual([]);
  });

  it('names only open points that change this answer, or another of the same operation and outcome', () => {
    if (base !== odd) {
      expect([...padding(reference, changes, varied), ...needless(reference, changes, varied)]).toEqual([]);
    }
    expect(reference.length).toBeGreaterThan(50);
  });

  it('names each once, in the order of the register', () => {
    for (const { openPoints, script } of reference) {
      const places = openPoints.map((id) => orderOf.get(id) ?? -1);
      expect(places, script.name).toEqual([...new Set(places)].sort((one, other) => one - other));
    }
  });
});
