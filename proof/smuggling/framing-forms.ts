import { type ClientForm, chunks, coding, hidden, length, type Row, refused, size, whole } from './form.ts';

// Content-Length and Transfer-Encoding: in conflict, twice, oddly spelt (RFC 9112, sections 6.1 to 6.3).

const hex = size.toString(16);

const conflicts: Row[] = [
  ['Content-Length before Transfer-Encoding', length, coding],
  ['Transfer-Encoding before Content-Length', coding, length],
  ['a length of 0 before Transfer-Encoding', 'Content-Length: 0', coding],
  ['Transfer-Encoding before a length of 0', coding, 'Content-Length: 0'],
  ['both, named by Connection', 'Connection: content-length, transfer-encoding', coding, length],
  ['both, the coding named by Connection', 'Connection: close, transfer-encoding', coding, length],
  ['both, the coding unknown', 'Transfer-Encoding: xchunked', length],
  ['both, the coding empty', 'Transfer-Encoding:', length],
  ['both, the coding identity', 'Transfer-Encoding: identity', length],
  ['both, the coding in capitals', 'Transfer-Encoding: CHUNKED', length],
  ['both, far apart', length, ...Array.from({ length: 200 }, (_, index) => `X-${index}: a`), coding],
];

const repeatedLengths: Row[] = [
  ['the same length twice', length, length],
  ['two different lengths', 'Content-Length: 0', length],
  ['two different lengths, the larger first', length, 'Content-Length: 0'],
  ['two lengths of 0', 'Content-Length: 0', 'content-length: 0'],
  ['a list of equal lengths', `Content-Length: ${size}, ${size}`],
  ['a list of equal lengths without a space', `Content-Length: ${size},${size}`],
  ['a list of different lengths', `Content-Length: 0, ${size}`],
  ['a list with an empty member', `Content-Length: ${size},`],
  ['a list that begins with an empty member', `Content-Length: ,${size}`],
];

const oddLengths: Row[] = [
  ['a length with a plus sign', `Content-Length: +${size}`],
  ['a length with a minus sign', `Content-Length: -${size}`],
  ['a length of -0', 'Content-Length: -0'],
  ['a length in hexadecimal', `Content-Length: 0x${hex}`],
  ['a length in octal', `Content-Length: 0o${size.toString(8)}`],
  ['a length with an exponent', 'Content-Length: 1e1'],
  ['a length with a fraction', `Content-Length: ${size}.0`],
  ['a length with an underscore', 'Content-Length: 1_0'],
  ['a length with a space inside', 'Content-Length: 1 0'],
  ['a length with a tab inside', 'Content-Length: 1\t0'],
  ['a length in quotes', `Content-Length: "${size}"`],
  ['a length with a parameter', `Content-Length: ${size};a=b`],
  ['a length with a unit', `Content-Length: ${size}B`],
  ['a length that is a word', 'Content-Length: NaN'],
  ['an empty length', 'Content-Length:'],
  ['a length of spaces', 'Content-Length:   '],
  ['a length beyond 64 bits', 'Content-Length: 18446744073709551617'],
  ['a length of a thousand digits', `Content-Length: ${'9'.repeat(1_000)}`],
  ['a length after a NUL byte', `Content-Length: \0${size}`],
  ['a length before a NUL byte', `Content-Length: ${size}\0`],
  ['a length after a vertical tab', `Content-Length: \x0b${size}`],
  ['a length after a form feed', `Content-Length: \x0c${size}`],
  ['a length before a form feed', `Content-Length: ${size}\x0c`],
  ['a length after a no-break space', `Content-Length: \xa0${size}`],
  ['a length in superscript', 'Content-Length: \xb9'],
];

