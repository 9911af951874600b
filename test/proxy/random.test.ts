import { beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../src/index.ts';
import { sideOf } from '../../src/proxy/exchange.ts';
import { isDeclaredJson, takesBody } from '../model/body-rules.ts';
import { type Call, describeCall } from '../model/call.ts';
import { inputFault } from '../model/input-rules.ts';
import { judge } from '../model/judge.ts';
import { createPicture } from '../model/picture.ts';
import { createRandom, type Random } from '../model/random.ts';
import { randomCall } from '../model/random-calls.ts';
import { choicesOf, randomProfile } from '../model/random-profile.ts';
import { now, seed } from '../model/seed.ts';
import { createWire } from '../model/wire.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { startProxied, violationsIn } from '../support/proxied.ts';

// Random calls through the proxy to mocks of random profiles: nothing is said against the mock, and against the client
// exactly where the model of the specification says that a call is wrong.

const profileCount = depth(4, 25);
const callCount = 30;
/** More than the largest body that is sent, so that each call is judged. */
const judgeLimitBytes = 4_194_304;

/** What is stated of requests, whatever a server does with those that break it. */
const stated = {
  'requiredFields.createDrive': 'none',
  'requiredFields.createMcpServer': 'none',
  'requiredFields.updateDriveFile': 'none',
  'requiredFields.publishAgentRevision': 'none',
  'unknownInput.bodyFields': 'ignored',
  'unknownInput.queryParameters': 'ignored',
  'oddPaging.outOfRange': 'refused',
  wrongBodyTypes: 'refused',
  nameRules: 'anyString',
  mcpUrlRules: 'anyString',
  'pathForm.lineBreaks': 'accepted',
  malformedIds: 'likeUnknown',
  'treePath.notSent': 'emptyJob',
  mediaTypeRules: 'strict',
  bodySizeLimit: 1_073_741_824,
} as const satisfies Partial<Profile>;

// That these fields are there is a should: the proxy would warn.
const promised = { optionalFields: 'absent', paginationFields: 'all' } as const satisfies Partial<Profile>;

interface Result {
  calls: number;
  broken: number;
  /** Where proxy and model do not agree. */
  surprises: string[];
}

async function carryOut(profile: Profile, isInUse: boolean, random: Random): Promise<Result> {
  const { proxy, close } = await startProxied(
    { seed, profile, clock: now },
    { judgeLimitBytes, ...(isInUse ? { profile } : {}) },
  );
  const wire = createWire(proxy.url);
  const picture = createPicture(seed.organizations, profile);
  const rules = isInUse ? profile : { ...profile, ...stated };
  const result: Result = { calls: 0, broken: 0, surprises: [] };
  try {
    for (let previous: Call | undefined; result.calls < callCount; result.calls += 1) {
      const call = randomCall(random, picture, random.chance(0.5), previous);
      const answer = await wire.send(call);
      const sides = violationsIn(answer.headers['sl-violations']).map(sideOf);
      const isBroken = breaksContract(call, rules);
      result.broken += isBroken ? 1 : 0;
      const said = [...new Set(sides)].filter((side) => side !== undefined).join();
      const expected = isBroken ? 'client' : '';
      if (said !== expected) result.surprises.push(describeSurprise(said, expected, call, profile));
      judge(call, answer, picture);
      previous = call;
    }
  } finally {
    wire.close();
    await close();
  }
  return result;
}

function describeSurprise(said: string, expected: string, call: Call, profile: Profile): string {
  return `"${said}", not "${expected}": ${describeCall(call)} ${JSON.stringify(choicesOf(profile))}`;
}

// That limit and offset are one integer each is shown, also where a profile reads something else.
const strictPaging = {
  'oddPaging.malformed': 'refused',
  'oddPaging.repeated': 'refused',
} as const satisfies Partial<Profile>;

// That a body is to be declared as JSON is stated, also where a profile reads any.
function breaksContract(call: Call, rules: Profile): boolean {
  const isUndeclared = takesBody(call) && (call.body ?? '') !== '' && !isDeclaredJson(call);
  return !carriesKey(call) || isUndeclared || inputFault(call, { ...rules, ...strictPaging }) !== undefined;
}

function carriesKey({ headers }: Call): boolean {
  return Boolean(headers['x-api-key']) || /^bearer +\S+ *$/i.test(headers.authorization ?? '');
}

describe.each([
  { judgedBy: 'the contract as it is written', isInUse: false },
  { judgedBy: 'the profile that the mock uses', isInUse: true },
])('random calls, judged by $judgedBy', ({ isInUse }) => {
  const results: Result[] = [];

  beforeAll(async () => {
    const random = createRandom(randomSeed);
    for (let index = 0; index < profileCount; index += 1) {
      const drawn = randomProfile(random);
      // Its name can only be learnt from a deletion that succeeds.
      const profile = isInUse ? drawn : { ...drawn, ...promised, treePathParameter: 'path' };
      results.push(await carryOut(profile, isInUse, random));
    }
  });

  it('are reported against the client when invalid, and never against the mock', () => {
    expect(results.flatMap(({ surprises }) => surprises)).toEqual([]);
  });

  it('include enough invalid calls', () => {
    const sum = (count: (result: Result) => number) => results.reduce((total, result) => total + count(result), 0);
    expect(sum(({ calls }) => calls)).toBe(profileCount * callCount);
    expect(sum(({ broken }) => broken)).toBeGreaterThan((profileCount * callCount) / 20);
  });
});
