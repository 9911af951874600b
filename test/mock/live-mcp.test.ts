import { globSync, readFileSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runSuite } from '../../conformance/run/run.ts';
import { toSettings } from '../../conformance/run/settings.ts';
import { startMcpHost } from '../../conformance/target/mcp-host.ts';
import { contractFor } from '../../openapi/contract/contract-for.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { allowedHosts, parseHostRule } from '../../src/http/live-tools/allowed-hosts.ts';
import { askForTools } from '../../src/http/live-tools/ask-for-tools.ts';
import { generousLimits, Question } from '../../src/http/live-tools/question.ts';
import { createMock, type Mock, type MockOptions, type Profile, type Seed, StartError } from '../../src/index.ts';
import { type Client, createClient, type Reply } from '../support/client.ts';
import { runCommand, startMockHere } from '../support/command.ts';
import { type Controlled, startControlled, useControlled } from '../support/control.ts';
import { isFull, sampleOf } from '../support/depth.ts';
import { freePort } from '../support/free-port.ts';
import { type McpScript, type ScriptedMcp, startScriptedMcp, tool } from '../support/scripted-mcp.ts';
import { tinySeed } from '../support/tiny-seed.ts';

const types = ['streamableHttp', 'sse'] as const;
type Type = (typeof types)[number];

/** A mock that asks, and whose new servers are of a type. */
const startLive = (type: Type, { set = {}, ...options }: MockOptions = {}) =>
  startControlled({ liveMcp: true, set: { mcpDefaultType: type, ...set }, ...options });

/** The same for all tests of a block. */
const useLive = (type: Type, liveMcp: NonNullable<MockOptions['liveMcp']> = true) =>
  useControlled({ liveMcp, set: { mcpDefaultType: type } });

async function scripted(script?: McpScript): Promise<ScriptedMcp> {
  const mcp = await startScriptedMcp(script);
  onTestFinished(() => mcp.close());
  return mcp;
}

/** A seed with two organizations, of which the first has this server. */
function seedWith(url: string, more: object = {}): Seed {
  const mcpServers = [{ id: 'seeded', name: 'Seeded', url, ...more }];
  return {
    organizations: [
      { name: 'Alder', keys: ['key-a'], mcpServers },
      { name: 'Birch', keys: ['key-b'] },
    ],
  };
}

async function register(api: Client, url: string): Promise<string> {
  const { status, body } = await api('POST', '/mcp-servers', { json: { name: 'New', url } });
  expect(status).toBe(201);
  return body.id;
}

const listOf = (api: Client, id: string) => api('GET', `/mcp-servers/${id}/tools`);

async function toolsAt(api: Client, url: string): Promise<Reply> {
  return listOf(api, await register(api, url));
}

/** What is wrong with an answer to a listing by the contract that the mock uses. */
function violations(mock: Mock, { status, body }: Reply): unknown[] {
  const contract = contractFor(mock.profile);
  const tools = operationsOf(contract).find(({ operationId }) => operationId === 'listMcpServerTools');
  const responses = tools?.definition.responses as Record<string, { content?: Record<string, { schema: object }> }>;
  const schema = Object.values(responses[String(status)]?.content ?? {})[0]?.schema;
  return schema === undefined ? [`${status} is not declared`] : new Schemas(contract).of(schema)(body);
}

/** The response is the error response for a server whose tools cannot be listed, by the contract, and says why. */
function expectProblem(mock: Mock, reply: Reply, reason: RegExp, about = String(reason)): void {
  expect(reply.body, about).toMatchObject({ status: 502, title: 'MCP server unreachable' });
  expect(reply.body.detail, about).toMatch(/^The tools of the MCP server at \S.* cannot be listed: /);
  expect(reply.body.detail, about).toMatch(reason);
  expect(reply.status, about).toBe(502);
  expect(violations(mock, reply), about).toEqual([]);
}

