import { expect, it } from 'vitest';
import type { Exchange } from '../../openapi/model/exchange.ts';
import { lineOf } from '../../openapi/model/findings.ts';
import { Model } from '../../openapi/model/model.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { parseBody } from '../../openapi/reading/messages.ts';
import { pathOf, queryOf } from '../model/call.ts';
import { organizationOf } from '../model/credentials.ts';
import { createPicture } from '../model/picture.ts';
import { createRandom } from '../model/random.ts';
import { choicesOf, randomProfile } from '../model/random-profile.ts';
import { seed } from '../model/seed.ts';
import { type Judged, runSequence } from '../model/sequence.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { timeLimit } from '../support/time-limit.ts';

// The mock keeps every stated fact, whatever its profile: of its responses to random calls, the model says nothing.

const profileCount = depth(12, 200);

// The suite warns of these choices; they are legal.
const warned = new Set(loadOpenPoints().flatMap(({ choices }) => choices.flatMap((choice) => choice.warned ?? [])));
const mayLeaveOut = ['agent.fields-are-present', 'driveFile.fields-are-present'];

function toExchange({ call, answer }: Judged, index: number, organization: string | undefined): Exchange {
  return {
    ...{ organization, operation: call.operationId, target: pathOf(call) + queryOf(call) },
    ...{ headers: call.headers, body: call.body, startMs: index * 10, endMs: index * 10 + 5 },
    answer: { ...answer, body: parseBody(new TextEncoder().encode(answer.text)) },
  };
}

it('says nothing of the mock under random profiles', { timeout: timeLimit(240_000) }, async () => {
  const random = createRandom(randomSeed);
  const faults: string[] = [];
  let exchanges = 0;
  for (let index = 0; index < profileCount; index += 1) {
    const profile = randomProfile(random);
    const picture = createPicture(seed.organizations, profile);
    const report = await runSequence(profile, random, `profile ${index}`);
    // What lags there waits for calls, not for a time.
    const isLagging = profile.readAfterWrite === 'lagging' || profile.treeDeletion === 'asynchronous';
    const { treePathParameter } = profile;
    const model = new Model({ settleMs: isLagging ? Number.POSITIVE_INFINITY : 0, treePathParameter });
    exchanges += report.exchanges.length;
    for (const [at, judged] of report.exchanges.entries()) {
      const { call, answer } = judged;
      const findings = model.judge(toExchange(judged, at, organizationOf(call, picture)?.id));
      for (const finding of findings) {
        if (finding.level === 'should' && (warned.has(finding.rule) || mayLeaveOut.includes(finding.rule))) continue;
        const line = `${lineOf(finding).plain}; ${pathOf(call)}${queryOf(call)} ${call.body} -> ${answer.status} ${answer.text}`;
        faults.push(`${JSON.stringify(choicesOf(profile))}: ${line}`.slice(0, 3_000));
      }
    }
  }
  expect(exchanges).toBeGreaterThan(profileCount * 25);
  expect(faults).toEqual([]);
});
