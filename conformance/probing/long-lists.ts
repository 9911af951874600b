import { inParallel } from '../in-parallel.ts';
import type { Session } from '../session.ts';
import { member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** The maximum number of drives on a page (4.4). */
export const largestPage = 100;

/** Longer lists are only read at both ends: each page in the middle would be a request. */
const longest = 1_000;
/** How many pages are read at each end of a long list. */
const pagesAtStart = 3;
const pagesAtEnd = 2;

/** Both ends of a long list. */
export interface Ends {
  replies: Reply[];
  /** How many drives the pages at the start show. */
  head: number;
  /** How many drives lie between the pages at the start and those at the end. */
  gap: number;
}

/** Reads the page after `offset` drives. */
type ReadPage = (offset: number) => Promise<Reply>;

/**
 * Both ends of a list whose first page shows a large total. Undefined if the list is short, if its total is not the number of
 * its drives (open point `totalMeaning`), or if this target's lists are read in full.
 */
export async function readEnds(session: Session, first: Reply, read: ReadPage): Promise<Ends | undefined> {
  const total = member(member(first.json, 'pagination'), 'total');
  if (session.learned.readsWholeLists || typeof total !== 'number' || !(total > longest)) return undefined;
  const start = Array.from({ length: pagesAtStart - 1 }, (_, index) => (index + 1) * largestPage);
  const end = Array.from({ length: pagesAtEnd }, (_, index) => total - (pagesAtEnd - index) * largestPage);
  const others = await inParallel([...start, ...end, total], read);
  const past = others.pop() as Reply;
  const replies = [first, ...others];
  const isAsCounted = replies.every((reply) => countOn(reply) === largestPage) && past.isSuccess && countOn(past) === 0;
  if (!isAsCounted) return undefined;
  const gap = total - replies.length * largestPage;
  return { replies: [...replies, past], head: pagesAtStart * largestPage, gap };
}

function countOn({ json }: Reply): number {
  const drives = member(json, 'data');
  return Array.isArray(drives) ? drives.length : 0;
}
