import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** How often a path is looked at: network file systems and containers send no events, and a link on the way may change. */
const pollMs = 50;
/** The time a file must stay unchanged: editors write in several steps, and some write several files. */
const quietMs = 150;
/** How long a file may be missing: some editors delete it and write a new one. */
const awayMs = 1_000;

/** Calls `note` when what a path leads to is written, replaced or removed, until `signal` is aborted. */
export function pollPath(path: string, note: () => void, signal: AbortSignal): void {
  let known = marksOf(path);
  const look = () => {
    const now = marksOf(path);
    if (now === known) return;
    known = now;
    note();
  };
  const timer = setInterval(look, pollMs).unref();
  signal.addEventListener('abort', () => clearInterval(timer));
}

function marksOf(path: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join();
  } catch {
    return '';
  }
}

/** A digest of a file, to detect changes later; undefined if it cannot be read. */
export function digestOf(path: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return undefined;
  }
}

/** Receives what happens to a file. */
interface FileListener {
  changed(): void;
  /** It has been missing for longer than an editor would need. */
  gone(): void;
}

/** Watches a file until `signal` is aborted. `digest` is its last known content. */
export function watchFile(path: string, digest: string | undefined, listener: FileListener, signal: AbortSignal): void {
  let known = digest;
  let timer: NodeJS.Timeout | undefined;
  const lookIn = (afterMs: number, isAway = false) => {
    clearTimeout(timer);
    timer = setTimeout(look, afterMs, isAway);
  };
  const look = (wasAway: boolean) => {
    const now = digestOf(path);
    if (now === undefined && !wasAway) return lookIn(awayMs, true);
    if (now === known) return;
    known = now;
    if (now === undefined) listener.gone();
    else listener.changed();
  };
  pollPath(path, () => lookIn(quietMs), signal);
  // It may have changed since it was read.
  lookIn(0);
  signal.addEventListener('abort', () => clearTimeout(timer));
}
