import { expect } from 'vitest';
import { type Difference, differences, type EdgeName } from './differences.ts';
import type { Found } from './edges.ts';

/** Expects an edge to match HTTP except for the known differences, which must exist in every version. */
export function expectSame(edge: EdgeName, found: Found, http: Found): void {
  const known: readonly Difference[] = differences[edge];
  const isIn = (some: readonly Difference[], name: string) =>
    some.flatMap(({ facts }) => facts).some((fact) => (typeof fact === 'string' ? fact === name : fact.test(name)));
  const isKnown = (name: string) => isIn(known, name);
  const lasting = known.filter(({ isOfSomeVersions }) => isOfSomeVersions !== true);
  const without = (all: Found) => Object.fromEntries(Object.entries(all).filter(([name]) => !isKnown(name)));
  expect(without(found)).toEqual(without(http));
  const gone = Object.keys(http).filter(
    (name) => isIn(lasting, name) && JSON.stringify(found[name]) === JSON.stringify(http[name]),
  );
  expect(gone, `${edge}: no longer different`).toEqual([]);
}
