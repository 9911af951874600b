import type { MovableFile } from '../scene/movable-file.ts';
import { directoryOf, pathIn, readFile, sendMove } from '../scene/moves.ts';
import { freeFiles, release, watchStaying } from '../scene/trees.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import type { Reply } from '../target/reply.ts';
import { intoNewDirectory } from './moves.ts';
import { sameName } from './new-names.ts';
import { agreed, ifSeen, isAccepted, type Observer, type Seen } from './observer.ts';
import { publishedAgain } from './publications.ts';

/** What happens to a request that collides with what is there. */
export const conflictObservers: readonly Observer[] = [
  { openPoint: 'pathConflict', phase: 'delete', effects: { moves: true, deletions: 1 }, see: seePathConflict },
  { openPoint: 'conflictStatus', phase: 'judge', effects: {}, see: seeConflictStatus },
];

/** A move of one disposable file onto another, which may be gone by it. It is sent once in a run. */
function ontoAnother(session: Session): Promise<{ reply: Reply; isOtherGone: boolean }> {
  return session.once('onto another', async () => {
    session.requireDestruction();
    const free = await freeFiles(session);
    const [file, other] = pairOf(free);
    if (file === undefined || other === undefined) {
      throw new Unverified('DISPOSABLE_FILES', 'No two disposable files of one drive are left.');
    }
    for (const taken of [file, other]) free.splice(free.indexOf(taken), 1);
    const path = pathIn(await readFile(session, other));
    if (path === undefined) throw new Unverified('PREREQUISITE', 'The file shows no path.');
    const reply = await sendMove(session, file, path);
    const { isGone: isOtherGone } = await watchStaying(session, other);
    await release(session, [file, other]);
    return { reply, isOtherGone };
  });
}

/** Two files of one drive, and of one directory if there are such: that directory stays when one of them leaves it. */
function pairOf(files: readonly MovableFile[]): readonly MovableFile[] {
  const groups = [
    ...Map.groupBy(files, ({ driveId, home }) => JSON.stringify([driveId, directoryOf(home)])).values(),
    ...Map.groupBy(files, ({ driveId }) => driveId).values(),
  ];
  return groups.find((group) => group.length > 1) ?? [];
}

async function seePathConflict(session: Session): Promise<Seen> {
  const { reply, isOtherGone } = await ontoAnother(session);
  if (!isAccepted(reply)) return 'refused';
  return isOtherGone ? 'replaced' : { other: 'accepted, and both files are there' };
}

// Names, paths and revisions first: whether a new directory is refused as a conflict is less clear.
async function seeConflictStatus(session: Session): Promise<Seen> {
  const certain = {
    'a taken name': await refusalOf(sameName(session, 'createDrive')),
    'a taken path': await refusalOf(ontoAnother(session).then(({ reply }) => reply)),
    'a published revision': await refusalOf(publishedAgain(session)),
  };
  return agreed(certain) ?? (await refusalOf(intoNewDirectory(session).then(({ reply }) => reply)));
}

async function refusalOf(sent: Promise<Reply>): Promise<number | undefined> {
  return ifSeen(sent.then((reply) => (isAccepted(reply) ? undefined : reply.status)));
}
