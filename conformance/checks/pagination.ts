import type { Check } from '../check.ts';
import { usualDemands } from '../plan/demands.ts';
import { drivesOf, walkDrives } from '../scene/lists.ts';
import {
  allDrives,
  idsOf,
  idsOn,
  pagingNumber,
  readPage,
  requireAnswer,
  requireOrder,
  requireQuiet,
  settleCreations,
} from '../scene/paging.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { expectSuccess, presume } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** limit, offset and total of the drives, by relations between pages (4.4). */
export const paginationChecks: readonly Check[] = [
  plain('no-parameters', 'Lists the drives without limit and offset.', (session) => expectAccepted(session, {})),
  plain('limit-one-accepted', 'Lists the drives with limit=1.', (session) => expectAccepted(session, { limit: 1 })),
  plain('limit-hundred-accepted', 'Lists the drives with limit=100.', (session) =>
    expectAccepted(session, { limit: 100 }),
  ),
  plain('offset-zero-accepted', 'Lists the drives with offset=0.', (session) =>
    expectAccepted(session, { limit: 100, offset: 0 }),
  ),
  check('offset-past-end-accepted', 'Lists the drives from beyond the last one.', async (session) =>
    expectAccepted(session, { limit: 100, offset: await pastEnd(session) }),
  ),
  check('limit-one-page', 'Walks through the drives with limit=1, and counts what each page holds.', (session) =>
    expectAtMost(session, 1),
  ),
  check('limit-two-page', 'Walks through the drives with limit=2, and counts what each page holds.', (session) =>
    expectAtMost(session, 2),
  ),
  plain(
    'limit-above-hundred-page',
    'Lists the drives with limit=101 and limit=1000, and counts what comes.',
    expectNoGiantPage,
  ),
  check('limit-zero-page', 'Lists the drives with limit=0, while there are some.', (session) =>
    expectNoEmptyPage(session, 0),
  ),
  check('limit-negative-page', 'Lists the drives with limit=-1, while there are some.', (session) =>
    expectNoEmptyPage(session, -1),
  ),
  check(
    'offset-past-end-page',
    'Lists the drives from beyond the last one, and counts what comes.',
    expectEmptyPastEnd,
  ),
  check('offset-skips', 'Counts what the pages hold from several offsets on.', expectSkipping),
  check('offset-shifts-the-page', 'Compares pages from several offsets with the whole list.', expectShifting),
  check(
    'pages-fit-together',
    'Walks through the drives with limit 1, 2 and 100, and compares what they show.',
    expectFitting,
  ),
  check(
    'offset-negative-page',
    'Lists the drives with offset=-1, and compares with the first page.',
    expectNegativeOffset,
  ),
  plain('pagination-repeats-limit', 'Sends several limits, and looks for them in the pagination object.', (session) =>
    expectRepeated(session, 'limit', [1, 2, 100]),
  ),
  check(
    'pagination-repeats-offset',
    'Sends several offsets, and looks for them in the pagination object.',
    async (session) => expectRepeated(session, 'offset', [0, 1, 2, await pastEnd(session)]),
  ),
  check('total-coherent', 'Compares total on pages of several sizes and places.', expectCoherentTotal),
];

// Where the run may write, there are two drives at least before pages are compared.
function check(rule: string, does: string, run: (session: Session) => Promise<unknown>): Check {
  const { effects } = usualDemands.createDrive;
  return { id: `listDrives.${rule}`, operation: 'listDrives', phase: 'list', does, effects, run };
}

/** A check that takes the drives as they are. */
function plain(rule: string, does: string, run: (session: Session) => Promise<unknown>): Check {
  return { ...check(rule, does, run), effects: {} };
}

async function expectAccepted(session: Session, query: Record<string, number>): Promise<void> {
  await expectSuccess(session, await readPage(session, query));
}

/** A number that is well beyond the last drive, and no wonder for a server. */
async function pastEnd(session: Session): Promise<number> {
  const listing = await allDrives(session);
  return listing.items.length + 1_000;
}

// Pages of one are walked as far as a walk goes. Nothing else is presumed: a target may ignore the offset as well.
async function expectAtMost(session: Session, limit: number): Promise<void> {
  if (session.settings.allowWrites) await settleCreations(session);
  const { replies } = await walkDrives(session, { limit, pages: 20 });
  const large = replies.find((reply) => drivesOf(reply).length > limit);
  if (large !== undefined) throw new Violated(`at most ${limit} on a page`, `${drivesOf(large).length}`, [large]);
  if (replies.length <= 1) throw new Unverified('WRITES', 'There are not enough drives to tell pages apart.');
}

async function expectNoGiantPage(session: Session): Promise<unknown> {
  const whole = await walkDrives(session, { limit: 100 });
  for (const limit of [101, 1_000]) {
    const reply = await readPage(session, { limit });
    requireAnswer(reply);
    const count = drivesOf(reply).length;
    if (count > 100) throw new Violated('at most 100 on a page, whatever limit says', `${count}`, [reply]);
    if (reply.isSuccess && whole.items.length <= 100) requireClamped(reply);
  }
  return undefined;
}

