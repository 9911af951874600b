import { isDeepStrictEqual } from 'node:util';
import { asJson, joined, own, say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import {
  type CreateOperation,
  type Creation,
  creationKinds,
  listedIn,
  newBody,
  requireRoom,
  requireShownCreations,
  sendCreation,
  sharedCreation,
  successesFor,
  whoSent,
} from '../probing/creations.ts';
import { movableFile, newPath, pathIn, readableFile, readFile, sendMove, trackMove } from '../probing/files.ts';
import { lastAgents, mcpServerIds, publishableAgent, sendPublication, toolsShownIn } from '../probing/fixtures.ts';
import {
  findById,
  fingerprint,
  firstShared,
  inShort,
  type ListOperation,
  ownerOf,
  ownersNamed,
  readList,
  repliesShowing,
} from '../probing/lists.ts';
import { operationUses, sendValid, successfulReplies } from '../probing/operations.ts';
import {
  creationsAtOnce,
  listAs,
  listsAtOnce,
  listsInTurn,
  type OfBoth,
  ownersShownTo,
  requireDistinctIds,
  requireOtherOrganization,
  shownInOtherList,
} from '../probing/organizations.ts';
import { availableFiles } from '../probing/placed-files.ts';
import { expectStillThere, sendDeletion } from '../probing/tree-deletions.ts';
import { guardTree } from '../probing/trees.ts';
import { listedByBoth } from '../run/needs.ts';
import type { FileFixture } from '../run/settings.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { poll } from '../target/clock.ts';
import {
  areSame,
  expectRefusal,
  idOf,
  items,
  judgesShape,
  member,
  requireConclusive,
  requireNoOtherClient,
  requireSuccess,
} from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { CallOptions, Session } from '../target/session.ts';
import { type Check, checksOf } from './check.ts';

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
  const { noun, effect, shared: first } = creationKinds[operation];
  const check = checksOf(operation, 'list');
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
async function expectNothingShared(session: Session, { own, other }: OfBoth<Reply>): Promise<void> {
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
    say`both keys list ${inShort(shared)}`,
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
  if (isClientError(reply))
    return say`Refused, which the specification leaves open (open point unknownInput.bodyFields).`;
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

const { recognisedBy = [] } = operationUses.getDriveFile;

type Expect = (session: Session, asOther: CallOptions) => Promise<void>;
type Case = readonly [OperationId, does: string, Expect, rule?: string];

/** Reads whose response is one resource. */
const reads = Object.entries(operationUses).flatMap(([id, { recognisedBy: fields }]): Case[] => {
  const operation = id as OperationId;
  const does = 'Reads a resource with the key of the other organization.';
  return fields === undefined ? [] : [[operation, does, expectHidden(operation, fields)]];
});

const throughTheirDrive = 'foreign-resource.through-their-drive';

const cases: readonly Case[] = [
  ...reads,
  ['listMcpServerTools', 'Lists tools with the key of the other organization.', expectToolsHidden],
  [
    'publishAgentRevision',
    'Publishes with the key of the other organization, and compares the agent before and after.',
    expectNotPublished,
  ],
  ['updateDriveFile', 'Moves a file with the key of the other organization, and reads it.', expectNotMoved],
  [
    'updateDriveFile',
    'Moves a file with the key of the other organization, under a drive of that organization, and reads it.',
    expectNotMovedInTheirDrive,
    throughTheirDrive,
  ],
  [
    'deleteDriveTree',
    'Deletes a tree with the key of the other organization, and reads a file in it.',
    expectNotDeleted,
  ],
];

/** The required fixture; throws {@link Inconclusive} if it is not declared. */
const fixtureOf: Partial<Record<OperationId, (session: Session) => unknown>> = {
  getDriveFile: readableFile,
  publishAgentRevision: publishableAgent,
  updateDriveFile: (session) => movableFile(session),
  deleteDriveTree: (session) => {
    session.requireDestruction();
    return availableFiles(session);
  },
};

/** Access to the resources of one organization with the key of another (5.3). */
export const isolationChecks: readonly Check[] = cases.map(toCheck);

function toCheck([operation, does, expect, rule = 'foreign-resource']: Case): Check {
  const { phase, refused, needs, effects } = operationUses[operation];
  // A correct target refuses the request: no effects, except a tree that is deleted before to measure the delay.
  const { shared = [], perhaps = [] } = operation === 'publishAgentRevision' ? {} : effects;
  const run = async (session: Session) => {
    // This comes first: distinguishing organizations may take a drive in each.
    await fixtureOf[operation]?.(session);
    await requireOtherOrganization(session);
    await expect(session, { credentials: session.other });
  };
  return checksOf(operation, refused?.phase ?? phase)(rule, does, run, {
    declaredBy: 'foreignResources',
    needs: [...needs, 'otherKey'],
    effects: { shared, perhaps: [...perhaps, 'driveOfEachOrganization'] },
  });
}

function expectRefused(reply: Reply, actual = say`status ${reply.status}`): void {
  const expected = say`any non-2xx status: it belongs to another organization`;
  if (reply.isSuccess) throw new Violated(expected, actual, [reply]);
  requireConclusive(reply);
}

// Two organizations may use the same ids: a different resource with that id is legal.
function expectHidden(operation: OperationId, fields: readonly string[]): Expect {
  return async (session, asOther) => {
    const own = await sendValid(session, operation, {});
    const shown = await sendValid(session, operation, asOther);
    if (shown.isSuccess && own.isSuccess && !areSame(own.json, shown.json, fields)) return;
    if (shown.isSuccess) await requireDistinctIds(session);
    expectRefused(shown);
    await expectHiddenInTheirDrive(session, own, asOther);
  };
}

// A target may check only the drive, and find the file by its id.
async function expectHiddenInTheirDrive(session: Session, own: Reply, asOther: CallOptions): Promise<void> {
  const driveId = idOf((await readList(session, 'listDrives', session.other)).items[0]);
  const fileId = idOf(own.json);
  if (driveId === undefined || fileId === undefined) return;
  const shown = await session.call('getDriveFile', { path: { driveId, fileId }, ...asOther });
  if (!shown.isSuccess || !areSame(own.json, shown.json, recognisedBy)) return;
  expectRefused(shown, say`status ${shown.status}, under a drive of the other organization`);
}

/** Throws {@link Inconclusive} if the other organization has something with the same id: that is not a declared fixture. */
async function requireUnknownToOther(session: Session, list: ListOperation, id: string): Promise<void> {
  const theirs = findById(await readList(session, list, session.other), id);
  const ours = findById(await readList(session, list), id);
  if (theirs === undefined) return;
  await requireDistinctIds(session);
  if (!areSame(theirs, ours, ['createdAt'])) {
    throw new Inconclusive('SAME_IDS', say`The other organization has its own resource with the id ${id}.`);
  }
}

async function expectToolsHidden(session: Session, asOther: CallOptions): Promise<void> {
  const listing = await readList(session, 'listMcpServers');
  const mcpServerId = (await mcpServerIds(session)).find((id) => findById(listing, id) !== undefined);
  if (mcpServerId === undefined) throw new Inconclusive('MCP_SERVER', say`The list has no MCP server.`);
  await requireUnknownToOther(session, 'listMcpServers', mcpServerId);
  const reply = await session.call('listMcpServerTools', { path: { mcpServerId }, ...asOther });
  expectRefused(reply, say`status ${reply.status}${toolsShownIn(reply)}`);
}

async function expectNotPublished(session: Session, asOther: CallOptions): Promise<void> {
  session.requireWrites();
  const { id } = publishableAgent(session);
  await requireUnknownToOther(session, 'listAgents', id);
  const look = async () => {
    const agent = findById(await readList(session, 'listAgents'), id);
    return [idOf(agent), ...['isPublished', 'hasChanges', 'updatedAt'].map((name) => member(agent, name))];
  };
  const before = await look();
  const reply = await sendPublication(session, asOther);
  expectRefused(reply);
  const isChanged = (now: unknown) => !isDeepStrictEqual(now, before);
  const { seen, isThere } = await poll(session.longestDelayMs * 1.5, look, isChanged);
  if (!isThere) return;
  await requireNoOtherClient('Agents keep changing', look);
  throw new Violated(say`an unchanged agent: ${asJson(before)}`, asJson(seen), [reply, ...lastAgents(session)]);
}

async function expectNotMoved(session: Session, asOther: CallOptions): Promise<void> {
  const file = await movableFile(session);
  const before = await readFile(session, file);
  const theirs = await readFile(session, file, asOther);
  if (theirs.isSuccess && !areSame(before.json, theirs.json, recognisedBy)) {
    throw new Inconclusive('SAME_IDS', say`The other organization has its own file with the same ids.`);
  }
  const path = newPath(session, file);
  if (theirs.isSuccess) await requireDistinctIds(session);
  const reply = await sendMove(session, file, path, asOther);
  expectRefused(reply);
  const now = await readFile(session, file);
  if (pathIn(now) !== path) return;
  throw new Violated(say`the file where it was`, say`at ${path}, which was sent`, [reply, now]);
}

/** A file of the first organization, under a drive of the other. Throws {@link Inconclusive} if there is none. */
async function underTheirDrive<File extends FileFixture>(session: Session, file: File): Promise<File> {
  const { items } = await readList(session, 'listDrives', session.other);
  const driveId = items.map(idOf).find((id) => id !== undefined && id !== file.driveId);
  if (driveId !== undefined) return { ...file, driveId };
  throw new Inconclusive('DATA', say`The other organization has no drive.`);
}

async function expectNotMovedInTheirDrive(session: Session, asOther: CallOptions): Promise<void> {
  const file = await movableFile(session);
  const theirs = await underTheirDrive(session, file);
  const shown = await readFile(session, theirs, asOther);
  if (shown.isSuccess) {
    const isOurs = areSame((await readFile(session, file)).json, shown.json, recognisedBy);
    if (!isOurs) throw new Inconclusive('SAME_IDS', say`Their drive has its own file with the same id.`);
    throw new Inconclusive('PREREQUISITE', say`The file is shown there.`, 'getDriveFile.foreign-resource');
  }
  const path = newPath(session, file);
  const input = { path: { driveId: theirs.driveId, fileId: file.id }, json: { path }, ...asOther };
  const reply = await trackMove(session, file, path, () => session.call('updateDriveFile', input));
  expectRefused(reply);
  const now = await readFile(session, file);
  if (pathIn(now) !== path) return;
  throw new Violated(say`the file where it was`, say`at ${path}, which was sent`, [reply, now]);
}

async function expectNotDeleted(session: Session, asOther: CallOptions): Promise<void> {
  const guard = await guardTree(session);
  await requireUnknownToOther(session, 'listDrives', guard.driveId);
  const reply = await sendDeletion(session, guard.driveId, guard.path, asOther);
  expectRefused(reply);
  await expectStillThere(session, guard.file, reply);
}

const owning = ['listDrives', 'listMcpServers'] as const;

/** The owners of the items in every list of the run, whatever its query (4.4, 4.9, 5.3). */
export const everyListChecks: readonly Check[] = [
  ...(['listAgents', ...owning] as const).map((operation) =>
    checksOf(operation, 'judge')(
      'hides-other-organization.each-answer',
      'Compares all lists read with the keys of both organizations, and looks for items in both.',
      (session) => expectOwnItems(session, operation),
      { needs: ['otherKey'], effects: { perhaps: ['driveOfEachOrganization'] } },
    ),
  ),
  ...owning.map((operation) =>
    checksOf(operation, 'judge')(
      'items-name-one-organization.each-answer',
      'Compares the owners in all lists read with one key.',
      (session) => requireOwners(session, [operation]),
      { isJudgedByModel: true },
    ),
  ),
  checksOf('listMcpServers', 'judge')(
    'same-organization-as-drives',
    'Compares the owners of the listed MCP servers with those of the listed drives.',
    requireOwnerOfEach,
    { isJudgedByModel: true },
  ),
];

async function expectOwnItems(session: Session, operation: ListOperation): Promise<void> {
  await successfulReplies(session, operation);
  await listsInTurn(session, operation);
  // Other requests set a limit: the drives of one organization may fill the page before those of the other.
  const callers = operation === 'listDrives' ? [session.own, session.other] : [];
  for (const credentials of callers) await session.call(operation, { credentials, query: {} });
  const [own, other] = (['own', 'other'] as const).map((whose) => successesFor(session, operation, whose));
  await expectNothingShared(session, { own: own ?? [], other: other ?? [] });
}

/** Reads lists until there is something with an owner. Whether it is the owner that was shown before, the model knows. */
async function requireOwners(session: Session, operations: readonly ListOperation[]): Promise<void> {
  for (const operation of operations) {
    const replies = await successfulReplies(session, operation);
    if (replies.some((reply) => ownersNamed(listedIn(reply)).size > 0)) continue;
    throw new Inconclusive('DATA', say`${own(operation)} shows nothing with an owner.`, ...judgesShape(operation));
  }
}

/** Throws {@link Inconclusive} if a list names several owners, which a different check reports. */
async function requireOwnerOfEach(session: Session): Promise<void> {
  await requireOwners(session, owning);
  for (const operation of owning) {
    const ofCaller = Map.groupBy(session.successesOf(operation), (reply) => whoSent(session, reply)).values();
    const owners = Array.from(
      ofCaller,
      (replies) => new Set(replies.flatMap((reply) => [...ownersNamed(listedIn(reply))])),
    );
    if (owners.every(({ size }) => size < 2)) continue;
    const judge = `${operation}.items-name-one-organization.each-answer`;
    throw new Inconclusive('PREREQUISITE', say`A list names several owners.`, judge);
  }
}