describe.each(types)('real MCP server over %s', (type) => {
  const pathOf = { streamableHttp: 'mcp', sse: 'sse' } as const;
  const transportOf = { streamableHttp: 'streamable HTTP', sse: 'HTTP+SSE' } as const;

  const live = useLive(type);

  async function host() {
    const hosted = await startMcpHost({ runId: 'run-1', publicUrl: undefined });
    onTestFinished(() => hosted.close());
    return hosted;
  }

  it('is contacted when its tools are listed, not when it is registered', async () => {
    const [hosted, { mock, api }] = [await host(), live()];
    const path = pathOf[type];
    const id = await register(api, hosted.urlAt(path));
    expect(hosted.contactsAt(path).requests).toBe(0);
    const reply = await listOf(api, id);
    expect(reply).toMatchObject({ status: 200, body: { tools: hosted.toolsAt(path) } });
    expect(violations(mock, reply)).toEqual([]);
    expect(hosted.contactsAt(path)).toMatchObject({ handshakes: 1, listings: 1 });
    expect([...hosted.contactsAt(path).transports]).toEqual([transportOf[type]]);
  });

  it('is contacted for a server of the seed, whose seed tools are ignored', async () => {
    const hosted = await host();
    const tools = [{ name: 'stale', description: 'Not asked.' }];
    const { api } = await startControlled({
      liveMcp: true,
      seed: seedWith(hosted.urlAt(pathOf[type]), { type, tools }),
    });
    expect((await listOf(api, 'seeded')).body).toEqual({ tools: hosted.toolsAt(pathOf[type]) });
    expect([...hosted.contactsAt(pathOf[type]).transports]).toEqual([transportOf[type]]);
  });

  it.runIf(isFull || type === 'sse')('lets the mock pass the hosted-tools checks of the suite', async () => {
    const { mock } = await startLive(type, { liveMcp: { cacheMs: 0 } });
    const settings = toSettings({ baseUrl: mock.url, apiKey: 'key-a', allowWrites: true, hostMcpServer: true });
    const { checks } = await runSuite(settings, { tool: 'test', only: ['listMcpServerTools.hosted-tools.*'] });
    const judged = checks.filter(({ id }) => id.includes('.hosted-tools.'));
    expect(judged.map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
  });
});

describe.each(types)('tool list of an MCP server of type %s', (type) => {
  const live = useLive(type);

  async function listed(script: McpScript, set: Partial<Profile> = {}) {
    const [mcp, { mock, api }] = [await scripted(script), live()];
    mock.setProfile(set);
    const reply = await toolsAt(api, mcp.urlFor(type));
    expect(violations(mock, reply)).toEqual([]);
    expect(reply.status).toBe(200);
    return { mcp, tools: reply.body.tools };
  }

  it('combines all pages', async () => {
    const next: Record<string, string | undefined> = { first: 'b', b: 'c' };
    const { mcp, tools } = await listed({
      list: (cursor = 'first') => ({ tools: [tool(cursor, `On ${cursor}.`)], nextCursor: next[cursor] }),
    });
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['first', 'b', 'c']);
    expect(mcp.messages.filter((method) => method === 'tools/list')).toHaveLength(3);
  });

  it('keeps the order and duplicate names', async () => {
    const { tools } = await listed({ list: () => ({ tools: [tool('b', '1'), tool('a', '2'), tool('b', '3')] }) });
    expect(tools).toEqual([
      { name: 'b', description: '1' },
      { name: 'a', description: '2' },
      { name: 'b', description: '3' },
    ]);
  });

  it('holds 5,000 tools', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => tool(`tool-${index}`, 'One of many.'));
    expect((await listed({ list: () => ({ tools: many }) })).tools).toHaveLength(5_000);
  });

  it('is empty when the server has no tools capability', async () => {
    const serverInfo = { name: 'without tools', version: '1.0.0' };
    const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo };
    const { mcp, tools } = await listed(ofMethod('initialize', { result }));
    expect(tools).toEqual([]);
    expect(mcp.messages).not.toContain('tools/list');
  });

  it('fills in an empty description or leaves the tool out, as toolWithoutDescription says', async () => {
    const list = () => ({ tools: [tool('find')] });
    expect((await listed({ list })).tools).toEqual([{ name: 'find', description: '' }]);
    expect((await listed({ list }, { toolWithoutDescription: 'leftOut' })).tools).toEqual([]);
  });
});

const huge = 'x'.repeat(1024 * 1024);

/** A server that has one answer to everything. */
const answering = (status: number, body: string, headers: Record<string, string> = {}): McpScript => ({
  instead: (_, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  },
});
const ofMethod = (name: string, answer: object): McpScript => ({
  reply: ({ id, method }) => (method === name ? { jsonrpc: '2.0', id, ...answer } : undefined),
});
const tools = (...all: unknown[]): McpScript => ({ list: () => ({ tools: all }) });

