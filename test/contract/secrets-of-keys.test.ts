import fc from 'fast-check';
import { expect, it } from 'vitest';
import { secretsOf } from '../../conformance/target/credentials.ts';
import { changedKeys, mixed } from '../../conformance/target/near-keys.ts';
import { createRedact } from '../../openapi/reading/secrets.ts';

const keys = fc.stringMatching(/^[a-z]{8,20}$/);
/** Two keys of which one can be made of the other: they share an ending, or differ by one of the near changes. */
const related = fc.oneof(
  fc.tuple(keys, keys, keys).map(([one, other, end]) => [one + end, other + end] as const),
  fc
    .tuple(keys, fc.constantFrom(...changedKeys.map(({ change }) => change)))
    .map(([key, change]) => [key, change(key)] as const),
);

it('a report names each key as itself, also when one can be made of the other', () => {
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
  const redact = createRedact(secretsOf({ apiKey: 'a-key-of-its-own', headers: {}, otherApiKey: undefined, ...given }));
  expect(redact(text)).toBe(shown);
});
