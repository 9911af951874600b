import { excerpt, own, type Sentence, say } from '../../lib/sentence.ts';
import { type CreateOperation, creationKinds, newBody, sendCreation } from '../probing/creations.ts';
import { declaredFiles, movedByAnother, saysNoSuchFile, sendMove } from '../probing/files.ts';
import { unknownLike } from '../probing/fixtures.ts';
import { markIn } from '../probing/names.ts';
import { operationUses, sendValid, successfulReplies } from '../probing/operations.ts';
import { placeFiles, release, tooFewFiles } from '../probing/placed-files.ts';
import {
  afterDeletingNothing,
  awaitGone,
  deleteNothing,
  deletionsOf,
  expectStillThere,
  hasTakenAll,
  type LastReading,
  requireKept,
  type SentDeletion,
  sendDeletionWithRetry,
} from '../probing/tree-deletions.ts';
import {
  type ClearedTree,
  dottedNames,
  dottedTree,
  guardTree,
  inOtherDrive,
  isElsewhere,
  isEmptied,
  lateDeletion,
  longestMs,
  missingTree,
  namedTree,
  namedTrees,
  parallelTrees,
  refilledTree,
  requireDeletionsInTime,
  type TreeName,
  usualDeletedTree,
} from '../probing/trees.ts';
import { leftToModel } from '../rules/left-to-model.ts';
import { inParallel } from '../run/once.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { directoryOf, extensionOf, type MovableFile } from '../safety/receipt.ts';
import { type Credentials, withoutValidKey } from '../target/credentials.ts';
import {
  describeReply,
  expectRefusal,
  idOf,
  inconclusive,
  isBusy,
  member,
  requireSuccess,
} from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { type Check, checksOf } from './check.ts';

const deleting = checksOf('deleteDriveTree', 'delete');
const { needs, effects } = operationUses.deleteDriveTree;

/** For a check that uses further trees besides the first one. */
function also(...trees: NonNullable<Check['effects']>['shared'] & {}): Partial<Check> {
  return { effects: { shared: [...(effects.shared ?? []), ...trees] } };
}

/** A tree with this many files shows what a smaller one does not. */
const manyFiles = 9;

const treeNames = Object.keys(namedTrees) as TreeName[];

type TreeOf = (session: Session) => Promise<ClearedTree | undefined>;

const nameRefusedRemark = say`A path with such a name is refused, which the specification leaves open.`;

