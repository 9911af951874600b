/** How much a request log holds. */
export interface RequestLogLimits {
  entries: number;
  /** Of bodies, together. */
  bodyBytes: number;
}

/** One exchange in a request log, with its number; numbers count from 0 since the start. */
export interface Recorded<Entry> {
  readonly number: number;
  readonly entry: Entry;
}

/** How a request log makes room. */
interface RequestLogPolicy<Entry> {
  /** An entry above this share of all bytes is shrunk immediately. */
  largestShare: number;
  /** The entry without what makes it large; undefined where it has to go as a whole. */
  shrink(entry: Entry): Entry | undefined;
  /**
   * Writes an entry over the one that leaves for it. Garbage that was kept for a while costs most to collect; this leaves
   * none. Absent: the new entry is kept itself.
   */
  overwrite?(leaving: Entry, entry: Entry): void;
}

interface Slot<Entry> {
  number: number;
  entry: Entry;
  bytes: number;
  isShrunk: boolean;
}

type Listener<Entry> = (recorded: Recorded<Entry>) => void;

const any = () => true;

/**
 * The latest exchanges, bounded in number and in bytes. The newest stay; the oldest are shrunk or dropped first. Whoever
 * reads it gets copies: what is kept is written over.
 */
export class RequestLog<Entry> {
  readonly limits: RequestLogLimits;
  readonly #policy: RequestLogPolicy<Entry>;
  readonly #ring: (Slot<Entry> | undefined)[] = [];
  readonly #listeners = new Set<Listener<Entry>>();
  #count = 0;
  #bytes = 0;
  #dropped = 0;
  /** Entries before this one were dropped. */
  #oldest = 0;
  /** Entries before this one were shrunk. */
  #oldestWhole = 0;

  constructor(limits: RequestLogLimits, policy: RequestLogPolicy<Entry>) {
    this.limits = limits;
    this.#policy = policy;
  }

  /** Records one exchange that counts for so many bytes. */
  add(entry: Entry, bytes: number): void {
    const { entries, bodyBytes } = this.limits;
    if (entries === 0) return;
    const slot = this.#place(this.#count++, entry, bytes);
    this.#bytes += bytes;
    if (bytes > bodyBytes * this.#policy.largestShare) this.#shrink(slot);
    while (this.#bytes > bodyBytes && this.#oldestWhole < this.#count) this.#shrink(this.#at(this.#oldestWhole++));
    if (this.#listeners.size === 0) return;
    // The same for all: what one of them makes of it serves the others.
    const recorded = toRecorded(slot);
    for (const listener of this.#listeners) listener(recorded);
  }

  /** The selected entries, newest first. */
  list(isSelected: (entry: Entry) => boolean = any, limit = Number.POSITIVE_INFINITY): Recorded<Entry>[] {
    const found: Recorded<Entry>[] = [];
    for (let number = this.#count - 1; number >= this.#oldest && found.length < limit; number--) {
      const slot = this.#at(number);
      if (slot !== undefined && isSelected(slot.entry)) found.push(toRecorded(slot));
    }
    return found;
  }

  /** All entries, the oldest first. */
  get entries(): readonly Entry[] {
    return this.list()
      .reverse()
      .map(({ entry }) => entry);
  }

  /** How many entries were dropped to make room, since the start or since the request log was cleared. */
  get dropped(): number {
    return this.#dropped;
  }

  find(number: number): Recorded<Entry> | undefined {
    const slot = this.#at(number);
    return slot && toRecorded(slot);
  }

  /** Removes the selected entries, or all. Returns how many there were. */
  clear(isSelected?: (entry: Entry) => boolean): number {
    const selected = this.list(isSelected);
    for (const { number } of selected) this.#remove(number);
    if (isSelected === undefined) {
      this.#oldest = this.#count;
      this.#dropped = 0;
    }
    return selected.length;
  }

  /** Calls the listener with each new entry until the returned function is called. */
  listen(listener: Listener<Entry>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #at(number: number): Slot<Entry> | undefined {
    const slot = this.#ring[number % this.limits.entries];
    return slot?.number === number ? slot : undefined;
  }

  #place(number: number, entry: Entry, bytes: number): Slot<Entry> {
    const leaving = this.#drop(number - this.limits.entries);
    const slot = leaving ?? { number, entry, bytes, isShrunk: false };
    this.#ring[number % this.limits.entries] = slot;
    if (leaving === undefined) return slot;
    if (this.#policy.overwrite === undefined) slot.entry = entry;
    else this.#policy.overwrite(slot.entry, entry);
    slot.number = number;
    slot.bytes = bytes;
    slot.isShrunk = false;
    return slot;
  }

  #drop(number: number): Slot<Entry> | undefined {
    const slot = number < 0 ? undefined : this.#at(number);
    if (slot !== undefined) {
      this.#bytes -= slot.bytes;
      this.#dropped++;
    }
    if (number >= this.#oldest) this.#oldest = number + 1;
    return slot;
  }

  #remove(number: number): boolean {
    const slot = this.#at(number);
    if (slot === undefined) return false;
    this.#bytes -= slot.bytes;
    this.#ring[number % this.limits.entries] = undefined;
    return true;
  }

  #shrink(slot: Slot<Entry> | undefined): void {
    if (slot === undefined || slot.isShrunk) return;
    const rest = this.#policy.shrink(slot.entry);
    if (rest === undefined) {
      if (this.#remove(slot.number)) this.#dropped++;
      return;
    }
    this.#bytes -= slot.bytes;
    Object.assign(slot, { entry: rest, bytes: 0, isShrunk: true });
  }
}

function toRecorded<Entry>({ number, entry }: Slot<Entry>): Recorded<Entry> {
  return { number, entry: typeof entry === 'object' ? { ...entry } : entry };
}
