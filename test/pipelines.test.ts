import { describe, expect, it, onTestFinished } from 'vitest';
import { createMock, createProxy } from '../src/index.ts';
import { by, exchange, type RawRequest, toBytes } from './support/raw-http.ts';

// What follows on a connection takes no answer away: no request that waits to be asked for its body, and none that cannot
// be read.

const key = 'X-API-Key: demo-key';
const json = 'Content-Type: application/json';
const odd = '{"name":"Prüfstände 📁"}';
const post = (...lines: string[]) => by('POST', '/v0.1/drives', json, ...lines);

const requests: [string, RawRequest][] = [
  ['a list, with letters beyond ASCII', by('GET', '/v0.1/agents', key)],
  ['a list, with a body that nobody reads', { ...by('GET', '/v0.1/agents', key), body: '{}' }],
  ['a creation', { ...post(key), body: odd }],
  ['a creation without a valid key', { ...post('X-API-Key: nobody'), body: odd }],
  ['a creation whose body is refused', { ...post(key), body: '{"name":1}' }],
  ['a move of an unknown file', { ...by('PATCH', '/v0.1/drives/d/files/f', key, json), body: '{"path":"/a"}' }],
  ['an unknown path', { ...by('POST', '/v0.1/nothing', key, json), body: odd }],
];

const servers: Record<string, () => Promise<string>> = {
  mock: () => startMock(),
  proxy: async () => {
    const proxy = await createProxy({ upstream: await startMock() });
    onTestFinished(() => proxy.close());
    return proxy.url;
  },
};

async function startMock(): Promise<string> {
  const mock = await createMock({ clock: '2026-01-01T00:00:00Z' });
  onTestFinished(() => mock.close());
  return mock.url;
}

async function answersOf(url: string, pipeline: readonly RawRequest[]) {
  const methods = pipeline.map(({ method }) => method);
  const { answers, rest } = await exchange(url, Buffer.concat(pipeline.map(toBytes)), { methods });
  expect(rest.toString()).toBe('');
  // The mock makes up ids, and counts them on.
  return answers.map(({ status, body }) => [status, body.toString().replaceAll(/[\da-f-]{36}/g, 'id')]);
}

const expecting = (request: RawRequest) => ({
  ...request,
  lines: [...(request.lines ?? []), 'Expect: 100-continue'],
});

describe.each(Object.entries(servers))('Expect: 100-continue to the %s', (_, start) => {
  it.each(requests)('changes no answer: %s', async (_, request) => {
    const first = by('GET', '/v0.1/mcp-servers', key);
    for (const ahead of [[], [first], [first, by('GET', '/v0.1/drives', key)]]) {
      const plain = await answersOf(await start(), [...ahead, request]);
      expect(plain).toHaveLength(ahead.length + 1);
      expect(await answersOf(await start(), [...ahead, expecting(request)])).toEqual(plain);
    }
  });

  it('asks a client for its body that sends it only then, behind another request', async () => {
    const pipeline = [by('GET', '/v0.1/agents', key), expecting({ ...post(key), body: '{"name":"Later"}' })];
    const bytes = Buffer.concat(pipeline.map(toBytes)).toString('latin1');
    const heads = bytes.slice(0, bytes.indexOf('{'));
    const { answers } = await exchange(await start(), Buffer.from(heads, 'latin1'), {
      methods: ['GET', 'POST'],
      next: async () => bytes.slice(bytes.indexOf('{')),
      nextAfter: 1,
    });
    expect(answers.map(({ status }) => status)).toEqual([200, 201]);
  });
});

const inChunks = (method: string, target: string, ...lines: string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: mock.test', ...lines, 'Transfer-Encoding: chunked', '', '[]'].join('\r\n');

/** Bytes that cannot be read as a request, and what may be answered to them: whichever comes first. */
const broken: [string, string, number[]][] = [
  ['noise', '[]\r\n\r\n', [400]],
  ['a header without a name', 'GET /v0.1/agents HTTP/1.1\r\nHost: mock.test\r\n: x\r\n\r\n', [400]],
  ['a head that is too large', `GET /v0.1/agents HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, [431]],
  ['a creation in no chunks', inChunks('POST', '/v0.1/drives', key, json), [400]],
  ['a body in no chunks, refused before it is read', inChunks('POST', '/__admin/worlds', json), [400, 403]],
];

describe.each(Object.entries(servers))('What the %s cannot read', (_, start) => {
  it.each(broken)('takes no answer from the requests before it: %s', async (_, tail, statuses) => {
    for (const ahead of [[requests[2]], [requests[3]], [requests[6]], requests.slice(2, 5), requests]) {
      const pipeline = ahead.map((one) => (one as (typeof requests)[number])[1]);
      const plain = (await answersOf(await start(), pipeline)).map(([status]) => status);
      const bytes = Buffer.concat([...pipeline.map(toBytes), Buffer.from(tail)]);
      const { answers, isClosed } = await exchange(await start(), bytes, { isReadToEnd: true });
      expect([answers.map(({ status }) => status), isClosed]).toEqual([[...plain, expect.toBeOneOf(statuses)], true]);
    }
  });
});

it('answers nothing twice: a request that was refused before its body proved to be broken', async () => {
  const tail = inChunks('POST', '/v0.1/drives', 'X-API-Key: nobody', json);
  const bytes = Buffer.concat([toBytes({ ...post(key), body: odd }), Buffer.from(tail)]);
  const { answers, isClosed } = await exchange(await startMock(), bytes, { isReadToEnd: true });
  expect([answers.map(({ status }) => status), isClosed]).toEqual([[201, 401], true]);
});
