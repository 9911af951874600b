import fc from 'fast-check';
import type { Profile } from '../../src/index.ts';
import type { Call } from './call.ts';
import { createPicture } from './picture.ts';
import { createRandom } from './random.ts';
import { randomCall } from './random-calls.ts';
import { seed } from './seed.ts';

/** Calls to a mock with the seed of the model in its starting state: good ones, and near misses of every kind. */
export function anyCallUnder(profile: Profile): fc.Arbitrary<Call> {
  const picture = createPicture(seed.organizations, profile);
  return fc.nat().map((number) => {
    const random = createRandom(number);
    return randomCall(random, picture, random.chance(0.4));
  });
}
