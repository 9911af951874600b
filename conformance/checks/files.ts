import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import type { FileFixture } from '../config/settings.ts';
import { inParallel } from '../in-parallel.ts';
import {
  awaitPath,
  isGone,
  movableFile,
  newPath,
  pathIn,
  readFile,
  requireMove,
  sendPath,
} from '../probing/file-moves.ts';
import { declaredFiles, readableFile, unknownId } from '../probing/fixtures.ts';
import { initialPaths, initialReadings } from '../probing/initial-files.ts';
import { type Misplaced, requirePlaced } from '../probing/misplaced.ts';
import type { MovableFile } from '../probing/movable-file.ts';
import { firstMove, sendValid } from '../probing/operations.ts';
import { sentObject } from '../probing/recorded.ts';
import { hasPlainForm, isNumber, nearIds, strangeIds, unknownLike } from '../probing/unknown-ids.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { type Credentials, withoutValidKey } from '../target/credentials.ts';
import { areSame, expectRefusal, inconclusive, judgesShape, member, requireSuccess } from '../target/expectations.ts';
import { poll } from '../target/poll.ts';
import type { Reply } from '../target/reply.ts';
import { expectOtherFieldsKept, expectUnlikeFileKept } from './kept-fields.ts';

const reading = checksOf('getDriveFile', 'read');
const moving = checksOf('updateDriveFile', 'move');

/** Reading and moving files (4.5, 4.6), except the path rule. */
export const fileChecks: readonly Check[] = [
  reading('file-of-another-drive', 'Reads a file under the id of another drive.', expectHiddenInOtherDrive, {
    needs: ['filesOfTwoDrives'],
  }),
  reading(
    'strange-id',
    'Reads a file under ids that must not match: the drive id, capitals, a pattern, a long id of odd characters. Then uses such ids for the drive.',
    expectNoStranger,
  ),
  reading(
    'near-id',
    'Reads a file with the last character of its id removed and with one added. Then does the same to the drive id.',
    expectNoNeighbour,
  ),
  moving(
    'path-taken-over',
    'Moves a file to a plain path, and looks for the path in the response.',
    expectPathTakenOver,
  ),
  moving('read-shows-new-path', 'Moves a file, and reads it until it shows the new path.', expectNewPathShown),
  moving('other-fields-kept', 'Compares a file before and after a move.', expectOtherFieldsKept),
  moving(
    'other-file-untouched',
    'Moves a file, and compares the paths of the others before and after.',
    expectOthersUntouched,
    { needs: ['writes', 'movableFile', 'twoFilesOfOneDrive'] },
  ),
  // After the check of files that were not moved.
  moving(
    'other-fields-kept.other-file',
    'Compares a file before and after a move: one that differs from the first in most fields.',
    expectUnlikeFileKept,
    { needs: ['writes', 'movableFile', 'twoFilesOfOneDrive'] },
  ),
  moving('unknown-file', 'Moves a file that does not exist, in a drive that does.', expectUnknownRefused, {
    needs: ['writes', 'file'],
    effects: {},
  }),
  moving('file-of-another-drive', 'Moves a file under the id of another drive.', expectRefusedInOtherDrive, {
    needs: ['writes', 'movableFile', 'filesOfTwoDrives'],
    effects: {},
  }),
  ...withoutValidKey.map(({ prefix, who, credentials }) =>
    moving(`${prefix}-moves-nothing`, `Moves a file ${who}, and reads it.`, (session) =>
      expectNotMoved(session, credentials(session.runId, 'bearer')),
    ),
  ),
];

async function expectNoStranger(session: Session): Promise<void> {
  const { driveId, id } = readableFile(session);
  requireSuccess(await readFile(session, { driveId, id }), 'getDriveFile.is-served');
  const files = strangeIds(session, id, driveId).map((strange) => ({ driveId, id: strange }));
  const drives = strangeIds(session, driveId, id).slice(0, 2);
  for (const stranger of [...files, ...drives.map((strange) => ({ driveId: strange, id }))]) {
    expectRefusal(
      await session.call('getDriveFile', { path: { driveId: stranger.driveId, fileId: stranger.id } }),
      say`a file was returned`,
    );
  }
}

