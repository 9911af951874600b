// Takes disposable files and moves them to where a check needs them.
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { inParallel, oncePerRun } from '../run/once.ts';
import { Inconclusive, orNone } from '../run/signals.ts';
import { extensionOf, fileKey, type MovableFile } from '../safety/receipt.ts';
import { judgesShape } from '../target/expectations.ts';
import type { Session } from '../target/session.ts';
import {
  awaitPath,
  initialStatus,
  locateFile,
  MoveRefused,
  movableFile,
  noteDeleted,
  readFile,
  requireMove,
  saysNoSuchFile,
} from './files.ts';

/** The checks that fail if a deletion took a file that it must keep. */
const keeping = [
  'deleteDriveTree.file-beside-is-kept',
  'deleteDriveTree.file-beside-is-kept.*',
  'deleteDriveTree.*-deletes-nothing',
];

/** Why a check has too few disposable files. If the target deleted some that it must keep, other checks report that. */
export function tooFewFiles(reason: Sentence): Inconclusive {
  return new Inconclusive('DISPOSABLE_FILES', reason, ...keeping);
}

const howToRestore = say`A run deletes them: restart the server or restore its data, or declare more of them.`;

/** Disposable files that were moved to where a check needs them. */
export interface PlacedFiles {
  driveId: string;
  /** A new directory that holds all of them. */
  base: string;
  /** The files by their role. A role for which no file was left is absent. */
  files: Map<string, MovableFile>;
  /** Their paths, by role. */
  paths: Map<string, string>;
  /** The roles for which the target refused the path. */
  refused: Set<string>;
}

/** A place below the base for one file. */
export interface Place {
  role: string;
  /** Without an extension: files keep theirs. `{base}` stands for the base. */
  path: string;
  /** Where the file is before it is moved to `path`. */
  via?: string;
  /** Whether the check can do without it. */
  isOptional?: boolean;
  /** Whether it is outside the deleted tree, so that a non-disposable file can take it. */
  standsBy?: boolean;
}

/** The disposable files that still exist and are not in use. Callers remove files from the list and put them back. */
export async function availableFiles(session: Session): Promise<MovableFile[]> {
  if ((session.settings.fixtures.disposableFiles ?? []).length > 0) return (await locateDisposableFiles(session)).found;
  throw new Inconclusive('DISPOSABLE_FILES', say`No disposable file is declared.`);
}

/** The usable disposable files, and why one of the others cannot be used. */
interface Located {
  found: MovableFile[];
  problem: Inconclusive | undefined;
}

const locateDisposableFiles = oncePerRun(async (session: Session): Promise<Located> => {
  const { disposableFiles = [] } = session.settings.fixtures;
  const distinct = new Map(disposableFiles.map((file) => [fileKey(file), file])).values();
  let problem: Inconclusive | undefined;
  const located = await inParallel(distinct, (fixture) =>
    locateFile(session, fixture).catch((error: unknown) => {
      if (!(error instanceof Inconclusive)) throw error;
      problem = error;
    }),
  );
  const found = located.filter((file) => file !== undefined);
  if (found.length === 0 && problem !== undefined) throw unusable(session, problem);
  return { found, problem };
});

/** Why declared files cannot be used: the response in place of them, or their paths. */
function unusable({ settings, files }: Session, { code, reason, obstacle }: Inconclusive): Inconclusive {
  const judges = ['getDriveFile.is-served', ...judgesShape('getDriveFile')];
  const { disposableFiles = [] } = settings.fixtures;
  const gone = disposableFiles.filter((file) => files.isDeletedEarlier(file)).length;
  const missing = say`${gone} of ${disposableFiles.length} disposable files do not exist.`;
  const why = gone === 0 ? reason : say`${reason} ${missing} ${howToRestore}`;
  const error = new Inconclusive(code === 'FILES' ? 'DISPOSABLE_FILES' : 'FIXTURE', why, ...judges);
  error.obstacle = obstacle;
  return error;
}

/** How a check chooses among the available files: suitable ones, best first. */
type Choose = (available: readonly MovableFile[]) => readonly MovableFile[];

