import type { OperationId } from '../../openapi/contract/operations.ts';
import { asJson, own, type Sentence, say } from '../../openapi/reading/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import {
  awaitPath,
  directoryOf,
  extensionOf,
  isGone,
  movableFile,
  newPath,
  pathIn,
  readFile,
  requireMove,
  sendMove,
  sendMoveWithRetry,
} from '../probing/file-moves.ts';
import type { MovableFile } from '../probing/file-tracker.ts';
import { findCounterexample, illegalPathArbitrary, legalPathArbitrary } from '../probing/generated-paths.ts';
import { encodedPath, type IllegalPath, illegalPaths, legalDots, plainTwin } from '../probing/path-vectors.ts';
import {
  expectStillThere,
  type GuardTree,
  guardTree,
  lostBy,
  sendDeletion,
  usualDeletedTree,
} from '../probing/tree-deletions.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { describeReply, expectRefusal, isBusy, requireAnswered, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

const moving = checksOf('updateDriveFile', 'move');
const deleting = checksOf('deleteDriveTree', 'delete');

/** The path rule for moves (4.6). */
export const movePathChecks: readonly Check[] = [
  ...illegalPathChecks('updateDriveFile', illegalPaths, aimMove),
  moving('refused-path-moves-nothing', 'Moves a file to every illegal path, and reads it after each.', movesNothing),
  ...legalDots.map(({ rule, does, paths }) =>
    moving(rule, `Moves a file to ${does}.`, (session) => expectAccepted(session, rule, paths)),
  ),
  moving(
    'legal-dots.generated',
    'Moves a file to generated names with dots but no .. segment.',
    expectGeneratedAccepted,
  ),
];

/** The path rule for tree deletions (4.7). */
export const treePathChecks: readonly Check[] = [
  ...illegalPathChecks('deleteDriveTree', [...illegalPaths, encodedPath], aimDeletion),
  deleting(
    'refused-path-deletes-nothing',
    'Deletes trees by every illegal path, and reads a file after each.',
    deletesNothing,
    { phase: 'guard' },
  ),
];

/** An existing directory, a name in it, and a way to send a path to the target. */
interface Aim {
  directory: string;
  name: string;
  send(path: string, isRawQuery?: boolean): Promise<Reply>;
  /** What an accepted path means. */
  accepted(path: string): Sentence;
}

const refused = say`no success: the path breaks the rule`;

// Before each illegal path a legal one is accepted: so a refusal is about the one thing in which they differ.
function illegalPathChecks(
  operation: OperationId,
  vectors: readonly IllegalPath[],
  aim: (session: Session) => Promise<Aim>,
): Check[] {
  const [check, one, many] =
    operation === 'updateDriveFile'
      ? [moving, 'Moves a file to', 'Moves a file to']
      : [deleting, 'Deletes a tree by', 'Deletes trees by'];
  return [
    ...vectors.map((vector) =>
      check(vector.rule, `${one} ${vector.does}.`, async (session) => expectRefused(await aim(session), vector)),
    ),
    check(
      'dot-dot-segment.generated',
      `${many} generated paths that break the rule, and shows the smallest accepted one.`,
      async (session) => expectGeneratedRefused(await aim(session), session.settings.randomSeed),
    ),
  ];
}

async function expectRefused({ directory, name, send, accepted }: Aim, vector: IllegalPath): Promise<void> {
  for (const path of vector.paths(directory, name)) {
    expectRefusal(await send(path, vector.isRawQuery), accepted(JSON.stringify(path)), refused);
  }
}

async function expectGeneratedRefused({ directory, send, accepted }: Aim, randomSeed: number): Promise<void> {
  const wrong = await findCounterexample(
    illegalPathArbitrary(directory),
    randomSeed,
    async (path) => requireAnswered(await send(path)),
    (reply) => !reply.isSuccess,
  );
  if (wrong === undefined) return;
  const path = JSON.stringify(wrong.path);
  throw new Violated(refused, accepted(path), [wrong.reply], path);
}

async function aimMove(session: Session): Promise<Aim> {
  const { file, directory } = await moveLegally(session);
  return {
    directory,
    name: session.newName(),
    send: (path) => sendMove(session, file, path),
    accepted: (path) => say`the file was moved to ${path}`,
  };
}

// Aimed at the guard tree: a target that resolves the path deletes it.
async function aimDeletion(session: Session): Promise<Aim> {
  const guard = await guardAfterDeletion(session);
  return {
    directory: guard.base,
    name: 'tree',
    send: (path, isRawQuery) => sendTreePath(session, guard, path, isRawQuery),
    accepted: (path) => say`a deletion of ${path} was accepted`,
  };
}

function sendTreePath(session: Session, { driveId }: GuardTree, path: string, isRawQuery = false): Promise<Reply> {
  if (!isRawQuery) return sendDeletion(session, driveId, path);
  const parameter = session.requireDestruction();
  return session.call('deleteDriveTree', { path: { driveId }, query: `${parameter}=${path}` });
}

