import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { depth, randomSeed } from '../support/depth.ts';

// How the project words what breaks a JSON Schema.

const messagesOf = (schema: object, value: unknown) =>
  new Schemas(schema)
    .at('#')(value)
    .map(({ message }) => message);

const broken: [keyword: string, rule: unknown, value: unknown, message: string][] = [
  ['minLength', 1, '', 'must have at least 1 character'],
  ['minLength', 2, 'a', 'must have at least 2 characters'],
  ['maxLength', 1, 'ab', 'must have at most 1 character'],
  ['maxLength', 255, 'a'.repeat(256), 'must have at most 255 characters'],
  ['minItems', 1, [], 'must have at least 1 item'],
  ['maxItems', 0, [1], 'must have at most 0 items'],
  ['minProperties', 1, {}, 'must have at least 1 field'],
  ['maxProperties', 2, { a: 1, b: 2, c: 3 }, 'must have at most 2 fields'],
  ['uniqueItems', true, [1, 2, 1], 'must not contain duplicate items'],
  ['const', 'live', 'x', 'must be "live"'],
  ['enum', ['a', 'b'], 'c', 'must be one of a, b'],
  ['type', ['string', 'null'], 1, 'must be a string or null'],
  ['required', ['a'], {}, 'is required'],
];

describe('a violation of a schema', () => {
  it.each(broken)('says what %s %j asks for', (keyword, rule, value, message) => {
    expect(messagesOf({ [keyword]: rule }, value)).toEqual([message]);
  });

  it.each([
    { not: { pattern: 'x' } },
    { not: { pattern: 'x' }, 'x-violation': 'must be a path' },
    { enum: ['a'] },
    { const: 'a' },
  ])('is told once where a value of the wrong type breaks %j as well', (schema) => {
    for (const value of [null, 7, [], {}])
      expect(messagesOf({ type: 'string', ...schema }, value)).toEqual(['must be a string']);
  });

  it('has a number that agrees with its noun, whatever the limit', () => {
    const limits = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
    const anyRule = fc.tuple(fc.constantFrom(...limits), fc.nat(5));
    const anyValue = fc.oneof(fc.string(), fc.array(fc.nat(), { maxLength: 8 }), fc.dictionary(fc.string(), fc.nat()));
    fc.assert(
      fc.property(anyRule, anyValue, ([keyword, limit], value) => {
        for (const message of messagesOf({ [keyword]: limit }, value))
          expect(message).toMatch(/^must have at (?:least|most) (?:1 [a-z]+[^s]|(?:0|[2-9]) [a-z]+s)$/);
      }),
      { seed: randomSeed, numRuns: depth(100, 2_000) },
    );
  });
});

