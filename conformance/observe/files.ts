// Observers that move files or delete trees.
import { decodeQuery } from '../../lib/query.ts';
import { asJson, own, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { sameName } from '../probing/creations.ts';
import { firstMove, movableFile, pathIn, readFile, saysNoSuchFile, sendMove } from '../probing/files.ts';
import { drivesOf, findById, readList } from '../probing/lists.ts';
import { availableFiles, placeFiles, release } from '../probing/placed-files.ts';
import { awaitLateDeletion, sendDeletion } from '../probing/tree-deletions.ts';
import {
  type DeletedTree,
  emptyDrive,
  inOtherDrive,
  lateDeletion,
  missingTree,
  usualDeletedTree,
} from '../probing/trees.ts';
import { inParallel, oncePerRun } from '../run/once.ts';
import { Inconclusive, orNone } from '../run/signals.ts';
import { directoryOf, type MovableFile } from '../safety/receipt.ts';
import { member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import {
  invalidStatuses,
  isAccepted,
  keptOrTouched,
  moveOf,
  ownReplies,
  pairsOf,
  placeOf,
  publishedAgain,
  type Seen,
  type SessionReading,
  variedWrite,
} from './observer.ts';

/** Sends a write with a field that the contract does not show. */
export function sendMoreFields(session: Session): Promise<unknown> {
  return variedWrite(session, ({ name, value }) => ({ json: { [name]: value, colour: 'red' } }));
}

/** Sends a write whose body is JSON, declared as plain text. */
export const sendUndeclared = oncePerRun((session) =>
  variedWrite(session, ({ name, value }) => ({
    raw: { body: JSON.stringify({ [name]: value }), contentType: 'text/plain' },
  })),
);

const mebibyte = 1_048_576;

/** Sizes at the usual limits and right above them, the most usual limits first. */
const guessedSizes = [mebibyte, 65_536, 10 * mebibyte, 4_096, 102_400, 1_000_000, 5 * mebibyte].flatMap((size) => [
  size + 1,
  size,
]);

interface Sizes {
  /** The size of the largest accepted body; undefined if it was not found. */
  limit: number | undefined;
  /** The status for a larger one. */
  status: number | undefined;
}

/**
 * The largest accepted body, found by moving a file to its current path with blanks after the JSON. Above a mebibyte
 * only the usual limits are tried: all others would take too many bytes to find.
 */
export const findSizeLimit = oncePerRun(async (session: Session): Promise<Sizes> => {
  const { file, place } = await placeOf(session);
  const json = JSON.stringify({ path: place.path });
  const send = (size: number) => {
    const body = json + ' '.repeat(Math.max(0, size - Buffer.byteLength(json)));
    return sendMove(session, file, place.path, { raw: { body, contentType: 'application/json' } });
  };
  if (!isAccepted(await send(0)))
    throw new Inconclusive('PREREQUISITE', say`The target refuses a move of a file to its own path.`);
  const range = { accepted: 0, refused: Number.POSITIVE_INFINITY };
  let status: number | undefined;
  const tryOne = async (size: number) => {
    if (size <= range.accepted || size >= range.refused) return;
    const reply = await send(size);
    if (!isAccepted(reply)) status = reply.status;
    range[reply.isSuccess ? 'accepted' : 'refused'] = size;
  };
  for (const size of guessedSizes) await tryOne(size);
  while (range.refused - range.accepted > 1 && range.refused <= mebibyte) {
    await tryOne(Math.floor((range.accepted + range.refused) / 2));
  }
  return { limit: range.refused - range.accepted === 1 ? range.accepted : undefined, status };
});

/** The first move of the run, with readings of the file before and after. */
async function shownMove(session: Session) {
  const { path, before, reply, after } = await firstMove(session);
  requireSuccess(reply, 'updateDriveFile.is-served');
  requireSuccess(before, 'getDriveFile.is-served');
  return { path, before, after: after?.isThere ? after.reply : reply };
}

export async function seeName(session: Session): Promise<Seen> {
  const { path, before, after } = await shownMove(session);
  const name = member(after.json, 'name');
  if (name === undefined) return undefined;
  if (name === path.slice(path.lastIndexOf('/') + 1)) return 'followsPath';
  return name === member(before.json, 'name') ? 'kept' : { other: say`${path} is named ${asJson(name)}` };
}

/** The earliest reading of the movable file: earlier moves in the run could have changed the file already. */
async function earliest(session: Session): Promise<Reply | undefined> {
  const { driveId, id } = await movableFile(session);
  const read = await readFile(session, { driveId, id });
  return ownReplies(session).find(({ request, isSuccess }) => isSuccess && request.path === read.request.path);
}

export async function seeModifiedAt(session: Session): Promise<Seen> {
  const { after } = await shownMove(session);
  const was = member((await earliest(session))?.json, 'modifiedAt');
  return keptOrTouched(was, member(after.json, 'modifiedAt'));
}

export async function seeDriveUpdatedAt(session: Session): Promise<Seen> {
  await shownMove(session);
  const { driveId } = await movableFile(session);
  const updatedAt = (items: unknown[]) => member(findById({ items }, driveId), 'updatedAt');
  const pages = ownReplies(session).filter(({ request }) => request.operation === 'listDrives');
  const was = pages.map((page) => updatedAt(drivesOf(page))).find((time) => time !== undefined);
  return keptOrTouched(was, updatedAt((await readList(session, 'listDrives')).items));
}

/** A move to a directory that does not exist. */
export const intoNewDirectory = oncePerRun((session) =>
  moveOf(session, ({ directory }) => `${directory}/${session.newName()}/${session.newName()}`),
);

export async function seeTargets(session: Session): Promise<Seen> {
  return isAccepted((await intoNewDirectory(session)).reply) ? 'lenient' : 'strict';
}

// If directories must exist, an error may be about the directory `.`, which does not exist.
export async function seeSpelling(session: Session): Promise<Seen> {
  const name = session.newName();
  const { reply, path } = await moveOf(session, ({ directory }) => `${directory}//./${name}/`);
  if (!isAccepted(reply)) {
    const isLenient = isAccepted((await intoNewDirectory(session)).reply);
    return isLenient ? { other: say`refused with status ${reply.status}` } : undefined;
  }
  const shown = pathIn(reply);
  if (shown === undefined || shown === path) return shown === path ? 'verbatim' : undefined;
  return shown === path.replace(`//./${name}/`, `/${name}`) ? 'normalized' : { other: say`${shown}` };
}

export async function seeLineBreaks(session: Session): Promise<Seen> {
  const { reply, path } = await moveOf(session, ({ beside }) => `${beside}\nx`);
  if (!isAccepted(reply)) return 'refused';
  const shown = pathIn(reply);
  return shown === path ? 'accepted' : { other: say`accepted, and shown as ${asJson(shown)}` };
}

/** The history of a file's status. */
interface StatusHistory {
  status?: unknown;
  isMoved: boolean;
}

// Only waiting could show that no status ever changes by itself.
export async function seeStatusFlow(session: Session): Promise<Seen> {
  const files = new Map<string, StatusHistory>();
  const seen = new Set<Seen>();
  for (const reply of ownReplies(session)) {
    const { operation, path } = reply.request;
    if (!reply.isSuccess || (operation !== 'getDriveFile' && operation !== 'updateDriveFile')) continue;
    const before = files.get(path) ?? { isMoved: false };
    const isMoved = before.isMoved || operation === 'updateDriveFile';
    const status = member(reply.json, 'status');
    seen.add(changeOf(before.status, status, operation === 'updateDriveFile', isMoved));
    files.set(path, { status, isMoved });
  }
  return (['reprocessedOnMove', 'byClock'] as const).find((flow) => seen.has(flow));
}

function changeOf(was: unknown, is: unknown, isMove: boolean, isMoved: boolean): Seen {
  if (isMove && (was === 'ready' || was === 'error') && is === 'processing') return 'reprocessedOnMove';
  return !isMoved && was === 'processing' && is !== was ? 'byClock' : undefined;
}

/** Lengths at the usual bounds and right above them. */
const guessedLengths = [1_025, 1_024, 4_097, 4_096];
const longest = Math.max(...guessedLengths);
/** Segments are shorter than the limit of file systems. */
const segmentLength = 100;

/**
 * The largest number of characters in a path, found by moves into new directories. If those, or bodies of that size,
 * are refused, an error would not be about the path. A limit above the tried lengths cannot be told from `none`.
 */
export async function seePathLength(session: Session): Promise<Seen> {
  if (!isAccepted((await intoNewDirectory(session)).reply)) return undefined;
  const sizes = await orNone(findSizeLimit(session));
  // A limit that was not found is large.
  if (sizes === undefined || (sizes.limit ?? Number.POSITIVE_INFINITY) < 2 * longest) return undefined;
  // Moves take the file into deep directories: all paths are below its current directory.
  const { directory } = (await placeOf(session)).place;
  const takes = async (path: string) => isAccepted((await moveOf(session, () => path)).reply);
  const range = { accepted: 0, refused: Number.POSITIVE_INFINITY };
  const tryOne = async (length: number) => {
    if (length <= range.accepted || length >= range.refused) return;
    range[(await takes(pathOf(directory, length))) ? 'accepted' : 'refused'] = length;
  };
  for (const guess of guessedLengths) await tryOne(guess);
  if (range.refused > longest) return undefined;
  while (range.refused - range.accepted > 1) await tryOne(Math.floor((range.accepted + range.refused) / 2));
  const isLengthAlone = (await takes(withLongName(directory))) && (await takes(asDeep(directory, range.refused)));
  return isLengthAlone ? range.accepted : undefined;
}

/** A short path with the longest name tried: if it is refused, there is a separate limit on names. */
function withLongName(directory: string): string {
  return `${directory}/${'x'.repeat(segmentLength + 1)}`;
}

/** A short path with as many segments as one of this length: if it is refused, directory depth is limited. */
function asDeep(directory: string, length: number): string {
  const segments = pathOf(directory, length).slice(directory.length).split('/').length - 1;
  return `${directory}${'/x'.repeat(segments)}`;
}

/** A path of this length below a directory; longer if the directory's path leaves no room. */
function pathOf(directory: string, length: number): string {
  if (directory.length + 2 > length) throw new Inconclusive('DATA', say`The file is in a deep directory.`);
  const segments = `/${'x'.repeat(segmentLength)}`.repeat(Math.ceil(length / segmentLength));
  const path = `${directory}${segments}`.slice(0, length);
  return path.endsWith('/') ? `${path.slice(0, -1)}x` : path;
}

/** Deletes a tree, if possible an existing one. */
export async function sendTreeDeletion(session: Session): Promise<void> {
  if ((await orNone(goodDeletion(session))) === undefined) await missingTree(session);
}

/** The first deleted tree of the run, once the file in it is gone. */
const goodDeletion = oncePerRun(async (session): Promise<DeletedTree> => {
  const tree = await usualDeletedTree(session);
  requireSuccess(tree.reply, 'deleteDriveTree.is-served');
  if (tree.readings.get('below')?.isGone || (await lateDeletion(session)) !== undefined) return tree;
  throw new Inconclusive('PREREQUISITE', say`The tree is not deleted.`);
});

export async function seeParameter(session: Session): Promise<Seen> {
  const parameter = session.requireDestruction();
  const isRead = (await orNone(tookTreeOnly(session))) || (await judgedThePath(session));
  return isRead ? parameter : undefined;
}

/** Whether a deletion removed the named tree, and not the file next to it. */
async function tookTreeOnly(session: Session): Promise<boolean> {
  const beside = (await goodDeletion(session)).files.get('prefix');
  return beside !== undefined && !(await awaitLateDeletion(session, beside)).isGone;
}

/**
 * Whether a deletion kept the file at the same path in another drive. Otherwise the target might delete everything in
 * every drive if no path, or the root, is named.
 */
async function keptOtherDrive(session: Session): Promise<boolean> {
  const reading = (await goodDeletion(session)).readings.get(inOtherDrive);
  return reading !== undefined && !reading.isGone;
}

/** Whether a path that breaks the rule and one that names nothing get different responses. */
async function judgedThePath(session: Session): Promise<boolean> {
  const unruly = await sendDeletion(session, await emptyDrive(session), session.newName());
  return !isAccepted(unruly) && unruly.status !== (await missingTree(session)).status;
}

export async function seeCount(session: Session): Promise<Seen> {
  const { files, reply } = await goodDeletion(session);
  const isDeep = files.has('deep');
  const [fileCount, directoryCount] = isDeep ? [2, 3] : [1, 1];
  const count = member(reply.json, 'documentCount');
  if (count === undefined) return undefined;
  if (count === fileCount) return 'files';
  if (count === fileCount + directoryCount) return 'filesAndDirectories';
  return {
    other: say`${asJson(count)} for ${own(plural(fileCount, 'file'))} in ${own(plural(directoryCount, 'directory', 'directories'))}`,
  };
}

export async function seeMissingTree(session: Session): Promise<Seen> {
  return seeNothingDeleted(await missingTree(session));
}

function seeNothingDeleted(reply: Reply): Seen {
  if (!isAccepted(reply)) return 'refused';
  const count = member(reply.json, 'documentCount');
  return count === 0 ? 'emptyJob' : { other: say`accepted with a documentCount of ${asJson(count)}` };
}

// Sent for an empty drive of the run, since a target might delete everything in it.
export async function seeMissingPath(session: Session): Promise<Seen> {
  if (!(await keptOtherDrive(session))) return undefined;
  const driveId = await emptyDrive(session);
  return seeNothingDeleted(await session.call('deleteDriveTree', { path: { driveId } }));
}

// Letters that the response to a move shows in a different form, and the deletion of a tree by its name in capitals.
export async function seeLetters(session: Session): Promise<Seen> {
  const moved = await orNone(moveOf(session, ({ beside }) => `${beside}-u\u0308`));
  if (moved !== undefined && isAccepted(moved.reply) && pathIn(moved.reply) === moved.path.normalize('NFC'))
    return 'normalized';
  await goodDeletion(session);
  const planted = await placeFiles(session, [{ role: 'letters', path: '/letters/file' }]);
  const file = planted.files.get('letters');
  if (file === undefined) return undefined;
  await sendDeletion(session, planted.driveId, `${planted.base}/LETTERS`);
  const isDeleted = (await awaitLateDeletion(session, file)).isGone;
  await release(session, planted.files.values());
  return isDeleted ? 'caseInsensitive' : 'exact';
}

export async function seeFilePath(session: Session): Promise<Seen> {
  await goodDeletion(session);
  const planted = await placeFiles(session, [{ role: 'single', path: '/single' }]);
  const file = planted.files.get('single');
  if (file === undefined) return undefined;
  const reply = await sendDeletion(session, planted.driveId, planted.paths.get('single') ?? planted.base);
  const isDeleted = (await awaitLateDeletion(session, file)).isGone;
  await release(session, planted.files.values());
  if (isDeleted) return 'deleted';
  const missing = await missingTree(session);
  if (isAccepted(reply)) {
    const isEmpty = isAccepted(missing) && seeNothingDeleted(reply) === 'emptyJob';
    return isEmpty ? 'likeMissing' : { other: say`accepted, and the file stays` };
  }
  if (isAccepted(missing) || missing.status !== reply.status) return 'refused';
  return (await mayBeInvalid(session, reply)) ? undefined : 'likeMissing';
}

// A target that refuses no page is not known to have another status for invalid input than for what is missing.
async function mayBeInvalid(session: Session, { status }: Reply): Promise<boolean> {
  const statuses = await invalidStatuses(session);
  return statuses.pages.length === 0 || [...statuses.pages, ...statuses.moves].includes(status);
}

// Sent for an empty drive of the run, so that nothing can be lost.
export async function seeRootPath(session: Session): Promise<Seen> {
  if (!(await keptOtherDrive(session))) return undefined;
  const reply = await sendDeletion(session, await emptyDrive(session), '/');
  if (isAccepted(reply)) return 'deleted';
  const missing = await missingTree(session);
  if (isAccepted(missing) || missing.status !== reply.status) return 'refused';
  return (await mayBeInvalid(session, reply)) ? undefined : 'deleted';
}

// What a file in the tree shows right after the deletion.
export async function seeWhen(session: Session): Promise<Seen> {
  await goodDeletion(session);
  const seen = pairsOf(session, 'deleteDriveTree', 'getDriveFile').flatMap(
    ({ reply, next }) => whenGone(session.replies, reply, next) ?? [],
  );
  if (seen.length === 0) return undefined;
  return seen.every((when) => when === 'immediate') ? 'immediate' : 'asynchronous';
}

function whenGone(
  replies: readonly Reply[],
  deletion: Reply,
  reading: Reply,
): 'immediate' | 'asynchronous' | undefined {
  const ofFile = replies.filter(({ request }) => request.path === reading.request.path);
  const place = ofFile.indexOf(reading);
  const before = ofFile[place - 1];
  const [tree] = decodeQuery(deletion.request.path.split('?')[1] ?? '');
  // A file outside the tree may be deleted later by a different request.
  if (before === undefined || !pathIn(before)?.startsWith(`${tree?.value}/`)) return undefined;
  if (saysNoSuchFile(reading)) return 'immediate';
  return reading.isSuccess && ofFile.slice(place + 1).some(saysNoSuchFile) ? 'asynchronous' : undefined;
}

/** A move of one disposable file onto another, which may delete the other. */
const ontoAnother = oncePerRun(async (session: Session): Promise<{ reply: Reply; isOtherGone: boolean }> => {
  session.requireDestruction();
  const free = await availableFiles(session);
  const [file, other] = pairOf(free);
  if (file === undefined || other === undefined) {
    throw new Inconclusive('DISPOSABLE_FILES', say`No two disposable files of one drive are left.`);
  }
  for (const taken of [file, other]) free.splice(free.indexOf(taken), 1);
  // Reads both: after a deletion nothing is known about the files in its drive.
  const [, shown] = await inParallel([file, other], (one) => readFile(session, one));
  const path = shown && pathIn(shown);
  if (path === undefined) throw new Inconclusive('PREREQUISITE', say`The file shows no path.`);
  const reply = await sendMove(session, file, path);
  const { isGone: isOtherGone } = await awaitLateDeletion(session, other);
  await release(session, [file, other]);
  return { reply, isOtherGone };
});

/** Two files in one drive, if possible in one directory, which then survives when one of them leaves it. */
function pairOf(files: readonly MovableFile[]): readonly MovableFile[] {
  const groups = [
    ...Map.groupBy(files, ({ driveId, originalPath }) => JSON.stringify([driveId, directoryOf(originalPath)])).values(),
    ...Map.groupBy(files, ({ driveId }) => driveId).values(),
  ];
  return groups.find((group) => group.length > 1) ?? [];
}

export async function seePathConflict(session: Session): Promise<Seen> {
  const { reply, isOtherGone } = await ontoAnother(session);
  if (!isAccepted(reply)) return 'refused';
  return isOtherGone ? 'replaced' : { other: say`accepted, and both files are there` };
}

// Names, paths and revisions decide: whether a refused new directory is a conflict is less clear.
export async function seeConflictStatus(session: Session, reading: SessionReading): Promise<Seen> {
  for (const send of [
    () => sameName(session, 'createDrive'),
    () => ontoAnother(session),
    () => publishedAgain(session),
  ])
    await orNone<unknown>(send());
  const seen = reading.seen('errorStatus.conflict');
  if (seen !== undefined) return seen;
  const { reply } = await intoNewDirectory(session);
  return isAccepted(reply) ? undefined : reply.status;
}
