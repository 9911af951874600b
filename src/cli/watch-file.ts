import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { watchWay } from './watch-way.ts';

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

/** What a file holds, to detect a change later; undefined if it cannot be read. */
export function digestOf(path: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return undefined;
  }
}

/** Watches a file that had a digest, and the way to it, until `signal` is aborted. */
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
  /** Of what it held last. */
  digest: string | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Ends the watchers on the way to it. */
  watching: AbortController;
}

// The way may be another one after a change, so it is watched anew after each.
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
  // In this order: a change after the look is an event.
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
