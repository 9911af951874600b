import type { Leftover } from './report.ts';

/** What a run makes, moves and deletes on the target, noted as it happens. */
export class Receipt {
  readonly #leftovers = new Map<string, Leftover>();

  /** Notes something that stays behind. A later note on the same thing replaces the earlier one. */
  note(leftover: Leftover): void {
    this.#leftovers.set(keyOf(leftover), leftover);
  }

  /** Takes a note back: the thing is as it was before the run. */
  undo(kind: Leftover['kind'], id: string, driveId?: string): void {
    this.#leftovers.delete(keyOf({ kind, id, ...(driveId === undefined ? {} : { driveId }) }));
  }

  has(kind: Leftover['kind'], id: string): boolean {
    return [...this.#leftovers.values()].some((leftover) => leftover.kind === kind && leftover.id === id);
  }

  all(): Leftover[] {
    return [...this.#leftovers.values()];
  }
}

function keyOf({ kind, id, driveId }: Pick<Leftover, 'kind' | 'id' | 'driveId'>): string {
  return JSON.stringify([kind, driveId, id]);
}
