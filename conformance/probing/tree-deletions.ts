import { say } from '../../lib/sentence.ts';
import type { FileFixture } from '../config/settings.ts';
import { encodeName } from '../request-parts.ts';
import type { CallOptions, Session } from '../session.ts';
import { type Inconclusive, Violated } from '../signals.ts';
import { inconclusive } from '../target/expectations.ts';
import { poll } from '../target/poll.ts';
import type { Reply } from '../target/reply.ts';
import { recordDeletion } from './deletion-record.ts';
import { isGone, isRefused, noteDeleted, readFile } from './file-moves.ts';
import type { MovableFile } from './movable-file.ts';

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
  const { seen, isThere, pausedMs } = await session.patience.settle('deleted', () => readFile(session, file), isGone);
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
  const { seen, isThere } = await poll(limitMs, () => readFile(session, file), isGone);
  if (isThere) noteDeleted(session, file);
  return { reply: seen, isGone: isThere };
}
