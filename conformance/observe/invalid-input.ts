import type { Session } from '../session.ts';
import { moveOf, type SentMove } from './moved-file.ts';
import { ifSeen, isAccepted, type Observer } from './observer.ts';
import { outOfRange } from './out-of-range.ts';

/** Which code answers what breaks a stated rule, and nothing else: the bounds of a page, or the rule for paths. */
export const invalidInputObserver: Observer = {
  openPoint: 'invalidInputStatus',
  phase: 'move',
  effects: { moves: true },
  ask: invalidStatuses,
};

/** The codes that answer what breaks a stated rule, by what was sent. */
export async function invalidStatuses(session: Session): Promise<Record<string, number>> {
  const pages = (await ifSeen(outOfRange(session))) ?? {};
  const move = await ifSeen(unrulyMove(session));
  const replies = Object.entries({ ...pages, ...(move === undefined ? {} : { 'a path without a slash': move.reply }) });
  const refusals = await Promise.all(
    replies.map(async ([what, reply]) => ((await ifSeen(refused(reply))) ? [[what, reply.status] as const] : [])),
  );
  return Object.fromEntries(refusals.flat());
}

async function refused(reply: Parameters<typeof isAccepted>[0]): Promise<boolean> {
  return !isAccepted(reply);
}

function unrulyMove(session: Session): Promise<SentMove> {
  return session.once('unruly move', () => moveOf(session, () => session.newName()));
}
