import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/browser/sha256.ts';
import { createRequestIds } from '../../src/workbench/request-ids.ts';
import type { Client } from '../support/client.ts';
import { startControlled } from '../support/control.ts';
import { depth } from '../support/depth.ts';

// What one organization does, nobody else can tell; and a refused call leaves no trace in the state.

const calls: Record<string, (api: Client) => Promise<{ headers: Headers; status: number }>> = {
  read: (api) => api('GET', '/drives', { key: 'key-b' }),
  write: (api) => api('POST', '/drives', { key: 'key-b', json: { name: 'x' } }),
  refused: (api) => api('GET', '/drives?limit=0', { key: 'key-b' }),
  unknown: (api) => api('GET', '/drives', { key: 'nobody' }),
  nowhere: (api) => api('GET', '/nowhere'),
  sandbox: (api) => api('GET', '/agents', { key: `sandbox-${Math.random()}` }),
};

describe('X-Request-Id', () => {
  it('depends on the own calls only, whatever others send between them', async () => {
    const start = () => startControlled({ openKeys: true });
    const [alone, among] = [await start(), await start()];
    const idsOf = async (api: Client) => {
      const replies = [await api('GET', '/agents'), await api('GET', '/drives/x/files/y')];
      return replies.map(({ headers }) => headers.get('x-request-id'));
    };
    const others = fc.array(fc.constantFrom(...Object.keys(calls)), { maxLength: 6 });
    const property = fc.asyncProperty(others, async (between) => {
      for (const name of between) await calls[name]?.(among.api);
      expect(await idsOf(among.api)).toEqual(await idsOf(alone.api));
    });
    await fc.assert(property, { numRuns: depth(10, 100) });
  });

  it('is never the same for two calls', async () => {
    const { api } = await startControlled({ openKeys: true });
    const ids: (string | null)[] = [];
    for (let round = 0; round < 5; round++) {
      for (const call of Object.values(calls)) ids.push((await call(api)).headers.get('x-request-id'));
    }
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^req-[0-9a-f]{16}$/);
  });

  it('takes no more memory with each organization that is gone', () => {
    const next = createRequestIds(1, sha256, () => 0);
    const first = next('first');
    for (let count = 0; count < 9_000; count++) next(`other-${count}`);
    expect(next('first')).not.toBe(first);
    for (let count = 0; count < 10_001; count++) next(`another-${count}`);
    expect(next('first')).toBe(first);
  });
});

describe('a refused call', () => {
  const lagging = { set: { readAfterWrite: 'lagging', treeDeletion: 'asynchronous' } } as const;
  const file = '/drives/drive-full/files/file-plain';
  const refused: Record<string, (api: Client) => Promise<{ status: number }>> = {
    'an unknown file': (api) => api('GET', '/drives/drive-full/files/nothing'),
    'an unknown drive': (api) => api('DELETE', '/drives/nothing/items/tree?path=/x'),
    'an unknown server': (api) => api('GET', '/mcp-servers/nothing/tools'),
    'an unknown agent': (api) => api('POST', '/agents/nothing/publish', { json: { revisionId: 'x' } }),
    'an unknown revision': (api) => api('POST', '/agents/agent-blank/publish', { json: { revisionId: 'x' } }),
    'a taken path': (api) => api('PATCH', file, { json: { path: '/docs' } }),
    'a bad path': (api) => api('PATCH', file, { json: { path: '/../x' } }),
    'no key': (api) => api('GET', '/drives', { key: null }),
    'no JSON': (api) => api('POST', '/drives', { raw: '{', headers: { 'content-type': 'application/json' } }),
    'an unknown path': (api) => api('GET', '/nowhere'),
  };
  const strict = { ...lagging.set, moveTargets: 'strict' } as const;

  it.each(Object.keys(refused))('changes nothing in the snapshot, while something is due later: %s', async (name) => {
    const { mock, api } = await startControlled({ set: strict });
    await api('POST', '/drives', { json: { name: 'late' } });
    await api('DELETE', '/drives/drive-full/items/tree?path=/docs');
    for (let call = 0; call < 6; call++) {
      const before = mock.snapshot();
      expect((await refused[name]?.(api))?.status).toBeGreaterThanOrEqual(400);
      expect(mock.snapshot()).toEqual(before);
      await api('GET', '/agents');
    }
    expect(mock.snapshot().organizations[0]?.deferred.tasks).toEqual([]);
  });
});