/** Servers that lie, and the reason that is told. Over HTTP+SSE, what is no answer is as good as none. */
const liars: [string, McpScript, reason: RegExp, overSse?: RegExp][] = [
  ['lists a tool without a name', tools({ inputSchema: { type: 'object' } }), /not valid MCP/],
  ['lists a tool with a number as its name', tools({ ...tool('x'), name: 1 }), /not valid MCP/],
  ['lists a tool with a number as its description', tools({ ...tool('x'), description: 1 }), /not valid MCP/],
  ['lists a tool with null as its description', tools({ ...tool('x'), description: null }), /not valid MCP/],
  ['lists a tool that is not an object', tools('find'), /not valid MCP/],
  ['sends tools that are not an array', { list: () => ({ tools: { find: tool('find') } }) }, /not valid MCP/],
  ['sends a result without tools', { list: () => ({}) }, /not valid MCP/],
  ['sends a cursor that is not a string', { list: () => ({ tools: [], nextCursor: 7 }) }, /not valid MCP/],
  [
    'repeats a page cursor',
    { list: (cursor) => ({ tools: [], nextCursor: cursor === 'a' ? 'b' : 'a' }) },
    /does not end after/,
  ],
  ['sends endless pages', { list: (cursor = '') => ({ tools: [], nextCursor: `${cursor}x` }) }, /after 100 pages/],
  [
    'lists too many tools',
    tools(...Array.from({ length: 10_001 }, (_, index) => tool(`tool-${index}`))),
    /more than 10000 tools/,
  ],
  [
    'sends too many bytes',
    { list: (cursor = '') => ({ tools: [tool('x', huge)], nextCursor: `${cursor}x` }) },
    /more than 8388608 bytes/,
  ],
  [
    'answers tools/list with an error',
    ofMethod('tools/list', { error: { code: 1, message: 'secret' } }),
    /it returned the MCP error 1\. Check its log/,
  ],
  [
    'asks the mock 2,000 questions of its own',
    {
      instead: (_, response) => {
        const ping = (id: number) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: `own-${id}`, method: 'ping' })}\n\n`;
        const pings = Array.from({ length: 2_000 }, (_, id) => ping(id)).join('');
        const endpoint = 'event: endpoint\ndata: /messages\n\n';
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`${endpoint}${pings}`);
        return true;
      },
    },
    /made the mock send it more than 1000 requests/,
  ],
  [
    'answers tools/list with the wrong id',
    ofMethod('tools/list', { id: 99, result: { tools: [] } }),
    /did not respond within 400 ms/,
  ],
  ['answers with JSON that is not JSON-RPC', { reply: () => ({ hello: 'sandbox' }) }, /not valid MCP/, /within 400 ms/],
  ['answers with invalid JSON', { reply: () => '<html>' }, /not valid MCP/, /within 400 ms/],
  [
    'speaks an unknown protocol version',
    {
      reply: ({ id }) => ({
        ...{ jsonrpc: '2.0', id },
        result: { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'x', version: '1' } },
      }),
    },
    /not valid MCP/,
  ],
  [
    'answers with a web page',
    answering(200, '<!doctype html><title>secret</title>', { 'content-type': 'text/html' }),
    /not valid MCP/,
  ],
  ['answers with status 401', answering(401, 'secret', { 'www-authenticate': 'Bearer' }), /it returned status 401/],
  ['answers with status 500', answering(500, 'secret'), /it returned status 500/],
  [
    'closes the connection within the body',
    {
      instead: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"secret":');
        setImmediate(() => response.destroy());
        return true;
      },
    },
    /the connection failed \(ECONNRESET\)|not valid MCP/,
  ],
  ['never answers', { instead: () => true }, /did not respond within 400 ms\. Check that it is running/],
  [
    'answers tools/list with an empty body',
    { reply: ({ method }) => (method === 'tools/list' ? '' : undefined) },
    /not valid MCP/,
    /within 400 ms/,
  ],
  [
    'streams an endless body',
    {
      instead: (_, response) => {
        const pour = (): void => {
          if (response.destroyed) return;
          if (response.write(huge)) setImmediate(pour);
          else response.once('drain', pour);
        };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        pour();
        return true;
      },
    },
    /more than 8388608 bytes/,
  ],
];

describe.each(types)('misbehaving MCP server of type %s', (type) => {
  // Time enough, unless the reason is to be that it is over.
  const [patient, impatient] = [useLive(type, { timeoutMs: 30_000 }), useLive(type, { timeoutMs: 400 })];

  it('causes a 502 with the reason', async () => {
    const answered = async ([what, script, reason, overSse = reason]: (typeof liars)[number]) => {
      const expected = type === 'sse' ? overSse : reason;
      const { mock, api } = (expected.source.includes('within 400 ms') ? impatient : patient)();
      const reply = await toolsAt(api, (await scripted(script)).urlFor(type));
      return { what, mock, reply, expected };
    };
    // Over HTTP+SSE the messages are the same.
    const all = await Promise.all((type === 'sse' ? sampleOf(liars, 8) : liars).map(answered));
    for (const { what, mock, reply, expected } of all) {
      expectProblem(mock, reply, expected, what);
      expect(reply.text, what).not.toContain('secret');
    }
  });
});

describe.each(types)('unreachable MCP server of type %s', (type) => {
  const live = useLive(type);

  it('causes a 502 when nothing listens at its port', async () => {
    const { mock, api } = live();
    const reply = await toolsAt(api, `http://127.0.0.1:${await freePort()}/mcp`);
    expectProblem(mock, reply, /the connection failed \(ECONNREFUSED\)\. Check that it is running/);
  });

  it('causes a 502 when its URL is not a valid http or https URL', async () => {
    const { mock, api } = live();
    mock.setProfile({ mcpUrlRules: 'anyString' });
    const reason = /its registered URL is not valid\.|its URL is neither http nor https/;
    for (const url of ['over there', 'ftp://127.0.0.1/mcp', 'file:///etc/passwd'])
      expectProblem(mock, await toolsAt(api, url), reason);
  });

  it('causes a 502 when its host is not allowed', async () => {
    const { mock, api } = live();
    for (const host of ['mcp.example.com', '10.0.0.1', '0.0.0.0', '[fe80::1]', '1.1']) {
      const reply = await toolsAt(api, `http://${host}/x`);
      expectProblem(mock, reply, /is not an allowed host\. Allow it with --live-mcp-allow \S+\.$/, host);
    }
  });

  it('causes a 502 when it redirects to another origin, which is never contacted', async () => {
    const elsewhere = await scripted();
    const instead: McpScript['instead'] = (_, response) => {
      response.writeHead(307, { location: `${elsewhere.origin}/mcp?token=secret` }).end();
      return true;
    };
    const [mcp, { mock, api }] = [await scripted({ instead }), live()];
    const reply = await toolsAt(api, mcp.urlFor(type));
    expectProblem(mock, reply, new RegExp(`it redirects to ${elsewhere.origin}/mcp\\. Register that URL`));
    expect(elsewhere.connections).toBe(0);
  });

  it('is reached again after it recovers', async () => {
    let isUp = false;
    const instead: McpScript['instead'] = (_, response) => {
      if (!isUp) response.writeHead(503).end();
      return !isUp;
    };
    const [mcp, { mock, api }] = [await scripted({ instead }), live()];
    const id = await register(api, mcp.urlFor(type));
    expectProblem(mock, await listOf(api, id), /status 503/);
    isUp = true;
    expect((await listOf(api, id)).body.tools).toEqual([{ name: 'find', description: 'Finds.' }]);
  });

  it('gives an empty tool list when unreachableTools is none', async () => {
    const { mock, api } = live();
    mock.setProfile({ unreachableTools: 'none' });
    const reply = await toolsAt(api, `http://127.0.0.1:${await freePort()}/mcp`);
    expect(reply).toMatchObject({ status: 200, body: { tools: [] } });
  });
});

