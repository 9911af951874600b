// Deletes trees, and finds out what that did to files inside and outside them.
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { inParallel } from '../run/once.ts';
import type { FileFixture } from '../run/settings.ts';
import { type Inconclusive, Violated } from '../run/signals.ts';
import { fileKey, type MovableFile } from '../safety/receipt.ts';
import { poll } from '../target/clock.ts';
import { areSame, inconclusive } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { encodeName } from '../target/request-parts.ts';
import type { CallOptions, Session } from '../target/session.ts';
import { declaredFiles, isRefused, noteDeleted, pathIn, readFile, requirePlaced, saysNoSuchFile } from './files.ts';

/** A tree deletion that was sent. */
export interface SentDeletion {
  driveId: string;
  path: string;
  /** The paths of the files below it that the run put there. */
  below: readonly string[];
  reply: Reply;
  /** The files below it that the run put there. */
  files: readonly FileFixture[];
}

const sent = new WeakMap<Session, SentDeletion[]>();

/** Records a tree deletion, and the files that the run knew to be below its path. */
function recordDeletion(session: Session, deletion: SentDeletion): void {
  sent.set(session, [...deletionsOf(session), deletion]);
}

/** Trees from which another client may have moved files before they were deleted. */
const doubtful = new WeakMap<Session, Set<string>>();

/** Records that files below a path may have been elsewhere when it was deleted. */
export function noteMovedOut(session: Session, { driveId, path }: Tree): void {
  doubtful.set(session, new Set([...(doubtful.get(session) ?? []), treeKey({ driveId, path })]));
}

/** Whether all files that the run put into a tree are gone, and none was seen elsewhere. */
export function hasTakenAll(session: Session, { files, ...tree }: SentDeletion): boolean {
  if (doubtful.get(session)?.has(treeKey(tree))) return false;
  return files.every(({ driveId, id }) => session.receipt.find('deletedFile', id, driveId) !== undefined);
}

type Tree = Pick<SentDeletion, 'driveId' | 'path'>;

function treeKey({ driveId, path }: Tree): string {
  return JSON.stringify([driveId, path]);
}

/** The tree deletions of the run so far. */
export function deletionsOf(session: Session): readonly SentDeletion[] {
  return sent.get(session) ?? [];
}

type DeletionOptions = CallOptions & { hasPlusForBlank?: boolean };

/** Sends a tree deletion and accepts any result. */
export async function sendDeletion(
  session: Session,
  driveId: string,
  path: string,
  { hasPlusForBlank, ...options }: DeletionOptions = {},
): Promise<Reply> {
  const parameter = session.requireDestruction();
  const files = placedBelow(session, driveId, path);
  const below = files.map((file) => session.files.lastPathOf(file));
  const query = hasPlusForBlank
    ? `${encodeName(parameter)}=${encodeURIComponent(path).replaceAll('%20', '+')}`
    : { [parameter]: path };
  const reply = await session.call('deleteDriveTree', { path: { driveId }, query, ...options });
  recordDeletion(session, { driveId, path, below, files, reply });
  if (!isRefused(reply)) noteDeletion(session, driveId, path);
  return reply;
}

/** The files that the run moved below a directory, except those known to be deleted. */
function placedBelow({ receipt, files }: Session, driveId: string, path: string): MovableFile[] {
  return files
    .moved()
    .filter((file) => file.driveId === driveId && receipt.find('deletedFile', file.id, driveId) === undefined)
    .filter((file) => files.lastPathOf(file).startsWith(`${path}/`));
}

// The files' fate is unknown until they are read again, and the run may end before.
function noteDeletion({ receipt, files }: Session, driveId: string, path: string): void {
  for (const file of files.moved().filter((moved) => moved.driveId === driveId)) {
    const lastPath = files.lastPathOf(file);
    if (!lastPath.startsWith(`${path}/`) || receipt.find('deletedFile', file.id, driveId) !== undefined) continue;
    const note = say`was at ${file.originalPath}; it was moved to ${lastPath}, and may be deleted`;
    receipt.note({ kind: 'file', driveId, id: file.id, originalPath: file.originalPath, note });
  }
}

/** Deletes a tree of the run, again while another deletion is in progress (4.7 returns a job). */
export async function sendDeletionWithRetry(
  session: Session,
  driveId: string,
  path: string,
  options: DeletionOptions = {},
): Promise<Reply> {
  const { seen } = await session.patience.settle(
    'ready',
    () => sendDeletion(session, driveId, path, options),
    ({ status }) => status !== 409 && status !== 423,
  );
  return seen;
}

/** The last reading of a file. */
export interface LastReading {
  reply: Reply;
  isGone: boolean;
  /** Why something other than the target may have moved the file. */
  doubt?: Inconclusive;
}

/** Reads a file until it is gone, or the time to settle is up. */
export async function awaitGone(session: Session, file: FileFixture): Promise<LastReading> {
  const { seen, isThere, pausedMs } = await session.patience.settle(
    'deleted',
    () => readFile(session, file),
    saysNoSuchFile,
  );
  if (isThere) {
    session.noteDelay('deletion', pausedMs);
    noteDeleted(session, file);
  }
  return { reply: seen, isGone: isThere };
}

/** Reads a file until it is gone, for as long as a deletion takes on this target. */
export function awaitLateDeletion(session: Session, file: FileFixture): Promise<LastReading> {
  const { deletion } = session.learned.delaysMs;
  return watch(session, file, deletion < 20 ? 0 : deletion * 1.5 + 100);
}

