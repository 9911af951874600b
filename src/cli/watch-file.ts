import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** How long a file may still change: editors write in several steps, and some write several files. */
const quietMs = 150;
/** How long a file may be away: some editors delete it and write a new one. */
const awayMs = 1_000;

/** Called with what became of a file. */
interface FileListener {
  changed(): void;
  /** It is away for longer than an editor would have it. */
  gone(): void;
  /** It cannot be watched any more. */
  failed(error: Error): void;
}

/** What a file holds, to see later whether it is another; undefined when it cannot be read. */
export function digestOf(path: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return undefined;
  }
}

/**
 * Watches a file that had a digest until `signal` is aborted. Editors replace a file by a new one, so its folder is
 * watched; and that of the file that it is a link to.
 */
export function watchFile(path: string, digest: string | undefined, listener: FileListener, signal: AbortSignal): void {
  const watched: Watched = { path, listener, digest, timer: undefined, watching: new AbortController() };
  signal.addEventListener('abort', () => {
    clearTimeout(watched.timer);
    watched.watching.abort();
  });
  watchFolders(watched);
  lookSoon(watched, 0);
}

interface Watched {
  readonly path: string;
  readonly listener: FileListener;
  /** Of what it held last. */
  digest: string | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Ends the watchers of its folders. */
  watching: AbortController;
}

// A link may lead elsewhere after a change, so the folders are found again after each.
function watchFolders(watched: Watched): void {
  const { path, listener } = watched;
  watched.watching.abort();
  watched.watching = new AbortController();
  for (const place of new Set([path, realPathOf(path)])) {
    const note = (_: string, name: string | null) => {
      if (name === null || name === basename(place)) lookSoon(watched, quietMs);
    };
    try {
      watch(dirname(place), { signal: watched.watching.signal }, note).on('error', listener.failed);
    } catch (error) {
      listener.failed(error as Error);
    }
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function lookSoon(watched: Watched, afterMs: number, isAway = false): void {
  clearTimeout(watched.timer);
  watched.timer = setTimeout(() => look(watched, isAway), afterMs);
}

function look(watched: Watched, wasAway: boolean): void {
  // In this order: a change after the look is an event.
  watchFolders(watched);
  const digest = digestOf(watched.path);
  if (digest === undefined && !wasAway) {
    lookSoon(watched, awayMs, true);
    return;
  }
  if (digest === watched.digest) return;
  watched.digest = digest;
  if (digest === undefined) watched.listener.gone();
  else watched.listener.changed();
}
