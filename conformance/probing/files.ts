// Reads and moves files, and waits until the target shows it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import { isInputRefused } from '../../openapi/reading/statuses.ts';
import { inParallel, oncePerRun } from '../run/once.ts';
import type { FileFixture } from '../run/settings.ts';
import { Inconclusive, type Violated } from '../run/signals.ts';
import {
  directoryOf,
  extensionOf,
  fileKey,
  type InitialReading,
  type MovableFile,
  originalPathComplaint,
} from '../safety/receipt.ts';
import {
  describeReply,
  inconclusive,
  isBusy,
  judgesShape,
  member,
  requireNoOtherClient,
  requireSuccess,
} from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { CallInput, CallOptions, Session } from '../target/session.ts';

/** Reads a file and accepts any result. */
export async function readFile(
  session: Session,
  { driveId, id }: FileFixture,
  options: CallOptions = {},
): Promise<Reply> {
  const reply = await session.call('getDriveFile', { path: { driveId, fileId: id }, ...options });
  const path = pathIn(reply);
  // A different organization may have its own file with this id.
  if (path !== undefined && options.credentials === undefined) session.files.setSeen({ driveId, id }, path);
  if (reply.status !== session.learned.unknownFileStatus) return reply;
  // Keeps the getters: value and exchange are still created on demand.
  return Object.defineProperties({ isUnknown: true } as Reply, Object.getOwnPropertyDescriptors(reply));
}

/** Reads a file, again while the target is busy, and once more if there is no response. */
export async function readFileWithRetry(session: Session, file: FileFixture): Promise<Reply> {
  let tries = 0;
  const { seen } = await session.patience.settle(
    'ready',
    () => readFile(session, file),
    (reply) => !isBusy(reply) && (reply.failure === undefined || ++tries > 1),
  );
  return seen;
}

/** Learns the status for an unknown file, if it is unusual: the status is open. */
export async function learnUnknownStatus(session: Session, { driveId }: FileFixture): Promise<void> {
  const readUnknown = () => readFile(session, { driveId, id: session.unknownId() });
  const first = await readUnknown();
  const isUnusual = !first.isSuccess && first.failure === undefined && !isBusy(first) && !saysNoSuchFile(first);
  if (isUnusual && first.status === (await readUnknown()).status) session.learned.unknownFileStatus = first.status;
}

/** Whether a reply says that there is no such file. Any 4xx about the input, so also a refused move; a locked file (423) exists. */
export function saysNoSuchFile(reply: Reply): boolean {
  return reply.isUnknown === true || (isInputRefused(reply) && reply.status !== 423);
}

/** Whether the target says that it did not do what was requested. */
export function isRefused(reply: Reply): boolean {
  return saysNoSuchFile(reply) || reply.status === 401;
}

/** The path in the response to a successful read of a file; undefined if it shows none. */
export function pathIn(reply: Reply): string | undefined {
  const path = member(reply.json, 'path');
  return reply.isSuccess && typeof path === 'string' ? path : undefined;
}

/** The file of a check that runs beside others. */
const ownFile = new AsyncLocalStorage<MovableFile>();

/** Does some work for which a file stands in for the first movable one. */
export function withFile<Result>(file: MovableFile, work: () => Promise<Result>): Promise<Result> {
  return ownFile.run(file, work);
}

/** A file to move: that of the check, or else the usual one. */
export async function fileToMove(session: Session, usual = movableFile): Promise<MovableFile> {
  return ownFile.getStore() ?? usual(session);
}

/** A movable file: `fixtures.files[index]`. */
export async function movableFile(session: Session, index = 0): Promise<MovableFile> {
  const fixture = session.settings.fixtures.files?.[index];
  if (fixture !== undefined) return locateOnce(session, fixture.driveId, fixture.id);
  const count = index === 0 ? 'No movable file' : `Only ${index} movable file`;
  throw new Inconclusive('FILES', say`${own(count)} is declared.`);
}

