import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRandom } from '../../src/domain/random.ts';
import { cover, coverageOf, seenIn, type Variable } from '../../src/vary/covering.ts';
import type { Choices, Tally } from '../../src/vary/ledger.ts';

const anyVariables: fc.Arbitrary<Variable[]> = fc
  .array(fc.integer({ min: 1, max: 4 }), { maxLength: 14 })
  .map((sizes) => sizes.map((size, at) => ({ id: `p${at}`, choices: Array.from({ length: size }, (_, one) => one) })));

const passed = (choices: Choices): Tally => ({
  ...{ choices, purpose: '', runs: 1, red: 0, latestRed: undefined, met: new Set(Object.keys(choices)) },
});

/** Draws profiles that all pass, until nothing is left to try. */
function drawAll(variables: readonly Variable[], randomSeed: number, apart: string[][] = []): Choices[] {
  const random = createRandom(String(randomSeed));
  const drawn: Choices[] = [];
  for (;;) {
    const one = cover({ variables, seen: seenIn(drawn.map(passed)), start: {}, apart }, random);
    if (one === undefined) return drawn;
    drawn.push(one);
  }
}

it('drawn profiles try every choice and every pair of choices, and each tries something new', () => {
  fc.assert(
    fc.property(anyVariables, fc.nat(), (variables, randomSeed) => {
      const drawn = drawAll(variables, randomSeed);
      const { choices, pairs } = coverageOf(variables, seenIn(drawn.map(passed)));
      expect([choices.tried, pairs.tried]).toEqual([choices.all, pairs.all]);
      expect(drawn.length).toBeLessThanOrEqual(40);
    }),
    { numRuns: 50 },
  );
});

it('the first profiles try every choice', () => {
  fc.assert(
    fc.property(anyVariables, fc.nat(), (variables, randomSeed) => {
      const most = Math.max(0, ...variables.map(({ choices }) => choices.length));
      const { choices } = coverageOf(variables, seenIn(drawAll(variables, randomSeed).slice(0, most).map(passed)));
      expect(choices.tried).toBe(choices.all);
    }),
    { numRuns: 50 },
  );
});

it('open points that are kept apart are never varied together', () => {
  const variables = ['p0', 'p1', 'p2'].map((id) => ({ id, choices: [1, 2] }));
  const together = drawAll(variables, 1, [['p0', 'p1']]).filter((one) => 'p0' in one && 'p1' in one);
  expect(together).toEqual([]);
});
