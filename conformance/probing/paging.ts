import { say } from '../../lib/sentence.ts';
import { largestPage } from '../../openapi/reading/pages.ts';
import type { Check } from '../checks/check.ts';
import { oncePerRun } from '../run/once.ts';
import { Inconclusive } from '../run/signals.ts';
import { poll } from '../target/clock.ts';
import { idOf, judgesShape, member, quietMs } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { awaitListed, sharedCreations } from './creations.ts';
import { countOf, drivesOf, filledPages, type Listing, readList, requireWhole } from './lists.ts';

/** All drives of the organization, at least two. Creates them first if the run may write. */
export function allDrives(session: Session): Promise<Listing> {
  return drivesReadAs(session, keyOfAllDrives.get(session) ?? 0);
}

/** The key under which `oncePerRun` keeps the list of all drives: after a new one, the list is read anew. */
const keyOfAllDrives = new WeakMap<Session, number>();
/** How many creations of the run preceded the list of all drives. */
const creationsBefore = new WeakMap<Session, number>();

/** A check that restarts once, with a new list of all drives, if the run itself created drives after the list was read. */
export function withOwnCreations(check: Check): Check {
  const run: Check['run'] = async (session) => {
    try {
      return await check.run(session);
    } catch (error) {
      const isUnquiet = error instanceof Inconclusive && error.code === 'QUIET';
      const { length } = session.repliesOf('createDrive');
      if (!isUnquiet || creationsBefore.get(session) === length) throw error;
      keyOfAllDrives.set(session, length);
      return check.run(session);
    }
  };
  return { ...check, run };
}

const drivesReadAs = oncePerRun(async (session: Session, _key: number): Promise<Listing> => {
  if (session.settings.allowWrites) await createTwoDrives(session);
  creationsBefore.set(session, session.repliesOf('createDrive').length);
  const listing = await readList(session, 'listDrives');
  if (listing.isRepeating) await requireStableOrder(session);
  else if (listing.gap === undefined) requireWhole(listing);
  if (listing.items.length < 2) throw new Inconclusive('WRITES', say`There are not enough drives to compare pages.`);
  return listing;
});

/** An offset well past the last drive, but not an unusual one. */
export async function pastEnd(session: Session): Promise<number> {
  const listing = await allDrives(session);
  return countOf(listing) + 1_000;
}

/** Creates two drives, and waits until the list shows them: pages are only compared when nothing changes any more. */
export async function createTwoDrives(session: Session): Promise<void> {
  await awaitListed(session, await sharedCreations(session, 'createDrive'));
}

/** Throws {@link Inconclusive} if the list has drives without an id: they may look the same. */
export function requireIds({ items }: Listing): void {
  if (items.every((drive) => idOf(drive) !== undefined)) return;
  throw new Inconclusive('PREREQUISITE', say`The list has drives without an id.`, ...judgesShape('listDrives'));
}

/** The checks that judge whether a page is shown for a legal limit and offset. */
export const acceptingPages = [
  'is-served',
  'limit-one-accepted',
  'limit-hundred-accepted',
  'offset-past-end-accepted',
].map((rule) => `listDrives.${rule}`);

/**
 * Throws {@link Inconclusive} if the order of the drives changes, since no order is stated. In a stable order, a page
 * that shows only earlier drives means that the offset was ignored.
 */
async function requireStableOrder(session: Session): Promise<void> {
  const read = async () => idsOn(await readPage(session, { limit: largestPage, offset: 0 })).join();
  const first = await read();
  const { isThere } = await poll(quietMs, read, (now) => now !== first);
  if (isThere) throw orderChanges();
}

function orderChanges(): Inconclusive {
  return new Inconclusive('ORDER', say`The order of the drives changes, so pages cannot be compared.`);
}

/**
 * Throws {@link Inconclusive} unless drives that a list does not show are really missing: it was read to its end, and
 * none moved to a different page meanwhile. If the order changes, a drive may be on no page, and another one on two.
 */
export async function requireNothingHidden(session: Session, listing: Listing): Promise<void> {
  requireWhole(listing);
  if (filledPages(listing).length < 2) return;
  const ids = idsOf(listing.items);
  if (new Set(ids).size < ids.length) throw orderChanges();
  await requireStableOrder(session);
}

/** Throws {@link Inconclusive} if the drives have changed: another client is at work or a replica lags. */
export async function requireSameDrives(session: Session, before: Listing): Promise<void> {
  if (await hasChanged(session, before, (ids) => ids.sort().join()))
    throw new Inconclusive('QUIET', say`The drives changed meanwhile: another client seems to be writing.`);
}

/** Throws {@link Inconclusive} if the drives or their order have changed, so that pages cannot be compared with the list. */
export async function requireSameOrder(session: Session, before: Listing): Promise<void> {
  if (!(await hasChanged(session, before, (ids) => ids.join()))) return;
  await requireSameDrives(session, before);
  throw orderChanges();
}

async function hasChanged(session: Session, before: Listing, toText: (ids: string[]) => string): Promise<boolean> {
  const was = toText(idsOf(before.items));
  const read = async () => toText(idsOf((await readList(session, 'listDrives')).items));
  return (await poll(quietMs, read, (now) => now !== was)).isThere;
}

/** Throws {@link Inconclusive} unless the first drives of the list are still the same in the same order. */
export async function requireSameStart(session: Session, before: Listing, count: number): Promise<void> {
  const was = idsOf(before.items).slice(0, count).join();
  const read = async () => idsOn(await readPage(session, { limit: largestPage, offset: 0 })).slice(0, count);
  const { isThere } = await poll(quietMs, read, (now) => now.join() !== was);
  if (!isThere) return;
  await requireSameDrives(session, before);
  throw orderChanges();
}

/** One page of drives; accepts any result. */
export function readPage(session: Session, query: Record<string, number>): Promise<Reply> {
  return session.call('listDrives', { query });
}

/** The ids on a page, in order. */
export function idsOn(reply: Reply): string[] {
  return idsOf(drivesOf(reply));
}

/** The ids of drives, in order. */
export function idsOf(drives: readonly unknown[]): string[] {
  return drives.map((drive) => idOf(drive) ?? JSON.stringify(drive));
}

/** A number in the pagination object. */
export function pagingNumber(reply: Reply, name: 'limit' | 'offset' | 'total'): number | undefined {
  const value = member(member(reply.json, 'pagination'), name);
  return typeof value === 'number' ? value : undefined;
}
