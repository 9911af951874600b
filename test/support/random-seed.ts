import { createHash } from 'node:crypto';

/**
 * The random seed of `npm test`, the full run and CI. It is fixed, so that runs fail because of changes, not by chance.
 * `npm run explore` draws new seeds; TEST_SEED replays one.
 */
export const repositorySeed = 20_261_125;

/** The items in a random order, from the seed. It depends on their names alone, not on their number. */
export function shuffledByName<T>(items: readonly T[], seed: number, nameOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, key: hash(`${seed} ${nameOf(item)}`) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ item }) => item);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
