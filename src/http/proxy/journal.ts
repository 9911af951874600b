/** What a journal holds: anything with an id. */
export interface Entry {
  requestId: string;
}

/** How much a journal keeps. */
export interface JournalLimits {
  entries: number;
  bytes: number;
}

/** A bounded record of exchanges: the newest are kept. */
export class Journal<E extends Entry> {
  readonly #limits: JournalLimits;
  readonly #sizeOf: (entry: E) => number;
  #kept: { entry: E; bytes: number }[] = [];
  #bytes = 0;
  #dropped = 0;

  /** `sizeOf` says how many bytes an entry counts for. */
  constructor(limits: JournalLimits, sizeOf: (entry: E) => number) {
    this.#limits = limits;
    this.#sizeOf = sizeOf;
  }

  add(entry: E): void {
    const bytes = this.#sizeOf(entry);
    this.#kept.push({ entry, bytes });
    this.#bytes += bytes;
    while (this.#kept.length > this.#limits.entries || this.#bytes > this.#limits.bytes) this.#dropOldest();
  }

  /** The entries that are kept, the oldest first. */
  get entries(): readonly E[] {
    return this.#kept.map(({ entry }) => entry);
  }

  /** How many were dropped to make room, since the start or the last time it was cleared. */
  get dropped(): number {
    return this.#dropped;
  }

  clear(): void {
    this.#kept = [];
    this.#bytes = 0;
    this.#dropped = 0;
  }

  #dropOldest(): void {
    this.#bytes -= this.#kept.shift()?.bytes ?? 0;
    this.#dropped += 1;
  }
}
