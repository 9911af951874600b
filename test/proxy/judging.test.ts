import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProxyOptions, ValidatingProxy } from '../../src/proxy/create-proxy.ts';
import { useMock } from '../support/control.ts';
import { startProxied, useProxy, useStage, violationsIn } from '../support/proxied.ts';
import { sendJson } from '../support/upstream.ts';

// What is judged, what is not, and what --errors makes of it.

const stage = (answer: Parameters<typeof useStage>[0], options: Partial<ProxyOptions> = {}) =>
  useStage(answer, () => options);

/** An upstream with one success in JSON for every request. */
const answering =
  (body: string | Buffer, headers: Record<string, string> = {}): Parameters<typeof useStage>[0] =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);

const key = { 'x-api-key': 'demo-key' };
const json = { ...key, 'content-type': 'application/json' };
const at = '2026-01-01T00:00:00Z';
const drive = { id: 'd', organizationId: 'o', name: 'n', createdAt: at, updatedAt: at };
const creating = (body: string, headers = json) => ({ method: 'POST', headers, body });

async function ask({ url }: ValidatingProxy, path: string, init: RequestInit = {}) {
  const response = await fetch(url + path, { headers: key, ...init });
  const body = await response.text();
  const said = violationsIn(response.headers.get('sl-violations'));
  return {
    status: response.status,
    headers: response.headers,
    body,
    said,
    places: said.map(({ location }) => location.join('.')),
  };
}

function reasons({ requestLog }: ValidatingProxy): readonly string[] {
  return requestLog.entries.at(-1)?.notJudged ?? [];
}

describe('a request without a key for the tools of a server', () => {
  const judged = async (id: string, status: number) => {
    const { proxy } = await stage((response) => sendJson(response, { error: 'no' }, status));
    const { said } = await ask(proxy, `/mcp-servers/${id}/tools`, { headers: {} });
    return said.filter(({ location }) => location[1] === 'statusCode').map(({ code }) => code);
  };

  it.each([400, 404, 422])('must not be answered with %i', async (status) => {
    for (const id of ['some-id', '%20', 'a.b', '%C3%BC', '..%20'])
      expect(await judged(id, status)).toEqual(['unauthenticated']);
  });

  it('may be refused for its URL before anybody looks for a key', async () => {
    for (const id of ['%ff', '%', '%c3', '%00', '%0a', 'a%2Fb', '%5c']) expect(await judged(id, 400), id).toEqual([]);
  });
});

