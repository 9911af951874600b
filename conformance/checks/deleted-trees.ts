import { say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { inParallel } from '../in-parallel.ts';
import { deleteNothing } from '../probing/bystanders.ts';
import { type CreateOperation, creationKinds, newBody, sendCreation } from '../probing/creations.ts';
import { deletionsOf, type SentDeletion } from '../probing/deletion-record.ts';
import type { MovableFile } from '../probing/movable-file.ts';
import { operationUses } from '../probing/operations.ts';
import { guardTree, refilledTree, usualDeletedTree } from '../probing/shared-trees.ts';
import { awaitGone } from '../probing/tree-deletions.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { inconclusive } from '../target/expectations.ts';
import { requireFileIn } from './gone-files.ts';

const { shared = [] } = operationUses.deleteDriveTree.effects;

/** Deleting what does not exist deletes nothing, and deleted files never come back (4.7). */
export const deletedTreeChecks: readonly Check[] = [
  checksOf('deleteDriveTree', 'guard')(
    'file-beside-is-kept.missing-tree',
    'Deletes a missing directory inside an existing one, and reads every declared file before and after.',
    expectNothingTaken,
  ),
  checksOf('deleteDriveTree', 'delete')(
    'file-beside-is-kept.again',
    'Deletes a tree that was deleted before, and reads every other declared file before and after.',
    expectNothingTakenAgain,
    { effects: { shared: [...shared, 'refilledTree'] } },
  ),
  checksOf('deleteDriveTree', 'judge')(
    'file-below-is-gone.for-good',
    'Creates a drive and an MCP server, reads all lists, and then every file that the run deleted.',
    expectGoneForGood,
    { effects: { shared, drives: 1, mcpServers: 1 } },
  ),
];

async function expectNothingTaken(session: Session): Promise<void> {
  const { driveId, path } = await guardTree(session);
  await deleteNothing(session, driveId, `${path}/${session.newName()}`);
}

async function expectNothingTakenAgain(session: Session): Promise<void> {
  const { driveId, path, readings } = await refilledTree(session);
  if (readings.get('below')?.isGone !== true) {
    throw new Inconclusive('PREREQUISITE', say`The tree is not deleted.`, 'deleteDriveTree.file-below-is-gone.again');
  }
  await deleteNothing(session, driveId, path);
}

async function expectGoneForGood(session: Session): Promise<void> {
  await usualDeletedTree(session);
  for (const operation of ['createDrive', 'createMcpServer'] as const) await createAndList(session, operation);
  await session.call('listAgents');
  await inParallel(deletedFiles(session), async ({ file, deletion }) => {
    // A replica may lag.
    const { reply, isGone } = await awaitGone(session, file);
    if (isGone) return;
    if (!reply.isSuccess) throw inconclusive(reply);
    requireFileIn(reply);
    throw new Violated(say`a deleted file stays deleted`, say`status ${reply.status}`, [deletion.reply, reply]);
  });
}

const readings = 3;

async function createAndList(session: Session, operation: CreateOperation): Promise<void> {
  await sendCreation(session, operation, newBody(session, operation));
  for (let reading = 1; reading <= readings; reading++) await session.call(creationKinds[operation].list);
}

/** The files that the run saw gone with their tree, except those moved later, which a different check judges. */
function deletedFiles(session: Session): { file: MovableFile; deletion: SentDeletion }[] {
  const { files, receipt } = session;
  const deletions = deletionsOf(session).filter(({ reply }) => reply.isSuccess);
  return files.moved().flatMap((file) => {
    const { driveId, id } = file;
    const lastPath = files.lastPathOf(file);
    const deletion = deletions.findLast((one) => one.driveId === driveId && one.below.includes(lastPath));
    const isDeleted = receipt.find('deletedFile', id, driveId) !== undefined;
    return isDeleted && deletion !== undefined ? [{ file, deletion }] : [];
  });
}
