import { drivesOf, type Listing, readList } from '../scene/lists.ts';
import { idsOf, pagingNumber, readPage } from '../scene/paging.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { idOf, poll } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { type Observer, ownReplies, type Seen } from './observer.ts';

/** What a page of drives holds when nothing is said of it, and what its total counts. */
export const pageObservers: readonly Observer[] = [
  { openPoint: 'defaultLimit', phase: 'list', see: seeDefaultLimit },
  { openPoint: 'defaultOffset', phase: 'list', see: seeDefaultOffset },
  { openPoint: 'totalMeaning', phase: 'list', see: seeTotal },
];

interface Pages {
  all: Listing;
  /** Asked for without a parameter. */
  plain: Reply;
  /** Asked for with limit=1. */
  small: Reply;
}

/** Pages of one and the same list: while they were read, no drive came or went. */
function pagesOf(session: Session): Promise<Pages> {
  return session.once('pages when observed', async () => {
    const { seen } = await poll(
      session.settings.settleMs,
      () => readPages(session),
      (pages) => pages !== undefined,
    );
    if (seen !== undefined) return seen;
    throw new Unverified('QUIET', 'The list of drives does not come to rest.');
  });
}

// What was just created may still be on its way into the list: then the pages are read again.
async function readPages(session: Session): Promise<Pages | undefined> {
  const all = await readList(session, 'listDrives');
  const plain = await readPage(session, {});
  const small = await readPage(session, { limit: 1 });
  const again = await readList(session, 'listDrives');
  const isSame = idsOf(all.items).sort().join() === idsOf(again.items).sort().join();
  return isSame && all.isWhole ? { all, plain, small } : undefined;
}

/** What a page that was asked for without parameters tells of its limit. */
interface PlainPage {
  limit: number;
  /** Up to which drive it reaches, counted from the first. */
  end: number;
}

function plainPages(session: Session): PlainPage[] {
  const replies = ownReplies(session).filter(
    ({ sending, isSuccess }) => isSuccess && sending.operation === 'listDrives' && sending.path === '/drives',
  );
  return replies.flatMap((reply) => {
    const limit = pagingNumber(reply, 'limit');
    const end = (pagingNumber(reply, 'offset') ?? 0) + drivesOf(reply).length;
    return limit === undefined ? [] : [{ limit, end }];
  });
}

// A limit that is the number of all drives may be a number, or mean all of them: it shows when another number of drives
// is there, as the run creates some.
async function seeDefaultLimit(session: Session): Promise<Seen> {
  const { all, plain } = await pagesOf(session);
  const pages = plainPages(session);
  const limits = new Set(pages.map(({ limit }) => limit));
  const [limit] = limits;
  if (limit === undefined) return countedLimit(all, plain);
  if (limits.size > 1) {
    const isAll = pages.every((page) => page.end === page.limit) && pages.at(-1)?.limit === all.items.length;
    return isAll ? 'all' : { other: `${[...limits].join(', ')} at different times` };
  }
  const isCut = all.items.length > limit;
  return isCut || pages.some(({ end }) => end < limit) ? limit : undefined;
}

function countedLimit(all: Listing, plain: Reply): Seen {
  const page = drivesOf(plain);
  const isCut = page.length > 0 && idOf(page.at(-1)) !== idOf(all.items.at(-1));
  return isCut ? page.length : undefined;
}

async function seeDefaultOffset(session: Session): Promise<Seen> {
  const { all, plain } = await pagesOf(session);
  const shown = pagingNumber(plain, 'offset');
  const [first] = drivesOf(plain);
  if (!plain.isSuccess || first === undefined) return shown;
  const skipped = idsOf(all.items).indexOf(idsOf([first])[0] ?? '');
  if (skipped < 0 || (shown ?? skipped) === skipped) return shown ?? (skipped < 0 ? undefined : skipped);
  return { other: `pagination.offset is ${shown}, and the page begins with drive ${skipped}` };
}

async function seeTotal(session: Session): Promise<Seen> {
  const { all, small } = await pagesOf(session);
  const total = pagingNumber(small, 'total');
  const count = drivesOf(small).length;
  if (total === undefined || count === 0 || count >= all.items.length) return undefined;
  if (total === all.items.length) return 'all';
  return total === count ? 'page' : { other: `${total} with ${count} of ${all.items.length} drives on the page` };
}
