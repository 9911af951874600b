import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useStage } from '../support/proxied.ts';
import { exchange, headerOf, sendRaw, toBytes } from '../support/raw-http.ts';
import { sendJson, type TestUpstream } from '../support/upstream.ts';

// What a proxy hands on, and what it does not (RFC 9110, section 7.6).

const stage = (
  answer: Parameters<typeof useStage>[0] = (response) => sendJson(response, []),
  options?: Parameters<typeof useStage>[1],
) => useStage(answer, options);

describe('forwarded request', () => {
  it('keeps method, target, body, and the order and case of headers', async () => {
    const { proxy, upstream, received } = await stage();
    const lines = ['X-API-Key: k', 'X-Twice: 1', 'x-twice: 2', 'Content-Type: application/json', 'Accept: */*'];
    const target = '/v0.1/drives/%61/files/b%2Fc?x=%20&x=ä'.replace('ä', '%C3%A4');
    await sendRaw(proxy.url, { method: 'PATCH', target, lines, body: '{"path":"/é"}' });
    const [request] = received;
    expect(request).toMatchObject({ method: 'PATCH', target, body: '{"path":"/é"}' });
    const pairs = Array.from({ length: (request?.rawHeaders.length ?? 0) / 2 }, (_, index) =>
      request?.rawHeaders.slice(index * 2, index * 2 + 2).join(': '),
    );
    const host = upstream.origin.replace('http://', '');
    expect(pairs.slice(0, 7)).toEqual([`Host: ${host}`, ...lines, 'Content-Length: 14']);
    expect(pairs[7]).toMatch(/^Via: 1\.1 agent-platform-[\da-f]+$/);
  });

  it('drops hop-by-hop headers of the client', async () => {
    const { proxy, received } = await stage();
    const hops = ['X-Secret-Hop: 1', 'Keep-Alive: timeout=5', 'TE: trailers', 'Upgrade: h2c'];
    const lines = ['Connection: close, X-Secret-Hop', ...hops];
    await sendRaw(proxy.url, { method: 'GET', target: '/v0.1/agents', lines });
    const names = Object.keys(received[0]?.headers ?? {});
    expect(
      names.filter((name) => ['x-secret-hop', 'keep-alive', 'te', 'upgrade', 'content-length'].includes(name)),
    ).toEqual([]);
    expect(received[0]?.headers.connection).toBe('keep-alive');
  });

  it('stays chunked and keeps its trailers', async () => {
    const { proxy, received } = await stage();
    const lines = ['Transfer-Encoding: chunked', 'Trailer: X-Sum'];
    const bytes = toBytes({ method: 'POST', target: '/v0.1/drives', lines });
    await exchange(proxy.url, Buffer.concat([bytes, Buffer.from('3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n')]), {
      methods: ['POST'],
    });
    expect(received[0]).toMatchObject({ body: 'abc', trailers: { 'x-sum': '7' } });
    expect(received[0]?.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
  });

  it('uses the path of an absolute target, and Content-Length 0 for a POST without a body', async () => {
    const { proxy, received } = await stage();
    await sendRaw(proxy.url, { method: 'POST', target: 'http://elsewhere.example/v0.1/drives?a=1' });
    expect(received[0]).toMatchObject({ method: 'POST', target: '/v0.1/drives?a=1', body: '' });
    expect(received[0]?.headers['content-length']).toBe('0');
  });

  it('drops Expect: 100-continue, which the proxy answers, and keeps other expectations', async () => {
    const { proxy, received } = await stage();
    const sent = sendRequest(`${proxy.url}/drives`, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': 2 },
    });
    const continued = new Promise((resolve) => sent.once('continue', resolve));
    sent.flushHeaders();
    await continued;
    await new Promise((resolve) => sent.once('response', (response) => resolve(response.resume())).end('{}'));
    await sendRaw(proxy.url, { method: 'GET', target: '/v0.1/agents', lines: ['Expect: the-unexpected'] });
    expect(received.map(({ headers }) => headers.expect)).toEqual([undefined, 'the-unexpected']);
  });
});

