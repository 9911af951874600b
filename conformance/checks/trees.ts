import type { Check } from '../check.ts';
import { usualDemands } from '../plan/demands.ts';
import type { MovableFile } from '../scene/movable-file.ts';
import { RefusedMove } from '../scene/moves.ts';
import { act } from '../scene/probes.ts';
import { unknownId } from '../scene/subjects.ts';
import { deletedTree, guardTree } from '../scene/tree-scenarios.ts';
import { awaitGone, plant, release, sendPlainDeletion, watchBystander, watchStaying } from '../scene/trees.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { invalidKey, noKey } from '../target/credentials.ts';
import { expectRefusal, isBusy, presume } from '../target/expectations.ts';

/** The deletion of a tree: all of it, and nothing else (4.7). */
export const treeChecks: readonly Check[] = [
  check('file-below-is-gone', 'Deletes a tree, and reads a file below it until it is gone.', (session) =>
    expectGone(session, 'below'),
  ),
  check(
    'file-below-is-gone.deep',
    'Deletes a tree, and reads a file two directories further down until it is gone.',
    (session) => expectGone(session, 'deep'),
  ),
  check(
    'file-beside-is-kept',
    'Deletes a tree, and reads every other file that is vouched for in the drive.',
    expectRestKept,
  ),
  check('file-beside-is-kept.prefix', 'Deletes /…/tree, and reads a file below /…/tree-2.', (session) =>
    expectKept(session, 'prefix'),
  ),
  check('file-beside-is-kept.parent', 'Deletes a tree, and reads a file in the directory that holds it.', (session) =>
    expectKept(session, 'parent'),
  ),
  {
    ...check(
      'file-beside-is-kept.other-drive',
      'Deletes a tree, and reads a file at the same path in another drive.',
      expectOtherDriveKept,
    ),
    needs: [...usualDemands.deleteDriveTree.needs, 'disposableFilesOfTwoDrives'],
  },
  ...(
    [
      ['dot', 'v1.0', 'v1x0'],
      ['asterisk', 'a*', 'ab'],
      ['percent', 'p%41', 'pA'],
      ['plus', 'q+r', 'q r'],
    ] as const
  ).map(([name, tree, beside]) =>
    deleting(`file-beside-is-kept.${name}`, `Deletes /…/${tree}, and reads a file below /…/${beside}.`, (session) =>
      expectSpecialKept(session, tree, beside),
    ),
  ),
  ...(
    [
      ['inside', 'a..b'],
      ['leading', '..a'],
      ['three', '...'],
    ] as const
  ).map(([name, segment]) =>
    deleting(`legal-dots.${name}`, `Deletes a tree named ${segment}.`, (session) =>
      expectDotsAccepted(session, segment),
    ),
  ),
  {
    ...check('unknown-drive', 'Deletes a tree of a drive that does not exist.', expectUnknownDrive),
    phase: 'read',
    needs: ['writes', 'treeParameter'],
    effects: {},
  },
  guarded('no-key-deletes-nothing', 'Deletes a tree without a key, and reads the file in it.', (session) =>
    expectGuarded(session, noKey),
  ),
  guarded(
    'wrong-key-deletes-nothing',
    'Deletes a tree with a key that is nobody’s, and reads the file in it.',
    (session) => expectGuarded(session, invalidKey(`nobody-${session.runId}`, 'header')),
  ),
];

function check(rule: string, does: string, run: Check['run']): Check {
  return { id: `deleteDriveTree.${rule}`, operation: 'deleteDriveTree', phase: 'delete', does, run };
}

/** A check that deletes a tree of one file beside the shared one. */
function deleting(rule: string, does: string, run: Check['run']): Check {
  return { ...check(rule, does, run), effects: { ...usualDemands.deleteDriveTree.effects, deletions: 1 } };
}

function guarded(rule: string, does: string, run: Check['run']): Check {
  return { ...check(rule, does, run), phase: 'guard' };
}

async function goodDeletion(session: Session) {
  const tree = await deletedTree(session, session.carrier);
  presume(tree.reply, 'deleteDriveTree.is-served');
  return tree;
}

async function expectGone(session: Session, role: 'below' | 'deep'): Promise<void> {
  const tree = await goodDeletion(session);
  const file = roleOf(tree.files, role);
  const { reply, isGone: gone } = await awaitGone(session, file);
  if (gone) return;
  if (!reply.isSuccess) presume(reply, 'getDriveFile.is-served');
  const expected = `the file is gone within ${session.settings.settleMs} ms`;
  throw new Violated(expected, `status ${reply.status}: it is still there`, [tree.reply, reply]);
}

