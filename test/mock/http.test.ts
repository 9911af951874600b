import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { profileDocument } from '../../openapi/contract/profile-document.ts';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { startControlled, useControlled } from '../support/control.ts';
import {
  by,
  exchange,
  headerOf,
  open,
  type RawAnswer,
  type RawRequest,
  sendRaw,
  toBytes,
} from '../support/raw-http.ts';
import { fillRequest, type Places, placesOf } from '../support/state.ts';
import { timeLimit } from '../support/time-limit.ts';

const clock = '2026-10-01T12:00:00Z';
const clockDate = 'Thu, 01 Oct 2026 12:00:00 GMT';
const key = 'X-API-Key: demo-key';
const json = 'Content-Type: application/json';
const page = 'http://localhost:8080';
const file = '/v0.1/drives/{drive}/files/{file}';
const tree = '/v0.1/drives/{drive}/items/tree';

const usual = useControlled({ seed: 'demo', clock });

/** The mock that all tests share, in its starting state; with options, one for this test alone. */
async function start(options?: MockOptions): Promise<Mock> {
  const { mock } = options === undefined ? usual() : await startControlled({ seed: 'demo', clock, ...options });
  if (mock.keys.length > 1) startPlaces.set(mock, placesOf(mock));
  return mock;
}

function withBody(method: string, target: string, value: unknown, ...lines: string[]): RawRequest {
  return { method, target, lines: [json, ...lines], body: JSON.stringify(value) };
}

/** The ids of each mock's starting state. */
const startPlaces = new WeakMap<Mock, Places>();

/** Sends a request whose target and body may name places. */
function send(mock: Mock, request: RawRequest): Promise<RawAnswer> {
  return sendRaw(mock.url, fillRequest(request, startPlaces.get(mock) ?? {}));
}

/** Sends requests one after the other. */
async function sendAll(mock: Mock, requests: readonly RawRequest[]): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = [];
  for (const request of requests) answers.push(await send(mock, request));
  return answers;
}

