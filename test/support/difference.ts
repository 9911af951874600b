import { expect } from 'vitest';

/** Asserts that two texts are the same; if not, shows where they start to differ, and what else there is to know. */
export function expectSame(one: string, other: string, about: object): void {
  const difference = one === other ? undefined : firstDifference(one, other);
  expect(difference && { ...difference, about }).toBeUndefined();
}

function firstDifference(one: string, other: string) {
  let at = 0;
  while (one.charCodeAt(at) === other.charCodeAt(at)) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 200), at + 200);
  return { line: one.slice(0, at).split('\n').length, one: around(one), other: around(other) };
}
