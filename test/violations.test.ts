import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Schemas } from '../openapi/contract/schemas.ts';
import { depth, randomSeed } from './support/depth.ts';

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
  ['uniqueItems', true, [1, 2, 1], 'must not have the same item twice'],
  ['const', 'live', 'x', 'must be "live"'],
  ['enum', ['a', 'b'], 'c', 'must be one of a, b'],
  ['type', ['string', 'null'], 1, 'must be string or null'],
  ['required', ['a'], {}, 'is required'],
];

describe('a violation of a schema', () => {
  it.each(broken)('says what %s %j asks for', (keyword, rule, value, message) => {
    expect(messagesOf({ [keyword]: rule }, value)).toEqual([message]);
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
  const countOf = (value: unknown) => schemas.at('#')(value).length;
  const filled = <T>(length: number, item: T) => Array.from({ length }, () => item);

  // A number is wrong, a text is not.
  it.each<[string, unknown, number]>([
    ['9,999 parts', filled(9_999, 1), 9_999],
    ['10,000 parts', filled(10_000, 1), 1],
    ['9,999 parts, some of them deeper', [1, 1, ['text', ...filled(9_995, 'a')]], 2],
    ['10,000 parts, some of them deeper', [1, 1, ['text', ...filled(9_996, 'a')]], 1],
    ['10,000 parts in fields', [1, 1, Object.fromEntries(filled(9_997, 'a').map((text, at) => [at, text]))], 1],
    ['10,000 parts in several lists', [1, 1, ...filled(4, filled(2_499, 'a'))], 1],
    ['parts that are null or undefined', [1, 1, [null, undefined, null], { a: undefined, b: null }], 2],
    ['parts behind some that are undefined', [1, 1, filled(9_998, 'a'), undefined, undefined], 1],
  ])('with %s are told all, or the first of many', (_, value, count) => {
    expect(countOf(value)).toBe(count);
  });

  it.each([[undefined], [null], [5], ['text']])('that is no list are told: %j', (value) => {
    expect(countOf(value)).toBe(1);
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
      ['a type: must be string', 'b type: must be string'],
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
      [' type: must be null', ' type: must be string', ' anyOf: must match a schema in anyOf'],
    ],
    [
      { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'null' }] },
      1,
      [
        ...[' type: must be string', ' type: must be boolean', ' type: must be null'],
        ' anyOf: must match a schema in anyOf',
      ],
    ],
    [
      { properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] }, b: { type: 'null' } } },
      { a: 1, b: 1 },
      ['a type: must be string', 'b type: must be null'],
    ],
    [
      { additionalProperties: false, properties: { a: {}, b: {} } },
      { cccc: 1 },
      ['cccc unknownField: is not a known field (known: a, b)'],
    ],
    [{ additionalProperties: false }, { a: 1 }, ['a unknownField: is not a known field (known: )']],
    // In the words of the schema, where it has some.
    [{ pattern: '^a', 'x-violation': 'must begin with a' }, 'b', [' pattern: must begin with a']],
    [{ type: 'string', 'x-violation': 'must begin with a' }, 5, [' type: must be string']],
    [{ pattern: '^a' }, 'b', [' pattern: must match pattern "^a"']],
    [{ multipleOf: 2 }, 3, [' multipleOf: must be multiple of 2']],
  ])('of %j by %j are told', (schema, value, told) => {
    expect(toldBy(schema, value)).toEqual(told);
  });
});
