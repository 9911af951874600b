import { once } from 'node:events';
import { type RequestListener, request as sendRequest } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ProxyOptions, ValidatingProxy } from '../../src/proxy/create-proxy.ts';
import { freePort } from '../support/free-port.ts';
import { startProxy, useProxy, useSockets, useUpstream } from '../support/proxied.ts';
import { exchange, headerOf, sendRaw, toBytes } from '../support/raw-http.ts';
import { sendJson } from '../support/upstream.ts';

// Upstreams that are not there, keep silent, or break off; and clients that go away.

const startInFront = (upstream: string, options: Partial<ProxyOptions> = {}) => useProxy({ upstream, ...options });

const listAgents = { method: 'GET', target: '/v0.1/agents', lines: ['X-API-Key: secret-key'] };

async function failureOf(proxy: ValidatingProxy) {
  const answer = await sendRaw(proxy.url, listAgents);
  const problem = JSON.parse(answer.body.toString());
  expect(headerOf(answer, 'content-type')).toBe('application/problem+json');
  expect(problem.status).toBe(answer.status);
  return { status: answer.status, error: headerOf(answer, 'x-proxy-error'), detail: String(problem.detail) };
}

describe('upstream failure', () => {
  const listening = (listener: RequestListener) => async () => (await useUpstream(listener)).url;
  const sockets = (end: (socket: Socket) => unknown) => () =>
    useSockets((socket) => void socket.once('data', () => end(socket)));
  const gone = async () => `http://127.0.0.1:${await freePort()}/v0.1`;
  const stalling: RequestListener = (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).write('[');
  const notRunning = /^http:\/\/127.*ECONNREFUSED.*Check that it is running/;
  const nothingSent = /sent nothing for 50 ms/;

  it.each<[string, () => Promise<string>, status: number, error: string, says: RegExp]>([
    ['is down', gone, 502, 'upstreamUnreachable', notRunning],
    ['is unknown', async () => 'http://nowhere.invalid/v0.1', 502, 'upstreamUnreachable', /Check the host name/],
    ['sends nothing', listening(() => undefined), 504, 'upstreamTimeout', nothingSent],
    ['stalls within a body', listening(stalling), 504, 'upstreamTimeout', nothingSent],
    ['closes the connection', sockets((socket) => socket.end()), 502, 'upstreamBroke', /./],
    ['resets the connection', sockets((socket) => socket.resetAndDestroy()), 502, 'upstreamBroke', /./],
    ['does not speak HTTP', sockets((socket) => socket.end('220 mail.example ESMTP\r\n')), 502, 'upstreamBroke', /./],
  ])('is answered when the upstream %s', async (_, start, status, error, says) => {
    const timeoutMs = status === 504 ? { timeoutMs: 50 } : {};
    const proxy = await startInFront(await start(), timeoutMs);
    expect(await failureOf(proxy)).toEqual({ status, error, detail: expect.stringMatching(says) });
    expect(proxy.requestLog.entries[0]).toMatchObject({ status, failure: { kind: error } });
    expect(proxy.summary().failures).toEqual({ [error]: 1 });
  });

  it('answers 508 when the upstream is the proxy itself', async () => {
    const port = await freePort();
    const proxy = await startInFront(`http://127.0.0.1:${port}/v0.1`, { port });
    expect(await failureOf(proxy)).toMatchObject({ status: 508, error: 'upstreamLoop' });
  });
});

