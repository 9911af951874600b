import { type ClientForm, chunks, coding, head, hidden, length, type Row, refused, size, whole } from './form.ts';

// The rest of a head: line ends, names and bytes, hosts and targets, headers about the connection.

const lines: Row[] = [
  ['a bare line feed before Transfer-Encoding', `X-A: b\n${coding}`, length],
  ['a bare carriage return before Transfer-Encoding', `X-A: b\r${coding}`, length],
  ['a bare carriage return at the end of a value', 'X-A: b\r\r', length],
  ['a bare carriage return within a value', 'X-A: b\rc', length],
  ['a bare line feed after a length', `${length}\nX-A: b`],
  ['line feeds alone after a header', 'X-A: b\n\nGET /v0.1/hidden HTTP/1.1', length],
  ['a transfer coding on a folded line', 'Transfer-Encoding:', ' chunked'],
  ['a transfer coding on a line folded by a tab', 'Transfer-Encoding:', '\tchunked'],
  ['a length on a folded line', 'Content-Length:', ` ${size}`],
  ['a length with more on a folded line', 'Content-Length: 1', ' 0'],
  ['Transfer-Encoding hidden in a folded line', 'X-A: b', ' Transfer-Encoding: chunked', length],
  ['an empty folded line', 'X-A: b', ' ', length],
  ['a NUL byte in a value', 'X-A: b\0', length],
  ['a control character in a value', 'X-A: b\x01', length],
  ['a backspace in a value', 'X-A: b\x08', length],
  ['a DEL in a value', 'X-A: b\x7f', length],
];

const names: Row[] = [
  ['a name with a space', `X A: ${coding}`, length],
  ['a name with a tab', 'X\tA: b', length],
  ['a name with a NUL byte', 'X\0A: b', length],
  ['a name with a byte above ASCII', 'X\xe9: b', length],
  ['a name with a no-break space', 'Content-Length\xa0: 0', length],
  ['a name with a slash', 'X/A: b', length],
  ['a name with brackets', 'X(A): b', length],
  ['a name in quotes', '"X": b', length],
  ['an empty name', ': b', length],
  ['a line without a colon', 'X-A', length],
  ['a line of a name and a space', 'Transfer-Encoding chunked', length],
  ['Transfer-Encoding with a space before the colon', 'Transfer-Encoding : chunked'],
  ['Transfer-Encoding with a tab before the colon', 'Transfer-Encoding\t: chunked'],
  ['Content-Length with a space before the colon', `Content-Length : ${size}`],
  ['Content-Length with a control character before the colon', `Content-Length\x0b: ${size}`],
  ['a space before Transfer-Encoding', ` ${coding}`, length],
  ['a byte order mark before Content-Length', `\xef\xbb\xbf${length}`],
];

const connection: Row[] = [
  ['Connection names Content-Length', 'Connection: close, content-length'],
  ['Connection names Transfer-Encoding', 'Connection: Transfer-Encoding', coding],
];
const methods = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'POST', 'PUT', 'PATCH', 'QUERY', 'PROPFIND'];

const moreConnection: [method: string, row: Row][] = [
  ['GET', ['Connection names Content-Length after a tab, in capitals', 'Connection: keep-alive,\tCONTENT-LENGTH']],
  ['GET', ['a second Connection header names Content-Length', 'Connection: keep-alive', 'connection: content-length']],
  ['HEAD', ['Connection after Content-Length names it', length, 'Connection: content-length']],
  ['GET', ['Connection names Content-Length among empty members', 'Connection: ,, content-length ,']],
  ['GET', ['Connection names Content-Length in quotes', 'Connection: "content-length"']],
  ['GET', ['Connection names Content-Length with a parameter', 'Connection: content-length;q=1']],
  ['GET', ['Connection names Host', 'Connection: host, content-length']],
  ['GET', ['Connection names X-API-Key', 'Connection: x-api-key, content-length']],
  ['GET', ['Connection names Content-Type', 'Connection: content-type', 'Content-Type: application/json']],
  ['GET', ['Connection names itself', 'Connection: connection, content-length, via, trailer']],
  ['DELETE', ['Connection names hop headers', 'Connection: te, keep-alive, upgrade', 'TE: trailers', 'Keep-Alive: a']],
  ['GET', ['Proxy-Connection names Content-Length', 'Proxy-Connection: content-length', 'Keep-Alive: timeout=1']],
  ['POST', ['Connection names the header of a request id', 'Connection: x-request-id', 'X-Request-Id: 1']],
  ['POST', ['Connection of a thousand names', `Connection: ${'content-length, '.repeat(1_000)}close`]],
];

