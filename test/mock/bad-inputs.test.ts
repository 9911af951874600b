import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMock, type Mock, type Profile } from '../../src/index.ts';
import { methodOf, pathOf, queryOf } from '../model/call.ts';
import { anyCallUnder } from '../model/random-calls.ts';
import { now, seed } from '../model/seed.ts';
import { depth, hasJustRun, randomSeed } from '../support/depth.ts';
import {
  by,
  exchange,
  headerOf,
  type RawAnswer,
  type RawReply,
  type RawRequest,
  type ReadOptions,
  sendRaw,
  toBytes,
} from '../support/raw-http.ts';
import { createStateReader, fillRequest, type Places, placesOf } from '../support/state.ts';

/** What is sent: a request in parts, or bytes to the letter. */
type Sent = RawRequest | string | Buffer;

/** One bad input and its answer. */
interface BadInput {
  name: string;
  sent: Sent;
  /** 0 where the connection is closed without an answer. */
  status: number;
  /** What the message says; of an answer without a body, the empty text. */
  says: RegExp;
  reading?: ReadOptions;
  /** The request cannot be read to its end, so no id is promised. */
  isUnreadable?: true;
}

/** Bad inputs under one profile. */
interface Group {
  title: string;
  set?: Partial<Profile>;
  rows: BadInput[];
}

const bodySizeLimit = 1_048_576;
const key = 'X-API-Key: demo-key';
const json = 'Content-Type: application/json';
const chunked = 'Transfer-Encoding: chunked';
const named = '{"name":"x"}';
const file = '/v0.1/drives/{drive}/files/{file}';
const tree = '/v0.1/drives/{drive}/items/tree';
const start = `GET /v0.1/drives HTTP/1.1\r\nHost: mock.test\r\n${key}\r\n`;
const half: ReadOptions = { isHalfClosed: true };

const deep = 100_000;
const deepBodies = [
  ['100,000 unclosed arrays', '['.repeat(deep)],
  ['100,000 arrays', '['.repeat(deep) + ']'.repeat(deep)],
  ['100,000 objects', `{"name":${'{"a":'.repeat(deep)}1${'}'.repeat(deep + 1)}`],
  ['100,000 arrays next to the field', `{"name":"x","a":${'['.repeat(deep)}${']'.repeat(deep)}}`],
] as const;

const nothing = /^$/;
const keyNeeded = /Send a valid API key/;
const notJson = /not valid JSON.*Send one JSON object in UTF-8/s;
const notUtf8 = /not valid UTF-8.*Send one JSON object in UTF-8/;
const tooDeep = /nested deeper than 1,000 levels.*Send one JSON object in UTF-8/;
const tooLarge = /exceeds the limit of 1 MiB \(1,048,576 bytes\)/;
const asJson = /Content-Type: application\/json/;
const pathRule = /path must start with \/ and must not contain a \.\. segment/;
const unknownPath = /nothing at this path.*(?:\/openapi\.json|Did you mean)/s;
const notHttp = /not a well-formed HTTP request/;
const notHere = /This organization has no such .*(?:Check the ids|lists all)/s;
const notPercentEncoded = /not percent-encoded UTF-8/;

const bad = (name: string, sent: Sent, status: number, says: RegExp): BadInput => ({ name, sent, status, says });
const denied = (name: string, ...lines: string[]) => bad(name, by('GET', '/v0.1/drives', ...lines), 401, keyNeeded);
const malformed = (name: string, body: string | Buffer) => bad(name, post(body), 400, notJson);
const garbled = (name: string, bytes: string) => bad(name, post(Buffer.from(bytes, 'latin1')), 400, notUtf8);
const invalid = (name: string, sent: Sent, says: RegExp) => bad(name, sent, 422, says);
const missing = (name: string, sent: Sent) => bad(name, sent, 404, notHere);
const unknown = (name: string, sent: Sent) => bad(name, sent, 404, unknownPath);
const unreadable = (name: string, sent: Sent, status = 400, says = notHttp, reading: ReadOptions = {}): BadInput => {
  return { name, sent, status, says, reading, isUnreadable: true };
};

function get(target: string, ...lines: string[]): RawRequest {
  return by('GET', `/v0.1${target}`, key, ...lines);
}

function post(body: string | Uint8Array, lines: readonly string[] = [key, json]): RawRequest {
  return { method: 'POST', target: '/v0.1/drives', lines, body };
}

function inChunks(body: string, ...lines: string[]): RawRequest {
  return post(body, [key, json, chunked, ...lines]);
}

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

function typed(contentType: string): RawRequest {
  return post(named, [key, `Content-Type: ${contentType}`]);
}

function send(method: string, target: string, value: unknown): RawRequest {
  return { method, target, lines: [key, json], body: JSON.stringify(value) };
}

function move(path: unknown, target = file): RawRequest {
  return send('PATCH', target, { path });
}

function cut(query: string): RawRequest {
  return by('DELETE', tree + query, key);
}

function register(url: unknown): RawRequest {
  return send('POST', '/v0.1/mcp-servers', { name: 'x', url });
}

function publish(agent: string, revisionId: unknown): RawRequest {
  return send('POST', `/v0.1/agents/${agent}/publish`, { revisionId });
}

