import { joined, own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { type Check, checksOf } from '../check.ts';
import { inParallel } from '../in-parallel.ts';
import { countOf, drivesOf, itemAt, type Listing, startOf, walkDrives } from '../probing/lists.ts';
import { operationUses } from '../probing/operations.ts';
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
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { describeReply, expectSuccess, requireConclusive, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

const check = checksOf('listDrives', 'list');

// If the run may write, there are at least two drives before pages are compared.
const comparing: Partial<Check> = { effects: operationUses.createDrive.effects };

/** limit, offset and total of the drives, by relations between pages (4.4). */
export const paginationChecks: readonly Check[] = [
  check('no-parameters', 'Lists the drives without limit and offset.', accepts({})),
  check('limit-one-accepted', 'Lists the drives with limit=1.', accepts({ limit: 1 })),
  check('limit-hundred-accepted', 'Lists the drives with limit=100.', accepts({ limit: 100 })),
  check('offset-zero-accepted', 'Lists the drives with offset=0.', accepts({ limit: 100, offset: 0 })),
  check(
    'offset-past-end-accepted',
    'Lists the drives from an offset past the last one.',
    async (session) => accepts({ limit: 100, offset: await pastEnd(session) })(session),
    comparing,
  ),
  check('limit-one-page', 'Walks through the drives with limit=1, and counts each page.', hasAtMost(1), comparing),
  check('limit-two-page', 'Walks through the drives with limit=2, and counts each page.', hasAtMost(2), comparing),
  check('limit-above-hundred-page', 'Lists the drives with limit=101 and limit=1000, and counts them.', hasNoGiantPage),
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
    'Sends limits that are below 1, above 100 or not integers, and expects an error response to each.',
    isRefused('limit', ['0', '-1', '101', '2.5', '10abc', 'none']),
  ),
  check(
    'offset-out-of-range-refused',
    'Sends offsets that are below 0 or not integers, and expects an error response to each.',
    isRefused('offset', ['-1', '1.5', 'none']),
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
    'Walks through the drives with limit 1, 2 and 100, and compares the walks with the whole list.',
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
    const alone = await readPage(session, { limit });
    const large = [...replies, alone].find((reply) => drivesOf(reply).length > limit);
    if (large) throw new Violated(say`at most ${limit} on a page`, say`${drivesOf(large).length}`, [large]);
    if (replies.length <= 1) throw new Inconclusive('WRITES', say`There are not enough drives to compare pages.`);
  };
}

async function hasNoGiantPage(session: Session): Promise<undefined> {
  const { items } = await walkDrives(session, { limit: 100, pages: 2 });
  for (const limit of [101, 1_000]) {
    const reply = await readPage(session, { limit });
    requireConclusive(reply);
    const count = drivesOf(reply).length;
    if (count > 100) throw new Violated(say`at most 100 on a page, for any limit`, say`${count}`, [reply]);
    if (reply.isSuccess && items.length <= 100) requireReducedLimit(reply);
  }
  return undefined;
}

function requireReducedLimit(reply: Reply): void {
  const shown = pagingNumber(reply, 'limit');
  if (shown !== undefined && shown <= 100) return;
  const reason = say`The limit was accepted, and pagination shows no lower one. Only a list of more than 100 drives would show the page size.`;
  throw new Inconclusive('DATA', reason);
}

function isNotFollowed(limit: number): Check['run'] {
  return async (session) => {
    await allDrives(session);
    const reply = await readPage(session, { limit });
    requireConclusive(reply);
    const count = drivesOf(reply).length;
    const shown = pagingNumber(reply, 'limit') ?? 1;
    if (!reply.isSuccess || (count > 0 && shown >= 1)) return;
    const actual =
      count === 0 ? say`an empty page, although there are drives` : say`limit: ${shown}, and ${count} drives`;
    throw new Violated(say`an error response to limit=${limit}, or a page as for a limit from 1 to 100`, actual, [
      reply,
    ]);
  };
}

// Section 7 counts such values among the failure cases.
function isRefused(name: 'limit' | 'offset', values: readonly string[]): Check['run'] {
  return async (session) => {
    const read = (value: string) => session.call('listDrives', { query: `${name}=${value}` });
    for (const reply of await inParallel(values, read)) {
      requireConclusive(reply);
      if (!reply.isSuccess) continue;
      throw new Violated(say`an error response: ${own(name)} is out of range or not an integer`, describeReply(reply), [
        reply,
      ]);
    }
  };
}

// The offset must also work alone, if such a request is accepted.
async function isEmptyPastEnd(session: Session): Promise<void> {
  const offset = await pastEnd(session);
  const reply = await readPage(session, { limit: 100, offset });
  requireSuccess(reply, 'listDrives.offset-past-end-accepted');
  const filled = [reply, await readPage(session, { offset })].find((page) => drivesOf(page).length > 0);
  if (filled === undefined) return;
  await requireSameDrives(session, await allDrives(session));
  throw new Violated(say`an empty page past the last drive`, say`${plural(drivesOf(filled).length, 'drive')}`, [
    filled,
  ]);
}

/** Repeats the walk while the drives are wrong, since a replica may lag. Returns the last walk if they stay wrong. */
async function walkUntil(
  session: Session,
  walk: Parameters<typeof walkDrives>[1],
  isRight: (listing: Listing) => boolean,
): Promise<Listing | undefined> {
  const { seen, isThere } = await session.patience.settle('listed', () => walkDrives(session, walk), isRight);
  return isThere ? undefined : seen;
}

async function skips(session: Session): Promise<void> {
  const listing = await allDrives(session);
  const count = countOf(listing);
  // The rest of a long list would be many pages: three of them and the end show how many drives were skipped.
  const pages = listing.gap === undefined ? undefined : 3;
  for (const offset of new Set([1, 2, count - 1])) {
    const left = Math.min(count - offset, pages === undefined ? count : pages * 100);
    const rest = await walkUntil(session, { limit: 100, offset, ...(pages && { pages }) }, (walk) => {
      return walk.items.length === left;
    });
    if (rest === undefined) continue;
    await requireSameDrives(session, listing);
    const expected = say`${left} of ${count} drives from offset ${offset}`;
    throw new Violated(expected, say`${rest.items.length}`, [wrongPage(rest, listing, offset)]);
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

async function fitsTogether(session: Session): Promise<void> {
  const listing = await allDrives(session);
  requireIds(listing);
  const all = idsOf(startOf(listing)).slice(0, 40);
  for (const limit of [1, 2, 100]) {
    const problemOf = ({ items }: Listing) => difference(all, idsOf(items).slice(0, all.length));
    const walk = await walkUntil(session, { limit, most: all.length }, (one) => problemOf(one) === undefined);
    if (walk === undefined) continue;
    await requireSameStart(session, listing, all.length);
    const problem = problemOf(walk) ?? say`a different order`;
    const page = wrongPage(walk, listing);
    throw new Violated(say`every drive once in a walk with limit=${limit}`, problem, [page]);
  }
}

// A client that pages adds the limit each time, not the number of drives received.
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
    const { seen, isThere } = await session.patience.settle('listed', read, (pages) => problemOf(pages) === undefined);
    if (isThere) continue;
    for (const page of seen) requireSuccess(page, ...acceptingPages);
    await requireSameStart(session, listing, all.length);
    const short = seen.find(
      (page, index) => idsOn(page).join() !== all.slice(index * limit, (index + 1) * limit).join(),
    );
    const expected = say`every drive once on the pages at offset 0, ${limit}, ${2 * limit} and so on, with limit=${limit}`;
    throw new Violated(expected, problemOf(seen) ?? say`a different order`, [short ?? (seen[0] as Reply)]);
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