function roleOf(files: ReadonlyMap<string, MovableFile>, role: string): MovableFile {
  const file = files.get(role);
  if (file !== undefined) return file;
  throw new Unverified('DISPOSABLE_FILES', 'No disposable file of the drive was left to put there.');
}

/** The deletion, once it is over: what it was to take is gone. */
async function settledDeletion(session: Session) {
  const tree = await goodDeletion(session);
  await awaitGone(session, roleOf(tree.files, 'below'));
  return tree;
}

async function expectKept(session: Session, role: string): Promise<void> {
  const tree = await settledDeletion(session);
  await expectStaying(session, roleOf(tree.files, role), tree.reply);
}

async function expectStaying(
  session: Session,
  file: MovableFile,
  deletion: Parameters<typeof presume>[0],
): Promise<void> {
  const { reply, isGone: gone } = await watchBystander(session, file);
  if (gone)
    throw new Violated('a file outside the tree that is still there', `status ${reply.status}: it is gone`, [
      deletion,
      reply,
    ]);
}

async function expectOtherDriveKept(session: Session): Promise<void> {
  const tree = await settledDeletion(session);
  if (tree.elsewhere === undefined) throw new Unverified('DISPOSABLE_FILES', 'All disposable files are in one drive.');
  await expectStaying(session, tree.elsewhere, tree.reply);
}

async function expectRestKept(session: Session): Promise<void> {
  const { reply, lost } = await settledDeletion(session);
  const [first] = lost;
  if (first === undefined) return;
  const actual = `${lost.length} of them gone, such as that of ${first.exchange.request.url}`;
  throw new Violated('every file outside the tree still there', actual, [reply, first]);
}

async function expectSpecialKept(session: Session, tree: string, beside: string): Promise<unknown> {
  session.requireDestruction();
  await goodDeletion(session);
  const planted = await plant(session, [
    { role: 'below', path: `/${tree}/below` },
    { role: 'beside', path: `/${beside}/beside` },
  ]).catch(unlessRefused);
  if (planted === undefined) return 'A path with such a name is refused, which is open.';
  const reply = await sendPlainDeletion(session, planted.driveId, `${planted.base}/${tree}`);
  presume(reply, 'deleteDriveTree.is-served');
  await awaitGone(session, roleOf(planted.files, 'below'));
  await expectStaying(session, roleOf(planted.files, 'beside'), reply);
  await release(session, planted.files.values());
  return undefined;
}

// Plain paths were taken before.
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof RefusedMove)) throw error;
  return undefined;
}

async function expectDotsAccepted(session: Session, segment: string): Promise<void> {
  session.requireDestruction();
  await goodDeletion(session);
  const planted = await plant(session, [{ role: 'below', path: `/${segment}/below` }]);
  const reply = await sendPlainDeletion(session, planted.driveId, `${planted.base}/${segment}`);
  if (reply.isSuccess) {
    await awaitGone(session, roleOf(planted.files, 'below'));
    return;
  }
  await release(session, planted.files.values());
  if (isBusy(reply) || reply.failure !== undefined) presume(reply, 'deleteDriveTree.is-served');
  throw new Violated(`a tree named ${segment} is deleted: its path breaks no rule`, `status ${reply.status}`, [reply]);
}

async function expectUnknownDrive(session: Session): Promise<void> {
  session.requireWrites();
  const parameter = session.settings.treePathParameter;
  if (parameter === undefined) throw new Unverified('TREE_PARAMETER', 'The name of the query parameter is not known.');
  const reply = await session.call('deleteDriveTree', {
    path: { driveId: unknownId(session) },
    query: { [parameter]: `/${session.newSegment()}` },
  });
  expectRefusal(reply, 'a tree of a drive that does not exist was deleted');
}

async function expectGuarded(session: Session, credentials: typeof noKey): Promise<void> {
  const guard = await guardTree(session);
  const reply = await act(session, 'deleteDriveTree', { credentials });
  const { reply: seen, isGone: gone } = await watchStaying(session, guard.file);
  if (gone) throw new Violated('the file is still there', `status ${seen.status}: it is gone`, [reply, seen]);
}
