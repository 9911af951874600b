import { isDeepStrictEqual } from 'node:util';
import { asJson, say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { type Check, checksOf } from '../check.ts';
import type { FileFixture } from '../config/settings.ts';
import { movableFile, newPath, pathIn, readFile, sendMove, trackMove } from '../probing/file-moves.ts';
import { mcpServerIds, publishableAgent, readableFile } from '../probing/fixtures.ts';
import { findById, type ListOperation, readList } from '../probing/lists.ts';
import { operationUses, sendValid } from '../probing/operations.ts';
import { requireDistinctIds, requireOtherOrganization } from '../probing/organizations.ts';
import { availableFiles } from '../probing/placed-files.ts';
import { lastAgents, sendPublication } from '../probing/publications.ts';
import { guardTree } from '../probing/shared-trees.ts';
import { toolsShownIn } from '../probing/shown-tools.ts';
import { expectStillThere, sendDeletion } from '../probing/tree-deletions.ts';
import type { CallOptions, Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { areSame, idOf, member, requireConclusive, requireNoOtherClient } from '../target/expectations.ts';
import { poll } from '../target/poll.ts';
import type { Reply } from '../target/reply.ts';

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
