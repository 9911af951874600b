import { decodeQuery } from '../../lib/query.ts';
import { asJson, say } from '../../lib/sentence.ts';
import { oncePerRun } from '../once.ts';
import { isGone, pathIn } from '../probing/file-moves.ts';
import { emptyDrive, missingTree } from '../probing/missing-tree.ts';
import { placeFiles, release } from '../probing/placed-files.ts';
import { type DeletedTree, inOtherDrive, lateDeletion, usualDeletedTree } from '../probing/shared-trees.ts';
import { awaitLateDeletion, sendDeletion } from '../probing/tree-deletions.ts';
import type { Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import { member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { moveOf } from './moved-file.ts';
import { ifSeen, isAccepted, pairsOf, type Seen } from './observer.ts';
import { invalidStatuses } from './requests.ts';

/** Deletes a tree, if possible an existing one. */
export async function sendTreeDeletion(session: Session): Promise<void> {
  if ((await ifSeen(goodDeletion(session))) === undefined) await missingTree(session);
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
  const isRead = (await ifSeen(tookTreeOnly(session))) || (await judgedThePath(session));
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
  return { other: say`${asJson(count)} for ${fileCount} files in ${directoryCount} directories` };
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
  const moved = await ifSeen(moveOf(session, ({ beside }) => `${beside}-u\u0308`));
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
  if (isGone(reading)) return 'immediate';
  return reading.isSuccess && ofFile.slice(place + 1).some(isGone) ? 'asynchronous' : undefined;
}
