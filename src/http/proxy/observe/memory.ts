import type { OperationId } from '../../../../openapi/contract/operations.ts';
import type { RequestView } from '../judge/views.ts';

/** What earlier exchanges with the same key showed. */
export interface Memory {
  /** Whether the key was accepted before. */
  isKeyGood: boolean;
  /** Whether something of this name was created before. */
  isTaken(operation: OperationId, name: string): boolean;
  /** Whether this query was refused before, with whichever good key. */
  isRefused(operation: OperationId, query: RequestView['query']): boolean;
}

// Enough for a day's work; what is older is forgotten.
const most = 10_000;

/** Remembers which keys are good and which names are taken. Keys are held in memory only, and shown to nobody. */
export class Memories {
  readonly #facts = new Set<string>();

  of(keys: readonly string[]): Memory {
    const key = JSON.stringify(keys);
    return {
      isKeyGood: keys.length > 0 && this.#facts.has(key),
      isTaken: (operation, name) => this.#facts.has(JSON.stringify([key, operation, name])),
      isRefused: (operation, query) => this.#facts.has(JSON.stringify([operation, query])),
    };
  }

  /** Takes note of a success. */
  learn(keys: readonly string[], operation: OperationId, name: unknown): void {
    const key = JSON.stringify(keys);
    this.#keep(key);
    if (typeof name === 'string') this.#keep(JSON.stringify([key, operation, name]));
  }

  /** Takes note of a refusal of a query. */
  learnRefusal(operation: OperationId, query: RequestView['query']): void {
    this.#keep(JSON.stringify([operation, query]));
  }

  #keep(fact: string): void {
    this.#facts.add(fact);
    const [oldest] = this.#facts;
    if (this.#facts.size > most && oldest !== undefined) this.#facts.delete(oldest);
  }
}
