import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type OpenPoint, withoutNeeds } from '../../openapi/contract/open-points.ts';
import { defaultProfile, loadOpenPoints, type Profile } from '../../src/index.ts';
import { createRandom } from '../model/random.ts';
import { randomProfile } from '../model/random-profile.ts';
import {
  changesTo,
  listedAndMore,
  needless,
  oddProfiles,
  type Played,
  padding,
  play,
  unnamed,
} from '../support/guesses.ts';

// The same as test/guesses.test.ts for all open points, but quick: which choices change an answer is found out once,
// without a fault, and kept in a file.

const allPoints = loadOpenPoints();
const points = withoutNeeds(allPoints);

const byDefault = defaultProfile(allPoints);
const random = createRandom(3);
const odd = randomProfile(random);
const oneOther = ({ id, choices }: OpenPoint) => [
  random.pick(choices.map(({ value }) => value).filter((value) => value !== odd[id as keyof Profile])),
];

/** Profiles, the choices that are played beside each, and the file for what they change. */
const bases: [file: string, Profile, typeof listedAndMore][] = [
  ['changes-of-default.json', byDefault, listedAndMore],
  ['changes-of-random.json', odd, oneOther],
  ...Object.entries(oddProfiles).map(([name, choices]): (typeof bases)[number] => {
    return [`changes-of-${name}.json`, { ...byDefault, ...choices }, listedAndMore];
  }),
];

async function knownChanges(
  known: string,
  base: Profile,
  valuesOf: typeof listedAndMore,
): Promise<ReadonlySet<string>[]> {
  if (!existsSync(known)) {
    const found = await changesTo(base, await play(base), points, valuesOf);
    writeFileSync(known, JSON.stringify(found.map((some) => [...some])));
  }
  const written = JSON.parse(readFileSync(known, 'utf8')) as string[][];
  return written.map((some) => new Set(some));
}

describe.each(bases)('X-Open-Points (%s)', (known, base, valuesOf) => {
  let changes: ReadonlySet<string>[];
  let reference: Played[];

  beforeAll(
    async () => {
      changes = await knownChanges(known, base, valuesOf);
      reference = await play(base);
    },
    existsSync(known) ? 20_000 : 600_000,
  );

  it('names each open point at which another choice changes the answer', () => {
    expect(unnamed(reference, changes)).toEqual([]);
  });

  it('names only open points that change this answer, or another of the same operation and outcome', () => {
    if (base === byDefault) expect(padding(reference, changes, points)).toEqual([]);
    if (base !== odd) expect(needless(reference, changes, points)).toEqual([]);
    expect(reference.length).toBeGreaterThan(50);
  });
});
