import { own, say } from '../../openapi/reading/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { drivesOf } from '../probing/lists.ts';
import { successfulReplies } from '../probing/operations.ts';
import { pagingNumber, readPage } from '../probing/paging.ts';
import { listedIn, sentInteger, whoSent } from '../probing/recorded.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { poll } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

const check = checksOf('listDrives', 'judge');

/** Every page of drives of the run against its own query, whatever it was read for (4.4). */
export const pageChecks: readonly Check[] = [
  check('each-page-within-limit', 'Counts the drives on every page, and compares them with its limit.', isWithinLimit),
  check(
    'no-empty-page-before-the-end',
    'Looks for empty pages with an offset below the number of drives.',
    hasNoEarlyEnd,
  ),
  check(
    'total-counts-the-list',
    'Compares total with the number of drives, where a page shows all of them and the next one is empty.',
    countsTheList,
  ),
  check('limit-above-hundred-reduced', 'Looks at pagination of the pages for a limit above 100.', isReduced),
];

async function isWithinLimit(session: Session): Promise<void> {
  for (const reply of await successfulReplies(session, 'listDrives')) {
    const limit = sentInteger(reply, 'limit') ?? 0;
    const count = drivesOf(reply).length;
    if (limit < 1 || limit > 100 || count <= limit) continue;
    throw new Violated(say`at most ${limit} on the page`, say`${count}`, [reply]);
  }
}

// Other clients may delete drives: what the shortest list shows is there all the time.
async function hasNoEarlyEnd(session: Session): Promise<void> {
  const replies = await successfulReplies(session, 'listDrives');
  for (const ofCaller of Map.groupBy(replies, (reply) => whoSent(session, reply)).values()) {
    const fewest = Math.min(...ofCaller.filter(isFirstPage).map((reply) => listedIn(reply).length));
    const early = ofCaller.find((reply) => listedIn(reply).length === 0 && isBelow(reply, fewest));
    if (early === undefined || !Number.isFinite(fewest)) continue;
    const expected = say`a page that is not empty: there are at least ${fewest} drives`;
    throw new Violated(expected, say`an empty page at offset ${sentInteger(early, 'offset') ?? 0}`, [early]);
  }
}

/** Whether a page begins at the first drive, and has room for a hundred. */
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

// total is the number of all drives or of those on the page (open point `totalMeaning`): here that is one number.
async function countsTheList(session: Session): Promise<void> {
  const wrong = wholeLists(await successfulReplies(session, 'listDrives')).find(isMiscounted);
  if (wrong === undefined) return;
  // What was counted may lag behind what is listed, or the other way round, for a while.
  const { seen, isThere } = await poll(
    session.settings.settleMs,
    () => readWhole(session),
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
    const isNext = (reply: Reply) => reply.sentAtMs >= page.receivedAtMs && isAfter(page, reply);
    const end = replies.find(isNext);
    return end !== undefined && drivesOf(end).length === 0 ? [{ page, end }] : [];
  });
}

function isAfter(page: Reply, reply: Reply): boolean {
  const isSameCaller = JSON.stringify(keyOf(page)) === JSON.stringify(keyOf(reply));
  return isSameCaller && sentInteger(reply, 'offset') === drivesOf(page).length;
}

function keyOf({ request: { headers } }: Reply): string {
  return headers['X-API-Key'] ?? (headers.Authorization ?? '').replace(/^Bearer /, '');
}

async function readWhole(session: Session): Promise<WholeList | undefined> {
  const page = await readPage(session, { limit: 100, offset: 0 });
  const end = await readPage(session, { limit: 100, offset: drivesOf(page).length });
  return wholeLists([page, end].filter(({ isSuccess }) => isSuccess))[0];
}

// Whether such a limit is refused or reduced is open; pagination shows which limit counts.
async function isReduced(session: Session): Promise<void> {
  const large = (reply: Reply) => (sentInteger(reply, 'limit') ?? 0) > 100;
  const soFar = session.repliesOf('listDrives').filter(large);
  const replies = soFar.length > 0 ? soFar : [await readPage(session, { limit: 101 })];
  const kept = replies.find((reply) => reply.isSuccess && (pagingNumber(reply, 'limit') ?? 0) > 100);
  if (kept === undefined) return;
  throw new Violated(
    say`a refusal, or a limit of at most 100 in pagination`,
    say`limit: ${pagingNumber(kept, 'limit') ?? 0}`,
    [kept],
  );
}