describe('the violations of a value', () => {
  const schemas = new Schemas({ type: 'array', items: { type: ['string', 'array', 'object'] } });
  const countOf = (one: Schemas, value: unknown) => one.at('#')(value).length;
  const filled = <T>(length: number, item: T) => Array.from({ length }, () => item);
  const mapOf = (size: number) => Object.fromEntries(filled(size, 1).map((one, index) => [`key ${index}`, one]));

  const told = (schema: object, value: unknown, mostErrors?: number) => {
    const found = new Schemas(schema, mostErrors).at('#')(value);
    return { kept: found.length, all: found.reduce((sum, { more = 0 }) => sum + 1 + more, 0) };
  };
  const list = { type: 'array', items: { type: 'string' } };
  const ofObjects = {
    type: 'array',
    items: { type: 'object', required: ['a', 'b'], properties: { c: { type: 'string' }, d: { type: 'string' } } },
  };

  const ofTexts = { type: 'object', additionalProperties: { type: 'string' } };
  const ofLists = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } };
  // A number is wrong, a text is not.
  const inManyPlaces: [string, object, unknown, number][] = [
    ['elements', list, filled(20_000, 1), 20_000],
    ['parts of elements', ofObjects, filled(20_000, { c: 1, d: 1 }), 80_000],
    ['elements of elements', { type: 'array', items: list }, filled(200, filled(100, 1)), 20_000],
    ['unknown fields', { type: 'object', additionalProperties: false }, mapOf(20_000), 20_000],
    ['fields of a map', ofTexts, mapOf(20_000), 20_000],
    // Of these, one list is read to its end.
    ['elements in fields', { properties: { a: list, b: list } }, { a: filled(20_000, 1), b: filled(5, 1) }, 20_005],
    ['elements of a map', ofLists, { a: filled(20_000, 1) }, 20_000],
  ];

  it.each(inManyPlaces)(
    'are kept for each rule, as far as they are few, and counted: %s',
    (_, schema, value, count) => {
      const { kept, all } = told(schema, value, 1_000_000);
      expect(all).toBe(count);
      expect(kept).toBeLessThan(500);
    },
  );

  it.each(inManyPlaces.slice(0, 5))('are looked for no further when there are enough: %s', (_, schema, value) => {
    const { kept, all } = told(schema, value);
    expect(kept).toBeLessThan(500);
    expect(all).toBeGreaterThan(1_000);
    expect(all).toBeLessThan(2_000);
  });

  it('are not hidden by many of another rule before them', () => {
    const value = [...filled(3_000, { a: 1, b: 1, c: 1 }), { a: 1, b: 1, d: 1 }];
    const found = new Schemas(ofObjects, 10_000).at('#')(value);
    expect(found.filter(({ location }) => location[1] === 'd')).toEqual([
      { location: ['3000', 'd'], code: 'type', message: 'must be a string' },
    ]);
  });

  it('are all told while they are few', () => {
    const found = new Schemas(list).at('#')(filled(200, 1));
    expect(found).toHaveLength(200);
    expect(found.filter(({ more }) => more !== undefined)).toEqual([]);
  });

  it.each<[unknown[], boolean]>([
    [[1, '1', true, 'true', null, 'null', [], {}, '[]', '{}'], true],
    [
      [
        { a: 1, b: { c: 1, d: 2 } },
        { b: { d: 2, c: 1 }, a: 1 },
      ],
      false,
    ],
    [[{ a: 1 }, { a: 1, b: 2 }], true],
    [
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      true,
    ],
    [[0, -0], false],
    [JSON.parse('[1e999, null, -1e999, [1e999], [null]]'), true],
    [JSON.parse('[{"__proto__": 1}, {"__proto__": 2}, {}]'), true],
    [filled(2, 'a'), false],
    // Two by two, they would take half an hour.
    [Array.from({ length: 200_000 }, (_, index) => ({ index })), true],
    [[...Array.from({ length: 200_000 }, (_, index) => `${index}`), '0'], false],
  ])('tell items that are the same from others: no. %#', (items, areUnique) => {
    expect(countOf(new Schemas({ type: 'array', uniqueItems: true }), items)).toBe(areUnique ? 0 : 1);
  });

  it.each([[undefined], [null], [5], ['text']])('that is no list are told: %j', (value) => {
    expect(countOf(schemas, value)).toBe(1);
  });

  it('are found by the same validator each time, which is compiled once', () => {
    const schema = { type: 'string' };
    expect(schemas.of(schema)).toBe(schemas.of(schema));
    expect(schemas.of({ type: 'string' })).not.toBe(schemas.of(schema));
  });

  const toldBy = (schema: object, value: unknown) =>
    new Schemas(schema)
      .at('#')(value)
      .map(({ location, code, message }) => `${location.join('.')} ${code}: ${message}`);

  it.each<[object, unknown, string[]]>([
    // The same thing twice is told once.
    [{ allOf: [{ required: ['a'] }, { required: ['a'] }] }, {}, ['a required: is required']],
    [
      { properties: { a: { type: 'string' }, b: { type: 'string' } } },
      { a: 1, b: 1 },
      ['a type: must be a string', 'b type: must be a string'],
    ],
    [
      { properties: { 'a/b': { properties: { 'c~d': { type: 'null' } } } } },
      { 'a/b': { 'c~d': 1 } },
      ['a/b.c~d type: must be null'],
    ],
    // Of a condition, only what it asks for.
    [JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}'), { a: 1 }, ['b required: is required']],
    // Of a value or null, only the value.
    [{ anyOf: [{ minLength: 2 }, { type: 'null' }] }, 'a', [' minLength: must have at least 2 characters']],
    [
      { anyOf: [{ type: 'null' }, { type: 'string' }] },
      1,
      [' type: must be null', ' type: must be a string', ' anyOf: must match a schema in anyOf'],
    ],
    [
      { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'null' }] },
      1,
      [
        ...[' type: must be a string', ' type: must be a boolean', ' type: must be null'],
        ' anyOf: must match a schema in anyOf',
      ],
    ],
    [
      { properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] }, b: { type: 'null' } } },
      { a: 1, b: 1 },
      ['a type: must be a string', 'b type: must be null'],
    ],
    [
      { additionalProperties: false, properties: { a: {}, b: {} } },
      { cccc: 1 },
      ['cccc unknownField: is not a known field (known: a, b)'],
    ],
    [
      { additionalProperties: false, properties: { note: {} } },
      { nite: 1 },
      ['nite unknownField: is not a known field (did you mean note?)'],
    ],
    [{ additionalProperties: false }, { a: 1 }, ['a unknownField: is not a known field (known: )']],
    // In the words of the schema, where it has some.
    [{ pattern: '^a', 'x-violation': 'must begin with a' }, 'b', [' pattern: must begin with a']],
    [{ type: 'string', 'x-violation': 'must begin with a' }, 5, [' type: must be a string']],
    [{ pattern: '^a' }, 'b', [' pattern: must match pattern "^a"']],
    [{ multipleOf: 2 }, 3, [' multipleOf: must be multiple of 2']],
  ])('of %j by %j are told', (schema, value, told) => {
    expect(toldBy(schema, value)).toEqual(told);
  });
});
