import type { FileFixture } from '../config/settings.ts';
import type { How, Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { poll, requestLine, whatCame } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { MovableFile } from './movable-file.ts';
import { awaitPath, extensionOf, findHome, isGone, move, RefusedMove, readFile } from './moves.ts';
import { fileKey } from './subjects.ts';

/** Disposable files that are put where a check wants them. */
export interface Planted {
  driveId: string;
  /** A directory of this run alone, under which everything was put. */
  base: string;
  /** The files by the role that they play. A role for which no file was left is absent. */
  files: Map<string, MovableFile>;
  /** Where they were put, by role. */
  paths: Map<string, string>;
}

/** A place below the base for one file. */
export interface Place {
  role: string;
  /** Without an extension: a file keeps its own. */
  path: string;
  /** Whether the planting makes sense without it. */
  isOptional?: boolean;
}

/** The disposable files that are still there and in no use, drive by drive. */
export async function freeFiles(session: Session): Promise<MovableFile[]> {
  const { disposableFiles = [] } = session.settings.fixtures;
  if (disposableFiles.length === 0) throw new Unverified('DISPOSABLE_FILES', 'No file is named that may be deleted.');
  return session.once('disposable files', async () => {
    const found: MovableFile[] = [];
    for (const fixture of new Map(disposableFiles.map((file) => [fileKey(file), file])).values()) {
      const home = await findHome(session, fixture).catch(unlessUnverified);
      if (home !== undefined) found.push(home);
    }
    if (found.length > 0) return found;
    throw new Unverified('DISPOSABLE_FILES', 'None of the disposable files could be read.');
  });
}

function unlessUnverified(error: unknown): undefined {
  if (!(error instanceof Unverified)) throw error;
  return undefined;
}

/** Puts disposable files of one drive below a directory of their own. */
export async function plant(session: Session, places: readonly Place[]): Promise<Planted> {
  session.requireDestruction();
  const free = await stillFree(session);
  const required = places.filter(({ isOptional }) => !isOptional).length;
  const driveId = fullestDrive(free);
  const ready = free.filter((file) => file.driveId === driveId);
  if (driveId === undefined || ready.length < required) {
    const reason = `It needs ${required} disposable files of one drive, and ${ready.length} are left.`;
    throw new Unverified('DISPOSABLE_FILES', reason);
  }
  const taken = ready.slice(0, places.length);
  for (const file of taken) free.splice(free.indexOf(file), 1);
  return putInPlace(session, driveId, places, taken);
}

/** The free files without those that went missing since: a broken target may have taken them. */
async function stillFree(session: Session): Promise<MovableFile[]> {
  const free = await freeFiles(session);
  for (const file of [...free]) {
    if (!isGone(await readFile(session, file))) continue;
    noteDeleted(session, file);
    free.splice(free.indexOf(file), 1);
  }
  return free;
}

function fullestDrive(files: readonly FileFixture[]): string | undefined {
  const byDrive = Map.groupBy(files, ({ driveId }) => driveId);
  return [...byDrive].sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

async function putInPlace(
  session: Session,
  driveId: string,
  places: readonly Place[],
  taken: readonly MovableFile[],
): Promise<Planted> {
  const planted: Planted = { driveId, base: `/${session.newSegment()}`, files: new Map(), paths: new Map() };
  const wanted = [...places].sort((a, b) => Number(a.isOptional ?? false) - Number(b.isOptional ?? false));
  const unused = [...taken];
  for (const place of wanted) {
    const [file] = unused;
    if (file === undefined) break;
    const path = planted.base + place.path + extensionOf(file.home);
    const error = await putAt(session, file, path).catch((thrown: unknown) => thrown);
    if (error === undefined) {
      planted.files.set(place.role, unused.shift() as MovableFile);
      planted.paths.set(place.role, path);
    } else if (!(error instanceof RefusedMove && place.isOptional)) {
      await release(session, taken);
      throw error;
    }
  }
  await release(session, unused);
  return planted;
}

async function putAt(session: Session, file: MovableFile, path: string): Promise<undefined> {
  await move(session, file, path);
  const { isThere } = await awaitPath(session, file, path);
  if (!isThere) throw new Unverified('PREREQUISITE', 'A move does not show. See updateDriveFile.read-shows-new-path.');
  return undefined;
}

/** Another disposable file, of another drive than `driveId`, put at a path; undefined when none is left. */
export async function plantElsewhere(
  session: Session,
  driveId: string,
  path: string,
): Promise<MovableFile | undefined> {
  const free = await stillFree(session);
  const others = free.filter((candidate) => candidate.driveId !== driveId);
  const file = others.find(({ home }) => path.endsWith(extensionOf(home))) ?? others[0];
  if (file === undefined) return undefined;
  free.splice(free.indexOf(file), 1);
  const error = await putAt(session, file, path).catch((thrown: unknown) => thrown);
  if (error === undefined) return file;
  await release(session, [file]);
  if (!(error instanceof RefusedMove)) throw error;
  return undefined;
}

/** Puts files that are still there back among the free ones. */
export async function release(session: Session, files: Iterable<MovableFile>): Promise<void> {
  const free = await freeFiles(session);
  for (const file of files) {
    if (!isGone(await readFile(session, file))) free.push(file);
  }
}

/** Sends a tree deletion, whatever comes of it. */
export async function sendDeletion(session: Session, driveId: string, path: string, how: How = {}): Promise<Reply> {
  const parameter = session.requireDestruction();
  return session.call('deleteDriveTree', { path: { driveId }, query: { [parameter]: path }, ...how });
}

/** The same for a tree of the run: again, where another deletion is under way (4.7 answers with a job). */
export async function sendPlainDeletion(
  session: Session,
  driveId: string,
  path: string,
  how: How = {},
): Promise<Reply> {
  const { seen } = await poll(
    session.settings.settleMs,
    () => sendDeletion(session, driveId, path, how),
    ({ status }) => status !== 409 && status !== 423,
  );
  return seen;
}

/** Reads a file until it is gone, or the time to settle is over. */
export async function awaitGone(session: Session, file: FileFixture): Promise<{ reply: Reply; isGone: boolean }> {
  const { seen, isThere, tookMs } = await poll(session.settings.settleMs, () => readFile(session, file), isGone);
  if (isThere) {
    session.lags.deletionMs = Math.max(session.lags.deletionMs, tookMs);
    noteDeleted(session, file);
  }
  return { reply: seen, isGone: isThere };
}

function noteDeleted(session: Session, { driveId, id }: FileFixture): void {
  session.receipt.undo('file', id, driveId);
  session.receipt.note({ kind: 'deletedFile', driveId, id, note: 'disposable file, deleted with its tree' });
}

/** Reads a file for as long as a deletion takes on this target, or until it is gone. */
export function watchStaying(session: Session, file: FileFixture): Promise<{ reply: Reply; isGone: boolean }> {
  const isImmediate = session.lags.deletionMs < 20;
  return watch(session, file, isImmediate ? 0 : session.lags.deletionMs * 1.5 + 100);
}

/** Reads a file that a deletion which is over should have left alone. */
export function watchBystander(session: Session, file: FileFixture): Promise<{ reply: Reply; isGone: boolean }> {
  return watch(session, file, session.lags.deletionMs / 4);
}

// A file that cannot be read for another reason is not called gone.
async function watch(session: Session, file: FileFixture, limitMs: number): Promise<{ reply: Reply; isGone: boolean }> {
  const { seen, isThere } = await poll(limitMs, () => readFile(session, file), isGone);
  if (isThere) noteDeleted(session, file);
  if (isThere || seen.isSuccess) return { reply: seen, isGone: isThere };
  throw new Unverified('TARGET', `${requestLine(seen)}: ${whatCame(seen)}.`);
}
