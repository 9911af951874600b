import type { Mutant } from './mutant.ts';

/** The first mutant of each family: the same class of fault in the same place. */
export function oneOfEachFamily(mutants: readonly Mutant[]): Mutant[] {
  const families = Map.groupBy(mutants, (mutant) => [mutant.class, mutant.place, mutant.prefix].join());
  return [...families.values()].flatMap((family) => family.slice(0, 1));
}
