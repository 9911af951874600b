import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/shell.ts';
import { timeLimit } from '../../test/support/time-limit.ts';
import { isMissed, isNoticed, mutate } from './stryker.ts';

// The short form of `npm run torture -- mutation`: a file with two conditions, and the tests of one of them.

const folder = temporaryFolder('torture-mutation');
afterAll(() => folder.remove());

const planted = {
  // A pattern with a comma, as a part may have it.
  files: ['proof/mutation/planted/{clamp,no-such-file}.ts'],
  quickTests: ['proof/mutation/planted/clamp-without-high.ts'],
  tests: [],
};

it('the torture of the sources finds the place that no test looks at, and no other', {
  timeout: timeLimit(120_000),
}, async () => {
  const { mutants, total } = await mutate(planted, folder);
  expect(mutants).toHaveLength(total);
  const linesOf = (is: typeof isMissed) => new Set(mutants.filter(is).map(({ text }) => text));
  expect(linesOf(isMissed)).toContain('if (value > high) return high;');
  expect(linesOf(isNoticed)).toContain('if (value < low) return low;');
  // At the bound itself, both give the same.
  const elsewhere = mutants
    .filter(isMissed)
    .filter(({ text }) => !text.includes('high'))
    .map(({ becomes }) => becomes);
  expect(elsewhere).toEqual(['value <= low']);
});
