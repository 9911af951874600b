import { type Check, checksOf, type Phase } from '../check.ts';
import { changeSinceLastLook } from '../probing/known-state.ts';
import type { ListOperation } from '../probing/lists.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';

/** When the lists are compared with what is known about them, and what the run did before. */
const looks: readonly (readonly [rule: string, Phase, does: string])[] = [
  ['creations', 'list', 'After all creations'],
  ['publications', 'publish', 'After all publications'],
  ['moves', 'move', 'After all moves'],
  ['deletions', 'delete', 'After all deletions'],
  ['refused-requests', 'judge', 'At the end of the run'],
];

const lists: readonly ListOperation[] = ['listAgents', 'listDrives', 'listMcpServers'];

/** Nothing changes without a request: after each kind of write, everything known is compared. */
export const knownStateChecks: readonly Check[] = looks.flatMap(([rule, phase, when]) =>
  lists.map((list) =>
    checksOf(list, phase)(
      `unchanged-by.${rule}`,
      `${when}, compares the whole list with what it showed before, except updatedAt and what other clients added.`,
      (session) => expectUnchanged(session, list),
      { needs: ['writes'], isLast: true },
    ),
  ),
);

async function expectUnchanged(session: Session, list: ListOperation): Promise<void> {
  session.requireWrites();
  const change = await changeSinceLastLook(session, list);
  if (change !== undefined) throw new Violated(change.expected, change.actual, change.listing.replies.slice(-2));
}
