import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedKeys, mixed, secretsOf } from '../../conformance/target/credentials.ts';
import {
  createHeadersRedact,
  createRedact,
  createRequestRedact,
  redactCredentials,
  redactHeaders,
} from '../../lib/secrets.ts';
import { asJson, CodedError, excerpt, joined, own, say } from '../../lib/sentence.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { authHeadersOf } from '../../openapi/contract/security.ts';

const shownAs = '<KEY>';
const redactOf = (value: string) => createRedact([{ value, shownAs }]);

/** Any key that a header can carry. */
const anyKey = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 4,
  maxLength: 300,
});

const hexOf = (one: string) => one.charCodeAt(0).toString(16).padStart(2, '0');
const each = (text: string, spell: (one: string, index: number) => string) => Array.from(text, spell).join('');

const spellings: Record<string, (key: string) => string> = {
  'as it is': (key) => key,
  'percent-encoded where necessary': encodeURIComponent,
  'fully percent-encoded in lower case': (key) => each(key, (one) => `%${hexOf(one)}`),
  'partly percent-encoded in upper case': (key) =>
    each(key, (one, index) => (index % 2 ? encodeURIComponent(one) : `%${hexOf(one).toUpperCase()}`)),
  'escaped for JSON': (key) => JSON.stringify(key).slice(1, -1),
  'escaped for JSON, including slashes': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
  'fully escaped for JSON': (key) => each(key, (one) => `\\u00${hexOf(one)}`),
  'escaped for HTML': (key) =>
    each(key, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[one] ?? one),
  'fully escaped for HTML': (key) => each(key, (one) => `&#x${hexOf(one)};`),
  'in JSON within JSON': (key) => JSON.stringify(JSON.stringify(key).slice(1, -1)).slice(1, -1),
  'percent-encoded within JSON': (key) => JSON.stringify(encodeURIComponent(key)).slice(1, -1),
};
const encodings: Record<string, (key: string) => string> = {
  'in base64': (key) => Buffer.from(key).toString('base64').replace(/=+$/, ''),
  'in base64 for URLs': (key) => Buffer.from(key).toString('base64url'),
  'in hex': (key) => Buffer.from(key).toString('hex'),
  'in hex in upper case': (key) => Buffer.from(key).toString('hex').toUpperCase(),
};

