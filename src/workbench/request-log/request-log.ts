/** How much a request log holds. */
export interface RequestLogLimits {
  entries: number;
  /** For all bodies together. */
  bodyBytes: number;
}

/** One exchange in a request log, with its number; numbers count from 0 since the start. */
export interface Recorded<Entry> {
  readonly number: number;
  readonly entry: Entry;
}

/** How a request log makes room. */
interface RequestLogPolicy<Entry> {
  /** Entries larger than this share of all bytes are shrunk immediately. */
  largestShare: number;
  /** The entry without its large parts; undefined if it must be dropped as a whole. */
  shrink(entry: Entry): Entry | undefined;
  /**
   * Copies a new entry into the one it replaces. Garbage that lived for a while is the most expensive to collect; this
   * leaves none. Absent: the new entry itself is kept.
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
 * The latest exchanges, bounded in number and in bytes. The oldest are shrunk or dropped first. Readers get copies,
 * since entries are overwritten.
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

  /** Records one exchange that counts as this many bytes. */
  add(entry: Entry, bytes: number): void {
    const { entries, bodyBytes } = this.limits;
    if (entries === 0) return;
    const slot = this.#place(this.#count++, entry, bytes);
    this.#bytes += bytes;
    if (bytes > bodyBytes * this.#policy.largestShare) this.#shrink(slot);
    while (this.#bytes > bodyBytes && this.#oldestWhole < this.#count) this.#shrink(this.#at(this.#oldestWhole++));
    if (this.#listeners.size === 0) return;
    // One object for all listeners: what one caches for it serves the others.
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

  /** All entries, oldest first. */
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
