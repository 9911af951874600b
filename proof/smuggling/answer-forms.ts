import type { WireAnswer } from '../../test/support/wire-upstream.ts';

/** What an upstream answers to one request, and what must become of it. */
export interface AnswerForm {
  group: string;
  name: string;
  method: string;
  answer: WireAnswer;
  /** What the client gets: one whole answer, one of the proxy itself, or the beginning of one and then the end. */
  expected: { status: number; body: string } | 'replaced' | 'cut off';
}

type Row = readonly [name: string, ...pieces: string[]];

const ok = 'HTTP/1.1 200 OK';
const coding = 'Transfer-Encoding: chunked';
const two = 'Content-Length: 2';

function head(...lines: string[]): string {
  return [...lines, '', ''].join('\r\n');
}

const plain = `${head(ok, two)}{}`;
// For the next request, an attacker hopes.
const evil = `${head(ok, 'Content-Length: 4')}evil`;

function replaced(group: string, [name, ...pieces]: Row, ending?: 'close' | 'reset', method = 'GET'): AnswerForm {
  return { group, name, method, answer: { pieces, ...(ending && { ending }) }, expected: 'replaced' };
}

function cut([name, ...pieces]: Row, ending: 'close' | 'reset' = 'close'): AnswerForm {
  return { group: 'early end', name, method: 'GET', answer: { pieces, ending }, expected: 'cut off' };
}

function relayed(
  group: string,
  [name, ...pieces]: Row,
  { status = 200, body = '{}', method = 'GET', ending }: Relayed = {},
): AnswerForm {
  return { group, name, method, answer: { pieces, ...(ending && { ending }) }, expected: { status, body } };
}

interface Relayed {
  status?: number;
  body?: string;
  method?: string;
  ending?: 'close' | 'reset';
}

const framings: Row[] = [
  ['a length and chunks', `${head(ok, two, coding)}0\r\n\r\n`],
  ['chunks and a length', `${head(ok, coding, two)}2\r\n{}\r\n0\r\n\r\n`],
  ['chunks and a length, both named by Connection', `${head(ok, 'Connection: content-length', coding, two)}0\r\n\r\n`],
  ['two different lengths', `${head(ok, two, 'Content-Length: 3')}{}`],
  ['the same length twice', `${head(ok, two, two)}{}`],
  ['a list of lengths', `${head(ok, 'Content-Length: 2, 2')}{}`],
  ['a length with a sign', `${head(ok, 'Content-Length: +2')}{}`],
  ['a negative length', `${head(ok, 'Content-Length: -2')}{}`],
  ['a length in hexadecimal', `${head(ok, 'Content-Length: 0x2')}{}`],
  ['a length with a fraction', `${head(ok, 'Content-Length: 2.0')}{}`],
  ['a length with a space inside', `${head(ok, 'Content-Length: 2 0')}{}`],
  ['an empty length', `${head(ok, 'Content-Length:')}{}`],
  ['a length beyond 64 bits', `${head(ok, 'Content-Length: 18446744073709551618')}{}`],
  ['a length before a space and a colon', `${head(ok, 'Content-Length : 2')}{}`],
  ['a gzip transfer coding', `${head(ok, 'Transfer-Encoding: gzip', 'Connection: close')}{}`],
  ['gzip and chunked transfer codings', `${head(ok, 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`],
  ['an identity transfer coding', `${head(ok, 'Transfer-Encoding: identity')}{}`],
  ['an unknown transfer coding', `${head(ok, 'Transfer-Encoding: xchunked')}2\r\n{}\r\n0\r\n\r\n`],
  ['chunked twice', `${head(ok, 'Transfer-Encoding: chunked, chunked')}2\r\n{}\r\n0\r\n\r\n`],
  ['chunked in two headers', `${head(ok, coding, coding)}2\r\n{}\r\n0\r\n\r\n`],
  ['chunked in HTTP/1.0', `${head('HTTP/1.0 200 OK', coding)}2\r\n{}\r\n0\r\n\r\n`],
  ['a transfer coding before a space and a colon', `${head(ok, 'Transfer-Encoding : chunked')}2\r\n{}\r\n0\r\n\r\n`],
  ['a transfer coding on a folded line', `${head(ok, 'Transfer-Encoding:', ' chunked')}2\r\n{}\r\n0\r\n\r\n`],
];

