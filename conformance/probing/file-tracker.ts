/*
 * Which files are moved: `movable-file.ts`; what is recorded about them: here; how they are moved and moved back:
 * `file-moves.ts`, `move-back.ts`; on disk: `../move-log/`; later: `../restore/`.
 */
import type { FileFixture } from '../config/settings.ts';
import type { MoveLog } from '../move-log/move-log.ts';
import type { Reply } from '../target/reply.ts';
import { fileKey, type MovableFile } from './movable-file.ts';

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

/** What the run knows about the target's files and did to them. */
export class FileTracker {
  initial: readonly InitialReading[] = [];
  readonly #moveLog: MoveLog;
  readonly #moved = new Map<string, Moved>();
  readonly #deletedEarlier = new Set<string>();

  constructor(moveLog: MoveLog) {
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
