import { joined, say } from '../../lib/sentence.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import { type Check, checksOf } from '../check.ts';
import { listedByBoth } from '../plan/needs.ts';
import { creationsAtOnce, listAs, listsAtOnce, listsInTurn, type OfBoth } from '../probing/both-organizations.ts';
import {
  type CreateOperation,
  type Creation,
  creationKinds,
  newBody,
  requireRoom,
  sendCreation,
  sharedCreation,
} from '../probing/creations.ts';
import {
  findById,
  fingerprint,
  firstShared,
  type ListOperation,
  ownerOf,
  readList,
  repliesShowing,
} from '../probing/lists.ts';
import {
  ownersShownTo,
  requireDistinctIds,
  requireOtherOrganization,
  shownInOtherList,
} from '../probing/organizations.ts';
import { requireShownCreations } from '../probing/recorded.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { expectRefusal, idOf, items, judgesShape, member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

const lists: readonly ListOperation[] = ['listAgents', 'listDrives', 'listMcpServers'];
const creations: readonly CreateOperation[] = ['createDrive', 'createMcpServer'];

/** Two organizations in turn and in parallel: each call acts for the organization of its key (5.3). */
export const organizationChecks: readonly Check[] = [
  ...lists.flatMap(listChecks),
  ...creations.flatMap(creationChecks),
];

function listChecks(operation: ListOperation): Check[] {
  const check = checksOf(operation, 'list');
  const needs: Check['needs'] = ['otherKey', listedByBoth[operation]];
  const more: Partial<Check> = { needs, effects: { perhaps: ['driveOfEachOrganization'] } };
  return [
    check(
      'own-list-each-time',
      'Reads the list with the keys of both organizations alternately, in either header, with the same URL.',
      async (session) => expectNothingShared(session, await listsInTurn(session, operation)),
      more,
    ),
    check(
      'own-list-at-once',
      'Reads the list with the keys of both organizations and without a key at the same time.',
      (session) => expectOwnAtOnce(session, operation),
      more,
    ),
    check(
      'organization-not-chosen',
      'Reads the list with the id of the other organization in the query, and in a header.',
      (session) => expectNotChosen(session, operation),
      more,
    ),
  ];
}

function creationChecks(operation: CreateOperation): Check[] {
  const { noun, effect } = creationKinds[operation];
  const check = checksOf(operation, 'list');
  const first = operation === 'createDrive' ? 'firstDrive' : 'firstMcpServer';
  const ofBoth = operation === 'createDrive' ? 'drivesOfBoth' : 'mcpServersOfBoth';
  return [
    check(
      'own-organization-at-once',
      `Creates ${noun}s with the keys of both organizations at the same time, and reads both lists.`,
      (session) => expectOwnCreations(session, operation),
      { needs: ['writes', 'otherKey'], effects: { shared: [first, ofBoth], perhaps: ['driveOfEachOrganization'] } },
    ),
    check(
      'organization-in-body',
      `Creates a new ${noun} with the id of the other organization in the body.`,
      (session) => expectBodyIgnored(session, operation),
      {
        needs: ['writes', 'otherKey'],
        effects: { [effect]: 1, shared: [first, ofBoth], perhaps: ['driveOfEachOrganization'] },
      },
    ),
  ];
}

function itemsIn({ json }: Reply): unknown[] {
  return [...items(json), ...items(member(json, 'data'))];
}

/** Throws {@link Violated} if an item is in lists of both organizations. */
export async function expectNothingShared(session: Session, { own, other }: OfBoth<Reply>): Promise<void> {
  const [ours, theirs] = [own.flatMap(itemsIn), other.flatMap(itemsIn)];
  if (ours.length === 0 || theirs.length === 0) {
    throw new Inconclusive('DATA', say`One of the two organizations has nothing in this list.`);
  }
  const shared = firstShared(ours, theirs);
  if (shared === undefined) return;
  if (member(shared, 'organizationId') === undefined) await requireDistinctIds(session);
  const shows = (reply: Reply) => itemsIn(reply).some((item) => fingerprint(item) === fingerprint(shared));
  const [oneOfOurs, oneOfTheirs] = [own.filter(shows).slice(-1), other.filter(shows).slice(0, 1)];
  // The caller that sees it only sometimes is the one without a right to it.
  const isOurs = own.every(shows);
  const evidence = isOurs ? [...oneOfOurs, ...oneOfTheirs] : [...oneOfTheirs, ...oneOfOurs];
  throw new Violated(
    say`each key lists only the resources of its organization`,
    say`both keys list ${fingerprint(shared)}`,
    evidence,
  );
}

async function expectOwnAtOnce(session: Session, operation: ListOperation): Promise<void> {
  const { keyless, ...both } = await listsAtOnce(session, operation);
  expectRefusal(keyless, say`the request without a key was accepted while requests with a key were in progress`);
  await expectNothingShared(session, both);
}