async function guardAfterDeletion(session: Session): Promise<GuardTree> {
  const guard = await guardTree(session);
  requireSuccess((await usualDeletedTree(session)).reply, 'deleteDriveTree.is-served');
  return guard;
}

/** A file after a legal move. */
interface MovedFile {
  file: MovableFile;
  path: string;
  directory: string;
}

async function moveLegally(session: Session): Promise<MovedFile> {
  session.requireWrites();
  const file = await movableFile(session);
  const path = newPath(session, file);
  await requireMove(session, file, path);
  await awaitPath(session, file, path);
  return { file, path, directory: directoryOf(path) };
}

async function movesNothing(session: Session): Promise<void> {
  let moved = await moveLegally(session);
  for (const vector of illegalPaths) {
    for (const illegal of vector.paths(moved.directory, session.newName())) {
      if ((await sendRefused(session, moved, illegal, vector.rule)).isStill) continue;
      // Try once more: another client may have moved the file.
      moved = await moveLegally(session);
      const { refusal, now, isStill } = await sendRefused(session, moved, illegal, vector.rule);
      if (isStill) continue;
      throw new Violated(say`the file at ${moved.path}`, say`at ${pathIn(now) ?? own('no path')}`, [refusal, now]);
    }
  }
}

function notRefused(path: string, rule: string): Unverified {
  return new Unverified('PREREQUISITE', say`${asJson(path)} was not refused. See ${own(rule)}.`);
}

// A replica may lag: the file has to be back at its path within the time to settle.
async function sendRefused(session: Session, { file, path }: MovedFile, illegal: string, rule: string) {
  const refusal = await sendMove(session, file, illegal);
  if (refusal.isSuccess) throw notRefused(illegal, rule);
  const { reply: now, isThere } = await awaitPath(session, file, path);
  if (isBusy(now) || now.failure !== undefined) throw new Unverified('TARGET', say`The file cannot be read now.`);
  return { refusal, now, isStill: isThere };
}

// Read after each deletion, and in the end for as long as a deletion takes on this target.
async function deletesNothing(session: Session): Promise<void> {
  const guard = await guardAfterDeletion(session);
  let last: Reply | undefined;
  for (const { rule, paths, isRawQuery } of [...illegalPaths, encodedPath]) {
    for (const path of paths(guard.base, 'tree')) {
      last = await sendTreePath(session, guard, path, isRawQuery);
      if (last.isSuccess) throw notRefused(path, rule);
      const now = await readFile(session, guard.file);
      if (isGone(now)) throw lostBy(last, now);
    }
  }
  if (last !== undefined) await expectStillThere(session, guard.file, last);
}

async function expectAccepted(
  session: Session,
  rule: string,
  paths: (name: string) => string[],
): Promise<Sentence | undefined> {
  const { file, directory } = await moveLegally(session);
  // A new directory must be accepted too.
  if (paths('x').some((path) => path.lastIndexOf('/') > 0))
    await requireMove(session, file, `/${session.newName()}/x${extensionOf(file.home)}`);
  for (const path of paths(session.newName())) {
    const reply = await sendMoveWithRetry(session, file, path);
    if (reply.isSuccess) continue;
    if (isBusy(reply)) requireSuccess(reply, `updateDriveFile.${rule}`);
    if (await isTwinRefused(session, file, path, directory)) return refusedForAnotherReason(path);
    throw new Violated(say`${asJson(path)} is accepted: it has no .. segment`, describeReply(reply), [reply]);
  }
  return undefined;
}

// Which other paths a target accepts is open: at the root, with a percent sign, without an extension.
async function isTwinRefused(session: Session, file: MovableFile, path: string, directory: string): Promise<boolean> {
  const twin = requireAnswered(await sendMoveWithRetry(session, file, plainTwin(path, directory)));
  return !twin.isSuccess;
}

function refusedForAnotherReason(path: string): Sentence {
  return say`${asJson(path)} is refused, and so is the same path without dots, which is open.`;
}

async function expectGeneratedAccepted(session: Session): Promise<Sentence | undefined> {
  const { file, directory } = await moveLegally(session);
  const wrong = await findCounterexample(
    legalPathArbitrary(directory, session.newName()),
    session.settings.randomSeed,
    (path) => sendMoveWithRetry(session, file, path),
    (reply) => reply.isSuccess || isBusy(reply),
  );
  if (wrong === undefined) return undefined;
  if (await isTwinRefused(session, file, wrong.path, directory)) return refusedForAnotherReason(wrong.path);
  const path = JSON.stringify(wrong.path);
  const actual = say`${describeReply(wrong.reply)} for ${path}`;
  throw new Violated(say`success: the path has no .. segment`, actual, [wrong.reply], path);
}
