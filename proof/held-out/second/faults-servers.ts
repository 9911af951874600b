import { breaks, GOOD_URL, serverCreation, serverMade, serversSound, toolsSound, unknownServer } from './checks.ts';
import { input } from './faults-create-drive.ts';
import type { Ctx, Machine, Server } from './model.ts';
import { Refusal } from './model.ts';
import { nap } from './server.ts';
import type { Tester } from './tester.ts';
import { ok } from './tester.ts';
import type { Demo, Variant } from './variant.ts';
import { after, around, must, should, wrap } from './variant.ts';

const S = '4.8';
const creates = (name = 'Fresh server', url = GOOD_URL, org = 0): Demo =>
  breaks((t) => serverCreation(t, name, url, org));
const unsound = breaks((t) => serversSound(t));
const named = (change: (value: string) => string) => input('createServer', 'name', change);
const url = (change: (value: string) => string) => input('createServer', 'url', change);
const lists = (change: (all: Server[], ctx: Ctx, m: Machine) => Server[]) => (m: Machine) =>
  wrap(m, 'servers', (old) => (ctx) => change(old(ctx), ctx, m));
const gone =
  (name: string, address: string, before: readonly [string, string][] = []): Demo =>
  async (t) => {
    for (const [first, there] of before) await t.newServer(first, there);
    const made = (await t.newServer(name, address)).body;
    return !(await t.servers()).some((server) => server.id === made?.id);
  };