/** Takes files from the available ones, except those that are gone by now: a broken target may have deleted them. */
async function takeFiles(session: Session, choose: Choose): Promise<readonly MovableFile[]> {
  const available = await availableFiles(session);
  for (;;) {
    const chosen = choose(available);
    for (const file of chosen) available.splice(available.indexOf(file), 1);
    const isThere = await inParallel(chosen, async (file) => !saysNoSuchFile(await readFile(session, file)));
    if (!isThere.includes(false)) return chosen;
    available.push(...chosen.filter((_, index) => isThere[index]));
    for (const gone of chosen.filter((_, index) => !isThere[index])) noteDeleted(session, gone);
  }
}

/**
 * Moves disposable files in one drive below a new directory, and other files of that drive to places outside the
 * deleted tree. `isLarge`: uses the drive with the most files; others spare it.
 */
export async function placeFiles(
  session: Session,
  places: readonly Place[],
  { isLarge = false } = {},
): Promise<PlacedFiles> {
  session.requireDestruction();
  const required = places.filter(({ isOptional }) => !isOptional).length;
  await availableFiles(session);
  const { problem } = await locateDisposableFiles(session);
  const taken = await takeFiles(session, (available) => {
    const byDrive = [...Map.groupBy(available, ({ driveId }) => driveId).values()].sort((a, b) => b.length - a.length);
    const sparing = isLarge
      ? undefined
      : byDrive.findLast((files) => isPlenty(toStock(session, files), takenBy(places)));
    const files = sparing ?? byDrive[0] ?? [];
    const common = commonFirst(session, files);
    const rest = common.slice(required);
    const ordered = [...common.slice(0, required), ...(isLarge ? rest.reverse() : rest)];
    if (files.length > 0 && files.length >= required) return ordered.slice(0, places.length);
    throw problem === undefined ? tooFewFiles(tooFew(required, files.length)) : unusable(session, problem);
  });
  const driveId = taken[0]?.driveId ?? '';
  const standIns = taken.length < places.length ? await movableFilesOf(session, driveId) : [];
  return placeEach(session, driveId, places, { taken, standIns });
}

/** Why a check that needs this many disposable files did not run, and how to get them back. */
export function tooFew(required: number, count: number): Sentence {
  const needed = required <= 1 ? say`a disposable file` : say`${required} disposable files of one drive`;
  const left = count === 0 ? say`none is left` : say`only ${count} ${own(count === 1 ? 'is' : 'are')} left`;
  return say`The check needs ${needed}, and ${left}. ${howToRestore}`;
}

/** Files with common statuses first: a file with a rare one may not be movable, and is left for the large tree. */
function commonFirst(session: Session, files: readonly MovableFile[]): MovableFile[] {
  const byStatus = [...Map.groupBy(files, (file) => initialStatus(session, file)).values()];
  return byStatus.sort((a, b) => b.length - a.length).flat();
}

/** The files of a drive that a tree can take: disposable ones, and others for places outside the deletion. */
export interface Stock {
  disposable: number;
  movable: number;
}

function toStock({ settings }: Session, available: readonly MovableFile[]): Stock {
  const { files = [] } = settings.fixtures;
  const movable = files.filter(({ driveId }) => driveId === available[0]?.driveId).length;
  return { disposable: available.length, movable };
}

/** What the places of a tree need: disposable files, and other files for places outside the deletion. */
interface Taken {
  disposable: number;
  standing: number;
}

/** Whether a drive has a file for each place and one to spare, so that no drive's files are used up. */
export function isPlenty({ disposable, movable }: Stock, taken: Taken): boolean {
  return disposable > taken.disposable && disposable + movable >= taken.disposable + taken.standing;
}

function takenBy(places: readonly Place[]): Taken {
  const standing = places.filter(({ standsBy }) => standsBy).length;
  return { disposable: places.length - standing, standing };
}

/** The declared, movable files of a drive that are not disposable. */
async function movableFilesOf(session: Session, driveId: string): Promise<MovableFile[]> {
  const { files = [] } = session.settings.fixtures;
  const located = await Promise.all(
    files.map((file, index) => (file.driveId === driveId ? orNone(movableFile(session, index)) : undefined)),
  );
  return located.filter((file) => file !== undefined);
}

