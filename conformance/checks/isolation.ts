import { isDeepStrictEqual } from 'node:util';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Check, Phase } from '../check.ts';
import { usualDemands } from '../plan/demands.ts';
import { find, type ListOperation, readList } from '../scene/lists.ts';
import { movableFile, newPath, pathIn, readFile, sendMove } from '../scene/moves.ts';
import { requireDistinctIds, requireOtherOrganization } from '../scene/organizations.ts';
import { sendPublication } from '../scene/publications.ts';
import { requireQuiet } from '../scene/quiet.ts';
import { listedServers, publishableAgent, readableFile } from '../scene/subjects.ts';
import { guardTree } from '../scene/tree-scenarios.ts';
import { sendDeletion, watchStaying } from '../scene/trees.ts';
import type { How, Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { idOf, isBusy, member, poll } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** What belongs to one organization, tried with the key of another (5.3). */
export const isolationChecks: readonly Check[] = [
  foreign('getDriveFile', 'read', 'Reads a file with the key of the other organization.', expectFileHidden),
  foreign('listMcpServerTools', 'read', 'Lists tools with the key of the other organization.', expectToolsHidden),
  foreign(
    'publishAgentRevision',
    'list',
    'Publishes with the key of the other organization, and compares the agent.',
    expectNotPublished,
  ),
  foreign(
    'updateDriveFile',
    'move',
    'Moves a file with the key of the other organization, and reads it.',
    expectNotMoved,
  ),
  foreign(
    'deleteDriveTree',
    'delete',
    'Deletes a tree with the key of the other organization, and reads a file in it.',
    expectNotDeleted,
  ),
];

function foreign(
  operation: OperationId,
  phase: Phase,
  does: string,
  run: (session: Session, how: How) => Promise<void>,
): Check {
  const { needs, effects } = usualDemands[operation];
  // What the other organization may not do leaves nothing behind; but a deletion is measured before.
  const { shared = [], perhaps = [] } = operation === 'publishAgentRevision' ? {} : effects;
  return {
    id: `${operation}.foreign-resource`,
    operation,
    phase,
    does,
    needs: [...needs, 'otherKey'],
    effects: { shared, perhaps: [...perhaps, 'driveOfEachOrganization'] },
    run: async (session) => {
      await requireOtherOrganization(session);
      await run(session, { credentials: session.other });
    },
  };
}

const expected = 'no success: it belongs to another organization';

function expectRefused(reply: Reply): void {
  if (reply.isSuccess) throw new Violated(expected, `status ${reply.status}`, [reply]);
  if (reply.failure !== undefined || isBusy(reply))
    throw new Unverified('TARGET', 'No answer that tells anything came.');
}

// Two organizations may use the same ids: another file under them is legal.
async function expectFileHidden(session: Session, how: How): Promise<void> {
  const file = readableFile(session);
  const own = await readFile(session, file);
  const shown = await readFile(session, file, how);
  if (shown.isSuccess && own.isSuccess && !isSame(own, shown)) return;
  if (shown.isSuccess) await requireDistinctIds(session);
  expectRefused(shown);
}

function isSame(own: Reply, shown: Reply): boolean {
  return ['path', 'size', 'modifiedAt'].every((name) =>
    isDeepStrictEqual(member(own.json, name), member(shown.json, name)),
  );
}

/** Throws when the other organization has something under the same id: nobody vouches for that. */
async function requireUnknownTo(session: Session, list: ListOperation, id: string): Promise<void> {
  const theirs = find(await readList(session, list, session.other), id);
  const ours = find(await readList(session, list), id);
  if (theirs === undefined) return;
  await requireDistinctIds(session);
  if (!isDeepStrictEqual(member(theirs, 'createdAt'), member(ours, 'createdAt'))) {
    throw new Unverified('OTHER_KEY', `The other organization has something with the id ${id} of its own.`);
  }
}

async function expectToolsHidden(session: Session, how: How): Promise<void> {
  const listing = await readList(session, 'listMcpServers');
  const mcpServerId = (await listedServers(session)).find((id) => find(listing, id) !== undefined);
  if (mcpServerId === undefined) throw new Unverified('MCP_SERVER', 'There is no MCP server in the list.');
  await requireUnknownTo(session, 'listMcpServers', mcpServerId);
  expectRefused(await session.call('listMcpServerTools', { path: { mcpServerId }, ...how }));
}

async function expectNotPublished(session: Session, how: How): Promise<void> {
  session.requireWrites();
  const { id } = publishableAgent(session);
  await requireUnknownTo(session, 'listAgents', id);
  const flags = async () => flagsOf(find(await readList(session, 'listAgents'), id));
  const before = await flags();
  const reply = await sendPublication(session, how);
  expectRefused(reply);
  const { seen, isThere } = await poll(session.longestLagMs * 1.5, flags, (now) => !isDeepStrictEqual(now, before));
  if (isThere) await requireQuiet('Agents keep changing', flags);
  if (isThere) throw new Violated(`the agent as it was: ${JSON.stringify(before)}`, JSON.stringify(seen), [reply]);
}

function flagsOf(agent: unknown): unknown[] {
  return [idOf(agent), member(agent, 'isPublished'), member(agent, 'hasChanges'), member(agent, 'updatedAt')];
}

async function expectNotMoved(session: Session, how: How): Promise<void> {
  const file = await movableFile(session);
  const before = await readFile(session, file);
  const theirs = await readFile(session, file, how);
  if (theirs.isSuccess && !isSame(before, theirs)) {
    throw new Unverified('OTHER_KEY', 'The other organization has a file with the same ids of its own.');
  }
  const path = newPath(session, file);
  if (theirs.isSuccess) await requireDistinctIds(session);
  const reply = await sendMove(session, file, path, how);
  expectRefused(reply);
  const now = await readFile(session, file);
  if (pathIn(now) === path) throw new Violated('the file where it was', `at ${path}, which was sent`, [reply, now]);
}

async function expectNotDeleted(session: Session, how: How): Promise<void> {
  const guard = await guardTree(session);
  await requireUnknownTo(session, 'listDrives', guard.driveId);
  const reply = await sendDeletion(session, guard.driveId, guard.path, how);
  expectRefused(reply);
  const { reply: seen, isGone } = await watchStaying(session, guard.file);
  if (isGone) throw new Violated('the file is still there', `status ${seen.status}: it is gone`, [reply, seen]);
}
