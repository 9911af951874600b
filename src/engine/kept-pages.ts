import type { ToJson } from './json-text.ts';

// Of JSON text, in characters.
const keptAtMost = 2_097_152;
const largestKept = keptAtMost / 16;
// For what a page takes besides its text: there may be many small ones.
const besidesText = 512;

/** A body as it was made of records. */
interface Page {
  records: readonly object[];
  body: object;
  length: number;
}

/**
 * The bodies of lists, each made and written once as long as it is made of the same records: a record never changes, its
 * change is another record. The text of all is bounded; the oldest go first.
 */
export class KeptPages {
  readonly #toJson: ToJson;
  readonly #pages = new Map<string | object, Page>();
  #length = 0;

  /** `toJson` keeps the text of frozen bodies. */
  constructor(toJson: ToJson) {
    this.#toJson = toJson;
  }

  /** The body of these records. The name says what else it depends on; an object can stand in for it. */
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

  /** How long the kept text is, in characters, with something for each page. */
  get length(): number {
    return this.#length;
  }

  /** How many are kept. */
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
