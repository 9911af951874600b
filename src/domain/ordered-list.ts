import type { Profile } from '../../openapi/contract/profile.ts';
import { hash } from './random.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
}

type Note = (id: string, value: true | undefined) => void;

type Compare = (a: Listed, b: Listed) => number;

const byAge: Compare = (a, b) => a.createdAtMs - b.createdAtMs;

// newestFirst is stored oldest first and read backwards, so that a creation does not shift the whole list.
const comparisons: Record<Profile['listOrder'], Compare> = {
  oldestFirst: byAge,
  newestFirst: byAge,
  byName: (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  arbitrary: (a, b) => hash(a.id) - hash(b.id),
};

/**
 * A list in the order of the open point `listOrder`. The cost of a page depends only on its size. A copy shares its items
 * until one of the two changes.
 */
export class OrderedList<T extends Listed> {
  readonly #order: Profile['listOrder'];
  #items: T[];
  /** The ids in order of arrival, the tie-breaker for items that are equal in the list's order. */
  #arrived: string[];
  #isShared = false;
  readonly #note: Note | undefined;

  /** `note` is called for each id added to the list or removed from it. */
  constructor(order: Profile['listOrder'], items: readonly T[] = [], note?: Note) {
    this.#order = order;
    this.#note = note;
    this.#items = items.toSorted(comparisons[order]);
    this.#arrived = items.map(({ id }) => id);
  }

  /** The same list. `toItem` turns each item into its version in the copy, with the same id, name and creation time. */
  copy(note?: Note, toItem?: (item: T) => T): OrderedList<T> {
    const copy = new OrderedList<T>(this.#order, [], note);
    copy.#items = toItem === undefined ? this.#items : this.#items.map(toItem);
    copy.#arrived = this.#arrived;
    copy.#isShared = this.#isShared = true;
    return copy;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Identifies the items: lists that share them return the same object. */
  get mark(): object {
    return this.#items;
  }

  add(item: T): void {
    this.#note?.(item.id, true);
    this.#own();
    this.#arrived.push(item.id);
    const compare = comparisons[this.#order];
    const place = countFirst(this.#items, (listed) => compare(listed, item) <= 0);
    this.#items.splice(place, 0, item);
  }

  /** Replaces an item by a new version with the same name and creation time. `earlier` can be any such version. */
  replace(earlier: T, item: T): void {
    const index = this.#placeOf(earlier);
    if (index < 0) return;
    this.#own();
    this.#items[index] = item;
  }

  #own(): void {
    if (!this.#isShared) return;
    this.#items = [...this.#items];
    this.#arrived = [...this.#arrived];
    this.#isShared = false;
  }

  // Items that are equal in the list's order are adjacent.
  #placeOf(item: T): number {
    const compare = comparisons[this.#order];
    const isBefore = (listed: T) => compare(listed, item) < 0;
    for (let place = countFirst(this.#items, isBefore); place < this.#items.length; place++) {
      const listed = this.#items[place] as T;
      if (listed.id === item.id) return place;
      if (compare(listed, item) > 0) return -1;
    }
    return -1;
  }

  page(offset: number, limit: number): T[] {
    if (this.#order !== 'newestFirst') return this.#items.slice(offset, offset + limit);
    const end = this.#items.length - offset;
    return end <= 0 ? [] : this.#items.slice(Math.max(0, end - limit), end).reverse();
  }

  all(): T[] {
    return this.page(0, this.#items.length);
  }

  remove(item: T): void {
    const index = this.#placeOf(item);
    if (index < 0) return;
    this.#note?.(item.id, undefined);
    this.#own();
    this.#items.splice(index, 1);
    this.#arrived.splice(this.#arrived.indexOf(item.id), 1);
  }

  /** The ids in order of arrival. The list can be rebuilt from them in any order. */
  arrivedIds(): string[] {
    return [...this.#arrived];
  }
}

// The length of the part of a list that passes a test, found by binary search: no item after it may pass.
function countFirst<T>(items: readonly T[], test: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