describe('response that ends within its body', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3000000\r\n\r\n[';

  it.each([
    ['buffered', 10_000_000],
    ['streamed', 1_000],
  ])('is cut off for the client as well when %s', async (_, judgeLimitBytes) => {
    const upstream = await useSockets((socket) => void socket.once('data', () => socket.end(head)));
    const proxy = await startInFront(upstream, { judgeLimitBytes });
    const { answers, rest, isClosed } = await exchange(proxy.url, toBytes(listAgents), { isReadToEnd: true });
    expect(answers).toEqual([]);
    expect(rest.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Content-Length: 3000000\r\n[\s\S]*\r\n\r\n\[$/);
    expect(isClosed).toBe(true);
    await expect.poll(() => proxy.requestLog.entries[0]?.failure?.kind).toBe('upstreamBroke');
  });
});

describe('upstream timeout', () => {
  // Long enough for a busy machine to begin its answer.
  const timeoutMs = 1_000;

  /** Two parts of one answer, the second when it is asked for; another path keeps silent until the proxy gives up. */
  async function startHalting(contentType: string) {
    const { promise: next, resolve: goOn } = Promise.withResolvers<void>();
    const upstream = await useUpstream(async ({ url }, response) => {
      if (url === '/v0.1/drives') return;
      response.writeHead(200, { 'content-type': contentType }).write('data: 1\n\n');
      await next;
      response.end('data: 2\n\n');
    });
    const proxy = await startInFront(upstream.url, { timeoutMs });
    const outlast = async () => {
      expect((await sendRaw(proxy.url, { ...listAgents, target: '/v0.1/drives' })).status).toBe(504);
      goOn();
    };
    return { proxy, outlast };
  }

  it('does not apply to event streams', async () => {
    const { proxy, outlast } = await startHalting('text/event-stream');
    const response = await fetch(`${proxy.url}/agents`, { headers: { 'x-api-key': 'k' } });
    await outlast();
    expect(await response.text()).toBe('data: 1\n\ndata: 2\n\n');
  });

  it('does not run while the client does not read', async () => {
    const text = 'x'.repeat(20_000_000);
    const upstream = await useUpstream(({ url }, response) => {
      if (url !== '/v0.1/drives') response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    const proxy = await startInFront(upstream.url, { timeoutMs });
    const sent = sendRequest(`${proxy.url}/agents`).end();
    const [incoming] = await once(sent, 'response');
    expect((await sendRaw(proxy.url, { ...listAgents, target: '/v0.1/drives' })).status).toBe(504);
    let length = 0;
    for await (const chunk of incoming) length += chunk.length;
    expect(length).toBe(text.length);
  });

  it('does not run while the client does not send', async () => {
    const upstream = await useUpstream((request, response) => {
      if (request.method === 'POST') request.resume().once('end', () => sendJson(response, {}, 201));
    });
    const proxy = await startInFront(upstream.url, { timeoutMs, judgeLimitBytes: 0 });
    const sent = sendRequest(`${proxy.url}/drives`, { method: 'POST', headers: { 'content-length': 2 } });
    const answered = once(sent, 'response');
    sent.write('{');
    expect((await sendRaw(proxy.url, listAgents)).status).toBe(504);
    sent.end('}');
    const [incoming] = await answered;
    expect(incoming.resume().statusCode).toBe(201);
  });
});

describe('client that disconnects', () => {
  it('aborts the upstream request', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    const { promise: aborted, resolve: onAborted } = Promise.withResolvers<void>();
    const upstream = await useUpstream((_, response) => {
      response.once('close', () => onAborted());
      onAsked();
    });
    const proxy = await startInFront(upstream.url);
    const sent = sendRequest(`${proxy.url}/agents`)
      .on('error', () => undefined)
      .end();
    await asked;
    sent.destroy();
    await aborted;
    await expect.poll(() => proxy.requestLog.entries[0]).toMatchObject({ status: 0, failure: { kind: 'clientGone' } });
  });

  it('is told apart from a proxy that is stopped', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    const upstream = await useUpstream(() => onAsked());
    const { proxy, close } = await startProxy({ upstream: upstream.url });
    sendRequest(`${proxy.url}/agents`)
      .on('error', () => undefined)
      .end();
    sendRequest(`${proxy.url}/drives`, { method: 'POST', headers: { 'content-length': 2 } })
      .on('error', () => undefined)
      .write('{');
    await asked;
    await close();
    const failure = { kind: 'proxyStopped', detail: 'The proxy was stopped before the exchange was over.' };
    expect(proxy.requestLog.entries).toMatchObject([
      { status: 0, failure },
      { status: 0, failure },
    ]);
  });

  it('causes no upstream request within its body', async () => {
    let count = 0;
    const upstream = await useUpstream((_, response) => {
      count += 1;
      sendJson(response, {});
    });
    const proxy = await startInFront(upstream.url);
    const sent = sendRequest(`${proxy.url}/drives`, { method: 'POST', headers: { 'content-length': 100 } });
    sent.on('error', () => undefined).write('{"name"', () => sent.destroy());
    await expect.poll(() => proxy.requestLog.entries[0]?.failure?.kind).toBe('clientGone');
    expect(count).toBe(0);
  });
});
