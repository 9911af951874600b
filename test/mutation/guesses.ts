import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { withoutNeeds } from '../../openapi/contract/open-points.ts';
import { defaultProfile, loadOpenPoints, type Profile } from '../../src/index.ts';
import { createRandom } from '../model/random.ts';
import { randomProfile } from '../model/random-profile.ts';
import { changesTo, listedAndMore, type Played, padding, play, unnamed } from '../support/guesses.ts';

// The same as test/guesses.test.ts for all open points, but quick: which choices change an answer is found out once,
// without a fault, and kept in a file.

const allPoints = loadOpenPoints();
const points = withoutNeeds(allPoints);

/** Profiles, and the file for the changes under each. */
const bases: [string, Profile][] = [
  ['changes-of-default.json', defaultProfile(allPoints)],
  ['changes-of-random.json', randomProfile(createRandom(3))],
];

async function knownChanges(known: string, base: Profile): Promise<ReadonlySet<string>[]> {
  if (!existsSync(known)) {
    const found = await changesTo(base, await play(base), points, listedAndMore);
    writeFileSync(known, JSON.stringify(found.map((some) => [...some])));
  }
  const written = JSON.parse(readFileSync(known, 'utf8')) as string[][];
  return written.map((some) => new Set(some));
}

describe.each(bases)('X-Open-Points (%s)', (known, base) => {
  let changes: ReadonlySet<string>[];
  let reference: Played[];

  beforeAll(async () => {
    changes = await knownChanges(known, base);
    reference = await play(base);
  }, 600_000);

  it('names each open point at which another choice changes the answer', () => {
    expect(unnamed(reference, changes)).toEqual([]);
  });

  it('names only open points that change an answer of the same operation and outcome, by default', () => {
    if (known === bases[0]?.[0]) expect(padding(reference, changes, points)).toEqual([]);
    expect(reference.length).toBeGreaterThan(50);
  });
});
