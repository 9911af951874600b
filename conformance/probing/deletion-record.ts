import type { FileFixture } from '../config/settings.ts';
import type { Session } from '../session.ts';
import type { Reply } from '../target/reply.ts';

/** A tree deletion that was sent. */
export interface SentDeletion {
  driveId: string;
  path: string;
  /** The paths of the files below it that the run put there. */
  below: readonly string[];
  reply: Reply;
  /** The files below it that the run put there. */
  files: readonly FileFixture[];
}

const sent = new WeakMap<Session, SentDeletion[]>();

/** Records a tree deletion, and the files that the run knew to be below its path. */
export function recordDeletion(session: Session, deletion: SentDeletion): void {
  sent.set(session, [...deletionsOf(session), deletion]);
}

/** Trees from which another client may have moved files before they were deleted. */
const doubtful = new WeakMap<Session, Set<string>>();

/** Records that files below a path may have been elsewhere when it was deleted. */
export function noteMovedOut(session: Session, { driveId, path }: Tree): void {
  doubtful.set(session, new Set([...(doubtful.get(session) ?? []), treeKey({ driveId, path })]));
}

/** Whether all files that the run put into a tree are gone, and none was seen elsewhere. */
export function hasTakenAll(session: Session, { files, ...tree }: SentDeletion): boolean {
  if (doubtful.get(session)?.has(treeKey(tree))) return false;
  return files.every(({ driveId, id }) => session.receipt.find('deletedFile', id, driveId) !== undefined);
}

type Tree = Pick<SentDeletion, 'driveId' | 'path'>;

function treeKey({ driveId, path }: Tree): string {
  return JSON.stringify([driveId, path]);
}

/** The tree deletions of the run so far. */
export function deletionsOf(session: Session): readonly SentDeletion[] {
  return sent.get(session) ?? [];
}
