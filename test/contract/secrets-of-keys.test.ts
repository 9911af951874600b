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

it.each([
  ['abc', 'ab', 'ab'],
  ['abcd', 'abc', '<API_KEY> without its last character'],
  ['abcd', 'ABCD', '<API_KEY> in upper case'],
])('the key %s hides what is nearly it only if that is no word: %s becomes %s', (apiKey, text, shown) => {
  const redact = createRedact(secretsOf({ apiKey, headers: {}, otherApiKey: undefined }));
  expect(redact(text)).toBe(shown);
  expect(redact(apiKey)).toBe('<API_KEY>');
});

it.each([
  ['X-Gateway', 'long-one', '<X-Gateway>'],
  ['X-Gateway', 'short', 'short'],
  ['X-Gateway', 'shorte', '<X-Gateway>'],
  ['Cookie', 'short', '<Cookie>'],
])('the header %s: %s is shown as %s', (name, value, shown) => {
  const redact = createRedact(
    secretsOf({ apiKey: 'a-key-of-its-own', headers: { [name]: value }, otherApiKey: undefined }),
  );
  expect(redact(value)).toBe(shown);
});
