import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/index.ts';
import type { Client } from '../support/client.ts';
import { expectProblem, startControlled, useControlled } from '../support/control.ts';
import { isFull } from '../support/depth.ts';
import { keyIdOf } from '../support/key-id.ts';
import { now } from '../support/tiny-seed.ts';

// What the admin API makes, changes and takes away, as a client of the API then sees it: under several profiles,
// each of which uses the same promises in another way.

const profiles: [name: string, Partial<Profile>][] = [
  ['lists by name and files that keep their status', { listOrder: 'byName', fileStatusFlow: 'still' }],
  ['late lists and deletions', { readAfterWrite: 'lagging', treeDeletion: 'asynchronous', idFormat: 'numeric' }],
  ['the default profile', {}],
  ['the newest first', { listOrder: 'newestFirst', idFormat: 'sortable', fileStatusFlow: 'reprocessedOnMove' }],
];

const drive = '/organizations/org-a/drives/drive-full';
const at = (afterMs: number) => new Date(Date.parse(now) + afterMs).toISOString();

describe.each(isFull ? profiles : profiles.slice(0, 2))('the admin API with %s', (_, set) => {
  const controlled = useControlled({ set });
  const advance = (control: Client, advanceMs: number) => control('PATCH', '/settings', { json: { advanceMs } });
  const listed = async (api: Client, path: string) => {
    const { body } = await api('GET', path);
    return (body.data ?? body) as { id: string; name: string }[];
  };
  const namesIn = async (api: Client, path: string) => (await listed(api, path)).map(({ name }) => name);

  describe('agents', () => {
    it('appear in list order, with revisions that the API can publish', async () => {
      const { api, control } = controlled();
      const made = await control('POST', '/organizations/org-a/agents', {
        json: { name: 'Middle', createdAt: '2026-01-15T00:00:00Z', revisions: [{ id: 'rev-x' }, {}], published: 1 },
      });
      const { id } = made.body;
      expect(made).toMatchObject({ status: 201, body: { activeRevisionId: 'rev-x', updatedAt: made.body.createdAt } });
      const byAge = ['Second by name', 'Middle', 'First by name'];
      const expected = { byName: byAge.toSorted(), newestFirst: byAge.toReversed() }[set.listOrder as string] ?? byAge;
      expect(await namesIn(api, '/agents')).toEqual(expected);
      const shown = (await listed(api, '/agents')).find((agent) => agent.id === id);
      expect(shown).toEqual({
        ...{ id, name: 'Middle', isPublished: true, hasChanges: true },
        ...{ createdAt: '2026-01-15T00:00:00.000Z', updatedAt: '2026-01-15T00:00:00.000Z' },
      });
      const [, second] = made.body.revisions;
      const published = await api('POST', `/agents/${id}/publish`, { json: { revisionId: second.id } });
      expect(published.body).toMatchObject({ isPublished: true, hasChanges: false, updatedAt: now });
      expect((await control('GET', `/organizations/org-a/agents/${id}`)).body).toMatchObject({
        ...{ activeRevisionId: second.id, hasChanges: false, updatedAt: now },
      });
    });

    it('have changes after a new revision, and keep their place in the list', async () => {
      const { api, control } = controlled();
      const names = ['Twin', 'Twin', 'Twin'];
      for (const name of names) await control('POST', '/organizations/org-a/agents', { json: { name } });
      const before = (await listed(api, '/agents')).map(({ id }) => id);
      const twin = (await listed(api, '/agents')).find(({ name }) => name === 'Twin')?.id;
      const path = `/organizations/org-a/agents/${twin}`;
      const { body } = await control('POST', `${path}/revisions`, { json: { createdAt: '2026-05-01T00:00:00Z' } });
      expect(body).toMatchObject({ hasChanges: true, revisions: [{ createdAt: '2026-05-01T00:00:00.000Z' }] });
      await api('POST', `/agents/${twin}/publish`, { json: { revisionId: body.revisions[0].id } });
      await control('PATCH', path, { json: { description: 'Told', hasChanges: true } });
      expect(await control('GET', path)).toMatchObject({ body: { hasChanges: true, description: 'Told' } });
      expect((await listed(api, '/agents')).map(({ id }) => id)).toEqual(before);
      const foreign = await api('POST', `/agents/${twin}/publish`, { json: { revisionId: 'rev-1' } });
      expect(foreign.status).toBe(404);
    });

    it('can be changed, cleared field by field with null, and deleted', async () => {
      const { api, control } = controlled();
      const path = '/organizations/org-a/agents/agent-two-revisions';
      await control('PATCH', path, { json: { name: 'Aaa', description: null, activeRevisionId: 'rev-2' } });
      const shown = (await listed(api, '/agents')).find(({ id }) => id === 'agent-two-revisions');
      expect(shown).toMatchObject({ name: 'Aaa', isPublished: true });
      expect(shown).not.toHaveProperty('description');
      await control('PATCH', path, { json: { activeRevisionId: null, createdAt: '2026-03-01T00:00:00Z' } });
      expect(await namesIn(api, '/agents')).toEqual(
        set.listOrder === undefined ? ['First by name', 'Aaa'] : ['Aaa', 'First by name'],
      );
      expect((await control('DELETE', path)).status).toBe(204);
      expect(await namesIn(api, '/agents')).toEqual(['First by name']);
      expectProblem(await control('GET', path), 404);
      const publish = await api('POST', '/agents/agent-two-revisions/publish', { json: { revisionId: 'rev-1' } });
      expect(publish.status).toBe(404);
    });

    it('refuse a taken id, also for a revision', async () => {
      const { control } = controlled();
      const agents = '/organizations/org-a/agents';
      const revisions = [{ id: 'same' }, { id: 'same' }];
      expectProblem(await control('POST', agents, { json: { name: 'x', id: 'agent-blank' } }), 409);
      expectProblem(await control('POST', agents, { json: { name: 'x', revisions } }), 409);
      expectProblem(await control('POST', `${agents}/agent-two-revisions/revisions`, { json: { id: 'rev-1' } }), 409);
      expect((await control('GET', agents)).body).toHaveLength(2);
    });
  });

  describe('files', () => {
    const statusOf = async (api: Client, id: string) =>
      (await api('GET', `/drives/drive-full/files/${id}`)).body.status;
    const isStill = set.fileStatusFlow === 'still';

    it('can be created, then read and moved through the API', async () => {
      const { api, control } = controlled();
      const sent = { path: '/new/a.txt', sizeBytes: 7, contentType: 'text/plain', metadata: { a: [1] }, summary: 'S' };
      const made = await control('POST', `${drive}/files`, { json: sent });
      expect(made).toMatchObject({ status: 201, body: { ...sent, name: 'a.txt', status: 'ready', modifiedAt: now } });
      const file = `/drives/drive-full/files/${made.body.id}`;
      expect((await api('GET', file)).body).toEqual({
        ...{ kind: 'file', id: made.body.id, name: 'a.txt', path: '/new/a.txt', status: 'ready', modifiedAt: now },
        ...{ size: 7, contentType: 'text/plain', summary: 'S', metadata: { a: [1] } },
      });
      expectProblem(await control('POST', `${drive}/files`, { json: { path: '/new/a.txt' } }), 409);
      expectProblem(await control('POST', `${drive}/files`, { json: { path: '/b', id: made.body.id } }), 409);
      expect((await api('PATCH', file, { json: { path: '/moved.txt' } })).status).toBe(200);
      expect((await control('GET', `${drive}/files/${made.body.id}`)).body).toMatchObject({ path: '/moved.txt' });
    });

    it('can be changed, cleared field by field with null, and deleted', async () => {
      const { api, control } = controlled();
      const plain = `${drive}/files/file-plain`;
      const modifiedAt = '2026-02-03T04:05:06.789Z';
      const change = { path: '/x/y.md', description: null, summary: null, metadata: null, sizeBytes: 0, modifiedAt };
      await control('PATCH', plain, { json: change });
      expect((await api('GET', '/drives/drive-full/files/file-plain')).body).toEqual({
        ...{ kind: 'file', id: 'file-plain', name: 'y.md', path: '/x/y.md', status: 'ready', size: 0, modifiedAt },
        contentType: 'text/plain',
      });
      expectProblem(await control('PATCH', plain, { json: { path: '/inbox/scan.tif' } }), 409);
      expect((await control('DELETE', plain)).status).toBe(204);
      expect((await api('GET', '/drives/drive-full/files/file-plain')).status).toBe(404);
      expectProblem(await control('GET', plain), 404);
      expect((await control('GET', `${drive}/files`)).body).toHaveLength(2);
    });

    it('change status at once, or when the clock is advanced to the scheduled time, unless statuses are fixed', async () => {
      const { api, control } = controlled();
      for (const status of ['error', 'ready']) {
        await control('PATCH', `${drive}/files/file-plain`, { json: { status } });
        expect(await statusOf(api, 'file-plain')).toBe(status);
      }
      const json = { status: 'processing', becomes: { status: 'error', afterMs: 5_000 } };
      const { body } = await control('PATCH', `${drive}/files/file-plain`, { json });
      expect(body).toMatchObject({ status: 'processing', becomes: { status: 'error', at: at(5_000) } });
      await advance(control, 4_999);
      expect(await statusOf(api, 'file-plain')).toBe('processing');
      await advance(control, 1);
      expect(await statusOf(api, 'file-plain')).toBe(isStill ? 'processing' : 'error');
      const { body: after } = await control('GET', `${drive}/files/file-plain`);
      expect(after.status).toBe(isStill ? 'processing' : 'error');
      expect('becomes' in after).toBe(isStill);
    });

    it('count a scheduled status from their creation, unless it is cancelled or overridden', async () => {
      const { api, control } = controlled();
      await advance(control, 60_000);
      const json = { status: 'processing', becomes: { status: 'ready', afterMs: 1_000 } };
      const made = ['/slow/1', '/slow/2', '/slow/3'].map(async (path) => {
        const { body } = await control('POST', `${drive}/files`, { json: { ...json, path } });
        return body.id as string;
      });
      const [kept = '', cancelled = '', overruled = ''] = await Promise.all(made);
      await control('PATCH', `${drive}/files/${cancelled}`, { json: { becomes: null } });
      await control('PATCH', `${drive}/files/${overruled}`, { json: { status: 'error' } });
      await control('PATCH', `${drive}/files/${kept}`, { json: { summary: 'Still on its way' } });
      await advance(control, 999);
      expect(await statusOf(api, kept)).toBe('processing');
      await advance(control, 1_000_000);
      const statuses = await Promise.all([kept, cancelled, overruled].map((id) => statusOf(api, id)));
      expect(statuses).toEqual([isStill ? 'processing' : 'ready', 'processing', 'error']);
    });

    it('survive a tree deletion that began before they were created', async () => {
      const { api, control } = controlled();
      const tree = await api('DELETE', '/drives/drive-full/items/tree?path=/docs');
      expect(tree.body.documentCount).toBe(2);
      const json = { path: '/docs/late.txt', id: 'file-late' };
      expect((await control('POST', `${drive}/files`, { json })).status).toBe(201);
      for (let call = 0; call < 5; call++) await api('GET', '/agents');
      const statusesOf = ['file-plain', 'file-deep', 'file-late'].map(async (id) => {
        return (await api('GET', `/drives/drive-full/files/${id}`)).status;
      });
      expect(await Promise.all(statusesOf)).toEqual([404, 404, 200]);
    });
  });

  describe('drives, MCP servers and tools', () => {
    it('deleting a drive removes all its data, even before a list shows the drive', async () => {
      const { api, control } = controlled();
      const made = await api('POST', '/drives', { json: { name: 'Short-lived' } });
      expect((await control('DELETE', `/organizations/org-a/drives/${made.body.id}`)).status).toBe(204);
      expect((await control('DELETE', drive)).status).toBe(204);
      for (let call = 0; call < 6; call++) expect(await namesIn(api, '/drives')).toEqual(['Aardvark']);
      expect((await api('GET', '/drives/drive-full/files/file-plain')).status).toBe(404);
      expect((await api('DELETE', '/drives/drive-full/items/tree?path=/')).status).toBe(404);
      expectProblem(await control('GET', `${drive}/files`), 404);
    });

    it('deleting a drive during a tree deletion does no harm', async () => {
      const { mock, api, control } = controlled();
      await api('DELETE', '/drives/drive-full/items/tree?path=/docs');
      await control('DELETE', drive);
      for (let call = 0; call < 6; call++) await api('GET', '/drives');
      expect(await control('PUT', '/snapshot', { json: mock.snapshot() })).toMatchObject({ status: 200 });
      expect(await namesIn(api, '/drives')).toEqual(['Aardvark']);
    });

    it('tools are set by PUT and deleted with their server', async () => {
      const { api, control } = controlled();
      const made = await api('POST', '/mcp-servers', { json: { name: 'New', url: 'https://mcp.example.com/n' } });
      const tools = [
        { name: 'b', description: 'B' },
        { name: 'a', description: '' },
      ];
      const path = `/organizations/org-a/mcp-servers/${made.body.id}`;
      expect((await control('PUT', `${path}/tools`, { json: tools })).body).toEqual(tools);
      expect((await control('GET', `${path}/tools`)).body).toEqual(tools);
      expect((await api('GET', `/mcp-servers/${made.body.id}/tools`)).body).toEqual({ tools });
      for (let call = 0; call < 4; call++) await api('GET', '/agents');
      expect((await namesIn(api, '/mcp-servers')).toSorted()).toEqual(['New', 'Tools']);
      expect((await api('GET', `/mcp-servers/${made.body.id}/tools`)).body).toEqual({ tools });
      expect((await control('DELETE', path)).status).toBe(204);
      expect(await namesIn(api, '/mcp-servers')).toEqual(['Tools']);
      expect((await api('GET', `/mcp-servers/${made.body.id}/tools`)).status).toBe(404);
    });
  });
});

