import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { idOf, isBusy, member, poll, requestLine, whatCame } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { awaitListed, created, requireWhole } from './creations.ts';
import { drivesOf, type Listing, readList } from './lists.ts';

/** All drives of the organization, at least two; new ones first where the run may write. */
export function allDrives(session: Session): Promise<Listing> {
  return session.once('all drives', async () => {
    if (session.settings.allowWrites) await settleCreations(session);
    const listing = await readList(session, 'listDrives');
    if (listing.isRepeating) await requireOrder(session);
    else requireWhole(listing);
    if (listing.items.length < 2) throw new Unverified('WRITES', 'There are not enough drives to tell pages apart.');
    return listing;
  });
}

/**
 * Throws `Unverified` when the order of the drives does not stay, which is not stated. Where it stays, a page that shows
 * only what came before was not skipped to.
 */
export async function requireOrder(session: Session): Promise<void> {
  const first = idsOn(await readPage(session, { limit: 100 })).join();
  const { isThere } = await poll(
    againMs,
    async () => idsOn(await readPage(session, { limit: 100 })).join(),
    (now) => now !== first,
  );
  if (!isThere) return;
  throw new Unverified('DATA', 'The order of the drives changes with every reading, so pages cannot be compared.');
}

/** So long a list is read again before it counts that it shows something else. */
const againMs = 100;

/** Creates two drives and waits until the list shows them: pages are compared once nothing is on its way. */
export async function settleCreations(session: Session): Promise<void> {
  const creations = [await created(session, 'createDrive', 'first'), await created(session, 'createDrive', 'second')];
  await awaitListed(session, creations);
}

/** One page of drives, whatever comes of it. */
export function readPage(session: Session, query: Record<string, number>): Promise<Reply> {
  return session.call('listDrives', { query });
}

/** Throws `Unverified` when the target was too busy or ill to answer. */
export function requireAnswer(reply: Reply): void {
  if (reply.failure === undefined && !isBusy(reply)) return;
  throw new Unverified('TARGET', `${requestLine(reply)}: ${whatCame(reply)}.`);
}

/** The ids on a page, in order. */
export function idsOn(reply: Reply): string[] {
  return idsOf(drivesOf(reply));
}

/** The ids of drives, in order. */
export function idsOf(drives: readonly unknown[]): string[] {
  return drives.map((drive) => idOf(drive) ?? JSON.stringify(drive));
}

/** A number of the pagination object. */
export function pagingNumber(reply: Reply, name: 'limit' | 'offset' | 'total'): number | undefined {
  const value = member(member(reply.json, 'pagination'), name);
  return typeof value === 'number' ? value : undefined;
}

/** Throws `Unverified` when the drives are not what they were: another client is at work, or a copy of them is behind. */
export async function requireQuiet(session: Session, before: Listing): Promise<void> {
  const was = idsOf(before.items).sort().join();
  const { isThere } = await poll(
    againMs,
    async () => idsOf((await readList(session, 'listDrives')).items).sort(),
    (now) => now.join() !== was,
  );
  if (isThere) throw new Unverified('QUIET', 'Drives came or went meanwhile; another client seems to be at work.');
}
