import { beforeAll, describe, expect, test } from 'vitest';
import type { Exchange } from '../../openapi/model/exchange.ts';
import { lineOf } from '../../openapi/model/findings.ts';
import { Model } from '../../openapi/model/model.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { parseBody } from '../../openapi/reading/messages.ts';
import { pathOf, queryOf } from '../model/call.ts';
import { createPicture, organizationOf } from '../model/picture.ts';
import { createRandom } from '../model/random.ts';
import { choicesOf, randomProfile } from '../model/random-profile.ts';
import { seed } from '../model/seed.ts';
import { type Judged, type Report, runSequence } from '../model/sequence.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { timeLimit } from '../support/time-limit.ts';

// Random sandboxes, each used with a random sequence of calls. The answers are compared with a small model of the
// specification and its open points, which knows the profile, and judged by the model of the suite, which does not. The
// random seed draws the profiles.

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

// The suite warns of these choices; they are legal.
const warned = new Set(loadOpenPoints().flatMap(({ choices }) => choices.flatMap((choice) => choice.warned ?? [])));
const mayLeaveOut = ['agent.fields-are-present', 'driveFile.fields-are-present'];

/** What the model of the suite finds wrong with a sequence. */
function foundIn({ profile, exchanges }: Report): string[] {
  const picture = createPicture(seed.organizations, profile);
  // What lags there waits for calls, not for a time.
  const isLagging = profile.readAfterWrite === 'lagging' || profile.treeDeletion === 'asynchronous';
  const { treePathParameter } = profile;
  const model = new Model({ settleMs: isLagging ? Number.POSITIVE_INFINITY : 0, treePathParameter });
  return exchanges.flatMap((judged, at) => {
    const { call, answer } = judged;
    const findings = model
      .judge(toExchange(judged, at, organizationOf(call, picture)?.id))
      .filter(({ level, rule }) => level === 'must' || !(warned.has(rule) || mayLeaveOut.includes(rule)));
    const sent = `${pathOf(call)}${queryOf(call)} ${call.body} -> ${answer.status} ${answer.text}`;
    const choices = JSON.stringify(choicesOf(profile));
    return findings.map((finding) => `${choices}: ${lineOf(finding).plain}; ${sent}`.slice(0, 3_000));
  });
}

function toExchange({ call, answer }: Judged, index: number, organization: string | undefined): Exchange {
  return {
    ...{ organization, operation: call.operationId, target: pathOf(call) + queryOf(call) },
    ...{ headers: call.headers, body: call.body, startMs: index * 10, endMs: index * 10 + 5 },
    answer: { ...answer, body: parseBody(new TextEncoder().encode(answer.text)) },
  };
}

/** One fault of each kind, in full, and how often it came: kinds are told apart by the first line, numbers aside. */
function headlines(faults: readonly string[]): string[] {
  const byKind = Map.groupBy(faults, kindOf);
  return [...byKind.values()].map((alike) => `${alike.length} times: ${alike[0]}`);
}

function kindOf(fault: string): string {
  const [first = ''] = fault.split('\n');
  return first.replaceAll(/\d+/g, '#').replace(/(got #).*/, '$1');
}

describe('mock in random profiles', () => {
  test('answers each call as the model and the contract schemas predict', () => {
    expect(headlines(reports.flatMap(({ faults }) => faults))).toEqual([]);
  });

  test('keeps every stated fact: the model of the suite finds nothing', () => {
    expect(reports.flatMap(foundIn)).toEqual([]);
  });

  test('gets at least 30 calls per profile, of which half succeed', () => {
    const complete = reports.filter(({ faults }) => faults.length === 0);
    expect(reports).toHaveLength(profileCount);
    expect(Math.min(...complete.map(({ exchanges }) => exchanges.length))).toBeGreaterThanOrEqual(30);
    expect(Math.min(...complete.map(({ exchanges }) => shareOf(exchanges)))).toBeGreaterThanOrEqual(0.35);
    expect(shareOf(complete.flatMap(({ exchanges }) => exchanges))).toBeGreaterThanOrEqual(0.5);
  });
});
