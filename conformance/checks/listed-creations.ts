import { msBetween } from '../moments.ts';
import {
  awaitListed,
  type CreateOperation,
  created,
  creationBody,
  requireWhole,
  sendCreation,
  toCreation,
} from '../scene/creations.ts';
import { type Listing, readList, showing } from '../scene/lists.ts';
import { requireOrder, requireQuiet } from '../scene/paging.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { idOf, member } from '../target/expectations.ts';

/** Two new ones that several checks look at. */
export async function both(session: Session, operation: CreateOperation) {
  return [await created(session, operation, 'first'), await created(session, operation, 'second')];
}

/** Whether two URLs are one. A canonical spelling is legal: open point `mcpUrlRules`. */
export function isSameUrl(value: unknown, sent = ''): boolean {
  if (typeof value !== 'string' || !URL.canParse(value) || !URL.canParse(sent)) return value === sent;
  return new URL(value).href === new URL(sent).href;
}

/** Reads the list until it shows two new ones; violated when it never does. */
export async function listed(session: Session, operation: CreateOperation): Promise<Listing> {
  const { listing, missing } = await awaitListed(session, await both(session, operation));
  const [first] = missing;
  if (first === undefined) return listing;
  requireWhole(listing);
  const expected = `the list shows ${first.id} within ${session.settings.settleMs} ms`;
  throw new Violated(expected, `${listing.items.length} items, and none with this id`, [
    first.reply,
    ...listing.replies.slice(-1),
  ]);
}

async function presumeListed(session: Session, operation: CreateOperation): Promise<Listing> {
  return listed(session, operation).catch((error) => {
    if (!(error instanceof Violated)) throw error;
    throw new Unverified('PREREQUISITE', `The list does not show it: ${error.actual}.`);
  });
}

/** Neither of two new ones comes twice in the list. */
export async function expectOnce(session: Session, operation: CreateOperation): Promise<void> {
  const { items, replies } = await presumeListed(session, operation);
  for (const { id } of await both(session, operation)) {
    const count = items.filter((item) => idOf(item) === id).length;
    if (count > 1 && replies.length > 2) await requireOnce(session, id);
    if (count > 1) throw new Violated(`${id} once`, `${count} times`, replies.slice(-2));
  }
}

// Over several pages a drive may come twice for another reason: the list moved on, or its order does not stay.
async function requireOnce(session: Session, id: string): Promise<void> {
  const again = await readList(session, 'listDrives');
  const count = again.items.filter((item) => idOf(item) === id).length;
  if (count < 2) throw new Unverified('QUIET', 'A drive came twice over two pages, and once in a later reading.');
  await requireQuiet(session, again);
  await requireOrder(session);
}

/** The list shows two new ones with what their creations were answered with. */
export async function expectSame(session: Session, operation: CreateOperation): Promise<void> {
  const { items, replies } = await presumeListed(session, operation);
  for (const { id, reply } of await both(session, operation)) {
    const item = items.find((candidate) => idOf(candidate) === id);
    const different = compared(operation).filter(
      (field) => !isSameValue(field, member(item, field), member(reply.json, field)),
    );
    const [field] = different;
    if (field === undefined || member(reply.json, field) === undefined) continue;
    const expected = `${field}: ${JSON.stringify(member(reply.json, field))}`;
    throw new Violated(expected, JSON.stringify(member(item, field)) ?? 'absent', [
      reply,
      ...showing({ replies }, item),
    ]);
  }
}

// How precise a timestamp is, and how a URL is spelt, is open.
function isSameValue(field: string, listed: unknown, answered: unknown): boolean {
  if (listed === answered) return true;
  if (field === 'url') return isSameUrl(listed, String(answered));
  return field === 'createdAt' && msBetween(String(answered), String(listed)) === 0;
}

function compared(operation: CreateOperation): string[] {
  const common = ['id', 'organizationId', 'name', 'createdAt'];
  return operation === 'createDrive' ? common : [...common, 'url', 'type'];
}

/** Of creations at the same time none is lost. */
export async function expectParallel(session: Session, operation: CreateOperation): Promise<void> {
  await created(session, operation, 'first');
  const bodies = Array.from({ length: 4 }, () => creationBody(operation, session.newName()));
  const replies = await Promise.all(bodies.map((body) => sendCreation(session, operation, body)));
  const accepted = replies.flatMap((reply, index) => (reply.isSuccess ? [{ reply, sent: bodies[index] }] : []));
  if (accepted.length < 2)
    throw new Unverified('TARGET', 'Of four creations at the same time fewer than two were accepted.');
  const creations = accepted.map(({ reply, sent = { name: '' } }) => toCreation(operation, sent, reply));
  const { listing, missing } = await awaitListed(session, creations);
  const wrong = creations.find(
    ({ id, sent }) => !listing.items.some((item) => idOf(item) === id && member(item, 'name') === sent.name),
  );
  if (missing.length === 0 && wrong === undefined) return;
  requireWhole(listing);
  const lost = missing[0] ?? wrong;
  const actual =
    missing.length === 0
      ? `${lost?.id} is listed with another name`
      : `${missing.length} of ${creations.length} are not in the list`;
  throw new Violated('all that were accepted in the list, each with its name', actual, [
    ...(lost ? [lost.reply] : []),
    ...listing.replies.slice(-1),
  ]);
}
