import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import { sentObject } from '../probing/creations.ts';
import {
  fileToMove,
  firstMove,
  initialPaths,
  initialReadings,
  movableFile,
  newPath,
  pathIn,
  requireMove,
  requirePlaced,
  saysNoSuchFile,
  sendMove,
  sendMoveWithRetry,
  setByProcessing,
} from '../probing/files.ts';
import { hardTexts } from '../probing/names.ts';
import { successfulReplies } from '../probing/operations.ts';
import { variedFilesOfOneDrive } from '../probing/placed-files.ts';
import { inParallel } from '../run/once.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { directoryOf, extensionOf, type MovableFile } from '../safety/receipt.ts';
import { expectSeenAt, goAlong, type Move, misplacedBy, part } from '../scenarios/carry-out.ts';
import { partings, ways } from '../scenarios/moves.ts';
import {
  areSame,
  describeReply,
  expectNoFailure,
  inconclusive,
  member,
  requireSuccess,
} from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { type Check, checksOf, type Group } from './check.ts';

const moving = checksOf('updateDriveFile', 'move');
const movingOne = checksOf('updateDriveFile', 'move', 'moves');
const judging = checksOf('updateDriveFile', 'judge');

/** Moves beyond the first: to other names and directories, of several files, back again, and in parallel (4.6). */
export const furtherMoveChecks: readonly Check[] = [
  ...Object.entries(ways).map(([id, way]) => toCheck(id, way, (session) => goAlong(session, way), 'moves')),
  ...Object.entries(partings).map(([id, parting]) => toCheck(id, parting, (session) => part(session, parting))),
  moving(
    'odd-path-answered',
    'Moves a file to paths with a NUL, with control characters, and of 5,000 characters.',
    expectOddPathsAnswered,
  ),
  moving(
    'read-shows-new-path.parallel',
    'Moves up to four files of one drive at the same time, and reads each until it shows its path.',
    expectAllMoved,
    { needs: ['writes', 'movableFile', 'twoFilesOfOneDrive'] },
  ),
  movingOne('old-path-is-free', 'Moves a file away and back.', expectBackAccepted),
  judging(
    'path-taken-over.every-move',
    'Compares the path in every response of the run with the path that was sent, where that is a plain one.',
    expectEveryPathTakenOver,
  ),
  judging(
    'other-fields-kept.every-file',
    'Compares every file that the run moved with its state at the start of the run.',
    expectEveryFileKept,
  ),
];

function toCheck(
  id: string,
  { does, needs }: Pick<Check, 'does' | 'needs'>,
  run: Check['run'],
  together?: Group,
): Check {
  return {
    id,
    operation: 'updateDriveFile',
    phase: 'move',
    does,
    run,
    ...(needs && { needs }),
    ...(together && { together }),
  };
}

// Whether such a path is accepted is open; that the server does not fail on it is not.
async function expectOddPathsAnswered(session: Session): Promise<void> {
  requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
  const file = await movableFile(session);
  for (const text of Object.values(hardTexts)) {
    const path = `${directoryOf(file.originalPath)}/${session.newName()}${text}${extensionOf(file.originalPath)}`;
    await expectNoFailure(session, await sendMoveWithRetry(session, file, path));
  }
}

async function expectAllMoved(session: Session): Promise<Sentence | undefined> {
  requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
  const files = await variedFilesOfOneDrive(session, 4);
  if (files.length < 2) throw new Inconclusive('FILES', say`No other file of the same drive can be moved.`);
  let remark: Sentence | undefined;
  await requirePlaced(session, async () => {
    const accepted = (await moveAtOnce(session, files)).filter(({ reply }) => reply.isSuccess);
    const isEnough = accepted.length >= 2;
    if (!isEnough) remark = say`Only ${accepted.length} of ${files.length} concurrent moves were accepted.`;
    const misplaced = isEnough ? await inParallel(accepted, (move) => misplacedBy(session, move)) : [];
    return misplaced.find((one) => one !== undefined);
  });
  return remark;
}

function moveAtOnce(session: Session, files: readonly MovableFile[]): Promise<Move[]> {
  return inParallel(files, async (file) => {
    const path = newPath(session, file);
    return { file, path, reply: await sendMove(session, file, path) };
  });
}

// Back from a path in the same directory, so that the directory certainly exists.
async function expectBackAccepted(session: Session): Promise<void> {
  const file = await fileToMove(session);
  await requireMove(session, file, newPath(session, file));
  const reply = await sendMoveWithRetry(session, file, file.originalPath);
  if (reply.isSuccess) return expectSeenAt(session, { file, path: file.originalPath, reply });
  if (!saysNoSuchFile(reply)) throw inconclusive(reply);
  await requireMove(session, file, newPath(session, file));
  throw new Violated(say`the file can move back to ${asJson(file.originalPath)}`, describeReply(reply), [reply]);
}

/** Paths that no server has a reason to spell differently. */
const plainPath = /^(\/[a-z0-9-]+)+(\.[a-z0-9]+)?$/;

async function expectEveryPathTakenOver(session: Session): Promise<void> {
  const directories = new Set(initialPaths(session).map(({ path }) => directoryOf(path)));
  for (const reply of await successfulReplies(session, 'updateDriveFile')) {
    const [{ path: sent }, shown] = [sentObject(reply), pathIn(reply)];
    if (typeof sent !== 'string' || shown === undefined || shown === sent) continue;
    // The directories in which files were found are in the target's own spelling.
    const directory = directoryOf(sent);
    if (!plainPath.test(directories.has(directory) ? sent.slice(directory.length) : sent)) continue;
    throw new Violated(say`path: ${asJson(sent)}`, asJson(shown), [reply]);
  }
}

/** Compares every moved file with its state at the start of the run. */
async function expectEveryFileKept(session: Session): Promise<void> {
  await initialReadings(session);
  const moves = await successfulReplies(session, 'updateDriveFile');
  for (const { reply: before } of session.files.initial.filter(({ reply }) => reply.isSuccess)) {
    const move = moves.find(({ request }) => request.path === before.request.path);
    if (move !== undefined) expectContentKept(before, move, readingsAfter(session, move));
  }
}

function readingsAfter(session: Session, move: Reply): Reply[] {
  return session
    .successesOf('getDriveFile')
    .filter(({ request, sentAtMs }) => request.path === move.request.path && sentAtMs > move.receivedAtMs);
}

/** Fields that only change with the content. Others may be recomputed at any time in a long run. */
const contentFields = ['kind', 'id', 'size', 'contentType'];

// A field in which two readings differ changes by itself, as may fields set by processing when that ends or restarts.
function expectContentKept(before: Reply, move: Reply, after: readonly Reply[]): void {
  const [first, ...others] = after;
  if (first === undefined || others.length === 0) return;
  const isProcessed = [before, move, ...after].some(({ json }) => member(json, 'status') === 'processing');
  const field = contentFields.find((name) => {
    const isSteady = others.every(({ json }) => areSame(first.json, json, [name]));
    const counts = isSteady && !(isProcessed && setByProcessing.includes(name));
    return counts && member(before.json, name) !== undefined && !areSame(before.json, first.json, [name]);
  });
  if (field === undefined) return;
  const expected = say`${own(field)}: ${asJson(member(before.json, field))}`;
  throw new Violated(expected, asJson(member(first.json, field)), [before, move, first]);
}
