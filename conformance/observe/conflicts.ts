import { say } from '../../lib/sentence.ts';
import { inParallel } from '../in-parallel.ts';
import { oncePerRun } from '../once.ts';
import { pathIn, readFile, sendMove } from '../probing/file-moves.ts';
import { directoryOf, type MovableFile } from '../probing/movable-file.ts';
import { availableFiles, release } from '../probing/placed-files.ts';
import { sameName } from '../probing/repeated-creations.ts';
import { awaitLateDeletion } from '../probing/tree-deletions.ts';
import type { Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import type { Reply } from '../target/reply.ts';
import { intoNewDirectory } from './moves.ts';
import { ifSeen, isAccepted, type Seen } from './observer.ts';
import { publishedAgain } from './publications.ts';
import type { SessionReading } from './session-reading.ts';

/** A move of one disposable file onto another, which may delete the other. */
const ontoAnother = oncePerRun(async (session: Session): Promise<{ reply: Reply; isOtherGone: boolean }> => {
  session.requireDestruction();
  const free = await availableFiles(session);
  const [file, other] = pairOf(free);
  if (file === undefined || other === undefined) {
    throw new Inconclusive('DISPOSABLE_FILES', say`No two disposable files of one drive are left.`);
  }
  for (const taken of [file, other]) free.splice(free.indexOf(taken), 1);
  // Reads both: after a deletion nothing is known about the files in its drive.
  const [, shown] = await inParallel([file, other], (one) => readFile(session, one));
  const path = shown && pathIn(shown);
  if (path === undefined) throw new Inconclusive('PREREQUISITE', say`The file shows no path.`);
  const reply = await sendMove(session, file, path);
  const { isGone: isOtherGone } = await awaitLateDeletion(session, other);
  await release(session, [file, other]);
  return { reply, isOtherGone };
});

/** Two files in one drive, if possible in one directory, which then survives when one of them leaves it. */
function pairOf(files: readonly MovableFile[]): readonly MovableFile[] {
  const groups = [
    ...Map.groupBy(files, ({ driveId, originalPath }) => JSON.stringify([driveId, directoryOf(originalPath)])).values(),
    ...Map.groupBy(files, ({ driveId }) => driveId).values(),
  ];
  return groups.find((group) => group.length > 1) ?? [];
}

export async function seePathConflict(session: Session): Promise<Seen> {
  const { reply, isOtherGone } = await ontoAnother(session);
  if (!isAccepted(reply)) return 'refused';
  return isOtherGone ? 'replaced' : { other: say`accepted, and both files are there` };
}

// Names, paths and revisions decide: whether a refused new directory is a conflict is less clear.
export async function seeConflictStatus(session: Session, reading: SessionReading): Promise<Seen> {
  for (const send of [
    () => sameName(session, 'createDrive'),
    () => ontoAnother(session),
    () => publishedAgain(session),
  ])
    await ifSeen<unknown>(send());
  const seen = reading.seen('errorStatus.conflict');
  if (seen !== undefined) return seen;
  const { reply } = await intoNewDirectory(session);
  return isAccepted(reply) ? undefined : reply.status;
}
