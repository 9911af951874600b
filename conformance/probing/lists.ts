import { isDeepStrictEqual } from 'node:util';
import { jsonExcerpt, own, type Sentence, say } from '../../lib/sentence.ts';
import { largestPage } from '../../openapi/reading/pages.ts';
import { inParallel } from '../run/once.ts';
import { Inconclusive } from '../run/signals.ts';
import type { Credentials } from '../target/credentials.ts';
import { idOf, items, judgesShape, member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Session } from '../target/session.ts';

/** Longer lists are only read at both ends: each page in the middle would be a request. */
const longest = 1_000;
/** How many pages are read at each end of a long list. */
const pagesAtStart = 3;
const pagesAtEnd = 2;

/** Both ends of a long list. */
interface Ends {
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
async function readEnds(session: Session, first: Reply, read: ReadPage): Promise<Ends | undefined> {
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

/** The three operations that list resources of the organization. */
export type ListOperation = 'listAgents' | 'listDrives' | 'listMcpServers';

/** A list as read. */
export interface Listing {
  items: unknown[];
  replies: Reply[];
  /** Whether it was read to its end. */
  isWhole: boolean;
  /** Whether a page showed only earlier items, as on a target that ignores the offset. */
  isRepeating: boolean;
  /** Only both ends of a long list are read: how many items lie between them, and after which item. */
  gap?: { after: number; count: number };
}

/** The maximum number of pages read from a list; later ones are not judged. */
const mostPages = 200;
// A limit for pages that are longer than allowed.
const mostItems = mostPages * largestPage;

/**
 * Everything that a list shows a caller. Drives are read page by page, with the largest pages; of a long list only both ends.
 */
export async function readList(
  session: Session,
  operation: ListOperation,
  credentials?: Credentials,
): Promise<Listing> {
  const options = credentials === undefined ? {} : { credentials };
  if (operation === 'listDrives') return walkDrives(session, { limit: largestPage, isAtBothEnds: true, ...options });
  const reply = await session.call(operation, options);
  requireSuccess(reply, ...judgesReading(operation));
  requireList(reply.json, operation);
  return { items: items(reply.json), replies: [reply], isWhole: true, isRepeating: false };
}

/** The checks that judge whether a list is shown to callers with either header. */
function judgesReading(operation: ListOperation): string[] {
  return ['is-served', 'header-key', 'bearer-key'].map((rule) => `${operation}.${rule}`);
}

// A value of another type is not an empty list.
function requireList(value: unknown, operation: ListOperation): void {
  if (Array.isArray(value)) return;
  throw new Inconclusive('PREREQUISITE', say`The response has no list.`, ...judgesShape(operation));
}

/** How to walk through the drives. */
interface Walk {
  limit: number;
  offset?: number;
  /** The maximum number of pages to read. */
  pages?: number;
  /** The number of drives after which to stop; by default as many as the pages may hold. */
  most?: number;
  /** Whether both ends of a long list are enough. */
  isAtBothEnds?: boolean;
  credentials?: Credentials;
}

/** Reads pages of drives, each from where the previous one ended, until one is empty. */
export async function walkDrives(
  session: Session,
  { limit, offset: start = 0, pages = mostPages, most = mostItems, isAtBothEnds, credentials }: Walk,
): Promise<Listing> {
  const listing: Listing = { items: [], replies: [], isWhole: false, isRepeating: false };
  const read = async (offset: number) => {
    // The default of offset is open.
    const query = { limit, offset };
    const reply = await session.call('listDrives', { query, ...(credentials === undefined ? {} : { credentials }) });
    requireSuccess(reply, ...judgesReading('listDrives'));
    requireList(member(reply.json, 'data'), 'listDrives');
    return reply;
  };
  const seen = new Set<string>();
  while (listing.replies.length < pages && listing.items.length < most) {
    const reply = await read(start + listing.items.length);
    const ends = isAtBothEnds && listing.replies.length === 0 ? await readEnds(session, reply, read) : undefined;
    if (ends !== undefined) return toListing(ends);
    const page = drivesOf(reply);
    listing.replies.push(reply);
    if (page.length === 0) return { ...listing, isWhole: true };
    // If the target ignores the offset, the walk would never end.
    if (page.every((item) => seen.has(identityOf(item)))) return { ...listing, isRepeating: true };
    for (const item of page) {
      listing.items.push(item);
      seen.add(identityOf(item));
    }
  }
  return listing;
}

function toListing({ replies, head, gap }: Ends): Listing {
  const items = replies.flatMap(drivesOf);
  return { items, replies, isWhole: false, isRepeating: false, gap: { after: head, count: gap } };
}

/** How many items the list has. */
export function countOf({ items, gap }: Listing): number {
  return items.length + (gap?.count ?? 0);
}

/** The item at an offset; undefined if the list ends before it or it was not read. */
export function itemAt({ items, gap }: Listing, offset: number): unknown {
  if (gap === undefined || offset < gap.after) return items[offset];
  return offset < gap.after + gap.count ? undefined : items[offset - gap.count];
}

/** The list from its start, as far as it was read without a gap. */
export function startOf({ items, gap }: Listing): unknown[] {
  return gap === undefined ? items : items.slice(0, gap.after);
}

// Items without an id are identified by their whole content.
function identityOf(item: unknown): string {
  return JSON.stringify(idOf(item) ?? item);
}

/** The same list, read in full if only both ends were read. From then on this target's lists are read in full. */
export async function readInFull(session: Session, listing: Listing, credentials?: Credentials): Promise<Listing> {
  if (listing.gap === undefined) return listing;
  session.learned.readsWholeLists = true;
  return readList(session, 'listDrives', credentials);
}

/** Whether the list was read completely. */
export function isComplete({ isWhole, isRepeating }: Listing): boolean {
  return isWhole || isRepeating;
}

/** Throws {@link Inconclusive} unless a list was read to its end: only then can something be missing from it. */
export function requireWhole(listing: Listing): void {
  if (isComplete(listing)) return;
  throw new Inconclusive('LENGTH', say`The list was not read to its end: an item may be on a later page.`);
}

/** The drives on a page. */
export function drivesOf(reply: Reply): unknown[] {
  return items(member(reply.json, 'data'));
}

/** The item of a list with an id. */
export function findById({ items: all }: Pick<Listing, 'items'>, id: string): unknown {
  return all.find((item) => idOf(item) === id);
}

/** The reply of a listing that shows an item, as evidence. */
export function repliesShowing({ replies }: Pick<Listing, 'replies'>, item: unknown): Reply[] {
  // A value parsed anew is equal, not identical.
  const shows = (all: unknown[]) => all.some((one) => one === item || isDeepStrictEqual(one, item));
  const reply = replies.find(({ json }) => shows(items(json)) || shows(items(member(json, 'data'))));
  return reply === undefined ? replies.slice(-1) : [reply];
}

/** The last non-empty pages of a listing, as evidence that something is missing from it. */
export function filledPages({ replies }: Pick<Listing, 'replies'>): Reply[] {
  const filled = replies.filter(({ json }) => items(json).length + items(member(json, 'data')).length > 0);
  return (filled.length > 0 ? filled : replies).slice(-2);
}

/** The owner that an item names, as text to compare. */
export function ownerOf(item: unknown): string {
  return JSON.stringify(member(item, 'organizationId')) ?? 'none';
}

/** Whether a listed item names its owner: a should (4.4, 4.9). */
export function namesOwner(item: unknown): boolean {
  return member(item, 'organizationId') !== undefined;
}

const ownersKnown = new WeakMap<readonly unknown[], ReadonlySet<string>>();

/** The owners that items name. Cached, since the same list is often requested: equal responses share the result. */
export function ownersNamed(items: readonly unknown[]): ReadonlySet<string> {
  const known = ownersKnown.get(items) ?? new Set(items.filter(namesOwner).map(ownerOf));
  ownersKnown.set(items, known);
  return known;
}

/** An item that is in both lists. Items without an id cannot be distinguished from others that look the same. */
export function firstShared(some: readonly unknown[], others: readonly unknown[]): unknown {
  const known = new Set(some.map(fingerprint));
  return others.find((item) => idOf(item) !== undefined && known.has(fingerprint(item)));
}

/** An item of a list in a finding: its id and its name. */
export function inShort(item: unknown): Sentence {
  const id = idOf(item);
  return say`${id === undefined ? own('an item without an id') : id} (${jsonExcerpt(member(item, 'name') ?? null, 200)})`;
}

/** A text that distinguishes two items even if another organization uses the same ids. */
export function fingerprint(item: unknown): string {
  return JSON.stringify([idOf(item), ...['name', 'createdAt', 'organizationId'].map((name) => member(item, name))]);
}
