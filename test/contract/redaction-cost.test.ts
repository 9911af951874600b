import { describe, expect, it } from 'vitest';
import { createRedact } from '../../openapi/reading/secrets.ts';

// What it costs to look for secrets, whatever an attacker sends. What is found is in secrets.test.ts.

const shownAs = '<KEY>';

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
