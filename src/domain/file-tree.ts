import type { DriveFile } from './resources.ts';
import { SortedPaths } from './sorted-paths.ts';

/** The files at and below a directory path. */
export interface Subtree {
  /** The file at exactly this path; undefined when the path ends with a slash. */
  own: DriveFile | undefined;
  /** The files below it, compared by segments. */
  below: DriveFile[];
  /** The number of directories that hold them, including the one at the path. */
  directoryCount: number;
}

type Note = (id: string, file: DriveFile | undefined) => void;

/** The files of one drive. Directories exist only as part of their paths. */
export class FileTree {
  #byId = new Map<string, DriveFile>();
  #byPath = new SortedPaths<DriveFile>();
  readonly #note: Note | undefined;

  /** `note` is called with each file that is added or replaced, and with each id that is removed. */
  constructor(note?: Note) {
    this.#note = note;
  }

  copy(note?: Note): FileTree {
    const copy = new FileTree(note);
    copy.#byId = new Map(this.#byId);
    copy.#byPath = this.#byPath.copy();
    return copy;
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

  /** The file at exactly this path. */
  at(path: string): DriveFile | undefined {
    return this.#byPath.at(path);
  }

  /** Adds a file, or replaces its earlier version. No other file may be at the path. */
  put(file: DriveFile): void {
    this.#note?.(file.id, file);
    const earlier = this.#byId.get(file.id);
    if (earlier !== undefined && earlier.path !== file.path) this.#byPath.remove(earlier.path);
    this.#byId.set(file.id, file);
    this.#byPath.put(file);
  }

  remove(id: string): void {
    const file = this.#byId.get(id);
    if (file === undefined) return;
    this.#note?.(id, undefined);
    this.#byId.delete(id);
    this.#byPath.remove(file.path);
  }

  /** The files at and below a directory path. The cost depends on the size of the subtree, not of the drive. */
  under(path: string): Subtree {
    const own = path.endsWith('/') ? undefined : this.at(path);
    const prefix = path.endsWith('/') ? path : `${path}/`;
    const below = [...this.#byPath.startingWith(prefix)];
    return { own, below, directoryCount: countDirectories(prefix, below) };
  }

  /** Whether a path is in an existing directory and is not the path of a directory itself. */
  isPlausibleTarget(path: string): boolean {
    const parent = path.slice(0, path.lastIndexOf('/') + 1);
    const exists = parent === '/' || this.#isDirectory(parent);
    return exists && path !== parent && !this.#isDirectory(`${path}/`);
  }

  #isDirectory(prefix: string): boolean {
    return this.#byPath.startingWith(prefix).next().done !== true;
  }
}

// The files are sorted: a directory is new where the previous path is outside of it.
function countDirectories(prefix: string, files: readonly DriveFile[]): number {
  let count = files.length === 0 ? 0 : 1;
  let previous = prefix;
  for (const { path } of files) {
    count += countSlashes(path, Math.max(prefix.length, sharedLength(previous, path)));
    previous = path;
  }
  return count;
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

function countSlashes(path: string, from: number): number {
  let count = 0;
  for (let end = path.indexOf('/', from); end >= 0; end = path.indexOf('/', end + 1)) count++;
  return count;
}

/** The file name in a path: its last segment that is not empty. */
export function nameOf(path: string): string {
  return path.split('/').findLast((segment) => segment !== '') ?? '';
}

/** The path without empty segments, `.` segments and a trailing slash. */
export function normalizePath(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return `/${segments.join('/')}`;
}
