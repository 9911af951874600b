import assert from 'node:assert/strict';
import { Failure } from '../base/failure.ts';
import type { Context } from '../base/http.ts';
import { type Answer, byId, ids, sleep, type Tester } from '../tester.ts';
import { around, aroundOperation, type Fault, type Json, mapBody, must, should, without } from '../variant.ts';

const url = 'https://tools.example.org/mcp';

async function register(t: Tester, name = 'Tools', address = url): Promise<Answer['body']> {
  const answer = await t.one.createServer(name, address);
  assert.ok(answer.ok, `create server: ${answer.status}`);
  return answer.body;
}

const listed = async (t: Tester, id: string): Promise<Answer['body']> => byId((await t.one.servers()).body, id);

/** The stored row differs from what was sent. */
function storesUrl(
  kind: typeof must,
  name: string,
  what: string,
  change: (url: string) => string,
  example: string,
): Fault {
  return kind(
    name,
    '4.8',
    what,
    (app) => around(app.mcpServers, 'insert', (insert, row) => insert({ ...row, url: change(row.url) })),
    async (t) => assert.notEqual((await listed(t, (await register(t, 'Tools', example)).id)).url, example),
  );
}

/** The serializer writes something else in every answer with servers. */
function writesServer(
  name: string,
  what: string,
  change: (server: Json) => Json,
  looksWrong: (server: Json) => boolean,
): Fault {
  return must(
    name,
    '2',
    what,
    (app) => around(app.serializers, 'mcpServer', (server, row) => change(server(row))),
    async (t) => assert.ok((await t.one.servers()).body.some(looksWrong)),
  );
}

/** The tools endpoint answers unknown servers in another way. */
function unknownServer(name: string, section: string, what: string, status: number, body: unknown): Fault {
  return must(
    name,
    section,
    what,
    (app) =>
      aroundOperation(app, 'listTools', (next, context) =>
        app.mcpServers.find(context.organizationId, context.params['mcpServerId'] ?? '')
          ? next(context)
          : { status, headers: {}, body },
      ),
    async (t) => assert.equal((await t.one.tools('no-such-server')).status, status),
  );
}

/** The list of tools is written in another way. */
function writesTools(
  name: string,
  what: string,
  change: (tools: Json[]) => unknown,
  looksWrong: (body: Json) => boolean,
): Fault {
  return must(
    name,
    '4.10',
    what,
    (app) => mapBody(app, 'listTools', ({ tools }) => change(tools)),
    async (t) => assert.ok(looksWrong((await t.one.tools(t.serverId())).body)),
  );
}

