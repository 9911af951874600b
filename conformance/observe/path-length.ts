import { say } from '../../lib/sentence.ts';
import type { Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import { findSizeLimit } from './bodies.ts';
import { moveOf, placeOf } from './moved-file.ts';
import { intoNewDirectory } from './moves.ts';
import { ifSeen, isAccepted, type Seen } from './observer.ts';

/** Lengths at the usual bounds and right above them. */
const guesses = [1_025, 1_024, 4_097, 4_096];
const longest = Math.max(...guesses);
/** Segments are shorter than the limit of file systems. */
const segmentLength = 100;

/**
 * The largest number of characters in a path, found by moves into new directories. If those, or bodies of that size,
 * are refused, an error would not be about the path. A limit above the tried lengths cannot be told from `none`.
 */
export async function seePathLength(session: Session): Promise<Seen> {
  if (!isAccepted((await intoNewDirectory(session)).reply)) return undefined;
  const sizes = await ifSeen(findSizeLimit(session));
  // A limit that was not found is large.
  if (sizes === undefined || (sizes.limit ?? Number.POSITIVE_INFINITY) < 2 * longest) return undefined;
  // Moves take the file into deep directories: all paths are below its current directory.
  const { directory } = (await placeOf(session)).place;
  const takes = async (path: string) => isAccepted((await moveOf(session, () => path)).reply);
  const range = { accepted: 0, refused: Number.POSITIVE_INFINITY };
  const tryOne = async (length: number) => {
    if (length <= range.accepted || length >= range.refused) return;
    range[(await takes(pathOf(directory, length))) ? 'accepted' : 'refused'] = length;
  };
  for (const guess of guesses) await tryOne(guess);
  if (range.refused > longest) return undefined;
  while (range.refused - range.accepted > 1) await tryOne(Math.floor((range.accepted + range.refused) / 2));
  const isLengthAlone = (await takes(withLongName(directory))) && (await takes(asDeep(directory, range.refused)));
  return isLengthAlone ? range.accepted : undefined;
}

/** A short path with the longest name tried: if it is refused, there is a separate limit on names. */
function withLongName(directory: string): string {
  return `${directory}/${'x'.repeat(segmentLength + 1)}`;
}

/** A short path with as many segments as one of this length: if it is refused, directory depth is limited. */
function asDeep(directory: string, length: number): string {
  const segments = pathOf(directory, length).slice(directory.length).split('/').length - 1;
  return `${directory}${'/x'.repeat(segments)}`;
}

/** A path of this length below a directory; longer if the directory's path leaves no room. */
function pathOf(directory: string, length: number): string {
  if (directory.length + 2 > length) throw new Inconclusive('DATA', say`The file is in a deep directory.`);
  const segments = `/${'x'.repeat(segmentLength)}`.repeat(Math.ceil(length / segmentLength));
  const path = `${directory}${segments}`.slice(0, length);
  return path.endsWith('/') ? `${path.slice(0, -1)}x` : path;
}
