import type { Profile } from '../../openapi/contract/profile.ts';
import { hash } from './random.ts';

/** What a list needs from a record. */
export interface Listed {
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
  arbitrary: (a, b) => hash(randomPartOf(a)) - hash(randomPartOf(b)),
};

// A sortable id begins with the time: with it, the order would differ from run to run.
function randomPartOf({ id }: Listed): string {
  return id.slice(-16);
}

/** A list in the order of the open point `listOrder`. The cost of a page depends only on its size. */
export class OrderedList<T extends Listed> {
  readonly #order: Profile['listOrder'];
  readonly #items: T[] = [];
  /** The ids in order of arrival, the tie-breaker for items that are equal in the list's order. */
  readonly #arrived: string[] = [];
  readonly #note: Note | undefined;

  /** `note` is called for each id added to the list or removed from it. */
  constructor(order: Profile['listOrder'], note?: Note) {
    this.#order = order;
    this.#note = note;
  }

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    this.#note?.(item.id, true);
    this.#arrived.push(item.id);
    const compare = comparisons[this.#order];
    let [low, high] = [0, this.#items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(this.#items[middle] as T, item) <= 0) low = middle + 1;
      else high = middle;
    }
    this.#items.splice(low, 0, item);
  }

  /** Adds many items in less time than one by one. */
  addAll(items: readonly T[]): void {
    for (const item of items) {
      this.#note?.(item.id, true);
      this.#arrived.push(item.id);
      this.#items.push(item);
    }
    this.#items.sort(comparisons[this.#order]);
  }

  /** Replaces an item by a new version with the same id, name and creation time. */
  replace({ id }: T, item: T): void {
    const index = this.#items.findIndex((listed) => listed.id === id);
    if (index >= 0) this.#items[index] = item;
  }

  page(offset: number, limit: number): T[] {
    if (this.#order !== 'newestFirst') return this.#items.slice(offset, offset + limit);
    const end = this.#items.length - offset;
    return end <= 0 ? [] : this.#items.slice(Math.max(0, end - limit), end).reverse();
  }

  all(): T[] {
    return this.page(0, this.#items.length);
  }

  remove({ id }: T): void {
    const index = this.#items.findIndex((listed) => listed.id === id);
    if (index < 0) return;
    this.#note?.(id, undefined);
    this.#items.splice(index, 1);
    this.#arrived.splice(this.#arrived.indexOf(id), 1);
  }

  /** The ids in order of arrival. The list can be rebuilt from them in any order. */
  arrivedIds(): string[] {
    return [...this.#arrived];
  }
}
