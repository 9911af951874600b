import { describe, expect, it } from 'vitest';
import { createRandom } from '../../test/model/random.ts';
import { randomProfile } from '../../test/model/random-profile.ts';
import { runSequence } from '../../test/model/sequence.ts';

// The same as test/mock/random-profiles.test.ts, in small pieces, so that a fault is noticed soon.

describe('a random walk', () => {
  it.each(Array.from({ length: 20 }, (_, index) => index + 1))(
    'with seed %i goes as the model predicts',
    async (seed) => {
      const random = createRandom(seed);
      const { faults, exchanges } = await runSequence(randomProfile(random), random, `seed ${seed}`);
      expect(faults).toEqual([]);
      expect(exchanges.length).toBeGreaterThan(10);
    },
  );
});
