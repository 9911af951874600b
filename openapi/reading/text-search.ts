/** Where a pattern stands in a text. */
interface Match {
  start: number;
  end: number;
  /** The place of the pattern in the list. */
  pattern: number;
}

/** The beginning of some patterns. */
interface State {
  /** Its place in the list of states. */
  index: number;
  depth: number;
  /** The state before its last code unit, and that unit. */
  parent: State | undefined;
  unit: number;
  /** The pattern that is complete here. */
  pattern?: number;
  /** The state of its longest proper suffix; absent at the root. */
  fallback?: State;
  /** The longest proper suffix that is a pattern. */
  shorter?: State | undefined;
}

const units = 0x1_0000;

/**
 * Finds many patterns in one pass (Aho and Corasick, 1975). Time and memory grow with the size of the patterns and the
 * text together, whatever they hold: both may come from an attacker.
 */
export class TextSearch {
  readonly #root: State = { index: 0, depth: 0, parent: undefined, unit: 0 };
  readonly #states = [this.#root];
  /** By state and UTF-16 code unit, the next state. */
  readonly #edges = new Map<number, State>();

  /** Of equal patterns the first one counts. */
  constructor(patterns: readonly string[]) {
    for (const [index, pattern] of patterns.entries()) this.#add(pattern, index);
    // By depth: the suffixes of a state are shorter than it.
    for (const state of this.#states.toSorted((a, b) => a.depth - b.depth)) this.#link(state);
  }

  /**
   * For each place where patterns end, the longest of them that is accepted, in the order of their ends. Only patterns of
   * a bounded length may be refused: for them all suffixes are tried.
   */
  find(text: string, isAccepted: (match: Match) => boolean): Match[] {
    const found: Match[] = [];
    let state = this.#root;
    for (let index = 0; index < text.length; index++) {
      state = this.#next(state, text.charCodeAt(index));
      for (let ending: State | undefined = state; ending !== undefined; ending = ending.shorter) {
        if (ending.pattern === undefined) continue;
        const match = { start: index + 1 - ending.depth, end: index + 1, pattern: ending.pattern };
        if (!isAccepted(match)) continue;
        found.push(match);
        break;
      }
    }
    return found;
  }

  #add(pattern: string, index: number): void {
    let state = this.#root;
    for (let place = 0; place < pattern.length; place++) {
      const unit = pattern.charCodeAt(place);
      const edge = state.index * units + unit;
      const next = this.#edges.get(edge) ?? { index: this.#states.length, depth: place + 1, parent: state, unit };
      if (next.index === this.#states.length) this.#states.push(next);
      this.#edges.set(edge, next);
      state = next;
    }
    if (state !== this.#root) state.pattern ??= index;
  }

  #link(state: State): void {
    if (state.parent === undefined) return;
    const { fallback: start } = state.parent;
    const fallback = start === undefined ? this.#root : this.#next(start, state.unit);
    state.fallback = fallback;
    state.shorter = fallback.pattern === undefined ? fallback.shorter : fallback;
  }

  #next(from: State, unit: number): State {
    for (let state: State | undefined = from; state !== undefined; state = state.fallback) {
      const next = this.#edges.get(state.index * units + unit);
      if (next !== undefined) return next;
    }
    return this.#root;
  }
}