it('follows a redirect within the same origin', async () => {
  const instead: McpScript['instead'] = ({ url }, response) => {
    if (url === '/mcp') response.writeHead(307, { location: '/moved' }).end();
    return url === '/mcp';
  };
  const [mcp, { api }] = [await scripted({ instead }), await startLive('streamableHttp')];
  expect((await toolsAt(api, mcp.urlFor('streamableHttp'))).body.tools).toHaveLength(1);
});

it('refuses an HTTP+SSE message endpoint at another origin without contacting it', async () => {
  const elsewhere = await scripted();
  const instead: McpScript['instead'] = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: ${elsewhere.origin}/messages/0\n\n`);
    return true;
  };
  const [mcp, { mock, api }] = [await scripted({ instead }), await startLive('sse')];
  expectProblem(mock, await toolsAt(api, mcp.urlFor('sse')), /not valid MCP/);
  expect(elsewhere.connections).toBe(0);
});

describe('session with an MCP server', () => {
  it('ends with a DELETE whose answer is not awaited', async () => {
    const over = Promise.withResolvers<void>();
    const instead: McpScript['instead'] = ({ method, headers }) => {
      const isGoodbye = method === 'DELETE' && headers['mcp-session-id'] === 'session-1';
      if (isGoodbye) over.resolve();
      return isGoodbye;
    };
    const [mcp, { api }] = [await scripted({ instead }), await startLive('streamableHttp')];
    expect((await toolsAt(api, mcp.urlFor('streamableHttp'))).status).toBe(200);
    await over.promise;
  });

  it.each(types)('carries no key of the mock and no password of the URL over %s', async (type) => {
    const [mcp, { api }] = [await scripted(), await startLive(type)];
    const url = mcp.urlFor(type).replace('//', '//me:password@');
    const id = await register(api, url);
    const headers = { authorization: 'Bearer key-a', cookie: 'a=key-a', 'x-request-id': 'key-a' };
    expect((await api('GET', `/mcp-servers/${id}/tools`, { headers })).status).toBe(200);
    expect(mcp.heard.length).toBeGreaterThan(10);
    expect(mcp.heard.filter((line) => /key-a|password|authorization|cookie/i.test(line))).toEqual([]);
  });

  it('reports failures without credentials, query and fragment of the URL', async () => {
    const { mock, api } = await startLive('streamableHttp');
    const reply = await toolsAt(api, `http://me:secret@127.0.0.1:${await freePort()}/mcp?token=secret#secret`);
    expectProblem(mock, reply, /^The tools of the MCP server at http:\/\/127\.0\.0\.1:\d+\/mcp cannot be listed/);
    expect(reply.text).not.toContain('secret');
  });
});

