import type { Session } from '../session.ts';
import type { Reply } from '../target/reply.ts';

/** A tree deletion that was sent. */
export interface SentDeletion {
  driveId: string;
  path: string;
  /** The paths of the files below it that the run put there. */
  below: readonly string[];
  reply: Reply;
  /** Whether another client may have moved files out of the tree before. */
  isDoubtful?: boolean;
}

const sent = new WeakMap<Session, SentDeletion[]>();

/** Notes a tree deletion, and what the run knew to be below its path when it was sent. */
export function recordDeletion(session: Session, deletion: SentDeletion): void {
  sent.set(session, [...deletionsOf(session), deletion]);
}

/** Notes that the files below a path may have been elsewhere when it was deleted. */
export function doubtCount(session: Session, driveId: string, path: string): void {
  for (const deletion of deletionsOf(session))
    if (deletion.driveId === driveId && deletion.path === path) deletion.isDoubtful = true;
}

/** The tree deletions of the run so far. */
export function deletionsOf(session: Session): readonly SentDeletion[] {
  return sent.get(session) ?? [];
}