const heads: Row[] = [
  ['a switch of protocols', head('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: h2c')],
  ['a switch to no protocol', head('HTTP/1.1 101 Switching Protocols')],
  ['a switch of protocols, then an answer', head('HTTP/1.1 101 Switching Protocols', 'Upgrade: h2c') + plain],
  ['status 099', `${head('HTTP/1.1 099 Odd', two)}{}`],
  ['status 000', `${head('HTTP/1.1 000 Odd', two)}{}`],
  ['a status of two digits', `${head('HTTP/1.1 20 Odd', two)}{}`],
  ['a status of four digits', `${head('HTTP/1.1 2000 Odd', two)}{}`],
  ['a status with a letter', `${head('HTTP/1.1 20x Odd', two)}{}`],
  ['a negative status', `${head('HTTP/1.1 -200 Odd', two)}{}`],
  ['no status', `${head('HTTP/1.1', two)}{}`],
  ['a control character in the reason', `${head('HTTP/1.1 200 O\x01K', two)}{}`],
  ['a bare carriage return in the reason', `${head('HTTP/1.1 200 OK\rX-A: b', two)}{}`],
  ['a bare carriage return in a value', `${head(ok, 'X-A: b\rX-B: c', two)}{}`],
  ['a NUL byte in a value', `${head(ok, 'X-A: \0', two)}{}`],
  ['a name with a space', `${head(ok, 'X A: b', two)}{}`],
  ['a name with a byte above ASCII', `${head(ok, 'X\xe9: b', two)}{}`],
  ['an empty name', `${head(ok, ': b', two)}{}`],
  ['a line without a colon', `${head(ok, 'X-A', two)}{}`],
  ['a folded line', `${head(ok, 'X-A: b', ' c', two)}{}`],
  ['another protocol', '220 mail.example ESMTP\r\n'],
  ['a body without a head', '{}'],
  ['a TLS alert', '\x15\x03\x03\0\x02\x02\x28'],
  ['a head of 80 kB', `${head(ok, `X-A: ${'a'.repeat(80_000)}`, two)}{}`],
];

const ends: Row[] = [
  ['before the status line', ''],
  ['within the status line', 'HTTP/1.1 2'],
  ['within a header', `${ok}\r\nContent-Le`],
  ['after an interim answer', head('HTTP/1.1 103 Early Hints')],
];

const cuts: Row[] = [
  ['before the body', head(ok, two)],
  ['within the body', `${head(ok, two)}{`],
  ['within the body, which looks like an answer', `${head(ok, `Content-Length: ${evil.length + 1}`)}${evil}`],
  ['before the chunks', head(ok, coding)],
  ['within a chunk size', `${head(ok, coding)}2`],
  ['within a chunk', `${head(ok, coding)}2\r\n{`],
  ['after a chunk', `${head(ok, coding)}2\r\n{}\r\n`],
  ['within the last chunk', `${head(ok, coding)}2\r\n{}\r\n0\r\n`],
  ['within the trailers', `${head(ok, coding)}2\r\n{}\r\n0\r\nX-Sum: 1\r\n`],
  ['after a length in the trailers', `${head(ok, coding)}2\r\n{}\r\n`, '0\r\nContent-Length: 2\r\n\r\n'],
  ['after an odd chunk size', `${head(ok, coding)}2\r\n{}\r\n`, 'x\r\n'],
  ['after a chunk longer than its size', `${head(ok, coding)}1\r\n{`, '}\r\n0\r\n\r\n'],
  ['after a chunk size beyond 64 bits', `${head(ok, coding)}1\r\n{\r\n`, '10000000000000002\r\n}\r\n0\r\n\r\n'],
  ['after a chunk with bare line feeds', `${head(ok, coding)}1\r\n{\r\n`, '1\n}\n0\n\n'],
];

