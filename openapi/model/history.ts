import type { Call, Span } from './exchange.ts';

/** A request that may set a value. */
interface Write<T> {
  value: T;
  call: Call;
  /** Whether it sets the value for sure if it succeeds. A tree with a name that servers read differently may miss. */
  isSure: boolean;
}

/** What was read of a value, and in which exchange. */
export interface Known<T> {
  value: T;
  number: number;
}

/**
 * A value that requests change and read, for an observer who does not know in which order the server took requests that
 * overlap. A write shows at some time between its start and `settleMs` after its end (how soon is open).
 */
export class History<T> {
  #first: Known<T> | undefined;
  #writes: Write<T>[] = [];
  readonly #settleMs: number;

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  write(value: T, call: Call, isSure = true): void {
    this.#writes.push({ value, call, isSure });
  }

  /** Takes back what a call was expected to set. */
  forget(call: Call): void {
    this.#writes = this.#writes.filter((write) => write.call !== call);
  }

  /** All values that a read in this span may show. Undefined while nothing is known. */
  possibleAt(span: Span): readonly Known<T>[] | undefined {
    const shown = this.#writes.filter(({ call }) => call.outcome !== 'refused' && call.startMs < span.endMs);
    const settled = shown.filter((write) => this.#isSettled(write, span));
    const isReplaced = (write: Write<T>) => settled.some(({ call }) => call.startMs >= write.call.endMs);
    const possible = shown.filter((write) => !isReplaced(write));
    const later = possible.map(({ value, call }) => ({ value, number: call.number }));
    if (settled.length > 0) return later;
    return this.#first === undefined ? undefined : [this.#first, ...later];
  }

  /** Takes over what a read showed. If writes cannot explain it, someone else has set it. */
  read(value: T, call: Call, isSame: (one: T, other: T) => boolean): void {
    const possible = this.possibleAt(call);
    const isExplained = possible?.some((known) => isSame(known.value, value)) === true;
    const open = this.#writes.filter(({ call: write }) => write.endMs + this.#settleMs > call.startMs);
    // Once all writes have settled, a read shows which of the unsure ones took place.
    const isClear = !isExplained || open.length === 0;
    if (isClear) this.#writes = open;
    if (isClear || this.#first === undefined) this.#first = { value, number: call.number };
  }

  #isSettled({ call, isSure }: Write<T>, { startMs }: Span): boolean {
    return isSure && call.outcome === 'success' && call.endMs + this.#settleMs <= startMs;
  }
}
