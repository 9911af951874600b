import { describe, expect, it, onTestFinished } from 'vitest';
import type { Mock, Seed } from '../../src/index.ts';
import type { ProxyOptions } from '../../src/proxy/create-proxy.ts';
import { toSeedYaml } from '../../src/proxy/recording.ts';
import { useMock } from '../support/control.ts';
import { fixturesOf } from '../support/fixtures.ts';
import { startProxy, useProxy, useUpstream, violationsIn } from '../support/proxied.ts';
import { sendTraffic, subjectsOf } from '../support/scripted-traffic.ts';
import { sendJson } from '../support/upstream.ts';

// What the traffic says about the state of the server: contradictions, and a seed.

async function startBoth(options: Partial<ProxyOptions> = {}) {
  const mock = await useMock({ clock: '2026-11-01T09:00:00Z' });
  const { proxy, close } = await startProxy({ upstream: mock.url, ...options });
  onTestFinished(close);
  return { mock, proxy };
}

async function get(base: string, path: string, key = 'demo-key') {
  const response = await fetch(base + path, { headers: { 'x-api-key': key } });
  const said = violationsIn(response.headers.get('sl-violations'));
  return { status: response.status, json: (await response.json()) as Record<string, unknown>[], said };
}

/** Changes an agent's time of creation, which no client can do. */
async function rewriteHistory(mock: Mock, agentId: unknown): Promise<void> {
  const response = await fetch(`${new URL(mock.url).origin}/__admin/organizations/self/agents/${agentId}`, {
    method: 'PATCH',
    headers: { 'x-api-key': 'demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ createdAt: '2020-01-01T00:00:00Z' }),
  });
  expect(response.status).toBe(200);
}

describe('a response that contradicts an earlier one', () => {
  it.each<[string, Partial<ProxyOptions>, string]>([
    ['is a hint, since another client may be at work', {}, 'Hint'],
    ['is a violation of the server if all traffic passes through the proxy', { allTraffic: true }, 'Error'],
  ])('%s', async (_, options, severity) => {
    const { mock, proxy } = await startBoth(options);
    // The first response shows that the key is valid.
    await get(proxy.url, '/drives');
    const { json } = await get(proxy.url, '/agents');
    await rewriteHistory(mock, json[0]?.id);
    const { said } = await get(proxy.url, '/agents');
    expect(said).toMatchObject([
      { severity, code: 'timestamps.creation-never-changes', location: ['response', 'body'] },
    ]);
    expect(said[0]?.message).toContain('(earlier: req-2)');
    expect(said[0]?.message.includes('does not use this proxy')).toBe(severity === 'Hint');
    const { contradictions, server } = proxy.summary();
    expect(severity === 'Hint' ? contradictions : server).toMatchObject([{ severity, count: 1 }]);
    expect(severity === 'Hint' ? server : contradictions).toEqual([]);
  });

  it('blocks the response with --errors, if nobody else can be the cause', async () => {
    const { mock, proxy } = await startBoth({ allTraffic: true, errors: true });
    await get(proxy.url, '/drives');
    const { json } = await get(proxy.url, '/agents');
    await rewriteHistory(mock, json[0]?.id);
    expect((await get(proxy.url, '/agents')).status).toBe(502);
  });
});

it.each([
  ['hidden', ['listMcpServerTools.unknown-server-is-404']],
  ['shared', []],
] as const)('judges what another organization may read by the profile: %s', async (foreignResources, expected) => {
  const mock = await useMock({ set: { foreignResources: 'shared' } });
  const { proxy, close } = await startProxy({ upstream: mock.url, allTraffic: true, set: { foreignResources } });
  onTestFinished(close);
  const { json } = await get(proxy.url, '/mcp-servers');
  await get(proxy.url, '/drives', 'demo-key-2');
  await get(proxy.url, '/mcp-servers', 'demo-key-2');
  const { said, status } = await get(proxy.url, `/mcp-servers/${json[0]?.id}/tools`, 'demo-key-2');
  expect(status).toBe(200);
  expect(said.map(({ code }) => code)).toEqual(expected);
});

/** A proxy of a server in which every table counts from 1. The keys c and d are of the organization of a. */
async function useCounting() {
  const upstream = await useUpstream(({ url = '', headers }, response) => {
    const owner = headers['x-api-key'] === 'b' ? 'b' : 'a';
    const record = (id: string) => ({ id, organizationId: owner, name: `of ${owner}`, url: 'https://a.example' });
    const [, driveId, fileId] = /drives\/(\d)\/files\/(\d)/.exec(url) ?? [];
    const data = owner === 'a' ? [record('1'), record('2')] : [record('1')];
    const json =
      fileId !== undefined
        ? { id: fileId, ...(fileId === '3' ? {} : { path: `/of-${driveId}` }) }
        : url.endsWith('/drives')
          ? { data, pagination: { limit: 20, offset: 0, total: 2 } }
          : [record('1')];
    sendJson(response, json);
  });
  return useProxy({ upstream: upstream.url });
}

describe('--record', () => {
  it('writes a seed with which the mock shows what the server has shown, without its keys', async () => {
    const { mock, proxy } = await startBoth();
    await sendTraffic(proxy.url, subjectsOf(mock, fixturesOf(mock)));
    const paths = ['/agents', '/drives?limit=100', '/mcp-servers'];
    const shown = await Promise.all(paths.map((path) => get(proxy.url, path)));
    const seed: Seed = proxy.seed();
    const again = await useMock({ clock: '2026-11-01T09:00:00Z', seed });
    const [organization] = seed.organizations;
    const key = organization?.keys[0];
    for (const [index, path] of paths.entries())
      expect((await get(again.url, path, key)).json, path).toEqual(shown[index]?.json);
    for (const drive of organization?.drives ?? [])
      for (const file of drive.files ?? []) {
        const path = `/drives/${drive.id}/files/${file.id}`;
        expect((await get(again.url, path, key)).json).toEqual((await get(mock.url, path)).json);
      }
    expect(organization?.drives?.flatMap(({ files = [] }) => files).length).toBeGreaterThan(0);
    expect(organization?.mcpServers?.flatMap(({ tools = [] }) => tools).length).toBeGreaterThan(0);
    expect(toSeedYaml(proxy.recorded(), proxy.upstream, 'now')).not.toContain('demo-key');
  });

  it.each<[what: string, requests: [key: string, path: string][], seen: object[]]>([
    [
      'ids that each kind, drive and organization counts for itself',
      [
        ['a', '/agents'],
        ['a', '/drives'],
        ['a', '/mcp-servers'],
        ['a', '/drives/1/files/1'],
        ['a', '/drives/2/files/1'],
        ['b', '/drives'],
      ],
      [
        {
          agents: [{ id: '1' }],
          drives: [
            { id: '1', files: [{ id: '1', path: '/of-1' }] },
            { id: '2', files: [{ id: '1', path: '/of-2' }] },
          ],
          mcpServers: [{ id: '1' }],
        },
        { agents: [], drives: [{ id: '1', name: 'of b' }] },
      ],
    ],
    [
      'two keys of one organization, of which one showed little',
      [
        ['a', '/drives'],
        ['a', '/agents'],
        ['c', '/agents'],
        ['d', '/drives/2/files/1'],
      ],
      [{ agents: [{ id: '1' }], drives: [{ id: '1' }, { id: '2', files: [{ id: '1' }] }] }],
    ],
    [
      'two keys of one organization, of which both showed little',
      [
        ['a', '/agents'],
        ['c', '/agents'],
      ],
      [{ agents: [{ id: '1' }] }],
    ],
    [
      'two organizations with agents of one id',
      [
        ['a', '/agents'],
        ['b', '/agents'],
      ],
      [{ agents: [{ name: 'of a' }] }, { agents: [{ name: 'of b' }] }],
    ],
  ])('writes a seed that the mock takes, with %s', async (_, requests, seen) => {
    const proxy = await useCounting();
    for (const [key, path] of requests) await get(proxy.url, path, key);
    expect(proxy.recorded()).toMatchObject({ seed: { organizations: seen }, leftOut: [] });
    await useMock({ seed: proxy.seed() });
  });

  it('says what a seed cannot hold', async () => {
    const proxy = await useCounting();
    for (const path of ['/drives/3/files/1', '/drives', '/drives/1/files/1', '/drives/1/files/2'])
      await get(proxy.url, path, 'a');
    await get(proxy.url, '/drives/1/files/3', 'a');
    const { leftOut, seed } = proxy.recorded();
    expect(leftOut).toEqual([
      'file "1" of drive "3": no response showed the drive',
      'file "1" of drive "1": a later response showed another file at its path',
      'file "3" of drive "1": path is required',
    ]);
    const text = toSeedYaml({ seed, leftOut }, proxy.upstream, 'now');
    expect(text).toContain('# - file "3" of drive "1": path is required\norganizations:');
  });

  it('has no organization if nothing was shown', async () => {
    const { proxy } = await startBoth();
    expect(proxy.seed()).toEqual({ organizations: [] });
  });
});

describe('an error of the server', () => {
  const key = { 'x-api-key': 'key-a' };
  const json = { ...key, 'content-type': 'application/json' };
  const post = (body: object) => ({ method: 'POST', headers: json, body: JSON.stringify(body) });
  // The suite's model says which requests are valid; 502 to 504 and 507 are of gateways, or about room.
  const cases: [path: string, init: RequestInit, status: number, said: object[]][] = [
    ['/agents', { headers: key }, 500, [{ severity: 'Error', code: 'listAgents.method-and-path' }]],
    ['/drives?limit=2', { headers: key }, 500, [{ severity: 'Error', code: 'listDrives.method-and-path' }]],
    ['/mcp-servers', { headers: key }, 501, [{ severity: 'Error', code: 'listMcpServers.method-and-path' }]],
    ['/drives', post({ name: 'a' }), 500, [{ severity: 'Error', code: 'texts.do-not-make-the-server-fail' }]],
    ['/agents', { headers: key }, 503, []],
    ['/agents?x=1', { headers: key }, 500, [{ severity: 'Warning', code: 'errors.are-not-the-servers' }]],
    ['/drives/a/files/b', { headers: key }, 500, [{ severity: 'Warning', code: 'errors.are-not-the-servers' }]],
    [
      '/agents',
      { headers: { 'x-api-key': 'nobodys' } },
      500,
      [{ severity: 'Warning', code: 'errors.are-not-the-servers' }],
    ],
    ['/mcp-servers/a/tools', { headers: key }, 500, []],
  ];

  it.each(cases)('to %s %j with %i is judged as the suite does', async (path, init, status, said) => {
    let next = 200;
    const upstream = await useUpstream((request, response) => {
      request.resume();
      sendJson(response, next === 200 ? [] : {}, next);
    });
    const proxy = await useProxy({ upstream: upstream.url });
    // The first response shows that the key is valid.
    await (await fetch(`${proxy.url}/agents`, { headers: key })).text();
    next = status;
    const response = await fetch(proxy.url + path, init);
    const told = violationsIn(response.headers.get('sl-violations')).filter(
      ({ location }) => location[1] === 'statusCode',
    );
    expect(told).toMatchObject(said);
    expect(told).toHaveLength(said.length);
  });
});
