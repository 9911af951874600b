import { inParallel } from '../in-parallel.ts';
import type { Session } from '../session.ts';
import { requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { type GuardTree, guardTree, usualDeletedTree } from './shared-trees.ts';
import { awaitLateDeletion, expectStillThere, lostBy } from './tree-deletions.ts';

/** The guard tree, where plain deletions succeed, so a refused request was refused for its oddity. */
export async function guardAfterDeletion(session: Session): Promise<GuardTree> {
  const guard = await guardTree(session);
  requireSuccess((await usualDeletedTree(session)).reply, 'deleteDriveTree.is-served');
  return guard;
}

/**
 * Sends requests that must not delete the guard tree: all in parallel; only if its file is gone afterwards, one after
 * the other. Throws `Violated` with the request that deleted it.
 */
export async function expectGuardKept<Item>(
  session: Session,
  items: readonly Item[],
  send: (item: Item, guard: GuardTree) => Promise<Reply>,
): Promise<void> {
  const guard = await guardAfterDeletion(session);
  const replies = await inParallel(items, (item) => send(item, guard));
  const { reply, isGone } = await awaitLateDeletion(session, guard.file);
  if (!isGone) return;
  for (const item of items) {
    const next = await guardAfterDeletion(session);
    await expectStillThere(session, next.file, await send(item, next));
  }
  throw lostBy(replies.at(-1) ?? reply, reply);
}