interface Takers {
  taken: readonly MovableFile[];
  /** Non-disposable files, for places outside the deletion if there are too few disposable ones. */
  standIns: readonly MovableFile[];
}

async function placeEach(
  session: Session,
  driveId: string,
  places: readonly Place[],
  { taken, standIns }: Takers,
): Promise<PlacedFiles> {
  const placed: PlacedFiles = {
    driveId,
    base: `/${session.newName()}`,
    files: new Map(),
    paths: new Map(),
    refused: new Set(),
  };
  const requiredFirst = [...places].sort((a, b) => Number(a.isOptional ?? false) - Number(b.isOptional ?? false));
  const [unused, idle] = [[...taken], [...standIns]];
  for (const place of await placeAtOnce(session, placed, requiredFirst, { unused, idle })) {
    const from = unused.length === 0 && place.standsBy ? idle : unused;
    const [file] = from;
    if (file === undefined) continue;
    const error = await placeOne(session, placed, place, file);
    if (error === undefined) from.shift();
    else if (!place.isOptional || !(error instanceof MoveRefused || error instanceof MoveUnseen)) {
      await release(session, taken);
      throw error;
    } else {
      placed.refused.add(place.role);
      // The file may be the reason for the refusal.
      from.push(...from.splice(0, 1));
    }
  }
  await release(session, unused);
  return placed;
}

interface Left {
  unused: MovableFile[];
  idle: MovableFile[];
}

/** Moves all files at the same time. Returns the places that have to be tried again, one after the other, and puts their files back. */
async function placeAtOnce(
  session: Session,
  placed: PlacedFiles,
  places: readonly Place[],
  { unused, idle }: Left,
): Promise<Place[]> {
  const given = places.flatMap((place) => {
    const from = unused.length === 0 && place.standsBy ? idle : unused;
    const file = from.shift();
    return file === undefined ? [] : [{ place, file, from }];
  });
  const errors = await inParallel(given, ({ place, file }) => placeOne(session, placed, place, file));
  const failed = given.filter((_, index) => errors[index] !== undefined);
  for (const { file, from } of failed.toReversed()) from.unshift(file);
  // In the order of the places, whichever came first.
  for (const { place } of given) reinsert(placed, place.role);
  return failed.map(({ place }) => place);
}

function reinsert({ files, paths }: PlacedFiles, role: string): void {
  for (const map of [files, paths] as Map<string, unknown>[]) {
    if (!map.has(role)) continue;
    const value = map.get(role);
    map.delete(role);
    map.set(role, value);
  }
}

async function placeOne(
  session: Session,
  placed: PlacedFiles,
  { role, path: below, via }: Place,
  file: MovableFile,
): Promise<unknown> {
  const pathOf = (place: string) => placed.base + place.replace('{base}', placed.base) + extensionOf(file.originalPath);
  const path = pathOf(below);
  for (const step of via === undefined ? [path] : [pathOf(via), path]) {
    const error = await errorOf(placeAt(session, file, step));
    // The file may be in the tree that will be deleted.
    if (error instanceof MoveUnseen) await errorOf(placeAt(session, file, file.originalPath));
    if (error !== undefined) return error;
  }
  placed.files.set(role, file);
  placed.paths.set(role, path);
  return undefined;
}

async function errorOf(done: Promise<void>): Promise<unknown> {
  return done.catch((error: unknown) => error);
}

/** Moves a file to a path and reads it until it is there. */
export async function placeAt(session: Session, file: MovableFile, path: string): Promise<void> {
  await requireMove(session, file, path);
  if (!(await awaitPath(session, file, path)).isThere) throw new MoveUnseen();
}

/** An accepted move that no reading shows. */
class MoveUnseen extends Inconclusive {
  constructor() {
    const rules = [
      'read-shows-new-path',
      'read-shows-new-path.new-directory',
      'path-taken-over',
      'path-kept.extension',
    ];
    const judges = rules.map((rule) => `updateDriveFile.${rule}`);
    super(
      'PREREQUISITE',
      say`Moves never become visible.`,
      ...judges,
      'getDriveFile.is-served',
      'getDriveFile.fields-present',
    );
  }
}

