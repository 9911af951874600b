interface HasId {
  readonly id: string;
}

type Note = (id: string, record: object | undefined) => void;

/**
 * Records by id, in the order of creation. A copy shares them until one of the two changes. `note` is called for each
 * record set and each id deleted.
 */
export class RecordMap<T extends HasId> {
  #records: Map<string, T>;
  #isShared = false;
  readonly #note: Note | undefined;

  constructor(records: Iterable<T> = [], note?: Note) {
    this.#records = new Map();
    for (const record of records) this.#records.set(record.id, record);
    this.#note = note;
  }

  copy(note?: Note): RecordMap<T> {
    const copy = new RecordMap<T>([], note);
    copy.#records = this.#records;
    copy.#isShared = this.#isShared = true;
    return copy;
  }

  get size(): number {
    return this.#records.size;
  }

  has(id: string): boolean {
    return this.#records.has(id);
  }

  get(id: string): T | undefined {
    return this.#records.get(id);
  }

  keys(): MapIterator<string> {
    return this.#records.keys();
  }

  values(): MapIterator<T> {
    return this.#records.values();
  }

  set(id: string, record: T): void {
    this.#note?.(id, record);
    this.#own().set(id, record);
  }

  delete(id: string): void {
    if (!this.has(id)) return;
    this.#own().delete(id);
    this.#note?.(id, undefined);
  }

  #own(): Map<string, T> {
    if (this.#isShared) this.#records = new Map(this.#records);
    this.#isShared = false;
    return this.#records;
  }
}
