import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startControlled } from '../support/control.ts';
import { depth } from '../support/depth.ts';

// What was made of headers is kept for the next request that has the same. Nobody may get what belongs to other headers.

describe('headers that come again, on any connection and between others', () => {
  const sent = fc.record({
    key: fc.constantFrom('key-a', 'key-b', 'nobody', null),
    authHeader: fc.constantFrom('x-api-key', 'X-API-KEY', 'authorization'),
    more: fc.dictionary(fc.constantFrom('x-one', 'x-two', 'accept-language'), fc.constantFrom('', 'a', 'b', 'a, b')),
    requestId: fc.option(fc.constantFrom('id-1', 'id-2'), { nil: undefined }),
  });

  it('mean what they say each time', async () => {
    const { mock } = await startControlled();
    const owners = Object.fromEntries(
      ['key-a', 'key-b'].map((key) => [key, mock.engine.store.ownerOf(key)?.organization.id]),
    );
    const one = async ({ key, authHeader, more, requestId }: typeof sent extends fc.Arbitrary<infer T> ? T : never) => {
      const value = authHeader === 'authorization' ? `Bearer ${key}` : key;
      const headers = {
        ...more,
        ...(requestId && { 'x-request-id': requestId }),
        ...(key && { [authHeader]: `${value}` }),
      };
      const response = await fetch(`${mock.url}/drives`, { headers });
      const body = await response.json();
      const owner = key === null ? undefined : owners[key];
      expect(response.status).toBe(owner === undefined ? 401 : 200);
      if (owner !== undefined)
        expect(new Set(body.data.map(({ organizationId }: never) => organizationId))).toEqual(new Set([owner]));
      if (requestId !== undefined) expect(response.headers.get('x-request-id')).toBe(requestId);
    };
    // Several at once take several connections.
    const property = fc.asyncProperty(fc.array(sent, { maxLength: 40 }), async (all) => {
      await Promise.all(all.map(one));
    });
    await fc.assert(property, { numRuns: depth(12, 200) });
  });

  it('are forgotten where there are too many, and still mean what they say', async () => {
    const { api, mock } = await startControlled({ openKeys: true });
    const first = await api('GET', '/drives', { key: 'sandbox-0' });
    for (let sandbox = 1; sandbox <= 250; sandbox++) {
      const { body, status } = await api('GET', '/drives', { key: `sandbox-${sandbox}` });
      const owner = mock.engine.store.ownerOf(`sandbox-${sandbox}`)?.organization.id;
      expect([status, body.data[0].organizationId]).toEqual([200, owner]);
    }
    expect((await api('GET', '/drives', { key: 'sandbox-0' })).body).toEqual(first.body);
  });
});
