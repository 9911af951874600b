import { expect } from 'vitest';
import { differences, type EdgeName } from './differences.ts';
import type { Found } from './edges.ts';

/** Expects an edge to match HTTP except for the known differences, which must exist. */
export function expectSame(edge: EdgeName, found: Found, http: Found): void {
  const named = differences[edge].flatMap(({ facts }): (string | RegExp)[] => [...facts]);
  const isKnown = (name: string) =>
    named.some((known) => (typeof known === 'string' ? known === name : known.test(name)));
  const without = (all: Found) => Object.fromEntries(Object.entries(all).filter(([name]) => !isKnown(name)));
  expect(without(found)).toEqual(without(http));
  const gone = Object.keys(http).filter(
    (name) => isKnown(name) && JSON.stringify(found[name]) === JSON.stringify(http[name]),
  );
  expect(gone, `${edge}: no longer different`).toEqual([]);
}
