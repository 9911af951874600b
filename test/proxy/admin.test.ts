import { describe, expect, it, onTestFinished } from 'vitest';
import { RequestLog } from '../../src/app/request-log.ts';
import { startProxied } from '../support/proxied.ts';
import { sendRaw } from '../support/raw-http.ts';

async function start(options: Parameters<typeof startProxied>[1] = {}) {
  const { proxy, close } = await startProxied({}, options);
  onTestFinished(close);
  return { proxy, origin: new URL(proxy.url).origin };
}

async function get(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
}

const secret = 'demo-key';

describe('secrets in the proxy', () => {
  it('reach the upstream but no log, request log, header or summary', async () => {
    const logged: unknown[] = [];
    const { proxy, origin } = await start({
      set: { 'unknownInput.queryParameters': 'refused' },
      onExchange: (each) => logged.push(each),
    });
    const headers = {
      'X-API-Key': secret,
      Cookie: 'session=c00kie-value',
      'X-Auth-Token': 'tok3n-value',
      'Proxy-Authorization': 'Basic cHJveHk6cHc=',
      'Content-Type': 'application/json',
    };
    const target = `/drives?again=${secret}&api_key=other-secret&${secret}=x`;
    const body = JSON.stringify({ name: `my ${secret} drive` });
    const response = await fetch(proxy.url + target, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
    await fetch(`${proxy.url}/agents`, { headers: { Authorization: `Bearer ${secret}` } });
    const said = [
      JSON.stringify(logged),
      JSON.stringify(proxy.requestLog.entries),
      JSON.stringify((await get(`${origin}/__admin/requests`)).body),
      JSON.stringify((await get(`${origin}/__admin/summary`)).body),
      response.headers.get('sl-violations') ?? '',
    ];
    for (const text of said) {
      expect(text).toContain('[REDACTED]');
      expect(text).not.toMatch(/demo-key|c00kie-value|tok3n-value|cHJveHk6cHc|other-secret/);
    }
    expect(proxy.requestLog.entries[1]).toMatchObject({
      status: 200,
      request: { headers: { authorization: '[REDACTED]' } },
    });
  });
});

describe('key that equals a word of the proxy output', () => {
  const words = ['type', 'message', 'request', 'query', 'Error', 'must', 'be', 'detail', 'Query', '422', 'a', 'X'];

  async function told(key: string, errors: boolean) {
    const { proxy, origin } = await start({ errors });
    const headers = { 'x-api-key': key, 'x-request-id': key };
    const response = await fetch(`${proxy.url}/drives?limit=none`, { headers });
    const [entry] = (await get(`${origin}/__admin/requests`)).body.requests;
    const { requestId, violations, failure, answer } = entry;
    expect(requestId).toBe('[REDACTED]');
    const { client, server } = (await get(`${origin}/__admin/summary`)).body;
    const sides = [client.length, server.length];
    const kept = { violations, failure, status: answer.status, sides, header: response.headers.get('sl-violations') };
    return { ...kept, body: errors ? await response.text() : '' };
  }

  it('does not change the output', async () => {
    for (const errors of [true, false]) {
      const usual = await told('sk-neutral-key', errors);
      expect(usual.violations).not.toEqual([]);
      expect(usual.sides).toEqual([1, 0]);
      for (const word of words) expect(await told(word, errors)).toEqual(usual);
    }
  });
});

describe('admin API of the proxy', () => {
  it('filters and clears the request log', async () => {
    const { proxy, origin } = await start();
    const headers = { 'x-api-key': secret };
    for (const path of ['/agents', '/drives?limit=0', '/drives', '/mcp-servers/none/tools'])
      await (await fetch(proxy.url + path, { headers })).text();
    const pathsOf = async (query: string) => {
      const { body } = await get(`${origin}/__admin/requests${query}`);
      return body.requests
        .map(({ request }: { request: { url: string } }) => request.url.slice('/v0.1'.length))
        .reverse();
    };
    expect(await pathsOf('')).toEqual(['/agents', '/drives?limit=0', '/drives', '/mcp-servers/none/tools']);
    expect(await pathsOf('?status=422')).toEqual(['/drives?limit=0']);
    expect(await pathsOf('?status=4xx')).toEqual(['/drives?limit=0', '/mcp-servers/none/tools']);
    expect(await pathsOf('?operation=listDrives&status=200')).toEqual(['/drives']);
    expect(await pathsOf('?side=client')).toEqual(['/drives?limit=0']);
    expect(await pathsOf('?side=server')).toEqual([]);
    const clear = (query: string) => get(`${origin}/__admin/requests${query}`, { method: 'DELETE' });
    expect((await clear('?operation=listDrives&status=4xx')).body).toEqual({ forgotten: 1 });
    expect(await pathsOf('')).toEqual(['/agents', '/drives', '/mcp-servers/none/tools']);
    expect((await clear('?limit=1')).status).toBe(422);
    expect((await clear('')).body).toEqual({ forgotten: 3 });
    expect(await pathsOf('')).toEqual([]);
    expect((await get(`${origin}/__admin/summary`)).body).toMatchObject({ requests: 4, judged: 4, server: [] });
  });

  it('reports health and the upstream, and explains unknown paths, parameters, values and methods', async () => {
    const { proxy, origin } = await start();
    const { status, body } = await get(`${origin}/__admin/health`);
    expect([status, body]).toMatchObject([200, { status: 'healthy', upstream: proxy.upstream }]);
    for (const [path, code, says] of [
      ['nothing', 404, '/__admin/openapi.json'],
      ['requests?operatin=x', 422, 'did you mean operation?'],
      ['requests?status=none', 422, ''],
      ['requests/7', 404, 'No such exchange'],
      ['requests/x', 422, ''],
    ] as const) {
      const refused = await get(`${origin}/__admin/${path}`);
      expect(refused).toMatchObject({ status: code, body: { detail: expect.stringContaining(says) } });
    }
    const wrong = await get(`${origin}/__admin/summary`, { method: 'POST' });
    expect({ status: wrong.status, allow: wrong.headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' });
  });

  it('refuses pages of another origin and an unknown Host, and accepts its own and localhost', async () => {
    const { origin, proxy } = await start();
    // The raw requests name their Host themselves: mock.test.
    const strangers = ['http://evil.example', 'http://127.0.0.1:5173', 'null', 'http://mock.test'];
    for (const lines of [[], ...strangers.map((stranger) => [`Origin: ${stranger}`])])
      for (const method of ['GET', 'DELETE'])
        expect((await sendRaw(origin, { method, target: '/__admin/requests', lines })).status, `${lines}`).toBe(403);
    for (const target of ['summary', 'requests/live', 'requests/0', 'version'])
      expect((await sendRaw(origin, { method: 'GET', target: `/__admin/${target}` })).status).toBe(403);
    const pageOfItsOwn = await get(`${origin}/__admin/summary`, { headers: { origin } });
    const byName = await get(`http://localhost:${new URL(origin).port}/__admin/summary`);
    expect([pageOfItsOwn.status, byName.status, proxy.requestLog.entries]).toEqual([200, 200, []]);
  });
});

describe('request log of the proxy', () => {
  it('keeps the newest exchanges up to requestLogLimit', async () => {
    const { proxy } = await start({ requestLogLimit: 3 });
    for (let count = 0; count < 5; count += 1) await (await fetch(`${proxy.url}/agents?n=${count}`)).text();
    expect(proxy.requestLog.entries.map(({ path }) => path.at(-1))).toEqual(['2', '3', '4']);
    expect(proxy.requestLog.dropped).toBe(2);
  });

  it('drops the oldest entries above its byte limit', () => {
    const policy = { largestShare: 1, shrink: () => undefined };
    const requestLog = new RequestLog<string>({ entries: 100, bodyBytes: 10 }, policy);
    for (const entry of ['aaaa', 'bbbb', 'cccc', 'dddddddddd', 'e', 'ffffffffffff', 'g'])
      requestLog.add(entry, entry.length);
    expect(requestLog.entries).toEqual(['e', 'g']);
    expect(requestLog.dropped).toBe(5);
    requestLog.clear();
    expect([requestLog.entries, requestLog.dropped]).toEqual([[], 0]);
  });
});

describe('live request log of the proxy', () => {
  it('numbers exchanges, and reads one by its number', async () => {
    const { proxy, origin } = await start();
    for (const path of ['/agents', '/drives']) await (await fetch(proxy.url + path)).text();
    const { body } = await get(`${origin}/__admin/requests`);
    expect(body.requests.map(({ id }: { id: number }) => id)).toEqual([1, 0]);
    expect((await get(`${origin}/__admin/requests/1`)).body).toEqual(body.requests[0]);
    expect(body.requests[0]).toMatchObject({
      ...{ operationId: 'listDrives', violations: expect.any(Array), notJudged: [], upstreamStatus: 401 },
      request: { method: 'GET', url: '/v0.1/drives', headers: {}, bodyBytes: 0 },
      answer: { status: 401, headers: { 'content-type': 'application/problem+json' }, body: expect.any(String) },
    });
  });

  it('streams the selected new exchanges, and ends with the proxy', async () => {
    const { proxy, close } = await startProxied({});
    const { origin } = new URL(proxy.url);
    const headers = { 'x-api-key': secret };
    const response = await fetch(`${origin}/__admin/requests/live?side=client`);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (const path of ['/agents', '/drives?limit=0']) await (await fetch(proxy.url + path, { headers })).text();
    while (!/data: .*\n\n/.test(text)) text += (await reader?.read())?.value;
    expect(text).toMatch(/^event: exchange\nid: 1\ndata: .*"url":"\/v0.1\/drives\?limit=0"/m);
    expect(text).not.toMatch(/"url":"\/v0.1\/agents"|demo-key/);
    const ended = reader?.read().then(
      ({ done }) => done,
      () => true,
    );
    await close();
    expect(await ended).toBe(true);
  });
});

describe('address of the developer page', () => {
  it('is the page for a browser, the list of operations for others, and nothing of the upstream', async () => {
    const { proxy, origin } = await start();
    const typeFor = async (path: string, accept: string) =>
      (await fetch(origin + path, { headers: { accept } })).headers.get('content-type');
    for (const path of ['/__admin', '/__admin/', '/__admin/?x']) {
      expect(await typeFor(path, 'text/html,*/*;q=0.8')).toMatch(/^text\/html/);
      expect(await typeFor(path, '*/*')).toBe('application/json');
    }
    expect(await typeFor('/__admin/summary', 'text/html')).toBe('application/json');
    expect(proxy.requestLog.entries).toEqual([]);
  });
});
