import type { Profile } from '../../src/index.ts';

/** Remembers in which order a list showed its items: whatever the order is, it must not change. */
export class OrderMemory {
  readonly #pairs = new Set<string>();
  readonly #places = new Map<string, string>();

  /** Says what is wrong with a page, if anything. `whole` names the list that the page was cut from. */
  judge(ids: readonly string[], offset: number, whole: string): string | undefined {
    const contradiction = pairsOf(ids).find(([first, second]) => this.#pairs.has(`${second} ${first}`));
    if (contradiction !== undefined) return `${contradiction.join(' now comes before ')}, and came behind it`;
    for (const pair of pairsOf(ids)) this.#pairs.add(pair.join(' '));
    return this.#misplaced(ids, offset, whole);
  }

  #misplaced(ids: readonly string[], offset: number, whole: string): string | undefined {
    for (const [index, id] of ids.entries()) {
      const place = `${whole} ${offset + index}`;
      const known = this.#places.get(place) ?? id;
      if (known !== id) return `${id} is where ${known} was in the same list, at ${offset + index}`;
      this.#places.set(place, id);
    }
    return undefined;
  }
}

function pairsOf(ids: readonly string[]): [string, string][] {
  return ids.flatMap((first, index) => ids.slice(index + 1).map((second): [string, string] => [first, second]));
}

/** The items in the order of a profile, oldest first given; undefined where the register does not fix it. */
export function inOrder<T>(items: readonly T[], listOrder: Profile['listOrder']): T[] | undefined {
  if (listOrder === 'oldestFirst') return [...items];
  return listOrder === 'newestFirst' ? items.toReversed() : undefined;
}

/** Whether names are sorted by one of the usual comparisons, which the register does not tell apart. */
export function areSorted(names: readonly string[]): boolean {
  const comparisons = [
    (first: string, second: string) => (first < second ? -1 : Number(first > second)),
    (first: string, second: string) => first.localeCompare(second),
    (first: string, second: string) => first.localeCompare(second, 'en', { sensitivity: 'base' }),
  ];
  return comparisons.some((compare) =>
    names.every((name, index) => index === 0 || compare(names[index - 1] ?? '', name) <= 0),
  );
}
