// A larger chunk is split. Small enough to insert into quickly, large enough to keep the list of chunks short.
const maxChunkSize = 1_024;

/**
 * Distinct texts sorted by code units. Texts with the same prefix are neighbours, so the paths below a directory are
 * found without a look at the rest. Adding and removing cost little more with a million texts than with a thousand.
 */
export class SortedPaths {
  readonly #chunks: string[][] = [];

  copy(): SortedPaths {
    const copy = new SortedPaths();
    copy.#chunks.push(...this.#chunks.map((chunk) => [...chunk]));
    return copy;
  }

  add(path: string): void {
    const at = Math.max(0, this.#chunkOf(path));
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push([path]);
      return;
    }
    const index = firstNotBefore(chunk, path);
    if (chunk[index] === path) return;
    chunk.splice(index, 0, path);
    if (chunk.length > maxChunkSize) this.#chunks.splice(at + 1, 0, chunk.splice(maxChunkSize / 2));
  }

  remove(path: string): void {
    const at = this.#chunkOf(path);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const index = firstNotBefore(chunk, path);
    if (chunk[index] !== path) return;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** The texts that start with `prefix`, in order. */
  *startingWith(prefix: string): Generator<string> {
    for (let at = Math.max(0, this.#chunkOf(prefix)); at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] as string[];
      for (let index = firstNotBefore(chunk, prefix); index < chunk.length; index++) {
        const path = chunk[index] as string;
        if (!path.startsWith(prefix)) return;
        yield path;
      }
    }
  }

  // The last chunk that does not start after `path`, or -1.
  #chunkOf(path: string): number {
    return countFirst(this.#chunks, ([first = '']) => first <= path) - 1;
  }
}

function firstNotBefore(chunk: readonly string[], path: string): number {
  return countFirst(chunk, (text) => text < path);
}

/** How many items at the start of a list pass a test that no item passes after one that failed. By binary search. */
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
