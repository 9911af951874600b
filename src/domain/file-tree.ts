import type { DriveFile } from './resources.ts';

/** Folds paths that count as one to the same text. */
export type FoldPath = (path: string) => string;

const asIs: FoldPath = (path) => path;

/** The files at and below a directory path. */
export interface Subtree {
  /** The files at this path; none if it ends with a slash. Only folded paths can have several. */
  own: DriveFile[];
  /** The files below it, compared by segments. */
  below: DriveFile[];
  /** The number of directories that contain them, including the one at the path. */
  directoryCount: number;
}

type Note = (id: string, file: DriveFile | undefined) => void;

/** The files of one drive. Directories exist only as part of their paths, so a search looks at every file. */
export class FileTree {
  readonly #byId = new Map<string, DriveFile>();
  readonly #note: Note | undefined;

  /** `note` is called for each file added or replaced, and for each id removed. */
  constructor(note?: Note) {
    this.#note = note;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Any one of the files. */
  first(): DriveFile | undefined {
    return this.#byId.values().next().value;
  }

  /** All files in the order in which they were added. A moved file keeps its place. */
  all(): DriveFile[] {
    return [...this.#byId.values()];
  }

  find(id: string): DriveFile | undefined {
    return this.#byId.get(id);
  }

  at(path: string): DriveFile | undefined {
    return this.allAt(path)[0];
  }

  /** The files at this path: several only if paths are folded. */
  allAt(path: string, fold = asIs): DriveFile[] {
    const wanted = fold(path);
    return this.all().filter((file) => fold(file.path) === wanted);
  }

  /** Adds a file, or replaces its earlier version. No other file may be at the path. */
  put(file: DriveFile): void {
    this.#note?.(file.id, file);
    this.#byId.set(file.id, file);
  }

  remove(id: string): void {
    if (this.#byId.delete(id)) this.#note?.(id, undefined);
  }

  /** The files at and below a directory path; those below in the order of their paths. */
  under(path: string, fold = asIs): Subtree {
    const own = path.endsWith('/') ? [] : this.allAt(path, fold);
    const directory = fold(path.replace(/\/$/, ''));
    const below = this.all()
      .filter((file) => isBelow(fold(file.path), directory))
      .map((file) => ({ file, path: fold(file.path) }))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
    const paths = below.map((one) => one.path);
    return { own, below: below.map(({ file }) => file), directoryCount: countDirectories(directory, paths) };
  }

  /** Whether a path is in an existing directory and is not itself a directory. */
  isPlausibleTarget(path: string, fold = asIs): boolean {
    const parent = path.slice(0, path.lastIndexOf('/'));
    const isInDirectory = parent === '' || this.#isDirectory(parent, fold);
    return isInDirectory && !path.endsWith('/') && !this.#isDirectory(path, fold);
  }

  #isDirectory(path: string, fold: FoldPath): boolean {
    const directory = fold(path);
    return this.all().some((file) => isBelow(fold(file.path), directory));
  }
}

// The directory has no slash at its end.
function isBelow(path: string, directory: string): boolean {
  return path[directory.length] === '/' && path.startsWith(directory);
}

// The paths are sorted: a directory is new if the previous path is outside it.
function countDirectories(directory: string, paths: readonly string[]): number {
  let count = paths.length === 0 ? 0 : 1;
  let previous = directory;
  for (const path of paths) {
    let shared = directory.length + 1;
    while (shared < path.length && path[shared] === previous[shared]) shared++;
    count += path.slice(shared).split('/').length - 1;
    previous = path;
  }
  return count;
}

/** The file name in a path: its last non-empty segment. */
export function nameOf(path: string): string {
  return path.split('/').findLast((segment) => segment !== '') ?? '';
}