const upgrades: Row[] = [
  ['an upgrade to h2c', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAA'],
  ['an upgrade to WebSocket', 'Connection: upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  ['an upgrade to WebSocket with a chunked body', 'Connection: upgrade', 'Upgrade: websocket', coding],
  ['an upgrade to TLS', 'Connection: upgrade', 'Upgrade: TLS/1.0'],
  ['an Upgrade that Connection does not name', 'Upgrade: websocket'],
  ['a Connection that names a missing Upgrade', 'Connection: upgrade'],
  ['an upgrade to nothing', 'Connection: upgrade', 'Upgrade:'],
  ['an upgrade, and Connection names Content-Length', 'Connection: upgrade, content-length', 'Upgrade: h2c'],
];

const expectations: Row[] = [
  ['Expect: 100-continue', 'Expect: 100-continue'],
  ['Expect: 100-continue with a chunked body', 'Expect: 100-continue', coding],
  ['Expect: 100-continue in capitals', 'EXPECT: 100-CONTINUE'],
  ['a disguised Expect: 100-continue', 'Expect: y 100-continue', 'Connection: content-length'],
  ['Expect: 100-continue twice', 'Expect: 100-continue', 'Expect: 100-continue'],
  ['Expect: 100-continue, named by Connection', 'Connection: expect', 'Expect: 100-continue'],
  ['an expectation nobody knows', 'Expect: 200-ok'],
  ['an empty expectation', 'Expect:'],
];

const hosts: [name: string, host: string[]][] = [
  ['Host in odd case', ['hOsT: mock.test']],
  ['an odd port in Host', ['Host: mock.test:99999']],
  ['a list in Host', ['Host: mock.test, elsewhere.test']],
  ['a path in Host', ['Host: mock.test/v0.1/hidden']],
  ['a user in Host', ['Host: a@elsewhere.test']],
  ['an empty Host', ['Host:']],
];

const at = (name: string, target: string, arrivesAt = '/v0.1/agents') =>
  whole('target', 'GET', [name], { target, arrivesAt });

export const headForms: ClientForm[] = [
  ...lines.map((row) => refused('line', row)),
  ...names.map((row) => refused('name', row)),
  ...connection.flatMap((row) => methods.map((method) => whole('Connection', method, row))),
  ...moreConnection.map(([method, row]) => whole('Connection', method, row)),
  ...upgrades.flatMap((row) => ['GET', 'POST'].map((method) => whole('upgrade', method, row))),
  ...expectations.flatMap((row) => ['GET', 'POST'].map((method) => whole('expectation', method, row))),
  ...hosts.map(([name, host]) => whole('host', 'GET', [name, 'Connection: content-length'], { host })),
  refused('host', ['several Host headers', length], {
    host: ['Host: mock.test', 'Host: elsewhere.test'],
    body: hidden,
  }),
  refused('host', ['the same Host twice', length], { host: ['Host: mock.test', 'Host: mock.test'], body: hidden }),
  refused('host', ['no Host', length], { host: [], body: hidden }),
  refused('host', ['a Host with a space before the colon', length], { host: ['Host : mock.test'], body: hidden }),
  refused('host', ['a Host on a folded line', length], { host: ['Host:', ' mock.test'], body: hidden }),
  whole('host', 'GET', ['no Host in HTTP/1.0'], { host: [], version: '1.0' }),
  at('an absolute target', 'http://elsewhere.test/v0.1/agents'),
  at('an absolute https target', 'https://elsewhere.test:8443/v0.1/agents'),
  at('an absolute target in capitals', 'HTTP://ELSEWHERE.test/v0.1/agents'),
  at('an absolute target with a user', 'http://a:b@elsewhere.test/v0.1/agents'),
  at('an absolute target with a query', 'http://elsewhere.test/v0.1/agents?a=b', '/v0.1/agents?a=b'),
  at('an absolute target without a path', 'http://elsewhere.test', '/'),
  at('a path outside the API', '/elsewhere', '/elsewhere'),
  at('two slashes at the start', '//elsewhere.test/v0.1/agents', '//elsewhere.test/v0.1/agents'),
  at('encoded line ends', '/v0.1/agents%0d%0aX-A:%20b', '/v0.1/agents%0d%0aX-A:%20b'),
  at('an encoded space and version', '/v0.1/agents%20HTTP/1.1', '/v0.1/agents%20HTTP/1.1'),
  at('a query with odd bytes', '/v0.1/agents?a=<>"{}|^`', '/v0.1/agents?a=<>"{}|^`'),
  whole('target', 'GET', ['several spaces in the request line', length], {
    target: '  /v0.1/agents ',
    arrivesAt: '/v0.1/agents',
  }),
  at('the base path', '/v0.1', '/v0.1'),
  whole('target', 'OPTIONS', ['the server as a whole'], { target: '*', arrivesAt: '*' }),
  refused('target', ['a space in the target', length], { target: '/v0.1/agents x', body: hidden }),
  refused('target', ['a tab in the target', length], { target: '/v0.1/agents\tx', body: hidden }),
  refused('target', ['a NUL byte in the target', length], { target: '/v0.1/agents\0', body: hidden }),
  refused('target', ['a bare carriage return in the target', length], { target: '/v0.1/agents\rx', body: hidden }),
  refused('target', ['a bare line feed in the target', length], { target: '/v0.1/agents\nx', body: hidden }),
  refused('target', ['a byte above ASCII in the target', length], { target: '/v0.1/agents?\xe9', body: hidden }),
  refused('target', ['a fragment in the target', length], { target: '/v0.1/agents#a', body: hidden }),
  refused('target', ['an empty target', length], { target: '', body: hidden }),
  refused('target', ['a target without a slash', length], { target: 'v0.1/agents', body: hidden }),
  refused('target', ['only a query as target', length], { target: '?a=b', body: hidden }),
  refused('target', ['an authority with CONNECT', length], {
    method: 'CONNECT',
    target: 'elsewhere.test:80',
    body: hidden,
    refusal: 501,
  }),
  refused('target', ['a path with CONNECT', length], { method: 'CONNECT', body: hidden, refusal: 501 }),
  refused('version', ['HTTP/1.2', length], { version: '1.2', body: hidden }),
  refused('version', ['HTTP/2.0', length], { version: '2.0', body: hidden }),
  refused('version', ['HTTP/0.9', length], { version: '0.9', body: hidden }),
  refused('version', ['a version with a word', length], { version: 'x', body: hidden }),
  refused('version', ['a version of three digits', length], { version: '1.10', body: hidden }),
  refused('version', ['an HTTP/2 preface'], { method: 'PRI', target: '*', version: '2.0', body: 'SM\r\n\r\n' }),
  whole('version', 'GET', ['HTTP/1.0', 'Connection: keep-alive, content-length'], { version: '1.0' }),
  whole('version', 'POST', ['HTTP/1.0 without keep-alive'], { version: '1.0' }),
  refused('method', ['an unknown method', length], { method: 'BREW', body: hidden }),
  refused('method', ['a method in lower case', length], { method: 'get', body: hidden }),
  refused('method', ['a method with a space before it', length], { method: ' GET', body: hidden }),
  refused('method', ['a method with a NUL byte', length], { method: 'GET\0', body: hidden }),
  refused('method', ['a head of 80 kB', `X-A: ${'a'.repeat(80_000)}`, length], { body: hidden, refusal: 431 }),
  ...[
    ['a request line without a version', 'GET /v0.1/agents\r\n\r\n'],
    ['a body before a head', `${chunks}${head('GET', [])}`],
    ['a request line on two lines', 'GET\r\n /v0.1/agents HTTP/1.1\r\nHost: mock.test\r\n\r\n'],
    ['a folded line before the first header', 'GET /v0.1/agents HTTP/1.1\r\n Host: mock.test\r\n\r\n'],
    ['a TLS greeting', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'],
  ].map(([name = '', bytes = '']) => ({ group: 'start', name, bytes, arrives: [], refusal: 400 })),
];