describe('the order of validation', () => {
  /** What can be wrong with a move, in the order in which it is judged, and the answer to it. */
  const judgements = {
    preflight: { status: 204 },
    unknownPath: { status: 404, problem: 'unknown-path' },
    wrongMethod: { status: 405, problem: 'method-not-allowed' },
    noKey: { status: 401, problem: 'unauthenticated' },
    tooLarge: { status: 413, problem: 'body-too-large' },
    otherMediaType: { status: 415, problem: 'unsupported-media-type' },
    malformedJson: { status: 400, problem: 'malformed-json' },
    invalidInput: { status: 422, problem: 'invalid-input' },
    unknownResource: { status: 404, problem: 'not-found' },
  };
  type Fault = keyof typeof judgements;
  const order = Object.keys(judgements) as Fault[];
  const pairs = order.flatMap((earlier, index) => order.slice(index).map((later) => [earlier, later] as const));
  const large = 2 * 1_048_576;

  function requestWith(faults: readonly Fault[], otherType = 'text/plain'): RawRequest {
    const has = (fault: Fault) => faults.includes(fault);
    const known = has('unknownResource') ? '/v0.1/drives/{drive}/files/nothing' : file;
    const method = has('wrongMethod') ? 'PUT' : 'PATCH';
    const type = has('otherMediaType') ? otherType : 'application/json';
    const preflight = has('preflight') ? [`Origin: ${page}`, 'Access-Control-Request-Method: PATCH'] : [];
    return {
      method: has('preflight') ? 'OPTIONS' : method,
      target: has('unknownPath') ? '/v0.1/nowhere' : known,
      lines: [`Content-Type: ${type}`, ...(has('noKey') ? [] : [key]), ...preflight],
      body: bodyWith(has).padEnd(has('tooLarge') ? large : 0),
    };
  }

  function bodyWith(has: (fault: Fault) => boolean): string {
    if (has('malformedJson')) return '{"path":';
    return has('invalidInput') ? '{"path":"/.."}' : '{"path":"/moved"}';
  }

  function expectJudged(answer: RawAnswer, fault: Fault): void {
    const { status, problem }: { status: number; problem?: string } = judgements[fault];
    const type = problem && `urn:agent-platform:problem:${problem}`;
    const body = answer.body.length === 0 ? {} : JSON.parse(answer.body.toString());
    expect({ status: answer.status, type: body.type }).toEqual({ status, type });
  }

  it('starts from a valid request', async () => {
    expect((await send(await start(), requestWith([]))).status).toBe(200);
  });

  it.each(pairs)('reports %s before %s', async (earlier, later) => {
    expectJudged(await send(await start(), requestWith([earlier, later])), earlier);
  });

  it('is the same for any media type, and ignores that of a missing or empty body', async () => {
    const mock = await start();
    for (const type of ['text/plain', 'nonsense', '']) {
      expectJudged(await send(mock, requestWith(['otherMediaType'], type)), 'otherMediaType');
      expectJudged(await send(mock, requestWith(['tooLarge', 'otherMediaType'], type)), 'tooLarge');
      expectJudged(await send(mock, requestWith(['otherMediaType', 'malformedJson'], type)), 'otherMediaType');
      const without = by('POST', '/v0.1/drives', key, `Content-Type: ${type}`);
      for (const request of [without, { ...without, body: '' }])
        expectJudged(await send(mock, request), 'invalidInput');
    }
    mock.setProfile({ 'requiredFields.createDrive': 'none' });
    const empty = { ...by('POST', '/v0.1/drives', key, 'Content-Type: text/plain'), body: '' };
    expect((await send(mock, empty)).status).toBe(201);
  });

  it('reports an unknown resource before the input with judgedFirst: resource, but after the key and the size', async () => {
    const mock = await start();
    mock.setProfile({ judgedFirst: 'resource', malformedIds: 'refused' });
    const before = ['noKey', 'tooLarge'] as const;
    const after = ['otherMediaType', 'malformedJson', 'invalidInput'] as const;
    for (const fault of before) expectJudged(await send(mock, requestWith([fault, 'unknownResource'])), fault);
    for (const fault of after) {
      expectJudged(await send(mock, requestWith([fault, 'unknownResource'])), 'unknownResource');
      expectJudged(await send(mock, requestWith([fault])), fault);
    }
    const malformed = { ...requestWith(['malformedJson']), target: '/v0.1/drives/{drive}/files/a%20b' };
    expectJudged(await send(mock, malformed), 'malformedJson');
  });

  it.each(['input', 'resource'] as const)(
    'reports an unknown MCP server before all but the key: %s',
    async (judgedFirst) => {
      const refusing = { 'unknownInput.queryParameters': 'refused', malformedIds: 'refused' } as const;
      const mock = await start();
      mock.setProfile({ judgedFirst, ...refusing });
      const ids = ['nothing', 'a%20b', '..%2f', '{server}x'];
      for (const id of ids) {
        for (const query of ['', '?limit=0&x=1']) {
          const target = `/v0.1/mcp-servers/${id}/tools${query}`;
          expectJudged(await send(mock, by('GET', target, key)), 'unknownResource');
          expectJudged(await send(mock, by('GET', target)), 'noKey');
        }
      }
      expectJudged(await send(mock, by('GET', '/v0.1/mcp-servers/{server}/tools?x=1', key)), 'invalidInput');
      const withBody = { ...by('GET', '/v0.1/mcp-servers/nothing/tools', key, 'Content-Type: text/plain'), body: '{' };
      expectJudged(await send(mock, withBody), 'unknownResource');
    },
  );

  it.each([
    ['/v0.1/agents', 'GET, HEAD'],
    ['/v0.1/agents/{agent}/publish', 'POST'],
    ['/v0.1/agents/nobody/publish', 'POST'],
    ['/v0.1/drives', 'GET, HEAD, POST'],
    [file, 'GET, HEAD, PATCH'],
    [tree, 'DELETE'],
    ['/v0.1/mcp-servers', 'GET, HEAD, POST'],
    ['/v0.1/mcp-servers/{server}/tools', 'GET, HEAD'],
    ['/openapi.yaml', 'GET, HEAD'],
  ])('answers 405 at %s with Allow: %s', async (target, allow) => {
    const answer = await send(await start(), by('PUT', target));
    expectJudged(answer, 'wrongMethod');
    expect(headerOf(answer, 'allow')).toBe(allow);
  });
});

