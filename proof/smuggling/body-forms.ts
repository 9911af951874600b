import {
  badChunks,
  type ClientForm,
  chunks,
  coding,
  head,
  hidden,
  length,
  oddChunks,
  pipelined,
  size,
  whole,
} from './form.ts';

// Bodies: chunks, trailers, unusual methods; what follows them, and what breaks off.

const hex = size.toString(16);
const first = `${hex}\r\n`;

const bad: [name: string, body: string, refusal?: number][] = [
  ['a chunk size with a 0x prefix', `0x${chunks}`],
  ['a chunk size with a plus sign', `+${chunks}`],
  ['a chunk size with a minus sign', `-${chunks}`],
  ['a chunk size after a space', ` ${chunks}`],
  ['a chunk size after a tab', `\t${chunks}`],
  ['a chunk size in quotes', chunks.replace(hex, `"${hex}"`)],
  ['a chunk size with an underscore', chunks.replace(hex, `${hex[0]}_${hex[1]}`)],
  ['a chunk size with an h', chunks.replace(hex, `${hex}h`)],
  ['a chunk size beyond 64 bits', `10000000000000000${chunks}`],
  ['a chunk size of a thousand digits', `${'f'.repeat(1_000)}\r\n${hidden}`],
  ['an empty chunk size', `\r\n${chunks}`],
  ['a chunk size with a NUL byte', chunks.replace(hex, `${hex}\0`)],
  ['a chunk longer than its size', `1\r\n${hidden}\r\n0\r\n\r\n`],
  ['a chunk shorter than its size', `${(size + 1).toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
  ['a chunk that no line end follows', `${first}${hidden}0\r\n\r\n`],
  ['a chunk that one line feed follows', `${first}${hidden}\n0\r\n\r\n`],
  ['a chunk that one carriage return follows', `${first}${hidden}\r0\r\n\r\n`],
  ['bare line feeds', chunks.replaceAll('\r\n', '\n')],
  ['a bare line feed after a chunk size', chunks.replace('\r\n', '\n')],
  ['a bare carriage return after a chunk size', chunks.replace('\r\n', '\r')],
  ['an extension with a bare line feed', chunks.replace('\r\n', ';a=b\n')],
  ['an extension with a bare carriage return', chunks.replace('\r\n', ';a=\rb\r\n')],
  ['an extension with a NUL byte', chunks.replace('\r\n', ';a=\0\r\n')],
  ['an extension with an open quote', chunks.replace('\r\n', ';a="b\r\n')],
  ['an extension of 100 kB', chunks.replace('\r\n', `;a=${'b'.repeat(100_000)}\r\n`), 413],
  ['no last chunk, but another request', `${first}${hidden}\r\n${hidden}`],
  ['a last chunk with a length in its trailers', chunks.replace(/\r\n$/, `${length}\r\n\r\n`)],
  ['a last chunk with a coding in its trailers', chunks.replace(/\r\n$/, `${coding}\r\n\r\n`)],
  ['a trailer with a space before the colon', chunks.replace(/\r\n$/, 'X-Sum : 1\r\n\r\n')],
  ['a trailer with a bare line feed', chunks.replace(/\r\n$/, 'X-Sum: 1\nX-A: b\r\n\r\n')],
  ['a trailer with a NUL byte', chunks.replace(/\r\n$/, 'X-Sum: \0\r\n\r\n')],
  ['a trailer without a colon', chunks.replace(/\r\n$/, 'X-Sum\r\n\r\n')],
  ['a folded trailer', chunks.replace(/\r\n$/, 'X-Sum: 1\r\n 2\r\n\r\n')],
  ['trailers of 100 kB', chunks.replace(/\r\n$/, `X-Sum: ${'1'.repeat(100_000)}\r\n\r\n`), 431],
];

const odd: ClientForm[] = [
  oddChunks('leading zeros in a chunk size', `0000${chunks}`, hidden),
  oddChunks('a chunk size in capitals', `A\r\n0123456789\r\n0\r\n\r\n`, '0123456789'),
  oddChunks('an extension', chunks.replace('\r\n', ';a=b\r\n'), hidden),
  oddChunks('an extension without a value', chunks.replace('\r\n', ';a\r\n'), hidden),
  oddChunks('an extension in quotes', chunks.replace('\r\n', ';a="b;c"\r\n'), hidden),
  oddChunks('an extension that looks like a chunk', chunks.replace('\r\n', ';a="0"\r\n'), hidden),
  oddChunks('an extension of the last chunk', chunks.replace(/0\r\n\r\n$/, '0;a=b\r\n\r\n'), hidden),
  oddChunks('a last chunk of several zeros', chunks.replace(/0\r\n\r\n$/, '000\r\n\r\n'), hidden),
  oddChunks('a chunk for each byte', `${Array.from(hidden, (byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`, hidden),
  oddChunks('chunks within a chunk', `${chunks.length.toString(16)}\r\n${chunks}\r\n0\r\n\r\n`, chunks),
  oddChunks('no bytes', '0\r\n\r\n', ''),
  oddChunks('a trailer', chunks.replace(/\r\n$/, 'X-Sum: 1\r\n\r\n'), hidden, 'Trailer: X-Sum'),
  oddChunks('a trailer that nobody announced', chunks.replace(/\r\n$/, 'X-Sum: 1\r\n\r\n'), hidden),
  oddChunks('a Host trailer', chunks.replace(/\r\n$/, 'Host: elsewhere.test\r\n\r\n'), hidden),
  oddChunks('a key as a trailer', chunks.replace(/\r\n$/, 'X-API-Key: other\r\n\r\n'), hidden),
  oddChunks('a trailer named by Connection', chunks.replace(/\r\n$/, 'X-Sum: 1\r\n\r\n'), hidden, 'Connection: x-sum'),
  oddChunks('a Connection trailer', chunks.replace(/\r\n$/, 'Connection: close\r\n\r\n'), hidden),
  oddChunks(
    'a trailer for the framing with an underscore',
    chunks.replace(/\r\n$/, 'Content_Length: 1\r\n\r\n'),
    hidden,
  ),
  oddChunks('Trailer names Content-Length', chunks, hidden, 'Trailer: Content-Length'),
  oddChunks('Trailer names Transfer-Encoding', chunks, hidden, 'Trailer: Transfer-Encoding'),
];

const bodies = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'PROPFIND'].flatMap((method) => [
  whole('body', method, ['a body with a length']),
  whole('body', method, ['a chunked body', coding]),
]);

const pipelines: ClientForm[] = [
  ...['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PUT', 'PATCH'].map((method) =>
    pipelined(method, ['after no length']),
  ),
  pipelined('GET', ['Connection names a missing length', 'Connection: content-length']),
  pipelined('GET', ['Connection names a length of 0', 'Connection: content-length', 'Content-Length: 0']),
  pipelined('GET', ['Connection names a missing transfer coding', 'Connection: transfer-encoding']),
  pipelined('POST', ['after a length of 0', 'Content-Length: 0']),
  pipelined('POST', ['after a length of 000', 'Content-Length: 000']),
  pipelined('GET', ['after an empty chunked body', coding], '0\r\n\r\n'),
  pipelined('POST', ['after a Host trailer', coding], '0\r\nHost: elsewhere.test\r\nX-API-Key: no\r\n\r\n'),
  pipelined('POST', ['after an unknown expectation', 'Expect: nothing', 'Content-Length: 0']),
  pipelined('POST', ['after an empty line'], '\r\n'),
  pipelined('DELETE', ['after several empty lines'], '\r\n\r\n\r\n'),
  pipelined('HEAD', ['after Keep-Alive', 'Connection: keep-alive', 'Keep-Alive: max=1']),
];

const cut: [name: string, bytes: string][] = [
  ['within the request line', 'GET /v0.1/ag'],
  ['within a header', 'GET /v0.1/agents HTTP/1.1\r\nHost: mo'],
  ['after a header', 'GET /v0.1/agents HTTP/1.1\r\nHost: mock.test\r\n'],
  ['before the body', head('POST', [length])],
  ['within the body', head('POST', [length]) + hidden.slice(1)],
  ['before the chunks', head('POST', [coding])],
  ['within a chunk size', `${head('POST', [coding])}${hex}`],
  ['within a chunk', head('POST', [coding]) + first + hidden.slice(1)],
  ['after a chunk', `${head('POST', [coding])}${first}${hidden}\r\n`],
  ['within the last chunk', `${head('POST', [coding])}${first}${hidden}\r\n0\r\n`],
  ['within the trailers', `${head('POST', [coding])}0\r\nX-Sum: 1\r\n`],
];

export const bodyForms: ClientForm[] = [
  ...bad.map((row) => badChunks(...row)),
  ...odd,
  ...bodies,
  ...pipelines,
  ...cut.map(([name, bytes]) => {
    return { group: 'broken off', name, bytes, arrives: [], refusal: 400, isLate: true, isHalfClosed: true };
  }),
];