const registering: Variant[] = [
  must(
    'server-url-in-small-letters',
    S,
    'The URL is stored in small letters, path included.',
    url((u) => u.toLowerCase()),
    creates('Fresh', 'https://tools.example.com/v1/MCP'),
  ),
  must(
    'server-url-without-query',
    S,
    'The query of the URL is dropped.',
    url((u) => u.replace(/\?.*$/, '')),
    creates('Fresh', 'https://tools.example.com/mcp?tenant=7'),
  ),
  must(
    'server-url-without-port',
    S,
    'The port of the URL is dropped.',
    url((u) => u.replace(/:\d+/, '')),
    creates('Fresh', 'https://tools.example.com:8443/mcp'),
  ),
  must(
    'server-url-as-origin',
    S,
    'Only scheme and host of the URL are kept.',
    url((u) => (URL.canParse(u) ? new URL(u).origin : u)),
    creates(),
  ),
  must(
    'server-url-forced-to-https',
    S,
    'http: becomes https:.',
    url((u) => u.replace(/^http:/, 'https:')),
    creates('Fresh', 'http://tools.example.com/mcp'),
  ),
  must(
    'server-url-cut-at-64',
    S,
    'The URL is cut at 64 characters.',
    url((u) => u.slice(0, 64)),
    creates('Fresh', `https://tools.example.com/${'part/'.repeat(12)}mcp`),
  ),
  must(
    'server-url-escaped-for-html',
    S,
    'An ampersand in the URL is stored as &amp;.',
    url((u) => u.replaceAll('&', '&amp;')),
    creates('Fresh', 'https://tools.example.com/mcp?a=1&b=2'),
  ),
  must(
    'server-url-decoded',
    S,
    'The URL is stored percent-decoded.',
    url((u) => decodeURIComponent(u)),
    creates('Fresh', 'https://tools.example.com/a%2Fb/mcp'),
  ),
  must(
    'server-url-with-sse',
    S,
    'A URL that does not end in /sse gets it added.',
    url((u) => (u.endsWith('/sse') ? u : `${u}/sse`)),
    creates(),
  ),
  must(
    'server-url-of-the-first',
    S,
    'Every new MCP server gets the URL of the last one registered with that host.',
    (m) => {
      const known = new Map<string, string>();
      url((u) => {
        const host = URL.canParse(u) ? new URL(u).host : u;
        const kept = known.get(host) ?? u;
        known.set(host, kept);
        return kept;
      })(m);
    },
    breaks(async (t) => {
      await serverCreation(t, 'One', 'https://tools.example.com/one');
      await serverCreation(t, 'Two', 'https://tools.example.com/two');
    }),
  ),
  must(
    'server-name-and-url-swapped',
    S,
    'The answer shows the URL as name and the name as URL.',
    (m) => after(m, 'createServer', (a) => ({ ...a, body: { ...a.body, name: a.body.url, url: a.body.name } })),
    creates(),
  ),
  must(
    'server-name-from-the-host',
    S,
    'The name is the host of the URL, whatever name is sent.',
    (m) => after(m, 'createServer', (a) => ({ ...a, body: { ...a.body, name: new URL(a.body.url).host } })),
    creates(),
  ),
  should(
    'server-name-cut-at-24',
    S,
    'Names are cut at 24 characters.',
    named((n) => n.slice(0, 24)),
    creates('Reporting tools of the finance team'),
  ),
  must(
    'server-name-as-identifier',
    S,
    'Names are turned into identifiers: small letters and underscores.',
    named((n) => n.toLowerCase().replace(/\W+/g, '_')),
    creates('Fresh server'),
  ),
  must(
    'server-name-without-non-ascii',
    S,
    'Letters outside ASCII are dropped from names.',
    named((n) => n.replace(/[^ -~]/g, '')),
    creates('Prüfwerkzeuge'),
  ),
  must(
    'server-not-stored',
    S,
    'The MCP server is answered and never stored.',
    (m) =>
      wrap(
        m,
        'append',
        (old) => (org, e) => (e.type === 'ServerRegistered' && e.server.createdAt > '2025' ? undefined : old(org, e)),
      ),
    gone('Fresh', GOOD_URL),
  ),
  must(
    'server-in-the-first-organization',
    S,
    'New MCP servers always belong to the first organization.',
    (m) => around(m, 'createServer', (old, ctx) => old({ ...ctx, org: m.orgs[0] ?? ctx.org })),
    creates('Fresh', GOOD_URL, 1),
  ),
  must(
    'server-of-the-organization-in-the-body',
    '5',
    'The field organizationId of the body decides to whom an MCP server belongs.',
    (m) =>
      around(m, 'createServer', (old, ctx) =>
        old({ ...ctx, org: m.orgs.find((o) => o.id === ctx.input.organizationId) ?? ctx.org }),
      ),
    async (t) => {
      const organizationId = (await t.servers(1))[0]?.organizationId;
      const made = (await t.call('POST', '/mcp-servers', { body: { name: 'Smuggled', url: GOOD_URL, organizationId } }))
        .body;
      return (await t.servers(1)).some((server) => server.id === made?.id);
    },
  ),
  must(
    'server-created-twice',
    S,
    'A registration is retried inside the server and makes two MCP servers.',
    (m) =>
      around(m, 'createServer', async (old, ctx) => {
        await old(ctx);
        return old(ctx);
      }),
    async (t) => {
      await t.newServer('Only one', GOOD_URL);
      return (await t.servers()).filter((server) => server.name === 'Only one').length === 2;
    },
  ),
  must(
    'server-with-a-known-url-replaced',
    S,
    'An MCP server with a URL that is known takes the place of the older one.',
    (m) =>
      wrap(m, 'append', (old) => (org, e) => {
        if (e.type === 'ServerRegistered')
          for (const [id, s] of org.view.servers) if (s.url === e.server.url) org.view.servers.delete(id);
        old(org, e);
      }),
    async (t) => {
      const first = (await t.newServer('One', GOOD_URL)).body;
      await t.newServer('Two', GOOD_URL);
      return !(await t.servers()).some((server) => server.id === first.id);
    },
  ),
  must(
    'server-registered-at-once-lost',
    S,
    'Of MCP servers registered at the same moment only the last one is stored.',
    (m) =>
      around(m, 'createServer', async (old, ctx) => {
        const before = new Map(ctx.org.view.servers);
        await nap(m, 25);
        ctx.org.view.servers = before;
        return old(ctx);
      }),
    async (t) => {
      const made = await Promise.all([1, 2, 3].map((n) => t.newServer(`No ${n}`, `https://tools.example.com/${n}`)));
      const ids = (await t.servers()).map((server) => server.id);
      return made.some((reply) => !ids.includes(reply.body.id));
    },
  ),
  must(
    'server-id-of-the-host',
    S,
    'The id is made of the host, so two MCP servers on one host share it.',
    (m) => after(m, 'createServer', (a) => ({ ...a, body: { ...a.body, id: `mcp_${new URL(a.body.url).host}` } })),
    async (t) => {
      const one = (await t.newServer('One', 'https://tools.example.com/one')).body.id;
      return one === (await t.newServer('Two', 'https://tools.example.com/two')).body.id;
    },
  ),
  must(
    'server-answer-without-type',
    S,
    'The answer to a registration has no type.',
    (m) =>
      after(m, 'createServer', (a) => {
        const { type: _t, ...body } = a.body;
        return { ...a, body };
      }),
    creates(),
  ),
  must(
    'server-answer-without-times',
    S,
    'The answer to a registration has neither createdAt nor updatedAt.',
    (m) =>
      after(m, 'createServer', (a) => {
        const { createdAt: _c, updatedAt: _u, ...body } = a.body;
        return { ...a, body };
      }),
    creates(),
  ),
  must(
    'server-answer-with-other-names',
    S,
    'The answer to a registration is in snake case (organization_id, created_at).',
    (m) =>
      after(m, 'createServer', (a) => {
        const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
        return { ...a, body: Object.fromEntries(Object.entries(a.body).map(([k, v]) => [snake(k), v])) };
      }),
    creates(),
  ),
  must(
    'server-created-without-content',
    S,
    'A registration is answered with 204.',
    (m) => after(m, 'createServer', () => ({ status: 204 })),
    creates(),
  ),
  should(
    'server-crash-without-path-in-url',
    S,
    'A URL without a path is a server error, although it was stored.',
    (m) =>
      after(m, 'createServer', (a) => {
        if (new URL(a.body.url).pathname === '/') throw new Error('segments[1] is undefined');
        return a;
      }),
    async (t) => !ok(await t.newServer('Root', 'https://tools.example.com')),
  ),
  must(
    'server-type-flips',
    '4.9',
    'The list derives type from the URL in another way than the registration, so they differ.',
    (m) =>
      after(m, 'createServer', (a) => ({
        ...a,
        body: { ...a.body, type: a.body.type === 'sse' ? 'streamableHttp' : 'sse' },
      })),
    creates(),
  ),
];

