import { say } from '../../openapi/reading/sentence.ts';
import { readPage } from '../probing/paging.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { isAccepted, type Observer } from './observer.ts';

/** Whether a limit or an offset outside its bounds is refused. */
export const outOfRangeObserver: Observer = {
  openPoint: 'outOfRangePaging',
  phase: 'read',
  ask: outOfRange,
};

/** Pages requested with one number outside its bounds, with any result. They are sent once per run. */
export function outOfRange(session: Session): Promise<Record<'limit=0' | 'limit=101' | 'offset=-1', Reply>> {
  return session.once('out of range', async () => {
    requireSuccess(await readPage(session, { limit: 2 }), 'listDrives.is-served');
    return {
      'limit=0': await readPage(session, { limit: 0 }),
      'limit=101': await readPage(session, { limit: 101 }),
      'offset=-1': await readPage(session, { limit: 2, offset: -1 }),
    };
  });
}

/** A query of the list of drives that the target refuses, and its refusal. */
export function refusedQuery(session: Session): Promise<{ query: string; status: number }> {
  return session.once('refused query', async () => {
    for (const query of ['limit=0', 'limit=many'] as const) {
      const known = query === 'limit=0' ? (await outOfRange(session))[query] : undefined;
      const reply = known ?? (await session.call('listDrives', { query }));
      if (!isAccepted(reply)) return { query, status: reply.status };
    }
    throw new Unverified('DATA', say`No query was refused.`);
  });
}