const tooMuch: AnswerForm[] = [
  ...[
    ['another answer after a length', plain + evil],
    ['another answer a moment after a length', plain, evil],
    ['another answer after chunks', `${head(ok, coding)}2\r\n{}\r\n0\r\n\r\n${evil}`],
    ['another answer a moment after chunks', `${head(ok, coding)}2\r\n{}\r\n0\r\n\r\n`, evil],
    ['bytes after a length', `${plain}xyz`],
    ['bytes a moment after a length', plain, 'xyz'],
    ['an interim answer a moment after the final one', plain, head('HTTP/1.1 100 Continue') + evil],
    ['half an answer a moment after the final one', plain, `${ok}\r\nX-A: `],
    ['ten answers', plain + evil.repeat(9)],
    ['answers one after the other', plain, evil, evil, evil],
  ].map((row) => relayed('too much', row as unknown as Row)),
  relayed('too much', ['a body after a length of 0', `${head(ok, 'Content-Length: 0')}${evil}`], { body: '' }),
  relayed('too much', ['a body to HEAD', `${head(ok, two)}{}`], { method: 'HEAD', body: '' }),
  relayed('too much', ['an answer as the body to HEAD', head(ok, `Content-Length: ${evil.length}`) + evil], {
    method: 'HEAD',
    body: '',
  }),
  relayed('too much', ['an answer a moment after HEAD', head(ok, two), evil], { method: 'HEAD', body: '' }),
  ...[204, 304].flatMap((status) => [
    relayed('too much', [`a body with status ${status}`, `${head(`HTTP/1.1 ${status} Odd`, two)}{}`], {
      status,
      body: '',
    }),
    relayed(
      'too much',
      [`chunks with status ${status}`, `${head(`HTTP/1.1 ${status} Odd`, coding)}2\r\n{}\r\n0\r\n\r\n`],
      { status, body: '' },
    ),
    relayed('too much', [`an answer as body with status ${status}`, head(`HTTP/1.1 ${status} Odd`) + evil], {
      status,
      body: '',
    }),
    relayed('too much', [`an answer a moment after status ${status}`, head(`HTTP/1.1 ${status} Odd`), evil], {
      status,
      body: '',
    }),
  ]),
];

const readable: AnswerForm[] = [
  relayed('readable', ['Trailer with a length', `${head(ok, 'Trailer: X-Sum', two)}{}`]),
  relayed('readable', ['Trailer to HEAD', head(ok, 'Trailer: X-Sum', coding)], { method: 'HEAD', body: '' }),
  relayed('readable', ['Trailer with status 204', head('HTTP/1.1 204 No Content', 'Trailer: X-Sum')], {
    status: 204,
    body: '',
  }),
  relayed('readable', ['a length with status 204', head('HTTP/1.1 204 No Content', 'Content-Length: 5')], {
    status: 204,
    body: '',
  }),
  relayed('readable', ['a length with status 304', head('HTTP/1.1 304 Not Modified', 'Content-Length: 5')], {
    status: 304,
    body: '',
  }),
  relayed('readable', ['a length named by Connection', `${head(ok, 'Connection: content-length', two)}{}`]),
  relayed('readable', [
    'a coding named by Connection',
    `${head(ok, 'Connection: transfer-encoding', coding)}2\r\n{}\r\n0\r\n\r\n`,
  ]),
  relayed('readable', ['a length with leading zeros', `${head(ok, 'Content-Length: 002')}{}`]),
  relayed('readable', ['a length surrounded by spaces', `${head(ok, 'Content-Length:  2 \t')}{}`]),
  relayed('readable', ['Content_Length with an underscore', `${head(ok, 'Content_Length: 0', two)}{}`]),
  relayed('readable', ['a coding in capitals', `${head(ok, 'TRANSFER-ENCODING: CHUNKED')}2\r\n{}\r\n0\r\n\r\n`]),
  relayed('readable', ['a chunk extension', `${head(ok, coding)}2;a=b\r\n{}\r\n0\r\n\r\n`]),
  relayed('readable', ['a trailer', `${head(ok, coding)}2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n`]),
  relayed('readable', ['a body until the connection closes', `${head(ok)}{}`], { ending: 'close' }),
  relayed('readable', ['a body that looks like an answer until the connection closes', head(ok) + evil], {
    ending: 'close',
    body: evil,
  }),
  relayed('readable', ['HTTP/1.0', `${head('HTTP/1.0 200 OK', two)}{}`]),
  relayed('readable', ['HTTP/1.0 until the connection closes', `${head('HTTP/1.0 200 OK')}{}`], { ending: 'close' }),
  relayed('readable', ['Connection: close', `${head(ok, 'Connection: close', two)}{}`], { ending: 'close' }),
  relayed('readable', ['Connection: upgrade', `${head(ok, 'Connection: upgrade', 'Upgrade: h2c', two)}{}`]),
  relayed('readable', ['an unknown status', `${head('HTTP/1.1 799 Odd', two)}{}`], { status: 799 }),
  relayed('readable', ['no reason', `${head('HTTP/1.1 200', two)}{}`]),
  relayed('readable', ['a reason above ASCII', `${head('HTTP/1.1 200 \xe9', two)}{}`]),
  relayed('readable', [
    'two Dates and two cookies',
    `${head(ok, 'Date: a', 'Date: b', 'Set-Cookie: a', 'Set-Cookie: b', two)}{}`,
  ]),
  relayed('readable', ['a head piece by piece', 'HTTP/1.1 20', '0 OK\r\nContent-', 'Length: 2\r', '\n\r\n{', '}']),
];

