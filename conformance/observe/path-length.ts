import { say } from '../../openapi/reading/sentence.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { findSizeLimit } from './bodies.ts';
import { moveOf } from './moved-file.ts';
import { intoNewDirectory } from './moves.ts';
import { ifSeen, isAccepted, type Seen } from './observer.ts';

/** Lengths at the usual bounds and right above them. */
const guesses = [1_025, 1_024, 4_097, 4_096];
const longest = Math.max(...guesses);
/** Segments are shorter than what file systems allow. */
const segmentLength = 100;

/**
 * The largest number of characters in a path, found by moves into new directories. Where those are refused, or so large a
 * body is, a refusal would not be about the path.
 */
export async function seePathLength(session: Session): Promise<Seen> {
  if (!isAccepted((await intoNewDirectory(session)).reply)) return undefined;
  const sizes = await ifSeen(findSizeLimit(session));
  // A limit that was not found is a large one.
  if (sizes === undefined || (sizes.limit ?? Number.POSITIVE_INFINITY) < 2 * longest) return undefined;
  const range = { accepted: 0, refused: Number.POSITIVE_INFINITY };
  const tryOne = async (length: number) => {
    if (length <= range.accepted || length >= range.refused) return;
    const { reply } = await moveOf(session, ({ directory }) => pathOf(directory, length));
    range[isAccepted(reply) ? 'accepted' : 'refused'] = length;
  };
  for (const guess of guesses) await tryOne(guess);
  if (range.refused > longest) return 'none';
  while (range.refused - range.accepted > 1) await tryOne(Math.floor((range.accepted + range.refused) / 2));
  return range.accepted;
}

/** A path of this length below a directory, or of the least length that is longer than the directory. */
function pathOf(directory: string, length: number): string {
  if (directory.length + 2 > length) throw new Unverified('DATA', say`The file is in a deep directory.`);
  const segments = `/${'x'.repeat(segmentLength)}`.repeat(Math.ceil(length / segmentLength));
  const path = `${directory}${segments}`.slice(0, length);
  return path.endsWith('/') ? `${path.slice(0, -1)}x` : path;
}
