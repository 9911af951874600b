import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, operationsOf } from '../../openapi/contract/operations.ts';
import { legalProfiles } from '../../proof/power/legal-servers.ts';
import { drawProfile } from '../../src/app/draw-profile.ts';
import { createMock, defaultProfile, loadOpenPoints } from '../../src/index.ts';
import { createClient, type Sent } from '../support/client.ts';
import { depth, randomSeed, sampleOf } from '../support/depth.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// 5.4 has no condition: whatever else is wrong with a request, without valid authentication it is answered with 401.

const openPoints = loadOpenPoints();
const base = defaultProfile(openPoints);
const operations = operationsOf(loadDocument());

/** What is wrong with the key. */
const keys: Sent[] = [
  { key: null },
  { key: 'nobody' },
  { key: null, headers: { authorization: 'Bearer nobody' } },
  { key: null, headers: { authorization: 'Basic key-a' } },
  { key: 'nobody', headers: { authorization: 'Bearer nobody-else' } },
];

/** What may be wrong besides. */
const paths = ['none', 'a%20b', '%00', 'x'.repeat(2_000)];
const queries = ['', '?none=1', '?limit=0&offset=-1', '?limit=1&limit=2', '?path=/..', '?path=%', '?__proto__=1'];
const bodies: Sent[] = [
  {},
  { json: {} },
  { json: [] },
  { json: { name: 7, url: 'no url', path: '/..', revisionId: null } },
  { raw: '{', headers: { 'content-type': 'application/json' } },
  { raw: 'name=x', headers: { 'content-type': 'text/plain' } },
  { raw: `{"name":"${'x'.repeat(200_000)}"}`, headers: { 'content-type': 'application/json' } },
];

const anyRequest = fc.record({
  operation: fc.constantFrom<Operation>(...operations),
  id: fc.constantFrom(...paths),
  query: fc.constantFrom(...queries),
  body: fc.constantFrom(...bodies),
  key: fc.constantFrom(...keys),
});

const profiles = [
  ...sampleOf(legalProfiles(), 4).map(({ id, profile }) => ({ id, profile: { ...base, ...profile } })),
  ...[1, 2, 3, 4].slice(0, depth(2, 4)).map((nth) => ({
    id: `drawn-${randomSeed + nth}`,
    profile: drawProfile(openPoints, base, 'visible', randomSeed + nth),
  })),
];

describe('a request without valid authentication', () => {
  it.each(profiles)('is answered with 401 under the profile $id', async ({ profile }) => {
    const mock = await createMock({ seed: tinySeed, profile });
    const call = createClient(mock.url, 'nobody');
    await fc.assert(
      fc.asyncProperty(anyRequest, async ({ operation: { method, path, isRead }, id, query, body, key }) => {
        const sent = { ...(isRead ? {} : body), ...key, headers: { ...(isRead ? {} : body.headers), ...key.headers } };
        const reply = await call(method, path.replaceAll(/\{\w+\}/g, id) + query, sent);
        expect(reply.status).toBe(401);
      }),
      { numRuns: depth(50, 600) },
    );
    await mock.close();
  });
});
