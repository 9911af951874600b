import { describe, expect, it } from 'vitest';
import { observers } from '../../conformance/observe/table.ts';
import { withoutReferences } from '../../openapi/contract/profile.ts';
import { observers as observersOfTraffic } from '../../openapi/points/index.ts';
import { createRandom } from '../model/random.ts';
import { randomProfile } from '../model/random-profile.ts';
import { sampleOf } from '../support/depth.ts';
import { observeTarget, tool, withMock } from '../support/observed-mock.ts';
import { startProxy } from '../support/proxied.ts';

// The suite observes a mock through the proxy: both read the same exchanges, so both learn the same profile.

const random = createRandom(20_261_122);
const profiles = Array.from({ length: 10 }, (_, index) => ({ id: index + 1, profile: randomProfile(random) }));
const ofReading = new Set<string>(observersOfTraffic.keys());
/** The suite compares states for these as well, so it may learn more than traffic shows. */
const alsoCompared = new Set<string>(observers.flatMap(({ openPoint, see }) => (see === undefined ? [] : [openPoint])));

describe('the suite and the proxy', () => {
  it.each(sampleOf(profiles, 1))(
    'learn the same profile from the same traffic: drawn profile $id',
    async ({ profile }) => {
      await withMock({ profile }, async ({ mock, settings }) => {
        const { proxy, close } = await startProxy({ upstream: mock.url });
        try {
          const { observed } = await observeTarget({ ...settings, baseUrl: proxy.url }, tool);
          const { learned } = proxy.summary();
          const bySuite = Object.entries(observed).filter(([id]) => ofReading.has(id) && !alsoCompared.has(id));
          const byProxy = Object.entries(learned.observed).filter(([id]) => !alsoCompared.has(id));
          expect(Object.fromEntries(byProxy)).toEqual(Object.fromEntries(bySuite));
          expect(observed).toMatchObject(learned.observed);
          expect(withoutReferences(mock.profile)).toMatchObject(learned.observed);
          expect(bySuite.length).toBeGreaterThanOrEqual(25);
        } finally {
          await close();
        }
      });
    },
  );
});
