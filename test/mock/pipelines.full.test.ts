import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createProxy, type Seed } from '../../src/index.ts';
import { useMock } from '../support/control.ts';
import { by, exchange, open, type RawRequest, sendRaw, toBytes } from '../support/raw-http.ts';
import { timeLimit } from '../support/time-limit.ts';

interface Drives {
  pagination: { total: number };
}

// What follows on a connection takes no answer away: no request that waits to be asked for its body, and none that cannot
// be read. And a client that sends much at once does not keep others waiting.

const key = 'X-API-Key: demo-key';
const json = 'Content-Type: application/json';
const odd = '{"name":"Prüfstände 📁"}';
const text = (request: RawRequest) => toBytes(request).toString('latin1');
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

const servers: Record<string, (seed?: Seed) => Promise<string>> = {
  mock: (seed) => startMock(seed),
  proxy: async (seed) => {
    const proxy = await createProxy({ upstream: await startMock(seed) });
    onTestFinished(() => proxy.close());
    return proxy.url;
  },
};

const startMock = async (seed?: Seed) => (await useMock({ clock: '2026-01-01T00:00:00Z', ...(seed && { seed }) })).url;

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

const drives = Array.from({ length: 100 }, (_, index) => ({ name: `drive ${index} ${'x'.repeat(200)}` }));
const seed = { organizations: [{ name: 'Lab', keys: ['demo-key'], drives }] };
const megabyte = 2 ** 20;

/** Sends bytes in pieces on a connection of their own, and reads no answers until it is resumed. */
function flood(url: string, bytes: string): Socket {
  const socket = open(url).pause();
  onTestFinished(() => void socket.destroy());
  for (const piece of bytes.match(/.{1,65536}/gs) ?? []) socket.write(piece);
  return socket;
}

async function ask(url: string, times: number): Promise<Drives[]> {
  const answers: Drives[] = [];
  for (let asked = 0; asked < times; asked++) {
    const { status, body } = await sendRaw(url, by('GET', '/v0.1/drives?limit=1', key));
    expect(status).toBe(200);
    answers.push(JSON.parse(body.toString()));
  }
  return answers;
}

describe.each(Object.entries(servers))(
  'Beside a client that sends thousands of requests at once to the %s',
  (_, start) => {
    it('others have their answers in between', async () => {
      const url = await start(seed);
      const socket = flood(url, text(by('GET', '/v0.1/drives?limit=1', key)).repeat(3_000));
      let answered = 0;
      socket.on('data', (bytes) => (answered += bytes.toString('latin1').split('HTTP/1.1 200').length - 1)).resume();
      await once(socket, 'data');
      await ask(url, 1);
      expect(answered).toBeLessThan(1_000);
      await vi.waitUntil(() => answered === 3_000, timeLimit(60_000));
    });

    it('nothing is done whose answer would come behind those that the client does not read', async () => {
      const url = await start(seed);
      const lists = text(by('GET', '/v0.1/drives?limit=100', key)).repeat(700);
      flood(url, lists + text({ ...post(key), body: '{"name":"Never"}' }));
      const [first, ...later] = await ask(url, 200);
      expect(new Set(later.map(({ pagination }) => pagination.total))).toEqual(new Set([first?.pagination.total]));
      expect(first?.pagination.total).toBe(100);
    });

    it('no more is read than can soon be answered', async () => {
      const url = await start(seed);
      const creation = text({ ...post(key), body: `{"name":"${'x'.repeat(50)}"}` });
      const socket = flood(url, creation.repeat((32 * megabyte) / creation.length));
      await ask(url, 100);
      expect(socket.writableLength).toBeGreaterThan(16 * megabyte);
    });
  },
);

const inChunks = (method: string, target: string, ...lines: string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: mock.test', ...lines, 'Transfer-Encoding: chunked', '', '[]'].join('\r\n');

/** Bytes that cannot be read as a request, and what may be answered to them: whichever comes first. */
const broken: [string, string, number[]][] = [
  ['noise', '[]\r\n\r\n', [400]],
  ['a header without a name', 'GET /v0.1/agents HTTP/1.1\r\nHost: mock.test\r\n: x\r\n\r\n', [400]],
  ['a head that is too large', `GET /v0.1/agents HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, [431]],
  ['a creation in no chunks', inChunks('POST', '/v0.1/drives', key, json), [400]],
  ['a body in no chunks, refused before it is read', inChunks('POST', '/__admin/sandboxes', json), [400, 403]],
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