// A different file may have the near id, but then it shows that id.
async function expectNoNeighbour(session: Session): Promise<void> {
  const plain = declaredFiles(session).find((file) => hasPlainForm(file.id));
  const { driveId, id } = plain ?? readableFile(session);
  requireSuccess(await readFile(session, { driveId, id }), 'getDriveFile.is-served');
  for (const near of nearIds(id)) {
    const reply = await session.call('getDriveFile', { path: { driveId, fileId: near } });
    if (member(reply.json, 'id') !== near) expectRefusal(reply, say`a file with a different id was returned`);
  }
  for (const near of isNumber(driveId) ? [] : nearIds(driveId)) {
    const reply = await session.call('getDriveFile', { path: { driveId: near, fileId: id } });
    expectRefusal(reply, say`a file from another drive was returned`);
  }
}

async function expectUnknownRefused(session: Session): Promise<void> {
  session.requireWrites();
  const { driveId, id } = readableFile(session);
  for (const unknown of [unknownId(session), unknownLike(session, id)]) {
    const reply = await sendPath(session, { driveId, id: unknown }, `/${session.newName()}`);
    expectRefusal(reply, say`a file that does not exist was moved`);
  }
}

/** A file of one drive, and its id with another drive. */
interface MixedPair {
  file: FileFixture;
  mixed: FileFixture;
  reply: Reply;
  /** Whether the other drive has its own file with this id, which is legal: ids may be unique within a drive only. */
  isOwnFile: boolean;
}

const sameId = say`The other drive has a file with the same id.`;

async function readMixedPair(session: Session): Promise<MixedPair> {
  const file = readableFile(session);
  const other = declaredFiles(session).find(({ driveId }) => driveId !== file.driveId);
  if (other === undefined) throw new Inconclusive('FILES', say`All declared files are in one drive.`);
  requireSuccess(await readFile(session, file), 'getDriveFile.is-served');
  const mixed = { driveId: other.driveId, id: file.id };
  if (declaredFiles(session).some(({ driveId, id }) => driveId === mixed.driveId && id === mixed.id)) {
    throw new Inconclusive('FILES', sameId);
  }
  const reply = await readFile(session, mixed);
  return { file, mixed, reply, isOwnFile: reply.isSuccess && !(await isSameFile(session, file, reply)) };
}

async function isSameFile(session: Session, file: FileFixture, shown: Reply): Promise<boolean> {
  const { json } = await readFile(session, file);
  return areSame(json, shown.json, ['path', 'size', 'modifiedAt', 'contentType']);
}

async function expectHiddenInOtherDrive(session: Session): Promise<Sentence | undefined> {
  const { reply, isOwnFile } = await readMixedPair(session);
  if (isOwnFile) return sameId;
  expectRefusal(reply, say`the file was returned under another drive`);
  return undefined;
}

// A file that is not declared must not be moved.
async function expectRefusedInOtherDrive(session: Session): Promise<void> {
  session.requireWrites();
  const { mixed, isOwnFile } = await readMixedPair(session);
  if (isOwnFile) throw new Inconclusive('FILES', sameId);
  const reply = await sendPath(session, mixed, newPath(session, await movableFile(session)));
  expectRefusal(reply, say`the file was moved`, say`any non-2xx status: the file is in another drive`);
}

async function expectPathTakenOver(session: Session): Promise<void> {
  const { reply, path } = await firstMove(session);
  requireSuccess(reply, 'updateDriveFile.is-served');
  const shown = member(reply.json, 'path');
  if (shown === undefined)
    throw new Inconclusive('PREREQUISITE', say`The response shows no path.`, ...judgesShape('updateDriveFile'));
  if (shown !== path) throw new Violated(say`path: ${asJson(path)}`, asJson(shown), [reply]);
}

