import type { FileFixture } from '../config/settings.ts';
import type { CallInput, How, Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { isBusy, member, poll, presume, requestLine, whatCame } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { MovableFile } from './movable-file.ts';
import { fileKey, unknownId } from './subjects.ts';

/** Reads a file, whatever comes of it. */
export async function readFile(session: Session, { driveId, id }: FileFixture, how: How = {}): Promise<Reply> {
  const path = { driveId, fileId: id };
  const reply = await session.call('getDriveFile', { path, ...how });
  return reply.status === session.unknownStatus ? { ...reply, isUnknown: true } : reply;
}

/**
 * Learns what the target answers for a file that does not exist, where that says nothing by itself: which code it has is
 * open. Asked twice, beside a file that is there.
 */
export async function learnUnknown(session: Session, { driveId }: FileFixture): Promise<void> {
  const ask = () => readFile(session, { driveId, id: unknownId(session) });
  const first = await ask();
  const isTelling = first.isSuccess || first.failure !== undefined || isBusy(first) || isGone(first);
  if (isTelling || first.status !== (await ask()).status) return;
  session.unknownStatus = first.status;
}

/** The path that a reading of a file shows; undefined when it shows none. */
export function pathIn(reply: Reply): string | undefined {
  const path = member(reply.json, 'path');
  return reply.isSuccess && typeof path === 'string' ? path : undefined;
}

/** The path that a move was sent with. */
export function pathSent({ sending }: Reply): unknown {
  return member(JSON.parse(sending.body ?? '{}'), 'path');
}

/** A file that may be moved: one of `fixtures.files`, by its place there. */
export async function movableFile(session: Session, index = 0): Promise<MovableFile> {
  const fixture = session.settings.fixtures.files?.[index];
  if (fixture === undefined) {
    const count = index === 0 ? 'No file is' : `Only ${index} file is`;
    throw new Unverified('FILES', `${count} named that may be moved.`);
  }
  return session.once(`file ${fixture.driveId}/${fixture.id}`, () => findHome(session, fixture));
}

/** Where a file is before anything was done to it. */
export async function findHome(session: Session, fixture: FileFixture): Promise<MovableFile> {
  const reply = await readFile(session, fixture);
  presume(reply, 'getDriveFile.is-served');
  const home = pathIn(reply);
  if (home !== undefined) return { ...fixture, home };
  throw new Unverified('PREREQUISITE', 'The file shows no path, so it could not be moved back.');
}

/** Another plain path for a file, in the directory where it was found: that directory exists. */
export function newPath(session: Session, file: MovableFile): string {
  return `${directoryOf(file.home)}/${session.newSegment()}${extensionOf(file.home)}`;
}

/** The directory of a path, without a closing slash; empty for the root. */
export function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** The extension of a path, with its dot; empty when there is none. */
export function extensionOf(path: string): string {
  return /\.[A-Za-z0-9]{1,8}$/.exec(path)?.[0] ?? '';
}

/** Sends a move, whatever comes of it; `how` may send the path in another way. The run moves the file back at its end. */
export async function sendMove(
  session: Session,
  file: MovableFile,
  path: string,
  how: Omit<CallInput, 'path'> = {},
): Promise<Reply> {
  session.requireWrites();
  const { driveId, id } = file;
  noteMove(session, file, path);
  const reply = await session.call('updateDriveFile', { path: { driveId, fileId: id }, json: { path }, ...how });
  if (!isGone(reply) && reply.status !== 401) session.lastMoves.set(fileKey(file), path);
  return reply;
}

function noteMove(session: Session, file: MovableFile, path: string): void {
  const { driveId, id, home } = file;
  session.touched.set(fileKey(file), file);
  session.receipt.note({ kind: 'file', driveId, id, note: `was at ${home}; it may be at ${path} now` });
}

/** The same for a path that keeps the rule: again, where the file is locked or processed for the moment (section 3). */
export async function sendPlainMove(
  session: Session,
  file: MovableFile,
  path: string,
  how: Omit<CallInput, 'path'> = {},
): Promise<Reply> {
  let tries = 0;
  const send = async () => {
    const reply = await sendMove(session, file, path, how);
    return { reply, isLocked: await isLocked(session, file, reply, ++tries) };
  };
  return (await poll(session.settings.settleMs, send, (sent) => !sent.isLocked)).seen.reply;
}

// A conflict has many reasons; the file may be ready again before its status is read.
async function isLocked(session: Session, file: MovableFile, { status }: Reply, tries: number): Promise<boolean> {
  if (status !== 409) return status === 423 || status === 425;
  return tries < 4 || member((await readFile(session, file)).json, 'status') === 'processing';
}

/** Whether the run sent a move for a file. */
export function isTouched(session: Session, file: FileFixture): boolean {
  return session.touched.has(fileKey(file));
}

/** A move that must succeed to go on with. */
export async function move(session: Session, file: MovableFile, path: string): Promise<Reply> {
  const reply = await sendPlainMove(session, file, path);
  if (reply.isSuccess) return reply;
  const hint = isGone(reply) ? ' Where a file may go beside the rule is open (open point moveTargets).' : '';
  if (isBusy(reply)) throw new Unverified('TARGET', `${requestLine(reply)}: ${whatCame(reply)}.`);
  const reason = `The file could not be moved to ${path}: ${whatCame(reply)}.${hint} See updateDriveFile.is-served.`;
  throw isGone(reply) ? new RefusedMove(reason) : new Unverified('PREREQUISITE', reason);
}

/** A path that keeps the rule was refused, for a reason that is open. */
export class RefusedMove extends Unverified {
  constructor(reason: string) {
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
  if (isThere) session.lags.moveMs = Math.max(session.lags.moveMs, tookMs);
  return { reply: seen, isThere };
}

/** Refusals that say nothing of what was asked for: about the key, the connection, or a moment. */
const notForWhatItIs = [401, 407, 408, 421, 423, 425, 429];

/** Whether a reading says that there is no such file. */
export function isGone({ status, isUnknown = false }: Reply): boolean {
  if (isUnknown) return true;
  return status >= 400 && status < 500 && !notForWhatItIs.includes(status);
}

/** Reads a file, for as long as the target is too busy to answer. */
export async function readWell(session: Session, file: FileFixture): Promise<Reply> {
  const { seen } = await poll(
    session.settings.settleMs,
    () => readFile(session, file),
    (reply) => !isBusy(reply),
  );
  return seen;
}

/** Moves every file back to where it was found. One that the target does not let be moved stays in the receipt. */
export async function moveAllBack(session: Session): Promise<void> {
  const errors: unknown[] = [];
  for (const file of session.touched.values()) {
    await moveBack(session, file).catch((error: unknown) => {
      if (!(error instanceof Unverified)) errors.push(error);
    });
  }
  if (errors.length > 0) throw errors[0];
}

// A move that was accepted may show late: then the file is read where it will not stay.
function isAway(session: Session, file: MovableFile): boolean {
  return (session.lastMoves.get(fileKey(file)) ?? file.home) !== file.home;
}

const forAMoment = [409, 423, 425];

// Sent again where it is turned away for the moment: it asks for the same path each time.
async function sendHome(session: Session, file: MovableFile): Promise<void> {
  await poll(
    session.settings.settleMs,
    () => sendMove(session, file, file.home),
    (reply) => !isBusy(reply) && !forAMoment.includes(reply.status),
  );
}

async function moveBack(session: Session, file: MovableFile): Promise<void> {
  const { driveId, id, home } = file;
  const reply = await readWell(session, file);
  if (isGone(reply)) {
    session.receipt.undo('file', id, driveId);
    session.receipt.note({ kind: 'deletedFile', driveId, id, note: `was at ${home}; it is gone` });
    return;
  }
  if (pathIn(reply) !== home || isAway(session, file)) await sendHome(session, file);
  const { reply: last, isThere } = await awaitPath(session, file, home);
  if (isThere) return session.receipt.undo('file', id, driveId);
  const place = pathIn(last) ?? 'a path that is not known';
  session.receipt.note({
    kind: 'file',
    driveId,
    id,
    note: `was at ${home}; it is at ${place}, and could not be moved back`,
  });
}
