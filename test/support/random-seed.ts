import { createHash } from 'node:crypto';

/**
 * The random seed of `npm test`, of the full run and of CI. It stands here and nowhere else, so that a run fails for what was
 * changed, and not for the day. `npm run explore` draws new seeds. TEST_SEED replays one of them.
 */
export const repositorySeed = 20_261_125;

/** The items in an order that the seed draws. It depends on their names alone, not on how many there are. */
export function shuffledByName<T>(items: readonly T[], seed: number, nameOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, key: hash(`${seed} ${nameOf(item)}`) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ item }) => item);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
