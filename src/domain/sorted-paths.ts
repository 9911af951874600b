// A larger chunk is split. Small enough to insert into quickly, large enough to keep the list of chunks short.
const maxChunkSize = 1_024;

interface Placed {
  readonly path: string;
}

/**
 * Items sorted by path, by code units; one per path. Paths with the same prefix are neighbours, so the items below a
 * directory are found without looking at the others. Adding and removing cost little more with a million items than
 * with a thousand. (A map keeps a slot for each removed path: with a file that moves back and forth, it would search
 * through all of them.)
 */
export class SortedPaths<Item extends Placed> {
  readonly #chunks: Item[][] = [];

  copy(): SortedPaths<Item> {
    const copy = new SortedPaths<Item>();
    copy.#chunks.push(...this.#chunks.map((chunk) => [...chunk]));
    return copy;
  }

  /** The item at exactly this path. */
  at(path: string): Item | undefined {
    const chunk = this.#chunks[this.#chunkOf(path)];
    const item = chunk?.[firstNotBefore(chunk, path)];
    return item?.path === path ? item : undefined;
  }

  /** Adds an item, in place of the one at its path. */
  put(item: Item): void {
    const at = Math.max(0, this.#chunkOf(item.path));
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push([item]);
      return;
    }
    const index = firstNotBefore(chunk, item.path);
    chunk.splice(index, chunk[index]?.path === item.path ? 1 : 0, item);
    if (chunk.length > maxChunkSize) this.#chunks.splice(at + 1, 0, chunk.splice(maxChunkSize / 2));
  }

  remove(path: string): void {
    const at = this.#chunkOf(path);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const index = firstNotBefore(chunk, path);
    if (chunk[index]?.path !== path) return;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  *startingWith(prefix: string): Generator<Item> {
    for (let at = Math.max(0, this.#chunkOf(prefix)); at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] as Item[];
      for (let index = firstNotBefore(chunk, prefix); index < chunk.length; index++) {
        const item = chunk[index] as Item;
        if (!item.path.startsWith(prefix)) return;
        yield item;
      }
    }
  }

  // The last chunk that does not start after `path`, or -1.
  #chunkOf(path: string): number {
    return countFirst(this.#chunks, ([first]) => first !== undefined && first.path <= path) - 1;
  }
}

function firstNotBefore(chunk: readonly Placed[], path: string): number {
  return countFirst(chunk, (item) => item.path < path);
}

/** The length of the part of a list that passes a test, found by binary search: no item after it may pass. */
export function countFirst<T>(items: readonly T[], test: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
