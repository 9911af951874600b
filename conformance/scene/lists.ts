import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import type { Credentials } from '../target/credentials.ts';
import { idOf, items, member, presume } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** The three operations that list something. */
export type ListOperation = 'listAgents' | 'listDrives' | 'listMcpServers';

/** A list as it was read. */
export interface Listing {
  items: unknown[];
  replies: Reply[];
  /** Whether it was read to its end. */
  isWhole: boolean;
  /** Whether it went on with nothing but what it had shown before, as where an offset is not looked at. */
  isRepeating: boolean;
}

/** Walks are bounded: what lies behind is not judged. */
export const mostPages = 50;

/** Everything that a list shows a caller; drives page by page, as large as pages can be. */
export function readList(session: Session, operation: ListOperation, credentials?: Credentials): Promise<Listing> {
  if (operation === 'listDrives') return walkDrives(session, { limit: 100, ...(credentials ? { credentials } : {}) });
  return readArray(session, operation, credentials);
}

async function readArray(session: Session, operation: OperationId, credentials?: Credentials): Promise<Listing> {
  const reply = await session.call(operation, credentials === undefined ? {} : { credentials });
  presume(reply, `${operation}.is-served`);
  presumeList(reply.json, `${operation}.answer-is-array`);
  return { items: items(reply.json), replies: [reply], isWhole: true, isRepeating: false };
}

// What is no list is not an empty one.
function presumeList(value: unknown, check: string): void {
  if (Array.isArray(value)) return;
  throw new Unverified('PREREQUISITE', `What should be a list is none. See ${check}.`);
}

/** How to walk the drives. */
export interface Walk {
  limit: number;
  offset?: number;
  /** At most so many pages. */
  pages?: number;
  /** No further than so many drives. */
  most?: number;
  credentials?: Credentials;
}

/** Reads pages of drives one after the other, each beginning where the last one ended, until one is empty. */
export async function walkDrives(
  session: Session,
  { limit, offset = 0, pages = mostPages, most = Number.POSITIVE_INFINITY, credentials }: Walk,
): Promise<Listing> {
  const listing: Listing = { items: [], replies: [], isWhole: false, isRepeating: false };
  while (listing.replies.length < pages && listing.items.length < most) {
    const query = { limit, offset: offset + listing.items.length };
    const reply = await session.call('listDrives', { query, ...(credentials === undefined ? {} : { credentials }) });
    presume(reply, 'listDrives.is-served');
    presumeList(member(reply.json, 'data'), 'listDrives.answer-is-page');
    const page = drivesOf(reply);
    listing.replies.push(reply);
    if (page.length === 0) return { ...listing, isWhole: true };
    if (isRepeated(listing, page)) return { ...listing, isRepeating: true };
    listing.items.push(...page);
  }
  return listing;
}

// A target that does not look at the offset would be walked for ever.
function isRepeated(listing: Listing, page: readonly unknown[]): boolean {
  const seen = new Set(listing.items.map((item) => JSON.stringify(idOf(item) ?? item)));
  return page.every((item) => seen.has(JSON.stringify(idOf(item) ?? item)));
}

/** The drives of a page. */
export function drivesOf(reply: Reply): unknown[] {
  return items(member(reply.json, 'data'));
}

/** The item of a list with an id. */
export function find({ items: all }: Pick<Listing, 'items'>, id: string): unknown {
  return all.find((item) => idOf(item) === id);
}

/** The reply in which a listing came upon an item, as evidence. */
export function showing({ replies }: Pick<Listing, 'replies'>, item: unknown): Reply[] {
  const reply = replies.find(({ json }) => [...items(json), ...items(member(json, 'data'))].includes(item));
  return reply === undefined ? replies.slice(-1) : [reply];
}

/** What tells two items apart beside their ids, which another organization may have as well. */
export function fingerprint(item: unknown): string {
  return JSON.stringify([idOf(item), ...['name', 'createdAt', 'organizationId'].map((name) => member(item, name))]);
}