const codings: Row[] = [
  ['an unknown transfer coding', 'Transfer-Encoding: xchunked'],
  ['a transfer coding cut short', 'Transfer-Encoding: chunke'],
  ['the identity transfer coding', 'Transfer-Encoding: identity'],
  ['the gzip transfer coding', 'Transfer-Encoding: gzip'],
  ['an empty Transfer-Encoding', 'Transfer-Encoding: '],
  ['a quoted transfer coding', 'Transfer-Encoding: "chunked"'],
  ['a transfer coding in single quotes', "Transfer-Encoding: 'chunked'"],
  ['a transfer coding in brackets', 'Transfer-Encoding: [chunked]'],
  ['a transfer coding with a parameter', 'Transfer-Encoding: chunked;q=1'],
  ['a transfer coding after a comma', 'Transfer-Encoding: ,chunked'],
  ['a transfer coding before a comma', 'Transfer-Encoding: chunked,'],
  ['a transfer coding after a vertical tab', 'Transfer-Encoding: \x0bchunked'],
  ['a transfer coding before a vertical tab', 'Transfer-Encoding: chunked\x0b'],
  ['a transfer coding after a form feed', 'Transfer-Encoding: \x0cchunked'],
  ['a transfer coding after a NUL byte', 'Transfer-Encoding: \0chunked'],
  ['a transfer coding before a NUL byte', 'Transfer-Encoding: chunked\0'],
  ['a transfer coding after a no-break space', 'Transfer-Encoding: \xa0chunked'],
  ['a transfer coding with a long s', 'Transfer-Encoding: chunked\xc5\xbf'],
  ['a transfer coding before spaces', 'Transfer-Encoding: chunked \t '],
  ['chunked twice in one header', 'Transfer-Encoding: chunked, chunked'],
  ['chunked in two headers', coding, coding],
  ['gzip, chunked in one header', 'Transfer-Encoding: gzip, chunked'],
  ['chunked, gzip in one header', 'Transfer-Encoding: chunked, gzip'],
  ['identity, chunked in one header', 'Transfer-Encoding: identity, chunked'],
  ['chunked, identity in one header', 'Transfer-Encoding: chunked, identity'],
  ['identity, then chunked in two headers', 'Transfer-Encoding: identity', coding],
  ['chunked, then identity in two headers', coding, 'Transfer-Encoding: identity'],
  ['chunked, then an empty one in two headers', coding, 'Transfer-Encoding:'],
  ['two codings that contradict a length', 'Transfer-Encoding: gzip', coding, length],
];

const clear: Row[] = [
  ['a length with leading zeros', `Content-Length: 000${size}`],
  ['a length with a hundred leading zeros', `Content-Length: ${'0'.repeat(100)}${size}`],
  ['a length surrounded by spaces and tabs', `Content-Length: \t ${size} \t`],
  ['a length without a space before it', `Content-Length:${size}`],
  ['a length in odd case', `cOnTeNt-LeNgTh: ${size}`],
  ['Transfer-Encoding in capitals', 'TRANSFER-ENCODING: CHUNKED'],
  ['a transfer coding after a tab', 'Transfer-Encoding:\tchunked'],
  ['a transfer coding without a space before it', 'Transfer-Encoding:chunked'],
];

// Names that a careless server reads as framing. They do not reach it.
const lookalikes: Row[] = [
  ['Content_Length with an underscore', 'Content_Length: 0', length],
  ['Content_Length beside chunks', 'Content_Length: 0', coding],
  ['Transfer_Encoding with an underscore', 'Transfer_Encoding: chunked', length],
  ['X-Content-Length', 'X-Content-Length: 0', length],
  ['Content-Lengt', 'Content-Lengt: 0', length],
  ['Content-Length and a dot', 'Content-Length.: 0', length],
  ['X-Transfer-Encoding', 'X-Transfer-Encoding: chunked', length],
  ['Content-Encoding: chunked', 'Content-Encoding: chunked', length],
  ['Content-Transfer-Encoding: chunked', 'Content-Transfer-Encoding: chunked', length],
  ['TE: chunked', 'TE: chunked', length],
  ['Trailer: Transfer-Encoding', 'Trailer: Transfer-Encoding', length],
  ['many headers before a length', ...Array.from({ length: 3_000 }, () => 'a:b'), length],
  ['many headers before a transfer coding', ...Array.from({ length: 3_000 }, () => 'a:b'), coding],
];

export const framingForms: ClientForm[] = [
  ...conflicts.map((row) => refused('conflict', row)),
  refused('conflict', ['both, and a chunked body that the length cuts', 'Content-Length: 4', coding]),
  refused('conflict', ['both, with GET', length, coding], { method: 'GET' }),
  refused('conflict', ['both, with DELETE', coding, length], { method: 'DELETE' }),
  ...repeatedLengths.map((row) => refused('repeated length', row, { body: hidden })),
  ...oddLengths.map((row) => refused('odd length', row, { body: hidden })),
  refused('odd length', ['a length with a plus sign, with GET', `Content-Length: +${size}`], {
    method: 'GET',
    body: hidden,
  }),
  ...codings.map((row) => refused('transfer coding', row)),
  refused('transfer coding', ['gzip, chunked with GET', 'Transfer-Encoding: gzip, chunked'], { method: 'GET' }),
  refused('transfer coding', ['chunked in HTTP/1.0', coding], { version: '1.0' }),
  refused('transfer coding', ['chunked in HTTP/1.0 with keep-alive', 'Connection: keep-alive', coding], {
    version: '1.0',
  }),
  refused('transfer coding', ['chunked and a length in HTTP/1.0', coding, length], { version: '1.0', body: chunks }),
  ...clear.flatMap((row) => ['POST', 'GET'].map((method) => whole('clear framing', method, row))),
  ...lookalikes.map((row) => whole('lookalike', 'POST', row)),
];