const differentKeys = /different keys.*Send one/;
const keys: Group = {
  title: 'bad API keys',
  rows: [
    denied('a missing key'),
    denied('an empty key', 'X-API-Key:'),
    denied('a key in different case', 'X-API-Key: Demo-Key'),
    denied('a key with a space inside', 'X-API-Key: demo -key'),
    denied('a key in quotes', 'X-API-Key: "demo-key"'),
    denied('a key with text after it', 'X-API-Key: demo-key; v=1'),
    denied('__proto__ as the key', 'X-API-Key: __proto__'),
    denied('a key of 8 KB', `X-API-Key: ${'k'.repeat(8192)}`),
    denied('a non-ASCII key', 'X-API-Key: d\xe9mo-key'),
    denied('a key with a scheme in X-API-Key', 'X-API-Key: Bearer demo-key'),
    denied('a key without a scheme in Authorization', 'Authorization: demo-key'),
    denied('an empty bearer token', 'Authorization: Bearer '),
    denied('a bearer token with a space inside', 'Authorization: Bearer demo key'),
    denied('a bearer token in quotes', 'Authorization: Bearer "demo-key"'),
    denied('Basic authentication', `Authorization: Basic ${btoa('demo-key:')}`),
    denied('a key in Proxy-Authorization', 'Proxy-Authorization: Bearer demo-key'),
    denied('a key in a cookie', 'Cookie: X-API-Key=demo-key'),
    denied('a repeated X-API-Key header', key, key),
    denied('two bearer tokens, the first wrong', 'Authorization: Bearer wrong', 'Authorization: Bearer demo-key'),
    bad('a key in the query', by('GET', '/v0.1/drives?X-API-Key=demo-key&api_key=demo-key'), 401, keyNeeded),
    bad('keys of two organizations', get('/drives', 'Authorization: Bearer demo-key-2'), 401, differentKeys),
    bad('a valid key with a wrong bearer token', get('/drives', 'Authorization: Bearer wrong'), 401, differentKeys),
    bad('a key in a trailer', post(`${chunk(named)}0\r\n${key}\r\n\r\n`, [json, chunked]), 401, keyNeeded),
  ],
};

const notObject = /^body must be an object$/;
const nameRequired = /^body\.name is required$/;
const nameString = /^body\.name must be a string$/;
const notUrl = /^body\.url must be an http or https URL$/;
const badUrls = [
  ...['', 'x', '//x', 'ftp://x', 'file:///etc/passwd', 'javascript:alert(1)', 'http:', 'http://', 'http:///x'],
];
const bodies: Group = {
  title: 'bad bodies',
  rows: [
    invalid('an empty body', post(''), /^body is required$/),
    invalid('a missing body', by('POST', '/v0.1/drives', key, json), /^body is required$/),
    malformed('only whitespace', ' \r\n\t '),
    malformed('form data', 'name=x'),
    malformed('truncated JSON', '{"name":"x"'),
    malformed('JSON in single quotes', "{'name':'x'}"),
    malformed('JSON with a trailing comma', '{"name":"x",}'),
    malformed('JSON with a comment', '{"name":"x"/**/}'),
    malformed('two JSON values', named + named),
    malformed('JSON followed by a NUL', `${named}\0`),
    malformed('a line break in a string', '{"name":"a\nb"}'),
    malformed('NaN', '{"name":NaN}'),
    malformed('emoji', '😀😀😀'),
    bad('a byte order mark', post(`\uFEFF${named}`), 400, /begins with a byte order mark.*Send one JSON object/),
    malformed('truncated JSON after a byte order mark', '\uFEFF{"name"'),
    malformed('two byte order marks', `\uFEFF\uFEFF${named}`),
    malformed('UTF-16', Buffer.from(named, 'utf16le')),
    ...deepBodies.map(([name, body]) => bad(name, post(body), 400, tooDeep)),
    garbled('UTF-16 with a byte order mark', '\xff\xfe{\0}\0'),
    garbled('invalid UTF-8', '{"name":"\xff"}'),
    garbled('truncated UTF-8', '{"name":"\xc3"}'),
    garbled('overlong UTF-8', '{"name":"\xc0\xaf"}'),
    garbled('surrogates in UTF-8', '{"name":"\xed\xa0\x80"}'),
    invalid('the body null', post('null'), /^body/),
    ...['[]', `[${named}]`, '42', '"x"', 'true'].map((body) => invalid(`the body ${body}`, post(body), notObject)),
    bad('a body of 1 MiB and 1 byte', post(named.padEnd(bodySizeLimit + 1)), 413, tooLarge),
    bad('a chunked body of 1 MiB and 1 byte', inChunks(chunk(named.padEnd(bodySizeLimit + 1))), 413, tooLarge),
    bad('a length of nine petabytes', post(named, [key, json, `Content-Length: ${9e15}`]), 413, tooLarge),
    invalid('an object without fields', post('{}'), nameRequired),
    invalid('a field name in different case', post('{"Name":"x"}'), nameRequired),
    ...['null', '42', '1e999', '["x"]', '{}'].map((value) =>
      invalid(`the name ${value}`, post(`{"name":${value}}`), nameString),
    ),
    invalid('an empty name', post('{"name":""}'), /^body\.name must have at least 1 character$/),
    invalid('a repeated field whose last value is bad', post('{"name":"x","name":1}'), nameString),
    invalid('a name only in __proto__', post('{"__proto__":{"name":"x"}}'), nameRequired),
    invalid('a name only in constructor.prototype', post('{"constructor":{"prototype":{"name":"x"}}}'), nameRequired),
    invalid('two missing fields', send('POST', '/v0.1/mcp-servers', {}), /name is required; body\.url is required$/),
    invalid('a numeric revision id', publish('{agent}', 1), /^body\.revisionId must be a string$/),
    invalid('a missing revision id', publish('{agent}', undefined), /^body\.revisionId is required$/),
    ...badUrls.map((url) => invalid(`the URL ${JSON.stringify(url)}`, register(url), notUrl)),
    invalid('a URL with a space', register('http://x y'), notUrl),
    invalid('an object as the URL', register({ href: 'http://x' }), /^body\.url must be a string$/),
  ],
};

const badTypes = [
  '',
  'text/plain',
  'text/application/json',
  'text/json',
  'json',
  '*/*',
  'application/jsonp',
  'application/problem+json',
];
const badForms = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json/x'];
const badCharsets = ['charset=latin1', 'charset=utf-16', 'charset=utf-8; x=1', 'charset=utf-8; charset=utf-8'].map(
  (parameters) => `application/json; ${parameters}`,
);
const mediaTypes: Group = {
  title: 'bad media types',
  rows: [
    bad('a missing media type', post(named, [key]), 415, asJson),
    ...[...badTypes, ...badForms, ...badCharsets].map((type) => bad(JSON.stringify(type), typed(type), 415, asJson)),
    bad('two media types', typed('application/json, text/plain'), 415, asJson),
    bad('two Content-Type headers', post(named, [key, json, 'Content-Type: text/plain']), 415, asJson),
    bad('a gzipped body', post(gzipSync(named), [key, json, 'Content-Encoding: gzip']), 415, /Content-Encoding/),
    bad('a plain body declared as gzip', post(named, [key, json, 'Content-Encoding: gzip']), 415, /Content-Encoding/),
  ],
};

