import { say } from '../../openapi/reading/sentence.ts';
import type { FileFixture } from '../config/settings.ts';
import { oncePerRun } from '../once.ts';
import type { CallOptions, Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { type CarrierName, validKey } from '../target/credentials.ts';
import { inconclusive, poll } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { isGone, isRefused, readFile } from './file-moves.ts';
import type { MovableFile } from './file-tracker.ts';
import { declaredFiles } from './fixtures.ts';
import { type Place, type PlacedFiles, placeFiles, placeInOtherDrive } from './placed-files.ts';

/** Sends a tree deletion and accepts any result. */
export async function sendDeletion(
  session: Session,
  driveId: string,
  path: string,
  options: CallOptions = {},
): Promise<Reply> {
  const parameter = session.requireDestruction();
  const reply = await session.call('deleteDriveTree', { path: { driveId }, query: { [parameter]: path }, ...options });
  if (!isRefused(reply)) noteDeletion(session, driveId, path);
  return reply;
}

// Nobody knows until the file is read again, and the run may end before.
function noteDeletion({ receipt, files }: Session, driveId: string, path: string): void {
  for (const file of files.moved().filter((moved) => moved.driveId === driveId)) {
    const lastPath = files.lastPathOf(file);
    if (!lastPath.startsWith(`${path}/`) || receipt.find('deletedFile', file.id, driveId) !== undefined) continue;
    const note = say`was at ${file.home}; it was moved to ${lastPath}, and may be deleted`;
    receipt.note({ kind: 'file', driveId, id: file.id, note });
  }
}

/** Deletes a tree of the run, again while another deletion is in progress (4.7 answers with a job). */
export async function sendDeletionWithRetry(
  session: Session,
  driveId: string,
  path: string,
  options: CallOptions = {},
): Promise<Reply> {
  const { seen } = await poll(
    session.settings.settleMs,
    () => sendDeletion(session, driveId, path, options),
    ({ status }) => status !== 409 && status !== 423,
  );
  return seen;
}

interface LastReading {
  reply: Reply;
  isGone: boolean;
}

/** Reads a file until it is gone, or the time to settle is over. */
export async function awaitGone(session: Session, file: FileFixture): Promise<LastReading> {
  const { seen, isThere, tookMs } = await poll(session.settings.settleMs, () => readFile(session, file), isGone);
  if (isThere) {
    session.noteDelay('deletion', tookMs);
    session.receipt.noteDeleted(file);
  }
  return { reply: seen, isGone: isThere };
}

/** Reads a file until it is gone, for as long as a deletion takes on this target. */
export function awaitLateDeletion(session: Session, file: FileFixture): Promise<LastReading> {
  const { deletion } = session.learned.delaysMs;
  return watch(session, file, deletion < 20 ? 0 : deletion * 1.5 + 100);
}

/** Throws {@link Violated} if a request deleted a file, be it late. */
export async function expectStillThere(session: Session, file: FileFixture, request: Reply): Promise<void> {
  const { reply, isGone: gone } = await awaitLateDeletion(session, file);
  if (gone) throw lostBy(request, reply);
}

/** A file that is gone, by a request that must not delete it. */
export function lostBy(request: Reply, reading: Reply): Violated {
  return new Violated(say`the file is still there`, say`status ${reading.status}: it is gone`, [request, reading]);
}

/** Reads a file that a completed deletion should not have deleted. */
export function watchBystander(session: Session, file: FileFixture): Promise<LastReading> {
  return watch(session, file, session.learned.delaysMs.deletion / 4);
}

// A file that cannot be read for another reason is not called gone.
async function watch(session: Session, file: FileFixture, limitMs: number): Promise<LastReading> {
  const { seen, isThere } = await poll(limitMs, () => readFile(session, file), isGone);
  if (isThere) session.receipt.noteDeleted(file);
  if (isThere || seen.isSuccess) return { reply: seen, isGone: isThere };
  throw inconclusive(seen);
}

/** A tree of placed files that was deleted, for several checks to look at. */
export interface DeletedTree extends PlacedFiles {
  /** The path that was deleted. */
  path: string;
  reply: Reply;
  /** A file at the same path in another drive, if one was left. */
  inOtherDrive: MovableFile | undefined;
  /** Readings of files outside the tree that were there right before the deletion and are gone right after. */
  lost: Reply[];
}

const places: readonly Place[] = [
  { role: 'below', path: '/tree/below' },
  { role: 'prefix', path: '/tree-2/beside' },
  { role: 'deep', path: '/tree/a/b/deep', isOptional: true },
  { role: 'parent', path: '/parent', isOptional: true },
];

/** The first deletion of a tree with a key in one carrier. In the usual carrier the tree has all roles. */
export const deletedTree = oncePerRun(async (session, carrier: CarrierName): Promise<DeletedTree> => {
  const isWhole = carrier === session.learned.carrier;
  const placed = await placeFiles(session, isWhole ? places : places.slice(0, 1));
  const path = `${placed.base}/tree`;
  const below = placed.paths.get('below') ?? `${path}/below`;
  const inOtherDrive = isWhole ? await placeInOtherDrive(session, placed.driveId, below) : undefined;
  const credentials = validKey(session.settings.apiKey, carrier);
  const present = isWhole ? await presentOutside(session, placed) : [];
  const reply = await sendDeletionWithRetry(session, placed.driveId, path, { credentials });
  const lost = reply.isSuccess ? await lostOf(session, placed, present) : [];
  return { ...placed, path, reply, inOtherDrive, lost };
});

/** The first deletion of a tree in the usual carrier. */
export function usualDeletedTree(session: Session): Promise<DeletedTree> {
  return deletedTree(session, session.learned.carrier);
}

// Read right before the deletion, so that another client hardly deletes a file in between.
async function presentOutside(session: Session, { files }: PlacedFiles): Promise<FileFixture[]> {
  const inTree = [files.get('below')?.id, files.get('deep')?.id];
  const others = declaredFiles(session).filter(({ id }) => !inTree.includes(id));
  const replies = await readEach(session, others);
  return others.filter((_, index) => replies[index]?.isSuccess);
}

// Read when a file in the tree is gone: then the deletion is complete.
async function lostOf(session: Session, { files }: PlacedFiles, present: readonly FileFixture[]): Promise<Reply[]> {
  const below = files.get('below');
  if (present.length === 0 || below === undefined) return [];
  await awaitGone(session, below);
  return (await readEach(session, present)).filter(isGone);
}

// One after the other: how many requests a target takes at a time is open.
async function readEach(session: Session, files: readonly FileFixture[]): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const file of files) replies.push(await readFile(session, file));
  return replies;
}

/** The tree at which requests are aimed that must not delete anything. */
export interface GuardTree {
  driveId: string;
  base: string;
  path: string;
  file: MovableFile;
}

/** A tree with one file that is certainly there. By then it is known how long a deletion takes on this target. */
export async function guardTree(session: Session): Promise<GuardTree> {
  await measureDeletion(session);
  for (let attempt = 1; ; attempt++) {
    const guard = await placeGuard(session, attempt);
    if (!isGone(await readFile(session, guard.file))) return guard;
  }
}

const measureDeletion = oncePerRun(async (session: Session): Promise<void> => {
  const { reply, files } = await usualDeletedTree(session);
  const below = files.get('below');
  if (reply.isSuccess && below !== undefined) await awaitGone(session, below);
});

const placeGuard = oncePerRun(async (session, _attempt: number): Promise<GuardTree> => {
  const { driveId, base, files } = await placeFiles(session, [{ role: 'guard', path: '/tree/guard' }]);
  return { driveId, base, path: `${base}/tree`, file: files.get('guard') as MovableFile };
});