const interim: AnswerForm[] = [
  relayed('interim', ['a 100 that nobody waits for', head('HTTP/1.1 100 Continue') + plain]),
  relayed('interim', ['a 102', head('HTTP/1.1 102 Processing') + plain]),
  relayed('interim', ['a 103', head('HTTP/1.1 103 Early Hints', 'Link: </a>; rel=preload') + plain]),
  relayed('interim', ['a 103 with a length', head('HTTP/1.1 103 Early Hints', 'Content-Length: 9') + plain]),
  relayed('interim', ['a 103 with chunks', head('HTTP/1.1 103 Early Hints', coding) + plain]),
  relayed('interim', ['a 103 with an odd link', head('HTTP/1.1 103 Early Hints', 'Link: none') + plain]),
  relayed('interim', [
    'a 103 that names the framing',
    head('HTTP/1.1 103 Early Hints', 'Link: </a>; rel=preload', two) + plain,
  ]),
  relayed('interim', ['an unknown interim status', head('HTTP/1.1 155 Soon') + plain]),
  relayed('interim', ['an interim answer, then a pause', head('HTTP/1.1 103 Early Hints'), plain]),
  relayed('interim', ['500 times 100', head('HTTP/1.1 100 Continue').repeat(500) + plain]),
  relayed('interim', ['500 times 102', head('HTTP/1.1 102 Processing').repeat(500) + plain]),
  relayed('interim', [
    '500 times 103',
    head('HTTP/1.1 103 Early Hints', 'Link: </a>; rel=preload').repeat(500) + plain,
  ]),
];

/** Everything that an upstream may answer to have its client, or another one, read something else. */
export const answerForms: readonly AnswerForm[] = [
  ...framings.map((row) => replaced('answer framing', row)),
  ...heads.map((row) => replaced('answer head', row)),
  ...ends.flatMap((row) => [
    replaced('early end', row, 'close'),
    replaced('early end', [`${row[0]}, by a reset`, ...row.slice(1)], 'reset'),
  ]),
  ...cuts.map((row) => cut(row)),
  cut(['by a reset within the body', `${head(ok, two)}{`, ''], 'reset'),
  cut(['by a reset of a body without a length', `${head(ok)}{`, ''], 'reset'),
  replaced('interim', ['more 100 than anybody needs', head('HTTP/1.1 100 Continue').repeat(20_000) + plain]),
  replaced('interim', [
    'more 103 than anybody needs',
    head('HTTP/1.1 103 Early Hints', 'Link: </a>; rel=preload').repeat(20_000),
  ]),
  ...tooMuch,
  ...readable,
  ...interim,
];
