import { isDeepStrictEqual } from 'node:util';
import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import { msBetween } from '../../openapi/reading/timestamps.ts';
import {
  type CreateOperation,
  createdSoFar,
  creationKinds,
  creationOf,
  listedIn,
  requireShownCreations,
  sharedCreation,
  successesFor,
  type Whose,
} from '../probing/creations.ts';
import { findById, isComplete, type Listing, type ListOperation, readList } from '../probing/lists.ts';
import { oncePerRun } from '../run/once.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { currentClock } from '../target/clock.ts';
import { idOf, member, quietMs, requireNoOtherClient } from '../target/expectations.ts';
import type { Session } from '../target/session.ts';
import { type Check, checksOf, type Phase } from './check.ts';

/** When the lists are compared with what is known about them, and what the run did before. */
const looks: readonly (readonly [rule: string, Phase, does: string])[] = [
  ['creations', 'list', 'After all creations'],
  ['publications', 'publish', 'After all publications'],
  ['moves', 'move', 'After all moves'],
  ['deletions', 'delete', 'After all deletions'],
  ['refused-requests', 'judge', 'At the end of the run'],
];

const lists: readonly ListOperation[] = ['listAgents', 'listDrives', 'listMcpServers'];

/** Nothing changes without a request: after each kind of write, everything known is compared. */
export const knownStateChecks: readonly Check[] = looks.flatMap(([rule, phase, when]) =>
  lists.map((list) =>
    checksOf(list, phase)(
      `unchanged-by.${rule}`,
      `${when}, compares the whole list with what it showed before, except updatedAt and what other clients added.`,
      (session) => expectUnchanged(session, list),
      { needs: ['writes'], isLast: true },
    ),
  ),
);

async function expectUnchanged(session: Session, list: ListOperation): Promise<void> {
  session.requireWrites();
  const change = await changeSinceLastLook(session, list);
  if (change !== undefined) throw new Violated(change.expected, change.actual, change.listing.replies.slice(-2));
}

/** At the end, everything that the run created is there as the responses showed it, and nothing else (4.3, 4.4, 4.8, 4.9). */
export const lastLookChecks: readonly Check[] = (['createDrive', 'createMcpServer'] as const).flatMap((operation) => {
  const { list, noun, shared } = creationKinds[operation];
  const item = operation === 'createDrive' ? 'drive' : 'server';
  const check = checksOf(list, 'judge');
  return [
    // The rule is `creations.stay`: `#compare` and `#judgeMissing` in `openapi/model/collection.ts` judge it.
    check(
      `created-${item}-stays`,
      `Reads the list several times at the end, and compares every ${noun} that the run created with the response to its creation.`,
      async (session) => {
        await sharedCreation(session, operation, 'first');
        await readAtTheEnd(session, operation);
        requireShownCreations(session, operation, 'own');
      },
      { needs: ['writes'], effects: { shared: [shared] }, isLast: true, isJudgedByModel: true },
    ),
    check(
      'creation-makes-one',
      `At the end, counts the listed items with the names that the run sent, refused requests included.`,
      (session) => readAtTheEnd(session, operation),
      { needs: ['writes'], isLast: true, isJudgedByModel: true },
    ),
  ];
});

/**
 * Reads a list until it shows everything that was created with each key, and then once more: whatever it shows otherwise
 * than before, the model tells.
 */
const readAtTheEnd = oncePerRun(async (session, operation: CreateOperation): Promise<void> => {
  session.requireWrites();
  const { list } = creationKinds[operation];
  const created = createdSoFar(session, operation);
  for (const whose of new Set<Whose>(['own', ...created.map((one) => one.whose)])) {
    const ids = created.flatMap(({ reply, ...one }) => (one.whose === whose ? (idOf(reply.json) ?? []) : []));
    const showsAll = (listing: Listing) => ids.every((id) => findById(listing, id) !== undefined);
    const read = () => readList(session, list, session[whose]);
    await session.patience.settle('listed', read, showsAll, settleTime(session, list));
    // One of two replicas may lag: an odd number of requests reaches both.
    await session.call(list, {
      credentials: session[whose],
      ...(list === 'listDrives' ? { query: { limit: 100, offset: 0 } } : {}),
    });
    await read();
  }
});

type ById = Map<string, unknown>;

/** What is known about each list, and whether other clients were seen to change it. */
interface Known {
  items: ById;
  isBusy: boolean;
}