describe('avoiding contact with MCP servers', () => {
  it.each(['none', 'plausible'] as const)(
    'asks none without liveMcp: toolsOfNewServer %s',
    async (toolsOfNewServer) => {
      const mcp = await scripted();
      const seed = seedWith(mcp.urlFor('sse'));
      for (const liveMcp of [{}, { liveMcp: false }]) {
        const { api } = await startControlled({ seed, set: { toolsOfNewServer }, ...liveMcp });
        const created = await toolsAt(api, mcp.urlFor('streamableHttp'));
        const seeded = await listOf(api, 'seeded');
        await api('GET', '/mcp-servers');
        expect([created, seeded].map(({ status }) => status)).toEqual([200, 200]);
        expect(created.body.tools).toHaveLength(toolsOfNewServer === 'none' ? 0 : 3);
      }
      expect(mcp.connections).toBe(0);
    },
  );

  it('contacts none for other operations or refused requests', async () => {
    const mcp = await scripted();
    const { api } = await startLive('streamableHttp', { set: { 'unknownInput.queryParameters': 'refused' } });
    const path = `/mcp-servers/${await register(api, mcp.urlFor('streamableHttp'))}/tools`;
    const replies = [
      await api('GET', path, { key: null }),
      await api('GET', path, { key: 'key-b' }),
      await api('GET', '/mcp-servers/none/tools'),
      await api('GET', `${path}?colour=red`),
      await api('POST', path, { json: {} }),
      await api('GET', '/mcp-servers'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([401, 404, 404, 422, 405, 200]);
    expect(mcp.connections).toBe(0);
  });

  it('imports the MCP library statically for its types only', () => {
    const files = globSync('src/**/*.ts', { cwd: join(import.meta.dirname, '../..') });
    const texts = files.map((file) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8'));
    const imports = texts.flatMap((text) => text.match(/^import .*@modelcontextprotocol.*$/gm) ?? []);
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((line) => !line.startsWith('import type '))).toEqual([]);
  });
});

describe('cache of tool lists', () => {
  const listings = ({ messages }: ScriptedMcp) => messages.filter((method) => method === 'tools/list').length;

  /** A mock whose seed has a server, with the id `seeded`. */
  async function seeded(liveMcp: NonNullable<MockOptions['liveMcp']>, script: McpScript = {}) {
    const mcp = await scripted(script);
    return { mcp, ...(await startControlled({ seed: seedWith(mcp.urlFor('streamableHttp')), liveMcp })) };
  }

  it('answers a repeated listing until a reset, apart for each registered server', async () => {
    const { mcp, mock, api } = await seeded(true);
    const replies = [await listOf(api, 'seeded'), await listOf(api, 'seeded')];
    expect(replies.map(({ body }) => body.tools.length)).toEqual([1, 1]);
    expect(listings(mcp)).toBe(1);
    for (const key of ['key-a', 'key-b']) await toolsAt(createClient(mock.url, key), mcp.urlFor('streamableHttp'));
    expect(listings(mcp)).toBe(3);
    mock.reset();
    await listOf(api, 'seeded');
    expect(listings(mcp)).toBe(4);
  });

  it('is off when cacheMs is 0', async () => {
    const { mcp, api } = await seeded({ cacheMs: 0 });
    for (const count of [1, 2]) {
      await listOf(api, 'seeded');
      expect(listings(mcp)).toBe(count);
    }
  });

  it.each([
    ['success', 200, { tools: [] }],
    ['failure', 502, {}],
  ])('shares one request among concurrent listings, even when cacheMs is 0: %s', async (_, status, result) => {
    const everybody = Promise.withResolvers<void>();
    const { mcp, mock, api } = await seeded({ cacheMs: 0 }, { list: () => everybody.promise.then(() => result) });
    const callerOf = mock.engine.callerOf.bind(mock.engine);
    let callers = 0;
    mock.engine.callerOf = (listing) => {
      callers += 1;
      if (callers === 5) everybody.resolve();
      return callerOf(listing);
    };
    const replies = await Promise.all(Array.from({ length: 5 }, () => listOf(api, 'seeded')));
    expect(replies.map((reply) => reply.status)).toEqual(Array(5).fill(status));
    expect(listings(mcp)).toBe(1);
  });
});

it('aborts a running tool listing when the mock closes', async () => {
  const asked = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const instead: McpScript['instead'] = (request) => {
    asked.resolve();
    request.socket.once('close', () => closed.resolve());
    return true;
  };
  const mcp = await scripted({ instead });
  const mock = await createMock({ seed: tinySeed, liveMcp: { timeoutMs: 600_000 } });
  const api = createClient(mock.url, 'key-a');
  const listing = toolsAt(api, mcp.urlFor('streamableHttp')).then(
    ({ status }) => status,
    () => 'no answer',
  );
  await asked.promise;
  await mock.close();
  await closed.promise;
  expect(await listing).toBe('no answer');
});

describe('host allowlist', () => {
  const addressOf =
    (addresses: Record<string, string[]>): LookupFunction =>
    (name, _, done) =>
      done(
        null,
        (addresses[name] ?? []).map((address) => ({ address, family: isIP(address) })),
      );

  /** What comes of asking a server at its port by another name. */
  async function askedAs(host: string, rules: string[], addresses: Record<string, string[]>) {
    const mcp = await scripted();
    const { port } = new URL(mcp.origin);
    const question = new Question({ ...generousLimits, timeoutMs: 5_000 });
    const allowed = allowedHosts(rules.flatMap((rule) => parseHostRule(rule.replace('<port>', port)) ?? []));
    const guard = { allowed, lookup: addressOf(addresses) };
    const url = `http://${host}:${port}/mcp`;
    const listing = await askForTools({ url, type: 'streamableHttp' }, question, guard);
    return { listing, connections: mcp.connections };
  }

  const here = '127.0.0.1';
  const may: [host: string, rules: string[], addresses: Record<string, string[]>][] = [
    ['localhost', [], { localhost: [here] }],
    ['mcp.localhost', [], { 'mcp.localhost': [here] }],
    ['LOCALHOST.', [], { 'localhost.': [here] }],
    ['0x7f.1', [], {}],
    ['mcp.test', ['mcp.test', here], { 'mcp.test': [here] }],
    ['mcp.test', ['mcp.test:<port>', `${here}:<port>`], { 'mcp.test': [here] }],
    ['mcp.test', ['*', here], { 'mcp.test': [here] }],
  ];

  it.each(may)('allows %s by the rules %j', async (host, rules, addresses) => {
    const { listing } = await askedAs(host, rules, addresses);
    expect(listing).toMatchObject({ tools: [{ name: 'find' }] });
  });

  const mayNot: [host: string, rules: string[], addresses: Record<string, string[]>, reason: RegExp][] = [
    ['mcp.test', [], { 'mcp.test': [here] }, /mcp\.test:\d+ is not an allowed host/],
    ['mcp.test', ['other.test', 'test'], { 'mcp.test': [here] }, /is not an allowed host/],
    ['mcp.test', ['mcp.test:1'], { 'mcp.test': [here] }, /is not an allowed host/],
    ['localhost.test', [], { 'localhost.test': [here] }, /is not an allowed host/],
    ['mcp.test', ['mcp.test'], { 'mcp.test': [here] }, /mcp\.test resolves to 127\.0\.0\.1, which is not an allowed/],
    ['mcp.test', ['*'], { 'mcp.test': [here] }, /resolves to 127\.0\.0\.1/],
    ['mcp.test', ['*'], { 'mcp.test': ['::1'] }, /resolves to ::1/],
    ['mcp.test', ['*'], { 'mcp.test': ['::ffff:127.0.0.1'] }, /resolves to ::ffff:127\.0\.0\.1/],
    ['mcp.test', ['*'], { 'mcp.test': ['169.254.169.254'] }, /resolves to 169\.254\.169\.254/],
    ['mcp.test', ['*'], { 'mcp.test': ['203.0.114.1', '10.0.0.1'] }, /resolves to 10\.0\.0\.1/],
    ['mcp.test', ['mcp.test', '10.0.0.2'], { 'mcp.test': ['10.0.0.1'] }, /resolves to 10\.0\.0\.1/],
    ['mcp.test', ['mcp.test', `${here}:1`], { 'mcp.test': [here] }, /resolves to 127\.0\.0\.1/],
    ['localhost', ['*'], { localhost: ['10.0.0.1'] }, /localhost resolves to 10\.0\.0\.1/],
    ['192.168.0.1', ['*'], {}, /is not an allowed host/],
    ['[fd00::1]', ['*'], {}, /is not an allowed host/],
  ];

  it.each(mayNot)('refuses %s by the rules %j with the DNS records %j', async (host, rules, addresses, reason) => {
    const { listing, connections } = await askedAs(host, rules, addresses);
    expect(listing).toEqual({ problem: expect.stringMatching(reason) });
    expect(connections).toBe(0);
  });

  it('reports a host name that cannot be resolved', async () => {
    const notFound: LookupFunction = (_, __, done) => done(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), []);
    const question = new Question({ ...generousLimits, timeoutMs: 5_000 });
    const guard = { allowed: allowedHosts([]), lookup: notFound };
    const listing = await askForTools({ url: 'http://mcp.localhost/', type: 'sse' }, question, guard);
    expect(listing).toEqual({ problem: expect.stringContaining('the connection failed (ENOTFOUND)') });
  });

  const rules: [string, object | undefined][] = [
    ['MCP.Example.com:8443', { host: 'mcp.example.com', port: '8443' }],
    ['::1', { host: '::1', port: undefined }],
    ['[FD00::0:1]:80', { host: 'fd00::1', port: '80' }],
    ['10.1', { host: '10.0.0.1', port: undefined }],
    ['*', { host: '*', port: undefined }],
    ...['', '*.example.com', 'http://x', 'x/y', 'me@x', 'x:0', 'x:65536', 'x:y', 'a b', '[x]'].map(
      (text): [string, undefined] => [text, undefined],
    ),
  ];

  it.each(rules)('parses the rule %j as %j', (text, rule) => {
    expect(parseHostRule(text)).toEqual(rule);
  });
});

describe('liveMcp option', () => {
  it('sets toolsOfNewServer to live, overriding the profile', async () => {
    const appliedWith = async (options: MockOptions) => (await startControlled(options)).mock.profile.toolsOfNewServer;
    expect(await appliedWith({ liveMcp: true, profile: { toolsOfNewServer: 'plausible' } })).toBe('live');
    expect(await appliedWith({ liveMcp: {}, set: { toolsOfNewServer: 'live' } })).toBe('live');
    expect(await appliedWith({})).toBe('none');
  });

  const live = { toolsOfNewServer: 'live' } as const;
  const none = { toolsOfNewServer: 'none' } as const;
  const refused: [string, MockOptions, RegExp][] = [
    ['toolsOfNewServer live in set without liveMcp', { set: live }, /contact MCP servers\. Allow it with --live-mcp/],
    ['the same in a profile', { profile: live, liveMcp: false }, /Allow it with --live-mcp/],
    ['a contradicting toolsOfNewServer', { set: none, liveMcp: true }, /contradicts --live-mcp/],
    [
      'a URL as an allowed host',
      { liveMcp: { allow: ['http://x'] } },
      /"http:\/\/x" is not a host.*Write it as <host>/,
    ],
    [
      'a timeoutMs of 0',
      { liveMcp: { timeoutMs: 0 } },
      /timeoutMs must be a whole number from 1 to 2147483647; it is 0/,
    ],
    ['a negative cacheMs', { liveMcp: { cacheMs: -1 } }, /liveMcp\.cacheMs must be a whole number from 0/],
  ];

  it.each(refused)('refuses %s', async (_, options, message) => {
    await expect(createMock(options)).rejects.toThrow(StartError);
    await expect(createMock(options)).rejects.toThrow(message);
  });

  it('refuses incomplete or invalid --live-mcp options with a hint', async () => {
    for (const [args, says] of [
      [['--live-mcp-timeout', '5'], /--live-mcp-timeout has no effect without --live-mcp/],
      [['--set', 'toolsOfNewServer=live'], /Allow it with --live-mcp/],
      [['--live-mcp', '--live-mcp-allow', 'x/y'], /"x\/y" is not a host/],
    ] as const)
      expect(await runCommand(['mock', ...args])).toMatchObject({ code: 2, stderr: expect.stringMatching(says) });
  });

  it('is switched on by --live-mcp, with hosts, origins and a limit', async () => {
    const mcp = await scripted();
    const allowed = ['--live-mcp-allow', 'mcp.example.com', '--live-mcp-origin', 'https://app.example'];
    const mock = await startMockHere(['--live-mcp', ...allowed, '--live-mcp-timeout', '5000']);
    const api = createClient(mock.url, 'demo-key');
    const reply = await toolsAt(api, mcp.urlFor('streamableHttp'));
    const { headers } = await api('GET', '/drives', { headers: { origin: 'https://app.example' } });
    await mock.stop();
    expect(reply.body.tools).toEqual([{ name: 'find', description: 'Finds.' }]);
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
  });
});

describe('X-Open-Points of a tool listing', () => {
  const live = ['unreachableTools', 'toolWithoutDescription', 'toolsOfNewServer'] as const;
  const [asking, silent] = [useControlled({ liveMcp: true }), useControlled()];

  const others: Partial<Profile>[] = [
    { unreachableTools: 503 },
    { unreachableTools: 424 },
    { unreachableTools: 'none' },
    { toolWithoutDescription: 'name' },
    { toolsOfNewServer: 'plausible' },
  ];

  it.each([
    { isUp: true, set: {} },
    { isUp: false, set: {} },
    { isUp: false, set: { unreachableTools: 504 } },
  ] as const)('names the open points whose other choices change the answer: %j', async ({ isUp, set }) => {
    const mcp = await scripted({ list: () => ({ tools: [tool('find')] }) });
    const url = isUp ? mcp.urlFor('streamableHttp') : `http://127.0.0.1:${await freePort()}/mcp`;
    /** The answer to a listing, and which of the three it names. */
    const listing = async (other: Partial<Profile>) => {
      const { mock, api } = ('toolsOfNewServer' in other ? silent : asking)();
      mock.setProfile({ unreachableTools: 502, toolWithoutDescription: 'empty', ...set, ...other });
      const { status, text, headers } = await toolsAt(api, url);
      const named = headers.get('x-open-points')?.split(', ') ?? [];
      return { seen: `${status} ${text}`, named: live.filter((id) => named.includes(id)).sort() };
    };
    const { seen, named } = await listing({});
    const changing = new Set<string>();
    for (const other of others) {
      if ((await listing(other)).seen !== seen) changing.add(Object.keys(other)[0] ?? '');
    }
    expect(named).toEqual([...changing].sort());
  });
});

describe('the mock itself', () => {
  const hosts = ['*', '0.0.0.0', '127.0.0.1', '[::1]', '[::]'];
  const controlled = useControlled({ liveMcp: { cacheMs: 0, allow: hosts } });

  it('is never asked, by whatever name', async () => {
    const { mock, api, control } = controlled();
    const { port } = new URL(mock.url);
    const names = ['127.0.0.1', 'localhost', '127.1.2.3', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433', 'a.localhost'];
    const urls = [...names, 'LOCALHOST.'].flatMap((name) =>
      ['/__admin/reset', '/v0.1/drives', '/'].map((path) => `http://${name}:${port}${path}`),
    );
    for (const url of urls) {
      const { status, body } = await toolsAt(api, url);
      expect([url, status, body.detail]).toEqual([url, 502, expect.stringMatching(/is this mock itself\. Register/)]);
    }
    expect((await control('GET', '/requests')).body.requests).toHaveLength(2 * urls.length);
  });

  it('is never asked by an address of this machine, or a name for one', async () => {
    const own = Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address));
    for (const address of ['127.0.0.1', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1', ...own]) {
      const lookup: LookupFunction = (_, __, done) => done(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
      const allowed = allowedHosts(['mcp.test', address].flatMap((rule) => parseHostRule(rule) ?? []));
      const question = new Question({ ...generousLimits, timeoutMs: 5_000 });
      const guard = { allowed, lookup, ownPort: () => 4010 };
      const listing = await askForTools({ url: 'http://mcp.test:4010/', type: 'streamableHttp' }, question, guard);
      expect([address, listing]).toEqual([address, { problem: expect.stringMatching(/is this mock itself/) }]);
    }
  });
});

describe('pages, with liveMcp', () => {
  const origin = 'https://app.example';
  const [plain, trusting] = [useControlled({ liveMcp: true }), useControlled({ liveMcp: { origins: [origin] } })];

  /** Whether a call and its preflight succeed, and which origin each of them allows. */
  async function asked({ api }: Pick<Controlled, 'api'>, from: string) {
    const headers = { origin: from };
    const sent = await api('POST', '/mcp-servers', { json: { name: 'x', url: 'http://127.0.0.1:1/' }, headers });
    const more = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };
    const before = await api('OPTIONS', '/mcp-servers', { key: null, headers: { ...headers, ...more } });
    const allowed = [sent, before].map((reply) => reply.headers.get('access-control-allow-origin'));
    return [sent.status < 300, before.status < 300, ...allowed];
  }

  it('may call from this machine, and from no other origin that is not allowed', async () => {
    for (const own of ['http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:3000', 'http://app.localhost'])
      expect(await asked(plain(), own)).toEqual([true, true, own, own]);
    const near = ['http://localhost.evil.example', 'http://127.0.0.1.evil.example'];
    for (const other of [...near, 'http://evil.example', 'null', 'file://', 'x', origin])
      expect([other, ...(await asked(plain(), other))]).toEqual([other, false, false, null, null]);
    expect(await asked(trusting(), origin)).toEqual([true, true, origin, origin]);
    expect(await asked(trusting(), `${origin}:1`)).toEqual([false, false, null, null]);
  });

  it('may call from anywhere with * or with cors any; an origin has no path', async () => {
    const all = await startControlled({ liveMcp: { origins: ['*'] } });
    expect(await asked(all, 'http://any.example')).toContain('http://any.example');
    expect(await asked(await startControlled({ profile: { cors: 'any' } }), 'http://any.example')).toContain('*');
    const refused = createMock({ liveMcp: { origins: [`${origin}/`] } });
    await expect(refused).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  });
});