/** Moves a disposable file in a drive other than `driveId` to a path; undefined if none is left. */
export async function placeInOtherDrive(
  session: Session,
  driveId: string,
  path: string,
): Promise<MovableFile | undefined> {
  const [file] = await takeFiles(session, (available) => {
    const others = available.filter((candidate) => candidate.driveId !== driveId);
    const suiting = others.find(({ originalPath }) => path.endsWith(extensionOf(originalPath)));
    return suiting === undefined ? others.slice(0, 1) : [suiting];
  });
  if (file === undefined) return undefined;
  const error = await errorOf(placeAt(session, file, path));
  if (error === undefined) return file;
  await release(session, [file]);
  if (!(error instanceof MoveRefused)) throw error;
  return undefined;
}

/** Makes the disposable ones among some files available again, if they still exist. */
export async function release(session: Session, files: Iterable<MovableFile>): Promise<void> {
  const { disposableFiles = [] } = session.settings.fixtures;
  const disposable = new Set(disposableFiles.map(fileKey));
  const available = await availableFiles(session);
  const released = [...files].filter((file) => disposable.has(fileKey(file)));
  const isThere = await inParallel(released, async (file) => !saysNoSuchFile(await readFile(session, file)));
  available.push(...released.filter((_, index) => isThere[index]));
}

/** The last of the declared files that are not disposable. */
export function lastMovableFile(session: Session): Promise<MovableFile> {
  return movableFile(session, Math.max(0, (session.settings.fixtures.files ?? []).length - 1));
}

/** Every file that may be moved: the movable ones first, then the disposable ones not in use. */
async function everyMovableFile(session: Session): Promise<MovableFile[]> {
  const { files = [] } = session.settings.fixtures;
  const located = await Promise.all(files.map((_, index) => orNone(movableFile(session, index))));
  const disposable = await orNone(availableFiles(session));
  return [...located.filter((file) => file !== undefined), ...(disposable ?? [])];
}

/** So many checks that move a file run at the same time. */
const mostSpread = 8;

/** Files for checks that run beside each other: movable ones, and disposable ones that are as likely to be moved. */
export async function filesToSpread(session: Session): Promise<MovableFile[]> {
  const { allowWrites, allowDestructive, fixtures } = session.settings;
  const movable = new Set((fixtures.files ?? []).map(fileKey));
  if (!allowWrites || movable.size === 0) return [];
  const usable = await everyMovableFile(session);
  const status = usable[0] && initialStatus(session, usable[0]);
  const isUsable = (file: MovableFile) =>
    (movable.has(fileKey(file)) || allowDestructive) && initialStatus(session, file) === status;
  return usable.filter(isUsable).slice(0, mostSpread);
}

/** Some files in the drive of the first movable one, with as many different statuses as possible. */
export async function variedFilesOfOneDrive(session: Session, most: number): Promise<MovableFile[]> {
  const { driveId } = await movableFile(session);
  const ofDrive = (await everyMovableFile(session)).filter((file) => file.driveId === driveId);
  const byStatus = [...Map.groupBy(ofDrive, (file) => initialStatus(session, file)).values()];
  const oneOfEach = byStatus.flatMap((files) => files.slice(0, 1));
  const others = byStatus.flatMap((files) => files.slice(1));
  return [...oneOfEach, ...others].slice(0, most);
}

/** Two files in different drives, if possible with the same extension. */
export async function pairOfTwoDrives(session: Session): Promise<[MovableFile, MovableFile]> {
  const file = await movableFile(session);
  const others = (await everyMovableFile(session)).filter(({ driveId }) => driveId !== file.driveId);
  const other =
    others.find(({ originalPath }) => extensionOf(originalPath) === extensionOf(file.originalPath)) ?? others[0];
  if (other !== undefined) return [file, other];
  throw new Inconclusive('FILES', say`No file of another drive can be moved.`);
}