describe('deep metadata', () => {
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  const file = (levels: number) => ({ json: { path: '/deep', metadata: { a: nested(levels) } } });

  it('is refused where a snapshot with it could not be restored', async () => {
    const { control } = await startControlled();
    const files = '/organizations/org-a/drives/drive-full/files';
    expectProblem(await control('POST', files, file(900)), 422, /metadata must not be nested deeper than 900 levels/);
    const made = await control('POST', files, file(899));
    expect(made.status).toBe(201);
    expectProblem(await control('PATCH', `${files}/${made.body.id}`, file(900)), 422, /metadata/);
    const snapshot = await control('GET', '/snapshot');
    expect((await control('PUT', '/snapshot', { json: snapshot.body })).status).toBe(200);
    expect((await control('GET', '/snapshot')).text).toBe(snapshot.text);
  });
});

describe('keys', () => {
  const controlled = useControlled();

  it('can be issued, generated or chosen, for the same organization', async () => {
    const { api, control } = controlled();
    const chosen = await control('POST', '/organizations/org-a/keys', { json: { key: 'chosen!"#$,key' } });
    const madeUp = await control('POST', '/organizations/org-a/keys');
    expect([chosen.status, madeUp.status, chosen.body.key]).toEqual([201, 201, 'chosen!"#$,key']);
    const { text } = await api('GET', '/agents');
    for (const { body } of [chosen, madeUp]) {
      expect((await api('GET', '/agents', { key: body.key })).text).toBe(text);
      const headers = { authorization: `Bearer ${body.key}` };
      expect((await api('GET', '/agents', { key: null, headers })).text).toBe(text);
    }
    const { body } = await control('GET', '/organizations/org-a');
    expect(body.keyIds.slice(2)).toEqual([chosen.body.keyId, madeUp.body.keyId]);
    for (const taken of ['chosen!"#$,key', 'key-b']) {
      expectProblem(await control('POST', '/organizations/org-b/keys', { json: { key: taken } }), 409);
    }
  });

  it('are refused as revoked, while the others keep working', async () => {
    const { api, control } = controlled();
    const { body } = await control('GET', '/organizations/org-a');
    expect((await control('DELETE', `/organizations/org-a/keys/${body.keyIds[0]}`)).status).toBe(204);
    const refused = await api('GET', '/agents');
    expect([refused.status, refused.body.detail]).toEqual([401, expect.stringContaining('revoked')]);
    expect((await api('GET', '/agents', { key: 'key-a2' })).status).toBe(200);
    expectProblem(await control('DELETE', `/organizations/org-a/keys/${body.keyIds[0]}`), 404);
    expectProblem(await control('DELETE', `/organizations/org-b/keys/${body.keyIds[1]}`), 404);
    expect((await control('POST', '/organizations/org-b/keys', { json: { key: 'key-a' } })).status).toBe(201);
    expect((await api('GET', '/agents')).body).toMatchObject([{ id: 'agent-b' }]);
  });

  it('stop working when their organization is deleted with all its data', async () => {
    const { api, control } = controlled();
    expect((await control('DELETE', '/organizations/Alder')).status).toBe(204);
    for (const key of ['key-a', 'key-a2']) expect((await api('GET', '/agents', { key })).status).toBe(401);
    expect((await api('GET', '/agents', { key: 'key-b' })).status).toBe(200);
    expectProblem(await control('GET', '/organizations/org-a'), 404);
    expectProblem(await control('GET', '/snapshot?organization=org-a'), 404);
    expect((await control('GET', '/organizations')).body).toMatchObject([{ id: 'org-b' }]);
    await control('POST', '/reset');
    expect((await api('GET', '/agents')).status).toBe(200);
  });
});

