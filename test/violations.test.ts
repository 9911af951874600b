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
