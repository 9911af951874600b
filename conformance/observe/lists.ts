import { readList } from '../probing/lists.ts';
import { readPage } from '../probing/paging.ts';
import type { Session } from '../session.ts';
import { createBoth } from './creations.ts';
import { ifSeen, type Observer } from './observer.ts';

/** Pages, the order of lists and the ids in them. */
export const listObservers: readonly Observer[] = [
  { openPoint: 'defaultLimit', phase: 'list', ask: readPages },
  { openPoint: 'defaultOffset', phase: 'list', ask: readPages },
  { openPoint: 'totalMeaning', phase: 'list', ask: readPages },
  { openPoint: 'listOrder', phase: 'list', ask: readListsTwice },
  { openPoint: 'idFormat', phase: 'list', effects: {}, ask: createBoth },
];

// A page shows its default limit and its total against the whole list, so that is read first.
function readPages(session: Session): Promise<void> {
  return session.once('pages when observed', async () => {
    await readList(session, 'listDrives');
    await readPage(session, {});
    await readPage(session, { limit: 1 });
  });
}

// A list whose order changes with each reading has no order.
async function readListsTwice(session: Session): Promise<void> {
  for (const operation of ['listAgents', 'listDrives', 'listMcpServers'] as const) {
    await ifSeen(readList(session, operation));
    await ifSeen(readList(session, operation));
  }
}