const locateOnce = oncePerRun((session, driveId: string, id: string) => locateFile(session, { driveId, id }));

/** Finds the path of a file before anything is done to the file. */
export async function locateFile(session: Session, fixture: FileFixture): Promise<MovableFile> {
  const reply = await readFile(session, fixture);
  requireSuccess(reply, 'getDriveFile.is-served');
  const originalPath = pathIn(reply);
  if (originalPath === undefined) {
    const reason = say`The file shows no path, so it could not be moved back.`;
    throw new Inconclusive('PREREQUISITE', reason, ...judgesShape('getDriveFile'));
  }
  const complaint = originalPathComplaint(originalPath);
  if (complaint === undefined) return { ...fixture, originalPath };
  const place = say`The file ${fixture.id} of drive ${fixture.driveId} is at ${asJson(originalPath)}`;
  throw new Inconclusive('FILES', say`${place}. That path ${own(complaint)}, so the file could not be moved back.`);
}

/** A new plain path in the directory where the file was found, which therefore exists. */
export function newPath(session: Session, file: MovableFile): string {
  return `${directoryOf(file.originalPath)}/${session.newName()}${extensionOf(file.originalPath)}`;
}

/** Sends a move, accepts any result. `input` may change how the path is sent. The file is moved back at the end. */
export function sendMove(
  session: Session,
  file: MovableFile,
  path: string,
  input: Omit<CallInput, 'path'> = {},
): Promise<Reply> {
  const { driveId, id } = file;
  const send = () => session.call('updateDriveFile', { path: { driveId, fileId: id }, json: { path }, ...input });
  return trackMove(session, file, path, send);
}

/** Sends a move of a file that is not in the drive. A broken target may move the file with this id in any drive. */
export async function sendPath(session: Session, { driveId, id }: FileFixture, path: string): Promise<Reply> {
  const movable = await movableFile(session).catch(() => undefined);
  const send = () => session.call('updateDriveFile', { path: { driveId, fileId: id }, json: { path } });
  if (movable?.id === id) return trackMove(session, movable, path, send);
  const reply = await send();
  if (reply.isSuccess) {
    const note = say`an accepted move of a file that this drive does not have; it may be at ${path} now`;
    session.receipt.note({ kind: 'file', driveId, id, note });
  }
  return reply;
}

/** Sends a request that may move a file. Records it before; undoes that if nothing was sent or the target refused. */
export async function trackMove(
  session: Session,
  file: MovableFile,
  path: string,
  send: () => Promise<Reply>,
): Promise<Reply> {
  session.requireWrites();
  const { receipt, files } = session;
  const earlier = receipt.findFile(file);
  const restoreReceipt = () =>
    earlier === undefined ? receipt.undo('file', file.id, file.driveId) : receipt.note(earlier);
  const untrack = files.startMove(file, path);
  noteDisplaced(session, file, path);
  const reply = await send().catch((error: unknown) => {
    // It was not sent.
    restoreReceipt();
    untrack();
    throw error;
  });
  if (isRefused(reply)) restoreReceipt();
  else noteMoved(session, file, path, reply);
  return reply;
}

function noteMoved(session: Session, file: MovableFile, path: string, reply: Reply): void {
  session.files.setLastPath(file, path);
  const shown = pathIn(reply);
  if (shown !== undefined) session.files.setSeen(file, shown);
  noteDisplaced(session, file, path);
}

/** Records where a file was last seen, and the path to which it may be moving. */
function noteDisplaced({ receipt, files }: Session, file: MovableFile, sentTo: string): void {
  const { driveId, id, originalPath } = file;
  const seen = files.seenAt(file);
  const isBack = [seen, sentTo, files.lastPathOf(file)].every((path) => path === originalPath);
  const lastSeen = seen === originalPath ? say`` : say`; last seen at ${seen}`;
  const underWay = seen === sentTo ? say`` : say`; a move to ${sentTo} was sent, and it may be there now`;
  if (isBack) receipt.undo('file', id, driveId);
  else
    receipt.note({ kind: 'file', driveId, id, originalPath, note: say`was at ${originalPath}${lastSeen}${underWay}` });
}

