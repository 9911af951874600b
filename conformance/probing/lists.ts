import { own, say } from '../../openapi/reading/sentence.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import type { Credentials } from '../target/credentials.ts';
import { idOf, items, member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** The three operations that list resources of the organization. */
export type ListOperation = 'listAgents' | 'listDrives' | 'listMcpServers';

/** A list as it was read. */
export interface Listing {
  items: unknown[];
  replies: Reply[];
  /** Whether it was read to its end. */
  isWhole: boolean;
  /** Whether a page showed only earlier items, as on a target that ignores the offset. */
  isRepeating: boolean;
}

/** The most pages that are read of a list; later ones are not judged. */
const mostPages = 50;

/** Everything that a list shows a caller. Drives are read page by page, with the largest pages. */
export async function readList(
  session: Session,
  operation: ListOperation,
  credentials?: Credentials,
): Promise<Listing> {
  const options = credentials === undefined ? {} : { credentials };
  if (operation === 'listDrives') return walkDrives(session, { limit: 100, ...options });
  const reply = await session.call(operation, options);
  requireSuccess(reply, `${operation}.is-served`);
  requireList(reply.json, `${operation}.answer-is-array`);
  return { items: items(reply.json), replies: [reply], isWhole: true, isRepeating: false };
}

// A value of another type is not an empty list.
function requireList(value: unknown, check: string): void {
  if (Array.isArray(value)) return;
  throw new Unverified('PREREQUISITE', say`The response has no list. See ${own(check)}.`);
}

/** How to walk through the drives. */
interface Walk {
  limit: number;
  offset?: number;
  /** The most pages to read. */
  pages?: number;
  /** The number of drives after which to stop. */
  most?: number;
  credentials?: Credentials;
}

/** Reads pages of drives, each from where the last one ended, until one is empty. */
export async function walkDrives(
  session: Session,
  { limit, offset = 0, pages = mostPages, most = Number.POSITIVE_INFINITY, credentials }: Walk,
): Promise<Listing> {
  const listing: Listing = { items: [], replies: [], isWhole: false, isRepeating: false };
  while (listing.replies.length < pages && listing.items.length < most) {
    const query = { limit, offset: offset + listing.items.length };
    const reply = await session.call('listDrives', { query, ...(credentials === undefined ? {} : { credentials }) });
    requireSuccess(reply, 'listDrives.is-served');
    requireList(member(reply.json, 'data'), 'listDrives.answer-is-page');
    const page = drivesOf(reply);
    listing.replies.push(reply);
    if (page.length === 0) return { ...listing, isWhole: true };
    if (isRepeated(listing, page)) return { ...listing, isRepeating: true };
    listing.items.push(...page);
  }
  return listing;
}

// On a target that ignores the offset the walk would never end.
function isRepeated(listing: Listing, page: readonly unknown[]): boolean {
  const seen = new Set(listing.items.map((item) => JSON.stringify(idOf(item) ?? item)));
  return page.every((item) => seen.has(JSON.stringify(idOf(item) ?? item)));
}

/** Whether the list shows all that it has. */
export function isComplete({ isWhole, isRepeating }: Listing): boolean {
  return isWhole || isRepeating;
}

/** Throws {@link Unverified} unless a list was read to its end: otherwise nothing can be called missing from it. */
export function requireWhole(listing: Listing): void {
  if (isComplete(listing)) return;
  throw new Unverified('DATA', say`The list was not read to its end, so an item may be on a later page.`);
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
  const reply = replies.find(({ json }) => [...items(json), ...items(member(json, 'data'))].includes(item));
  return reply === undefined ? replies.slice(-1) : [reply];
}

/** The owner that an item names, as text to compare. */
export function ownerOf(item: unknown): string {
  return JSON.stringify(member(item, 'organizationId')) ?? 'none';
}
