import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { code, tableOf } from '../../lib/markdown.ts';
import { markup } from '../../lib/markup.ts';
import { decodeQuery } from '../../lib/query.ts';
import { columns, cut, cutAgain, duration, nameList, oneLine, plural, quoted, visible, wrap } from '../../lib/text.ts';
import { randomSeed } from '../support/depth.ts';

// The texts that people read: how they are cut, wrapped, aligned, quoted and escaped.

const noteOf = (text: string) =>
  /^(?<head>.*)… \(truncated, (?<kept>[\d,]+) of (?<all>[\d,]+) characters\)$/su.exec(text);
const texts = fc.string({ unit: 'binary', maxLength: 60 });
const property = <Values extends [unknown, ...unknown[]]>(...parts: Parameters<typeof fc.property<Values>>) =>
  fc.assert(fc.property(...parts), { seed: randomSeed });

describe('a text that is cut', () => {
  it('keeps its beginning, splits no character, and says how much there was', () => {
    property(texts, fc.nat(60), (text, limit) => {
      const shown = cut(text, limit);
      if (text.length <= limit) {
        expect(shown).toBe(text);
        return;
      }
      const { head = '', kept, all } = noteOf(shown)?.groups ?? {};
      expect(text.startsWith(head)).toBe(true);
      expect(limit - head.length).toBeLessThanOrEqual(/[\ud800-\udbff]/.test(text[limit - 1] ?? '') ? 1 : 0);
      expect(head).not.toMatch(/[\ud800-\udbff]$/);
      expect([kept, all]).toEqual([String(head.length), String(text.length)]);
    });
  });

  it('keeps the length of the whole text when it is cut again', () => {
    property(fc.string({ minLength: 21, maxLength: 5_000 }), fc.integer({ min: 1, max: 10 }), (text, limit) => {
      expect(cutAgain(cut(text, 20), limit)).toBe(cut(text, limit));
      expect(cutAgain(text, limit)).toBe(cut(text, limit));
    });
  });

  it.each([
    ['abc… (truncated, 3 of 1,234 characters)', 9, 'abc… (truncated, 3 of 1,234 characters)'],
    // A target wrote the note: it claims less than there is.
    ['abcdef… (truncated, 6 of 2 characters)', 3, 'abc… (truncated, 3 of 7 characters)'],
  ])('is believed no more than its own length: %j', (text, limit, shown) => {
    expect(cutAgain(text, limit)).toBe(shown);
  });
});

describe('lines', () => {
  it('are broken between words, and only where they would be too long', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 30 });
    property(words, fc.integer({ min: 4, max: 30 }), (some, width) => {
      const lines = wrap(some.join(' '), width);
      expect(lines.join(' ')).toBe(some.join(' '));
      for (const [index, line] of lines.entries()) {
        if (line.includes(' ')) expect(line.length).toBeLessThanOrEqual(width);
        const [next = ''] = lines[index + 1]?.split(' ') ?? [];
        if (next !== '') expect(line.length + 1 + next.length).toBeGreaterThan(width);
      }
    });
  });

  it('of names have commas between the names', () => {
    expect(nameList(['one', 'two', 'three'], '  ', 9)).toEqual(['  one, two,', '  three']);
    expect(nameList([])).toEqual(['    ']);
  });

  it('of columns are aligned and have no blanks at their ends', () => {
    const rows = [
      ['a', 'bb', 'c'],
      ['aaa', 'b', ''],
      ['', 'bbb', 'ccc'],
    ];
    expect(columns(rows)).toEqual(['  a    bb   c', '  aaa  b', '       bbb  ccc']);
    expect(columns([['a', 'b']], '')).toEqual(['a  b']);
    expect(columns([])).toEqual([]);
  });
});

it.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [999.5, '1.0 s'],
  [59_949, '59.9 s'],
  [59_950, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('%d ms are %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

it.each<[name: string, shown: (text: string) => string, rows: [text: string, shown: string][]]>([
  [
    'visible',
    visible,
    [
      ['a\r\nb\tc\u001b[1m\u202e\u0000\ud800\ufeff', 'a\nb\tc[U+001B][1m[U+202E][U+0000][U+D800][U+FEFF]'],
      ['👩\u200d🚀', '👩\u200d🚀'],
    ],
  ],
  ['oneLine', oneLine, [[' a\n\t b \u0007 ', 'a b [U+0007]']]],
  [
    'quoted',
    quoted,
    [
      ['/a/b-1.json', '/a/b-1.json'],
      ['a b', "'a b'"],
      ['a;b', "'a;b'"],
      ['a\n', "'a\n'"],
      ['', "''"],
      ["it's", `'it'\\''s'`],
    ],
  ],
  [
    'code',
    code,
    [
      ['a|b\n`c`', '<code>a&#124;b&#91;U+000A&#93;&#96;c&#96;</code>'],
      [' a', '<code> a</code>'],
      ['a b', '`a b`'],
    ],
  ],
])('%s shows a text', (_, shown, rows) => {
  expect(rows.map(([text]) => shown(text))).toEqual(rows.map(([, text]) => text));
});

it('counts with the noun in the right number', () => {
  expect([plural(1, 'check'), plural(0, 'check'), plural(1_200, 'reply', 'replies')]).toEqual([
    ...['1 check', '0 checks', '1,200 replies'],
  ]);
});

it('escapes pipes in the cells of a table', () => {
  expect(tableOf(['a', 'b'], [['1|2', '3']])).toBe('| a | b |\n| --- | --- |\n| 1\\|2 | 3 |');
});

it('escapes what is put into a template of markup, and leaves out what is absent', () => {
  const hostile = `<&>"'\u0000`;
  const parts = [1, markup`<b>${hostile}</b>`, undefined, false] as const;
  expect(markup`<a>${hostile}${parts}${false}${undefined}${0}</a>`.text).toBe(
    '<a>&lt;&amp;&gt;&quot;&#39;[U+0000]1<b>&lt;&amp;&gt;&quot;&#39;[U+0000]</b>0</a>',
  );
});

it.each<[string, [string, string | undefined][]]>([
  ['', []],
  ['&&', []],
  ['a', [['a', '']]],
  ['a=', [['a', '']]],
  [
    'a=b=c&=d',
    [
      ['a', 'b=c'],
      ['', 'd'],
    ],
  ],
  ['a+b=%2Bc+d', [['a b', '+c d']]],
  ['%=%zz', [['%', undefined]]],
])('the query %j is decoded', (query, pairs) => {
  expect(decodeQuery(query).map(({ name, value }) => [name, value])).toEqual(pairs);
});
