/** Records by id, in the order of creation. `note` is called with each that is set, and with each id that is deleted. */
export class RecordMap<T> extends Map<string, T> {
  readonly #note: (id: string, record: T | undefined) => void;

  constructor(note: (id: string, record: T | undefined) => void) {
    super();
    this.#note = note;
  }

  override set(id: string, record: T): this {
    this.#note(id, record);
    return super.set(id, record);
  }

  override delete(id: string): boolean {
    const isThere = super.delete(id);
    if (isThere) this.#note(id, undefined);
    return isThere;
  }
}
