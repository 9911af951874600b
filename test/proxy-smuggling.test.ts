import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProxyOptions, ValidatingProxy } from '../src/node/proxy/create-proxy.ts';
import { startProxy, useProxy, useUpstream } from './support/proxied.ts';
import { exchange, headerOf, open, type RawReply, sendRaw } from './support/raw-http.ts';
import { sendJson } from './support/upstream.ts';
import { ambiguitiesOf, startWireUpstream, type WireOptions, type WireUpstream } from './support/wire-upstream.ts';

// The proxy sends exactly one request for each that it takes, whatever the headers say (RFC 9112, section 11.2).

const hidden = 'POST /v0.1/hidden HTTP/1.1\r\nHost: mock.test\r\nX-API-Key: k\r\nContent-Length: 0\r\n\r\n';
const size = hidden.length;
const chunks = `${size.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
const many = Array.from({ length: 3_000 }, () => 'a:b');

/** What an attacker sends on one connection, and how many requests may reach the upstream. */
interface Form {
  name: string;
  bytes: string;
  requests: number;
  /** The body with which the first of them must arrive. */
  body?: string;
}

function head(method: string, lines: readonly string[], version = '1.1', target = '/v0.1/agents'): string {
  return [`${method} ${target} HTTP/${version}`, 'Host: mock.test', 'X-API-Key: k', ...lines, '', ''].join('\r\n');
}

const length = `Content-Length: ${size}`;
const coding = 'Transfer-Encoding: chunked';

/** One request whose body looks like another. */
function whole(name: string, method: string, lines: readonly string[], version?: string, target?: string): Form {
  const isChunked = lines.some((line) => /^transfer-encoding:/i.test(line));
  const framing = isChunked || lines.some((line) => /^content-length:/i.test(line)) ? [] : [length];
  const bytes = head(method, [...lines, ...framing], version, target) + (isChunked ? chunks : hidden);
  return { name: `${method}: ${name}`, bytes, requests: 1, body: hidden };
}

/** What has no clear end. */
function refused(name: string, lines: readonly string[], body = chunks, version?: string): Form {
  return { name, bytes: head('POST', lines, version) + body, requests: 0 };
}

/** Two honest requests, one after the other. */
function pipelined(name: string, method: string, lines: readonly string[], body = ''): Form {
  return { name: `${method}: ${name}`, bytes: head(method, lines) + body + hidden, requests: 2, body: '' };
}

const methods = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'POST', 'PUT', 'PATCH', 'QUERY', 'PROPFIND'];

const forms: Form[] = [
  ...methods.map((method) => whole('Connection names Content-Length', method, ['Connection: close, content-length'])),
  ...methods.map((method) =>
    whole('Connection names Transfer-Encoding', method, ['Connection: Transfer-Encoding', coding]),
  ),
  whole('a body with a length', 'GET', []),
  whole('a chunked body', 'DELETE', [coding]),
  whole('Connection names Content-Length after a tab, in capitals', 'GET', ['Connection: keep-alive,\tCONTENT-LENGTH']),
  whole('a second Connection header names Content-Length', 'GET', [
    'Connection: keep-alive',
    'connection: content-length',
  ]),
  whole('Connection after Content-Length names it', 'HEAD', [length, 'Connection: content-length']),
  whole('Connection names Content-Length among empty members', 'GET', ['Connection: ,, content-length ,']),
  whole('Connection names Host', 'GET', ['Connection: host, content-length']),
  whole('Connection names X-API-Key', 'GET', ['Connection: x-api-key, content-length']),
  whole('Connection names itself', 'OPTIONS', ['Connection: connection, content-length, via, trailer']),
  whole('Proxy-Connection names Content-Length, with Keep-Alive', 'GET', [
    'Proxy-Connection: content-length',
    'Keep-Alive: timeout=1',
  ]),
  whole('an upgrade to h2c', 'GET', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAA']),
  whole('an upgrade to WebSocket with a chunked body', 'GET', ['Connection: upgrade', 'Upgrade: websocket', coding]),
  whole('Expect: 100-continue', 'GET', ['Expect: 100-continue']),
  whole('a disguised Expect: 100-continue', 'GET', ['Expect: y 100-continue', 'Connection: content-length']),
  whole('Expect: 100-continue twice', 'POST', ['Expect: 100-continue', 'Expect: 100-continue']),
  whole('Trailer with a length', 'POST', ['Trailer: Content-Length']),
  whole('Trailer with a length', 'GET', ['Trailer: X-Sum', 'TE: trailers']),
  whole('Trailer names Transfer-Encoding', 'POST', ['Trailer: Transfer-Encoding', coding]),
  whole('a length with leading zeros', 'POST', [`Content-Length: 000${size}`]),
  whole('a length surrounded by spaces and tabs', 'GET', [`Content-Length: \t ${size} \t`]),
  whole('Transfer-Encoding in capitals', 'GET', ['TRANSFER-ENCODING: CHUNKED']),
  whole('a transfer coding after a tab', 'POST', ['Transfer-Encoding:\tchunked']),
  whole('Content_Length with an underscore', 'POST', ['Content_Length: 0']),
  whole('Transfer_Encoding with an underscore', 'POST', ['Transfer_Encoding: chunked', length]),
  whole('a length after many headers', 'GET', many),
  whole('a transfer coding after many headers', 'GET', [...many, coding]),
  whole('several Host headers', 'GET', ['Host: elsewhere.test', 'Connection: content-length']),
  whole('an absolute target', 'GET', ['Connection: content-length'], '1.1', 'http://elsewhere.test/v0.1/agents'),
  whole('an HTTP/1.0 request', 'GET', ['Connection: keep-alive, content-length'], '1.0'),
  whole('a path outside the API', 'GET', ['Connection: content-length'], '1.1', '/elsewhere'),
  whole('the base path', 'DELETE', ['Connection: content-length'], '1.1', '/v0.1'),

  refused('Content-Length before Transfer-Encoding', [length, coding]),
  refused('Transfer-Encoding before Content-Length', [coding, length]),
  refused('Transfer-Encoding and Content-Length, both named by Connection', [
    'Connection: content-length, transfer-encoding',
    coding,
    length,
  ]),
  refused('the same length twice', [length, length], hidden),
  refused('two different lengths', ['Content-Length: 0', length], hidden),
  refused('a list of lengths', [`Content-Length: ${size}, ${size}`], hidden),
  refused('a length with a sign', [`Content-Length: +${size}`], hidden),
  refused('a negative length', [`Content-Length: -${size}`], hidden),
  refused('a length in hexadecimal', [`Content-Length: 0x${size.toString(16)}`], hidden),
  refused('a length with a fraction', [`Content-Length: ${size}.0`], hidden),
  refused('a length with a space inside', ['Content-Length: 1 0'], hidden),
  refused('an empty length', ['Content-Length: '], hidden),
  refused('a length beyond 64 bits', ['Content-Length: 18446744073709551617'], hidden),
  refused('Content-Length with a space before the colon', [`Content-Length : ${size}`], hidden),
  refused('an unknown transfer coding', ['Transfer-Encoding: xchunked']),
  refused('the identity transfer coding', ['Transfer-Encoding: identity']),
  refused('an empty Transfer-Encoding', ['Transfer-Encoding: ']),
  refused('a quoted transfer coding', ['Transfer-Encoding: "chunked"']),
  refused('a transfer coding with a parameter', ['Transfer-Encoding: chunked;q=1']),
  refused('a transfer coding after a vertical tab', ['Transfer-Encoding: \x0bchunked']),
  refused('chunked twice in one header', ['Transfer-Encoding: chunked, chunked']),
  refused('chunked in two headers', [coding, coding]),
  refused('gzip, chunked in one header', ['Transfer-Encoding: gzip, chunked']),
  refused('identity, then chunked in two headers', ['Transfer-Encoding: identity', coding]),
  refused('chunked, then identity in two headers', [coding, 'Transfer-Encoding: identity']),
  refused('a transfer coding on a folded line', ['Transfer-Encoding:', ' chunked']),
  refused('Transfer-Encoding hidden in a folded line', ['X-A: b', ' Transfer-Encoding: chunked', length]),
  refused('Transfer-Encoding with a space before the colon', ['Transfer-Encoding : chunked']),
  refused('a bare line feed', [`X-A: b\n${coding}`, length]),
  refused('a bare carriage return', [`X-A: b\r${coding}`, length]),
  refused('a NUL byte in a header', ['X-A: b\0', length]),
  refused('a header name with a space', [`X A: ${coding}`, length]),
  refused('a chunked body in HTTP/1.0', [coding], chunks, '1.0'),
  refused('a chunked body in HTTP/1.0 with keep-alive', ['Connection: keep-alive', coding], chunks, '1.0'),
  refused('an unknown HTTP version', [length], hidden, '1.2'),
];

const chunkForms: Form[] = [
  refused('a chunk size with a 0x prefix', [coding], `0x${chunks}`),
  refused('a chunk size with a sign', [coding], `+${chunks}`),
  refused('a chunk size beyond 64 bits', [coding], `10000000000000000${chunks}`),
  refused('a chunk longer than its size', [coding], `1\r\n${hidden}\r\n0\r\n\r\n`),
  refused('bare line feeds', [coding], chunks.replaceAll('\r\n', '\n')),
  refused('a chunk extension with a bare line feed', [coding], chunks.replace('\r\n', ';a=b\n')),
  refused('Content-Length in the trailers', [coding], chunks.replace(/\r\n$/, `${length}\r\n\r\n`)),
];

const pipelinedForms: Form[] = [
  ...['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST'].map((method) =>
    pipelined('another request after no length', method, []),
  ),
  pipelined('another request, and Connection names a missing length', 'GET', ['Connection: content-length']),
  pipelined('another request, and Connection names a length of 0', 'GET', [
    'Connection: content-length',
    'Content-Length: 0',
  ]),
  pipelined('another request after a length of 0', 'POST', ['Content-Length: 0']),
  pipelined('another request after an empty chunked body', 'GET', [coding], '0\r\n\r\n'),
  pipelined(
    'another request after a Host trailer',
    'POST',
    [coding],
    '0\r\nHost: elsewhere.test\r\nX-API-Key: no\r\n\r\n',
  ),
];

async function stage(options: Partial<ProxyOptions> = {}, wire: WireOptions = {}) {
  const upstream = await startWireUpstream(wire);
  const { proxy, close } = await startProxy({ upstream: upstream.url, ...options });
  onTestFinished(upstream.close);
  onTestFinished(close);
  return { upstream, proxy, close };
}

/** Another client, which must get its own answers over whatever connection. */
async function askAsAnother({ url }: ValidatingProxy, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const target = `/v0.1/agents?own=${index}`;
    const { status, body } = await sendRaw(url, { method: 'GET', target, lines: ['X-API-Key: key-of-another'] });
    expect([status, body.toString()]).toEqual([200, JSON.stringify({ target })]);
  }
}

const isAnothers = (target: string) => target.includes('?own=');
const isRefused = (kind: string | undefined) => kind === 'malformedRequest' || kind === 'clientGone';

async function expectRequests({ upstream, proxy }: { upstream: WireUpstream; proxy: ValidatingProxy }, form: Form) {
  expect(await upstream.drained()).toEqual([]);
  const host = new URL(upstream.url).host;
  const sent = upstream.requests.filter(({ target }) => !isAnothers(target));
  const told = proxy.journal.entries.filter(({ path, failure }) => !isAnothers(path) && !isRefused(failure?.kind));
  expect(upstream.requests.flatMap((request) => ambiguitiesOf(request, host))).toEqual([]);
  expect(sent).toHaveLength(form.requests);
  expect(sent.map(({ method, target }) => `${method} ${target}`)).toEqual(
    told.map(({ method, path }) => `${method} ${path.replace(/^http:..[^/]+/, '')}`),
  );
  expect(sent.flatMap(({ headers }) => headers.filter(([name]) => name === 'x-api-key'))).toHaveLength(form.requests);
  if (form.body !== undefined) expect(sent[0]?.body).toBe(form.body);
}

const isLast = ({ answers: [answer] }: RawReply) => answer !== undefined && headerOf(answer, 'connection') === 'close';

// Node refuses without a length, and closes.
function statusesOf({ answers, rest }: RawReply): number[] {
  const [, last] = /^HTTP\/1\.1 (\d{3}) .*\r\nConnection: close\r\n/s.exec(rest.toString()) ?? [];
  return [...answers.map(({ status }) => status), ...(last === undefined ? [] : [Number(last)])];
}

describe.each([
  { taken: 'buffered', judgeLimitBytes: 1_048_576 },
  { taken: 'streamed', judgeLimitBytes: 0 },
])('request smuggling through a $taken request', ({ judgeLimitBytes }) => {
  it.each([...forms, ...pipelinedForms])('upstream request count is $requests for $name', async (form) => {
    const { upstream, proxy, close } = await stage({ judgeLimitBytes });
    await askAsAnother(proxy, 1);
    const sentMethods = [form.bytes.slice(0, form.bytes.indexOf(' ')), 'POST'].slice(0, form.requests || 1);
    const reply = await exchange(proxy.url, Buffer.from(form.bytes, 'latin1'), { methods: sentMethods });
    await askAsAnother(proxy, 3);
    await close();
    await expectRequests({ upstream, proxy }, form);
    if (form.requests === 0) expect(reply.isClosed || isLast(reply)).toBe(true);
    expect(statusesOf(reply)).toEqual(form.requests === 0 ? [400] : sentMethods.map(() => 200));
  });
});

describe('invalid chunks', () => {
  it.each(chunkForms)('are not forwarded from a buffered request: $name', async (form) => {
    const { upstream, proxy, close } = await stage();
    await askAsAnother(proxy, 1);
    await exchange(proxy.url, Buffer.from(form.bytes, 'latin1'));
    await askAsAnother(proxy, 3);
    await close();
    await expectRequests({ upstream, proxy }, form);
  });

  it.each(chunkForms)('abort the upstream request of a streamed request: $name', async (form) => {
    const { upstream, proxy, close } = await stage({ judgeLimitBytes: 0 });
    await exchange(proxy.url, Buffer.from(form.bytes, 'latin1'));
    await askAsAnother(proxy, 3);
    await close();
    await upstream.drained();
    const sent = upstream.requests.filter(({ target }) => !isAnothers(target));
    expect(sent.map(({ target, body }) => [target, body])).toEqual(sent.length === 0 ? [] : [['/v0.1/agents', '']]);
  });
});

describe('client that disconnects', () => {
  it.each(['GET', 'OPTIONS', 'POST'])('leaves no reusable connection after a partial %s body', async (method) => {
    const { upstream, proxy, close } = await stage({ judgeLimitBytes: 0 });
    await askAsAnother(proxy, 1);
    const socket = open(proxy.url).on('error', () => undefined);
    socket.write(head(method, ['Connection: content-length', `Content-Length: ${size + 1}`]) + hidden);
    await expect.poll(() => upstream.requests.length).toBe(2);
    socket.destroy();
    await askAsAnother(proxy, 3);
    await close();
    expect(await upstream.drained()).toEqual([]);
    expect(upstream.requests.filter(({ target }) => !isAnothers(target))).toMatchObject([{ method, body: '' }]);
  });
});

describe('upstream that reads each body as a request', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'POST'])('never affects the answers to another client: %s', async (method) => {
    const { proxy } = await stage({}, { isDeaf: true });
    await askAsAnother(proxy, 1);
    await exchange(proxy.url, head(method, [length]) + hidden, { methods: [method] });
    await askAsAnother(proxy, 3);
  });
});

describe('client that disconnects after an early response', () => {
  it('leaves no upstream request open', async () => {
    const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>();
    const upstream = await useUpstream((request, response) => {
      request.resume().socket.once('close', () => onEnded());
      sendJson(response, []);
    });
    const proxy = await useProxy({ upstream: upstream.url, judgeLimitBytes: 0 });
    const socket = open(proxy.url);
    socket.write(`${head('POST', [length])}{`);
    await once(socket, 'data');
    socket.destroy();
    await expect(ended).resolves.toBeUndefined();
  });
});

describe('unsupported upgrade', () => {
  it('closes the connection, because later bytes may be in another protocol', async () => {
    const { upstream, proxy, close } = await stage();
    const bytes = head('GET', ['Connection: Upgrade', 'Upgrade: h2c']) + hidden;
    const { answers, isClosed } = await exchange(proxy.url, bytes, { isReadToEnd: true });
    await close();
    await expectRequests({ upstream, proxy }, { name: 'upgrade', bytes, requests: 1 });
    expect(answers.map((answer) => headerOf(answer, 'connection'))).toEqual(['close']);
    expect(isClosed).toBe(true);
  });
});

describe('unreadable upstream response', () => {
  it.each([
    [
      'switches protocols without being asked',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    ],
    ['switches protocols without naming one', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['has a status below 100', 'HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\n{}'],
    ['has a status of zero', 'HTTP/1.1 000 Odd\r\nContent-Length: 2\r\n\r\n{}'],
    ['has a control character in its reason phrase', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\n{}'],
    ['has a gzip transfer coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nConnection: close\r\n\r\n'],
    ['has gzip and chunked transfer codings', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    [
      'has both a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['has two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  ])('becomes a 502 and counts against the server when it %s', async (_, answer) => {
    const { proxy } = await stage({}, { answer: () => answer });
    const request = { method: 'GET', target: '/v0.1/agents', lines: ['X-API-Key: k'] };
    const { status, headers } = await sendRaw(proxy.url, request);
    expect([status, Object.fromEntries(headers)['x-proxy-error']]).toEqual([502, 'upstreamBroke']);
    expect(proxy.journal.entries).toMatchObject([{ status: 502, failure: { kind: 'upstreamBroke' } }]);
    expect(proxy.summary().server).toMatchObject([{ code: 'malformedAnswer', count: 1 }]);
  });

  const plain = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
  it.each([
    ['Trailer with a length', 'GET', 'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nContent-Length: 2\r\n\r\n{}'],
    ['Trailer without a body', 'HEAD', 'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['Trailer with status 204', 'DELETE', 'HTTP/1.1 204 No Content\r\nTrailer: X-Sum\r\n\r\n'],
    ['Content-Length with status 204', 'DELETE', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n'],
    [
      'Content-Length named by Connection',
      'GET',
      'HTTP/1.1 200 OK\r\nConnection: content-length\r\nContent-Length: 2\r\n\r\n{}',
    ],
    ['malformed early hints', 'GET', `HTTP/1.1 103 Early Hints\r\nLink: none\r\nContent-Length: 9\r\n\r\n${plain}`],
    ['an unknown interim status', 'GET', `HTTP/1.1 155 Soon\r\n\r\n${plain}`],
  ])('is made readable: %s', async (_, method, answer) => {
    const { proxy } = await stage({}, { answer: () => answer });
    const twice = head(method, []).repeat(2);
    const { answers, rest } = await exchange(proxy.url, twice, { methods: [method, method] });
    const [, status] = /.*HTTP\/1.1 (\d+)/s.exec(answer) ?? [];
    expect(answers.map((each) => each.status)).toEqual([Number(status), Number(status)]);
    expect(rest).toHaveLength(0);
    if (status === '204')
      expect(answers.map((each) => headerOf(each, 'content-length'))).toEqual([undefined, undefined]);
    expect(answers.map((each) => headerOf(each, 'trailer'))).toEqual([undefined, undefined]);
  });

  it('reaches an HTTP/1.0 client without chunks and Trailer', async () => {
    const chunked = `HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n`;
    const { proxy } = await stage({}, { answer: () => chunked });
    const socket = open(proxy.url);
    socket.write(head('GET', [], '1.0'));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n(?!.*trailer)[\s\S]*\r\n\r\n\{\}$/i);
  });
});