describe('--errors', () => {
  const plain = { ...json, 'content-type': 'text/plain' };

  it.each<[string, string, RequestInit, number, string]>([
    ['no key', '/agents', { headers: {} }, 401, 'unauthenticated'],
    ['a wrong media type', '/drives', creating('{}', plain), 415, 'unsupportedMediaType'],
    ['malformed JSON', '/drives', creating('{'), 400, 'malformedJson'],
    ['a limit out of range', '/drives?limit=0', {}, 422, 'minimum'],
    ['a path with ..', '/drives/a/files/b', { ...creating('{"path":"/a/.."}'), method: 'PATCH' }, 422, 'not'],
  ])('refuses a request with %s without forwarding it', async (_, path, init, status, code) => {
    const { proxy, received } = await stage((response) => sendJson(response, []), { errors: true });
    const answer = await ask(proxy, path, init);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-proxy-error')).toBe('requestViolation');
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(JSON.parse(answer.body).validation).toContainEqual(expect.objectContaining({ code, severity: 'Error' }));
    expect(answer.said.map((violation) => violation.code)).toContain(code);
    expect(received).toEqual([]);
    expect(proxy.requestLog.entries[0]).toMatchObject({ status, failure: { kind: 'requestViolation' } });
  });

  it('replaces a response that breaks the contract and says that the upstream has acted', async () => {
    const { proxy, received } = await stage((response) => sendJson(response, { ...drive, id: 7 }, 201), {
      errors: true,
    });
    const answer = await ask(proxy, '/drives', creating('{"name":"n"}'));
    expect(answer.status).toBe(502);
    expect(answer.headers.get('x-proxy-error')).toBe('answerViolation');
    expect(JSON.parse(answer.body)).toMatchObject({
      detail: expect.stringContaining('The upstream handled the request'),
      validation: [{ location: ['response', 'body', 'id'], code: 'type' }],
    });
    expect(received).toHaveLength(1);
    expect(proxy.requestLog.entries[0]).toMatchObject({ status: 502, answer: { status: 201 } });
  });

  it.each([
    ['drive', '/drives', {}, 'Error'],
    ['MCP server whose URL it has', '/mcp-servers', { url: 'https://mcp.example.com/a' }, 'Hint'],
    ['MCP server with another URL', '/mcp-servers', { url: 'https://mcp.example.com/b' }, 'Error'],
  ])('rates another name in response to a new %s', async (_, path, shown, severity) => {
    const { proxy } = await stage((response) => sendJson(response, { ...drive, name: 'earlier', ...shown }, 201));
    const sent = creating('{"name":"new","url":"https://mcp.example.com/a"}');
    const { said } = await ask(proxy, path, sent);
    const name = said.find(({ code, location }) => code === 'echo' && location?.at(-1) === 'name');
    expect(name).toMatchObject({ severity });
  });

  it.each<[string, path: string, method: string, status: number, type: string, side: 'client' | 'server']>([
    ['a method that the contract does not have', '/agents', 'PUT', 200, 'application/json', 'client'],
    ['a path that the contract does not have', '/nope', 'GET', 200, 'application/json', 'client'],
    ['a redirect', '/agents', 'GET', 302, 'application/json', 'server'],
    ['another media type', '/agents', 'GET', 200, 'text/plain', 'server'],
  ])('forwards %s, and counts it', async (_, path, method, status, type, side) => {
    const { proxy } = await stage((response) => response.writeHead(status, { 'content-type': type }).end('[]'), {
      errors: true,
    });
    expect(await ask(proxy, path, { method, redirect: 'manual' })).toMatchObject({ status, body: '[]' });
    expect(proxy.summary()[side]).toMatchObject([{ severity: 'Warning', count: 1 }]);
  });

  it('forwards a response with warnings and rates open point violations as information', async () => {
    const { proxy } = await stage((response) => sendJson(response, [{}]), { errors: true });
    expect(await ask(proxy, '/agents')).toMatchObject({ status: 200, body: '[{}]' });
    for (const [path, openPoint] of [
      ['/drives', 'requiredFields.createDrive'],
      ['/mcp-servers', 'requiredFields.createMcpServer'],
    ] as const) {
      const message = expect.stringContaining(`the specification leaves this open (${openPoint})`);
      expect(await ask(proxy, path, creating('{}'))).toMatchObject({
        said: expect.arrayContaining([expect.objectContaining({ severity: 'Information', code: 'required', message })]),
      });
    }
  });
});

it('each response to the same request is judged by what it is', async () => {
  const page = { data: [drive], pagination: { limit: 20, offset: 0, total: 1 } };
  const wrong = { ...page, data: [{ ...drive, id: 1 }] };
  const answers: [status: number, contentType: string, body: string, places: string[]][] = [
    [200, 'application/json', JSON.stringify(page), []],
    [200, 'text/plain', JSON.stringify(page), ['response.header.content-type']],
    [200, 'application/json', JSON.stringify(wrong), ['response.body.data.0.id']],
    [200, 'application/json', '{', ['response.body']],
    [200, 'application/json', '', ['response.body']],
    [422, 'application/json', JSON.stringify(page), []],
    [200, 'application/json', JSON.stringify(page), []],
  ];
  const upcoming = [...answers, ...answers.slice(0, 1)];
  const { proxy } = await stage((response) => {
    const [status, type, body] = upcoming.shift() ?? [500, '', ''];
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
  });
  for (const [status, type, body, places] of answers)
    expect([status, type, body, (await ask(proxy, '/drives')).places]).toEqual([status, type, body, places]);
  const withoutKey = await ask(proxy, '/drives', { headers: {} });
  expect(withoutKey.places).toEqual(['request.header', 'response.statusCode']);
});

it('a redirect is warned of, also where everything else is open; an answer for a cache is not', async () => {
  const statuses = [302, 308, 304, 304];
  const { proxy } = await stage((response) =>
    response.writeHead(statuses.shift() ?? 500, { location: '/login' }).end(),
  );
  const judged = async (headers: Record<string, string> = {}) =>
    (await ask(proxy, '/drives', { redirect: 'manual', headers: { 'x-api-key': 'key', ...headers } })).said;
  const warning = { location: ['response', 'statusCode'], severity: 'Warning', code: 'undeclaredStatus' };
  for (const _ of ['302', '308', '304']) expect(await judged()).toMatchObject([warning]);
  expect(await judged({ 'if-none-match': '"a"' })).toEqual([]);
});

