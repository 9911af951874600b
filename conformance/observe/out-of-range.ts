import { drivesOf } from '../lists.ts';
import { pagingNumber } from '../paging.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import type { Reply } from '../target.ts';
import { isAccepted, type Observer, type Seen } from './observer.ts';

/** Whether a limit or an offset outside its bounds is refused. */
export const outOfRangeObserver: Observer = {
  openPoint: 'outOfRangePaging',
  phase: 'read',
  see: async (session) => seeOutOfRange(await outOfRange(session)),
};

/** Pages asked for with one number outside its bounds, whatever came of them. They are sent once in a run. */
export function outOfRange(session: Session): Promise<Record<string, Reply>> {
  return session.once('out of range', async () => ({
    'limit=0': await session.call('listDrives', { query: 'limit=0' }),
    'limit=101': await session.call('listDrives', { query: 'limit=101' }),
    'offset=-1': await session.call('listDrives', { query: 'limit=2&offset=-1' }),
  }));
}

function seeOutOfRange(replies: Readonly<Record<string, Reply>>): Seen {
  const seen = Object.entries(replies).map(([query, reply]) => ({ query, is: toSeen(query, reply) }));
  const [first] = seen;
  if (seen.every(({ is }) => is === first?.is) && first !== undefined && first.is !== 'taken') return first.is;
  return { other: seen.map(({ query, is }) => `${query} is ${is}`).join(', ') };
}

function toSeen(query: string, reply: Reply): 'refused' | 'clamped' | 'taken' {
  if (!isAccepted(reply)) return 'refused';
  return isClamped(query, reply) ? 'clamped' : 'taken';
}

// Where the pagination object does not show it, the size of the page must not speak against it.
function isClamped(query: string, reply: Reply): boolean {
  if (query.startsWith('offset')) return (pagingNumber(reply, 'offset') ?? 0) === 0;
  const nearest = query === 'limit=0' ? 1 : 100;
  return (pagingNumber(reply, 'limit') ?? nearest) === nearest && drivesOf(reply).length <= nearest;
}

/** A query of the list of drives that the target refuses, and its refusal. */
export function refusedQuery(session: Session): Promise<{ query: string; status: number }> {
  return session.once('refused query', async () => {
    for (const query of ['limit=0', 'limit=many']) {
      const known = query === 'limit=0' ? (await outOfRange(session))[query] : undefined;
      const reply = known ?? (await session.call('listDrives', { query }));
      if (!isAccepted(reply)) return { query, status: reply.status };
    }
    throw new Unverified('DATA', 'No query was refused.');
  });
}
