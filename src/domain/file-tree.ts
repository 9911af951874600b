import type { DriveFile } from './resources.ts';

interface Directory {
  directories: Map<string, Directory>;
  /** File ids by name. */
  files: Map<string, string>;
}

/** The files of one drive and the directories that their paths imply. Each call costs the depth of the path. */
export class FileTree {
  readonly #root = createDirectory();
  readonly #byId = new Map<string, DriveFile>();

  get size(): number {
    return this.#byId.size;
  }

  /** Any one of the files. */
  first(): DriveFile | undefined {
    return this.#byId.values().next().value;
  }

  find(id: string): DriveFile | undefined {
    return this.#byId.get(id);
  }

  /** The file at exactly this path. */
  at(path: string): DriveFile | undefined {
    const { parents, name } = split(path);
    const id = this.#directory(parents)?.files.get(name);
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /** Adds a file, or puts its new version in place of the earlier one. The path must be free, or its own. */
  put(file: DriveFile): void {
    this.remove(file.id);
    const { parents, name } = split(file.path);
    this.#makeDirectory(parents).files.set(name, file.id);
    this.#byId.set(file.id, file);
  }

  remove(id: string): void {
    const file = this.#byId.get(id);
    if (file === undefined) return;
    this.#byId.delete(id);
    const { parents, name } = split(file.path);
    const trail = this.#trail(parents);
    trail.at(-1)?.files.delete(name);
    prune(trail, parents);
  }

  /** Whether a path lies in a directory that exists and names neither a directory nor anything below a file. */
  isPlausibleTarget(path: string): boolean {
    const { parents, name } = split(path);
    const directory = this.#directory(parents);
    return name !== '' && directory !== undefined && !directory.directories.has(name) && !this.#isBelowFile(parents);
  }

  #isBelowFile(parents: readonly string[]): boolean {
    return parents.some((_, index) => this.at(`/${parents.slice(0, index + 1).join('/')}`) !== undefined);
  }

  /** The file at a directory path, the files below it, by segments, and how many directories these lie in. */
  under(path: string): { own: DriveFile | undefined; below: DriveFile[]; directoryCount: number } {
    const segments = directorySegments(path);
    const own = path.endsWith('/') ? undefined : this.at(path);
    const directory = this.#directory(segments);
    if (directory === undefined) return { own, below: [], directoryCount: 0 };
    const { ids, directoryCount } = collect(directory);
    return { own, below: ids.map((id) => this.#byId.get(id) as DriveFile), directoryCount };
  }

  #directory(segments: readonly string[]): Directory | undefined {
    let directory: Directory | undefined = this.#root;
    for (const segment of segments) directory = directory?.directories.get(segment);
    return directory;
  }

  #makeDirectory(segments: readonly string[]): Directory {
    let directory = this.#root;
    for (const segment of segments) {
      const next = directory.directories.get(segment) ?? createDirectory();
      directory.directories.set(segment, next);
      directory = next;
    }
    return directory;
  }

  #trail(segments: readonly string[]): Directory[] {
    const trail = [this.#root];
    for (const segment of segments) {
      const next = trail.at(-1)?.directories.get(segment);
      if (next !== undefined) trail.push(next);
    }
    return trail;
  }
}

function createDirectory(): Directory {
  return { directories: new Map(), files: new Map() };
}

// Directories are implied by files: one without any is gone.
function prune(trail: readonly Directory[], segments: readonly string[]): void {
  for (let depth = trail.length - 1; depth > 0; depth--) {
    const directory = trail[depth] as Directory;
    if (directory.files.size > 0 || directory.directories.size > 0) return;
    trail[depth - 1]?.directories.delete(segments[depth - 1] as string);
  }
}

// A loop, not recursion: a path may be thousands of segments deep.
function collect(start: Directory): { ids: string[]; directoryCount: number } {
  const ids: string[] = [];
  const waiting = [start];
  for (let index = 0; index < waiting.length; index++) {
    const directory = waiting[index] as Directory;
    for (const id of directory.files.values()) ids.push(id);
    for (const inner of directory.directories.values()) waiting.push(inner);
  }
  return { ids, directoryCount: waiting.length };
}

/** The last segment of a path, and the ones before it. */
function split(path: string): { parents: string[]; name: string } {
  const segments = path.slice(1).split('/');
  return { parents: segments.slice(0, -1), name: segments.at(-1) as string };
}

// One closing slash says "directory" and is no segment: `/a/` is `/a`, `/` is the root.
function directorySegments(path: string): string[] {
  const inner = path.slice(1).replace(/\/$/, '');
  return inner === '' && path.length <= 1 ? [] : inner.split('/');
}

/** The name that a path gives a file: its last segment that is not empty. */
export function nameOf(path: string): string {
  return path.split('/').findLast((segment) => segment !== '') ?? '';
}

/** A path without empty segments, `.` segments and closing slash. */
export function normalizePath(path: string): string {
  return `/${path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/')}`;
}
