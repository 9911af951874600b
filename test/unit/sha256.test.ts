import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256 } from '../../src/browser/sha256.ts';

it('is the digest that Node computes, for texts of any length', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ minLength: 50, maxLength: 70 }),
    fc.string({ maxLength: 500 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
    }),
  );
});
