import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { watchWay } from './watch-way.ts';

/** The time a file must stay unchanged: editors write in several steps, and some write several files. */
const quietMs = 150;
/** How long a file may be missing: some editors delete it and write a new one. */
const awayMs = 1_000;

/** Receives what happens to a file. */
interface FileListener {
  changed(): void;
  /** It has been missing for longer than an editor would need. */
  gone(): void;
  /** It cannot be watched any more. */
  failed(error: Error): void;
}

/** A digest of a file, to detect changes later; undefined if it cannot be read. */
export function digestOf(path: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return undefined;
  }
}

/** Watches a file and the path to it until `signal` is aborted. `digest` is its last known content. */
export function watchFile(path: string, digest: string | undefined, listener: FileListener, signal: AbortSignal): void {
  const watched: Watched = { path, listener, digest, timer: undefined, watching: new AbortController() };
  signal.addEventListener('abort', () => {
    clearTimeout(watched.timer);
    watched.watching.abort();
  });
  watchAnew(watched);
  lookSoon(watched, 0);
}

interface Watched {
  readonly path: string;
  readonly listener: FileListener;
  /** Of its last known content. */
  digest: string | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Closes the watchers on the path to it. */
  watching: AbortController;
}

// A change may lead the path elsewhere, so it is watched anew after each change.
function watchAnew(watched: Watched): void {
  watched.watching.abort();
  watched.watching = new AbortController();
  const note = () => lookSoon(watched, quietMs);
  watchWay(watched.path, note, watched.listener.failed, watched.watching.signal);
}

function lookSoon(watched: Watched, afterMs: number, isAway = false): void {
  clearTimeout(watched.timer);
  watched.timer = setTimeout(() => look(watched, isAway), afterMs);
}

function look(watched: Watched, wasAway: boolean): void {
  // In this order: a change after the check raises an event.
  watchAnew(watched);
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