describe('secret', () => {
  it.each(Object.entries({ ...spellings, ...encodings }))('is found %s', (name, spell) => {
    const longest = name in encodings ? 256 : Number.POSITIVE_INFINITY;
    fc.assert(
      fc.property(anyKey, (key) => {
        fc.pre(key.length <= longest);
        expect(redactOf(key)(`( ${spell(key)} )`)).toBe(`( ${shownAs} )`);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('is found when it contains non-ASCII characters', () => {
    const key = 'žluťoučký-🚀-key';
    for (const spelt of [key, encodeURIComponent(key), JSON.stringify(key), Buffer.from(key).toString('latin1')])
      expect(redactOf(key)(`<${spelt}>`)).toMatch(/^<"?<KEY>"?>$/);
  });

  it('is replaced without changing the text around it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), fc.string({ maxLength: 50 }), (before, after) => {
        const texts = [before, after].map((text) => text.replaceAll(/[:=]/g, ''));
        fc.pre(texts.every((text) => !text.toLowerCase().includes('sk-')));
        const [start, end] = texts;
        expect(redactOf('sk-12345678')(`${start} sk-12345678 ${end}`)).toBe(`${start} ${shownAs} ${end}`);
      }),
      { seed: 1 },
    );
  });

  it('is named by its own spelling where it is another one in capitals', () => {
    const redact = createRedact([
      { value: 'TEAM-KEY-1', shownAs: '<KEY> in upper case' },
      { value: 'team-key-1', shownAs: '<KEY>' },
    ]);
    expect(redact('team-key-1 TEAM-KEY-1')).toBe('<KEY> <KEY> in upper case');
  });

  it('is replaced as the longest of overlapping secrets', () => {
    const secrets = ['sk-1234', 'sk-12345', '345-end'].map((value) => ({ value, shownAs: `<${value.length}>` }));
    expect(createRedact(secrets)('sk-1234 sk-12345 sk-12345-end')).toBe('<7> <8> <8>');
  });

  it.each([
    ['fail', 'failed', 'failed'],
    ['fail', 'the key fail.', 'the key <KEY>.'],
    ['a', '{"name":"a","at":"/a/b"}', '{"name":"<KEY>","at":"/<KEY>/b"}'],
    ['1', 'limit=1&offset=10', 'limit=<KEY>&offset=10'],
    ['x', 'x-id x_y %78 \\u0078 78', 'x-id x_y <KEY> <KEY> 78'],
    ['.', '127.0.0.1 "."', '127.0.0.1 "<KEY>"'],
    ['', 'nothing', 'nothing'],
    ['failed', 'it unfailedly failed', 'it un<KEY>ly <KEY>'],
    // Among escapes that stand for something else, or by the names of signs.
    ['secret-key', '&#x110000;secret-key', '&#x110000;<KEY>'],
    ['secret-key', '&#1114112;secret-key', '&#1114112;<KEY>'],
    ['secret-key', '&LT;secret-key&gt;', '&LT;<KEY>&gt;'],
    ['secret-key', '\\nsecret-key\\b', '\\n<KEY>\\b'],
    ['secret-key', '&#X73;ecret-key', '<KEY>'],
    ['secret-key', '&#115;ecret-ke%79', '<KEY>'],
    ['secret-key', '%25s%65cret-key', '%25<KEY>'],
    ['secret-key', '%2573ecret-key', '<KEY>'],
    ['secret-key', 'secret&#x110000;-key', 'secret&#x110000;-key'],
    ['a\tb\\c/d-key', '(a\\tb\\\\c\\/d-key)', '(<KEY>)'],
    ['a\nb\r\f\b"key', '(a\\nb\\r\\f\\b\\"key)', '(<KEY>)'],
    [`a&b<c>d"e'f-key`, '(a&amp;b&lt;c&gt;d&quot;e&apos;f-key)', '(<KEY>)'],
  ])('is replaced as a whole word when short and anywhere when longer: %j in %j', (key, text, shown) => {
    expect(redactOf(key)(text)).toBe(shown);
  });
});

describe('redaction by place', () => {
  it.each([
    ['https://me:pass@word@host/a', 'https://me:[REDACTED]@host/a'],
    ['https://token@host', 'https://[REDACTED]@host'],
    ['{"url":"https:\\/\\/me:pass@host"}', '{"url":"https:\\/\\/me:[REDACTED]@host"}'],
    ['/a?url=https%3A%2F%2Fme%3Apass%40host', '/a?url=https%3A%2F%2Fme%3A[REDACTED]%40host'],
    ['/a?password=p&x=1&Secret=q#f', '/a?password=[REDACTED]&x=1&Secret=[REDACTED]#f'],
    [
      '/a?api_key=p%26q&X-Api-Key=1&access_token=2',
      '/a?api_key=[REDACTED]&X-Api-Key=[REDACTED]&access_token=[REDACTED]',
    ],
    ['/a?%74oken=p', '/a?%74oken=[REDACTED]'],
    ['password=p', 'password=[REDACTED]'],
    ['/a?monkey=p&tokens=3&path=/a:b@c', '/a?monkey=p&tokens=3&path=/a:b@c'],
  ])('hides passwords in URLs and secret parameters only: %s', (text, shown) => {
    expect(createRedact([])(text)).toBe(shown);
  });

  it.each(authHeadersOf(loadDocument()))('hides the auth header $header of the contract', ({ header }) => {
    expect(redactHeaders([[header, 'Bearer abcdef']], (text) => text)).toEqual({ [header]: '[REDACTED]' });
  });

  it('hides secret headers, and their values elsewhere', () => {
    const headers: [string, string][] = [
      ['Authorization', 'Bearer sk-abcdef'],
      ['Cookie', 'session=c00kie-value; theme=dark'],
      ['X-Request-Id', 'sk-abcdef'],
      ['Accept', 'text/html'],
    ];
    const redact = createRequestRedact(headers);
    expect(redactHeaders(headers, redact)).toEqual({
      Authorization: '[REDACTED]',
      Cookie: '[REDACTED]',
      'X-Request-Id': '[REDACTED]',
      Accept: 'text/html',
    });
    expect(redact('Bearer sk-abcdef c00kie-value dark')).toBe('[REDACTED] [REDACTED] dark');
    expect(createRequestRedact([['Authorization', 'Bearer']])('a Bearer token')).toBe('a Bearer token');
  });

  const secret = `authorization proxy-authorization cookie set-cookie x-api-key api-key x-apikey x-auth-token x-auth x-auth-key
    x-access-token x-amz-security-token x-vault-token x-csrf-token x-secret x-client-secret x-forwarded-access-token token
    ocp-apim-subscription-key x-functions-key x-password x-goog-api-key private-token key x-key`;
  const harmless = `content-type etag idempotency-key sec-websocket-key x-request-id author x-monkey x-tokens-left cookie-policy
    x-key-id www-authenticate accept`;

  it.each([
    [secret, '[REDACTED]'],
    [harmless, 'value'],
  ])('hides the value of headers and parameters by their names: %s', (names, shown) => {
    const pairs = names
      .split(/\s+/)
      .flatMap((name) => [[name, 'value'] as const, [name.toUpperCase(), 'value'] as const]);
    expect(redactHeaders(pairs, (text) => text)).toEqual(Object.fromEntries(pairs.map(([name]) => [name, shown])));
    for (const [name] of pairs) expect(createRedact([])(`/a?b=1&${name}=value`)).toBe(`/a?b=1&${name}=${shown}`);
  });
});

describe('redaction by the headers of a request', () => {
  it('hides the key without its scheme, and each long part of a secret header', () => {
    const redact = createRequestRedact([
      ['AUTHORIZATION', 'Basic abc'],
      ['proxy-authorization', 'Bearer  xyz'],
      ['Cookie', 'a=secret-1, b=secret-2;c=short;d=longer'],
      ['X-Api-Key', ' k1 '],
    ]);
    expect(redact('abc xyz secret-1 secret-2 short longer k1 Basic Bearer')).toBe(
      `${'[REDACTED] '.repeat(4)}short ${'[REDACTED] '.repeat(2)}Basic Bearer`,
    );
  });

  it('keeps blanks in a value where there is no scheme before it', () => {
    const redact = createRequestRedact([['Api-Key', 'my key']]);
    expect(redact('my key, my, key')).toBe('[REDACTED], my, key');
  });

  it('is the same for headers by name, of which only the secret ones count', () => {
    const redact = createHeadersRedact({ 'x-api-key': 'sk-abcdef', 'api-key': 12_345_678, accept: 'text/html' });
    expect(redact('sk-abcdef 12345678 text/html')).toBe('[REDACTED] [REDACTED] text/html');
    expect(createHeadersRedact({ accept: 'text/html' })('text/html')).toBe('text/html');
  });

  it('shows the scheme of a key, and takes out of the rest what else is secret', () => {
    const redact = redactOf('sk-abcdef');
    expect(redactCredentials('Bearer  sk-abcdef', redact)).toBe('Bearer  <KEY>');
    expect(redactCredentials('sk-abcdef', redact)).toBe('<KEY>');
    expect(redactCredentials('bearer', redactOf('bearer'))).toBe('<KEY>');
    expect(redactCredentials('bearer bearer', redactOf('bearer'))).toBe('bearer <KEY>');
  });
});

describe('sentence', () => {
  it('is cut after it was redacted: all of its parts, or only what it quotes', () => {
    const redact = redactOf('secret-key');
    const sentence = say`the words ${'a secret-key'} and ${excerpt('secret-key-2', 6)}`;
    expect(sentence.shown(redact)).toBe('the words a <KEY> and <KEY>-…');
    expect(sentence.within(7).shown(redact)).toBe('the wor…a <KEY> and <KEY>-…');
    expect(sentence.quotingAtMost(3).shown(redact)).toBe('the words a <… and <KE…');
    expect(sentence.quotingAtMost(5).quotingAtMost(9).plain).toBe('the words a sec… and secre…');
    expect(excerpt('12345', 5).plain).toBe('12345');
  });

  it('is made of several with our own text between them', () => {
    const redact = redactOf('and');
    expect(joined(['and', own('and'), 5], ' and ').shown(redact)).toBe('<KEY> and and and 5');
    expect(joined(['a', 'b']).plain).toBe('a, b');
    expect(joined([]).plain).toBe('');
    expect(String(joined([say`one ${'quoted'}`, 2]))).toBe('one …, 2');
  });

  it('quotes a value as JSON, and says where there is none', () => {
    expect(String(asJson('a'))).toBe('…');
    expect(asJson({ a: [1] }).plain).toBe('{"a":[1]}');
    expect(asJson(undefined).shown(redactOf('absent'))).toBe('absent');
  });

  it('is what an error with a code says, of which quotes have an end', () => {
    class OwnError extends CodedError<'BROKEN'> {}
    const cause = new Error('before');
    const error = new OwnError('BROKEN', say`cannot read ${'x'.repeat(5_001)}`, { cause });
    expect([error.code, error.name, error.cause]).toEqual(['BROKEN', 'OwnError', cause]);
    expect(error.message).toBe(`cannot read ${'x'.repeat(5_000)}…`);
    expect(error.sentence.shown(redactOf('cannot'))).toBe(error.message);
    const plain = new OwnError('BROKEN', `secret-key ${'x'.repeat(5_001)}`);
    expect(plain.sentence.shown(redactOf('secret-key'))).toBe(`secret-key ${'x'.repeat(5_001)}`);
    expect(plain.message).toBe(plain.sentence.plain);
  });

  it('redacts secrets only in quoted values', () => {
    const redact = redactOf('failed');
    const inner = say`it failed with ${'failed'}`;
    const sentence = say`failed: ${inner}, ${own('failed')}, ${200}`;
    expect(sentence.shown(redact)).toBe(`failed: it failed with ${shownAs}, failed, 200`);
    expect(sentence.plain).toBe('failed: it failed with failed, failed, 200');
    expect(String(sentence)).toBe('failed: it failed with …, failed, 200');
  });
});

describe('a report', () => {
  const letters = fc.stringMatching(/^[a-z]{8,20}$/);
  /** Two keys of which one can be made of the other: they share an ending, or differ by one of the near changes. */
  const related = fc.oneof(
    fc.tuple(letters, letters, letters).map(([one, other, end]) => [one + end, other + end] as const),
    fc
      .tuple(letters, fc.constantFrom(...changedKeys.map(({ change }) => change)))
      .map(([key, change]) => [key, change(key)] as const),
  );

  it('names each key as itself, also when one can be made of the other', () => {
    fc.assert(
      fc.property(related, ([apiKey, otherApiKey]) => {
        fc.pre(apiKey !== otherApiKey);
        const redact = createRedact(secretsOf({ apiKey, otherApiKey, headers: {} }));
        expect([redact(apiKey), redact(otherApiKey)]).toEqual(['<API_KEY>', '<OTHER_API_KEY>']);
      }),
    );
  });

  it('a key made of both is named as such', () => {
    const [apiKey, otherApiKey] = ['harbor-key-one', 'quarry-key-two'];
    const redact = createRedact(secretsOf({ apiKey, otherApiKey, headers: {} }));
    const made = mixed(apiKey, otherApiKey);
    expect(made.map(redact)).toEqual(['<API_KEY> with the end of <OTHER_API_KEY>']);
  });

  it.each<[Partial<Parameters<typeof secretsOf>[0]>, string, string]>([
    // What is nearly the key is hidden only if it is no word.
    [{ apiKey: 'abc' }, 'ab', 'ab'],
    [{ apiKey: 'abcd' }, 'abc', '<API_KEY> without its last character'],
    [{ apiKey: 'abcd' }, 'ABCD', '<API_KEY> in upper case'],
    [{ apiKey: 'abc' }, 'abc', '<API_KEY>'],
    [{ headers: { 'X-Gateway': 'long-one' } }, 'long-one', '<X-Gateway>'],
    [{ headers: { 'X-Gateway': 'short' } }, 'short', 'short'],
    [{ headers: { 'X-Gateway': 'shorte' } }, 'shorte', '<X-Gateway>'],
    [{ headers: { Cookie: 'short' } }, 'short', '<Cookie>'],
  ])('with %j, %s is shown as %s', (given, text, shown) => {
    const redact = createRedact(
      secretsOf({ apiKey: 'a-key-of-its-own', headers: {}, otherApiKey: undefined, ...given }),
    );
    expect(redact(text)).toBe(shown);
  });
});

// What it costs to look for secrets, whatever an attacker sends.

/** How often anything is looked up in a map while `act` runs: what the search and the replacement do for each character. */
function countLookups(act: () => void): number {
  const { get } = Map.prototype;
  let count = 0;
  Map.prototype.get = function (key) {
    count++;
    return get.call(this, key);
  };
  try {
    act();
  } finally {
    Map.prototype.get = get;
  }
  return count;
}

/** Texts and keys of an attacker, for a size. */
const hostile: Record<string, (size: number) => { keys: string[]; text: string }> = {
  'near matches everywhere': (size) => {
    const length = Math.round(Math.sqrt(size));
    return { keys: ['a'.repeat(length)], text: `${'a'.repeat(length - 1)}b`.repeat(length) };
  },
  'overlapping matches everywhere': (size) => ({ keys: ['a'.repeat(size / 2)], text: 'a'.repeat(size) }),
  'keys that contain each other': (size) => {
    const length = Math.round(Math.sqrt(size));
    return { keys: Array.from({ length }, (_, index) => 'a'.repeat(index + 1)), text: 'a'.repeat(size) };
  },
  'short keys everywhere': (size) => ({ keys: ['a', 'aa', 'aaa', 'aaaa', 'aaaaa'], text: 'a'.repeat(size) }),
  'escapes everywhere': (size) => ({ keys: ['abcdefgh'], text: '%61\\u0061&#97;%255c'.repeat(size / 20) }),
};

describe('redaction cost', () => {
  it.each(Object.entries(hostile))('grows linearly with text and keys: %s', (_, make) => {
    const [small = 0, large = 0] = [10_000, 40_000].map((size) => {
      const { keys, text } = make(size);
      const redact = createRedact(keys.map((value) => ({ value, shownAs })));
      return countLookups(() => redact(text)) / (text.length + keys.join('').length);
    });
    expect(small).toBeGreaterThan(1);
    expect(small).toBeLessThan(50);
    expect(large).toBeLessThan(small * 1.2);
  });

  // What has no counter: were it to grow with the square, it would not end within the time of a test.
  it.each(['://', '://a:', '//@', '?token=', '&x-api-key', ';;', '%', '\\', '\\u', '&#', '&#x0', '&amp', '?x-x-api-'])(
    'stays low enough for 1 MB of %j',
    (piece) => {
      const redact = createRedact([{ value: 'sk-12345678', shownAs }]);
      const text = piece.repeat(1_000_000 / piece.length);
      expect(redact(text).length).toBeGreaterThan(0);
    },
  );
});
