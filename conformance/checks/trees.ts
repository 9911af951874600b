import { own, type Sentence, say } from '../../openapi/reading/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { MoveRefused } from '../probing/file-moves.ts';
import type { MovableFile } from '../probing/file-tracker.ts';
import { unknownId } from '../probing/fixtures.ts';
import { operationUses, sendValid } from '../probing/operations.ts';
import { placeFiles, release } from '../probing/placed-files.ts';
import {
  awaitGone,
  type DeletedTree,
  expectStillThere,
  guardTree,
  sendDeletionWithRetry,
  usualDeletedTree,
  watchBystander,
} from '../probing/tree-deletions.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { type Credentials, withoutValidKey } from '../target/credentials.ts';
import { describeReply, expectRefusal, isBusy, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

const check = checksOf('deleteDriveTree', 'delete');
const { needs, effects } = operationUses.deleteDriveTree;

/** For a check that deletes a tree of one file besides the shared one. */
const deleting: Partial<Check> = { effects: { ...effects, deletions: 1 } };

/** Names that a careless implementation reads as patterns, each with a name that they would match. */
const specialNames = [
  ['dot', 'v1.0', 'v1x0'],
  ['asterisk', 'a*', 'ab'],
  ['percent', 'p%41', 'pA'],
  ['plus', 'q+r', 'q r'],
] as const;

const dottedNames = [
  ['inside', 'a..b'],
  ['leading', '..a'],
  ['three', '...'],
] as const;

/** A tree deletion deletes the whole tree, and nothing else (4.7). */
export const treeChecks: readonly Check[] = [
  check('file-below-is-gone', 'Deletes a tree, and reads a file below it until it is gone.', isGone('below')),
  check(
    'file-below-is-gone.deep',
    'Deletes a tree, and reads a file two levels deeper until it is gone.',
    isGone('deep'),
  ),
  check('file-beside-is-kept', 'Deletes a tree, and reads every other declared file in the drive.', expectRestKept),
  check('file-beside-is-kept.prefix', 'Deletes /…/tree, and reads a file below /…/tree-2.', isKept('prefix')),
  check('file-beside-is-kept.parent', 'Deletes a tree, and reads a file in its parent directory.', isKept('parent')),
  check(
    'file-beside-is-kept.other-drive',
    'Deletes a tree, and reads a file at the same path in another drive.',
    expectOtherDriveKept,
    { needs: [...needs, 'disposableFilesOfTwoDrives'] },
  ),
  ...specialNames.map(([name, tree, other]) =>
    check(
      `file-beside-is-kept.${name}`,
      `Deletes /…/${tree}, and reads a file below /…/${other}.`,
      (session) => expectSpecialKept(session, tree, other),
      deleting,
    ),
  ),
  ...dottedNames.map(([name, segment]) =>
    check(
      `legal-dots.${name}`,
      `Deletes a tree named ${segment}.`,
      (session) => expectDotsAccepted(session, segment),
      deleting,
    ),
  ),
  check('unknown-drive', 'Deletes a tree of a drive that does not exist.', expectUnknownDriveRefused, {
    phase: 'read',
    needs: ['writes', 'treeParameter'],
    effects: {},
  }),
  ...withoutValidKey.map(({ prefix, who, credentials }) =>
    check(
      `${prefix}-deletes-nothing`,
      `Deletes a tree ${who}, and reads the file in it.`,
      (session) => expectNothingDeleted(session, credentials(session.runId, 'header')),
      { phase: 'guard' },
    ),
  ),
];

async function successfulDeletion(session: Session): Promise<DeletedTree> {
  const tree = await usualDeletedTree(session);
  requireSuccess(tree.reply, 'deleteDriveTree.is-served');
  return tree;
}

/** The deletion when it is complete: a file in the tree is gone. */
async function completeDeletion(session: Session): Promise<DeletedTree> {
  const tree = await successfulDeletion(session);
  await awaitGone(session, fileOf(tree, 'below'));
  return tree;
}

function fileOf({ files }: Pick<DeletedTree, 'files'>, role: string): MovableFile {
  const file = files.get(role);
  if (file !== undefined) return file;
  throw new Unverified('DISPOSABLE_FILES', say`No disposable file of the drive was left for this place.`);
}

function isGone(role: string): Check['run'] {
  return async (session) => {
    const tree = await successfulDeletion(session);
    const { reply, isGone: gone } = await awaitGone(session, fileOf(tree, role));
    if (gone) return;
    requireSuccess(reply, 'getDriveFile.is-served');
    const expected = say`the file is gone within ${session.settings.settleMs} ms`;
    throw new Violated(expected, say`status ${reply.status}: it is still there`, [tree.reply, reply]);
  };
}

function isKept(role: string): Check['run'] {
  return async (session) => {
    const tree = await completeDeletion(session);
    await expectKept(session, fileOf(tree, role), tree.reply);
  };
}

async function expectKept(session: Session, file: MovableFile, deletion: Reply): Promise<void> {
  const { reply, isGone: gone } = await watchBystander(session, file);
  if (!gone) return;
  const actual = say`status ${reply.status}: it is gone`;
  throw new Violated(say`a file outside the tree that is still there`, actual, [deletion, reply]);
}

async function expectOtherDriveKept(session: Session): Promise<void> {
  const { inOtherDrive, reply } = await completeDeletion(session);
  if (inOtherDrive === undefined) throw new Unverified('DISPOSABLE_FILES', say`All disposable files are in one drive.`);
  await expectKept(session, inOtherDrive, reply);
}

async function expectRestKept(session: Session): Promise<void> {
  const { reply, lost } = await completeDeletion(session);
  const [first] = lost;
  if (first === undefined) return;
  const actual = say`${lost.length} gone, such as ${own(first.exchange.request.url)}`;
  throw new Violated(say`every file outside the tree still there`, actual, [reply, first]);
}

async function expectSpecialKept(session: Session, tree: string, other: string): Promise<Sentence | undefined> {
  session.requireDestruction();
  await successfulDeletion(session);
  const placed = await placeFiles(session, [
    { role: 'below', path: `/${tree}/below` },
    { role: 'beside', path: `/${other}/beside` },
  ]).catch((error: unknown) => {
    // Plain paths were accepted before.
    if (!(error instanceof MoveRefused)) throw error;
  });
  if (placed === undefined) return say`A path with such a name is refused, which is open.`;
  const reply = await sendDeletionWithRetry(session, placed.driveId, `${placed.base}/${tree}`);
  requireSuccess(reply, 'deleteDriveTree.is-served');
  await awaitGone(session, fileOf(placed, 'below'));
  await expectKept(session, fileOf(placed, 'beside'), reply);
  await release(session, placed.files.values());
  return undefined;
}

async function expectDotsAccepted(session: Session, segment: string): Promise<void> {
  session.requireDestruction();
  await successfulDeletion(session);
  const placed = await placeFiles(session, [{ role: 'below', path: `/${segment}/below` }]);
  const reply = await sendDeletionWithRetry(session, placed.driveId, `${placed.base}/${segment}`);
  if (reply.isSuccess) {
    await awaitGone(session, fileOf(placed, 'below'));
    return;
  }
  await release(session, placed.files.values());
  if (isBusy(reply)) requireSuccess(reply, 'deleteDriveTree.is-served');
  const expected = say`a tree named ${own(segment)} is deleted: its path is legal`;
  throw new Violated(expected, describeReply(reply), [reply]);
}

async function expectUnknownDriveRefused(session: Session): Promise<void> {
  session.requireWrites();
  const parameter = session.settings.treePathParameter;
  if (parameter === undefined) throw new Unverified('TREE_PARAMETER', say`The name of the query parameter is open.`);
  const input = { path: { driveId: unknownId(session) }, query: { [parameter]: `/${session.newName()}` } };
  const reply = await session.call('deleteDriveTree', input);
  expectRefusal(reply, say`a tree of a drive that does not exist was deleted`);
}

async function expectNothingDeleted(session: Session, credentials: Credentials): Promise<void> {
  const guard = await guardTree(session);
  await expectStillThere(session, guard.file, await sendValid(session, 'deleteDriveTree', { credentials }));
}
