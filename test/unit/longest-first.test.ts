import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { longest, longestFirst } from '../support/longest-first.ts';

const short = Array.from({ length: 20 }, (_, index) => `test/short-${index}.test.ts`);
const names = [...short, ...longest.toReversed()];

it('every file that is said to take long exists', () => {
  expect(longest.filter((name) => !existsSync(join(import.meta.dirname, '../..', name)))).toEqual([]);
});

it('the longest files come first, and each file once', () => {
  const ordered = longestFirst(names, 1);
  expect(ordered.slice(0, longest.length)).toEqual(longest);
  expect(ordered.toSorted()).toEqual(names.toSorted());
  expect(longestFirst(short, 1)).toHaveLength(short.length);
});

it('the seed alone draws the order of the others', () => {
  expect(longestFirst(names.toReversed(), 1)).toEqual(longestFirst(names, 1));
  expect(longestFirst(names, 2)).not.toEqual(longestFirst(names, 1));
});
