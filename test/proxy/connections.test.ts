import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProxy, useProxy, useSockets, useUpstream } from '../support/proxied.ts';
import { by, exchange, open, type RawRequest, toBytes } from '../support/raw-http.ts';
import { sendJson } from '../support/upstream.ts';
import { startWireUpstream, type WireAnswer, type WireRequest } from '../support/wire-upstream.ts';

// Plain reads of one client connection follow each other on one connection to the upstream; all else has its own.

const read = (name: string) => by('GET', `/v0.1/agents?${name}`, 'X-API-Key: k');
const write: RawRequest = { method: 'POST', target: '/v0.1/drives', lines: ['X-API-Key: k'], body: '{}' };

async function stage(answer: (request: WireRequest, count: number) => string | WireAnswer = plainAnswer) {
  let count = 0;
  const upstream = await startWireUpstream({ answer: (request) => answer(request, ++count) });
  const { proxy, close } = await startProxy({ upstream: upstream.url });
  onTestFinished(upstream.close);
  onTestFinished(close);
  return { upstream, proxy };
}

function plainAnswer({ target }: WireRequest): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${target.length}\r\n\r\n${target}`;
}

/** Sends requests on one connection, one after the other. What the client got. */
async function ask(
  url: string,
  requests: readonly RawRequest[],
  before: () => Promise<unknown> = async () => undefined,
) {
  const [first, ...more] = requests.map((request) => toBytes(request).toString('latin1'));
  const next = () => before().then(() => more.join(''));
  const methods = requests.map(({ method }) => method);
  const { answers } = await exchange(url, first ?? '', { methods, ...(more.length > 0 && { next }) });
  return answers.map(({ status, body }) => (status === 200 ? body.toString() : status));
}

const targets = (requests: readonly { target: string }[]) => requests.map(({ target }) => target);

describe('connection to the upstream', () => {
  it('serves the reads of one client connection', async () => {
    const { upstream, proxy } = await stage();
    const reads = ['a', 'b', 'c', 'd'].map(read);
    expect(await ask(proxy.url, reads)).toEqual(targets(reads));
    expect(upstream.connections()).toBe(1);
  });

  it('serves no other client, not even a later one', async () => {
    const { upstream, proxy } = await stage();
    for (const name of ['a', 'b']) await ask(proxy.url, [read(name), read(name)]);
    await Promise.all(['c', 'd'].map((name) => ask(proxy.url, [read(name), read(name)])));
    expect(upstream.connections()).toBe(4);
  });

  it.each<[string, RawRequest]>([
    ['a write', write],
    ['a deletion', by('DELETE', '/v0.1/drives/d/tree?path=%2Fa', 'X-API-Key: k')],
    ['HEAD', by('HEAD', '/v0.1/agents')],
    ['a read with a body', { ...read('b'), body: '{}' }],
    ['a read with an empty body', { ...read('b'), body: '' }],
    ['a read with chunks', by('GET', '/v0.1/agents', 'Transfer-Encoding: chunked\r\n\r\n0')],
    ['a read with an expectation', { ...read('b'), lines: ['Expect: something'] }],
  ])('serves nothing else beside %s', async (_, other) => {
    const { upstream, proxy } = await stage(({ method, target }) =>
      method === 'HEAD' ? 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n' : plainAnswer({ target } as WireRequest),
    );
    expect(await ask(proxy.url, [read('a'), other, read('c')])).toMatchObject({ 0: read('a').target, length: 3 });
    expect(upstream.connections()).toBe(2);
  });

  it('is closed with that of its client', async () => {
    const { upstream, proxy } = await stage();
    const client = open(proxy.url);
    client.write(toBytes(read('a')));
    await once(client, 'data');
    client.destroy();
    await expect(upstream.drained()).resolves.toEqual([]);
  });

  it('is closed with the proxy', async () => {
    const { upstream, proxy } = await stage();
    const client = open(proxy.url).on('error', () => undefined);
    client.write(toBytes(read('a')));
    await once(client, 'data');
    await proxy.close();
    await expect(upstream.drained()).resolves.toEqual([]);
  });
});

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;

describe('connection that is used again', () => {
  it.each<[string, ...string[]]>([
    ['a length', `${ok}Content-Length: 1\r\n\r\na`],
    ['a length of 0', `${ok}Content-Length: 0\r\n\r\n`],
    ['a body in pieces', `${ok}Content-Length: 3\r\n\r\na`, 'b', 'c'],
    ['a refusal', 'HTTP/1.1 404 Not Found\r\nContent-Length: 1\r\n\r\na'],
    ['chunks', `${chunked}1\r\na\r\n0\r\n\r\n`],
    ['a last chunk of its own', `${chunked}1\r\na\r\n`, '0\r\n\r\n'],
    ['Connection: keep-alive', `${ok}Connection: Keep-Alive\r\nContent-Length: 1\r\n\r\na`],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na'],
    ['an interim answer', `HTTP/1.1 103 Early Hints\r\n\r\n${ok}Content-Length: 1\r\n\r\na`],
    ['a head in pieces', ok, 'Content-Length: 1\r\n\r\na'],
    ['a trailer', `${chunked}1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n`],
    ['a 204', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['a 304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 1\r\n\r\n'],
  ])('has ended its answer: %s', async (_, ...pieces) => {
    const { upstream, proxy } = await stage((request, count) => (count === 1 ? { pieces } : plainAnswer(request)));
    expect((await ask(proxy.url, [read('a'), read('b')]))[1]).toBe(read('b').target);
    expect(upstream.connections()).toBe(1);
  });

  const whole = `${ok}Content-Length: 1\r\n\r\na`;
  it.each<[string, ...string[]]>([
    ['bytes after the answer', `${whole}x`],
    ['another answer', whole + whole],
    ['bytes that look like a last chunk', `${whole}0\r\n\r\n`],
    ['a late answer', whole, whole],
    ['a late line end', whole, '\r\n'],
    ['late bytes', whole, 'x'],
    ['Connection: close', `${ok}Connection: close\r\nContent-Length: 1\r\n\r\na`],
  ])('had none of this before: %s', async (_, ...pieces) => {
    const { upstream, proxy } = await stage((request, count) => (count === 1 ? { pieces } : plainAnswer(request)));
    expect((await ask(proxy.url, [read('a'), read('b')], upstream.sent))[1]).toBe(read('b').target);
    expect(upstream.connections()).toBe(2);
    expect(targets(upstream.requests)).toEqual([read('a').target, read('b').target]);
  });

  it('has nothing on it that came with the request', async () => {
    const sockets: Socket[] = [];
    const upstream = await useSockets((socket) => {
      sockets.push(socket.on('data', () => socket.write(whole)));
    });
    const proxy = await useProxy({ upstream });
    const client = open(proxy.url).setNoDelay(true);
    onTestFinished(() => void client.destroy());
    client.write(toBytes(read('a')));
    await once(client, 'data');
    // In one turn of the event loop: the proxy finds both at once, the request first.
    client.write(toBytes(read('b')));
    sockets[0]?.write(whole.replace(/a$/, 'b'));
    const [answer] = await once(client, 'data');
    expect(String(answer)).toMatch(/\r\n\r\na$/);
    expect(sockets).toHaveLength(2);
  });

  it('is there no more once an upstream has sent what nobody asked for', async () => {
    const late = { pieces: [whole, whole] };
    const { upstream, proxy } = await stage((request, count) => (count === 1 ? late : plainAnswer(request)));
    const reads = ['a', 'b', 'c', 'd'].map(read);
    expect((await ask(proxy.url, reads, upstream.sent)).slice(1)).toEqual(targets(reads).slice(1));
    expect(upstream.connections()).toBe(4);
  });
});

describe('connection that the upstream has closed meanwhile', () => {
  it.each(['close', 'reset'] as const)('costs the client nothing: %s after the answer', async (ending) => {
    const { upstream, proxy } = await stage((request) => ({ pieces: [plainAnswer(request)], ending }));
    const reads = ['a', 'b', 'c'].map(read);
    // With and without the time to notice it.
    expect(await ask(proxy.url, reads, upstream.sent)).toEqual(targets(reads));
    expect(await ask(proxy.url, reads)).toEqual(targets(reads));
  });

  it.each(['close', 'reset'] as const)('costs the client nothing: %s when the next request comes', async (ending) => {
    const over = { pieces: [''], ending };
    const { upstream, proxy } = await stage((request, count) => (count === 2 ? over : plainAnswer(request)));
    expect(await ask(proxy.url, [read('a'), read('b')])).toEqual(targets([read('a'), read('b')]));
    expect(targets(upstream.requests)).toEqual(targets([read('a'), read('b'), read('b')]));
    expect(proxy.requestLog.entries).toHaveLength(2);
  });

  it('has a read repeated only where not a byte was answered', async () => {
    const half = { pieces: ['HTTP/1.1 2'], ending: 'close' } as const;
    const { upstream, proxy } = await stage((request, count) => (count === 2 ? half : plainAnswer(request)));
    expect(await ask(proxy.url, [read('a'), read('b')])).toEqual([read('a').target, 502]);
    expect(upstream.requests).toHaveLength(2);
  });

  it('never has a read repeated that was the first one, nor any request twice', async () => {
    const over = { pieces: [''], ending: 'close' } as const;
    const { upstream, proxy } = await stage((request, count) => (count === 2 ? plainAnswer(request) : over));
    expect(await ask(proxy.url, [read('a'), read('b'), read('c')])).toEqual([502, read('b').target, 502]);
    expect(targets(upstream.requests)).toEqual(targets([read('a'), read('b'), read('c'), read('c')]));
  });

  it('never has a write repeated', async () => {
    const over = { pieces: [''], ending: 'reset' } as const;
    const { upstream, proxy } = await stage((request) => (request.method === 'POST' ? over : plainAnswer(request)));
    expect(await ask(proxy.url, [read('a'), write])).toEqual([read('a').target, 502]);
    expect(upstream.requests).toHaveLength(2);
  });
});

describe('50 clients at once', () => {
  const names = Array.from({ length: 50 }, (_, index) => `client-${index}-`);
  const readsOf = (name: string) => Array.from({ length: 10 }, (_, index) => read(name + index));

  it('get their own answers, each over a connection of its own', async () => {
    const byConnection = new Map<number | undefined, Set<string>>();
    let count = 0;
    const upstream = await useUpstream(({ url = '', socket }, response) => {
      count += 1;
      const [, name = ''] = /\?(client-\d+)/.exec(url) ?? [];
      byConnection.set(socket.remotePort, (byConnection.get(socket.remotePort) ?? new Set()).add(name));
      sendJson(response, url);
    });
    const proxy = await useProxy({ upstream: upstream.url });
    const all = await Promise.all(names.map((name) => ask(proxy.url, readsOf(name))));
    expect(all).toEqual(names.map((name) => targets(readsOf(name)).map((target) => JSON.stringify(target))));
    expect(count).toBe(500);
    expect([...byConnection.values()].filter((clients) => clients.size !== 1)).toEqual([]);
  });

  it('get no answers of another client, though the upstream sends each answer once more, late', async () => {
    const { proxy } = await stage((request) => ({ pieces: [plainAnswer(request), plainAnswer(request)] }));
    const all = await Promise.all(names.map((name) => ask(proxy.url, readsOf(name))));
    const strange = all.flatMap((answers, index) =>
      answers.filter((each) => !String(each).includes(names[index] ?? '')),
    );
    expect(strange).toEqual([]);
  });
});