const listing: Variant[] = [
  must(
    'servers-in-an-envelope',
    '4.9',
    'The MCP servers come as an object with data and pagination.',
    (m) =>
      after(m, 'listServers', (a) => ({
        ...a,
        body: { data: a.body, pagination: { limit: 50, offset: 0, total: a.body.length } },
      })),
    unsound,
  ),
  must(
    'servers-with-203',
    '4.9',
    'The list of MCP servers is answered with 203.',
    (m) => after(m, 'listServers', (a) => ({ ...a, status: 203 })),
    unsound,
  ),
  must(
    'servers-of-everyone',
    '4.9',
    'The MCP servers of all organizations are listed.',
    lists((_a, _c, m) => m.orgs.flatMap((o) => [...o.view.servers.values()])),
    unsound,
  ),
  must(
    'servers-new-of-others',
    '4.9',
    'MCP servers another organization registers while the server runs are listed too.',
    lists((all, ctx, m) => [
      ...all,
      ...m.orgs
        .filter((o) => o !== ctx.org)
        .flatMap((o) => [...o.view.servers.values()].filter((s) => s.createdAt > '2025')),
    ]),
    async (t) => {
      const made = (await t.newServer('Theirs', GOOD_URL, 1)).body;
      return (await t.servers()).some((server) => server.id === made.id);
    },
  ),
  must(
    'servers-of-the-last-caller',
    '4.9',
    'The list shows the MCP servers of the organization that called before.',
    (m) => {
      let last: Ctx['org'] | undefined;
      around(m, 'listServers', (old, ctx) => {
        const org = last ?? ctx.org;
        last = ctx.org;
        return old({ ...ctx, org });
      });
    },
    async (t) => {
      await t.servers(1);
      return (await t.servers(0)).some((server) => server.id === t.org(1).mcpServers[0]?.id);
    },
  ),
  must(
    'servers-sse-only',
    '4.9',
    'Only MCP servers of type sse are listed.',
    lists((all) => all.filter((s) => s.type === 'sse')),
    unsound,
  ),
  must(
    'servers-without-tools-hidden',
    '4.9',
    'MCP servers without tools are not listed.',
    lists((all) => all.filter((s) => s.tools.length)),
    gone('Fresh', GOOD_URL),
  ),
  must(
    'servers-with-plain-http-hidden',
    '4.9',
    'MCP servers whose URL starts with http: are not listed.',
    lists((all) => all.filter((s) => s.url.startsWith('https:'))),
    unsound,
  ),
  must(
    'servers-capped-at-five',
    '4.9',
    'The list ends after five MCP servers, without a way to see more.',
    lists((all) => all.slice(0, 5)),
    gone('Number 6', GOOD_URL, [
      ['Number 4', 'https://a.example.com/4'],
      ['Number 5', 'https://a.example.com/5'],
    ]),
  ),
  must(
    'servers-capped-to-the-newest',
    '4.9',
    'The list shows the four newest MCP servers.',
    lists((all) => all.slice(-4)),
    async (t) => {
      for (const n of [1, 2]) await t.newServer(`No ${n}`, `https://tools.example.com/${n}`);
      return !(await t.servers()).some((server) => server.id === t.org().mcpServers[0]?.id);
    },
  ),
  must(
    'servers-one-for-each-host',
    '4.9',
    'Of several MCP servers on one host only the first is listed.',
    lists((all) => all.filter((s, n) => all.findIndex((x) => new URL(x.url).host === new URL(s.url).host) === n)),
    gone('Two', 'https://tools.example.com/two', [['One', 'https://tools.example.com/one']]),
  ),
  must(
    'servers-cached-for-good',
    '4.9',
    'The list is cached when it is read first and never renewed.',
    (m) => {
      const cache = new Map<string, Server[]>();
      lists((all, ctx) => {
        const kept = cache.get(ctx.org.id) ?? all;
        cache.set(ctx.org.id, kept);
        return kept;
      })(m);
    },
    async (t) => {
      await t.servers();
      return gone('Too late', GOOD_URL)(t);
    },
  ),
  must(
    'servers-repeated-for-each-tool',
    '4.9',
    'A join repeats an MCP server for each of its tools.',
    lists((all) => all.flatMap((s) => (s.tools.length ? s.tools.map(() => s) : [s]))),
    unsound,
  ),
  must(
    'servers-names-hidden-when-equal',
    '4.9',
    'MCP servers with a name that is taken are not listed.',
    lists((all) => all.filter((s, n) => all.findIndex((x) => x.name === s.name) === n)),
    gone('Same', 'https://tools.example.com/2', [['Same', 'https://tools.example.com/1']]),
  ),
  must(
    'servers-lost-for-second-organization',
    '4.9',
    'The second organization sees an empty list.',
    lists((all, ctx) => (ctx.org.index === 1 ? [] : all)),
    breaks((t) => serversSound(t, 1)),
  ),
];

