import { joined, own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { isObject } from '../../openapi/reading/messages.ts';
import { largestPage } from '../../openapi/reading/pages.ts';
import { isFirstAndFull, listedIn, sentInteger, successesFor, whoSent } from '../probing/creations.ts';
import { countOf, drivesOf, itemAt, type Listing, startOf, walkDrives } from '../probing/lists.ts';
import { operationUses, successfulReplies } from '../probing/operations.ts';
import {
  acceptingPages,
  allDrives,
  createTwoDrives,
  idsOf,
  idsOn,
  pagingNumber,
  pastEnd,
  readPage,
  requireIds,
  requireSameDrives,
  requireSameOrder,
  requireSameStart,
  withOwnCreations,
} from '../probing/paging.ts';
import { leftToModel } from '../rules/left-to-model.ts';
import { inParallel } from '../run/once.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import type { Credentials } from '../target/credentials.ts';
import {
  expectSuccess,
  idOf,
  judgesShape,
  member,
  requireConclusive,
  requireNoOtherClient,
  requireSuccess,
} from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { type Check, checksOf } from './check.ts';

const check = checksOf('listDrives', 'list');

// If the run may write, there are at least two drives before pages are compared.
const comparing: Partial<Check> = { effects: operationUses.createDrive.effects };

/**
 * limit, offset and total of the drives, by relations between pages (4.4). Each restarts once, with a new list, if the run
 * itself created drives meanwhile: `withOwnCreations`.
 */
export const paginationChecks: readonly Check[] = [
  check('no-parameters', 'Lists the drives without limit and offset.', accepts({})),
  check('limit-one-accepted', 'Lists the drives with limit=1.', accepts({ limit: 1, offset: 0 })),
  check(
    'limit-hundred-accepted',
    `Lists the drives with limit=${largestPage}.`,
    accepts({ limit: largestPage, offset: 0 }),
  ),
  check('offset-zero-accepted', 'Lists the drives with offset=0.', accepts({ limit: 2, offset: 0 })),
  check(
    'offset-past-end-accepted',
    'Lists the drives from an offset past the last one.',
    async (session) => accepts({ limit: largestPage, offset: await pastEnd(session) })(session),
    comparing,
  ),
  check('limit-one-page', 'Walks through the drives with limit=1, and counts each page.', hasAtMost(1), comparing),
  check('limit-two-page', 'Walks through the drives with limit=2, and counts each page.', hasAtMost(2), comparing),
  check(
    'limit-above-hundred-page',
    `Lists the drives with limit=${largestPage + 1} and a much larger one, and counts them.`,
    hasNoGiantPage,
  ),
  ...Object.entries({ zero: 0, negative: -1 }).map(([name, limit]) =>
    check(
      `limit-${name}-page`,
      `If there are drives, lists them with limit=${limit}, and checks the pagination object.`,
      isNotFollowed(limit),
      comparing,
    ),
  ),
  check(
    'limit-out-of-range-refused',
    `Sends limits that are below 1, above ${largestPage} or not integers, and expects an error response to each.`,
    expectsRefusal('limit', ['0', '-1', String(largestPage + 1), '2.5', '10abc', 'none']),
  ),
  check(
    'offset-out-of-range-refused',
    'Sends offsets that are below 0 or not integers, and expects an error response to each.',
    expectsRefusal('offset', ['-1', '1.5', 'none']),
  ),
  check(
    'offset-past-end-page',
    'Lists the drives from an offset past the last one, and counts them.',
    isEmptyPastEnd,
    comparing,
  ),
  check('offset-skips', 'Counts the drives returned from several offsets.', skips, comparing),
  check('offset-shifts-the-page', 'Compares pages from several offsets with the whole list.', shifts, comparing),
  check(
    'pages-fit-together',
    `Walks through the drives with limit 1, 2 and ${largestPage}, and compares the walks with the whole list.`,
    fitsTogether,
    comparing,
  ),
  check(
    'pages-fit-together.by-limit',
    'Reads the list in pages of 1, 2 and 3 drives, adding the limit to the offset each time, and compares them with the whole list.',
    fitsByLimit,
    comparing,
  ),
  check(
    'offset-negative-page',
    'Lists the drives with offset=-1, and compares the page with the first one and with the one without an offset.',
    isRefusedOrFirst,
    comparing,
  ),
].map(withOwnCreations);

function accepts(query: Record<string, number>): Check['run'] {
  return async (session) => expectSuccess(session, await readPage(session, query));
}

// Assumes nothing else: the target may also ignore the offset.
function hasAtMost(limit: number): Check['run'] {
  return async (session) => {
    if (session.settings.allowWrites) await createTwoDrives(session);
    const { replies } = await walkDrives(session, { limit, pages: 20 });
    // The limit must also work alone, wherever that page starts.
    await readPage(session, { limit });
    if (replies.length <= 1) throw new Inconclusive('WRITES', say`There are not enough drives to compare pages.`);
  };
}

async function hasNoGiantPage(session: Session): Promise<undefined> {
  const { items } = await walkDrives(session, { limit: largestPage, pages: 2 });
  for (const limit of [largestPage + 1, 1_000]) {
    const reply = await readPage(session, { limit, offset: 0 });
    requireConclusive(reply);
    if (reply.isSuccess && items.length <= largestPage) requireReducedLimit(reply);
  }
  return undefined;
}

function requireReducedLimit(reply: Reply): void {
  const shown = pagingNumber(reply, 'limit');
  if (shown !== undefined && shown <= largestPage) return;
  const reason = say`The limit was accepted, and pagination shows no lower one. Only a list of more than ${largestPage} drives would show the page size.`;
  throw new Inconclusive('DATA', reason);
}

function isNotFollowed(limit: number): Check['run'] {
  return async (session) => {
    await allDrives(session);
    const reply = await readPage(session, { limit, offset: 0 });
    requireConclusive(reply);
    const count = drivesOf(reply).length;
    const shown = pagingNumber(reply, 'limit') ?? 1;
    if (!reply.isSuccess || (count > 0 && shown >= 1)) return;
    const actual =
      count === 0
        ? say`an empty page, although there are drives`
        : say`limit: ${shown}, and ${own(plural(count, 'drive'))}`;
    throw new Violated(
      say`an error response to limit=${limit}, or a page as for a limit from 1 to ${largestPage}`,
      actual,
      [reply],
    );
  };
}

// Section 7 counts such values among the failure cases.
function expectsRefusal(name: 'limit' | 'offset', values: readonly string[]): Check['run'] {
  return async (session) => {
    const read = (value: string) => session.call('listDrives', { query: `${name}=${value}` });
    for (const reply of await inParallel(values, read)) {
      requireConclusive(reply);
      if (!reply.isSuccess) continue;
      const legal = own(name === 'limit' ? `1 to ${largestPage}` : '0 or more');
      const shown = say`status ${reply.status} with ${own(plural(drivesOf(reply).length, 'drive'))}`;
      const sent = decodeURIComponent(reply.request.path.replace(/^.*\?/, ''));
      throw new Violated(say`an error response to ${sent} (legal: integers, ${legal})`, shown, [reply]);
    }
  };
}

// The offset must also work alone, if such a request is accepted.
async function isEmptyPastEnd(session: Session): Promise<void> {
  const offset = await pastEnd(session);
  const reply = await readPage(session, { limit: largestPage, offset });
  requireSuccess(reply, 'listDrives.offset-past-end-accepted');
  const filled = [reply, await readPage(session, { offset })].find((page) => drivesOf(page).length > 0);
  if (filled === undefined) return;
  await requireSameDrives(session, await allDrives(session));
  throw new Violated(say`an empty page past the last drive`, say`${plural(drivesOf(filled).length, 'drive')}`, [
    filled,
  ]);
}

/** Reads again while there is a problem, since a replica may lag. Returns the last reading if the problem stays. */
async function lastingProblem<Read>(
  session: Session,
  read: () => Promise<Read>,
  problemOf: (seen: Read) => Sentence | undefined,
): Promise<{ seen: Read; problem: Sentence } | undefined> {
  const { seen } = await session.patience.settle('listed', read, (one) => problemOf(one) === undefined);
  const problem = problemOf(seen);
  return problem === undefined ? undefined : { seen, problem };
}

async function skips(session: Session): Promise<void> {
  const listing = await allDrives(session);
  const count = countOf(listing);
  // The rest of a long list would be many pages: three of them and the end show how many drives were skipped.
  const pages = listing.gap === undefined ? undefined : 3;
  for (const offset of new Set([1, 2, count - 1])) {
    const left = Math.min(count - offset, pages === undefined ? count : pages * largestPage);
    const walk = () => walkDrives(session, { limit: largestPage, offset, ...(pages && { pages }) });
    const wrong = await lastingProblem(session, walk, ({ items }) =>
      items.length === left ? undefined : say`${items.length}`,
    );
    if (wrong === undefined) continue;
    await requireSameDrives(session, listing);
    const expected = say`${left} of ${count} drives from offset ${offset}`;
    throw new Violated(expected, wrong.problem, [wrongPage(wrong.seen, listing, offset)]);
  }
}

async function shifts(session: Session): Promise<void> {
  const listing = await allDrives(session);
  for (const offset of [1, 2, countOf(listing) - 1]) {
    const reply = await readPage(session, { limit: 2, offset });
    requireSuccess(reply, ...acceptingPages);
    await expectPage(session, listing, reply, offset);
  }
  const alone = await readPage(session, { offset: 1 });
  if (alone.isSuccess) await expectPage(session, listing, alone, 1);
}

async function expectPage(session: Session, listing: Listing, reply: Reply, offset: number): Promise<void> {
  const expected = idsFrom(listing, offset, Math.max(2, idsOn(reply).length));
  if (idsOn(reply).every((id, index) => id === expected[index])) return;
  await requireSameOrder(session, listing);
  throw new Violated(say`${joined(expected.slice(0, 2))} at offset ${offset}`, joined(idsOn(reply).slice(0, 2)), [
    reply,
  ]);
}

// The order is not judged, since none is stated. If it changes, the check is skipped: pages cannot be compared then.
async function fitsTogether(session: Session): Promise<void> {
  const listing = await allDrives(session);
  requireIds(listing);
  const all = idsOf(startOf(listing)).slice(0, 40);
  const problemOf = ({ items }: Listing) => difference(all, idsOf(items).slice(0, all.length));
  const walks = await inParallel([1, 2, largestPage], async (limit) => {
    const walk = () => walkDrives(session, { limit, most: all.length });
    return { limit, wrong: await lastingProblem(session, walk, problemOf) };
  });
  for (const { limit, wrong } of walks) {
    if (wrong === undefined) continue;
    await requireSameStart(session, listing, all.length);
    const page = wrongPage(wrong.seen, listing);
    throw new Violated(say`every drive once in a walk with limit=${limit}`, wrong.problem, [page]);
  }
}

// A client that pages adds the limit each time, not the number of drives received. The order is not judged here either.
async function fitsByLimit(session: Session): Promise<void> {
  const listing = await allDrives(session);
  requireIds(listing);
  const all = idsOf(startOf(listing)).slice(0, mostTiled);
  for (const limit of [1, 2, 3]) {
    const read = async () => {
      const offsets = Array.from({ length: Math.ceil(all.length / limit) }, (_, page) => page * limit);
      return inParallel(offsets, (offset) => readPage(session, { limit, offset }));
    };
    const problemOf = (pages: readonly Reply[]) => difference(all, pages.flatMap(idsOn).slice(0, all.length));
    const wrong = await lastingProblem(session, read, problemOf);
    if (wrong === undefined) continue;
    const { seen, problem } = wrong;
    for (const page of seen) requireSuccess(page, ...acceptingPages);
    await requireSameStart(session, listing, all.length);
    const short = seen.find(
      (page, index) => idsOn(page).join() !== all.slice(index * limit, (index + 1) * limit).join(),
    );
    const expected = say`every drive once on the pages at offset 0, ${limit}, ${2 * limit} and so on, with limit=${limit}`;
    throw new Violated(expected, problem, [short ?? (seen[0] as Reply)]);
  }
}

const mostTiled = 24;

/** The first page of a walk that differs from the whole list at that place; the last page if the order hides it. */
function wrongPage({ replies }: Listing, whole: Listing, start = 0): Reply {
  let offset = start;
  for (const reply of replies) {
    const ids = idsOn(reply);
    const isEndEarly = ids.length === 0 && offset < countOf(whole);
    const isOther = (id: string, index: number) => isOtherAt(whole, offset + index, id);
    if (isEndEarly || ids.some(isOther)) return reply;
    offset += ids.length;
  }
  return replies.at(-1) as Reply;
}

function isOtherAt(listing: Listing, offset: number, id: string): boolean {
  const drive = itemAt(listing, offset);
  return drive === undefined ? offset >= countOf(listing) : idsOf([drive])[0] !== id;
}

/** The ids in a list from an offset on, as far as they were read. */
function idsFrom(listing: Listing, offset: number, count: number): string[] {
  const places = Array.from({ length: count }, (_, index) => itemAt(listing, offset + index));
  const end = places.indexOf(undefined);
  return idsOf(end === -1 ? places : places.slice(0, end));
}

function difference(all: readonly string[], seen: readonly string[]): Sentence | undefined {
  const known = new Set<string>();
  const twice = seen.find((id) => known.has(id) || !known.add(id));
  if (twice !== undefined) return say`${twice} occurs twice`;
  const lost = all.find((id) => !known.has(id));
  return lost === undefined ? undefined : say`${lost} is missing`;
}

async function isRefusedOrFirst(session: Session): Promise<void> {
  const listing = await allDrives(session);
  const reply = await readPage(session, { limit: 2, offset: -1 });
  requireConclusive(reply);
  const [first] = idsOn(reply);
  if (!reply.isSuccess || first === idsOf(listing.items)[0]) return;
  // The offset may have been ignored in favour of the default.
  const [usual] = idsOn(await readPage(session, { limit: 2 }));
  if (first !== undefined && first === usual) return;
  await requireSameOrder(session, listing);
  const actual = first === undefined ? say`an empty page` : say`a page that begins with ${first}`;
  throw new Violated(say`an error response, the first page, or the page without an offset`, actual, [reply]);
}

/** The pagination object of a page of drives (4.4). */
export const paginationObjectChecks: readonly Check[] = [
  check(
    'pagination-repeats-limit',
    'Sends several limits, and looks for them in the pagination object.',
    repeats('limit', [1, 2, largestPage]),
  ),
  check(
    'pagination-repeats-offset',
    'Sends several offsets, and looks for them in the pagination object.',
    async (session) => repeats('offset', [0, 1, 2, await pastEnd(session)])(session),
    comparing,
  ),
  check('total-coherent', 'Compares total on pages of several sizes and offsets.', hasCoherentTotal, comparing),
].map(withOwnCreations);

function repeats(name: 'limit' | 'offset', values: readonly number[]): Check['run'] {
  return async (session) => {
    const read = async (value: number) => ({
      value,
      reply: await readPage(session, { limit: 2, offset: 0, [name]: value }),
    });
    for (const { value, reply } of await inParallel(values, read)) {
      requireSuccess(reply, ...acceptingPages);
      const shown = pagingNumber(reply, name);
      if (shown === undefined) throw noPaging(name, [reply]);
      if (shown === value) continue;
      const isCapped = name === 'limit' && shown < value;
      const why = isCapped ? say`: pages are limited to ${shown}, but up to ${largestPage} may be requested` : say``;
      throw new Violated(say`pagination.${own(name)}: ${value}, as requested`, say`${shown}${why}`, [reply]);
    }
  };
}

function noPaging(name: string, replies: readonly Reply[]): Inconclusive {
  const paginations = replies.map(({ json }) => member(json, 'pagination'));
  // Open point `paginationFields`. Null in place of a field is open as well.
  const isLeftOut = paginations.every(
    (pagination) => isObject(pagination) && (member(pagination, name) ?? null) === null,
  );
  if (isLeftOut) return new Inconclusive('PAGINATION', say`pagination has no ${own(name)}.`);
  const judges = ['pagination-fields-present', 'pagination-field-types'].map((rule) => `listDrives.${rule}`);
  return new Inconclusive(
    'PREREQUISITE',
    say`pagination shows no ${own(name)}.`,
    ...judges,
    ...judgesShape('listDrives'),
  );
}

// What total counts is open (open point `totalMeaning`), but it must always count the same thing.
async function hasCoherentTotal(session: Session): Promise<void> {
  const listing = await allDrives(session);
  // On a page that is not full, limit and number of drives differ.
  const last = { limit: 3, offset: countOf(listing) - 1 };
  const queries = [...[1, 3, largestPage].flatMap((limit) => [0, 1, 2].map((offset) => ({ limit, offset }))), last];
  const pages = await inParallel(queries, (query) => readPage(session, query));
  for (const page of pages) requireSuccess(page, ...acceptingPages);
  const totals = pages.map((page) => pagingNumber(page, 'total'));
  if (totals.includes(undefined)) throw noPaging('total', pages);
  const isSame = new Set(totals).size === 1;
  const isPageSize = pages.every((page, index) => totals[index] === drivesOf(page).length);
  if (isSame || isPageSize) return;
  await requireSameDrives(session, listing);
  const expected = say`the same total on every page, or the number of drives on the page`;
  const other = pages.filter((_, index) => totals[index] !== totals[0]).slice(0, 1);
  throw new Violated(expected, own(totals.join(', ')), [...pages.slice(0, 1), ...other]);
}

const judging = checksOf('listDrives', 'judge');

/** Every page of drives in the run against its query, whatever its purpose (4.4). */
export const pageChecks: readonly Check[] = [
  leftToModel('listDrives', 'each-page-within-limit', 'Compares the number of drives on every page with its limit.'),
  judging(
    'no-empty-page-before-the-end',
    'Looks for empty pages with an offset below the number of drives.',
    hasNoEarlyEnd,
  ),
  judging(
    'total-counts-the-list',
    'Compares total with the number of drives. Expects the last drive at offset total - 1, and an empty page at offset total.',
    countsTheList,
  ),
  judging(
    'limit-above-hundred-reduced',
    `Checks the pagination object of every page requested with a limit above ${largestPage}.`,
    isReduced,
  ),
];

async function hasNoEarlyEnd(session: Session): Promise<void> {
  const replies = await successfulReplies(session, 'listDrives');
  for (const ofCaller of Map.groupBy(replies, (reply) => whoSent(session, reply)).values()) {
    const fewest = Math.min(...ofCaller.filter(isFirstAndFull).map((reply) => listedIn(reply).length));
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
  const expected = say`a page that is not empty: the list has at least ${own(plural(lasting, 'drive'))}`;
  throw new Violated(expected, say`an empty page at offset ${sentInteger(page, 'offset') ?? 0}`, [page]);
}

/** Reads a page of drives again, and counts the drives listed right before and right after it. */
async function lookAgain(session: Session, early: Reply): Promise<{ page: Reply; lasting: number }> {
  const credentials = whoSent(session, early) === 'other' ? session.other : session.own;
  const read = (offset: number, limit: number) => session.call('listDrives', { query: { limit, offset }, credentials });
  const before = await read(0, largestPage);
  const page = await read(sentInteger(early, 'offset') ?? 0, sentInteger(early, 'limit') ?? largestPage);
  const after = new Set(listedIn(await read(0, largestPage)).map(idOf));
  return { page, lasting: listedIn(before).filter((drive) => after.has(idOf(drive))).length };
}

function isEmptyPage(reply: Reply): boolean {
  return reply.isSuccess && Array.isArray(member(reply.json, 'data')) && listedIn(reply).length === 0;
}

function isBelow(reply: Reply, count: number): boolean {
  const limit = sentInteger(reply, 'limit') ?? 0;
  const offset = sentInteger(reply, 'offset') ?? -1;
  return limit >= 1 && limit <= largestPage && offset >= 0 && offset < count;
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
  const pages = replies.filter((reply) => isFirstAndFull(reply) && drivesOf(reply).length > 0);
  return pages.flatMap((page) => {
    const isNext = (reply: Reply) =>
      reply.sentAtMs >= page.receivedAtMs && sentInteger(reply, 'offset') === drivesOf(page).length;
    const end = replies.find(isNext);
    return end !== undefined && drivesOf(end).length === 0 ? [{ page, end }] : [];
  });
}

async function readWhole(session: Session, credentials: Credentials): Promise<WholeList | undefined> {
  const read = (offset: number) => session.call('listDrives', { query: { limit: largestPage, offset }, credentials });
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
  const large = (reply: Reply) => (sentInteger(reply, 'limit') ?? 0) > largestPage;
  const soFar = session.repliesOf('listDrives').filter(large);
  const replies = soFar.length > 0 ? soFar : [await readPage(session, { limit: largestPage + 1, offset: 0 })];
  const kept = replies.find((reply) => reply.isSuccess && (pagingNumber(reply, 'limit') ?? 0) > largestPage);
  if (kept === undefined) return;
  throw new Violated(
    say`an error response, or a limit of at most ${largestPage} in pagination`,
    say`limit: ${pagingNumber(kept, 'limit') ?? 0}`,
    [kept],
  );
}
