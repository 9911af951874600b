import type { DriveFile } from './resources.ts';
import { SortedPaths } from './sorted-paths.ts';

/** Folds paths that count as one to the same text; undefined if different texts are always different paths. */
export type FoldPath = ((path: string) => string) | undefined;

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

/** The data of a tree. */
interface Held {
  readonly byId: Map<string, DriveFile>;
  readonly byPath: SortedPaths<DriveFile>;
}

/** The files of one drive. Directories exist only as part of their paths. */
export class FileTree {
  readonly #held: Held;
  readonly #note: Note | undefined;
  readonly #laterMs: number;

  /** `note` is called for each file added or replaced, and for each id removed. */
  constructor(note?: Note, held: Held = nothingHeld(), laterMs = 0) {
    this.#held = held;
    this.#note = note;
    this.#laterMs = laterMs;
  }

  copy(note?: Note): FileTree {
    const byId = new Map(this.#held.byId);
    const byPath = this.#held.byPath.copy();
    for (const [id, file] of byId) {
      const shown = this.#shown(file);
      if (shown === file) continue;
      byId.set(id, shown);
      byPath.put(shown);
    }
    return new FileTree(note, { byId, byPath });
  }

  /** The same files, which change their status that much later. Read-only: they are shared. */
  later(byMs: number): FileTree {
    return byMs === 0 ? this : new FileTree(undefined, this.#held, this.#laterMs + byMs);
  }

  get size(): number {
    return this.#held.byId.size;
  }

  /** Any one of the files. */
  first(): DriveFile | undefined {
    const [file] = this.#held.byId.values();
    return file && this.#shown(file);
  }

  /** All files in the order in which they were added. A moved file keeps its place. */
  all(): DriveFile[] {
    return [...this.#held.byId.values()].map((file) => this.#shown(file));
  }

  find(id: string): DriveFile | undefined {
    const file = this.#held.byId.get(id);
    return file && this.#shown(file);
  }

  at(path: string): DriveFile | undefined {
    const file = this.#held.byPath.at(path);
    return file && this.#shown(file);
  }

  /** Adds a file, or replaces its earlier version. No other file may be at the path. */
  put(file: DriveFile): void {
    this.#note?.(file.id, file);
    const { byId, byPath } = this.#held;
    const earlier = byId.get(file.id);
    if (earlier !== undefined && earlier.path !== file.path) byPath.remove(earlier.path);
    byId.set(file.id, file);
    byPath.put(file);
  }

  remove(id: string): void {
    const file = this.#held.byId.get(id);
    if (file === undefined) return;
    this.#note?.(id, undefined);
    this.#held.byId.delete(id);
    this.#held.byPath.remove(file.path);
  }

  /** The files at this path: several only if paths are folded, which takes time in proportion to the drive. */
  allAt(path: string, fold: FoldPath): DriveFile[] {
    if (fold !== undefined) return this.all().filter((file) => fold(file.path) === fold(path));
    const file = this.at(path);
    return file === undefined ? [] : [file];
  }

  /** The files at and below a directory path. The cost depends on the size of the subtree, not the drive. */
  under(path: string, fold?: FoldPath): Subtree {
    const own = path.endsWith('/') ? [] : this.allAt(path, fold);
    const prefix = asDirectory(path);
    const below = this.#startingWith(prefix, fold);
    const paths = below.map((file) => fold?.(file.path) ?? file.path);
    return { own, below, directoryCount: countDirectories(fold?.(prefix) ?? prefix, paths) };
  }

  /** Whether a path is in an existing directory and is not itself a directory. */
  isPlausibleTarget(path: string, fold?: FoldPath): boolean {
    const parent = path.slice(0, path.lastIndexOf('/') + 1);
    const exists = parent === '/' || this.#isDirectory(parent, fold);
    return exists && path !== parent && !this.#isDirectory(`${path}/`, fold);
  }

  // Ordered by folded path.
  #startingWith(prefix: string, fold: FoldPath): DriveFile[] {
    if (fold === undefined) return [...this.#held.byPath.startingWith(prefix)].map((file) => this.#shown(file));
    const folded = this.all().map((file) => ({ file, path: fold(file.path) }));
    const below = folded.filter(({ path }) => path.startsWith(fold(prefix)));
    return below.sort((one, other) => (one.path < other.path ? -1 : 1)).map(({ file }) => file);
  }

  #shown(file: DriveFile): DriveFile {
    const { next } = file;
    if (next === undefined || this.#laterMs === 0) return file;
    return { ...file, next: { ...next, atMs: next.atMs + this.#laterMs } };
  }

  #isDirectory(prefix: string, fold: FoldPath): boolean {
    if (fold !== undefined) return this.#startingWith(prefix, fold).length > 0;
    return this.#held.byPath.startingWith(prefix).next().done !== true;
  }
}

function nothingHeld(): Held {
  return { byId: new Map(), byPath: new SortedPaths() };
}

// They are sorted: a directory is new if the previous path is outside it.
function countDirectories(prefix: string, paths: readonly string[]): number {
  let count = paths.length === 0 ? 0 : 1;
  let previous = prefix;
  for (const path of paths) {
    count += countSlashes(path, Math.max(prefix.length, sharedLength(previous, path)));
    previous = path;
  }
  return count;
}

function asDirectory(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
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

/** The file name in a path: its last non-empty segment. */
export function nameOf(path: string): string {
  return path.split('/').findLast((segment) => segment !== '') ?? '';
}
