import { own, say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { oncePerRun } from '../once.ts';
import { differenceFrom } from '../probing/created-values.ts';
import { type CreateOperation, creationKinds } from '../probing/creations.ts';
import { settleTime } from '../probing/known-state.ts';
import { findById, isComplete, type Listing, readList, repliesShowing } from '../probing/lists.ts';
import { markIn } from '../probing/names.ts';
import { requireNothingHidden } from '../probing/paging.ts';
import {
  type Created,
  createdSoFar,
  hasShownCreations,
  listedIn,
  requireShownCreations,
  sentObject,
  showsAll,
  type Whose,
  whoSent,
} from '../probing/recorded.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { idOf, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** At the end of the run, everything that it created is there as sent, and nothing else (4.3, 4.4, 4.8, 4.9). */
export const lastLookChecks: readonly Check[] = (['createDrive', 'createMcpServer'] as const).flatMap((operation) => {
  const { list, noun } = creationKinds[operation];
  const item = operation === 'createDrive' ? 'drive' : 'server';
  const check = checksOf(list, 'judge');
  return [
    check(
      `created-${item}-stays`,
      `Reads the list several times at the end, and compares every ${noun} that the run created with what was sent.`,
      (session) => expectStays(session, operation),
      { needs: ['writes'], isLast: true },
    ),
    check(
      'creation-makes-one',
      `At the end, counts the listed items with the names that the run sent, refused requests included.`,
      (session) => expectOneEach(session, operation),
      { needs: ['writes'], isLast: true },
    ),
  ];
});

/** The last readings of a list with one of the keys, after the time to settle. */
const lastReadings = oncePerRun(async (session, operation: CreateOperation, whose: Whose): Promise<Listing[]> => {
  const { list } = creationKinds[operation];
  const isRight = (all: Listing[]) => all.every((one) => flawIn(session, operation, whose, one) === undefined);
  const look = async () => {
    const read = () => readList(session, list, session[whose]);
    // One of two replicas may lag: repeating an odd number of requests reaches both.
    return [await read(), await firstPage(session, operation, whose), await read()];
  };
  return (await session.patience.settle('listed', look, isRight, settleTime(session, list))).seen;
});

/** A list read from its first page alone. */
async function firstPage(session: Session, operation: CreateOperation, whose: Whose): Promise<Listing> {
  const { list } = creationKinds[operation];
  const reply = await session.call(list, {
    credentials: session[whose],
    ...(list === 'listDrives' ? { query: { limit: 100, offset: 0 } } : {}),
  });
  return { items: listedIn(reply), replies: [reply], isWhole: showsAll(session, reply), isRepeating: false };
}

async function expectStays(session: Session, operation: CreateOperation): Promise<void> {
  session.requireWrites();
  requireShownCreations(session, operation, 'own');
  const earlier = staleReading(session, operation);
  if (earlier !== undefined) throw earlier;
  for (const whose of callersIn(session, operation)) {
    for (const listing of await lastReadings(session, operation, whose)) {
      const flaw = flawIn(session, operation, whose, listing);
      if (flaw === undefined) continue;
      if (isComplete(listing)) await requireNothingHidden(session, listing);
      throw flaw;
    }
  }
}

/** Whose keys created anything; always the first one. */
function callersIn(session: Session, operation: CreateOperation): Set<Whose> {
  return new Set(['own', ...createdSoFar(session, operation).map(({ whose }) => whose)] as const);
}

/**
 * What the run created, except resources whose name or URL was reused later (other checks judge that) and those in a
 * list that shows nothing new (that is a should).
 */
function lasting(session: Session, operation: CreateOperation): Created[] {
  const isShown = { own: true, other: hasShownCreations(session, operation, 'other') };
  const all = createdSoFar(session, operation).filter(
    ({ whose, reply }) => isShown[whose] && idOf(reply.json) !== undefined,
  );
  const { acceptedUrl } = session.learned;
  return all.filter(({ sent, whose }, index) => {
    const isTaken = (later: Created) =>
      later.whose === whose &&
      (later.sent.name === sent.name ||
        (sent.url !== undefined && sent.url !== acceptedUrl && later.sent.url === sent.url));
    return !all.slice(index + 1).some(isTaken);
  });
}

/** How a settled list shows created resources differently from what was sent. */
function flawIn(session: Session, operation: CreateOperation, whose: Whose, listing: Listing): Violated | undefined {
  for (const { sent, reply } of lasting(session, operation).filter((one) => one.whose === whose)) {
    const id = idOf(reply.json) ?? '';
    const shown = findById(listing, id);
    if (shown === undefined && isComplete(listing)) return missing(id, reply, listing.replies);
    const difference = shown === undefined ? undefined : differenceFrom(sent, shown);
    if (difference === undefined) continue;
    return new Violated(difference.expected, difference.actual, [reply, ...repliesShowing(listing, shown)]);
  }
  return undefined;
}

function missing(id: string, creation: Reply, replies: readonly Reply[]): Violated {
  const expected = say`the list still shows ${id}, which was created`;
  return new Violated(expected, say`it is missing`, [creation, ...replies.slice(-2)]);
}

/** A list of MCP servers that lacks one created longer ago than a list may lag. */
function staleReading(session: Session, operation: CreateOperation): Violated | undefined {
  const { list } = creationKinds[operation];
  const { settleMs } = session.settings;
  const created = lasting(session, operation);
  for (const reply of session.successesOf(list)) {
    if (!showsAll(session, reply)) continue;
    const due = created.filter(
      (one) => one.whose === whoSent(session, reply) && reply.sentAtMs - one.reply.receivedAtMs > settleMs,
    );
    const lost = due.find(
      ({ reply: { json } }) => findById({ items: listedIn(reply) }, idOf(json) ?? '') === undefined,
    );
    if (lost !== undefined) return missing(idOf(lost.reply.json) ?? '', lost.reply, [reply]);
  }
  return undefined;
}

async function expectOneEach(session: Session, operation: CreateOperation): Promise<void> {
  session.requireWrites();
  for (const whose of callersIn(session, operation)) {
    const [listing] = await lastReadings(session, operation, whose);
    for (const [name, sent] of Map.groupBy(namedRequests(session, operation), ({ name }) => name)) {
      const most = sent.filter(({ mayHaveSucceeded }) => mayHaveSucceeded).length;
      const shown = (listing?.items ?? []).filter((item) => member(item, 'name') === name);
      // If the order changes, a drive may be on two pages.
      if (new Set(shown.map(idOf)).size <= most) continue;
      const expected = say`at most ${most} in the list with the name ${name}, as many as were created`;
      const evidence = [
        ...sent.map(({ reply }) => reply).slice(-1),
        ...repliesShowing(listing as Listing, shown.at(-1)),
      ];
      throw new Violated(expected, say`${own(String(shown.length))}`, evidence);
    }
  }
}

/** The creations sent with a name of this run, whatever the result. */
function namedRequests(session: Session, operation: CreateOperation) {
  return session.repliesOf(operation).flatMap((reply) => {
    const { name } = sentObject(reply);
    if (typeof name !== 'string' || markIn(name, session.runId) === undefined) return [];
    const mayHaveSucceeded = reply.isSuccess || reply.failure !== undefined || reply.status >= 500;
    return [{ name, reply, mayHaveSucceeded }];
  });
}
