import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { defaultProfile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import type { Choice, ChoiceRange } from '../../openapi/points/open-point.ts';
import { parseChoices } from '../../src/cli/parse-choices.ts';
import {
  type Choices,
  isListed,
  type Point,
  rangeWords,
  refusalOf,
  resolved,
  sectionsOf,
  titleOf,
  typedChoice,
  whyFixed,
} from '../../src/ui/points/choices.ts';
import { formats, readProfile } from '../../src/ui/points/profile-text.ts';
import { differing, type InUse, takeBack } from '../../src/ui/points/take-back.ts';
import { depth, randomSeed } from '../support/depth.ts';

// What the view Open points computes, without a browser.

const runs = { seed: randomSeed, numRuns: depth(100, 3_000) };
const register = loadOpenPoints();
const defaults = defaultProfile(register) as unknown as Choices;
const points: Point[] = register.map(({ seen: _, ...point }) => ({
  ...point,
  ...{ now: point.default, isDefault: true, alsoLegal: [] },
}));
const pointOf = (id: string) => points.find((point) => point.id === id) as Point;

function anyTextOf(range: ChoiceRange & { type: 'string' }): fc.Arbitrary<string> {
  // One word, then any of some words in order.
  const [first = '', ...rest] = range.pattern.includes('(?= )') ? (range.pattern.match(/[a-z]\w+/gi) ?? []) : [];
  if (first === '') return fc.stringMatching(new RegExp(range.pattern, 'u'));
  return fc.subarray(rest, { minLength: 1 }).map((some) => [first, ...some].join(' '));
}

/** Every legal choice of an open point, as far as they can be drawn. */
function anyChoice({ choices, range }: Point): fc.Arbitrary<Choice> {
  const listed = fc.constantFrom(...choices.map(({ value }) => value));
  if (range === undefined) return listed;
  if (range.type === 'string') return fc.oneof(listed, anyTextOf(range));
  const within = fc.integer({ min: range.minimum, max: range.maximum });
  return fc.oneof(
    listed,
    within.filter((value) => !range.except?.includes(value)),
  );
}

const anyChoices: fc.Arbitrary<Choices> = fc
  .record(Object.fromEntries(points.map((point) => [point.id, anyChoice(point)])), { requiredKeys: [] })
  .map((choices) => ({ ...choices }) as Choices);

describe('a profile that is written', () => {
  it.each(['yaml', 'json'] as const)('as %s is read back, by the page and by the YAML library', (name) => {
    fc.assert(
      fc.property(anyChoices, (choices) => {
        const text = formats[name].write(choices);
        expect(parse(text)).toEqual(choices);
        expect(readProfile(text, points)).toEqual({ choices });
      }),
      runs,
    );
  });

  it('as flags is what the command reads, through a shell', () => {
    const some = fc.sample(anyChoices, { ...runs, numRuns: depth(5, 100) });
    for (const choices of some) {
      const words = execFileSync('sh', ['-c', `printf '%s\\0' ${formats.flags.write(choices)}`]);
      const values = words
        .toString()
        .split('\0')
        .filter((word) => word !== '' && word !== '--set');
      expect(parseChoices('set', values)).toEqual(choices);
    }
  });

  it('as code is an option of createMock', () => {
    fc.assert(
      fc.property(anyChoices, (choices) => {
        expect(new Function(`return { ${formats.library.write(choices)} }`)()).toEqual({ profile: choices });
      }),
      runs,
    );
  });
});

describe('the file of a profile', () => {
  const errorsOf = (text: string) => {
    const read = readProfile(text, points);
    return 'errors' in read ? read.errors : [];
  };

  it('is never read as anything else than the YAML library reads', () => {
    // Names, numbers, quoted texts, and each sign that means something in YAML, one or several of them in a row.
    const word = fc.constantFrom(
      ...`successStatus.createDrive listOrder "idFormat" 'errorBody' : # 201 -1 0x1f 1.5 007 true null ~ byName "byName" 'it''s'`.split(
        ' ',
      ),
      ...`"\\u0041" " ' - ? ! *a | > % @ \` { } [ ] , --- ... a#b a:b é \u2028 \ufeff \u0000`.split(' '),
      ...[': ', ' ', '  ', '\n', '\r\n', '\t', ' # x', '- ', '&a ', 'a b', 'a: b', 'a #b'],
      'application/json; charset=utf-8',
    );
    const anyText = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));
    const anyLines = fc
      .array(
        fc.tuple(fc.constantFrom('successStatus.createDrive', 'treePathParameter', 'listOrder'), word, word, word),
        {
          maxLength: 3,
        },
      )
      .map((lines) => lines.map(([name, ...rest]) => `${name}: ${rest.join('')}`).join('\n'));
    fc.assert(
      fc.property(fc.oneof(anyText, anyLines), (text) => {
        const read = readProfile(text, points);
        if ('errors' in read) expect(read.errors.length).toBeGreaterThan(0);
        else expect(parse(text)).toEqual(read.choices);
      }),
      { ...runs, numRuns: depth(500, 40_000) },
    );
  });

  it('may have comments, quotes, Windows line ends and a byte order mark', () => {
    const text = '\ufeff---\r\n# ours\r\nsuccessStatus.createDrive: 202 # Accepted\r\n\r\n"listOrder": \'byName\'\r\n';
    expect(readProfile(text, points)).toEqual({ choices: { 'successStatus.createDrive': 202, listOrder: 'byName' } });
    expect(readProfile('"treePathParameter": "a\\u0062"\n', points)).toEqual({ choices: { treePathParameter: 'ab' } });
  });

  it.each([
    ['successStatus.createDrive: 999\n', [/^999 is not a choice of successStatus.createDrive; legal: 201, 200.*\.$/]],
    ['a: 1\nlistOrder: up\n', [/^there is no open point "a"/, /^"up" is not a choice of listOrder/]],
    ['# x\n\ncreateDrive: 201', [/did you mean successStatus.createDrive\?/]],
    ['listOrder: byName\nlistOrder: byName', [/^Line 2 cannot be read here\. Write each open point once/]],
    ['listOrder:\n  - byName', [/^Line 1 cannot be read here/]],
    ['keyOrder: true', [/^Line 1 cannot be read here/]],
    ['{"listOrder": "byName",}', [/^This is not JSON\. .*line 1 column 24/]],
    ['[1, 2]', [/^a profile is an object/]],
    ['', [/has no choices/]],
  ])('is refused with a sentence: %j', (text, expected) => {
    expect(errorsOf(text)).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  });
});