describe('an organization', () => {
  const controlled = useControlled();
  const holds = { agents: 2, drives: 2, mcpServers: 1 };

  it('is found by its id, its name and as self', async () => {
    const { control } = controlled();
    for (const named of ['org-a', 'Alder', '%41lder', 'self']) {
      const sent = named === 'self' ? { key: 'key-a2' } : {};
      const { body } = await control('GET', `/organizations/${named}`, sent);
      expect(body).toMatchObject({ id: 'org-a', name: 'Alder', kind: 'seed', holds });
    }
  });

  it('is not found as self without its key', async () => {
    const { control } = controlled();
    expectProblem(await control('GET', '/organizations/self'), 401, /X-API-Key/);
    expectProblem(await control('POST', '/reset?organization=self', { key: 'wrong' }), 401);
    const headers = { authorization: 'Bearer key-b' };
    expect((await control('GET', '/organizations/self', { headers })).body).toMatchObject({ id: 'org-b' });
  });

  it('is not found as self by the token of the admin API', async () => {
    const { mock, control } = await startControlled({ adminToken: 'token-of-the-plane', openKeys: true });
    const headers = { authorization: 'Bearer token-of-the-plane' };
    expectProblem(await control('GET', '/organizations/self', { headers }), 401, /X-API-Key/);
    expect((await control('GET', '/organizations/self', { headers, key: 'key-b' })).body).toMatchObject({
      id: 'org-b',
    });
    expect(mock.engine.store.openedCount).toBe(0);
  });

  it('does not expose resources of others', async () => {
    const { control } = controlled();
    for (const path of ['agents/agent-b', 'drives/drive-b/files', 'mcp-servers/server-b/tools']) {
      expectProblem(await control('GET', `/organizations/org-a/${path}`), 404);
    }
    expectProblem(await control('GET', '/organizations/org-a/drives/drive-late/files/file-plain'), 404);
  });
});

