import type { FastifyRequest } from 'fastify';
import type { Answer } from '../../engine/call.ts';
import { type JournalEntry, toEntry } from './entry.ts';
import { isWanted, type JournalFilter } from './filter.ts';
import type { Kept } from './kept.ts';

/** How much a journal keeps. */
export interface JournalLimits {
  entries: number;
  /** Of bodies, together. */
  bodyBytes: number;
}

type Listener = (entry: JournalEntry, kept: Kept) => void;

// One body takes no more than this share of what all may take.
const largestShare = 1 / 8;

/** The latest exchanges, bounded in number and in the bytes of their bodies. The newest are kept. */
export class Journal {
  readonly limits: JournalLimits;
  readonly #ring: (Kept | undefined)[] = [];
  readonly #listeners = new Set<Listener>();
  #count = 0;
  #bodyBytes = 0;
  /** Entries before this one have no bodies any more. */
  #firstWithBodies = 0;
  #firstKept = 0;

  constructor(limits: JournalLimits) {
    this.limits = limits;
  }

  /** Keeps one exchange. */
  note(request: FastifyRequest, answer: Answer, durationMs: number, timeMs: number): void {
    if (this.limits.entries === 0) return;
    const { method, url, id } = request;
    const body = request.body instanceof Uint8Array ? request.body : undefined;
    const bodyBytes = (body?.length ?? 0) + Buffer.byteLength(answer.body ?? '');
    const number = this.#count++;
    const { headers } = request.raw;
    const kept = { number, timeMs, durationMs, method, url, requestId: id, headers, body, answer, bodyBytes };
    if (number >= this.limits.entries) this.#forget(number - this.limits.entries);
    this.#ring[number % this.limits.entries] = { ...kept, isStripped: false };
    this.#bodyBytes += bodyBytes;
    this.#strip();
    if (this.#listeners.size > 0) this.#tell(this.#at(number) as Kept);
  }

  /** The entries that are wanted, newest first. */
  list(filter: JournalFilter = {}, limit = Number.POSITIVE_INFINITY): JournalEntry[] {
    const found: JournalEntry[] = [];
    for (let number = this.#count - 1; number >= this.#firstKept && found.length < limit; number--) {
      const kept = this.#at(number);
      if (kept !== undefined && isWanted(kept, filter)) found.push(toEntry(kept));
    }
    return found;
  }

  find(number: number): JournalEntry | undefined {
    const kept = this.#at(number);
    return kept === undefined ? undefined : toEntry(kept);
  }

  /** Forgets the entries that are meant. How many there were. */
  clear(filter: JournalFilter = {}): number {
    let count = 0;
    for (let number = this.#firstKept; number < this.#count; number++) {
      const kept = this.#at(number);
      if (kept === undefined || !isWanted(kept, filter)) continue;
      this.#forget(number);
      count++;
    }
    return count;
  }

  /** Tells of each new entry until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(kept: Kept): void {
    const entry = toEntry(kept);
    for (const listener of this.#listeners) listener(entry, kept);
  }

  #at(number: number): Kept | undefined {
    const kept = this.#ring[number % this.limits.entries];
    return kept?.number === number ? kept : undefined;
  }

  #forget(number: number): void {
    const kept = this.#at(number);
    if (number === this.#firstKept) this.#firstKept++;
    if (kept === undefined) return;
    if (!kept.isStripped) this.#bodyBytes -= kept.bodyBytes;
    this.#ring[number % this.limits.entries] = undefined;
  }

  // The oldest bodies go first; a body that is large for all of them goes at once.
  #strip(): void {
    const newest = this.#at(this.#count - 1);
    if (newest !== undefined && newest.bodyBytes > this.limits.bodyBytes * largestShare) this.#stripOne(newest);
    while (this.#bodyBytes > this.limits.bodyBytes && this.#firstWithBodies < this.#count) {
      const kept = this.#at(this.#firstWithBodies++);
      if (kept !== undefined) this.#stripOne(kept);
    }
  }

  #stripOne(kept: Kept): void {
    if (kept.isStripped) return;
    this.#bodyBytes -= kept.bodyBytes;
    kept.isStripped = true;
    kept.body = undefined;
    kept.answer = { ...kept.answer, body: '' };
  }
}