it('a drive without updatedAt is an error when created, and is warned of in the list', async () => {
  const { updatedAt: _, ...incomplete } = drive;
  const answers = [incomplete, { data: [incomplete], pagination: {} }];
  const { proxy } = await stage((response) => sendJson(response, answers.shift()));
  const created = await ask(proxy, '/drives', creating('{"name":"n"}'));
  const listed = await ask(proxy, '/drives');
  const told = [...created.said, ...listed.said].filter(({ location }) => location.at(-1) === 'updatedAt');
  expect(told).toMatchObject([
    { location: ['response', 'body', 'updatedAt'], severity: 'Error', code: 'required' },
    { location: ['response', 'body', 'data', '0', 'updatedAt'], severity: 'Warning', code: 'required' },
  ]);
});

describe('body above judgeLimitBytes', () => {
  const large = { judgeLimitBytes: 1_000 };
  const name = 'n'.repeat(2_000);

  it('is forwarded unjudged in a request whose rest is judged', async () => {
    const { proxy, received } = await stage((response) => sendJson(response, drive, 201), large);
    const answer = await ask(proxy, '/drives', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: [name] }),
    });
    expect(received[0]?.body).toBe(JSON.stringify({ name: [name] }));
    expect(answer.places).toEqual(['request.header', 'response.statusCode']);
    expect(reasons(proxy)).toEqual(['request body larger than 1000 bytes']);
    expect(proxy.summary()).toMatchObject({
      requests: 1,
      judged: 0,
      notJudged: { 'request body larger than 1000 bytes': 1 },
    });
  });

  const text = JSON.stringify([name]);
  it.each<[string, Record<string, string>, string | Buffer]>([
    ['with a length', { 'content-length': String(text.length) }, text],
    ['without a length', {}, text],
    ['that only decompressed is above the limit', { 'content-encoding': 'gzip' }, gzipSync(text)],
  ])('is forwarded unjudged in a response %s', async (_, headers, sent) => {
    const { proxy } = await stage(answering(sent, headers), large);
    expect(await ask(proxy, '/agents')).toMatchObject({ body: text, said: [] });
    expect(reasons(proxy)).toEqual(['response body larger than 1000 bytes']);
  });
});

describe('compressed response', () => {
  const wrong = Buffer.from('[{"id":1}]');
  it.each([
    ['gzip', gzipSync(wrong)],
    ['br', brotliCompressSync(wrong)],
    ['deflate', deflateSync(wrong)],
    ['Deflate', deflateRawSync(wrong)],
    ['gzip, br', brotliCompressSync(gzipSync(wrong))],
  ])('is judged with Content-Encoding %s', async (encoding, bytes) => {
    const { proxy } = await stage(answering(bytes, { 'content-encoding': encoding }));
    expect((await ask(proxy, '/agents')).places).toContain('response.body.0.id');
  });

  it('breaks the contract when not decodable and is not judged in an unknown encoding', async () => {
    const encodings = ['gzip', 'rot13'];
    const { proxy } = await stage((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encodings.shift() }).end('[]');
    });
    const raw = { headers: { ...key, 'accept-encoding': 'identity' } };
    await ask(proxy, '/agents', raw).catch(() => undefined);
    expect(proxy.requestLog.entries[0]?.violations).toMatchObject([
      { code: 'malformedJson', message: expect.stringContaining('Content-Encoding') },
    ]);
    await ask(proxy, '/agents', raw);
    expect(reasons(proxy)).toEqual(['response Content-Encoding rot13 is not supported']);
  });
});

describe('request with invalid percent-encoding', () => {
  const broken = ['%', '%z', '%zz', '%ff', '%c3%28', '%ed%a0%80'];
  const places = [
    ['request.path.driveId', 'GET', (text: string) => `/drives/${text}/files/f`],
    ['request.path.fileId', 'GET', (text: string) => `/drives/d/files/${text}`],
    ['request.query.limit', 'GET', (text: string) => `/drives?limit=${text}`],
    ['request.query.path', 'DELETE', (text: string) => `/drives/d/items/tree?path=${text}`],
    ['request.path', 'GET', (text: string) => `/${text}`],
  ] as const;

  it('is refused by the mock and blamed on the client where it stands', async () => {
    const { proxy, close } = await startProxied({});
    onTestFinished(close);
    for (const [place, method, pathWith] of places) {
      const expected = { status: place.includes('query') ? 422 : 400, places: [place] };
      for (const text of broken) {
        const { status, places } = await ask(proxy, pathWith(text), { method });
        expect({ text, status, places }).toEqual({ text, ...expected });
        expect(reasons(proxy)).not.toContain('an internal error during validation');
      }
    }
  });
});

