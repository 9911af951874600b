import { beforeAll, describe, expect, test } from 'vitest';
import { contractFor } from '../../src/index.ts';
import { describeCall } from '../model/call.ts';
import { disagreementsOn, isInputRefusal, reasons } from '../model/disagreements.ts';
import { headlines } from '../model/headlines.ts';
import { disagreementsIn, smallestExamples } from '../model/prism-limits.ts';
import { createPrismOpinion } from '../model/prism-opinion.ts';
import { createRandom } from '../model/random.ts';
import { choicesOf, randomProfile } from '../model/random-profile.ts';
import { type Judged, type Report, runSequence } from '../model/sequence.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { timeLimit } from '../support/time-limit.ts';

// Random sandboxes, each used with a random sequence of calls, and compared with a small model of the specification and
// its open points. The random seed draws the profiles.

const profileCount = depth(25, 300);
const reports: Report[] = [];
const disagreements: Record<string, number> = {};
const unexplained = new Map<string, string>();
let prismCount = 0;

beforeAll(async () => {
  const random = createRandom(randomSeed);
  for (let index = 0; index < profileCount; index += 1) {
    const report = await runSequence(randomProfile(random), random, `seed ${randomSeed}, profile ${index}`);
    reports.push(report);
    await askPrism(report, index);
  }
  process.stdout.write(`random profiles: ${figures()}\n`);
}, timeLimit(240_000));

// Each refusal of an input, and a quarter of the other exchanges: a different one from profile to profile.
async function askPrism({ profile, exchanges }: Report, index: number): Promise<void> {
  const ask = await createPrismOpinion(contractFor(profile));
  const isAsked = ({ outcome }: Judged, place: number) => isInputRefusal(outcome) || place % 4 === index % 4;
  for (const judged of exchanges.filter(isAsked)) {
    prismCount += 1;
    for (const kind of disagreementsOn(judged, await ask(judged.call, judged.answer), profile)) {
      if (kind in reasons) disagreements[kind] = (disagreements[kind] ?? 0) + 1;
      else unexplained.set(kind, `${describeCall(judged.call)} ${JSON.stringify(choicesOf(profile))}`);
    }
  }
}

function shareOf(exchanges: Report['exchanges']): number {
  return exchanges.filter(({ outcome }) => outcome === 'success').length / exchanges.length;
}

function figures(): string {
  const exchanges = reports.flatMap((report) => report.exchanges);
  const share = Math.round(shareOf(exchanges) * 100);
  const judged = `${exchanges.length} calls, ${share} % successful, all judged by Ajv, ${prismCount} by Prism`;
  return `seed ${randomSeed}, ${reports.length} profiles, ${judged}, disagreements ${JSON.stringify(disagreements)}`;
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

  test('is judged the same by Prism, except for explained disagreements', () => {
    expect(prismCount).toBeGreaterThanOrEqual(profileCount * 10);
    expect(Object.fromEntries(unexplained)).toEqual({});
  });
});

describe('disagreement between Prism and the mock', () => {
  test.each(Object.entries(smallestExamples))('shows in the smallest example: %s', async (kind, example) => {
    expect(await disagreementsIn(example)).toEqual([kind]);
  });
});
