import { own, type Sentence, say } from '../../openapi/reading/sentence.ts';
import { isInputRefused } from '../../openapi/reading/statuses.ts';
import type { FileFixture } from '../config/settings.ts';
import { oncePerRun } from '../once.ts';
import type { CallInput, CallOptions, Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { describeReply, inconclusive, isBusy, member, poll, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { MovableFile } from './file-tracker.ts';
import { unknownId } from './fixtures.ts';

/** Reads a file and accepts any result. */
export async function readFile(
  session: Session,
  { driveId, id }: FileFixture,
  options: CallOptions = {},
): Promise<Reply> {
  const reply = await session.call('getDriveFile', { path: { driveId, fileId: id }, ...options });
  return reply.status === session.learned.unknownFileStatus ? { ...reply, isUnknown: true } : reply;
}

/** Reads a file again while the target is too busy to answer; once more if no answer comes. */
export async function readFileWithRetry(session: Session, file: FileFixture): Promise<Reply> {
  let tries = 0;
  const { seen } = await poll(
    session.settings.settleMs,
    () => readFile(session, file),
    (reply) => !isBusy(reply) && (reply.failure === undefined || ++tries > 1),
  );
  return seen;
}

/** Learns the status for a file that does not exist, if it is an unusual one: which one it is, is open. */
export async function learnUnknownStatus(session: Session, { driveId }: FileFixture): Promise<void> {
  const readUnknown = () => readFile(session, { driveId, id: unknownId(session) });
  const first = await readUnknown();
  const isUnusual = !first.isSuccess && first.failure === undefined && !isBusy(first) && !isGone(first);
  if (isUnusual && first.status === (await readUnknown()).status) session.learned.unknownFileStatus = first.status;
}

/** Whether a reply says that there is no such file. A file that is locked (423) is there. */
export function isGone(reply: Reply): boolean {
  return reply.isUnknown === true || (isInputRefused(reply) && reply.status !== 423);
}

/** Whether the target says that it did not do what was requested. */
export function isRefused(reply: Reply): boolean {
  return isGone(reply) || reply.status === 401;
}

/** The path in the answer to a successful reading of a file; undefined if it shows none. */
export function pathIn(reply: Reply): string | undefined {
  const path = member(reply.json, 'path');
  return reply.isSuccess && typeof path === 'string' ? path : undefined;
}

/** A file that may be moved: `fixtures.files[index]`. */
export async function movableFile(session: Session, index = 0): Promise<MovableFile> {
  const fixture = session.settings.fixtures.files?.[index];
  if (fixture !== undefined) return locateOnce(session, fixture.driveId, fixture.id);
  const count = index === 0 ? 'No movable file' : `Only ${index} movable file`;
  throw new Unverified('FILES', say`${own(count)} is declared.`);
}

const locateOnce = oncePerRun((session, driveId: string, id: string) => locateFile(session, { driveId, id }));

/** Finds the path of a file before anything is done to the file. */
export async function locateFile(session: Session, fixture: FileFixture): Promise<MovableFile> {
  const reply = await readFile(session, fixture);
  requireSuccess(reply, 'getDriveFile.is-served');
  const home = pathIn(reply);
  if (home !== undefined) return { ...fixture, home };
  throw new Unverified('PREREQUISITE', say`The file shows no path, so it could not be moved back.`);
}

/** A new plain path in the directory in which the file was found: that directory exists. */
export function newPath(session: Session, file: MovableFile): string {
  return `${directoryOf(file.home)}/${session.newName()}${extensionOf(file.home)}`;
}

/** The directory of a path, without a closing slash; empty for the root. */
export function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** The extension of a path, with its dot; empty if there is none. */
export function extensionOf(path: string): string {
  return /\.[A-Za-z0-9]{1,8}$/.exec(path)?.[0] ?? '';
}

/** Sends a move, accepts any result. `input` may send the path in another way. The run finally moves the file back. */
export async function sendMove(
  session: Session,
  file: MovableFile,
  path: string,
  input: Omit<CallInput, 'path'> = {},
): Promise<Reply> {
  session.requireWrites();
  const { receipt, files } = session;
  const { driveId, id, home } = file;
  const earlier = receipt.find('file', id, driveId);
  const untrack = files.startMove(file);
  receipt.note({ kind: 'file', driveId, id, note: say`was at ${home}; it may be at ${path} now` });
  const restoreReceipt = () => (earlier === undefined ? receipt.undo('file', id, driveId) : receipt.note(earlier));
  const call = session.call('updateDriveFile', { path: { driveId, fileId: id }, json: { path }, ...input });
  const reply = await call.catch((error: unknown) => {
    // It was not sent.
    restoreReceipt();
    untrack();
    throw error;
  });
  if (isRefused(reply)) restoreReceipt();
  else files.setLastPath(file, path);
  return reply;
}

/** Sends a move to a legal path, again while the file is locked or processed (section 3). */
export async function sendMoveWithRetry(
  session: Session,
  file: MovableFile,
  path: string,
  input: Omit<CallInput, 'path'> = {},
): Promise<Reply> {
  let tries = 0;
  const send = async () => {
    const reply = await sendMove(session, file, path, input);
    return { reply, isLocked: await isLocked(session, file, reply, ++tries) };
  };
  return (await poll(session.settings.settleMs, send, (sent) => !sent.isLocked)).seen.reply;
}

// A conflict has many reasons; the file may be ready again before its status is read.
async function isLocked(session: Session, file: MovableFile, { status }: Reply, tries: number): Promise<boolean> {
  if (status !== 409) return status === 423 || status === 425;
  return tries < 4 || member((await readFile(session, file)).json, 'status') === 'processing';
}

/** Sends a move that must succeed for the check to go on. Throws {@link MoveRefused} or another {@link Unverified}. */
export async function requireMove(session: Session, file: MovableFile, path: string): Promise<Reply> {
  const reply = await sendMoveWithRetry(session, file, path);
  if (reply.isSuccess) return reply;
  if (isBusy(reply)) throw inconclusive(reply);
  const hint = isGone(reply) ? say` Which other paths a target accepts is open (open point moveTargets).` : say``;
  const reason = say`The file could not be moved to ${path}: ${describeReply(reply)}.${hint} See updateDriveFile.is-served.`;
  throw isGone(reply) ? new MoveRefused(reason) : new Unverified('PREREQUISITE', reason);
}

/** The target refused a legal path, for a reason that is open. */
export class MoveRefused extends Unverified {
  constructor(reason: Sentence) {
    super('PREREQUISITE', reason);
  }
}

/** Reads a file until it shows a path, or the time to settle is over. */
export async function awaitPath(
  session: Session,
  file: FileFixture,
  path: string,
): Promise<{ reply: Reply; isThere: boolean }> {
  const { seen, isThere, tookMs } = await poll(
    session.settings.settleMs,
    () => readFile(session, file),
    (reply) => pathIn(reply) === path,
  );
  if (isThere) session.noteDelay('move', tookMs);
  return { reply: seen, isThere };
}

/** Moves every file back to where it was found. A file that cannot be moved back stays in the receipt. */
export async function moveAllBack(session: Session): Promise<void> {
  const errors: unknown[] = [];
  for (const file of session.files.moved()) {
    await moveBack(session, file).catch((error: unknown) => {
      if (!(error instanceof Unverified)) errors.push(error);
    });
  }
  if (errors.length > 0) throw errors[0];
}

async function moveBack(session: Session, file: MovableFile): Promise<void> {
  const { receipt, files } = session;
  const { driveId, id, home } = file;
  const lastPath = files.lastPathOf(file);
  const reply = await readFileWithRetry(session, file);
  if (isGone(reply)) {
    receipt.undo('file', id, driveId);
    return receipt.note({ kind: 'deletedFile', driveId, id, note: say`was at ${home}; it is gone` });
  }
  // An accepted move may become visible late: then the file is read at a path that it is about to leave.
  if (pathIn(reply) !== home || lastPath !== home) await sendHome(session, file);
  const { reply: last, isThere } = await awaitPath(session, file, home);
  if (isThere) return receipt.undo('file', id, driveId);
  if (receipt.find('deletedFile', id, driveId) !== undefined) return;
  const seen = pathIn(last);
  const place = seen === undefined ? say`it may be at ${lastPath}` : say`it is at ${seen}`;
  receipt.note({ kind: 'file', driveId, id, note: say`was at ${home}; ${place}, and could not be moved back` });
}

const temporary = [409, 423, 425];

// Sent again if it is refused for the moment or gets no answer: every attempt sends the same path.
async function sendHome(session: Session, file: MovableFile): Promise<void> {
  await poll(
    session.settings.settleMs,
    () => sendMove(session, file, file.home),
    (reply) => reply.failure === undefined && !isBusy(reply) && !temporary.includes(reply.status),
  );
}
