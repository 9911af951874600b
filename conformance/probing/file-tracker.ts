import type { FileFixture } from '../config/settings.ts';
import type { Reply } from '../target/reply.ts';

/** A file of the target that the run may move, and the path at which the run found it. */
export interface MovableFile extends FileFixture {
  home: string;
}

/** A declared file, and the reply to reading it before anything was done to it. */
export interface InitialReading extends FileFixture {
  reply: Reply;
}

/** Identifies a file: ids may be unique within a drive only. */
export function fileKey({ driveId, id }: FileFixture): string {
  return JSON.stringify([driveId, id]);
}

/** What the run knows about the files of the target, and did to them. */
export class FileTracker {
  initial: readonly InitialReading[] = [];
  readonly #moved = new Map<string, { file: MovableFile; lastPath: string }>();
  readonly #deletedEarlier = new Set<string>();

  /** Tracks a file before its move is sent, since the run may end at any time. Returns a function that undoes it. */
  startMove(file: MovableFile): () => void {
    const key = fileKey(file);
    if (this.#moved.has(key)) return () => undefined;
    this.#moved.set(key, { file, lastPath: file.home });
    return () => void this.#moved.delete(key);
  }

  /** Notes the path of a move that was not refused. */
  setLastPath(file: MovableFile, path: string): void {
    this.#moved.set(fileKey(file), { file, lastPath: path });
  }

  /** The path of the last move that was not refused; the path at which the file was found if there is none. */
  lastPathOf(file: MovableFile): string {
    return this.#moved.get(fileKey(file))?.lastPath ?? file.home;
  }

  isMoved(file: FileFixture): boolean {
    return this.#moved.has(fileKey(file));
  }

  /** The files for which the run sent a move. */
  moved(): MovableFile[] {
    return Array.from(this.#moved.values(), ({ file }) => file);
  }

  /** Notes that an earlier run deleted a disposable file. */
  setDeletedEarlier(file: FileFixture): void {
    this.#deletedEarlier.add(fileKey(file));
  }

  isDeletedEarlier(file: FileFixture): boolean {
    return this.#deletedEarlier.has(fileKey(file));
  }
}
