import { drivesOf } from '../scene/lists.ts';
import { pagingNumber, readPage } from '../scene/paging.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { presume } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { isAccepted, type Observer, type Seen } from './observer.ts';

/** Whether a limit or an offset outside its bounds is refused. */
export const outOfRangeObserver: Observer = {
  openPoint: 'outOfRangePaging',
  phase: 'read',
  see: async (session) => seeOutOfRange(await outOfRange(session)),
};

/** Pages asked for with one number outside its bounds, whatever came of them. They are sent once in a run. */
export function outOfRange(session: Session): Promise<Record<keyof typeof nearest, Reply>> {
  return session.once('out of range', async () => {
    presume(await readPage(session, { limit: 2 }), 'listDrives.is-served');
    return {
      'limit=0': await readPage(session, { limit: 0 }),
      'limit=101': await readPage(session, { limit: 101 }),
      'offset=-1': await readPage(session, { limit: 2, offset: -1 }),
    };
  });
}

function seeOutOfRange(replies: Readonly<Record<keyof typeof nearest, Reply>>): Seen {
  const queries = Object.keys(nearest) as (keyof typeof nearest)[];
  const seen = queries.map((query) => ({ query, is: toSeen(query, replies[query]) }));
  const [first] = seen;
  if (seen.every(({ is }) => is === first?.is) && first !== undefined && first.is !== 'taken') return first.is;
  return { other: seen.map(({ query, is }) => `${query} is ${is}`).join(', ') };
}

function toSeen(query: keyof typeof nearest, reply: Reply): 'refused' | 'clamped' | 'taken' {
  if (!isAccepted(reply)) return 'refused';
  return isClamped(query, reply) ? 'clamped' : 'taken';
}

const nearest = { 'limit=0': 1, 'limit=101': 100, 'offset=-1': 0 };

function isClamped(query: keyof typeof nearest, reply: Reply): boolean {
  const name = query === 'offset=-1' ? 'offset' : 'limit';
  const shown = pagingNumber(reply, name);
  if (shown === undefined) throw new Unverified('PREREQUISITE', `pagination shows no ${name}.`);
  return shown === nearest[query] && (name === 'offset' || drivesOf(reply).length <= shown);
}

/** A query of the list of drives that the target refuses, and its refusal. */
export function refusedQuery(session: Session): Promise<{ query: string; status: number }> {
  return session.once('refused query', async () => {
    for (const query of ['limit=0', 'limit=many'] as const) {
      const known = query === 'limit=0' ? (await outOfRange(session))[query] : undefined;
      const reply = known ?? (await session.call('listDrives', { query }));
      if (!isAccepted(reply)) return { query, status: reply.status };
    }
    throw new Unverified('DATA', 'No query was refused.');
  });
}
