/** The position of a pattern in a text. */
interface Match {
  start: number;
  end: number;
  /** The index of the pattern in the list. */
  pattern: number;
}

const none = -1;
const units = 0x1_0000;

/**
 * Finds many patterns in one pass (Aho and Corasick, 1975). Time and memory grow linearly with the total size of
 * patterns and text, whatever they contain: both may come from an attacker.
 */
export class TextSearch {
  /** By state and UTF-16 code unit, the next state. */
  readonly #edges = new Map<number, number>();
  readonly #depths = [0];
  readonly #patterns = [none];
  /** By state, the state of its longest proper suffix. */
  readonly #fallbacks = [0];
  /** By state, the longest proper suffix that is a pattern; 0 if there is none. */
  readonly #shorter = [0];

  /** If patterns are equal, the first one counts. */
  constructor(patterns: readonly string[]) {
    const levels: { state: number; parent: number; unit: number }[][] = [];
    for (const [index, pattern] of patterns.entries()) this.#add(pattern, index, levels);
    // Level by level: a state's suffixes are shorter than the state.
    for (const { state, parent, unit } of levels.flat()) {
      const fallback = parent === 0 ? 0 : this.#next(this.#at(this.#fallbacks, parent), unit);
      this.#fallbacks[state] = fallback;
      this.#shorter[state] = this.#patterns[fallback] === none ? this.#at(this.#shorter, fallback) : fallback;
    }
  }

  /**
   * For each place where patterns end, the longest accepted one, in the order of their ends. Only patterns of bounded
   * length may be rejected: for those, all suffixes are tried.
   */
  find(text: string, isAccepted: (match: Match) => boolean): Match[] {
    const found: Match[] = [];
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      state = this.#next(state, text.charCodeAt(index));
      let ending = this.#patterns[state] === none ? this.#shorter[state] : state;
      for (; ending; ending = this.#shorter[ending]) {
        const match = {
          start: index + 1 - this.#at(this.#depths, ending),
          end: index + 1,
          pattern: this.#at(this.#patterns, ending),
        };
        if (!isAccepted(match)) continue;
        found.push(match);
        break;
      }
    }
    return found;
  }

  #add(pattern: string, index: number, levels: { state: number; parent: number; unit: number }[][]): void {
    let state = 0;
    for (let depth = 0; depth < pattern.length; depth++) {
      const unit = pattern.charCodeAt(depth);
      const known = this.#edges.get(state * units + unit);
      if (known !== undefined) {
        state = known;
        continue;
      }
      const made = this.#depths.push(depth + 1) - 1;
      this.#patterns.push(none);
      this.#edges.set(state * units + unit, made);
      const level = levels[depth] ?? [];
      levels[depth] = level;
      level.push({ state: made, parent: state, unit });
      state = made;
    }
    if (state !== 0 && this.#patterns[state] === none) this.#patterns[state] = index;
  }

  #next(from: number, unit: number): number {
    for (let state = from; ; state = this.#at(this.#fallbacks, state)) {
      const next = this.#edges.get(state * units + unit);
      if (next !== undefined) return next;
      if (state === 0) return 0;
    }
  }

  #at(numbers: readonly number[], state: number): number {
    return numbers[state] as number;
  }
}
