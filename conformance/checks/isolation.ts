import { isDeepStrictEqual } from 'node:util';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { asJson, say } from '../../openapi/reading/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { movableFile, newPath, pathIn, readFile, sendMove } from '../probing/file-moves.ts';
import { mcpServerIds, publishableAgent } from '../probing/fixtures.ts';
import { findById, type ListOperation, readList } from '../probing/lists.ts';
import { operationUses, sendValid } from '../probing/operations.ts';
import { requireDistinctIds, requireOtherOrganization } from '../probing/organizations.ts';
import { sendPublication } from '../probing/publications.ts';
import { expectStillThere, guardTree, sendDeletion } from '../probing/tree-deletions.ts';
import type { CallOptions, Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { areSame, idOf, member, poll, requireConclusive, requireNoOtherClient } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

type Expect = (session: Session, asOther: CallOptions) => Promise<void>;
type Case = readonly [OperationId, does: string, Expect];

/** Reads whose response is one resource. */
const reads = Object.entries(operationUses).flatMap(([id, { recognisedBy }]): Case[] => {
  const operation = id as OperationId;
  const does = 'Reads a resource with the key of the other organization.';
  return recognisedBy === undefined ? [] : [[operation, does, expectHidden(operation, recognisedBy)]];
});

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
    'deleteDriveTree',
    'Deletes a tree with the key of the other organization, and reads a file in it.',
    expectNotDeleted,
  ],
];

/** Access to the resources of one organization with the key of another (5.3). */
export const isolationChecks: readonly Check[] = cases.map(([operation, does, expect]) => {
  const { phase, refused, needs, effects } = operationUses[operation];
  // A correct target refuses the request, so nothing stays behind; but a tree is deleted before, to measure the delay.
  const { shared = [], perhaps = [] } = operation === 'publishAgentRevision' ? {} : effects;
  const run = async (session: Session) => {
    await requireOtherOrganization(session);
    await expect(session, { credentials: session.other });
  };
  return checksOf(operation, refused?.phase ?? phase)('foreign-resource', does, run, {
    needs: [...needs, 'otherKey'],
    effects: { shared, perhaps: [...perhaps, 'driveOfEachOrganization'] },
  });
});

function expectRefused(reply: Reply): void {
  const expected = say`no success: it belongs to another organization`;
  if (reply.isSuccess) throw new Violated(expected, say`status ${reply.status}`, [reply]);
  requireConclusive(reply);
}

// Two organizations may use the same ids: another resource under them is legal.
function expectHidden(operation: OperationId, recognisedBy: readonly string[]): Expect {
  return async (session, asOther) => {
    const own = await sendValid(session, operation, {});
    const shown = await sendValid(session, operation, asOther);
    if (shown.isSuccess && own.isSuccess && !areSame(own.json, shown.json, recognisedBy)) return;
    if (shown.isSuccess) await requireDistinctIds(session);
    expectRefused(shown);
  };
}

/** Throws {@link Unverified} if the other organization has something with the same id: that is not a declared fixture. */
async function requireUnknownToOther(session: Session, list: ListOperation, id: string): Promise<void> {
  const theirs = findById(await readList(session, list, session.other), id);
  const ours = findById(await readList(session, list), id);
  if (theirs === undefined) return;
  await requireDistinctIds(session);
  if (!areSame(theirs, ours, ['createdAt'])) {
    throw new Unverified('OTHER_KEY', say`The other organization has a resource of its own with the id ${id}.`);
  }
}

async function expectToolsHidden(session: Session, asOther: CallOptions): Promise<void> {
  const listing = await readList(session, 'listMcpServers');
  const mcpServerId = (await mcpServerIds(session)).find((id) => findById(listing, id) !== undefined);
  if (mcpServerId === undefined) throw new Unverified('MCP_SERVER', say`The list has no MCP server.`);
  await requireUnknownToOther(session, 'listMcpServers', mcpServerId);
  expectRefused(await session.call('listMcpServerTools', { path: { mcpServerId }, ...asOther }));
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
  throw new Violated(say`an unchanged agent: ${asJson(before)}`, asJson(seen), [reply]);
}

async function expectNotMoved(session: Session, asOther: CallOptions): Promise<void> {
  const file = await movableFile(session);
  const before = await readFile(session, file);
  const theirs = await readFile(session, file, asOther);
  if (theirs.isSuccess && !areSame(before.json, theirs.json, operationUses.getDriveFile.recognisedBy ?? [])) {
    throw new Unverified('OTHER_KEY', say`The other organization has a file of its own with the same ids.`);
  }
  const path = newPath(session, file);
  if (theirs.isSuccess) await requireDistinctIds(session);
  const reply = await sendMove(session, file, path, asOther);
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
