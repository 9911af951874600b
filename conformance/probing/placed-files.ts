import { say } from '../../openapi/reading/sentence.ts';
import { oncePerRun } from '../once.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { awaitPath, extensionOf, isGone, locateFile, MoveRefused, readFile, requireMove } from './file-moves.ts';
import { fileKey, type MovableFile } from './file-tracker.ts';

/** Disposable files that were moved to where a check needs them. */
export interface PlacedFiles {
  driveId: string;
  /** A new directory that holds all of them. */
  base: string;
  /** The files by their role. A role for which no file was left is absent. */
  files: Map<string, MovableFile>;
  /** Their paths, by role. */
  paths: Map<string, string>;
}

/** A place below the base for one file. */
export interface Place {
  role: string;
  /** Without an extension: a file keeps its own. */
  path: string;
  /** Whether the check can do without it. */
  isOptional?: boolean;
}

/** The disposable files that are still there and not in use. Callers take files out of the list, and put them back. */
export async function availableFiles(session: Session): Promise<MovableFile[]> {
  if ((session.settings.fixtures.disposableFiles ?? []).length > 0) return locateDisposableFiles(session);
  throw new Unverified('DISPOSABLE_FILES', say`No disposable file is declared.`);
}

const locateDisposableFiles = oncePerRun(async (session: Session): Promise<MovableFile[]> => {
  const { disposableFiles = [] } = session.settings.fixtures;
  const found: MovableFile[] = [];
  for (const fixture of new Map(disposableFiles.map((file) => [fileKey(file), file])).values()) {
    const file = await locateFile(session, fixture).catch((error: unknown) => {
      if (!(error instanceof Unverified)) throw error;
    });
    if (file !== undefined) found.push(file);
  }
  if (found.length > 0) return found;
  throw new Unverified('DISPOSABLE_FILES', say`None of the disposable files could be read.`);
});

/** The available files without those that are gone by now: a broken target may have deleted them. */
async function remainingFiles(session: Session): Promise<MovableFile[]> {
  const available = await availableFiles(session);
  for (const file of [...available]) {
    if (!isGone(await readFile(session, file))) continue;
    session.receipt.noteDeleted(file);
    available.splice(available.indexOf(file), 1);
  }
  return available;
}

/** Moves disposable files of one drive below a new directory. */
export async function placeFiles(session: Session, places: readonly Place[]): Promise<PlacedFiles> {
  session.requireDestruction();
  const available = await remainingFiles(session);
  const required = places.filter(({ isOptional }) => !isOptional).length;
  const byDrive = [...Map.groupBy(available, ({ driveId }) => driveId)];
  const [driveId, files] = byDrive.sort(([, a], [, b]) => b.length - a.length)[0] ?? ['', []];
  if (files.length === 0 || files.length < required) {
    const reason = say`The check needs ${required} disposable files of one drive, and ${files.length} are left.`;
    throw new Unverified('DISPOSABLE_FILES', reason);
  }
  const taken = files.slice(0, places.length);
  for (const file of taken) available.splice(available.indexOf(file), 1);
  return placeEach(session, driveId, places, taken);
}

async function placeEach(
  session: Session,
  driveId: string,
  places: readonly Place[],
  taken: readonly MovableFile[],
): Promise<PlacedFiles> {
  const placed: PlacedFiles = { driveId, base: `/${session.newName()}`, files: new Map(), paths: new Map() };
  const requiredFirst = [...places].sort((a, b) => Number(a.isOptional ?? false) - Number(b.isOptional ?? false));
  const unused = [...taken];
  for (const { role, path: below, isOptional } of requiredFirst) {
    const [file] = unused;
    if (file === undefined) break;
    const path = placed.base + below + extensionOf(file.home);
    const error = await errorOf(placeAt(session, file, path));
    if (error === undefined) {
      unused.shift();
      placed.files.set(role, file);
      placed.paths.set(role, path);
    } else if (!(error instanceof MoveRefused && isOptional)) {
      await release(session, taken);
      throw error;
    }
  }
  await release(session, unused);
  return placed;
}

async function errorOf(done: Promise<void>): Promise<unknown> {
  return done.catch((error: unknown) => error);
}

async function placeAt(session: Session, file: MovableFile, path: string): Promise<void> {
  await requireMove(session, file, path);
  if ((await awaitPath(session, file, path)).isThere) return;
  throw new Unverified('PREREQUISITE', say`Moves never become visible. See updateDriveFile.read-shows-new-path.`);
}

/** Moves a disposable file of another drive than `driveId` to a path; undefined if none is left. */
export async function placeInOtherDrive(
  session: Session,
  driveId: string,
  path: string,
): Promise<MovableFile | undefined> {
  const available = await remainingFiles(session);
  const others = available.filter((candidate) => candidate.driveId !== driveId);
  const file = others.find(({ home }) => path.endsWith(extensionOf(home))) ?? others[0];
  if (file === undefined) return undefined;
  available.splice(available.indexOf(file), 1);
  const error = await errorOf(placeAt(session, file, path));
  if (error === undefined) return file;
  await release(session, [file]);
  if (!(error instanceof MoveRefused)) throw error;
  return undefined;
}

/** Makes files available again that are still there. */
export async function release(session: Session, files: Iterable<MovableFile>): Promise<void> {
  const available = await availableFiles(session);
  for (const file of files) {
    if (!isGone(await readFile(session, file))) available.push(file);
  }
}