const noIntegers = ['', 'abc', '1.5', '1.0', '1e1', '+1', '%201', '1%20', '1,2', '1;2', '0x10', 'NaN', 'null', '1=2'];
const oddIntegers = ['Infinity', '1%00', '%D9%A1', '%EF%BC%91', '[1]', '{}', '--1', '-'];
const limitInteger = /^query\.limit must be an integer$/;
const limitMinimum = /^query\.limit must be >= 1$/;
const limitMaximum = /^query\.limit must be <= 100$/;
const limitOnce = /^query\.limit must be sent once$/;
const limitEncoding = /^query\.limit is not percent-encoded UTF-8$/;
const queries: Group = {
  title: 'bad queries',
  rows: [
    ...['0', '-0', '-1'].map((text) => invalid(`limit=${text}`, get(`/drives?limit=${text}`), limitMinimum)),
    invalid('limit=101', get('/drives?limit=101'), limitMaximum),
    invalid('a limit of 30 digits', get(`/drives?limit=${'1'.repeat(30)}`), limitMaximum),
    invalid('a limit of 9000 digits', get(`/drives?limit=${'9'.repeat(9000)}`), limitMaximum),
    ...[...noIntegers, ...oddIntegers].map((text) =>
      invalid(`limit=${text}`, get(`/drives?limit=${text}`), limitInteger),
    ),
    invalid('limit without a value', get('/drives?limit'), limitInteger),
    ...['%ff', '%', '%zz', '%c3'].map((text) => invalid(`limit=${text}`, get(`/drives?limit=${text}`), limitEncoding)),
    invalid('a repeated limit', get('/drives?limit=1&limit=2'), limitOnce),
    invalid('a repeated limit with the same value', get('/drives?limit=1&limit=1'), limitOnce),
    invalid('a repeated limit, once encoded', get('/drives?limit=1&%6Cimit=1'), limitOnce),
    invalid('an invalid limit with an encoded name', get('/drives?%6cimit=0'), limitMinimum),
    invalid('an invalid limit with an encoded value', get('/drives?limit=%31%30%31'), limitMaximum),
    invalid('an invalid limit after empty pairs', get('/drives?&&limit=0&&'), limitMinimum),
    invalid('two invalid numbers', get('/drives?limit=0&offset=-1'), /limit must be >= 1; query\.offset must be >= 0$/),
    invalid('offset=-1', get('/drives?offset=-1'), /^query\.offset must be >= 0$/),
    invalid('a negative offset of 30 digits', get(`/drives?offset=-${'9'.repeat(30)}`), /^query\.offset must be >= 0$/),
    ...['', '0.5', '1e400', 'x'].map((text) =>
      invalid(`offset=${text}`, get(`/drives?offset=${text}`), /^query\.offset must be an integer$/),
    ),
    invalid('a repeated offset', get('/drives?offset=0&offset=0'), /^query\.offset must be sent once$/),
    bad('HEAD with an invalid limit', by('HEAD', '/v0.1/drives?limit=0', key), 422, nothing),
  ],
};