describe('keys', () => {
  it('are requested with a challenge when missing', async () => {
    const mock = await start();
    const paths = ['/v0.1/agents', '/v0.1/drives', '/v0.1/mcp-servers/x/tools', file];
    const answers = await sendAll(
      mock,
      paths.flatMap((path) => [by('GET', path), by('HEAD', path)]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    for (const answer of answers) expect(headerOf(answer, 'www-authenticate')).toMatch(/^Bearer realm="[\w-]+"$/);
  });
});

/** One answer of each kind that can be read as HTTP. */
const kinds: [kind: string, request: RawRequest][] = [
  ['a page of drives', by('GET', '/v0.1/drives', key)],
  ['a creation', withBody('POST', '/v0.1/drives', { name: 'x' }, key)],
  ['the contract', by('GET', '/openapi.json')],
  ['a HEAD answer', by('HEAD', '/v0.1/agents', key)],
  ['an unknown path', by('GET', '/nowhere')],
  ['a path that is not UTF-8', by('GET', '/v0.1/mcp-servers/%ff/tools', key)],
  ['a wrong method', by('PUT', '/v0.1/agents')],
  ['a missing key', withBody('POST', '/v0.1/drives', { name: 'x' })],
  ['a large body', { ...by('POST', '/v0.1/drives', key, json), body: ' '.repeat(2_000_000) }],
  ['another media type', { ...by('POST', '/v0.1/drives', key), body: '{}' }],
  ['a malformed media type', { ...by('POST', '/v0.1/drives', key, 'Content-Type: x'), body: '{}' }],
  ['malformed JSON', { ...by('POST', '/v0.1/drives', key, json), body: '{' }],
  ['invalid input', by('GET', '/v0.1/drives?limit=0', key)],
  ['an unknown resource', by('GET', '/v0.1/mcp-servers/x/tools', key)],
  ['an unknown expectation', withBody('POST', '/v0.1/drives', { name: 'x' }, key, 'Expect: more')],
];

const preflight = by('OPTIONS', '/v0.1/drives', `Origin: ${page}`, 'Access-Control-Request-Method: POST');

describe('pages of other origins', () => {
  const corsOf = (answer: RawAnswer) => answer.headers.filter(([name]) => name.startsWith('access-control-'));

  it('may send a preflight for any path and method', async () => {
    const asked = 'x-api-key,content-type,x-request-id';
    const lines = [...(preflight.lines ?? []), `Access-Control-Request-Headers: ${asked}`];
    for (const target of ['/v0.1/drives', '/v0.1/nowhere', '/', '/openapi.json', file]) {
      const answer = await send(await start(), { ...preflight, target, lines });
      expect({ status: answer.status, length: answer.body.length }).toEqual({ status: 204, length: 0 });
      const methods = headerOf(answer, 'access-control-allow-methods')?.split(', ');
      expect(methods).toEqual(expect.arrayContaining(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']));
      expect(Object.fromEntries(corsOf(answer))).toMatchObject({
        'access-control-allow-origin': page,
        'access-control-allow-headers': asked,
        'access-control-max-age': expect.stringMatching(/^\d+$/),
      });
    }
  });

  it.each(kinds)('may read %s', async (_, request) => {
    const lines = [...(request.lines ?? []), `Origin: ${page}`];
    const mock = await start();
    mock.setProfile({ rateLimits: 'announced' });
    const answer = await send(mock, { ...request, lines });
    const exposed = headerOf(answer, 'access-control-expose-headers')?.toLowerCase().split(', ') ?? [];
    expect(headerOf(answer, 'access-control-allow-origin')).toBe(page);
    expect(headerOf(answer, 'vary')).toMatch(/\bOrigin\b/i);
    const own = answer.headers.map(([name]) => name).filter(isOwn);
    expect(own).toContain('x-request-id');
    expect(exposed).toEqual(expect.arrayContaining(own));
  });

  function isOwn(name: string): boolean {
    return /^(x-|ratelimit-|www-authenticate|allow$|date$)/.test(name);
  }

  const ofThisMachine = [
    'http://localhost',
    'https://127.0.0.1:3000',
    'http://[::1]:8080',
    'http://app.localhost:4200',
  ];
  const others = [
    ...['https://app.example.com', 'http://localhost.example.com', 'http://10.0.0.7:5173', 'null', 'http://\xfc.test'],
    'http://localhost, http://localhost',
  ];

  it.each([
    ['local', [...ofThisMachine, 'tauri://localhost'], others],
    ['any', [...ofThisMachine, ...others], []],
    ['none', [], [...ofThisMachine, ...others]],
  ] as const)('may read answers with cors: %s', async (cors, may, mayNot) => {
    const mock = await start();
    mock.setProfile({ cors });
    for (const origin of [...may, ...mayNot]) {
      const answers = await sendAll(mock, [
        by('GET', '/v0.1/agents', key, `Origin: ${origin}`),
        by('OPTIONS', '/v0.1/drives', `Origin: ${origin}`, 'Access-Control-Request-Method: POST'),
      ]);
      const isLetIn = may.some((one) => one === origin);
      expect(answers.map(({ status }) => status)).toEqual([200, isLetIn ? 204 : 405]);
      const given = cors === 'any' ? ['*', undefined] : [origin, 'true'];
      for (const answer of answers) {
        const seen = ['origin', 'credentials'].map((name) => headerOf(answer, `access-control-allow-${name}`));
        expect(seen, origin).toEqual(isLetIn ? given : [undefined, undefined]);
        if (!isLetIn) expect(corsOf(answer), origin).toEqual([]);
      }
      expect(headerOf(answers[0] as RawAnswer, 'x-open-points')?.split(', ')).toContain('cors');
    }
  });

  it('are not named in answers to requests without Origin', async () => {
    const answer = await send(await start(), by('GET', '/v0.1/agents', key));
    expect(headerOf(answer, 'x-open-points')?.split(', ')).not.toContain('cors');
    expect(headerOf(answer, 'access-control-allow-origin')).toBeUndefined();
  });
});

describe('X-Request-Id', () => {
  const longest = 'x'.repeat(128);
  const made = expect.stringMatching(/^req-[0-9a-f]{16}$/);
  const kept = ['a', 'req_1.2:3/4+5=6-7', '0b0f6a52-6a3c-4f0e-9a55-0f5f5f1f8f01', longest];
  const invalid = ['', 'a b', 'a"b', 'a,b', '<script>', '\xe9', 'a\tb', '%0d%0a', `${longest}x`];

  it('is returned unchanged, unless it is invalid or sent twice', async () => {
    const mock = await start();
    const cases = [
      ...kept.map((id) => [id, [id]]),
      ...[...invalid.map((id) => [id]), ['a', 'b']].map((ids) => [made, ids]),
    ];
    for (const [expected, ids] of cases as [string, string[]][]) {
      const lines = ids.map((id) => `X-Request-Id: ${id}`);
      const answers = await sendAll(mock, [by('GET', '/v0.1/agents', key, ...lines), by('GET', '/x', ...lines)]);
      const told = answers.map((answer) => [answer.status, headerOf(answer, 'x-request-id')]);
      expect([ids, ...told]).toEqual([ids, [200, expected], [404, expected]]);
    }
  });
});

describe('a fixed clock', () => {
  it.each([['a preflight', preflight] as (typeof kinds)[number], ...kinds])(
    'sets the Date header of %s, which has a request id of its own',
    async (_, request) => {
      const own = { ...request, lines: [...(request.lines ?? []), 'X-Request-Id: mine'] };
      const answers = await sendAll(await start(), [request, own, request]);
      for (const { headers } of answers)
        expect(headers.filter(([name]) => name === 'date')).toEqual([['date', clockDate]]);
      const ids = answers.map((answer) => headerOf(answer, 'x-request-id'));
      const made = expect.stringMatching(/^req-[0-9a-f]{16}$/);
      expect(ids).toEqual([made, 'mine', made]);
      expect(new Set(ids).size).toBe(3);
    },
  );

  it.each(['no HTTP\r\n\r\n', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 'GET / HTTP/1.1\r\n\r\n'])(
    'sets the Date header for malformed HTTP: %j',
    async (bytes) => {
      const { answers } = await exchange((await start()).url, bytes);
      expect(answers.map((answer) => headerOf(answer, 'date'))).toEqual([clockDate]);
    },
  );

  it('is off by default, so the Date header shows the real time', async () => {
    const mock = await createMock();
    onTestFinished(() => mock.close());
    const before = Date.now();
    const date = headerOf(await send(mock, by('GET', '/v0.1/agents', key)), 'date');
    // Node renews the header once a second, and later while it is busy.
    expect(Date.parse(date ?? '')).toBeGreaterThan(before - timeLimit(60_000));
    expect(Date.parse(date ?? '')).toBeLessThanOrEqual(Date.now());
  });
});

describe('HEAD', () => {
  const targets = ['/v0.1/agents', '/v0.1/drives?limit=2', file, '/v0.1/mcp-servers/{server}/tools'];
  const refused = ['/v0.1/drives?limit=0', '/v0.1/mcp-servers/x/tools', '/nowhere', '/openapi.json', '/openapi.yaml'];

  it('answers like GET, without the body', async () => {
    const mock = await start();
    for (const target of [...targets, ...refused]) {
      const [got, headed] = await sendAll(
        mock,
        ['GET', 'HEAD'].map((method) => by(method, target, key, 'X-Request-Id: same')),
      );
      expect(headed).toEqual({ ...got, body: Buffer.alloc(0) });
      expect(Number(headerOf(headed as RawAnswer, 'content-length'))).toBe(got?.body.length);
    }
  });
});

describe('the served contract', () => {
  it('needs no key, names this mock, and is the same in JSON and YAML', async () => {
    const mock = await start({ set: { 'pagingDefaults.limit': 7, treePathParameter: 'directory' } });
    const { origin } = new URL(mock.url);
    const [inJson, inYaml] = await Promise.all(['json', 'yaml'].map((form) => fetch(`${origin}/openapi.${form}`)));
    expect([inJson?.status, inJson?.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect([inYaml?.status, inYaml?.headers.get('content-type')]).toEqual([200, 'application/yaml']);
    const contract = (await inJson?.json()) as { servers: { url: string }[] };
    expect(parseYaml((await inYaml?.text()) ?? '')).toEqual(contract);
    expect(contract.servers.map(({ url }) => url)).toEqual([mock.url]);
    const applied = JSON.parse(JSON.stringify(profileDocument(mock.profile, `${origin}/#/points/`)));
    expect({ ...contract, servers: 0 }).toEqual({ ...applied, servers: 0 });
  });

  const serverOf = (answer: RawAnswer | undefined) => JSON.parse(answer?.body.toString() ?? '').servers[0].url;

  it('names the host that the client used', async () => {
    const mock = await start();
    const { port } = new URL(mock.url);
    const answer = await fetch(`http://localhost:${port}/openapi.json`).catch(() =>
      fetch(`http://127.0.0.1:${port}/openapi.json`),
    );
    const { servers } = (await answer.json()) as { servers: { url: string }[] };
    expect(servers.map(({ url }) => url)).toEqual([`${new URL(answer.url).origin}/v0.1`]);
  });

  it('names the address of the mock if the request has no Host', async () => {
    const mock = await start();
    const { answers } = await exchange(mock.url, 'GET /openapi.json HTTP/1.0\r\n\r\n');
    expect(serverOf(answers[0])).toBe(mock.url);
  });

  it('names the address of the mock if the Host is invalid', async () => {
    const mock = await start();
    for (const host of ['', 'a"b', 'a b', 'a/b', '[::1', 'a?b', 'a:b']) {
      const { answers } = await exchange(mock.url, `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      if (answers[0]?.status === 200) expect(serverOf(answers[0])).toBe(mock.url);
      else expect(answers[0]?.status).toBe(400);
    }
  });

  it('is not served below the version or with a trailing slash', async () => {
    const answers = await sendAll(await start(), [by('GET', '/v0.1/openapi.json', key), by('GET', '/openapi.json/')]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});

describe('close()', () => {
  it('ends open connections, before any time limit does', async () => {
    const mock = await start({});
    const bytes = ['', toBytes(by('GET', '/v0.1/agents', key)), 'GET /v0.1/agents HTTP/1.1\r\nX-', halfBody()];
    const sockets = await Promise.all(bytes.map((own) => opened(mock, own)));
    const ends = sockets.map((socket) => once(socket, 'close'));
    const told: string[] = [];
    for (const socket of sockets) socket.on('data', (bytes) => told.push(String(bytes)));
    await mock.close();
    await Promise.all(ends);
    // A time limit answers an unfinished request with 408.
    expect(told).toEqual([]);
    await expect(fetch(`${mock.url}/agents`)).rejects.toThrow();
  });

  function halfBody(): Buffer {
    return toBytes({ ...by('POST', '/v0.1/drives', key, json, 'Content-Length: 100'), body: '{"name"' });
  }

  /** A connection that the mock knows of: it answers another one after it. */
  async function opened(mock: Mock, bytes: string | Buffer) {
    const socket = open(mock.url).on('error', () => {});
    await once(socket, 'connect');
    socket.resume().write(bytes);
    expect((await send(mock, by('GET', '/v0.1/agents', key))).status).toBe(200);
    return socket;
  }
});