/** Records that a disposable file was deleted with its tree. */
export function noteDeleted({ receipt, files }: Session, file: FileFixture): void {
  receipt.noteDeleted(file);
  files.setDeleted(file);
}

/** Records that a file that was at `path` is gone, unless the run knows why. */
export function noteGone({ receipt, files }: Session, { driveId, id }: FileFixture, path: string): void {
  files.setDeleted({ driveId, id });
  if (receipt.find('deletedFile', id, driveId) !== undefined) return;
  receipt.note({ kind: 'deletedFile', driveId, id, note: say`was at ${path}; it is gone` });
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
  return (await session.patience.settle('ready', send, (sent) => !sent.isLocked)).seen.reply;
}

// Including pauses, the tries take a third of a second.
const mostConflicts = 6;

// A conflict can have many reasons; the file may be ready again before its status is read.
async function isLocked(session: Session, file: MovableFile, { status }: Reply, tries: number): Promise<boolean> {
  if (status !== 409) return status === 423 || status === 425;
  return tries < mostConflicts || member((await readFile(session, file)).json, 'status') === 'processing';
}

/** Sends a move that the check needs. Throws {@link MoveRefused} or another {@link Inconclusive}. */
export async function requireMove(session: Session, file: MovableFile, path: string): Promise<Reply> {
  const reply = await sendMoveWithRetry(session, file, path);
  if (reply.isSuccess) return reply;
  if (isBusy(reply)) throw inconclusive(reply);
  const hint = saysNoSuchFile(reply)
    ? say` Which other paths a target accepts is open (open point moveTargets).`
    : say``;
  const reason = say`The file could not be moved to ${path}: ${describeReply(reply)}.${hint}`;
  throw saysNoSuchFile(reply)
    ? new MoveRefused(reason)
    : new Inconclusive('PREREQUISITE', reason, 'updateDriveFile.is-served');
}

/** The target refused a legal path, for a reason that is open. */
export class MoveRefused extends Inconclusive {
  constructor(reason: Sentence) {
    super('MOVES', reason, 'updateDriveFile.is-served');
  }
}

/** Reads a file until it shows a path, or the time to settle is up. */
export async function awaitPath(
  session: Session,
  file: FileFixture,
  path: string,
): Promise<{ reply: Reply; isThere: boolean }> {
  const { seen, isThere, pausedMs } = await session.patience.settle(
    'moved',
    () => readFile(session, file),
    (reply) => pathIn(reply) === path,
  );
  if (isThere) session.noteDelay('move', pausedMs);
  return { reply: seen, isThere };
}

/** Every declared file, except the disposable ones that an earlier run deleted. */
export function declaredFiles({ settings, files: tracker }: Session): FileFixture[] {
  const { files = [], disposableFiles = [] } = settings.fixtures;
  return [...files, ...disposableFiles.filter((file) => !tracker.isDeletedEarlier(file))];
}

/** A declared file to read. */
export function readableFile(session: Session): FileFixture {
  const [first] = declaredFiles(session);
  if (first !== undefined) return first;
  throw new Inconclusive('FILES', say`No file is declared, and no operation lists files.`);
}

const mostFiles = 30;

/**
 * Reads the declared files before anything is done to them. A disposable file that is gone was deleted by an earlier
 * run and is left out from then on.
 */
export const initialReadings = oncePerRun(async (session: Session): Promise<readonly InitialReading[]> => {
  const all = await inParallel(declaredFiles(session).slice(0, mostFiles), async (file) => {
    const reply = await readFile(session, file);
    return { ...file, reply, wasDeleted: await isDeletedEarlier(session, file, reply) };
  });
  for (const file of all.filter(({ wasDeleted }) => wasDeleted)) session.files.setDeletedEarlier(file);
  const readings = all.filter(({ wasDeleted }) => !wasDeleted);
  const existing = readings.find(({ reply }) => reply.isSuccess);
  if (existing !== undefined) await learnUnknownStatus(session, existing);
  session.files.initial = readings;
  return readings;
});

