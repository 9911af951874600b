import { beforeAll, describe, expect, test } from 'vitest';
import { headlines } from '../model/headlines.ts';
import { createRandom } from '../model/random.ts';
import { randomProfile } from '../model/random-profile.ts';
import { type Report, runSequence } from '../model/sequence.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { timeLimit } from '../support/time-limit.ts';

// Random sandboxes, each used with a random sequence of calls, and compared with a small model of the specification and
// its open points. The random seed draws the profiles.

const profileCount = depth(15, 300);
const reports: Report[] = [];

beforeAll(async () => {
  const random = createRandom(randomSeed);
  for (let index = 0; index < profileCount; index += 1) {
    reports.push(await runSequence(randomProfile(random), random, `seed ${randomSeed}, profile ${index}`));
  }
  const exchanges = reports.flatMap((report) => report.exchanges);
  const share = Math.round(shareOf(exchanges) * 100);
  const judged = `${exchanges.length} calls, ${share} % successful, all judged by Ajv`;
  process.stdout.write(`random profiles: seed ${randomSeed}, ${reports.length} profiles, ${judged}\n`);
}, timeLimit(240_000));

function shareOf(exchanges: Report['exchanges']): number {
  return exchanges.filter(({ outcome }) => outcome === 'success').length / exchanges.length;
}

describe('mock in random profiles', () => {
  test('answers each call as the model and the contract schemas predict', () => {
    expect(headlines(reports.flatMap(({ faults }) => faults))).toEqual([]);
  });

  test('gets at least 30 calls per profile, of which half succeed', () => {
    const complete = reports.filter(({ faults }) => faults.length === 0);
    expect(reports).toHaveLength(profileCount);
    expect(Math.min(...complete.map(({ exchanges }) => exchanges.length))).toBeGreaterThanOrEqual(30);
    expect(Math.min(...complete.map(({ exchanges }) => shareOf(exchanges)))).toBeGreaterThanOrEqual(0.35);
    expect(shareOf(complete.flatMap(({ exchanges }) => exchanges))).toBeGreaterThanOrEqual(0.5);
  });
});
