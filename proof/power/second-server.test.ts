import { describe, expect, it } from 'vitest';
import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import { findOperation } from './second-server/operations.ts';
import {
  array,
  call,
  driveItems,
  eventually,
  expectRefused,
  filePath,
  firstFile,
  type Json,
  object,
  publishPath,
  restart,
  server,
  TIMESTAMP,
  treeUrl,
  useServer,
} from './second-server/probe.ts';

useServer({ settleMs: 60 });

describe('the routes', () => {
  it('serve each operation of the contract, by a function of its own', () => {
    const operations = operationsOf(loadDocument());
    const served = operations.map(({ method, segments }) => {
      const parts = segments.map((segment) => ('literal' in segment ? segment.literal : 'some-id'));
      return findOperation(method, parts).operation;
    });
    expect(new Set(served).size).toBe(operations.length);
  });
});

describe('authentication', () => {
  it('accepts the key in either header', async () => {
    for (const headers of [{ 'X-API-Key': server.apiKey }, { Authorization: `Bearer ${server.apiKey}` }]) {
      expect((await fetch(`${server.baseUrl}/agents`, { headers })).status).toBe(200);
    }
  });

  it('answers 401 to every operation without a valid key', async () => {
    const addresses = [
      ['GET', '/agents'],
      ['POST', publishPath()],
      ['POST', '/drives'],
      ['GET', '/drives?limit=0'],
      ['GET', filePath(firstFile())],
      ['PATCH', filePath(firstFile())],
      ['DELETE', treeUrl(firstFile().driveId, '/')],
      ['POST', '/mcp-servers'],
      ['GET', '/mcp-servers'],
      ['GET', '/mcp-servers/none/tools'],
      ['GET', '/unknown/%zz'],
    ];
    for (const [method = '', path = ''] of addresses) {
      expect((await fetch(server.baseUrl + path, { method })).status).toBe(401);
      expect((await call(method, path, undefined, `${server.apiKey}x`)).status).toBe(401);
    }
  });

  it('refuses other schemes and incomplete keys', async () => {
    const values = [
      server.apiKey,
      `Basic ${server.apiKey}`,
      'Bearer',
      'Bearer ',
      `Bearer ${server.apiKey.slice(0, -1)}`,
    ];
    for (const authorization of values) {
      expect((await fetch(`${server.baseUrl}/agents`, { headers: { authorization } })).status).toBe(401);
    }
  });
});

describe('agents', () => {
  it('lists the agents of the organization only', async () => {
    const own = array(await call('GET', '/agents'));
    const other = array(await call('GET', '/agents', undefined, server.otherApiKey));
    expect(own).toHaveLength(3);
    expect(other.filter(({ id }) => own.some((agent) => agent.id === id))).toEqual([]);
    for (const agent of own) {
      expect(agent).toMatchObject({ id: expect.any(String), name: expect.any(String) });
      expect(agent).toMatchObject({ isPublished: expect.any(Boolean), hasChanges: expect.any(Boolean) });
      expect(agent).toMatchObject({ createdAt: expect.stringMatching(TIMESTAMP), updatedAt: expect.any(String) });
    }
  });

  it('publishes a revision that becomes visible after a while', async () => {
    const isPublished = async () =>
      array(await call('GET', '/agents')).some(({ id, isPublished: flag }) => id === server.agent.id && flag === true);
    expect(await isPublished()).toBe(false);
    const reply = await call('POST', publishPath(), { revisionId: server.agent.revisionId });
    expect(reply).toMatchObject({ status: 202, text: '"queued"' });
    await eventually(isPublished);
  });

  it('refuses to publish the same revision again', async () => {
    await call('POST', publishPath(), { revisionId: server.agent.revisionId });
    expectRefused(await call('POST', publishPath(), { revisionId: server.agent.revisionId }));
  });

  it('refuses unknown revisions and unknown or foreign agents', async () => {
    expectRefused(await call('POST', publishPath(), { revisionId: 'none' }));
    expectRefused(await call('POST', '/agents/none/publish', { revisionId: server.agent.revisionId }));
    expectRefused(await call('POST', publishPath(), { revisionId: server.agent.revisionId }, server.otherApiKey));
  });
});

