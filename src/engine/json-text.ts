import type { Profile } from '../../openapi/contract/profile.ts';

/** Writes a value as JSON text. */
export type ToJson = (value: unknown) => string;

/** Writes JSON with keys in the order of the open point `keyOrder`. The text of frozen values is cached. */
export function createJsonText(keyOrder: Profile['keyOrder']): ToJson {
  const kept = new WeakMap<object, string>();
  const isDocumented = keyOrder === 'documented';
  const write = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return kept.get(value) ?? keep(value, toText(value));
  };
  const toText = (value: object) => {
    if (Array.isArray(value)) return writeArray(value);
    // Only objects with lists can contain cached texts; all others are written faster in one piece.
    return isDocumented && !Object.values(value).some(Array.isArray) ? JSON.stringify(value) : writeObject(value);
  };
  const keep = (value: object, text: string): string => {
    if (Object.isFrozen(value)) kept.set(value, text);
    return text;
  };
  const writeArray = (values: readonly unknown[]) => `[${values.map(write).join()}]`;
  const writeObject = (value: object) =>
    `{${keysOf(value)
      .map((key) => `${JSON.stringify(key)}:${write(value[key as keyof typeof value])}`)
      .join()}}`;
  const keysOf = isDocumented ? Object.keys : (value: object) => Object.keys(value).reverse();
  return write;
}

// JSON text, in characters.
const keptAtMost = 2_097_152;
const largestKept = keptAtMost / 16;
// A page's overhead besides its text: there may be many small pages.
const besidesText = 512;

/** A body, and the records it was made from. */
interface Page {
  records: readonly object[];
  body: object;
  length: number;
}

/**
 * Caches the bodies of lists as long as they consist of the same records: records are replaced, never changed. The
 * total text is bounded; the oldest bodies are dropped first.
 */
export class KeptPages {
  readonly #toJson: ToJson;
  readonly #pages = new Map<string | object, Page>();
  #length = 0;

  /** `toJson` caches the text of frozen bodies. */
  constructor(toJson: ToJson) {
    this.#toJson = toJson;
  }

  /** The body of these records. The name stands for everything else that the body depends on; it can be an object. */
  of<Item extends object, Body extends object>(
    name: string | object,
    records: readonly Item[],
    make: (records: readonly Item[]) => Body,
  ): Body {
    const known = this.#pages.get(name);
    if (known !== undefined && isSame(known.records, records)) return known.body as Body;
    const body = Object.freeze(make(records));
    this.#keep(name, { records, body, length: this.#toJson(body).length + besidesText });
    return body;
  }

  /** The size of the cached text in characters, with some overhead for each page. */
  get length(): number {
    return this.#length;
  }

  /** The number of cached bodies. */
  get size(): number {
    return this.#pages.size;
  }

  #keep(name: string | object, page: Page): void {
    this.#drop(name);
    if (page.length > largestKept) return;
    this.#pages.set(name, page);
    this.#length += page.length;
    for (const oldest of this.#pages.keys()) {
      if (this.#length <= keptAtMost) return;
      this.#drop(oldest);
    }
  }

  #drop(name: string | object): void {
    this.#length -= this.#pages.get(name)?.length ?? 0;
    this.#pages.delete(name);
  }
}

function isSame(some: readonly object[], others: readonly object[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}