const climbing = ['..', '../a', '/..', '/../', '/../x', '/a/..', '/a/../b', '/a/b/..', '//..', '/a//../b', '/./..'];
const relative = ['', ' ', 'a', './a', 'a/b', ' /a', '\\a', 'C:/a', 'http://x/a', '\uFEFF/a', '%2Fa', '~'];
const broken = ['/\n', '/a\nb', '/a\r', '/a\u2028b', '/a\u2029', '/a\n/../b', '/a\n/..'];
const treeRequired = /^query\.path is required$/;
const treeEncoding = /^query\.path is not percent-encoded UTF-8$/;
const paths: Group = {
  title: 'bad paths',
  rows: [
    ...[...climbing, ...relative, ...broken].flatMap((path) => [
      invalid(`a move to ${JSON.stringify(path)}`, move(path), /^body\.path must start with \//),
      invalid(
        `a deletion of ${JSON.stringify(path)}`,
        cut(`?path=${encodeURIComponent(path)}`),
        /^query\.path must start with \//,
      ),
    ]),
    invalid('a move to 300,000 .. segments', move('/..'.repeat(300_000)), pathRule),
    ...[null, 1, true, ['/a'], { path: '/a' }].map((path) =>
      invalid(`a move to ${JSON.stringify(path)}`, move(path), /body\.path must be a string$/),
    ),
    invalid('a move without a path', move(undefined), /^body\.path is required$/),
    bad('a move onto another file', move('/logos/meridian-logo.svg'), 409, /has a file.*Choose a different path/),
    ...['', '?', '?treePath=/logos', '?PATH=/logos', '?path[]=/logos', '?path%00=/logos'].map((query) =>
      invalid(`a deletion with ${JSON.stringify(query)}`, cut(query), treeRequired),
    ),
    invalid('a tree path in the body', { ...cut(''), lines: [key, json], body: '{"path":"/logos"}' }, treeRequired),
    invalid('two tree paths', cut('?path=/logos&path=/video'), /^query\.path must be sent once$/),
    ...['?path', '?path=/logos/../video', '?path=/%2e%2E/video', '?path=+/..', '?path=/a%2F..%2Fb'].map((query) =>
      invalid(`a deletion with ${query}`, cut(query), pathRule),
    ),
    ...['/%ff', '/%c3', '/%ed%a0%80', '/logos%', '%'].map((text) =>
      invalid(`a deletion with path=${text}`, cut(`?path=${text}`), treeEncoding),
    ),
    bad('a tree path after a fragment', cut('#?path=/logos'), 400, /#|fragment/),
    bad('a deletion of an unknown tree', cut('?path=/nowhere'), 404, /no file at or below \/nowhere\./),
    bad('a tree path with dots encoded twice', cut('?path=/%252e%252e/video'), 404, /at or below \/%2e%2e\/video\./),
    bad('a tree path with a NUL', cut('?path=/logos%00'), 404, /no file at or below/),
  ],
};

const resources: Group = {
  title: 'odd ids',
  rows: [
    bad('an empty revision id', publish('{agent}', ''), 404, /no revision with this id.*its revisions/),
    missing('__proto__ as an id', get('/mcp-servers/__proto__/tools')),
    missing('an id with a suffix', get('/mcp-servers/{server}X/tools')),
    missing('an id with a NUL', get('/mcp-servers/{server}%00/tools')),
    missing('an id with a slash', get('/mcp-servers/a%2Fb/tools')),
    missing('an id of two dots', get('/drives/../files/{file}')),
    missing('an id of two encoded dots', get('/drives/%2e%2e/files/{file}')),
    missing('an id with line breaks', get('/mcp-servers/a%0d%0aSet-Cookie:%20a=b/tools')),
    missing('an id of 12 KB', get(`/mcp-servers/${'a'.repeat(12_000)}/tools`)),
    missing('an id with HTML', get('/mcp-servers/%3Cscript%3E/tools')),
  ],
};

const onlyGet = /Allowed: GET, HEAD\./;
const uriTooLong = /URL and the headers are too long.*Shorten them/;
const targets: Group = {
  title: 'bad URLs',
  rows: [
    bad('a write to the root path', by('PUT', '/', key), 405, /Allowed: GET, HEAD/),
    unknown('the version without a path', by('GET', '/v0.1', key)),
    bad('a path without the version', by('GET', '/agents', key), 404, /Did you mean \/v0\.1\/agents\?/),
    unknown('another version', by('GET', '/v1/agents', key)),
    unknown('an operation outside the contract', get('/runs')),
    unknown('a trailing slash', get('/agents/')),
    unknown('a double slash', get('//agents')),
    unknown('a leading double slash', by('GET', '//v0.1/agents', key)),
    unknown('an upper-case path', by('GET', '/V0.1/AGENTS', key)),
    unknown('a matrix parameter', get('/agents;v=1')),
    unknown('a .. segment', get('/drives/../agents')),
    unknown('an encoded .. segment', by('GET', '/v0.1/%2e%2e/openapi.json', key)),
    unknown('a path to /etc/passwd', by('GET', '/../../../../etc/passwd', key)),
    unknown('an encoded slash', by('GET', '/v0.1%2Fagents', key)),
    unknown('an encoded NUL', get('/agents%00')),
    unknown('an asterisk', by('GET', '*', key)),
    unknown('an empty agent id', by('POST', '/v0.1/agents//publish', json)),
    unknown('an empty server id', by('GET', '/v0.1/mcp-servers//tools')),
    unknown('an empty file id', by('GET', '/v0.1/drives/{drive}/files/')),
    unknown('an absolute URL with an unknown path', by('GET', 'http://mock.test/nowhere', key)),
    bad('a write to an absolute URL without a path', by('PUT', 'http://mock.test', key), 405, /Allowed: GET, HEAD/),
    bad('an absolute URL with a wrong method', by('PUT', 'http://mock.test/v0.1/agents', key), 405, onlyGet),
    bad('a fragment', get('/agents#top'), 400, /#|fragment/),
    ...['%ff', '%c3', '%', '%4', '%zz', 'a%'].map((id) =>
      bad(`the id ${id}`, get(`/mcp-servers/${id}/tools`, 'Origin: http://localhost:8080'), 400, notPercentEncoded),
    ),
    unreadable('a URL of 20 KB', by('GET', `/v0.1/${'a'.repeat(20_000)}`, key), 431, uriTooLong),
    unreadable('a URL of 2 MB', by('GET', `/v0.1/${'a'.repeat(2_000_000)}`, key), 431, uriTooLong),
    unreadable('a space in the path', get('/mcp-servers/a b/tools')),
    unreadable('a raw non-ASCII character', get('/mcp-servers/\xe9/tools')),
    unreadable('a raw NUL', get('/agents\0')),
    unreadable('a path without a leading slash', by('GET', 'v0.1/agents', key)),
  ],
};

const notForAgents = ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE', 'OPTIONS'];
const methods: Group = {
  title: 'bad methods',
  rows: [
    ...notForAgents.map((method) => bad(`${method} to /agents`, by(method, '/v0.1/agents', key), 405, onlyGet)),
    bad('POST to a file', by('POST', file, key), 405, /Allowed: GET, HEAD, PATCH\./),
    bad('DELETE of a file', by('DELETE', file, key), 405, /Allowed: GET, HEAD, PATCH\./),
    unknown('DELETE of a drive', by('DELETE', '/v0.1/drives/{drive}', key)),
    bad('GET of a tree', by('GET', `${tree}?path=/`, key), 405, /Allowed: DELETE\./),
    bad('HEAD of a tree', by('HEAD', `${tree}?path=/`, key), 405, nothing),
    bad('GET of a publish URL', by('GET', '/v0.1/agents/{agent}/publish', key), 405, /Allowed: POST\./),
    bad('PUT with a body', { ...post(named), method: 'PUT' }, 405, /Allowed: GET, HEAD, POST\./),
    bad('PUT to an encoded path', by('PUT', '/v0.1/%61gents', key), 405, onlyGet),
    bad('POST to the contract', by('POST', '/openapi.json', key), 405, onlyGet),
    bad('an override', by('POST', `${tree}?path=/`, key, 'X-HTTP-Method-Override: DELETE'), 405, /Allowed: DELETE\./),
    unknown('OPTIONS to an unknown path', by('OPTIONS', '/v0.1/nowhere', key)),
    unreadable('an unknown method', by('BREW', '/v0.1/agents', key)),
    unreadable('a method in lower case', by('get', '/v0.1/agents', key)),
    unreadable('a method of 20 KB', by('G'.repeat(20_000), '/v0.1/agents', key)),
    unreadable('CONNECT', by('CONNECT', 'mock.test:80', key), 400, /CONNECT opens a tunnel/),
    unreadable('CONNECT with a path', by('CONNECT', '/v0.1/agents', key), 400, /CONNECT opens a tunnel/),
  ],
};

const badLengths = ['-1', '+12', 'abc', '1e1', '0x0c', '12.0', '12, 12', '12 12', '', '9'.repeat(30)];
const badCodings = ['gzip', 'identity', 'xchunked', 'chunked, gzip', 'chunked, chunked', '"chunked"', ''];
const inOneChunk = `${chunk(named)}0\r\n\r\n`;
const framing: Group = {
  title: 'malformed HTTP',
  rows: [
    bad('a request without Host', `GET /v0.1/agents HTTP/1.1\r\n${key}\r\n\r\n`, 400, /Host/),
    bad('two Host headers', get('/agents', 'Host: other.test'), 400, /Host/),
    bad('an unknown expectation', post(named, [key, json, 'Expect: 200-ok']), 417, /Only Expect: 100-continue/),
    bad('a body longer than its Content-Length', post(named, [key, json, 'Content-Length: 5']), 400, notJson),
    unreadable('an empty request', '', 0, nothing, half),
    unreadable('text that is not HTTP', 'hello\r\n\r\n'),
    unreadable('the start of TLS', Buffer.from('16030100a5010000a10303', 'hex')),
    unreadable('64 zero bytes', Buffer.alloc(64)),
    unreadable('the start of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    unreadable('an unknown HTTP version', 'GET /v0.1/agents HTTP/1.9\r\nHost: a\r\n\r\n'),
    unreadable('another protocol', 'GET /v0.1/agents FTP/1.0\r\nHost: a\r\n\r\n'),
    unreadable('tabs in the request line', 'GET\t/v0.1/agents\tHTTP/1.1\r\nHost: a\r\n\r\n'),
    unreadable('line feeds without carriage returns', `GET /v0.1/agents HTTP/1.1\nHost: a\n${key}\n\n`),
    unreadable('a truncated request line', 'GET /v0.1/ag', 400, notHttp, half),
    unreadable('truncated headers', `${start}X-A`, 400, notHttp, half),
    unreadable('a space before the colon of a header', `${start}X-A : b\r\n\r\n`),
    unreadable('a header without a colon', `${start}X-A\r\n\r\n`),
    unreadable('a header without a name', `${start}: b\r\n\r\n`),
    unreadable('a folded header', `${start}X-A: b\r\n c\r\n\r\n`),
    unreadable('a NUL in a header', `${start}X-A: b\0c\r\n\r\n`),
    unreadable('a control character in a header', `${start}Origin: \x01\r\n\r\n`),
    unreadable('a lone carriage return in a header', `${start}X-Request-Id: a\rSet-Cookie: b\r\n\r\n`),
    unreadable('a header of 17 KB', `${start}X-A: ${'a'.repeat(17_000)}\r\n\r\n`, 431, uriTooLong),
    unreadable('a header of 3 MB', `${start}X-A: ${'a'.repeat(3_000_000)}\r\n\r\n`, 431, uriTooLong),
    unreadable('9000 headers', `${start}${'a:\r\n'.repeat(9000)}\r\n`, 431, uriTooLong),
    ...badLengths.map((length) =>
      unreadable(`Content-Length: ${length}`, post(named, [key, json, `Content-Length: ${length}`])),
    ),
    unreadable('two Content-Length headers', post(named, [key, json, 'Content-Length: 12', 'Content-Length: 11'])),
    unreadable('a truncated body', post(named, [key, json, 'Content-Length: 50']), 400, notHttp, half),
    ...badCodings.map((coding) =>
      unreadable(`Transfer-Encoding: ${coding}`, post(inOneChunk, [key, json, `Transfer-Encoding: ${coding}`])),
    ),
    unreadable('Content-Length with Transfer-Encoding', inChunks(inOneChunk, 'Content-Length: 12')),
    unreadable('a chunk without a valid size', inChunks(`zz\r\n${named}\r\n0\r\n\r\n`)),
    unreadable('a chunk of negative size', inChunks(`-c\r\n${named}\r\n0\r\n\r\n`)),
    unreadable('a chunk of excessive size', inChunks(`${'f'.repeat(20)}\r\n${named}\r\n0\r\n\r\n`)),
    unreadable('a chunk longer than its size', inChunks(`5\r\n${named}\r\n0\r\n\r\n`)),
    unreadable('truncated chunks', inChunks(chunk(named)), 400, notHttp, half),
  ],
};

const thousand = Array.from({ length: 1000 }, (_, index) => `p${index}`).join('&');
const strictProfile: Group = {
  title: 'bad input under a strict profile',
  set: {
    'unknownInput.queryParameters': 'refused',
    'unknownInput.bodyFields': 'refused',
    malformedIds: 'refused',
    nameRules: 'bounded',
    bodySizeLimit: 4096,
    'treePath.root': 'refused',
  },
  rows: [
    invalid('limit[]=1', get('/drives?limit[]=1'), /^query\.limit\[\] is not a parameter/),
    invalid('limit%5B%5D=1', get('/drives?limit%5B%5D=1'), /^query\.limit\[\] is not a parameter/),
    invalid('LIMIT=1', get('/drives?LIMIT=1'), /^query\.LIMIT is not a parameter/),
    invalid('__proto__=1', get('/drives?__proto__=1'), /^query\.__proto__ is not a parameter/),
    invalid('a parameter name in invalid UTF-8', get('/drives?%ff=1'), /^query\.%ff is not a parameter/),
    invalid('an empty parameter name', get('/drives?=1'), /^query\."" is not a parameter/),
    invalid('a parameter where none is defined', get('/agents?limit=1'), /^query\.limit is not a parameter/),
    invalid('a thousand parameters', get(`/agents?${thousand}`), /query\.p999 is not a parameter/),
    invalid('an unknown field', post('{"name":"x","nmae":1}'), /^body\.nmae is not a known field \(did you mean name/),
    invalid('__proto__ as a field', post('{"name":"x","__proto__":{}}'), /^body\.__proto__ is not a known field/),
    invalid('toString as a field', post('{"name":"x","toString":1}'), /^body\.toString is not a known field/),
    invalid('a name of 256 characters', post(`{"name":"${'a'.repeat(256)}"}`), /^body\.name must have at most 255/),
    bad('a body of 4097 bytes', post(named.padEnd(4097)), 413, /limit of 4 KiB \(4,096 bytes\)/),
    invalid('a deletion of the root', cut('?path=/'), /^query\.path must name a directory below \/$/),
    invalid('a malformed id', get('/drives/a.b/files/c'), /^path\.driveId must be .*letters, digits/),
  ],
};

const groups = [keys, bodies, mediaTypes, queries, paths, resources, targets, methods, framing, strictProfile];

describe.skipIf(hasJustRun).each(groups)('$title', ({ rows, set = {} }) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench(set);
  });
  // Nothing is reset before: none of them may leave anything behind.
  afterAll(async () => {
    await expectUnharmed(bench);
    await bench.mock.close();
  });

  it.each(rows)('refuses $name', async (badInput) => {
    expectRefusal(await answerTo(bench, badInput), badInput);
    expect(bench.unexpected).toEqual([]);
  });
});

/** An input that looks bad and is not, with what the answer holds. */
type OddInput = [name: string, sent: Sent, status: number, shows: string];

const made = (name: string, sent: Sent, shows = '"name":"x"'): OddInput => [name, sent, 201, shows];
const read = (name: string, sent: Sent, shows = '"total":5'): OddInput => [name, sent, 200, shows];
const moved = (path: string): OddInput => {
  return [`a move to ${JSON.stringify(path)}`, move(path), 200, `"path":${JSON.stringify(path)}`];
};

const oddPaths = ['/..a', '/a..', '/...', '/.../x', '/a..b/..c', '/%2e%2e/x', '/.. ', '/ ../x', '/\\..\\x', '/．．/x'];
const deleted = '"documentCount":2';
const odd: OddInput[] = [
  made('an escaped lone surrogate', post('{"name":"\\ud800"}'), '"name":"\\ud800"'),
  made('an escaped NUL', post('{"name":"\\u0000"}'), '"name":"\\u0000"'),
  made('a name of markup', post('{"name":"<script>\\r\\nX: y"}'), '"name":"<script>\\r\\nX: y"'),
  made('a repeated field whose last value is valid', post('{"name":1,"name":"x"}')),
  made('__proto__ next to the field', post('{"__proto__":{"polluted":1},"name":"x"}')),
  made('900 nested arrays next to the field', post(`{"name":"x","a":${'['.repeat(900)}${']'.repeat(900)}}`)),
  made('a body of 1 MiB', post(named.padEnd(bodySizeLimit))),
  ...[
    ...['application/json; charset=utf-8', 'application/json;', ' APPLICATION/JSON ; charset=utf-8'],
    ...['application/json; charset = utf-8', 'APPLICATION/JSON;CHARSET="UTF-8";'],
  ].map((type) => made(`the type ${type}`, typed(type))),
  made('a chunked body', inChunks(`${chunk('{"na')}${chunk('me":"x"}')}0\r\n\r\n`)),
  made('a key of another organization in a trailer', inChunks(`${chunk(named)}0\r\nX-API-Key: demo-key-2\r\n\r\n`)),
  made('Expect: 100-continue', post(named, [key, json, 'Expect: 100-continue'])),
  made('Content-Encoding: identity', post(named, [key, json, 'Content-Encoding: identity'])),
  ...['Authorization: Bearer demo-key', 'aUTHORIZATION: bEaReR   demo-key  ', 'x-aPI-kEY: demo-key'].map((line) =>
    read(line, by('GET', '/v0.1/drives', line)),
  ),
  read('whitespace around the key', by('GET', '/v0.1/drives', 'X-API-Key: \t demo-key \t')),
  read('the same key in X-API-Key and Authorization', get('/drives', 'Authorization: Bearer demo-key')),
  read(
    'an empty X-API-Key with a valid bearer token',
    by('GET', '/v0.1/drives', 'X-API-Key:', 'Authorization: Bearer demo-key'),
  ),
  read('another Authorization scheme next to the key', get('/drives', 'Authorization: Basic eA==')),
  read('limit=007', get('/drives?limit=007'), '"limit":7'),
  read('limit[]=1', get('/drives?limit[]=1'), '"limit":20'),
  read('offset=-0', get('/drives?offset=-0'), '"offset":0,"total":5'),
  read('an offset of 30 digits', get(`/drives?offset=${'9'.repeat(30)}`), '{"data":[],'),
  read('an encoded path', get('/%64rives')),
  read('an encoded id', get('/mcp-servers/{encoded-server}/tools'), '"search_tickets"'),
  read('an absolute URL', by('GET', 'http://elsewhere.test/v0.1/drives', key)),
  read('HTTP/1.0', `GET /v0.1/drives HTTP/1.0\r\n${key}\r\n\r\n`),
  read('empty lines before the request', `\r\n\r\n${start}\r\n`),
  read('an upgrade request', get('/drives', 'Connection: Upgrade', 'Upgrade: websocket')),
  read('a GET with a body', { ...get('/drives'), body: '{' }),
  read('a GET with a large body', { ...get('/drives', 'Content-Type: x'), body: '{'.repeat(2 * bodySizeLimit) }),
  read('a DELETE with a body', { ...cut('?path=/logos'), lines: [key, 'Content-Type: x'], body: '{' }, deleted),
  read('a DELETE with a large body', { ...cut('?path=/logos'), body: '{'.repeat(2 * bodySizeLimit) }, deleted),
  ...[...oddPaths, '/', '//', '/\t', '/\ud800'].map(moved),
];

describe.skipIf(hasJustRun)('unusual but valid input', () => {
  const bench = useBench({});

  it.each(odd)('accepts %s', async (_, sent, status, shows) => {
    const { mock, places, unexpected } = bench();
    const { answers } = await exchange(mock.url, bytesOf(sent, places));
    expect(answers.map((answer) => [answer.status, answer.body.toString()])).toEqual([
      [status, expect.stringContaining(shows)],
    ]);
    expect(unexpected).toEqual([]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

const badOnes = [post('{'), get('/drives?limit=1'), post(named, [json]), by('HEAD', '/nowhere')];
const several: [name: string, requests: Sent[], statuses: number[]][] = [
  ['a valid request before garbage', [post(named), 'garbage\r\n\r\n'], [201, 400]],
  [
    'a valid one before headers that are too long',
    [post(named), get('/drives', `X: ${'a'.repeat(20_000)}`)],
    [201, 431],
  ],
  ['valid and invalid ones in order', [...badOnes, post(named), get('/agents')], [400, 200, 401, 404, 201, 200]],
  ['the next one after a body is refused unread', [post(named.padEnd(200_000), [json]), get('/drives')], [401, 200]],
];

describe.skipIf(hasJustRun)('several requests on one connection', () => {
  const bench = useBench({});

  it.each(several)('are answered: %s', async (_, requests, statuses) => {
    const { mock, places } = bench();
    const bytes = Buffer.concat(requests.map((request) => bytesOf(request, places)));
    const { answers, rest } = await exchange(mock.url, bytes, { methods: requests.map(methodIn) });
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    expect(rest).toHaveLength(0);
  });
});

describe.skipIf(hasJustRun)('nothing is left behind', () => {
  const bench = useBench({});

  it('by a client that disconnects in the middle of a body', async () => {
    const { mock, places } = bench();
    const bytes = bytesOf(post(named, [key, json, 'Content-Length: 50']), places);
    await Promise.all(Array.from({ length: 50 }, () => exchange(mock.url, bytes, { ...half, isReadToEnd: true })));
    await expectUnharmed(bench());
  });

  it('of the memory for a path of a million segments, but for 50 MiB', async () => {
    const { mock, places } = bench();
    const before = usedBytes();
    const { status } = await sendRaw(mock.url, fillRequest(move(`${'/'.repeat(1_000_000)}x`), places));
    expect(status).toBe(200);
    expect((usedBytes() - before) / 2 ** 20).toBeLessThan(50);
  });
});

describe('random input', () => {
  const otherwise: Partial<Profile> = {
    ...{
      'requiredFields.createDrive': 'none',
      wrongBodyTypes: 'coerced',
      nameRules: 'trimmed',
      mediaTypeRules: 'lenient',
    },
    ...{
      judgedFirst: 'resource',
      'oddPaging.outOfRange': 'clamped',
      'treePath.notSent': 'emptyJob',
      'treePath.missing': 'emptyJob',
    },
    ...{
      pathConflict: 'replaced',
      'pathForm.spelling': 'normalized',
      'pathForm.lineBreaks': 'accepted',
      errorBody: 'list',
    },
    ...{ mcpUrlRules: 'canonicalHttpUrl', treeDeletion: 'asynchronous', readAfterWrite: 'lagging' },
    rateLimits: 'announced',
  };

  it.each([
    ['the default profile', {}],
    ['another profile', otherwise],
  ])('gets a well-formed answer below 500, or a closed connection, under %s', async (_, set) => {
    const unexpected: unknown[] = [];
    const mock = await createMock({ seed, clock: now, set, onUnexpected: (error) => unexpected.push(error) });
    const property = fc.asyncProperty(anyInputUnder(mock.profile), async ({ bytes, reading }) => {
      expectSound(await exchange(mock.url, bytes, reading), reading.methods[0]);
    });
    await fc.assert(property, { numRuns: depth(150, 3_000), seed: randomSeed });
    expect(unexpected).toEqual([]);
    expect((await fetch(`${mock.url}/agents`, { headers: { 'x-api-key': 'alpha-key' } })).status).toBe(200);
    await mock.close();
  });
});

/** A mock of the demo in a known state. */
interface Bench {
  mock: Mock;
  places: Places;
  readState: () => Promise<string>;
  startState: string;
  /** The answer to the first good request after the start. */
  goodAnswer: string;
  unexpected: unknown[];
}

/** A mock for the tests of one block, in its starting state before each of them. */
function useBench(set: Partial<Profile>): () => Bench {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench(set);
  });
  afterEach(() => {
    bench.mock.reset();
    bench.unexpected.length = 0;
  });
  afterAll(() => bench.mock.close());
  return () => bench;
}

async function createBench(set: Partial<Profile>): Promise<Bench> {
  const unexpected: unknown[] = [];
  const mock = await createMock({
    set,
    clock: '2026-10-01T12:00:00Z',
    onUnexpected: (error) => unexpected.push(error),
  });
  const readState = createStateReader(mock);
  const startState = await readState();
  const goodAnswer = await sendGood(mock);
  mock.reset();
  return { mock, places: placesOf(mock), readState, startState, goodAnswer, unexpected };
}

async function sendGood(mock: Mock): Promise<string> {
  const { status, body } = await sendRaw(mock.url, post('{"name":"A good request"}'));
  return `${status} ${body}`;
}

// The new drive has the id that it has without the bad input: not even a random number was drawn.
async function expectUnharmed({ mock, readState, startState, goodAnswer, unexpected }: Bench): Promise<void> {
  expect(await readState()).toBe(startState);
  expect(await sendGood(mock)).toBe(goodAnswer);
  expect(unexpected).toEqual([]);
}

function methodIn(sent: Sent): string {
  return typeof sent === 'string' || Buffer.isBuffer(sent) ? 'GET' : sent.method;
}

function bytesOf(sent: Sent, places: Places): Buffer {
  if (typeof sent === 'string') return Buffer.from(sent, 'latin1');
  return Buffer.isBuffer(sent) ? sent : toBytes(fillRequest(sent, places));
}

async function answerTo({ mock, places }: Bench, { sent, reading }: BadInput): Promise<RawAnswer | undefined> {
  const { answers } = await exchange(mock.url, bytesOf(sent, places), { methods: [methodIn(sent)], ...reading });
  return answers[0];
}

function expectRefusal(answer: RawAnswer | undefined, { status, says, isUnreadable }: BadInput): void {
  expect({ status: answer?.status ?? 0, text: answer?.body.toString() ?? '' }).toMatchObject({ status });
  if (answer === undefined) return;
  expectNoTrace(answer);
  expect(messageOf(answer)).toMatch(says);
  if (!isUnreadable) expect(headerOf(answer, 'x-request-id')).toMatch(/^req-[0-9a-f]{16}$/);
}

function expectNoTrace({ body }: RawAnswer): void {
  expect(body.toString()).not.toMatch(/ {4}at |node_modules|node:internal|file:\/\/\/work|\/src\/|\.[cm]?[jt]s:\d/);
}

/** The message of a problem; empty where there is no body. */
function messageOf(answer: RawAnswer): string {
  if (answer.body.length === 0) return '';
  expect(headerOf(answer, 'content-type')).toBe('application/problem+json');
  const problem = JSON.parse(answer.body.toString());
  expect(problem).toMatchObject({
    type: expect.stringMatching(/^urn:agent-platform:problem:[a-z-]+$/),
    title: expect.stringMatching(/^[A-Z][\w ]+$/),
    status: answer.status,
  });
  return problem.detail;
}

/** Bytes in use after a collection. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

interface ArbitraryInput {
  bytes: Buffer;
  reading: ReadOptions & { methods: [string] };
}

/** Requests that range from nearly good to noise. */
function anyInputUnder(profile: Profile): fc.Arbitrary<ArbitraryInput> {
  const parts = fc.record({ call: anyCallUnder(profile), method: anyMethod, target: anyTarget, lines: anyLines });
  const whole = parts.map(({ call, method = methodOf(call), target, lines }): ArbitraryInput => {
    const own = Object.entries(call.headers).map(([name, value]) => `${name}: ${value}`);
    const { body } = call;
    const head = { method, target: target ?? `/v0.1${pathOf(call)}${queryOf(call)}`, lines: [...own, ...lines] };
    const request = { ...head, ...(body === undefined ? {} : { body }) };
    return { bytes: toBytes(request), reading: readingOf(request) };
  });
  const damaged = fc.tuple(whole, fc.nat(), fc.nat({ max: 255 }), fc.boolean()).map(damage);
  const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => toBroken(Buffer.from(bytes)));
  return fc.oneof({ weight: 20, arbitrary: whole }, { weight: 4, arbitrary: damaged }, { weight: 1, arbitrary: noise });
}

// A request whose length is declared by a drawn header may wait for more.
function readingOf({ method, lines }: RawRequest): ArbitraryInput['reading'] {
  const mayWait = lines?.some((line) => /^(content-length|transfer-encoding)/i.test(line)) ?? false;
  return { methods: [method], isHalfClosed: mayWait };
}

/** Puts another byte in the place of one, or leaves out the rest. */
function damage([{ bytes }, position, byte, isCut]: [ArbitraryInput, number, number, boolean]): ArbitraryInput {
  const at = position % bytes.length;
  const after = isCut ? Buffer.alloc(0) : Buffer.concat([Buffer.of(byte), bytes.subarray(at + 1)]);
  return toBroken(Buffer.concat([bytes.subarray(0, at), after]));
}

function toBroken(bytes: Buffer): ArbitraryInput {
  const isHead = bytes.toString('latin1').trimStart().startsWith('HEAD ');
  return { bytes, reading: { methods: [isHead ? 'HEAD' : 'GET'], isHalfClosed: true } };
}

const anyVisible = fc.string({ unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)) });
const anyMethod = fc.option(fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'TRACE', 'QUERY', 'BREW'), {
  ...{ freq: 5, nil: undefined },
});
/** In the place of a target that makes sense. */
const anyTarget = fc.option(
  anyVisible.map((text) => `/${text}`),
  { freq: 5, nil: undefined },
);
const readHeaders = ['X-API-Key', 'Authorization', 'Content-Type', 'Content-Length', 'Transfer-Encoding', 'Expect'];
const otherHeaders = ['Content-Encoding', 'Connection', 'Origin', 'X-Request-Id', 'Accept', 'Range', 'Upgrade', 'Host'];
const corsHeaders = ['Access-Control-Request-Method', 'Access-Control-Request-Headers'];
const likelyValues = [
  ...['alpha-key', 'Bearer alpha-key', 'application/json', 'chunked', 'close', '3', '100-continue', 'GET'],
];
const anyHeader = fc.tuple(
  fc.constantFrom(...readHeaders, ...otherHeaders, ...otherHeaders, ...corsHeaders),
  fc.oneof(
    fc.constantFrom(...likelyValues),
    anyVisible,
    fc.string().map((text) => Buffer.from(text).toString('latin1')),
  ),
);
const anyLines = fc
  .array(anyHeader, { maxLength: 3 })
  .map((headers) => headers.map(([name, value]) => `${name}: ${value}`));

/** An answer, or a clean close: nothing half-said, no 5xx, JSON where JSON is promised. */
function expectSound({ answers, rest, isClosed }: RawReply, method: string): void {
  expect(answers.length > 0 || isClosed, 'answered or closed').toBe(true);
  expectNothingHalfSaid(rest, method);
  for (const answer of answers) {
    expect(answer.status, answer.body.toString()).toBeLessThan(500);
    expectNoTrace(answer);
    const isJson = headerOf(answer, 'content-type')?.includes('json') ?? false;
    if (isJson && method !== 'HEAD') JSON.parse(answer.body.toString());
  }
}

// Where a request cannot be read, nobody knows that it was a HEAD: then the answer has its body.
function expectNothingHalfSaid(rest: Buffer, method: string): void {
  const text = rest.toString('latin1');
  if (method === 'HEAD' && text.startsWith('{')) JSON.parse(text);
  else expect(text).toBe('');
}