describe('the lists of an organization', () => {
  const controlled = useControlled();

  it('show drives with the number of their files, MCP servers with tools, and keys with ids', async () => {
    const { control } = controlled();
    const list = async (name: string) => (await control('GET', `/organizations/org-a/${name}`)).body;
    const createdAt = '2026-01-01T08:00:00.000Z';
    expect((await list('drives'))[0]).toEqual({
      ...{ id: 'drive-full', name: 'Middle', createdAt, updatedAt: createdAt, holds: { files: 3 } },
    });
    expect(await list('mcp-servers')).toEqual([
      {
        ...{ id: 'server-tools', name: 'Tools', url: 'https://mcp.example.com/a', type: 'streamableHttp' },
        ...{ tools: [{ name: 'find', description: 'Finds.' }], createdAt, updatedAt: createdAt },
      },
    ]);
    const keys = ['key-a', 'key-a2'].map((key) => ({ key, keyId: keyIdOf(key) }));
    expect(await list('keys')).toEqual(keys);
    expect(await list('keys')).toMatchObject(
      (await control('GET', '/organizations/org-a')).body.keyIds.map((keyId: string) => ({ keyId })),
    );
  });

  it('are read in parts', async () => {
    const { api, control } = controlled();
    await api('POST', '/mcp-servers', { json: { name: 'Other', url: 'https://a.example' } });
    for (const name of ['agents', 'drives', 'drives/drive-full/files', 'mcp-servers', 'keys']) {
      const ask = (query: string) => control('GET', `/organizations/org-a/${name}${query}`);
      const list = async (query: string) => (await ask(query)).body;
      const all = await list('');
      expect([name, all.length > 1]).toEqual([name, true]);
      const parts = [];
      for (let offset = 0; offset < all.length; offset++) parts.push(...(await list(`?limit=1&offset=${offset}`)));
      expect(parts).toEqual(all);
      expect(await list('?offset=1')).toEqual(all.slice(1));
      expect(await list('?limit=1000000')).toEqual(all);
      expect(await list(`?offset=${all.length}`)).toEqual([]);
      for (const wrong of ['limit=0', 'limit=x', 'offset=-1'])
        expectProblem(await ask(`?${wrong}`), 422, /limit|offset/);
    }
  });
});
