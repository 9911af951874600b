import { expect, it } from 'vitest';
import { clamp } from './clamp.ts';

// The tests of clamp, but for one: nothing is too high here. proof/mutation/torture.full.test.ts finds that out.

it('gives the low bound for what is below it', () => {
  expect([clamp(-1, 0, 9), clamp(-2, -1, 9)]).toEqual([0, -1]);
});

it('gives back what is within the bounds', () => {
  expect([clamp(3, 0, 9), clamp(1, 0, 9)]).toEqual([3, 1]);
});
