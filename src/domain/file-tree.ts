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
  #idByPath = new Map<string, string>();
  #paths = new SortedPaths();
  readonly #note: Note | undefined;

  /** `note` is called with each file that is added or replaced, and with each id that is removed. */
  constructor(note?: Note) {
    this.#note = note;
  }

  copy(note?: Note): FileTree {
    const copy = new FileTree(note);
    copy.#byId = new Map(this.#byId);
    copy.#idByPath = new Map(this.#idByPath);
    copy.#paths = this.#paths.copy();
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
    const id = this.#idByPath.get(path);
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /** Adds a file, or replaces its earlier version. No other file may be at the path. */
  put(file: DriveFile): void {
    this.#note?.(file.id, file);
    const earlier = this.#byId.get(file.id);
    if (earlier !== undefined) this.#freePath(earlier.path);
    this.#byId.set(file.id, file);
    this.#idByPath.set(file.path, file.id);
    this.#paths.add(file.path);
  }

  remove(id: string): void {
    const file = this.#byId.get(id);
    if (file === undefined) return;
    this.#note?.(id, undefined);
    this.#byId.delete(id);
    this.#freePath(file.path);
  }

  /** The files at and below a directory path. The cost depends on the size of the subtree, not of the drive. */
  under(path: string): Subtree {
    const own = path.endsWith('/') ? undefined : this.at(path);
    const prefix = path.endsWith('/') ? path : `${path}/`;
    const paths = [...this.#paths.startingWith(prefix)];
    const below = paths.map((one) => this.at(one) as DriveFile);
    return { own, below, directoryCount: countDirectories(prefix, paths) };
  }

  /** Whether a path is in an existing directory and is not the path of a directory itself. */
  isPlausibleTarget(path: string): boolean {
    const parent = path.slice(0, path.lastIndexOf('/') + 1);
    const exists = parent === '/' || this.#isDirectory(parent);
    return exists && path !== parent && !this.#isDirectory(`${path}/`);
  }

  #freePath(path: string): void {
    this.#idByPath.delete(path);
    this.#paths.remove(path);
  }

  #isDirectory(prefix: string): boolean {
    return this.#paths.startingWith(prefix).next().done !== true;
  }
}

// The paths are sorted: a directory is new where the previous path is outside of it.
function countDirectories(prefix: string, paths: readonly string[]): number {
  let count = paths.length === 0 ? 0 : 1;
  let previous = prefix;
  for (const path of paths) {
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
