import { readlinkSync, watch } from 'node:fs';
import { isAbsolute, join, parse, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

// Systems follow no more than this.
const mostLinks = 40;
// Of a path that changes while it is read.
const mostTries = 10;

/**
 * Calls `note` when something changes on the path to a file or folder: the place itself, and each folder and link that
 * leads there, since any of them may be replaced. The watched path is resolved once: after a change, watch anew.
 */
export function watchWay(path: string, note: () => void, failed: (error: Error) => void, signal: AbortSignal): void {
  for (let tries = 0; tries < mostTries && !signal.aborted; tries++) {
    const way = wayTo(path);
    const watching = new AbortController();
    watchFolders(way, note, failed, AbortSignal.any([signal, watching.signal]));
    // A link that changed before its folder was watched raises no event.
    if (isDeepStrictEqual(wayTo(path), way)) return;
    watching.abort();
  }
  note();
}

type Way = Map<string, Set<string>>;

function watchFolders(way: Way, note: () => void, failed: (error: Error) => void, signal: AbortSignal): void {
  const last = [...way.keys()].at(-1);
  for (const [folder, names] of way) {
    // An unreadable folder further up is not watched; a missing one is reported by its parents.
    const onError = (error: NodeJS.ErrnoException) => {
      if (folder === last && error.code !== 'ENOENT') failed(error);
    };
    const listener = (_: string, name: string | null) => {
      if (name === null || names.has(name)) note();
    };
    try {
      watch(folder, { signal }, listener).on('error', onError);
    } catch (error) {
      onError(error as Error);
    }
  }
}

/**
 * The folders on the path to a place, with links resolved, and the names in each by which it continues; last the place.
 */
function wayTo(path: string): Way {
  const way: Way = new Map();
  const names = namesIn(resolve(path));
  let folder = parse(resolve(path)).root;
  for (let links = 0, name = names.shift(); name !== undefined && links <= mostLinks; name = names.shift()) {
    const place = join(folder, name);
    const target = name === '..' ? undefined : linkAt(place);
    if (name !== '..') {
      const known = way.get(folder) ?? new Set();
      // Moves the folder to the end.
      way.delete(folder);
      way.set(folder, known.add(name));
    }
    if (target === undefined) {
      folder = place;
      continue;
    }
    links += 1;
    if (isAbsolute(target)) folder = parse(target).root;
    names.unshift(...namesIn(target));
  }
  return way;
}

function namesIn(path: string): string[] {
  return path
    .slice(parse(path).root.length)
    .split(sep)
    .filter((name) => name !== '' && name !== '.');
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