const toolsBroken = breaks((t) => toolsSound(t));
const toolsOf = (change: (body: any, ctx: Ctx) => any) => (m: Machine) =>
  after(m, 'listTools', (a, ctx) => ({ ...a, body: change(a.body, ctx) }));
const unknownTools = (status: number, body: unknown) => (m: Machine) =>
  around(m, 'listTools', (old, ctx) => (m.findServer(ctx, ctx.params.serverId ?? '') ? old(ctx) : { status, body }));
const unknownIs =
  (status: number): Demo =>
  async (t: Tester) => {
    return (await t.call('GET', `/mcp-servers/${unknownServer(t)}/tools`)).status === status;
  };

const tooling: Variant[] = [
  must(
    'tools-as-bare-array',
    '4.10',
    'The tools come as a bare array.',
    toolsOf((b) => b.tools),
    toolsBroken,
  ),
  must(
    'tools-by-name',
    '4.10',
    'tools is an object with the names as keys.',
    toolsOf((b) => ({ tools: Object.fromEntries(b.tools.map((x: any) => [x.name, x])) })),
    toolsBroken,
  ),
  must(
    'tools-under-data',
    '4.10',
    'The tools stand under data.',
    toolsOf((b) => ({ data: b.tools })),
    toolsBroken,
  ),
  must(
    'tools-as-names',
    '4.10',
    'tools is an array of the names only.',
    toolsOf((b) => ({ tools: b.tools.map((x: any) => x.name) })),
    toolsBroken,
  ),
  must(
    'tools-missing-when-empty',
    '4.10',
    'An MCP server without tools is answered with an empty object.',
    toolsOf((b) => (b.tools.length ? b : {})),
    async (t) => {
      const made = (await t.newServer('Fresh', GOOD_URL)).body;
      const reply = await t.call('GET', `/mcp-servers/${made.id}/tools`);
      return reply.status === 200 && reply.body?.tools === undefined;
    },
  ),
  must(
    'tools-null-when-empty',
    '4.10',
    'tools is null for an MCP server without tools.',
    toolsOf((b) => ({ tools: b.tools.length ? b.tools : null })),
    async (t) => {
      const made = (await t.newServer('Fresh', GOOD_URL)).body;
      return (await t.call('GET', `/mcp-servers/${made.id}/tools`)).body?.tools === null;
    },
  ),
  must(
    'tools-accepted-only',
    '4.10',
    'The tools are answered with 202.',
    (m) => after(m, 'listTools', (a) => ({ ...a, status: 202 })),
    toolsBroken,
  ),
  must(
    'tools-of-unknown-are-none',
    '4.10',
    'An unknown MCP server is answered with an empty list of tools.',
    unknownTools(200, { tools: [] }),
    unknownIs(200),
  ),
  must(
    'tools-of-unknown-are-gone',
    '4.10',
    'An unknown MCP server is answered with 410.',
    unknownTools(410, { error: 'gone' }),
    unknownIs(410),
  ),
  must(
    'tools-of-unknown-are-forbidden',
    '4.10',
    'An unknown MCP server is answered with 403.',
    unknownTools(403, { error: 'forbidden' }),
    unknownIs(403),
  ),
  must(
    'tools-of-unknown-crash',
    '4.10',
    'An unknown MCP server is answered with 500.',
    unknownTools(500, { error: 'null' }),
    unknownIs(500),
  ),
  must(
    'tools-of-unknown-are-bad-gateway',
    '4.10',
    'An unknown MCP server is answered with 502, as if it could not be reached.',
    unknownTools(502, { error: 'unreachable' }),
    unknownIs(502),
  ),
  must(
    'tools-by-cut-id',
    '4.10',
    'MCP servers are found by the beginning of their id.',
    (m) =>
      wrap(
        m,
        'findServer',
        (old) => (ctx, id) =>
          old(ctx, id) ?? (id.length > 8 ? m.servers(ctx).find((s) => s.id.startsWith(id)) : undefined),
      ),
    async (t) => ok(await t.call('GET', `/mcp-servers/${t.org().mcpServers[0]?.id.slice(0, -1)}/tools`)),
  ),
  must(
    'tools-by-id-with-a-tail',
    '4.10',
    'An id with more characters at its end finds the MCP server as well.',
    (m) => wrap(m, 'findServer', (old) => (ctx, id) => old(ctx, id) ?? m.servers(ctx).find((s) => id.startsWith(s.id))),
    async (t) => ok(await t.call('GET', `/mcp-servers/${t.org().mcpServers[0]?.id}999/tools`)),
  ),
  must(
    'tools-of-unknown-are-the-first',
    '4.10',
    'For an unknown id the tools of the first MCP server are answered.',
    (m) => wrap(m, 'findServer', (old) => (ctx, id) => old(ctx, id) ?? m.servers(ctx)[0]),
    unknownIs(200),
  ),
  must(
    'tools-of-new-servers-not-found',
    '4.10',
    'MCP servers registered while the server runs are not found by the tools route.',
    (m) =>
      wrap(m, 'findServer', (old) => (ctx, id) => {
        const server = old(ctx, id);
        return server && server.createdAt > '2025' ? undefined : server;
      }),
    async (t) => {
      const made = (await t.newServer('Fresh', GOOD_URL)).body;
      return (await t.call('GET', `/mcp-servers/${made.id}/tools`)).status === 404;
    },
  ),
  must(
    'tools-not-found-for-second-organization',
    '4.10',
    'The tools route looks in the first organization only.',
    (m) => wrap(m, 'findServer', (old) => (ctx, id) => old({ ...ctx, org: m.orgs[0] ?? ctx.org }, id)),
    breaks((t) => toolsSound(t, 1)),
  ),
  must(
    'tools-of-unknown-only-after-a-registration',
    '4.10',
    'After a registration, unknown ids are redirected to the newest MCP server.',
    (m) =>
      wrap(m, 'findServer', (old) => (ctx, id) => old(ctx, id) ?? m.servers(ctx).findLast((s) => s.createdAt > '2025')),
    async (t) => {
      serverMade(await t.newServer('Fresh', GOOD_URL), 'Fresh', GOOD_URL);
      return unknownIs(200)(t);
    },
  ),
  must(
    'tools-not-found-with-bearer',
    '4.10',
    'With a bearer token MCP servers are looked up by another tenant id and are not found.',
    (m) =>
      around(m, 'listTools', (old, ctx) => {
        if (ctx.via === 'bearer') throw new Refusal(404, 'no_server', 'There is no such MCP server');
        return old(ctx);
      }),
    async (t) =>
      (await t.call('GET', `/mcp-servers/${t.org().mcpServers[0]?.id}/tools`, { via: 'bearer' })).status === 404,
  ),
];

export const serverFaults: readonly Variant[] = [...registering, ...listing, ...tooling];