describe('drives', () => {
  it('creates a drive that is listed after a while', async () => {
    const drive = object(await call('POST', '/drives', { name: '  New  drive ', unknown: 1 }));
    expect(drive).toMatchObject({ id: expect.any(String), organizationId: expect.any(String), name: 'New  drive' });
    expect(drive).toMatchObject({ createdAt: expect.stringMatching(TIMESTAMP), updatedAt: drive.createdAt });
    await eventually(async () => (await driveItems()).some(({ id }) => id === drive.id));
    expect((await driveItems('limit=100', server.otherApiKey)).some(({ id }) => id === drive.id)).toBe(false);
  });

  it('pages through all drives without gaps or repeats', async () => {
    const all = (await driveItems()).map(({ id }) => id);
    const paged: unknown[] = [];
    for (let offset = 0; offset < all.length; offset += 3) {
      const page = object(await call('GET', `/drives?limit=3&offset=${offset}`));
      expect(page.pagination).toMatchObject({ limit: 3, offset, total: all.length });
      paged.push(...(page.data as Json[]).map(({ id }) => id));
    }
    expect(paged).toEqual(all);
  });

  it('uses default paging and returns an empty page beyond the end', async () => {
    const first = object(await call('GET', '/drives'));
    expect(first).toMatchObject({ pagination: { limit: 7, offset: 0, total: 11 } });
    expect(first.data).toHaveLength(7);
    const beyond = object(await call('GET', `/drives?offset=${'9'.repeat(400)}`));
    expect(beyond).toMatchObject({ data: [], pagination: { offset: Number.MAX_SAFE_INTEGER } });
  });

  it.each(['limit=0', 'limit=101', 'limit=-1', 'limit=1.5', 'limit=', 'limit=ten', 'offset=-1', 'offset=1e1'])(
    'refuses %s',
    async (query) => expectRefused(await call('GET', `/drives?${query}`)),
  );

  it.each(['limit=1', 'limit=100', 'offset=0', 'limit=007'])('accepts %s', async (query) => {
    object(await call('GET', `/drives?${query}`));
  });
});

