import { beforeAll, describe, expect, it } from 'vitest';
import { defaultProfile, withoutReferences } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { withoutNeeds } from '../../openapi/points/open-point.ts';
import { isRecorded, type RecordedRun, readAgain, recordedTraffic } from './recorded-traffic.ts';

// The same as test/suite/observe.test.ts for the reading alone, but quick.

const usual = defaultProfile(withoutNeeds(loadOpenPoints()));

describe('the reading of recorded traffic', () => {
  let runs: RecordedRun[];

  beforeAll(
    async () => {
      runs = await recordedTraffic();
    },
    isRecorded() ? 120_000 : 1_200_000,
  );

  it.each(Array.from({ length: 60 }, (_, index) => index))(
    'sees the choices that are used, and no others: run %i',
    (index) => {
      const run = runs[index % runs.length] as RecordedRun;
      if (index >= runs.length) return expect(index).toBeGreaterThan(20);
      const applied = withoutReferences({ ...usual, ...run.profile });
      const { observed } = readAgain(run).learned();
      expect(applied).toMatchObject(observed);
      expect(Object.keys(observed).sort()).toEqual([...run.seen].sort());
    },
  );
});
