import { own, say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { drivesOf } from '../probing/lists.ts';
import { successfulReplies } from '../probing/operations.ts';
import { pagingNumber, readPage } from '../probing/paging.ts';
import { listedIn, sentInteger, successesFor, whoSent } from '../probing/recorded.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';
import type { Credentials } from '../target/credentials.ts';
import { idOf, member, requireNoOtherClient } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

const check = checksOf('listDrives', 'judge');

/** Every page of drives in the run against its query, whatever its purpose (4.4). */
export const pageChecks: readonly Check[] = [
  check('each-page-within-limit', 'Compares the number of drives on every page with its limit.', isWithinLimit),
  check(
    'no-empty-page-before-the-end',
    'Looks for empty pages with an offset below the number of drives.',
    hasNoEarlyEnd,
  ),
  check(
    'total-counts-the-list',
    'Compares total with the number of drives. Expects the last drive at offset total - 1, and an empty page at offset total.',
    countsTheList,
  ),
  check(
    'limit-above-hundred-reduced',
    'Checks the pagination object of every page requested with a limit above 100.',
    isReduced,
  ),
];

async function isWithinLimit(session: Session): Promise<void> {
  for (const reply of await successfulReplies(session, 'listDrives')) {
    const limit = sentInteger(reply, 'limit') ?? 0;
    const count = drivesOf(reply).length;
    if (limit < 1 || limit > 100 || count <= limit) continue;
    throw new Violated(say`at most ${limit} on the page`, say`${count}`, [reply]);
  }
}

async function hasNoEarlyEnd(session: Session): Promise<void> {
  const replies = await successfulReplies(session, 'listDrives');
  for (const ofCaller of Map.groupBy(replies, (reply) => whoSent(session, reply)).values()) {
    const fewest = Math.min(...ofCaller.filter(isFirstPage).map((reply) => listedIn(reply).length));
    const early = ofCaller.find((reply) => listedIn(reply).length === 0 && isBelow(reply, fewest));
    if (early !== undefined && Number.isFinite(fewest)) await expectEarlyEndToPass(session, early);
  }
}

// Other clients may delete drives, and a replica may lag: the page is requested again.
async function expectEarlyEndToPass(session: Session, early: Reply): Promise<void> {
  const { seen } = await session.patience.settle(
    'listed',
    () => lookAgain(session, early),
    ({ page }) => !isEmptyPage(page),
  );
  const { page, lasting } = seen;
  if (!isEmptyPage(page) || !isBelow(page, lasting)) return;
  const expected = say`a page that is not empty: there are at least ${lasting} drives`;
  throw new Violated(expected, say`an empty page at offset ${sentInteger(page, 'offset') ?? 0}`, [page]);
}

/** Reads a page of drives again, and counts the drives listed right before and right after it. */
async function lookAgain(session: Session, early: Reply): Promise<{ page: Reply; lasting: number }> {
  const credentials = whoSent(session, early) === 'other' ? session.other : session.own;
  const read = (offset: number, limit: number) => session.call('listDrives', { query: { limit, offset }, credentials });
  const before = await read(0, 100);
  const page = await read(sentInteger(early, 'offset') ?? 0, sentInteger(early, 'limit') ?? 100);
  const after = new Set(listedIn(await read(0, 100)).map(idOf));
  return { page, lasting: listedIn(before).filter((drive) => after.has(idOf(drive))).length };
}

function isEmptyPage(reply: Reply): boolean {
  return reply.isSuccess && Array.isArray(member(reply.json, 'data')) && listedIn(reply).length === 0;
}

/** Whether a page starts at the first drive and has room for a hundred. */
function isFirstPage(reply: Reply): boolean {
  return sentInteger(reply, 'offset') === 0 && sentInteger(reply, 'limit') === 100;
}

function isBelow(reply: Reply, count: number): boolean {
  const limit = sentInteger(reply, 'limit') ?? 0;
  const offset = sentInteger(reply, 'offset') ?? -1;
  return limit >= 1 && limit <= 100 && offset >= 0 && offset < count;
}

/** A page that shows every drive, and the empty one after it. */
interface WholeList {
  page: Reply;
  end: Reply;
}

// total counts all drives or those on the page (open point `totalMeaning`): here both are the same.
async function countsTheList(session: Session): Promise<void> {
  await successfulReplies(session, 'listDrives');
  const callers = session.settings.otherApiKey === undefined ? (['own'] as const) : (['own', 'other'] as const);
  for (const whose of callers) {
    const lists = wholeLists(successesFor(session, 'listDrives', whose));
    if (lists.some(isMiscounted)) await expectCounted(session, session[whose]);
    await expectEndAtTotal(session, session[whose]);
  }
}

// The count may lag behind the list for a while, or the list behind the count.
async function expectCounted(session: Session, credentials: Credentials): Promise<void> {
  const { seen, isThere } = await session.patience.settle(
    'listed',
    () => readWhole(session, credentials),
    (list) => list === undefined || !isMiscounted(list),
  );
  if (isThere || seen === undefined) return;
  const count = drivesOf(seen.page).length;
  const shown = pagingNumber(seen.page, 'total') ?? own('none');
  throw new Violated(say`total: ${count}, as many as the list has`, say`${shown}`, [seen.page, seen.end]);
}

function isMiscounted({ page }: WholeList): boolean {
  const total = pagingNumber(page, 'total');
  return total !== undefined && total !== drivesOf(page).length;
}

function wholeLists(replies: readonly Reply[]): WholeList[] {
  const pages = replies.filter((reply) => isFirstPage(reply) && drivesOf(reply).length > 0);
  return pages.flatMap((page) => {
    const isNext = (reply: Reply) =>
      reply.sentAtMs >= page.receivedAtMs && sentInteger(reply, 'offset') === drivesOf(page).length;
    const end = replies.find(isNext);
    return end !== undefined && drivesOf(end).length === 0 ? [{ page, end }] : [];
  });
}

async function readWhole(session: Session, credentials: Credentials): Promise<WholeList | undefined> {
  const read = (offset: number) => session.call('listDrives', { query: { limit: 100, offset }, credentials });
  const page = await read(0);
  const end = await read(drivesOf(page).length);
  return wholeLists([page, end].filter(({ isSuccess }) => isSuccess))[0];
}

// A list ends where its total says, whatever its length.
async function expectEndAtTotal(session: Session, credentials: Credentials): Promise<void> {
  const { seen, isThere } = await session.patience.settle('listed', () => readEnd(session, credentials), isEnd);
  if (isThere) return;
  const [last, past, first] = seen.replies;
  const symptom = 'The number of drives changed meanwhile';
  await requireNoOtherClient(symptom, async () => (await readEnd(session, credentials)).replies.map(listedIn));
  const expected = say`the last drive at offset ${seen.total - 1}: total is ${seen.total}`;
  const isShort = drivesOf(last).length === 0;
  throw new Violated(expected, isShort ? say`no drive there` : say`a drive after it`, [first, isShort ? last : past]);
}

/** Where a list ends by its total: the page of its last drive, the page after it, and the page that shows total. */
interface End {
  total: number;
  replies: [last: Reply, past: Reply, first: Reply];
}

async function readEnd(session: Session, credentials: Credentials): Promise<End> {
  const one = (offset: number) => session.call('listDrives', { query: { limit: 1, offset }, credentials });
  const first = await one(0);
  const total = pagingNumber(first, 'total') ?? 0;
  return { total, replies: [await one(Math.max(0, total - 1)), await one(Math.max(0, total)), first] };
}

// A total of one may be a count of the page; a refused page says nothing.
function isEnd({ total, replies }: End): boolean {
  const [last, past] = replies.map((reply) => drivesOf(reply).length);
  return total <= 1 || replies.some(({ isSuccess }) => !isSuccess) || (last !== 0 && past === 0);
}

// Whether such a limit is refused or reduced is open; pagination shows the effective limit.
async function isReduced(session: Session): Promise<void> {
  const large = (reply: Reply) => (sentInteger(reply, 'limit') ?? 0) > 100;
  const soFar = session.repliesOf('listDrives').filter(large);
  const replies = soFar.length > 0 ? soFar : [await readPage(session, { limit: 101 })];
  const kept = replies.find((reply) => reply.isSuccess && (pagingNumber(reply, 'limit') ?? 0) > 100);
  if (kept === undefined) return;
  throw new Violated(
    say`an error response, or a limit of at most 100 in pagination`,
    say`limit: ${pagingNumber(kept, 'limit') ?? 0}`,
    [kept],
  );
}
