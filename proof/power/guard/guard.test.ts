import { describe, expect, it } from 'vitest';
import { isMatch } from '../../../conformance/checks/check.ts';
import { allChecks } from '../../../conformance/checks/index.ts';
import { depth, isFull, isWhole } from '../../../test/support/depth.ts';
import { repositorySeed, shuffledByName } from '../../../test/support/random-seed.ts';
import type { Mutant } from '../mutant.ts';
import { mutants } from '../mutants/index.ts';
import { type Choosable, chooseMutants, ruleOf } from './choose.ts';
import { company } from './company.ts';
import { missedOf, withoutJudgement } from './find.ts';

// The seed of the repository, also where others draw new ones: a change is refused for what it did.
const guards = chooseMutants(mutants, depth(180, mutants.length), repositorySeed);

const byOperation = Map.groupBy(guards, ({ check }) => check.slice(0, check.indexOf('.')));

// CI draws no more of them than its quick run, which comes first.
describe.runIf(isWhole || !isFull)('the mutants that guard the suite', () => {
  it.concurrent.for([...byOperation])('are found by their checks: %s', async ([, some], { expect }) => {
    expect(await missedOf(some)).toEqual([]);
    // Once more: a mutant that is started again must have forgotten all.
    if (isFull) expect(await missedOf(some)).toEqual([]);
  });

  it('are spread over every kind and place of faults, every operation and most rules', () => {
    const all = (aspect: (mutant: Mutant) => string) => new Set(mutants.map(aspect));
    const met = (aspect: (mutant: Mutant) => string) => new Set(guards.map(aspect));
    for (const aspect of [(one: Mutant) => one.class, (one: Mutant) => one.place, familyOf])
      expect(met(aspect)).toEqual(all(aspect));
    expect(met(({ check }) => ruleOf(check)).size / all(({ check }) => ruleOf(check)).size).toBeGreaterThan(0.6);
  });

  it('run in company of checks that exist', () => {
    const ids = allChecks().map(({ id }) => id);
    const patterns = Object.entries(company).flatMap(([check, others]) => [check, ...others]);
    expect(patterns.filter((pattern) => !ids.some((id) => isMatch(pattern, id)))).toEqual([]);
  });
});

describe('a check without judgement', () => {
  const drawn = shuffledByName(guards, repositorySeed + 1, ({ id }) => id).slice(0, depth(5, 50));

  const cases = drawn.map((mutant) => [mutant.check, mutant] as const);
  it.concurrent.for(cases)('is noticed: %s', async ([id, mutant], { expect }) => {
    const checks = allChecks().map((check) => (check.id === id ? withoutJudgement(check) : check));
    expect(await missedOf([mutant], checks)).toEqual([expect.stringMatching(`^${mutant.id}: ${id} ended as passed`)]);
  });
});

describe('choosing mutants', () => {
  const mutantOf = (check: string, number: number): Choosable => {
    const [kind, place] = number % 2 === 0 ? (['state', 'store'] as const) : (['shape', 'wire'] as const);
    return { id: `${check}-${number}`, check, class: kind, place };
  };
  const some = ['a.one.first', 'b.one.first', 'a.one.second', 'a.two', 'b.two', 'b.three'].flatMap((check) =>
    [1, 2, 3, 4].map((number) => mutantOf(check, number)),
  );

  it('takes one of each family, then one of each rule, then others', () => {
    expect(new Set(chooseMutants(some, 3, 1).map(familyOf))).toEqual(new Set(['one', 'two', 'three']));
    const rules = ['one.first', 'one.second', 'two', 'three'];
    expect(new Set(chooseMutants(some, 4, 1).map(({ check }) => ruleOf(check)))).toEqual(new Set(rules));
    const wide = chooseMutants(some, 8, 1);
    expect(new Set(wide.map(({ place }) => place)).size).toBe(2);
    expect(Map.groupBy(wide, ({ check }) => ruleOf(check)).size).toBe(4);
  });

  it('takes each mutant once, and all of them if asked for more', () => {
    expect(new Set(chooseMutants(some, 100, 1))).toEqual(new Set(some));
    expect(chooseMutants(some, 100, 1)).toHaveLength(some.length);
  });

  it('depends on the seed and on nothing else', () => {
    expect(chooseMutants(some.toReversed(), 5, 1)).toEqual(chooseMutants(some, 5, 1));
    expect(chooseMutants(some, 5, 2)).not.toEqual(chooseMutants(some, 5, 1));
  });

  it('lets a mutant of a new rule join in', () => {
    const joined = mutantOf('a.four', 1);
    expect(chooseMutants([...some, joined], 5, 1)).toContain(joined);
  });
});

function familyOf({ check }: Choosable): string {
  return check.split('.')[1] ?? '';
}
