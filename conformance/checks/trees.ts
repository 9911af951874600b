import { own, type Sentence, say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { afterDeletingNothing, requireKept } from '../probing/bystanders.ts';
import { type ClearedTree, isElsewhere, isEmptied } from '../probing/cleared-trees.ts';
import { isGone, sendMove } from '../probing/file-moves.ts';
import { declaredFiles, unknownId } from '../probing/fixtures.ts';
import { movedByAnother } from '../probing/misplaced.ts';
import { extensionOf } from '../probing/movable-file.ts';
import {
  dottedNames,
  dottedTree,
  namedTree,
  namedTrees,
  parallelTrees,
  type TreeName,
} from '../probing/named-trees.ts';
import { operationUses, sendValid } from '../probing/operations.ts';
import { placeFiles, release } from '../probing/placed-files.ts';
import { guardTree, inOtherDrive, refilledTree, usualDeletedTree } from '../probing/shared-trees.ts';
import { awaitGone, expectStillThere, sendDeletionWithRetry } from '../probing/tree-deletions.ts';
import { unknownLike } from '../probing/unknown-ids.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { type Credentials, withoutValidKey } from '../target/credentials.ts';
import { describeReply, expectRefusal, isBusy, requireSuccess } from '../target/expectations.ts';
import { expectFirstGone, expectGone, pathOf, readingOf, usualTreeInTime } from './gone-files.ts';

const check = checksOf('deleteDriveTree', 'delete');
const { needs, effects } = operationUses.deleteDriveTree;

/** For a check that uses further trees besides the first one. */
function also(...trees: NonNullable<Check['effects']>['shared'] & {}): Partial<Check> {
  return { effects: { shared: [...(effects.shared ?? []), ...trees] } };
}

/** A tree with this many files shows what a smaller one does not. */
const manyFiles = 9;

const treeNames = Object.keys(namedTrees) as TreeName[];

type TreeOf = (session: Session) => Promise<ClearedTree | undefined>;

const isRefused = say`A path with such a name is refused, which is open.`;

/** A tree deletion deletes the whole tree, and nothing else (4.7). */
export const treeChecks: readonly Check[] = [
  check('file-below-is-gone', 'Deletes a tree, and reads a file below it until it is gone.', expectFirstGone),
  check(
    'file-below-is-gone.deep',
    'Deletes a tree, and reads a file two levels deeper until it is gone.',
    gone(usualTreeInTime, 'deep'),
  ),
  check(
    'file-below-is-gone.again',
    'Moves a file into a deleted tree, and deletes the tree again.',
    gone(refilledTree),
    also('refilledTree'),
  ),
  check('file-beside-is-kept', 'Deletes a tree, and reads every other declared file before and after.', expectRestKept),
  check(
    'file-beside-is-kept.prefix',
    'Deletes /…/tree, and reads a file below /…/tree-2.',
    kept(usualDeletedTree, 'prefix'),
  ),
  check(
    'file-beside-is-kept.parent',
    'Deletes a tree, and reads a file in its parent directory.',
    kept(usualDeletedTree, 'parent'),
  ),
  check(
    'file-beside-is-kept.elsewhere',
    'Deletes a tree, and reads a file in another directory that contains the same path.',
    kept(usualDeletedTree, 'elsewhere'),
  ),
  check(
    'file-beside-is-kept.moved-out',
    'Deletes a tree, and reads a file that was moved out of it before.',
    kept(usualDeletedTree, 'moved-out'),
  ),
  check(
    'file-beside-is-kept.other-drive',
    'Deletes a tree, and reads a file at the same path in another drive.',
    kept(usualDeletedTree, inOtherDrive),
    { needs: [...needs, 'disposableFilesOfTwoDrives'] },
  ),
  ...treeNames.flatMap(namedChecks),
  check(
    'directory-is-found',
    'Moves files into trees with unusual names, deletes the trees, and looks for error responses.',
    expectDirectoriesFound,
    also(...treeNames.map((name) => `${name}Tree` as const)),
  ),
  check(
    'file-below-is-gone.blank-as-plus',
    'Deletes a tree with + for a space in the query, and reads the file in it until it is gone.',
    expectPlusRead,
    also('lettersTree'),
  ),
  ...Object.entries(dottedNames).map(([rule, segment]) =>
    check(
      `legal-dots.${rule}`,
      `Deletes a tree with the segment ${segment}.`,
      (session) => expectDotsAccepted(session, segment),
      also('dottedTree'),
    ),
  ),
  check(
    'file-below-is-gone.parallel',
    'Deletes two trees of one drive at the same time, and reads the file in the first until it is gone.',
    gone(async (session) => (await parallelTrees(session)).small),
    also('parallelTrees'),
  ),
  check(
    'file-below-is-gone.every',
    'Deletes a directory on level six with all disposable files that are left, down to eight levels below it.',
    expectEveryGone,
    also('parallelTrees'),
  ),
  check('deleted-file-is-not-moved', 'Moves a file that was deleted with its tree.', expectNotMovable),
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

// The file in the tree must go; those in directories with similar names must stay.
function namedChecks(which: TreeName): Check[] {
  const { name, beside } = namedTrees[which];
  const tree: TreeOf = (session) => namedTree(session, which);
  const others = Object.entries(beside).map(([role, other]) =>
    check(
      `file-beside-is-kept.${role}`,
      `Deletes /…/${name}, and reads a file below /…/${other}.`,
      kept(tree, role),
      also(`${which}Tree`),
    ),
  );
  const does = `Deletes /…/${name}, and reads the file in it until it is gone.`;
  return [...others, check(`file-below-is-gone.${which}`, does, gone(tree), also(`${which}Tree`))];
}

function gone(tree: TreeOf, role = 'below'): Check['run'] {
  return async (session) => {
    const cleared = await tree(session);
    if (cleared === undefined) return isRefused;
    expectGone(session, cleared, role);
    return undefined;
  };
}

async function expectEveryGone(session: Session): Promise<Sentence | undefined> {
  const { large } = await parallelTrees(session);
  for (const role of large.files.keys()) expectGone(session, large, role);
  const { size } = large.files;
  return size < manyFiles ? say`Only ${size} disposable files of the drive were left for this tree.` : undefined;
}

function kept(tree: TreeOf, role: string): Check['run'] {
  return async (session) => {
    const cleared = await tree(session);
    if (cleared === undefined || cleared.refused.has(role)) return isRefused;
    const reading = readingOf(cleared, role);
    const file = cleared.files.get(role);
    const isInOther = file !== undefined && file.driveId !== cleared.driveId;
    const why = isInOther ? say`it is in the drive ${file.driveId}` : say`it is not in ${cleared.path}`;
    const expected = say`the file at ${pathOf(cleared, role)} is still there: ${why}`;
    const replies = [cleared.reply, reading.reply];
    if (reading.isGone) throw new Violated(expected, say`status ${reading.reply.status}: it is gone`, replies);
    if (!isElsewhere(cleared, role, reading)) return undefined;
    throw reading.doubt ?? new Violated(expected, say`it is at another path`, replies);
  };
}

async function expectRestKept(session: Session): Promise<void> {
  const tree = await usualDeletedTree(session);
  requireSuccess(tree.reply, 'deleteDriveTree.is-served');
  const again = () => afterDeletingNothing(session, tree.driveId, tree.path);
  await requireKept(session, async (isAgain) => (isAgain ? again() : tree));
}

async function expectDirectoriesFound(session: Session): Promise<void> {
  for (const name of treeNames) {
    const tree = await namedTree(session, name);
    if (tree === undefined || !isGone(tree.reply)) continue;
    throw new Violated(say`${tree.path} is deleted: there is a file in it`, describeReply(tree.reply), [tree.reply]);
  }
}

// How a query spells a blank is not stated: %20 works everywhere, and browsers send +.
async function expectPlusRead(session: Session): Promise<Sentence | undefined> {
  const tree = await namedTree(session, 'letters');
  if (tree?.byPlus === undefined) return isRefused;
  const { reply, readings } = tree.byPlus;
  const { isGone: isRead, doubt } = readings.get('below') ?? {};
  if (isRead) return undefined;
  if (doubt !== undefined) throw doubt;
  if (!readingOf(tree, 'below').isGone) {
    throw new Inconclusive('PREREQUISITE', say`The tree stays.`, 'deleteDriveTree.file-below-is-gone.letters');
  }
  throw new Violated(say`the file is gone: + stands for a space`, say`it is still there`, [reply]);
}

async function expectDotsAccepted(session: Session, segment: string): Promise<void> {
  if ((await dottedTree(session)) !== undefined) return;
  const placed = await placeFiles(session, [{ role: 'below', path: `/${segment}/below` }]);
  const reply = await sendDeletionWithRetry(session, placed.driveId, `${placed.base}/${segment}`);
  if (reply.isSuccess) {
    for (const file of placed.files.values()) await awaitGone(session, file);
    return;
  }
  const isMissing = await isEmptied(session, placed, `${placed.base}/${segment}`);
  await release(session, placed.files.values());
  if (isMissing) throw movedByAnother();
  if (isBusy(reply)) requireSuccess(reply, 'deleteDriveTree.is-served');
  const expected = say`a tree named ${own(segment)} is deleted: its path is legal`;
  throw new Violated(expected, describeReply(reply), [reply]);
}

// If the file comes back, the run counts as having moved it, and moves it back.
async function expectNotMovable(session: Session): Promise<void> {
  const tree = await usualDeletedTree(session);
  const file = tree.files.get('below');
  if (file === undefined || !readingOf(tree, 'below').isGone) {
    throw new Inconclusive('PREREQUISITE', say`The file is not deleted.`, 'deleteDriveTree.file-below-is-gone');
  }
  const reply = await sendMove(session, file, `${tree.base}/back${extensionOf(file.originalPath)}`);
  expectRefusal(reply, say`a deleted file was moved`);
}

async function expectUnknownDriveRefused(session: Session): Promise<void> {
  session.requireWrites();
  const parameter = session.settings.treePathParameter;
  if (parameter === undefined) throw new Inconclusive('TREE_PARAMETER', say`The name of the query parameter is open.`);
  const [file] = declaredFiles(session);
  for (const driveId of [unknownId(session), ...(file === undefined ? [] : [unknownLike(session, file.driveId)])]) {
    const input = { path: { driveId }, query: { [parameter]: `/${session.newName()}` } };
    const reply = await session.call('deleteDriveTree', input);
    expectRefusal(reply, say`a tree of a drive that does not exist was deleted`);
  }
}

async function expectNothingDeleted(session: Session, credentials: Credentials): Promise<void> {
  const guard = await guardTree(session);
  await expectStillThere(session, guard.file, await sendValid(session, 'deleteDriveTree', { credentials }));
}