describe('the list of open points', () => {
  it('finds each by its id, its question, its choices, its operations and its sections', () => {
    for (const point of points) {
      const words = [
        point.id,
        point.question,
        point.choices[0]?.means ?? '',
        ...point.operations,
        ...sectionsOf(point),
      ];
      for (const find of words) expect([find, isListed(point, { find })]).toEqual([find, true]);
      expect(isListed(point, { find: `${point.id} nowhere-to-be-found` })).toBe(false);
    }
  });

  it('has only what differs, and only one impact, where that is wanted', () => {
    const changed = { ...pointOf('idFormat'), now: 'numeric', isDefault: false };
    const listed = (only: string) => [changed, ...points].filter((point) => isListed(point, { only }));
    expect(listed('changed')).toEqual([changed]);
    const [hidden, visible] = [listed('hidden'), listed('visible')];
    expect(hidden.every(({ impact }) => impact === 'hidden')).toBe(true);
    expect(hidden.length + visible.length).toBe(points.length + 1);
  });

  it('names the sections of the specification, and a title for each', () => {
    expect(sectionsOf({ sources: ['4.4/gap:1', '4.4/row:limit', '2.mcpServer/row:url', '0/sentence:1'] })).toEqual([
      ...['Section 4.4', 'Section 2 (MCP server)', 'Introduction'],
    ]);
    for (const point of points) {
      for (const section of sectionsOf(point))
        expect(section).toMatch(/^(?:Introduction|Section \d+(?:\.\d+)?(?: \([\w ]+\))?)$/);
      expect(titleOf(point)).toMatch(/^[^N].*[?.]$/);
    }
  });
});

