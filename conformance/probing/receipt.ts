import type { Redact } from '../../lib/secrets.ts';
import { type Sentence, say } from '../../lib/sentence.ts';
import type { FileFixture } from '../config/settings.ts';
import type { Leftover } from '../report.ts';

/** Stands for the id of a resource whose response had none. */
export const noId = '(no id in the response)';

/** A note with unredacted ids, names and paths. */
type LeftoverNote = Omit<Leftover, 'note'> & { note: Sentence };

/** Records what a run creates, moves and deletes on the target. */
export class Receipt {
  readonly #leftovers = new Map<string, LeftoverNote>();
  readonly #redact: Redact;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  /** Records something left behind. Replaces an earlier note on the same thing. */
  note(leftover: LeftoverNote): void {
    this.#leftovers.set(keyOf(leftover), leftover);
  }

  /** Records that a disposable file was deleted with its tree. */
  noteDeleted({ driveId, id }: FileFixture): void {
    this.note({ kind: 'deletedFile', driveId, id, note: say`disposable file, deleted with its tree` });
  }

  /** Removes a note: the thing is as it was before the run. A file has only one note, of either kind. */
  undo(kind: Leftover['kind'], id: string, driveId?: string): void {
    this.#leftovers.delete(keyOf({ kind, id, driveId }));
  }

  /** The note on something; files are identified by their drive too. */
  find(kind: Leftover['kind'], id: string, driveId?: string): LeftoverNote | undefined {
    return [...this.#leftovers.values()].find(
      (leftover) => leftover.kind === kind && leftover.id === id && leftover.driveId === driveId,
    );
  }

  /** The note on a file, moved or deleted. */
  findFile({ driveId, id }: FileFixture): LeftoverNote | undefined {
    return this.#leftovers.get(keyOf({ kind: 'file', driveId, id }));
  }

  /** Adds an id to the note on a resource whose response had none, once the list shows it. */
  complete(kind: Leftover['kind'], id: string, name: string): void {
    const incomplete = [...this.#leftovers.values()].find(
      (leftover) => leftover.kind === kind && leftover.name === name && leftover.id === noId,
    );
    if (incomplete === undefined) return;
    this.#leftovers.delete(keyOf(incomplete));
    this.note({ ...incomplete, id });
  }

  /** Everything left behind, redacted. */
  all(): Leftover[] {
    const redact = this.#redact;
    return Array.from(this.#leftovers.values(), ({ kind, id, note, driveId, name, originalPath }) => ({
      kind,
      id: id === noId ? id : redact(id),
      note: note.shown(redact),
      ...(driveId === undefined ? {} : { driveId: redact(driveId) }),
      ...(name === undefined ? {} : { name: redact(name) }),
      ...(originalPath === undefined ? {} : { originalPath: redact(originalPath) }),
    }));
  }
}

// Resources without an id must not replace each other: they differ by name. A file is moved or deleted, never both.
function keyOf({
  kind,
  id,
  driveId,
  name,
}: { [name in 'kind' | 'id' | 'driveId' | 'name']?: string | undefined }): string {
  return JSON.stringify([kind === 'deletedFile' ? 'file' : kind, driveId, id === noId ? [id, name] : id]);
}
