import type { Leftover } from './report.ts';

/** Stands for the id of something whose answer had none. */
export const noId = '(no id in the answer)';

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

  /** Whether something is noted; a file is told by its drive as well. */
  has(kind: Leftover['kind'], id: string, driveId?: string): boolean {
    return [...this.#leftovers.values()].some(
      (leftover) => leftover.kind === kind && leftover.id === id && leftover.driveId === driveId,
    );
  }

  /** Completes the note on something whose answer had no id, now that the list shows it. */
  complete(kind: Leftover['kind'], id: string, name: string): void {
    const vague = [...this.#leftovers].find(
      ([, leftover]) => leftover.kind === kind && leftover.name === name && leftover.id === noId,
    );
    if (vague === undefined) return;
    this.#leftovers.delete(vague[0]);
    this.note({ ...vague[1], id });
  }

  all(): Leftover[] {
    return [...this.#leftovers.values()];
  }
}

function keyOf({ kind, id, driveId, name }: Pick<Leftover, 'kind' | 'id' | 'driveId' | 'name'>): string {
  return JSON.stringify([kind, driveId, id === noId ? [id, name] : id]);
}