describe('forwarded response', () => {
  it('keeps status, headers and body, except hop-by-hop headers', async () => {
    const date = 'Thu, 01 Jan 1970 00:00:00 GMT';
    const { proxy } = await stage((response) => {
      const headers = Object.entries({
        'Set-Cookie': 'a=1',
        'set-cookie': 'b=2',
        Connection: 'X-Hop',
        'X-Hop': '1',
        Date: date,
      });
      response.writeHead(299, 'Quite Fine', [...headers.flat(), 'Content-Length', '2']).end('{}');
    });
    const { answers, rest } = await exchange(proxy.url, toBytes({ method: 'GET', target: '/elsewhere' }));
    expect(rest).toHaveLength(0);
    expect(answers[0]).toMatchObject({ status: 299, body: Buffer.from('{}') });
    expect(answers[0]?.headers.slice(0, 4)).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['date', date],
      ['content-length', '2'],
    ]);
    expect(answers[0]?.headers.map(([name]) => name)).not.toContain('x-hop');
    expect(answers[0] && headerOf(answers[0], 'connection')).not.toMatch(/x-hop/i);
  });

  it.each([
    ['HEAD', 200, { 'content-length': '17' }],
    ['GET', 304, { etag: '"a"', 'content-length': '17' }],
    ['DELETE', 204, {}],
  ])('has no body for %s with status %i', async (method, status, headers) => {
    const { proxy } = await stage((response) => response.writeHead(status, headers).end());
    const target = method === 'DELETE' ? '/v0.1/drives/a/items/tree?path=/a' : '/v0.1/agents';
    const twice = Buffer.concat([toBytes({ method, target }), toBytes({ method, target })]);
    const { answers, rest } = await exchange(proxy.url, twice, { methods: [method, method] });
    expect(answers.map((answer) => [answer.status, String(answer.body)])).toEqual([
      [status, ''],
      [status, ''],
    ]);
    expect(rest).toHaveLength(0);
    for (const [name, value] of Object.entries(headers)) expect(answers[0] && headerOf(answers[0], name)).toBe(value);
  });

  it('keeps its trailers when it has no length', async () => {
    const { proxy } = await stage((response) => {
      response.writeHead(200, { 'content-type': 'application/json', trailer: 'X-Sum' });
      response.write('[');
      response.addTrailers({ 'X-Sum': '7' });
      response.end(']');
    });
    const sent = sendRequest(`${proxy.url}/agents`, { headers: { 'x-api-key': 'k' } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([await text(response), response.trailers]).toEqual(['[]', { 'x-sum': '7' }]);
  });

  it('stays compressed and is judged', async () => {
    const zipped = gzipSync('[{"id":1}]');
    const { proxy } = await stage((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(zipped);
    });
    const answer = await sendRaw(proxy.url, { method: 'GET', target: '/v0.1/agents', lines: ['X-API-Key: k'] });
    expect(answer.body).toEqual(zipped);
    expect(headerOf(answer, 'sl-violations')).toContain('"response","body","0","id"');
  });

  it('follows its early hints', async () => {
    const { proxy } = await stage((response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' });
      sendJson(response, []);
    });
    const sent = sendRequest(`${proxy.url}/agents`, { headers: { 'x-api-key': 'k' } }).end();
    const told: unknown[] = [];
    sent.on('information', ({ statusCode, headers }) => told.push([statusCode, headers.link]));
    await new Promise((resolve) => sent.once('response', (response) => response.resume().once('end', resolve)));
    expect(told).toEqual([[103, '</a.css>; rel=preload']]);
  });
});

describe('base path of the proxy', () => {
  const deep = ({ origin }: TestUpstream) => ({ upstream: `${origin}/deep/api/v0.1/` });

  it('maps to the base path of the upstream and leaves other paths unchanged', async () => {
    const { proxy, received } = await stage(undefined, deep);
    expect(new URL(proxy.url).pathname).toBe('/v0.1');
    for (const target of ['/v0.1/agents', '/v0.1?a=1', '/v0.10/agents', '/openapi.json', '/']) {
      await sendRaw(proxy.url, { method: 'GET', target });
    }
    expect(received.map(({ target }) => target)).toEqual([
      '/deep/api/v0.1/agents',
      '/deep/api/v0.1?a=1',
      '/v0.10/agents',
      '/openapi.json',
      '/',
    ]);
  });

  it('replaces that of the upstream in the Location header', async () => {
    let [sent, to] = ['', ''];
    const { proxy } = await stage(
      (response) => response.writeHead(302, { location: sent }).end(),
      (upstream) => {
        to = upstream.origin;
        return deep(upstream);
      },
    );
    const { origin } = new URL(proxy.url);
    for (const [location, expected] of [
      [`${to}/deep/api/v0.1/drives/1`, `${origin}/v0.1/drives/1`],
      ['/deep/api/v0.1/drives/1', '/v0.1/drives/1'],
      [`${to}/login`, `${origin}/login`],
      ['https://elsewhere.example/v0.1', 'https://elsewhere.example/v0.1'],
      ['../relative', '../relative'],
    ] as const) {
      sent = location;
      const response = await fetch(`${proxy.url}/agents`, { redirect: 'manual' });
      expect(response.headers.get('location')).toBe(expected);
    }
  });
});