/** A tree deletion deletes the whole tree, and nothing else (4.7). */
export const treeChecks: readonly Check[] = [
  deleting('file-below-is-gone', 'Deletes a tree, and reads a file below it until it is gone.', expectFirstGone),
  deleting(
    'file-below-is-gone.deep',
    'Deletes a tree, and reads a file two levels deeper until it is gone.',
    gone(usualTreeInTime, 'deep'),
  ),
  deleting(
    'file-below-is-gone.again',
    'Moves a file into a deleted tree, and deletes the tree again.',
    gone(refilledTree),
    also('refilledTree'),
  ),
  deleting(
    'file-beside-is-kept',
    'Deletes a tree, and reads every other declared file before and after.',
    expectRestKept,
  ),
  deleting(
    'file-beside-is-kept.prefix',
    'Deletes /…/tree, and reads a file below /…/tree-2.',
    kept(usualDeletedTree, 'prefix'),
  ),
  deleting(
    'file-beside-is-kept.parent',
    'Deletes a tree, and reads a file in its parent directory.',
    kept(usualDeletedTree, 'parent'),
  ),
  deleting(
    'file-beside-is-kept.elsewhere',
    'Deletes a tree, and reads a file in another directory that contains the same path.',
    kept(usualDeletedTree, 'elsewhere'),
  ),
  deleting(
    'file-beside-is-kept.moved-out',
    'Deletes a tree, and reads a file that was moved out of it before.',
    kept(usualDeletedTree, 'moved-out'),
  ),
  deleting(
    'file-beside-is-kept.other-drive',
    'Deletes a tree, and reads a file at the same path in another drive.',
    kept(usualDeletedTree, inOtherDrive),
    { needs: [...needs, 'disposableFilesOfTwoDrives'] },
  ),
  ...treeNames.flatMap(namedChecks),
  deleting(
    'directory-is-found',
    'Moves files into trees with unusual names, deletes the trees, and looks for error responses.',
    expectDirectoriesFound,
    also(...treeNames.map((name) => `${name}Tree` as const)),
  ),
  deleting(
    'file-below-is-gone.blank-as-plus',
    'Deletes a tree with + for a space in the query, and reads the file in it until it is gone.',
    expectPlusRead,
    also('lettersTree'),
  ),
  ...Object.entries(dottedNames).map(([rule, segment]) =>
    deleting(
      `legal-dots.${rule}`,
      `Deletes a tree with the segment ${segment}.`,
      (session) => expectDotsAccepted(session, segment),
      also('dottedTree'),
    ),
  ),
  deleting(
    'file-below-is-gone.parallel',
    'Deletes two trees of one drive at the same time, and reads the file in the small one until it is gone.',
    gone(async (session) => (await parallelTrees(session)).small),
    also('parallelTrees'),
  ),
  deleting(
    'file-below-is-gone.every',
    'Deletes two trees of one drive at the same time, the large one on the sixth level, with all remaining disposable files up to eight levels below it, and reads each of its files until it is gone.',
    expectEveryGone,
    also('parallelTrees'),
  ),
  deleting('deleted-file-is-not-moved', 'Moves a file that was deleted with its tree.', expectNotMovable),
  deleting('unknown-drive', 'Deletes a tree of a drive that does not exist.', expectUnknownDriveRefused, {
    phase: 'read',
    needs: ['writes', 'treeParameter'],
    effects: {},
  }),
  ...withoutValidKey.map(({ prefix, who, credentials }) =>
    deleting(
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
    deleting(
      `file-beside-is-kept.${role}`,
      `Deletes /…/${name}, and reads a file below /…/${other}.`,
      kept(tree, role),
      also(`${which}Tree`),
    ),
  );
  const does = `Deletes /…/${name}, and reads the file in it until it is gone.`;
  return [...others, deleting(`file-below-is-gone.${which}`, does, gone(tree), also(`${which}Tree`))];
}

function gone(tree: TreeOf, role = 'below'): Check['run'] {
  return async (session) => {
    const cleared = await tree(session);
    if (cleared === undefined) return nameRefusedRemark;
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
    if (cleared === undefined || cleared.refused.has(role)) return nameRefusedRemark;
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
    if (tree === undefined || !saysNoSuchFile(tree.reply)) continue;
    throw new Violated(say`${tree.path} is deleted: there is a file in it`, describeReply(tree.reply), [tree.reply]);
  }
}

// How a query spells a blank is not stated: %20 works everywhere, and browsers send +.
async function expectPlusRead(session: Session): Promise<Sentence | undefined> {
  const tree = await namedTree(session, 'letters');
  if (tree?.byPlus === undefined) return nameRefusedRemark;
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
  for (const driveId of [session.unknownId(), ...(file === undefined ? [] : [unknownLike(session, file.driveId)])]) {
    const input = { path: { driveId }, query: { [parameter]: `/${session.newName()}` } };
    const reply = await session.call('deleteDriveTree', input);
    expectRefusal(reply, say`a tree of a drive that does not exist was deleted`);
  }
}

async function expectNothingDeleted(session: Session, credentials: Credentials): Promise<void> {
  const guard = await guardTree(session);
  await expectStillThere(session, guard.file, await sendValid(session, 'deleteDriveTree', { credentials }));
}

const noneLeft = say`No disposable file was left in the drive for this case.`;

/** The last reading of a placed file after a deletion that succeeded. */
function readingOf({ reply, readings }: ClearedTree, role: string): LastReading {
  requireSuccess(reply, 'deleteDriveTree.is-served', 'deleteDriveTree.directory-is-found');
  const reading = readings.get(role);
  if (reading === undefined) throw tooFewFiles(noneLeft);
  if (reading.isGone) return reading;
  if (!reading.reply.isSuccess) throw inconclusive(reading.reply);
  requireFileIn(reading.reply);
  return reading;
}

/** Throws {@link Inconclusive} unless a success shows a file: a body that says otherwise does not replace a status. */
function requireFileIn(reply: Reply): void {
  if (idOf(reply.json) !== undefined || member(reply.json, 'path') !== undefined) return;
  const shown = excerpt(JSON.stringify(reply.text ?? ''), 80);
  const reason = say`Reading the file returns status ${reply.status} and a body that is not a file: ${shown}.`;
  throw new Inconclusive(
    'PREREQUISITE',
    reason,
    'getDriveFile.id-asked-for',
    'getDriveFile.answer-is-object',
    'getDriveFile.unknown-file',
  );
}

/** The first tree. Throws if its deletion did not show in time. */
async function usualTreeInTime(session: Session): Promise<ClearedTree> {
  await requireDeletionsInTime(session);
  return usualDeletedTree(session);
}

/** The file in the first tree is gone in time. This decides once whether deletions are late on this target. */
async function expectFirstGone(session: Session): Promise<void> {
  const tree = await usualDeletedTree(session);
  const { reply, isGone: isDeleted, doubt } = readingOf(tree, 'below');
  if (isDeleted) return;
  if (doubt !== undefined) throw doubt;
  const tookMs = await lateDeletion(session);
  const { settleMs } = session.settings;
  const never = say`it is still there after ${longestMs(settleMs)} ms`;
  const late = say`it was gone after ${Math.round(tookMs ?? 0)} ms: if deletions may take that long, set --settle ${Math.ceil((tookMs ?? 0) / 500) * 1_000}`;
  const actual = say`status ${reply.status} after ${settleMs} ms; ${tookMs === undefined ? never : late}`;
  throw new Violated(goneInTime(session, tree, 'below'), actual, [tree.reply, reply]);
}

function goneInTime({ patience }: Session, tree: ClearedTree, role: string): Sentence {
  return say`the file at ${pathOf(tree, role)} is gone ${patience.lastLimit('deleted')}: it is in ${tree.path}`;
}

/** A file in a deleted tree is gone. */
function expectGone(session: Session, tree: ClearedTree, role: string): void {
  const { reply, isGone: isDeleted, doubt } = readingOf(tree, role);
  if (isDeleted) return;
  if (doubt !== undefined) throw doubt;
  throw new Violated(goneInTime(session, tree, role), say`status ${reply.status}: it is still there`, [
    tree.reply,
    reply,
  ]);
}

/** Where a file of a tree was placed. */
const pathOf = ({ paths }: ClearedTree, role: string) => paths.get(role) ?? '';

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

const judging = checksOf('deleteDriveTree', 'judge');

/** Every response to a tree deletion in the run, whatever its purpose (4.7). */
export const deletionAnswerChecks: readonly Check[] = [
  judging(
    'count-of-nothing',
    'Deletes a directory of an empty drive, and looks at documentCount.',
    expectNothingCounted,
    { needs: ['writes', 'deletions', 'treeParameter'], effects: { shared: ['firstDrive'] } },
  ),
  judging(
    'count-fits',
    'Compares documentCount of every response with the files and directories that the run put below the path.',
    expectFittingCount,
  ),
  leftToModel('deleteDriveTree', 'job-ids-differ', 'Compares the jobIds of different tree deletions.'),
];

function countIn({ json }: Reply): number | undefined {
  const count = member(json, 'documentCount');
  return typeof count === 'number' ? count : undefined;
}

async function expectNothingCounted(session: Session): Promise<Sentence | undefined> {
  const reply = await missingTree(session);
  const count = countIn(reply);
  if (!reply.isSuccess || count === undefined)
    return say`Refused, which the specification leaves open (open point treePath.missing).`;
  if (count !== 0) throw new Violated(say`an error response, or a documentCount of 0`, say`${count}`, [reply]);
  return undefined;
}

// Whether directories count is open (open point `documentCount`).
async function expectFittingCount(session: Session): Promise<void> {
  await successfulReplies(session, 'deleteDriveTree');
  for (const deletion of successful(session)) {
    const { path, below, reply } = deletion;
    const count = countIn(reply);
    const isKnown = markIn(path, session.runId) !== undefined && below.length > 0;
    // Another client may have moved a file out of the tree.
    if (!isKnown || count === undefined || !hasTakenAll(session, deletion)) continue;
    const most = below.length + directoriesIn(path, below);
    if (count >= below.length && count <= most) continue;
    const expected = say`a documentCount from ${below.length} (files only) to ${most} (with directories)`;
    throw new Violated(expected, say`${count}`, [reply]);
  }
}

function successful(session: Session): SentDeletion[] {
  return deletionsOf(session).filter(({ reply }) => reply.isSuccess && reply.request.isAuthenticated);
}

/** How many directories a tree has, itself included. */
function directoriesIn(tree: string, files: readonly string[]): number {
  const found = new Set<string>();
  for (const file of files) {
    for (let directory = directoryOf(file); directory.length >= tree.length; directory = directoryOf(directory))
      found.add(directory);
  }
  return found.size;
}
