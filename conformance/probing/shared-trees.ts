import { say } from '../../lib/sentence.ts';
import { oncePerRun } from '../once.ts';
import type { Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import { currentClock } from '../target/clock.ts';
import { type AuthHeaderName, validKey } from '../target/credentials.ts';
import { requireSuccess } from '../target/expectations.ts';
import { type Before, type Changed, changedSince, readOthers } from './bystanders.ts';
import { type ClearedTree, clearTree, isBelow, releaseRest } from './cleared-trees.ts';
import { isGone, readFile } from './file-moves.ts';
import { tooFewFiles } from './lost-files.ts';
import { extensionOf, fileKey, type MovableFile } from './movable-file.ts';
import { type Place, type PlacedFiles, placeAt, placeFiles, placeInOtherDrive } from './placed-files.ts';
import { readUntilGone } from './tree-deletions.ts';

/** The first deleted tree of the run, shared by several checks. */
export interface DeletedTree extends ClearedTree {
  /** Files outside the tree that were there right before the deletion and are gone or elsewhere right after it. */
  changed: Changed[];
}

/** The role of the file at the same path in another drive, and of the one that refills the tree. */
export const inOtherDrive = 'other-drive';
const refill = 'parent';

const places: readonly Place[] = [
  { role: 'below', path: '/tree/below' },
  { role: 'deep', path: '/tree/a/b/deep', isOptional: true },
  { role: refill, path: '/parent', isOptional: true },
  { role: 'prefix', path: '/tree-2/beside', isOptional: true, standsBy: true },
  { role: 'elsewhere', path: '/other{base}/tree/elsewhere', isOptional: true, standsBy: true },
  { role: 'moved-out', via: '/tree/out', path: '/moved-out', isOptional: true, standsBy: true },
];

/** The first deletion of a tree with a key in one auth header. With the usual auth header the tree has all roles. */
export const deletedTree = oncePerRun(async (session, authHeader: AuthHeaderName): Promise<DeletedTree> => {
  const isWhole = authHeader === session.learned.authHeader;
  const placed = await placeFiles(session, isWhole ? places : places.slice(0, 1));
  const path = `${placed.base}/tree`;
  if (isWhole) await addFileOfOtherDrive(session, placed);
  const credentials = validKey(session.settings.apiKey, authHeader);
  const before = isWhole ? await readOutside(session, placed, path) : [];
  const cleared = await clearTree(session, placed, path, { credentials });
  const changed = cleared.reply.isSuccess ? await changedSince(session, before) : [];
  await releaseRest(session, cleared, [refill]);
  return { ...cleared, changed };
});

/** The first deletion of a tree in the usual auth header. */
export function usualDeletedTree(session: Session): Promise<DeletedTree> {
  return deletedTree(session, session.learned.authHeader);
}

/**
 * How long the file in the first tree took to vanish, in milliseconds, if longer than the time to settle; undefined if
 * it did not vanish within {@link longestMs}. Waits for it once.
 */
export const lateDeletion = oncePerRun(async (session: Session): Promise<number | undefined> => {
  const { files, reply } = await usualDeletedTree(session);
  const limitMs = longestMs(session.settings.settleMs) - (currentClock().nowMs() - reply.receivedAtMs);
  const { isGone: isLate } = await readUntilGone(session, files.get('below') as MovableFile, Math.max(0, limitMs));
  return isLate ? currentClock().nowMs() - reply.receivedAtMs : undefined;
});

/** How long to wait for a late deletion: three times the time to settle, but at most five seconds longer than it. */
export function longestMs(settleMs: number): number {
  return Math.min(3 * settleMs, settleMs + 5_000);
}

/** Throws {@link Inconclusive} if the first deletion did not show in time: others would not tell more. */
export async function requireDeletionsInTime(session: Session): Promise<void> {
  const { reply, readings } = await usualDeletedTree(session);
  const reading = readings.get('below');
  if (!reply.isSuccess || reading === undefined || reading.isGone || reading.doubt !== undefined) return;
  const reason = say`The file in the first tree did not vanish within ${session.settings.settleMs} ms.`;
  throw new Inconclusive('PREREQUISITE', reason, 'deleteDriveTree.file-below-is-gone');
}

async function addFileOfOtherDrive(session: Session, { driveId, files, paths }: PlacedFiles): Promise<void> {
  const path = paths.get('below') ?? '';
  const file = await placeInOtherDrive(session, driveId, path);
  if (file === undefined) return;
  files.set(inOtherDrive, file);
  paths.set(inOtherDrive, path);
}

function readOutside(session: Session, placed: PlacedFiles, path: string): Promise<Before[]> {
  const inTree = [...placed.files].filter(([role]) => isBelow(placed, role, path));
  return readOthers(session, new Set(inTree.map(([, file]) => fileKey(file))));
}

/** The first tree, after it was refilled and deleted once more. */
export const refilledTree = oncePerRun(async (session: Session): Promise<ClearedTree> => {
  const { driveId, base, path, files, reply } = await usualDeletedTree(session);
  requireSuccess(reply, 'deleteDriveTree.is-served');
  await requireDeletionsInTime(session);
  const file = files.get(refill);
  if (file === undefined) throw tooFewFiles(say`No disposable file of the drive was left.`);
  const again = `${path}/again${extensionOf(file.originalPath)}`;
  await placeAt(session, file, again);
  const [placed, paths] = [new Map([['below', file]]), new Map([['below', again]])];
  return clearTree(session, { driveId, base, files: placed, paths, refused: new Set() }, path);
});

/** The target of requests that must not delete anything. */
export interface GuardTree {
  driveId: string;
  base: string;
  path: string;
  /** The last segment of `path`, which is unique: a path resolved to the root meets nothing with this name. */
  name: string;
  file: MovableFile;
}

/** A tree with one file that is certainly there. Afterwards it is known how long a deletion takes on this target. */
export async function guardTree(session: Session): Promise<GuardTree> {
  await usualDeletedTree(session);
  for (let attempt = 1; ; attempt++) {
    const guard = await placeGuard(session, attempt);
    if (!isGone(await readFile(session, guard.file))) return guard;
  }
}

const placeGuard = oncePerRun(async (session, _attempt: number): Promise<GuardTree> => {
  const { driveId, base, files } = await placeFiles(session, [{ role: 'guard', path: '{base}/guard' }]);
  return { driveId, base, path: base + base, name: base.slice(1), file: files.get('guard') as MovableFile };
});