const memories = new WeakMap<Session, Map<ListOperation, Known>>();

/** The fields that no operation of the run changes. Publications have separate checks. */
const lastingFields: Readonly<Record<ListOperation, readonly string[]>> = {
  listAgents: ['name', 'description', 'isPublished', 'hasChanges', 'createdAt'],
  listDrives: ['name', 'organizationId', 'createdAt'],
  listMcpServers: ['name', 'url', 'type', 'organizationId', 'createdAt'],
};

/** A list that shows something differently from before. */
interface Changed {
  expected: Sentence;
  actual: Sentence;
  listing: Listing;
}

/**
 * Compares a list with all that the run knows about it, and remembers what it shows now. Throws {@link Inconclusive} if
 * other clients are at work.
 */
async function changeSinceLastLook(session: Session, list: ListOperation): Promise<Changed | undefined> {
  const known = knownOf(session, list);
  const was = known.items;
  const { seen } = await session.patience.settle(
    'listed',
    () => readList(session, list),
    (listing) => changeIn(session, list, was, listing) === undefined,
    // While pages change, an item may be on none of them.
    known.isBusy ? 0 : Math.max(settleTime(session, list), quietMs),
  );
  known.items = new Map([...was, ...byId(seen.items)]);
  const change = changeIn(session, list, was, seen);
  if (change === undefined) return undefined;
  if (known.isBusy) throw new Inconclusive('QUIET', say`The list keeps changing: another client seems to be writing.`);
  known.isBusy = true;
  await requireNoOtherClient('The list keeps changing', async () =>
    [...byId((await readList(session, list)).items)].map((entry) => JSON.stringify(entry)).sort(),
  );
  known.isBusy = false;
  for (const id of [...known.items.keys()].filter((one) => !byId(seen.items).has(one))) known.items.delete(id);
  return { ...change, listing: seen };
}

/** How long a list may still lag, in milliseconds: recent creations may take a while to show. */
function settleTime(session: Session, list: ListOperation): number {
  const creation = creationOf(list);
  const latest = creation === undefined ? undefined : createdSoFar(session, creation).at(-1);
  const sinceMs = currentClock().nowMs() - (latest?.reply.receivedAtMs ?? Number.NEGATIVE_INFINITY);
  return Math.max(0, session.settings.settleMs - sinceMs);
}

function knownOf(session: Session, list: ListOperation): Known {
  const memory = memories.get(session) ?? new Map<ListOperation, Known>();
  memories.set(session, memory);
  const known = memory.get(list) ?? { items: firstSightings(session, list), isBusy: false };
  memory.set(list, known);
  return known;
}

/** The items of a list seen so far, each as first shown. */
function firstSightings(session: Session, list: ListOperation): ById {
  const seen = successesFor(session, list, 'own').flatMap(listedIn);
  return new Map([...byId(seen.reverse())]);
}

function byId(items: readonly unknown[]): ById {
  return new Map(items.flatMap((item) => (idOf(item) === undefined ? [] : [[idOf(item) ?? '', item] as const])));
}

type Change = Pick<Changed, 'expected' | 'actual'>;

function changeIn(session: Session, list: ListOperation, was: ById, listing: Listing): Change | undefined {
  const now = byId(listing.items);
  for (const [id, item] of was) {
    const later = now.get(id);
    if (later === undefined && isComplete(listing))
      return { expected: say`the list shows ${id}`, actual: say`it does not` };
    const field = later === undefined ? undefined : fieldChanged(session, list, item, later);
    if (field === undefined) continue;
    return {
      expected: say`${own(field)} of ${id}: ${asJson(member(item, field))}`,
      actual: asJson(member(later, field)),
    };
  }
  return undefined;
}

function fieldChanged(session: Session, list: ListOperation, item: unknown, later: unknown): string | undefined {
  return lastingFields[list].find((name) => {
    const [before, after] = [member(item, name), member(later, name)];
    if (before === undefined || after === undefined || isDeepStrictEqual(before, after)) return false;
    if (name === 'createdAt') return msBetween(String(before), String(after)) !== 0;
    return !(isPublishedByRun(session, item) && (name === 'hasChanges' || after === true));
  });
}

// A publication in the run may set both flags, even late; it never unpublishes.
function isPublishedByRun({ settings }: Session, item: unknown): boolean {
  return member(item, 'isPublished') !== undefined && idOf(item) === settings.fixtures.agent?.id;
}