// Unknown parameters may be refused; headers without a meaning are ignored.
async function expectNotChosen(session: Session, operation: ListOperation): Promise<void> {
  const { own, other } = await listsInTurn(session, operation);
  const id = await otherOwner(session);
  const chosen = { ...session.own, headers: { ...session.own.headers, 'X-Organization-Id': id } };
  const byHeader = await listAs(session, operation, chosen);
  const byQuery = await listAs(session, operation, session.own, `organizationId=${encodeURIComponent(id)}`);
  const accepted = [byHeader, byQuery].filter(({ isSuccess }) => isSuccess);
  await expectNothingShared(session, { own: [...own, ...accepted], other });
}

async function otherOwner(session: Session): Promise<string> {
  const [owner] = await ownersShownTo(session, 'other');
  const id: unknown = owner === undefined ? undefined : JSON.parse(owner);
  if (typeof id === 'string') return id;
  const judges = (['listDrives', 'listMcpServers'] as const).flatMap((operation) => judgesShape(operation));
  throw new Inconclusive('DATA', say`The other organization has nothing that shows its id.`, ...judges);
}

async function expectOwnCreations(session: Session, operation: CreateOperation): Promise<void> {
  const { own, other } = await creationsAtOnce(session, operation);
  const [ours, theirs] = [own, other].map((all) => new Set(all.map(({ reply }) => ownerOf(reply.json))));
  const replies = [...own, ...other].map(({ reply }) => reply);
  const isCrossed = ours?.size !== 1 || theirs?.size !== 1 || [...ours].some((owner) => theirs.has(owner));
  // If no response has an organizationId, a different check reports it. The lists show the owners.
  const isShown = [...(ours ?? []), ...(theirs ?? [])].some((owner) => owner !== 'none');
  if (isCrossed && isShown) {
    const actual = say`${joined(ours ?? [])} for the first key, ${joined(theirs ?? [])} for the second`;
    throw new Violated(say`the organizationId of the sent key in each response`, actual, replies);
  }
  await expectInOwnList(session, operation, { own, other });
}

// Once a list shows what its organization created, it would also show what landed there by mistake.
async function expectInOwnList(session: Session, operation: CreateOperation, made: OfBoth<Creation>): Promise<void> {
  const { list } = creationKinds[operation];
  for (const [whose, mine, foreign] of [
    ['own', made.own, made.other] as const,
    ['other', made.other, made.own] as const,
  ]) {
    const { seen, isThere } = await session.patience.settle(
      'listed',
      () => readList(session, list, session[whose]),
      (listing) => mine.every(({ id }) => findById(listing, id) !== undefined),
    );
    const names = new Set(foreign.map(({ sent }) => sent.name));
    const strange = seen.items.find((item) => names.has(String(member(item, 'name'))));
    if (strange !== undefined) {
      const creation = foreign.filter(({ sent }) => sent.name === member(strange, 'name')).map(({ reply }) => reply);
      throw shownInOtherList(list, strange, [...creation, ...repliesShowing(seen, strange)]);
    }
    if (isThere) continue;
    requireShownCreations(session, operation, whose);
    throw lost(mine, seen);
  }
}

function lost(mine: readonly Creation[], listing: Awaited<ReturnType<typeof readList>>): Error {
  if (!listing.isWhole) return new Inconclusive('LENGTH', say`The list was not read to its end.`);
  const missing = mine.find(({ id }) => findById(listing, id) === undefined);
  const evidence = [...(missing === undefined ? [] : [missing.reply]), ...listing.replies.slice(-1)];
  return new Violated(say`${missing?.id ?? ''} in the list of its organization`, say`it is not there`, evidence);
}

// Unknown fields may be ignored or refused.
async function expectBodyIgnored(session: Session, operation: CreateOperation) {
  await requireOtherOrganization(session);
  await sharedCreation(session, operation, 'first');
  const { other } = await creationsAtOnce(session, operation);
  const organizationId = member(other[0]?.reply.json, 'organizationId');
  const body = newBody(session, operation);
  const reply = await sendCreation(session, operation, body, { json: { ...body, organizationId } });
  if (isClientError(reply)) return say`Refused, which is open (open point unknownInput.bodyFields).`;
  if (!reply.isSuccess) await requireRoom(session, operation, reply);
  requireSuccess(reply, `${operation}.is-served`);
  if (ownerOf(reply.json) === JSON.stringify(organizationId))
    throw new Violated(
      say`the organization of the key as the owner`,
      say`the organization in the body: ${ownerOf(reply.json)}`,
      [reply],
    );
  const { list } = creationKinds[operation];
  const listing = await readList(session, list, session.other);
  const landed = listing.items.find((item) => idOf(item) === idOf(reply.json) && member(item, 'name') === body.name);
  if (landed !== undefined) throw shownInOtherList(list, landed, [reply, ...repliesShowing(listing, landed)]);
  return undefined;
}