/** Throws {@link Violated} if a request deleted a file, even late. */
export async function expectStillThere(session: Session, file: FileFixture, request: Reply): Promise<void> {
  const { reply, isGone: gone } = await awaitLateDeletion(session, file);
  if (gone) throw lostBy(request, reply);
}

/** The violation if a request deleted a file that it must not delete. */
export function lostBy(request: Reply, reading: Reply): Violated {
  return new Violated(say`the file is still there`, say`status ${reading.status}: it is gone`, [request, reading]);
}

// A file that cannot be read for a different reason does not count as gone.
async function watch(session: Session, file: FileFixture, limitMs: number): Promise<LastReading> {
  const last = await readUntilGone(session, file, limitMs);
  if (last.isGone || last.reply.isSuccess) return last;
  throw inconclusive(last.reply);
}

/** Reads a file until it is gone, or the time is up. */
export async function readUntilGone(session: Session, file: FileFixture, limitMs: number): Promise<LastReading> {
  const { seen, isThere } = await poll(limitMs, () => readFile(session, file), saysNoSuchFile);
  if (isThere) noteDeleted(session, file);
  return { reply: seen, isGone: isThere };
}

/** A file, and a reading of it. */
export interface Before {
  file: FileFixture;
  reply: Reply;
}

/** A file that is gone or elsewhere, its last reading, and the one before. */
export interface Changed extends Before {
  was: Reply;
}

/** Reads every declared file except some. Call it right before a deletion, when other clients hardly interfere. */
export async function readOthers(session: Session, doomed: ReadonlySet<string>): Promise<Before[]> {
  const others = declaredFiles(session).filter((file) => !doomed.has(fileKey(file)));
  const before = await inParallel(others, async (file) => ({ file, reply: await readFile(session, file) }));
  return before.filter(({ reply }) => reply.isSuccess);
}

/** The files that are gone or elsewhere since they were read. */
export async function changedSince(session: Session, before: readonly Before[]): Promise<Changed[]> {
  const after = await inParallel(before, async ({ file, reply: was }) => {
    const look = () => readFile(session, file);
    // The earlier reading may have come from a lagging replica.
    const moved = session.files.moved().find((one) => fileKey(one) === fileKey(file));
    const isKept = (now: Reply) =>
      areSame(was.json, now.json, ['path', 'size']) ||
      (moved !== undefined && pathIn(now) === session.files.lastPathOf(moved));
    const now = await look();
    if (saysNoSuchFile(now) || !now.isSuccess || isKept(now)) return { file, reply: now, was, isMoved: false };
    // A lagging replica may show an earlier path for a while.
    const { seen, isThere } = await session.patience.settle('moved', look, isKept);
    return { file, reply: seen, was, isMoved: !isThere };
  });
  return after.filter(({ reply, isMoved }) => saysNoSuchFile(reply) || isMoved);
}

/** What a deletion did to the files outside its tree. */
interface Aftermath {
  driveId: string;
  /** The path of the tree. */
  path: string;
  reply: Reply;
  changed: readonly Changed[];
}

/**
 * Throws {@link Violated} if deletions change files outside their trees, {@link Inconclusive} if another client may
 * have.
 */
export async function requireKept(session: Session, look: (isAgain: boolean) => Promise<Aftermath>): Promise<void> {
  await requirePlaced(session, async (isAgain) => {
    const aftermath = await look(isAgain);
    const { reply: deletion, changed, path } = aftermath;
    const first = changed.find(({ reply }) => saysNoSuchFile(reply)) ?? changed[0];
    if (first === undefined) return undefined;
    const actual = say`${changed.length} gone or moved, such as ${placeOf(first, aftermath)}`;
    const expected = say`every file outside ${path} still there`;
    const violation = new Violated(expected, actual, [deletion, first.reply]);
    if (saysNoSuchFile(first.reply)) throw violation;
    return { file: first.file, violation };
  });
}

/** Where a file was: its path, and its drive if the tree is in another one. */
function placeOf({ file, reply, was }: Changed, { driveId }: Aftermath): Sentence {
  const path = pathIn(was);
  if (path === undefined) return own(reply.exchange.request.url);
  return file.driveId === driveId ? say`${path}` : say`${path} in the drive ${file.driveId}`;
}

/** Deletes an empty directory, whatever the result. Throws {@link Violated} if that deletes a file. */
export async function deleteNothing(session: Session, driveId: string, path: string): Promise<void> {
  await requireKept(session, () => afterDeletingNothing(session, driveId, path));
}

/** Deletes an empty directory, whatever the result, and compares all other files. */
export async function afterDeletingNothing(session: Session, driveId: string, path: string): Promise<Aftermath> {
  const before = await readOthers(session, new Set(doomedFiles(session).map(fileKey)));
  const reply = await sendDeletionWithRetry(session, driveId, path);
  const [first] = before;
  if (first !== undefined) await awaitLateDeletion(session, first.file);
  return { driveId, path, reply, changed: await changedSince(session, before) };
}

/** The files that deletions of the run deleted, or may still delete. */
function doomedFiles(session: Session): MovableFile[] {
  const deletions = deletionsOf(session).filter(({ reply }) => !isRefused(reply));
  return session.files.moved().filter((file) => {
    const path = session.files.lastPathOf(file);
    return deletions.some(({ driveId, below }) => driveId === file.driveId && below.includes(path));
  });
}