function requireClamped(reply: Reply): void {
  const shown = pagingNumber(reply, 'limit');
  if (shown !== undefined && shown <= 100) return;
  const reason =
    'The limit was accepted and is not shown as brought down; only with more than 100 drives it would show.';
  throw new Unverified('DATA', reason);
}

async function expectNoEmptyPage(session: Session, limit: number): Promise<void> {
  await allDrives(session);
  const reply = await readPage(session, { limit });
  requireAnswer(reply);
  if (!reply.isSuccess || drivesOf(reply).length > 0) return;
  throw new Violated('a refusal, or a page that is not empty', 'an empty page, while there are drives', [reply]);
}

async function expectEmptyPastEnd(session: Session): Promise<void> {
  const reply = await readPage(session, { limit: 100, offset: await pastEnd(session) });
  presume(reply, 'listDrives.offset-past-end-accepted');
  const count = drivesOf(reply).length;
  if (count === 0) return;
  await requireQuiet(session, await allDrives(session));
  throw new Violated('an empty page beyond the last drive', `${count} drives`, [reply]);
}

async function expectSkipping(session: Session): Promise<void> {
  const listing = await allDrives(session);
  const count = listing.items.length;
  for (const offset of new Set([1, 2, count - 1])) {
    const rest = await walkDrives(session, { limit: 100, offset });
    if (rest.items.length === count - offset) continue;
    await requireQuiet(session, listing);
    const expected = `${count - offset} of ${count} drives from offset ${offset} on`;
    throw new Violated(expected, `${rest.items.length}`, rest.replies.slice(0, 2));
  }
}

async function expectShifting(session: Session): Promise<void> {
  const listing = await allDrives(session);
  const ids = idsOf(listing.items);
  for (const offset of [1, 2, ids.length - 1]) {
    const reply = await readPage(session, { limit: 2, offset });
    presume(reply, 'listDrives.is-served');
    const expected = ids.slice(offset, offset + 2);
    if (idsOn(reply).every((id, index) => id === expected[index])) continue;
    await requireQuiet(session, listing);
    await requireOrder(session);
    throw new Violated(`${expected.join(', ')} at offset ${offset}`, idsOn(reply).join(', '), [reply]);
  }
}

async function expectFitting(session: Session): Promise<void> {
  const listing = await allDrives(session);
  const all = idsOf(listing.items).slice(0, 40);
  for (const limit of [1, 2, 100]) {
    const walk = await walkDrives(session, { limit, most: all.length });
    const seen = idsOf(walk.items).slice(0, all.length);
    const problem = difference(all, seen);
    if (problem === undefined) continue;
    await requireQuiet(session, listing);
    await requireOrder(session);
    throw new Violated(`every drive once in a walk with limit=${limit}`, problem, walk.replies.slice(-2));
  }
}

function difference(all: readonly string[], seen: readonly string[]): string | undefined {
  const twice = seen.find((id, index) => seen.indexOf(id) !== index);
  if (twice !== undefined) return `${twice} comes twice`;
  const lost = all.find((id) => !seen.includes(id));
  return lost === undefined ? undefined : `${lost} does not come`;
}

async function expectNegativeOffset(session: Session): Promise<void> {
  const listing = await allDrives(session);
  const reply = await readPage(session, { limit: 2, offset: -1 });
  requireAnswer(reply);
  const [first] = idsOn(reply);
  if (!reply.isSuccess || first === idsOf(listing.items)[0]) return;
  await requireQuiet(session, listing);
  await requireOrder(session);
  throw new Violated('a refusal, or the first page', `a page that begins with ${first ?? 'nothing'}`, [reply]);
}

async function expectRepeated(session: Session, name: 'limit' | 'offset', values: readonly number[]): Promise<void> {
  for (const value of values) {
    const reply = await readPage(session, { limit: 2, offset: 0, [name]: value });
    presume(reply, 'listDrives.is-served');
    const shown = pagingNumber(reply, name);
    if (shown === undefined) throw new Unverified('PREREQUISITE', `pagination shows no ${name}.`);
    if (shown !== value) throw new Violated(`pagination.${name}: ${value}`, `${shown}`, [reply]);
  }
}

// What total counts is open (open point `totalMeaning`), but it counts one thing.
async function expectCoherentTotal(session: Session): Promise<void> {
  const listing = await allDrives(session);
  const queries = [1, 2, 100].flatMap((limit) => [0, 1, 2].map((offset) => ({ limit, offset })));
  const pages: Reply[] = [];
  for (const query of queries) pages.push(await readPage(session, query));
  for (const page of pages) presume(page, 'listDrives.is-served');
  const totals = pages.map((page) => pagingNumber(page, 'total'));
  const counts = pages.map((page) => drivesOf(page).length);
  if (totals.includes(undefined)) throw new Unverified('PREREQUISITE', 'pagination shows no total.');
  const isOne = new Set(totals).size === 1;
  const isPage = totals.every((total, index) => total === counts[index]);
  if (isOne || isPage) return;
  await requireQuiet(session, listing);
  throw new Violated('one total on every page, or what the page holds', totals.join(', '), pages.slice(0, 4));
}
