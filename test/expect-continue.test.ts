import { describe, expect, it, onTestFinished } from 'vitest';
import { createMock, createProxy } from '../src/index.ts';
import { by, exchange, type RawRequest, toBytes } from './support/raw-http.ts';

// A client that wants to be asked for its body gets the same answers as one that sends it at once, also where its request
// follows others on the connection.

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