/** The paths of the declared files at the start of the run, without files that showed none; empty if they were not read. */
export function initialPaths({ files }: Session): (FileFixture & { path: string })[] {
  return files.initial.flatMap(({ driveId, id, reply }) => {
    const path = pathIn(reply);
    return path === undefined ? [] : [{ driveId, id, path }];
  });
}

/** The status of a file at the start of the run. */
export function initialStatus({ files }: Session, file: FileFixture): unknown {
  const reading = files.initial.find((one) => fileKey(one) === fileKey(file));
  return member(reading?.reply.json, 'status');
}

// Read twice: a file that appears only sometimes was not deleted.
async function isDeletedEarlier(session: Session, file: FileFixture, reply: Reply): Promise<boolean> {
  const { disposableFiles = [] } = session.settings.fixtures;
  return disposableFiles.includes(file) && saysNoSuchFile(reply) && saysNoSuchFile(await readFile(session, file));
}

/** The first move of the run. */
interface FirstMove {
  file: MovableFile;
  path: string;
  /** The reading of the file at the start of the run, the only one that shows what earlier moves lost. */
  before: Reply;
  reply: Reply;
  /** The reading afterwards; absent if the move did not succeed. */
  after: { reply: Reply; isThere: boolean } | undefined;
}

/** Moves a file to a plain path in the same directory, once per run, and reads it until it shows that path. */
export const firstMove = oncePerRun(async (session: Session): Promise<FirstMove> => {
  session.requireWrites();
  const file = await movableFile(session);
  const path = newPath(session, file);
  const initial = (await initialReadings(session)).find(
    ({ driveId, id }) => driveId === file.driveId && id === file.id,
  );
  const before = initial?.reply ?? (await readFile(session, file));
  const reply = await sendMoveWithRetry(session, file, path);
  const after = reply.isSuccess ? await awaitPath(session, file, path) : undefined;
  return { file, path, before, reply, after };
});

/** A file that is not where it must be, and what that shows if no other client has moved it. */
export interface Misplaced {
  file: FileFixture;
  violation: Violated;
}

// A client that moves the file now and then hardly interferes between move and reading this often.
const mostAttempts = 3;

/** The runs in which a file was misplaced at every attempt: their targets misplace files. */
const confirmed = new WeakSet<Session>();

/**
 * Moves files and looks for them, again while one is misplaced. Throws the violation if that happens each time, and
 * {@link Inconclusive} if another client may have moved the file: the file changes while the run does nothing, or a
 * later attempt succeeds.
 */
export async function requirePlaced(
  session: Session,
  attempt: (isAgain: boolean) => Promise<Misplaced | undefined>,
): Promise<void> {
  for (let count = 1; ; count++) {
    const misplaced = await attempt(count > 1);
    if (misplaced === undefined && count > 1) throw movedByAnother();
    if (misplaced === undefined) return;
    if (confirmed.has(session)) throw misplaced.violation;
    await requireLeftAlone(session, misplaced.file);
    if (count < mostAttempts) continue;
    confirmed.add(session);
    throw misplaced.violation;
  }
}

/** A file was misplaced, but not at every attempt. */
export function movedByAnother(): Inconclusive {
  return new Inconclusive('QUIET', say`A file was elsewhere some of the time: another client seems to move it.`);
}

/** Throws {@link Inconclusive} if a file changes its place while the run does nothing. */
export async function requireLeftAlone(session: Session, file: FileFixture): Promise<void> {
  await requireNoOtherClient('Files keep moving', async () => {
    const { json } = await readFile(session, file);
    // A client that always moves it to the same path only changes its time.
    return [member(json, 'path'), member(json, 'modifiedAt')];
  });
}

/** The fields of a file that processing may set. */
export const setByProcessing = ['size', 'contentType', 'description', 'summary', 'metadata'];
