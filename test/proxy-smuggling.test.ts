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
  ...methods.map((method) => whole('Connection names the coding', method, ['Connection: Transfer-Encoding', coding])),
  whole('a body is declared', 'GET', []),
  whole('a body in chunks', 'DELETE', [coding]),
  whole('Connection names it after a tab, in capitals', 'GET', ['Connection: keep-alive,\tCONTENT-LENGTH']),
  whole('a second Connection names it', 'GET', ['Connection: keep-alive', 'connection: content-length']),
  whole('Connection after the length names it', 'HEAD', [length, 'Connection: content-length']),
  whole('Connection names it among empty members', 'GET', ['Connection: ,, content-length ,']),
  whole('Connection names the host', 'GET', ['Connection: host, content-length']),
  whole('Connection names the key', 'GET', ['Connection: x-api-key, content-length']),
  whole('Connection names itself', 'OPTIONS', ['Connection: connection, content-length, via, trailer']),
  whole('Proxy-Connection and Keep-Alive name it', 'GET', [
    'Proxy-Connection: content-length',
    'Keep-Alive: timeout=1',
  ]),
  whole('an upgrade to h2c', 'GET', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAA']),
  whole('an upgrade to a web socket, in chunks', 'GET', ['Connection: upgrade', 'Upgrade: websocket', coding]),
  whole('an expectation', 'GET', ['Expect: 100-continue']),
  whole('an expectation in disguise', 'GET', ['Expect: y 100-continue', 'Connection: content-length']),
  whole('an expectation twice', 'POST', ['Expect: 100-continue', 'Expect: 100-continue']),
  whole('Trailer beside a length', 'POST', ['Trailer: Content-Length']),
  whole('Trailer beside a length', 'GET', ['Trailer: X-Sum', 'TE: trailers']),
  whole('Trailer that names the framing', 'POST', ['Trailer: Transfer-Encoding', coding]),
  whole('a length with zeros', 'POST', [`Content-Length: 000${size}`]),
  whole('a length and blanks', 'GET', [`Content-Length: \t ${size} \t`]),
  whole('the coding in capitals', 'GET', ['TRANSFER-ENCODING: CHUNKED']),
  whole('the coding after a tab', 'POST', ['Transfer-Encoding:\tchunked']),
  whole('a look-alike of the length', 'POST', ['Content_Length: 0']),
  whole('a look-alike of the coding', 'POST', ['Transfer_Encoding: chunked', length]),
  whole('a length behind many headers', 'GET', many),
  whole('a coding behind many headers', 'GET', [...many, coding]),
  whole('several hosts', 'GET', ['Host: elsewhere.test', 'Connection: content-length']),
  whole('an absolute form', 'GET', ['Connection: content-length'], '1.1', 'http://elsewhere.test/v0.1/agents'),
  whole('of HTTP/1.0', 'GET', ['Connection: keep-alive, content-length'], '1.0'),
  whole('of no operation', 'GET', ['Connection: content-length'], '1.1', '/elsewhere'),
  whole('to the base path', 'DELETE', ['Connection: content-length'], '1.1', '/v0.1'),

  refused('length and coding', [length, coding]),
  refused('coding and length', [coding, length]),
  refused('coding and length, both named by Connection', [
    'Connection: content-length, transfer-encoding',
    coding,
    length,
  ]),
  refused('the same length twice', [length, length], hidden),
  refused('two lengths', ['Content-Length: 0', length], hidden),
  refused('a list of lengths', [`Content-Length: ${size}, ${size}`], hidden),
  refused('a length with a sign', [`Content-Length: +${size}`], hidden),
  refused('a length below zero', [`Content-Length: -${size}`], hidden),
  refused('a length in hexadecimal', [`Content-Length: 0x${size.toString(16)}`], hidden),
  refused('a length with a fraction', [`Content-Length: ${size}.0`], hidden),
  refused('a length with a blank inside', ['Content-Length: 1 0'], hidden),
  refused('an empty length', ['Content-Length: '], hidden),
  refused('a length beyond 64 bits', ['Content-Length: 18446744073709551617'], hidden),
  refused('a length with a blank before the colon', [`Content-Length : ${size}`], hidden),
  refused('a coding that is none', ['Transfer-Encoding: xchunked']),
  refused('the identity coding', ['Transfer-Encoding: identity']),
  refused('no coding', ['Transfer-Encoding: ']),
  refused('a coding in quotes', ['Transfer-Encoding: "chunked"']),
  refused('a coding with a parameter', ['Transfer-Encoding: chunked;q=1']),
  refused('a coding after a vertical tab', ['Transfer-Encoding: \x0bchunked']),
  refused('chunks in chunks', ['Transfer-Encoding: chunked, chunked']),
  refused('the coding twice', [coding, coding]),
  refused('chunks of what is compressed', ['Transfer-Encoding: gzip, chunked']),
  refused('identity, then chunks', ['Transfer-Encoding: identity', coding]),
  refused('chunks, then identity', [coding, 'Transfer-Encoding: identity']),
  refused('a coding on a line of its own', ['Transfer-Encoding:', ' chunked']),
  refused('a folded line that hides a coding', ['X-A: b', ' Transfer-Encoding: chunked', length]),
  refused('a blank before the colon', ['Transfer-Encoding : chunked']),
  refused('a line feed alone', [`X-A: b\n${coding}`, length]),
  refused('a carriage return alone', [`X-A: b\r${coding}`, length]),
  refused('a zero byte', ['X-A: b\0', length]),
  refused('a name with a blank', [`X A: ${coding}`, length]),
  refused('chunks of HTTP/1.0', [coding], chunks, '1.0'),
  refused('chunks of HTTP/1.0 that is kept', ['Connection: keep-alive', coding], chunks, '1.0'),
  refused('an unknown version', [length], hidden, '1.2'),
];

