import type { Session } from '../session.ts';
import type { Reply } from '../target/reply.ts';

/** A tree deletion that was sent. */
export interface SentDeletion {
  driveId: string;
  path: string;
  /** The paths of the files below it that the run put there. */
  below: readonly string[];
  reply: Reply;
}

const sent = new WeakMap<Session, SentDeletion[]>();

/** Notes a tree deletion, and what the run knew to be below its path when it was sent. */
export function recordDeletion(session: Session, deletion: SentDeletion): void {
  sent.set(session, [...deletionsOf(session), deletion]);
}

/** The tree deletions of the run so far. */
export function deletionsOf(session: Session): readonly SentDeletion[] {
  return sent.get(session) ?? [];
}