describe('a choice', () => {
  it('is typed as the register has it', () => {
    const ranged = points.flatMap((point) => (point.range === undefined ? [] : [{ point, range: point.range }]));
    const anyOfThem = fc.oneof(
      ...ranged.map(({ point, range }) => anyChoice(point).map((choice) => ({ range, choice }))),
    );
    fc.assert(
      fc.property(anyOfThem, ({ range, choice }) => {
        expect(typedChoice(range, String(choice))).toBe(choice);
      }),
      runs,
    );
  });

  it('has words for each range of the register that are no pattern', () => {
    for (const { range } of points) if (range !== undefined) expect(rangeWords(range)).not.toMatch(/[\\^$]/);
    const { range } = pointOf('optionalFields');
    expect(range && rangeWords(range)).toMatch(/^“without”, then any of .*updatedAt/);
  });

  it('may be another case, and then is what is chosen there', () => {
    expect(resolved('successStatus.createMcpServer', 'createDrive', points)).toBe(201);
    expect(resolved('idFormat', 'uuid', points)).toBe('uuid');
  });

  it('that the mock refuses is told; one that can be made is not', () => {
    const refused = 'is the same for all';
    const point = {
      ...pointOf('bothAuthHeaders'),
      choices: pointOf('bothAuthHeaders').choices.map((one) => ({ ...one, refused })),
    };
    const fixed = {
      ...point,
      choices: point.choices.map(({ refused: why, ...one }) =>
        one.value === point.now ? one : { ...one, refused: why },
      ),
    };
    expect(whyFixed(fixed)).toBe('bothAuthHeaders is the same for all.');
    expect(refusalOf(fixed, 'apiKeyWins')).toBe('bothAuthHeaders: apiKeyWins is the same for all.');
    expect(refusalOf(fixed, fixed.now)).toBeUndefined();
    for (const each of points) expect(whyFixed(each)).toBeUndefined();
  });
});

describe('taking a change back', () => {
  const all = (profile: Choices): InUse => ({ profile });

  it('leads back to what was used, for all', () => {
    fc.assert(
      fc.property(anyChoices, anyChoices, (start, sent) => {
        const before = { ...defaults, ...start };
        const after = { ...before, ...sent };
        const { conflicts, send } = takeBack({ sent, before: all(before), after: all(after) }, all(after));
        expect(conflicts).toEqual([]);
        expect({ ...after, ...send }).toEqual(before);
      }),
      runs,
    );
  });

  it('leaves what others chose at other open points, and names what they chose at the same ones', () => {
    fc.assert(
      fc.property(anyChoices, anyChoices, (sent, theirs) => {
        const after = { ...defaults, ...sent };
        const now = { ...after, ...theirs };
        const { conflicts, send } = takeBack({ sent, before: all(defaults), after: all(after) }, all(now));
        const touched = Object.keys(differing(defaults, after));
        expect(Object.keys(send ?? {})).toEqual(
          touched.sort((one, other) => Object.keys(sent).indexOf(one) - Object.keys(sent).indexOf(other)),
        );
        expect(conflicts).toEqual(
          Object.keys(send ?? {})
            .filter((id) => now[id] !== after[id])
            .map((id) => `${id} (now ${now[id]})`),
        );
      }),
      runs,
    );
  });

  const sent = { listOrder: 'byName' };
  const none = { profile: defaults, hasOwnProfile: false };
  const own = { profile: { ...defaults, ...sent }, hasOwnProfile: true };

  it('of the first change of a sandbox takes its profile away, unless others changed it', () => {
    const made = { sent, before: none, after: own };
    expect(takeBack(made, own)).toEqual({ conflicts: [], send: null });
    const theirs = { profile: { ...own.profile, 'successStatus.createDrive': 202 }, hasOwnProfile: true };
    expect(takeBack(made, theirs)).toEqual({ conflicts: [], send: { listOrder: 'oldestFirst' } });
    expect(takeBack(made, none)).toEqual({ conflicts: [], send: undefined });
  });

  it('of a later change says when the profile is gone', () => {
    const later = { profile: { ...own.profile, 'successStatus.createDrive': 202 }, hasOwnProfile: true };
    const { conflicts, send } = takeBack(
      { sent: { 'successStatus.createDrive': 202 }, before: own, after: later },
      none,
    );
    expect([conflicts, send]).toEqual([
      [expect.stringContaining('no longer has its own')],
      { 'successStatus.createDrive': 201 },
    ]);
  });

  it('of a removal gives the profile back, but for what is the same for all', () => {
    const made = { sent: null, before: own, after: none };
    const now = { profile: { ...defaults, bothAuthHeaders: 'apiKeyWins' }, hasOwnProfile: false };
    expect(takeBack(made, now, new Set(['bothAuthHeaders']))).toEqual({ conflicts: [], send: sent });
    expect(takeBack(made, own).conflicts).toEqual([expect.stringContaining('has its own again')]);
  });
});