const chunkForms: Form[] = [
  refused('a size with a prefix', [coding], `0x${chunks}`),
  refused('a size with a sign', [coding], `+${chunks}`),
  refused('a size beyond 64 bits', [coding], `10000000000000000${chunks}`),
  refused('a chunk longer than its size', [coding], `1\r\n${hidden}\r\n0\r\n\r\n`),
  refused('line feeds alone', [coding], chunks.replaceAll('\r\n', '\n')),
  refused('an extension with a line feed', [coding], chunks.replace('\r\n', ';a=b\n')),
  refused('a length in the trailers', [coding], chunks.replace(/\r\n$/, `${length}\r\n\r\n`)),
];

const pipelinedForms: Form[] = [
  ...['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST'].map((method) => pipelined('without a length', method, [])),
  pipelined('with no length to name', 'GET', ['Connection: content-length']),
  pipelined('with a length of zero that Connection names', 'GET', ['Connection: content-length', 'Content-Length: 0']),
  pipelined('with a length of zero', 'POST', ['Content-Length: 0']),
  pipelined('with no chunks', 'GET', [coding], '0\r\n\r\n'),
  pipelined('with a host among its trailers', 'POST', [coding], '0\r\nHost: elsewhere.test\r\nX-API-Key: no\r\n\r\n'),
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
  { taken: 'taken in', judgeLimitBytes: 1_048_576 },
  { taken: 'passed on as it comes', judgeLimitBytes: 0 },
])('a request that is $taken', ({ judgeLimitBytes }) => {
  it.each([...forms, ...pipelinedForms])('goes out as $requests, with $name', async (form) => {
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

describe('chunks that are none', () => {
  it.each(chunkForms)('are not sent on: $name', async (form) => {
    const { upstream, proxy, close } = await stage();
    await askAsAnother(proxy, 1);
    await exchange(proxy.url, Buffer.from(form.bytes, 'latin1'));
    await askAsAnother(proxy, 3);
    await close();
    await expectRequests({ upstream, proxy }, form);
  });

  it.each(chunkForms)('end the request of which a part was sent: $name', async (form) => {
    const { upstream, proxy, close } = await stage({ judgeLimitBytes: 0 });
    await exchange(proxy.url, Buffer.from(form.bytes, 'latin1'));
    await askAsAnother(proxy, 3);
    await close();
    await upstream.drained();
    const sent = upstream.requests.filter(({ target }) => !isAnothers(target));
    expect(sent.map(({ target, body }) => [target, body])).toEqual(sent.length === 0 ? [] : [['/v0.1/agents', '']]);
  });
});

describe('a client that goes away', () => {
  it.each(['GET', 'OPTIONS', 'POST'])(
    'in the body of %s leaves no connection that another one gets',
    async (method) => {
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
    },
  );
});

describe('an upstream that takes each body for a request', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'POST'])('does so on no connection of another client: %s', async (method) => {
    const { proxy } = await stage({}, { isDeaf: true });
    await askAsAnother(proxy, 1);
    await exchange(proxy.url, head(method, [length]) + hidden, { methods: [method] });
    await askAsAnother(proxy, 3);
  });
});

describe('a client that goes away after an early answer', () => {
  it('leaves no request to the upstream open', async () => {
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
    await ended;
  });
});

describe('an upgrade that the proxy does not make', () => {
  it('ends the connection, since what follows may be in another protocol', async () => {
    const { upstream, proxy, close } = await stage();
    const bytes = head('GET', ['Connection: Upgrade', 'Upgrade: h2c']) + hidden;
    const { answers, isClosed } = await exchange(proxy.url, bytes, { isReadToEnd: true });
    await close();
    await expectRequests({ upstream, proxy }, { name: 'upgrade', bytes, requests: 1 });
    expect(answers.map((answer) => headerOf(answer, 'connection'))).toEqual(['close']);
    expect(isClosed).toBe(true);
  });
});

describe('an answer that no client could read', () => {
  it.each([
    ['switches protocols unasked', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
    ['switches to nothing', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['has a status below 100', 'HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\n{}'],
    ['has a status of zero', 'HTTP/1.1 000 Odd\r\nContent-Length: 2\r\n\r\n{}'],
    ['has a control character in its reason', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\n{}'],
    ['is compressed in transfer', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nConnection: close\r\n\r\n'],
    ['is compressed and then chunked', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['has a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['has two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  ])('becomes a 502 and counts against the server, when it %s', async (_, answer) => {
    const { proxy } = await stage({}, { answer: () => answer });
    const request = { method: 'GET', target: '/v0.1/agents', lines: ['X-API-Key: k'] };
    const { status, headers } = await sendRaw(proxy.url, request);
    expect([status, Object.fromEntries(headers)['x-proxy-error']]).toEqual([502, 'upstreamBroke']);
    expect(proxy.journal.entries).toMatchObject([{ status: 502, failure: { kind: 'upstreamBroke' } }]);
    expect(proxy.summary().server).toMatchObject([{ code: 'malformedAnswer', count: 1 }]);
  });

  const plain = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
  it.each([
    ['Trailer beside a length', 'GET', 'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nContent-Length: 2\r\n\r\n{}'],
    [
      'Trailer where there is no body',
      'HEAD',
      'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['Trailer and no content', 'DELETE', 'HTTP/1.1 204 No Content\r\nTrailer: X-Sum\r\n\r\n'],
    ['a length of no content', 'DELETE', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n'],
    [
      'a length that Connection names',
      'GET',
      'HTTP/1.1 200 OK\r\nConnection: content-length\r\nContent-Length: 2\r\n\r\n{}',
    ],
    ['hints that are none', 'GET', `HTTP/1.1 103 Early Hints\r\nLink: none\r\nContent-Length: 9\r\n\r\n${plain}`],
    ['an interim answer that nobody knows', 'GET', `HTTP/1.1 155 Soon\r\n\r\n${plain}`],
  ])('is made one that can be read: %s', async (_, method, answer) => {
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

  it('has Trailer and chunks, for a client of HTTP/1.0', async () => {
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