describe('drive files', () => {
  it('returns the metadata of every offered file', async () => {
    expect(server.disposableFiles.length).toBeGreaterThanOrEqual(24);
    for (const file of [...server.files, ...server.disposableFiles]) {
      const found = object(await call('GET', filePath(file)));
      expect(found).toMatchObject({ kind: 'file', id: file.id, name: expect.any(String) });
      expect(found).toMatchObject({ path: expect.stringMatching(/^\//), modifiedAt: expect.stringMatching(TIMESTAMP) });
      expect(['processing', 'ready', 'error']).toContain(found.status);
      if ('size' in found) expect(Number.isInteger(found.size)).toBe(true);
    }
  });

  it.each(['/moved/näme+%2e 1.txt', '/a..b/..c/d..', '/...', '/', '/x/'])('moves a file to %s', async (path) => {
    expect(object(await call('PATCH', filePath(firstFile()), { path }))).toMatchObject({ id: firstFile().id, path });
    expect(object(await call('GET', filePath(firstFile()))).path).toBe(path);
  });

  it.each(['', 'a', '../a', '/..', '/../a', '/a/..', '/a/../b', '/a//..', ' /a', '/a\nb', 7, null, ['/a']])(
    'refuses the path %j and keeps the file',
    async (path) => {
      const before = (await call('GET', filePath(firstFile()))).text;
      expectRefused(await call('PATCH', filePath(firstFile()), { path }));
      expect((await call('GET', filePath(firstFile()))).text).toBe(before);
    },
  );

  it('is ready again after a move', async () => {
    expect(object(await call('PATCH', filePath(firstFile()), { path: '/again' })).status).toBe('processing');
    await eventually(async () => object(await call('GET', filePath(firstFile()))).status === 'ready');
  });

  it('refuses unknown and foreign files', async () => {
    const { driveId } = firstFile();
    expectRefused(await call('GET', filePath({ driveId, id: 'none' })));
    expectRefused(await call('GET', filePath({ driveId: 'none', id: '1' })));
    expectRefused(await call('GET', filePath(firstFile()), undefined, server.otherApiKey));
    expectRefused(await call('PATCH', filePath(firstFile()), { path: '/taken' }, server.otherApiKey));
    expect(object(await call('GET', filePath(firstFile()))).path).not.toBe('/taken');
  });
});

describe('drive trees', () => {
  const gone = async (file: { driveId: string; id: string }) => (await call('GET', filePath(file))).status === 410;

  it('deletes only the files below the directory', async () => {
    const [first, second, third] = server.disposableFiles;
    if (first === undefined || second === undefined || third === undefined) throw new Error('Too few files');
    await call('PATCH', filePath(first), { path: '/tree/deep/a.txt' });
    await call('PATCH', filePath(second), { path: '/tree/b.txt' });
    await call('PATCH', filePath(third), { path: '/tree2/c.txt' });
    const answer = object(await call('DELETE', treeUrl(first.driveId, '/tree')));
    expect(answer).toMatchObject({ message: expect.any(String), jobId: expect.any(String), documentCount: 2 });
    await eventually(async () => (await gone(first)) && (await gone(second)));
    expect(await gone(third)).toBe(false);
  });

  it('keeps a file that is moved away before the deletion ends', async () => {
    await restart({});
    await call('PATCH', filePath(firstFile()), { path: '/brief/a.txt' });
    const other = server.files[1] ?? firstFile();
    await call('PATCH', filePath(other), { path: '/brief/b.txt' });
    await call('DELETE', treeUrl(firstFile().driveId, '/brief/'));
    await call('PATCH', filePath(firstFile()), { path: '/safe.txt' });
    await eventually(() => gone(other));
    expect(await gone(firstFile())).toBe(false);
  });

  it('counts no files in an unknown tree', async () => {
    expect(object(await call('DELETE', treeUrl(firstFile().driveId, '/none'))).documentCount).toBe(0);
  });

  it('refuses wrong paths, a missing path and foreign drives', async () => {
    const { driveId } = firstFile();
    for (const path of ['', 'reports', '/..', '/../reports', '/reports/..', '/a\nb']) {
      expectRefused(await call('DELETE', treeUrl(driveId, path)));
    }
    expectRefused(await call('DELETE', `/drives/${encodeURIComponent(driveId)}/items/tree?path=%2F`));
    expectRefused(await call('DELETE', treeUrl(driveId, '/reports'), undefined, server.otherApiKey));
    expect(await gone(firstFile())).toBe(false);
  });
});

describe('MCP servers', () => {
  it('registers a server that is listed after a while', async () => {
    const sent = { name: 'Mine', url: 'https://tools.example.org/mcp' };
    const created = object(await call('POST', '/mcp-servers', sent));
    expect(created).toMatchObject({ ...sent, id: expect.any(String), type: 'sse', organizationId: expect.any(String) });
    expect(created).toMatchObject({ createdAt: expect.stringMatching(TIMESTAMP), updatedAt: expect.any(String) });
    const listed = async (key: string) =>
      array(await call('GET', '/mcp-servers', undefined, key)).some(({ id }) => id === created.id);
    await eventually(() => listed(server.apiKey));
    expect(await listed(server.otherApiKey)).toBe(false);
    expect(object(await call('GET', `/mcp-servers/${created.id}/tools`)).tools).toEqual([]);
  });

  it('lists the tools of a server, with name and description each', async () => {
    const reply = await call('GET', `/mcp-servers/${server.mcpServer.id}/tools`);
    expect(reply.status).toBe(200);
    const tools = object(reply).tools as Json[];
    expect(tools).toHaveLength(3);
    for (const tool of tools) expect(tool).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  });

  it('answers 404 for unknown and foreign servers', async () => {
    expect((await call('GET', '/mcp-servers/none/tools')).status).toBe(404);
    const path = `/mcp-servers/${server.mcpServer.id}/tools`;
    expect((await call('GET', path, undefined, server.otherApiKey)).status).toBe(404);
  });
});