async function expectNewPathShown(session: Session): Promise<void> {
  requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
  await requirePlaced(session, async (isAgain) =>
    misplacedBy(session, isAgain ? await moveAnew(session) : await firstMove(session)),
  );
}

type Move = Pick<Awaited<ReturnType<typeof firstMove>>, 'file' | 'path' | 'reply' | 'after'>;

async function moveAnew(session: Session): Promise<Move> {
  const file = await movableFile(session);
  const path = newPath(session, file);
  const reply = await requireMove(session, file, path);
  return { file, path, reply, after: await awaitPath(session, file, path) };
}

function misplacedBy(session: Session, { file, path, reply, after }: Move): Misplaced | undefined {
  if (after === undefined || after.isThere) return undefined;
  const shown = pathIn(after.reply);
  if (after.reply.isSuccess && shown === undefined) {
    throw new Inconclusive('PREREQUISITE', say`The file shows no path.`, ...judgesShape('getDriveFile'));
  }
  const expected = say`the file at ${path} ${session.patience.lastLimit('moved')}`;
  const violation = new Violated(expected, say`${shown ?? say`status ${after.reply.status}`}`, [reply, after.reply]);
  return { file, violation };
}

// Compared with the start of the run, since an earlier move may have moved other files.
async function expectOthersUntouched(session: Session): Promise<void> {
  session.requireWrites();
  await initialReadings(session);
  const { file, reply } = await firstMove(session);
  requireSuccess(reply, 'updateDriveFile.is-served');
  const others = initialPaths(session).filter(
    (other) => other.driveId === file.driveId && !session.files.isMoved(other),
  );
  if (others.length === 0) throw new Inconclusive('FILES', say`No other file of the same drive is declared.`);
  await requirePlaced(session, async (isAgain) =>
    isAgain ? displacedByMoveOf(session, file, others) : displacedFrom(session, others, reply),
  );
}

type Placed = FileFixture & { path: string };

/** The first file that is no longer at its path after a move of a different one. */
async function displacedFrom(session: Session, places: readonly Placed[], move: Reply): Promise<Misplaced | undefined> {
  const readings = await inParallel(places, async (place) => ({ place, now: await readFile(session, place) }));
  for (const { place, now } of readings) {
    if (!isGone(now)) requireSuccess(now, 'getDriveFile.is-served');
    if (pathIn(now) === place.path) continue;
    const actual = say`at ${pathIn(now) ?? own('no path')}`;
    const violation = new Violated(say`${place.id} at ${place.path}`, actual, [move, now]);
    if (isGone(now)) throw violation;
    return { file: place, violation };
  }
  return undefined;
}

async function displacedByMoveOf(
  session: Session,
  file: MovableFile,
  others: readonly FileFixture[],
): Promise<Misplaced | undefined> {
  const places = await inParallel(others, async (other) => {
    const path = pathIn(await readFile(session, other));
    return path === undefined ? [] : [{ ...other, path }];
  });
  const path = newPath(session, file);
  const move = await requireMove(session, file, path);
  await awaitPath(session, file, path);
  return displacedFrom(session, places.flat(), move);
}

// Only the sent path counts: an earlier move may become visible late, and other clients may move the file.
async function expectNotMoved(session: Session, credentials: Credentials): Promise<void> {
  const file = await movableFile(session);
  await firstMove(session);
  const reply = await sendValid(session, 'updateDriveFile', { credentials });
  const { path: sent } = sentObject(reply);
  // The operation hung before with a different body, and was not called again.
  if (typeof sent !== 'string') throw inconclusive(reply);
  const delayMs = session.learned.delaysMs.move;
  const { seen, isThere } = await poll(
    delayMs < 20 ? 0 : delayMs * 1.5,
    () => readFile(session, file),
    (now) => pathIn(now) === sent,
  );
  if (isThere) throw new Violated(say`the file where it was`, say`at ${sent}, which was sent`, [reply, seen]);
  if (!isGone(seen)) requireSuccess(seen, 'getDriveFile.is-served');
}
