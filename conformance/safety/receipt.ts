/*
 * What a run does to the target: which files it may move, where they are, and what it leaves behind. How files are
 * moved: `probing/files.ts`; moved back: `tidy-up.ts`; recorded on disk: `move-log.ts`; moved back later: `restore.ts`.
 */
import type { Redact } from '../../lib/secrets.ts';
import { type Sentence, say } from '../../lib/sentence.ts';
import { keepsPathRule } from '../../openapi/reading/path-rule.ts';
import type { Leftover } from '../report/report.ts';
import type { FileFixture } from '../run/settings.ts';
import type { Reply } from '../target/reply.ts';

/** A file of the target that the run may move, and the path at which the run found it. */
export interface MovableFile extends FileFixture {
  originalPath: string;
}

/** Identifies a file: ids may only be unique within a drive. */
export function fileKey({ driveId, id }: FileFixture): string {
  return JSON.stringify([driveId, id]);
}

/** Why a file must not be moved away from a path: no server would have to accept it back there. Undefined if it may. */
export function originalPathComplaint(path: string): string | undefined {
  if (!path.startsWith('/')) return 'does not start with /';
  if (!keepsPathRule(path)) return 'has a .. segment';
  return /[\n\r\u2028\u2029]/.test(path) ? 'has a line break' : undefined;
}

/** The directory of a path, without a trailing slash; empty for the root, and for a path without a slash. */
export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The extension of a path, with its dot; empty if there is none. */
export function extensionOf(path: string): string {
  return /\.[A-Za-z0-9]{1,8}$/.exec(path)?.[0] ?? '';
}

/** A declared file, and the reply to reading it before anything was done to it. */
export interface InitialReading extends FileFixture {
  reply: Reply;
}

interface Moved {
  file: MovableFile;
  /** The path of the last move that was not refused. */
  lastPath: string;
  /** The path at which the target last showed the file. */
  seenAt: string;
  /** Whether it is known to be back or deleted. */
  isSettled: boolean;
}

/** Where moves are recorded on disk. */
interface Log {
  noteMove(file: MovableFile, path: string): void;
  noteEnd(file: MovableFile, end: 'back' | 'deleted'): void;
}

/** What the run knows about the target's files and did to them. */
export class FileTracker {
  initial: readonly InitialReading[] = [];
  readonly #moveLog: Log;
  readonly #moved = new Map<string, Moved>();
  readonly #deletedEarlier = new Set<string>();

  constructor(moveLog: Log) {
    this.#moveLog = moveLog;
  }

  /** Tracks a file before its move is sent, since the run may end at any time. Returns a function that undoes it. */
  startMove(file: MovableFile, path: string): () => void {
    this.#moveLog.noteMove(file, path);
    const key = fileKey(file);
    const earlier = this.#moved.get(key);
    this.#moved.set(key, {
      lastPath: file.originalPath,
      seenAt: file.originalPath,
      ...earlier,
      file,
      isSettled: false,
    });
    return () => this.#undo(file, earlier);
  }

  #undo(file: MovableFile, earlier: Moved | undefined): void {
    if (earlier === undefined) this.#moved.delete(fileKey(file));
    else this.#moved.set(fileKey(file), earlier);
    if (earlier === undefined || earlier.isSettled) this.#moveLog.noteEnd(file, 'back');
  }

  /** Records the path of a move that was not refused. */
  setLastPath(file: MovableFile, path: string): void {
    this.#change(file, { lastPath: path });
  }

  /** Records the path at which the target shows a file. */
  setSeen(file: FileFixture, path: string): void {
    this.#change(file, { seenAt: path });
  }

  /** Records that a file is back. */
  setBack(file: MovableFile): void {
    this.#change(file, { isSettled: true });
    this.#moveLog.noteEnd(file, 'back');
  }

  /** Records that a file is deleted. */
  setDeleted(file: FileFixture): void {
    const moved = this.#moved.get(fileKey(file));
    this.#change(file, { isSettled: true });
    if (moved !== undefined) this.#moveLog.noteEnd(moved.file, 'deleted');
  }

  #change(file: FileFixture, change: Partial<Moved>): void {
    const moved = this.#moved.get(fileKey(file));
    if (moved !== undefined) Object.assign(moved, change);
  }

  /** The path of the last move that was not refused; by default where the file was found. */
  lastPathOf(file: MovableFile): string {
    return this.#moved.get(fileKey(file))?.lastPath ?? file.originalPath;
  }

  /** The path at which the target last showed a file. */
  seenAt(file: MovableFile): string {
    return this.#moved.get(fileKey(file))?.seenAt ?? file.originalPath;
  }

  isMoved(file: FileFixture): boolean {
    return this.#moved.has(fileKey(file));
  }

  /** The files for which the run sent a move. */
  moved(): MovableFile[] {
    return Array.from(this.#moved.values(), ({ file }) => file);
  }

  /** The files not known to be back or deleted. */
  displaced(): MovableFile[] {
    return [...this.#moved.values()].flatMap(({ file, isSettled }) => (isSettled ? [] : [file]));
  }

  /** Records that an earlier run deleted a disposable file. */
  setDeletedEarlier(file: FileFixture): void {
    this.#deletedEarlier.add(fileKey(file));
  }

  isDeletedEarlier(file: FileFixture): boolean {
    return this.#deletedEarlier.has(fileKey(file));
  }
}

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
