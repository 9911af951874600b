import { asJson, own, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { isSameUrl } from '../probing/created-values.ts';
import {
  awaitListed,
  type CreateOperation,
  type Creation,
  creationKinds,
  newBody,
  requireCreation,
  sendCreation,
  sharedCreation,
  sharedCreations,
} from '../probing/creations.ts';
import { filledPages, findById, type Listing, readList, repliesShowing } from '../probing/lists.ts';
import { requireNothingHidden, requireSameOrder } from '../probing/paging.ts';
import { requireShownCreations } from '../probing/recorded.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { idOf, judgesShape, member, msBetween, refusedTogether } from '../target/expectations.ts';

/** Reads the list until it shows both shared creations. Throws {@link Violated} after the time to settle. */
export async function expectListed(session: Session, operation: CreateOperation): Promise<Listing> {
  return untilShown(session, await sharedCreations(session, operation));
}

/**
 * Reads the list until it shows these creations. If it does not within the time to settle, throws {@link Violated}, or
 * {@link Inconclusive} if it does not show the others either.
 */
export async function requireShown(session: Session, creations: readonly Creation[]): Promise<Listing> {
  return untilShown(session, creations, (operation) => requireShownCreations(session, operation, 'own'));
}

async function untilShown(
  session: Session,
  creations: readonly Creation[],
  requireOthers?: (operation: CreateOperation) => void,
): Promise<Listing> {
  const { listing, missing } = await awaitListed(session, creations);
  const [first] = missing;
  if (first === undefined) return listing;
  await requireNothingHidden(session, listing);
  requireKnownItems(first.operation, listing);
  requireOthers?.(first.operation);
  const expected = say`the list shows ${first.id} ${session.patience.lastLimit('listed')}`;
  const evidence = [first.reply, ...filledPages(listing)];
  throw new Violated(expected, say`${plural(listing.items.length, 'item')}, none with this id`, evidence);
}

// An item without an id may be the wanted one.
function requireKnownItems(operation: CreateOperation, { items }: Listing): void {
  if (items.every((item) => idOf(item) !== undefined)) return;
  throw new Inconclusive(
    'PREREQUISITE',
    say`The list has items without an id.`,
    ...judgesShape(creationKinds[operation].list),
  );
}

async function requireListed(session: Session, operation: CreateOperation): Promise<Listing> {
  return expectListed(session, operation).catch((error) => {
    if (!(error instanceof Violated)) throw error;
    const { listed } = creationKinds[operation];
    throw new Inconclusive('PREREQUISITE', say`The list does not show it: ${error.actual}.`, listed);
  });
}

/** Each shared creation occurs once in the list. */
export async function expectOnce(session: Session, operation: CreateOperation): Promise<void> {
  const { items, replies } = await requireListed(session, operation);
  for (const { id } of await sharedCreations(session, operation)) {
    const found = items.filter((item) => idOf(item) === id);
    const count = found.length;
    if (count < 2) continue;
    if (replies.length > 2) await requireRepeatable(session, id);
    const evidence = new Set(found.flatMap((item) => repliesShowing({ replies }, item)));
    throw new Violated(say`${id} once`, say`${count} times`, [...evidence]);
  }
}

// On several pages a drive may also occur twice because the list changed meanwhile or its order is not stable.
async function requireRepeatable(session: Session, id: string): Promise<void> {
  const again = await readList(session, 'listDrives');
  const count = again.items.filter((item) => idOf(item) === id).length;
  if (count < 2) throw new Inconclusive('QUIET', say`A drive was on two pages, but only once in a later reading.`);
  await requireSameOrder(session, again);
}

/** The list shows both shared creations with the values in the responses to their creation. */
export async function expectSame(session: Session, operation: CreateOperation): Promise<void> {
  const listing = await requireListed(session, operation);
  const ofServer = operation === 'createMcpServer' ? ['url', 'type'] : [];
  const compared = ['id', 'organizationId', 'name', 'createdAt', ...ofServer];
  for (const { id, reply } of await sharedCreations(session, operation)) {
    const item = findById(listing, id);
    const field = compared.find((name) => !isSameValue(name, member(item, name), member(reply.json, name)));
    if (field === undefined || member(reply.json, field) === undefined) continue;
    const expected = say`${own(field)}: ${asJson(member(reply.json, field))}`;
    throw new Violated(expected, asJson(member(item, field)), [reply, ...repliesShowing(listing, item)]);
  }
}

// The precision of a timestamp and the spelling of a URL are open.
function isSameValue(field: string, listed: unknown, answered: unknown): boolean {
  if (listed === answered) return true;
  if (field === 'url') return isSameUrl(listed, String(answered));
  return field === 'createdAt' && msBetween(String(answered), String(listed)) === 0;
}

/** No creation is lost if several are sent at the same time. */
export async function expectParallel(session: Session, operation: CreateOperation): Promise<void> {
  await sharedCreation(session, operation, 'first');
  const bodies = Array.from({ length: 4 }, () => newBody(session, operation));
  const attempts = await Promise.all(
    bodies.map(async (sent) => ({ sent, reply: await sendCreation(session, operation, sent) })),
  );
  const accepted = attempts.filter(({ reply }) => reply.isSuccess);
  if (accepted.length < 2) {
    const replies = attempts.map(({ reply }) => reply);
    throw refusedTogether(replies, say`Fewer than two of four concurrent creations were accepted.`);
  }
  const creations = accepted.map(({ sent, reply }) => requireCreation(operation, sent, reply));
  const { listing, missing } = await awaitListed(session, creations);
  const renamed = creations.find(({ id, sent }) => {
    const names = listing.items.filter((item) => idOf(item) === id).map((item) => member(item, 'name') ?? sent.name);
    return !names.includes(sent.name);
  });
  const lost = missing[0] ?? renamed;
  if (lost === undefined) return;
  if (missing.length > 0) await requireNothingHidden(session, listing);
  if (missing.length > 0) requireKnownItems(operation, listing);
  const actual =
    missing.length === 0
      ? say`${lost.id} is listed with another name`
      : say`${missing.length} of ${creations.length} are not in the list`;
  const evidence = [lost.reply, ...filledPages(listing)];
  throw new Violated(say`every accepted creation in the list, each with its name`, actual, evidence);
}