export const mcpServerFaults: readonly Fault[] = [
  // 4.8

  must(
    'create-server-answers-only-the-id',
    '4.8',
    'Only the id of the new server is answered.',
    (app) => mapBody(app, 'createMcpServer', ({ id }) => ({ id })),
    async (t) => assert.deepEqual(Object.keys(await register(t)), ['id']),
  ),

  must(
    'create-server-wrapped-in-data',
    '4.8',
    'The new server comes as data of an object.',
    (app) => mapBody(app, 'createMcpServer', (body) => ({ data: body })),
    async (t) => assert.ok((await register(t)).data),
  ),

  must(
    'create-server-without-type',
    '4.8',
    'The type is found out later, and the answer to a creation lacks it.',
    (app) => mapBody(app, 'createMcpServer', (body) => without(body, 'type')),
    async (t) => assert.ok(!('type' in (await register(t)))),
  ),

  must(
    'create-server-type-unknown',
    '4.8',
    'The type of a new server is unknown until the first connection.',
    (app) => mapBody(app, 'createMcpServer', (body) => ({ ...body, type: 'unknown' })),
    async (t) => assert.equal((await register(t)).type, 'unknown'),
  ),

  must(
    'create-server-for-first-organization',
    '4.8',
    'Servers are registered for the default organization.',
    (app) =>
      around(app.mcpServers, 'insert', (insert, row) =>
        insert({ ...row, organizationId: app.db.organizations.select()[0]?.id ?? '' }),
      ),
    async (t) => {
      const { body } = await t.two.createServer('Tools', url);
      assert.ok(await listed(t, body.id));
    },
  ),

  must(
    'create-server-mixes-name-and-url',
    '4.8',
    'Name and URL are passed in the wrong order.',
    (app) =>
      around(app.mcpServerService, 'register', (registerIt, organizationId, name, address) =>
        registerIt(organizationId, address, name),
      ),
    async (t) => assert.equal((await register(t)).name, url),
  ),

  must(
    'create-server-not-listed',
    '4.9',
    'The list is filtered by servers whose connection was checked, which never happens for new ones.',
    (app) => {
      const checked = new Set(app.db.mcpServers.select().map((server) => server.id));
      around(app.mcpServers, 'list', (list, organizationId) =>
        list(organizationId).filter((server) => checked.has(server.id)),
      );
    },
    async (t) => assert.equal(await listed(t, (await register(t)).id), undefined),
  ),

  must(
    'create-server-id-differs-from-list',
    '4.8',
    "The answer shows the id of the outbox message instead of the server's.",
    (app) => mapBody(app, 'createMcpServer', (body) => ({ ...body, id: app.settings.newId('row') })),
    async (t) => assert.equal(await listed(t, (await register(t)).id), undefined),
  ),

  must(
    'create-server-replaces-the-last',
    '4.8',
    'A new server overwrites the one that was registered before it, through a wrong key in an upsert.',
    (app) => {
      const last = new Map<string, string>();
      around(app.mcpServers, 'insert', (insert, row) => {
        app.db.mcpServers.delete({ id: last.get(row.organizationId) ?? '' });
        last.set(row.organizationId, row.id);
        return insert(row);
      });
    },
    async (t) => {
      const first = await register(t, 'One');
      await register(t, 'Two', 'https://two.example.org/mcp');
      assert.equal(await listed(t, first.id), undefined);
    },
  ),

  must(
    'create-server-mixes-parallel-requests',
    '4.8',
    'The mapper keeps one target object for all requests, so that parallel creations mix their data.',
    (app) => {
      const shared: Record<string, unknown> = {};
      aroundOperation(app, 'createMcpServer', async (next, context) => {
        Object.assign(shared, context.input);
        await app.timers.sleep(15);
        return next({ ...context, input: shared });
      });
    },
    async (t) => {
      const [a, b] = await Promise.all([
        register(t, 'Alpha', 'https://a.example.org/mcp'),
        register(t, 'Beta', 'https://b.example.org/mcp'),
      ]);
      assert.equal(a.name, b.name);
    },
  ),

  must(
    'new-server-gone-after-health-check',
    '4.9',
    'A health check removes new servers after a moment.',
    (app) =>
      around(app.mcpServers, 'insert', (insert, row) => {
        app.timers.after(90, () => app.db.mcpServers.delete({ id: row.id }));
        return insert(row);
      }),
    async (t) => {
      const { id } = await register(t);
      await sleep(180);
      assert.equal(await listed(t, id), undefined);
    },
  ),

  must(
    'create-server-organization-null',
    '4.8',
    'organizationId is null in the answer to a creation.',
    (app) => mapBody(app, 'createMcpServer', (body) => ({ ...body, organizationId: null })),
    async (t) => assert.equal((await register(t)).organizationId, null),
  ),

  storesUrl(
    must,
    'server-url-without-query',
    'The query of a URL is cut off.',
    (address) => address.split('?')[0] ?? '',
    'https://tools.example.org/mcp?team=a',
  ),
  storesUrl(
    must,
    'server-url-without-port',
    'The port of a URL is lost.',
    (address) => address.replace(/:\d+/, ''),
    'https://tools.example.org:8443/mcp',
  ),
  storesUrl(
    must,
    'server-url-without-path',
    'Only the origin of a URL is stored.',
    (address) => (URL.canParse(address) ? new URL(address).origin : address),
    'https://tools.example.org/mcp',
  ),
  storesUrl(
    must,
    'server-url-lower-case',
    'URLs are stored in lower case.',
    (address) => address.toLowerCase(),
    'https://tools.example.org/Team/Mcp',
  ),
  storesUrl(
    must,
    'server-url-html-escaped',
    'An ampersand in a URL is escaped for HTML.',
    (address) => address.replaceAll('&', '&amp;'),
    'https://tools.example.org/mcp?a=1&b=2',
  ),
  storesUrl(
    must,
    'server-url-encoded-twice',
    'Percent signs of a URL are encoded again.',
    (address) => address.replaceAll('%', '%25'),
    'https://tools.example.org/my%20tools/mcp',
  ),
  storesUrl(
    should,
    'server-url-gets-a-slash',
    'A slash is appended to every URL; the URL should be the one given, as it may be another resource.',
    (address) => `${address}/`,
    url,
  ),
  storesUrl(
    should,
    'server-url-cut-at-sixty',
    'URLs longer than 60 characters are cut without a word; one expects a refusal or the whole URL.',
    (address) => address.slice(0, 60),
    `https://tools.example.org/${'long/'.repeat(9)}mcp`,
  ),

  must(
    'server-name-in-ascii',
    '4.8',
    'Letters outside ASCII are dropped from names of servers.',
    (app) =>
      around(app.mcpServers, 'insert', (insert, row) =>
        insert({ ...row, name: row.name.replace(/[^\x20-\x7e]/g, '') }),
      ),
    async (t) => assert.notEqual((await register(t, 'Übersetzer')).name, 'Übersetzer'),
  ),

  must(
    'server-name-from-host',
    '4.8',
    'The name is replaced by the host of the URL.',
    (app) =>
      around(app.mcpServers, 'insert', (insert, row) =>
        insert({ ...row, name: URL.canParse(row.url) ? new URL(row.url).hostname : row.name }),
      ),
    async (t) => assert.equal((await register(t)).name, 'tools.example.org'),
  ),

  should(
    'create-server-replaces-namesake',
    '4.8',
    'A second server with the same name replaces the first; a reader expects both or a refusal.',
    (app) =>
      around(app.mcpServers, 'insert', (insert, row) => {
        app.db.mcpServers.delete({ organizationId: row.organizationId, name: row.name });
        return insert(row);
      }),
    async (t) => {
      const first = await register(t, 'Twin', 'https://one.example.org/mcp');
      await register(t, 'Twin', 'https://two.example.org/mcp');
      assert.equal(await listed(t, first.id), undefined);
    },
  ),

  // 4.9 and the server of section 2

  must(
    'servers-of-all-organizations',
    '4.9',
    'The servers of all organizations are listed.',
    (app) => around(app.mcpServers, 'list', () => app.db.mcpServers.select()),
    async (t) => assert.ok(await listed(t, t.serverId(0, 1))),
  ),

  must(
    'servers-or-without-brackets',
    '4.9',
    'A condition with OR lacks its brackets, so that sse servers of all organizations are listed.',
    (app) =>
      around(app.mcpServers, 'list', (_list, organizationId) =>
        app.db.mcpServers.select({
          where: (server) =>
            (server.organizationId === organizationId && server.type === 'streamableHttp') || server.type === 'sse',
        }),
      ),
    async (t) => assert.ok(await listed(t, t.serverId(1, 1))),
  ),

  must(
    'servers-only-streamable',
    '4.9',
    'Servers of type sse are left out of the list.',
    (app) =>
      around(app.mcpServers, 'list', (list, organizationId) =>
        list(organizationId).filter((server) => server.type !== 'sse'),
      ),
    async (t) => assert.equal(await listed(t, t.serverId(1)), undefined),
  ),

  must(
    'servers-first-ten',
    '4.9',
    'The list ends after ten servers.',
    (app) => around(app.mcpServers, 'list', (list, organizationId) => list(organizationId).slice(0, 10)),
    async (t) => {
      for (let n = 0; n < 10; n++) await register(t, `Tools ${n}`, `https://tools-${n}.example.org/mcp`);
      assert.equal((await t.one.servers()).body.length, 10);
    },
  ),

  must(
    'servers-once-per-url',
    '4.9',
    'The list is grouped by URL, so that of two servers with one URL only the first is listed.',
    (app) =>
      around(app.mcpServers, 'list', (list, organizationId) => {
        const rows = list(organizationId);
        return rows.filter((row, index) => rows.findIndex((other) => other.url === row.url) === index);
      }),
    async (t) => {
      const [a, b] = [await register(t, 'One'), await register(t, 'Two')];
      assert.ok(!(await listed(t, a.id)) || !(await listed(t, b.id)));
    },
  ),

  must(
    'servers-page-object',
    '4.9',
    'The list is an object with data and pagination like that of drives.',
    (app) =>
      mapBody(app, 'listMcpServers', (body) => ({
        data: body,
        pagination: { limit: 20, offset: 0, total: body.length },
      })),
    async (t) => assert.ok((await t.one.servers()).body.data),
  ),

  must(
    'servers-answer-203',
    '4.9',
    'A transforming proxy makes the status 203.',
    (app) => {
      app.settings.successStatus.listMcpServers = 203;
    },
    async (t) => assert.equal((await t.one.servers()).status, 203),
  ),

  must(
    'servers-cached-per-header',
    '4.9',
    'With a bearer key the list of servers comes from a cache that all organizations share.',
    (app) => {
      let cached: { body: unknown; until: number } | undefined;
      mapBody(app, 'listMcpServers', (body, context: Context) => {
        if (!context.headers.authorization) return body;
        if (!cached || cached.until < Date.now()) cached = { body, until: Date.now() + 600 };
        return cached.body;
      });
    },
    async (t) => assert.deepEqual((await t.oneBearer.servers()).body, (await t.twoBearer.servers()).body),
  ),

  must(
    'listed-servers-share-a-row',
    '4.9',
    'All listed servers that were registered at run time show the name of the latest, because one row object is reused.',
    (app) => {
      const fresh = new Set<string>();
      around(app.mcpServers, 'insert', (insert, row) => {
        fresh.add(row.id);
        return insert(row);
      });
      around(app.mcpServers, 'list', (list, organizationId) => {
        const rows = list(organizationId);
        const latest = rows.filter((row) => fresh.has(row.id)).at(-1);
        return rows.map((row) => (latest && fresh.has(row.id) ? { ...row, name: latest.name, url: latest.url } : row));
      });
    },
    async (t) => {
      const first = await register(t, 'One', 'https://one.example.org/mcp');
      await register(t, 'Two', 'https://two.example.org/mcp');
      assert.equal((await listed(t, first.id)).name, 'Two');
    },
  ),

  writesServer(
    'server-type-in-kebab-case',
    'The type is streamable-http.',
    (server) => ({ ...server, type: server.type === 'sse' ? 'sse' : 'streamable-http' }),
    (server) => server.type === 'streamable-http',
  ),
  writesServer(
    'server-type-upper-case',
    'The type sse is written SSE.',
    (server) => ({ ...server, type: server.type === 'sse' ? 'SSE' : server.type }),
    (server) => server.type === 'SSE',
  ),
  writesServer(
    'server-times-as-numbers',
    'Times of servers are numbers.',
    (server) => ({ ...server, createdAt: Date.parse(server.createdAt), updatedAt: Date.parse(server.updatedAt) }),
    (server) => typeof server.createdAt === 'number',
  ),
  writesServer(
    'server-updated-at-null',
    'updatedAt is null as long as a server was not changed.',
    (server) => ({ ...server, updatedAt: null }),
    (server) => server.updatedAt === null,
  ),
  writesServer(
    'server-id-as-number',
    'Ids of servers are numbers.',
    (server) => ({ ...server, id: parseInt(server.id.slice(4, 12), 16) }),
    (server) => typeof server.id === 'number',
  ),
  writesServer(
    'server-url-masked',
    'The URL is masked as a secret.',
    (server) => ({ ...server, url: '***' }),
    (server) => server.url === '***',
  ),
  writesServer(
    'server-organization-field-missing',
    'organizationId is missing, as the entity hides its tenant.',
    (server) => without(server, 'organizationId'),
    (server) => !('organizationId' in server),
  ),
  writesServer(
    'server-name-as-title',
    'The field name is called title.',
    ({ name, ...rest }) => ({ ...rest, title: name }),
    (server) => 'title' in server,
  ),

  should(
    'servers-listed-twice',
    '4.9',
    'A join with tools repeats each server for each of its tools; a list has each server once.',
    (app) =>
      around(app.mcpServers, 'list', (list, organizationId) =>
        list(organizationId).flatMap((server) =>
          Array.from({ length: Math.max(1, app.mcpServers.tools(server.id).length) }, () => server),
        ),
      ),
    async (t) => assert.ok(ids((await t.one.servers()).body).filter((id) => id === t.serverId()).length > 1),
  ),

  should(
    'server-created-at-differs-in-list',
    '2',
    'createdAt in the list is the time of the request; the creation time of a thing stays.',
    (app) =>
      mapBody(app, 'listMcpServers', (body) =>
        body.map((server: object) => ({ ...server, createdAt: new Date().toISOString() })),
      ),
    async (t) => {
      const server = await register(t);
      await sleep(5);
      assert.notEqual((await listed(t, server.id)).createdAt, server.createdAt);
    },
  ),

  // 4.10

  unknownServer('unknown-server-empty-tools', '7', 'An unknown server has an empty list of tools.', 200, { tools: [] }),
  unknownServer('unknown-server-400', '7', 'An unknown server id is a bad request.', 400, { error: 'bad id' }),
  unknownServer('unknown-server-500', '4.10', 'An unknown server crashes the tools endpoint.', 500, {
    error: 'null reference',
  }),
  unknownServer(
    'unknown-server-403',
    '4.10',
    'An unknown server is answered 403, since the ownership check comes first.',
    403,
    { error: 'forbidden' },
  ),
  unknownServer('unknown-server-502', '7', 'An unknown server is reported as one that does not answer, 502.', 502, {
    error: 'bad gateway',
  }),
  unknownServer('unknown-server-204', '7', 'An unknown server is answered 204.', 204, undefined),

  must(
    'tools-of-new-server-404',
    '4.10',
    'The tools service has its own copy of the servers and never hears of new ones, so that they are "not found" though registered.',
    (app) => {
      const known = new Set(app.db.mcpServers.select().map((server) => server.id));
      around(app.mcpServers, 'find', (find, organizationId, id) =>
        known.has(id) ? find(organizationId, id) : undefined,
      );
    },
    async (t) => assert.equal((await t.one.tools((await register(t)).id)).status, 404),
  ),

  must(
    'tools-of-sse-server-fail',
    '4.10',
    'The client for servers of type sse is missing, and their tools end in 500.',
    (app) =>
      around(app.mcpServers, 'tools', (tools, serverId) => {
        if (app.db.mcpServers.first({ id: serverId })?.type === 'sse') throw new Failure('internal', 'no client');
        return tools(serverId);
      }),
    async (t) => assert.equal((await t.one.tools(t.serverId(1))).status, 500),
  ),

  writesTools('tools-bare-array', 'The tools come as a bare array.', (tools) => tools, Array.isArray),
  writesTools(
    'tools-only-names',
    'The tools are only their names.',
    (tools) => ({ tools: tools.map((tool) => tool.name) }),
    (body) => typeof body.tools[0] === 'string',
  ),
  writesTools(
    'tools-without-description',
    'The tools lack their descriptions.',
    (tools) => ({ tools: tools.map(({ name }) => ({ name })) }),
    (body) => !('description' in body.tools[0]),
  ),
  writesTools(
    'tools-description-null',
    'Descriptions of tools are null.',
    (tools) => ({ tools: tools.map((tool) => ({ ...tool, description: null })) }),
    (body) => body.tools[0].description === null,
  ),
  writesTools(
    'tools-by-name',
    'The tools come as an object keyed by name.',
    (tools) => ({ tools: Object.fromEntries(tools.map(({ name, ...rest }) => [name, rest])) }),
    (body) => !Array.isArray(body.tools),
  ),
  writesTools(
    'tools-in-rpc-envelope',
    'The answer of the MCP server is passed on in its JSON-RPC envelope.',
    (tools) => ({ jsonrpc: '2.0', id: 1, result: { tools } }),
    (body) => 'result' in body,
  ),
  writesTools(
    'tools-in-function-objects',
    'Each tool is inside an object of type function.',
    (tools) => ({ tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    (body) => !('name' in body.tools[0]),
  ),

  must(
    'single-tool-not-in-an-array',
    '4.10',
    'If a server has one tool, tools is that tool itself.',
    (app) => mapBody(app, 'listTools', (body) => (body.tools.length === 1 ? { tools: body.tools[0] } : body)),
    async (t) => assert.equal(Array.isArray((await t.one.tools(t.serverId(2))).body.tools), false),
  ),

  must(
    'no-tools-left-out',
    '4.10',
    'For a server without tools the field tools is left out.',
    (app) => mapBody(app, 'listTools', (body) => (body.tools.length ? body : {})),
    async (t) => assert.deepEqual((await t.one.tools((await register(t)).id)).body, {}),
  ),

  should(
    'tools-add-up',
    '4.10',
    'Each call appends the tools to a list that is kept, so that they repeat; the same server offers the same tools.',
    (app) => {
      const kept = new Map<string, Json[]>();
      mapBody(app, 'listTools', ({ tools }, context) => {
        const all = [...(kept.get(context.path) ?? []), ...tools];
        kept.set(context.path, all);
        return { tools: all };
      });
    },
    async (t) => {
      const before = (await t.one.tools(t.serverId())).body.tools.length;
      assert.ok((await t.one.tools(t.serverId())).body.tools.length > before);
    },
  ),

  should(
    'tools-of-foreign-server',
    '4.10',
    "Servers are found by their id alone, so that tools of other organizations can be listed; every call is on behalf of the caller's organization.",
    (app) => around(app.mcpServers, 'find', (_find, _organizationId, id) => app.db.mcpServers.first({ id })),
    async (t) => assert.ok((await t.two.tools(t.serverId())).ok),
  ),

  should(
    'tools-cached-for-everybody',
    '4.10',
    'Tools are cached by server before the ownership is checked, so that others can read them once their owner did.',
    (app) => {
      const cache = new Map<string, unknown>();
      aroundOperation(app, 'listTools', async (next, context) => {
        const id = context.params['mcpServerId'] ?? '';
        if (cache.has(id)) return { status: 200, headers: {}, body: cache.get(id) };
        const answer = await next(context);
        cache.set(id, answer.body);
        return answer;
      });
    },
    async (t) => {
      await t.one.tools(t.serverId());
      assert.ok((await t.two.tools(t.serverId())).ok);
    },
  ),
];