describe('unjudged exchange', () => {
  it.each<[string, string, RequestInit]>([
    ['HEAD', '/agents', { method: 'HEAD' }],
    [
      'preflight',
      '/agents',
      { method: 'OPTIONS', headers: { origin: 'http://a', 'access-control-request-method': 'GET' } },
    ],
    ['not below /v0.1', '/../elsewhere', {}],
  ])('gives the reason "%s"', async (why, path, init) => {
    const { proxy } = await stage((response) => sendJson(response, 'anything'));
    expect((await ask(proxy, path, init)).said).toEqual([]);
    expect(reasons(proxy)).toEqual([why]);
  });

  it('warns about an operation that the contract does not have', async () => {
    const { proxy } = await stage((response) => sendJson(response, 'anything'));
    expect((await ask(proxy, '/runs')).said).toMatchObject([{ severity: 'Warning', code: 'unknownOperation' }]);
    expect((await ask(proxy, '/drives', { method: 'DELETE' })).said[0]?.message).toBe(
      'At this path the contract has GET, POST, not DELETE',
    );
    expect(reasons(proxy)).toEqual(['no operation of the contract']);
  });

  it('streams an event stream at once', async () => {
    const { proxy } = await stage((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const response = await fetch(`${proxy.url}/agents`, { headers: key });
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n');
    await reader?.cancel();
    await expect.poll(() => reasons(proxy)).toEqual(['event stream']);
  });
});

describe('sl-violations header', () => {
  it('stays valid JSON below 8 KiB with many violations', async () => {
    const items = Array.from({ length: 500 }, (_, index) => ({ id: index, name: 1, description: 2 }));
    const { proxy } = await stage((response) => sendJson(response, items));
    const { headers, said } = await ask(proxy, '/agents');
    expect((headers.get('sl-violations') ?? '').length).toBeLessThan(8 * 1024);
    expect(said.length).toBeGreaterThan(20);
    expect(said.at(-1)).toMatchObject({
      code: 'cut',
      message: expect.stringMatching(/^\d+ more; GET \/__admin\/requests/),
    });
  });

  it('is ASCII and exposed to pages that may read the response', async () => {
    const set = { 'unknownInput.queryParameters': 'refused' } as const;
    const { proxy } = await stage(answering('[]', { 'access-control-allow-origin': '*' }), { set });
    const { headers, said } = await ask(proxy, '/agents?f%C3%A4rbung=%F0%9F%9A%80');
    expect(headers.get('sl-violations')).toMatch(/^[ -~]+$/);
    expect(said).toMatchObject([{ location: ['request', 'query', 'färbung'], code: 'unknownParameter' }]);
    expect(headers.get('access-control-expose-headers')).toBe('sl-violations');
  });

  it('replaces the same header of the upstream', async () => {
    const { proxy } = await stage((response) => response.writeHead(200, { 'sl-violations': '["mine"]' }).end());
    expect((await ask(proxy, '/elsewhere')).headers.get('sl-violations')).not.toContain('mine');
  });
});

it('reports choices of the server that differ from the profile', async () => {
  const mock = await useMock({ set: { 'successStatus.createDrive': 200, errorBody: 'message' } });
  const proxy = await useProxy({ upstream: mock.url, set: { 'successStatus.createDrive': 201 } });
  const created = await ask(proxy, '/drives', creating('{"name":"n"}'));
  expect(created.said).toMatchObject([
    { location: ['response', 'statusCode'], severity: 'Error', code: 'undeclaredStatus' },
  ]);
  const refused = await ask(proxy, '/agents', { headers: {} });
  expect(refused.places).toEqual(expect.arrayContaining(['request.header', 'response.header.content-type']));
});

it('a body must not begin with a byte order mark when a server answers, either', async () => {
  const { proxy } = await stage(answering('\ufeff[]'));
  const { said } = await ask(proxy, '/agents');
  expect(said).toEqual([
    expect.objectContaining({ severity: 'Error', message: expect.stringMatching(/begins with a byte order mark/) }),
  ]);
});
