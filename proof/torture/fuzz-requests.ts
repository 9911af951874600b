import fc from 'fast-check';
import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import { type RawRequest, toBytes } from '../../test/support/raw-http.ts';

/** What is sent over one connection: the bytes, and the method of each request in them. */
export interface FuzzedInput {
  bytes: Buffer;
  methods: readonly string[];
}

/** Ids and keys that the mock knows, so that requests get past the first refusal. */
export interface Known {
  keys: readonly string[];
  ids: readonly string[];
}

const oddTexts = [
  ...[
    '',
    ' ',
    '/',
    '//',
    '..',
    '%2e%2e',
    '%',
    '%00',
    '%ff',
    '\u0000',
    'é',
    '💣',
    'null',
    'undefined',
    '__proto__',
    '-1',
  ],
  ...['0', '1e9', '9'.repeat(30), 'true', '[]', '{}', '*', '?', '#', ';', ',', '"', "'", '<script>', 'a'.repeat(5_000)],
];
/** Header lines that say where a request ends, or what becomes of its connection; and those that force an answer. */
const framingLines = [
  'Content-Length: 5',
  'Content-Length: 5\r\nContent-Length: 6',
  'Content-Length: -1',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 3',
  'Expect: 100-continue',
  'Expect: something',
  'Connection: close, content-length',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Host: ',
  'Host: a\r\nHost: b',
  'No colon',
  ': no name',
  'Prefer: code=200',
  'Prefer: example=nothing, dynamic=maybe',
];
const otherLines = [
  'Accept: text/html',
  'Accept-Encoding: gzip;q=0',
  'Range: bytes=0-1',
  'If-None-Match: *',
  'Origin: http://evil.example',
  'Origin: null',
  'Content-Type: ;',
  'Content-Type: text/plain',
  'Content-Type: application/json; charset=utf-16',
  'Content-Encoding: gzip',
  'X-Request-Id: é',
  'Cookie: a=b',
  'X-Long: '.padEnd(9_000, 'x'),
];

/** Anything that clients may send, from correct requests to noise; nothing that asks the mock to misbehave. */
export function fuzzedInputs(known: Known): fc.Arbitrary<FuzzedInput> {
  const one = fuzzedRequests(known, [...framingLines, ...otherLines]);
  const whole = fc.array(one, { minLength: 1, maxLength: 3 }).map((requests) => ({
    bytes: Buffer.concat(requests.map((request) => toBytes(request))),
    methods: requests.map(({ method }) => method),
  }));
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    { weight: 2, arbitrary: damaged(whole) },
    { weight: 1, arbitrary: noise },
  );
}

/** Single requests of which it is clear where they end: each gets an answer. */
export function clearInputs(known: Known): fc.Arbitrary<FuzzedInput> {
  return fuzzedRequests(known, otherLines).map((request) => ({ bytes: toBytes(request), methods: [request.method] }));
}

const noise = fc
  .uint8Array({ maxLength: 300 })
  .map((bytes): FuzzedInput => ({ bytes: Buffer.from(bytes), methods: ['GET'] }));

/** Inputs of which some bytes are changed, or whose end is missing. */
function damaged(inputs: fc.Arbitrary<FuzzedInput>): fc.Arbitrary<FuzzedInput> {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
  return fc.tuple(inputs, changes, fc.boolean()).map(([{ bytes, methods }, places, isCut]) => {
    const copy = Buffer.from(bytes);
    for (const [place, byte] of places) copy[place % copy.length] = byte;
    return { bytes: isCut ? copy.subarray(0, (places[0]?.[0] ?? 0) % copy.length) : copy, methods };
  });
}

function fuzzedRequests(known: Known, oddLines: readonly string[]): fc.Arbitrary<RawRequest> {
  const odd = fc.constantFrom(...oddTexts);
  const word = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known.ids) }, odd, fc.string({ maxLength: 8 }));
  return fc
    .record({
      route: fc.constantFrom(...routes()),
      method: fc.option(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY', 'get', 'TRACE'),
      ),
      words: fc.array(word, { minLength: 3, maxLength: 3 }),
      query: fc.array(fc.tuple(fc.constantFrom('limit', 'offset', 'path', 'organization', 'x'), word), {
        maxLength: 3,
      }),
      isEncoded: fc.boolean(),
      lines: fc.array(fc.constantFrom(...oddLines), { maxLength: 2 }),
      key: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known.keys) }, { weight: 1, arbitrary: word }),
      isBearer: fc.boolean(),
      body: fc.option(bodies(word)),
    })
    .map(({ route, method, words, query, isEncoded, lines, key, isBearer, body }) => {
      const write = (text: string) => (isEncoded ? encode(text) : toLine(text));
      let index = 0;
      const path = route.path.replaceAll(/\{\w+\}/g, () => write(words[index++ % words.length] ?? ''));
      const asked = query.map(([name, value]) => `${name}=${write(value)}`).join('&');
      const keyLine = isBearer ? `Authorization: Bearer ${toLine(key)}` : `X-API-Key: ${toLine(key)}`;
      const typed = body === null ? [] : ['Content-Type: application/json'];
      return {
        method: method ?? route.method,
        target: asked === '' ? path : `${path}?${asked}`,
        lines: [keyLine, ...typed, ...lines],
        ...(body === null ? {} : { body }),
      };
    });
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

// A text in a line of the head cannot hold the end of the line, and is Latin-1.
function toLine(text: string): string {
  return Buffer.from(text.replaceAll(/[\r\n]/g, ' '), 'utf8').toString('latin1');
}

function bodies(word: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const named = fc.dictionary(fc.constantFrom('name', 'url', 'path', 'revisionId', 'type', '__proto__', 'x'), word, {
    maxKeys: 4,
  });
  const deep = fc.integer({ min: 1, max: 20_000 }).map((depth) => '['.repeat(depth));
  return fc.oneof(
    { weight: 4, arbitrary: named.map((fields) => JSON.stringify(fields)) },
    { weight: 2, arbitrary: fc.json() },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
  );
}

/** Reading routes of the admin API. Those that write change the mock because they are asked to. */
const controlRoutes = [
  ...[
    '',
    '/health',
    '/version',
    '/snapshot',
    '/seed',
    '/settings',
    '/open-points',
    '/requests',
    '/requests/{id}',
    '/faults',
  ],
  ...['/faults/{id}', '/organizations', '/organizations/{id}', '/organizations/{id}/agents', '/openapi.json', '/{id}'],
  ...['/organizations/{id}/drives/{id}/files', '/organizations/{id}/mcp-servers/{id}/tools'],
];

function routes(): { method: string; path: string }[] {
  const own = operationsOf(loadDocument()).map(({ method, path }) => ({ method, path: `/v0.1${path}` }));
  const served = ['/', '/openapi.json', '/openapi.yaml', '/v0.1', '/{id}', '*', '/v0.1/{id}/{id}'];
  const control = controlRoutes.map((path) => `/__admin${path}`);
  return [...own, ...own, ...own, ...[...served, ...control].map((path) => ({ method: 'GET', path }))];
}
