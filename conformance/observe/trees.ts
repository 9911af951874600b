import { asJson, say } from '../../openapi/reading/sentence.ts';
import { awaitListed, sharedCreation } from '../probing/creations.ts';
import { isGone } from '../probing/file-moves.ts';
import { findById } from '../probing/lists.ts';
import { placeFiles, release } from '../probing/placed-files.ts';
import {
  awaitGone,
  awaitLateDeletion,
  type DeletedTree,
  sendDeletion,
  usualDeletedTree,
} from '../probing/tree-deletions.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { invalidStatuses } from './invalid-input.ts';
import { ifSeen, isAccepted, type Observer, ownReplies, type Seen } from './observer.ts';

/** What the deletion of a tree answers, when it is over, and what it makes of odd paths. */
export const treeObservers: readonly Observer[] = [
  {
    openPoint: 'deleteStatus',
    phase: 'delete',
    effects: {},
    ask: async (session) => (await ifSeen(goodDeletion(session))) ?? missingTree(session),
  },
  deleting('treePathParameter', seeParameter),
  deleting('documentCount', async (session) => seeCount(await goodDeletion(session))),
  deleting('missingTree', async (session) => seeNothingDeleted(await missingTree(session))),
  deleting('missingTreePath', seeMissingPath),
  { ...deleting('treePathIsFile', seeFilePath), effects: { moves: true, deletions: 1 } },
  deleting('treeDeletion', seeWhen),
];

function deleting(openPoint: Observer['openPoint'], see: NonNullable<Observer['see']>): Observer {
  return { openPoint, phase: 'delete', effects: {}, see };
}

/** The first tree of the run that was deleted, once the file in it is gone. */
function goodDeletion(session: Session): Promise<DeletedTree> {
  return session.once('good deletion', async () => {
    const tree = await usualDeletedTree(session);
    requireSuccess(tree.reply, 'deleteDriveTree.is-served');
    const below = tree.files.get('below');
    if (below !== undefined && (await awaitGone(session, below)).isGone) return tree;
    throw new Unverified('PREREQUISITE', say`The tree is not deleted. See deleteDriveTree.file-below-is-gone.`);
  });
}

/** A deletion of what does not exist, in a new drive that is empty. It is sent once in a run. */
function missingTree(session: Session): Promise<Reply> {
  return session.once('missing tree', async () =>
    sendDeletion(session, await emptyDrive(session), `/${session.newName()}`),
  );
}

/** A new drive of the run. The list has to name it as such: it must not be the drive of anyone else. */
function emptyDrive(session: Session): Promise<string> {
  return session.once('empty drive', async () => {
    session.requireDestruction();
    const drive = await sharedCreation(session, 'createDrive', 'first');
    const { listing } = await awaitListed(session, [drive]);
    if (member(findById(listing, drive.id), 'name') === drive.sent.name) return drive.id;
    throw new Unverified('PREREQUISITE', say`The list does not show the new drive under the id of the response.`);
  });
}

async function seeParameter(session: Session): Promise<Seen> {
  const parameter = session.requireDestruction();
  const isRead = (await ifSeen(tookTreeOnly(session))) || (await judgedThePath(session));
  return isRead ? parameter : undefined;
}

/** Whether a deletion removed the named tree, and not the file next to it. */
async function tookTreeOnly(session: Session): Promise<boolean> {
  const beside = (await goodDeletion(session)).files.get('prefix');
  return beside !== undefined && !(await awaitLateDeletion(session, beside)).isGone;
}

/** Whether a path that breaks the rule is answered otherwise than one that names nothing. */
async function judgedThePath(session: Session): Promise<boolean> {
  const unruly = await sendDeletion(session, await emptyDrive(session), session.newName());
  return !isAccepted(unruly) && unruly.status !== (await missingTree(session)).status;
}

function seeCount({ files, reply }: DeletedTree): Seen {
  const isDeep = files.has('deep');
  const [fileCount, directoryCount] = isDeep ? [2, 3] : [1, 1];
  const count = member(reply.json, 'documentCount');
  if (count === undefined) return undefined;
  if (count === fileCount) return 'files';
  if (count === fileCount + directoryCount) return 'filesAndDirectories';
  return { other: say`${asJson(count)} for ${fileCount} files in ${directoryCount} directories` };
}

function seeNothingDeleted(reply: Reply): Seen {
  if (!isAccepted(reply)) return 'refused';
  const count = member(reply.json, 'documentCount');
  return count === 0 ? 'emptyJob' : { other: say`accepted with a documentCount of ${asJson(count)}` };
}

// Sent for an empty drive of the run: a target might take everything.
async function seeMissingPath(session: Session): Promise<Seen> {
  const driveId = await emptyDrive(session);
  return seeNothingDeleted(await session.call('deleteDriveTree', { path: { driveId } }));
}

async function seeFilePath(session: Session): Promise<Seen> {
  await goodDeletion(session);
  const planted = await placeFiles(session, [{ role: 'single', path: '/single' }]);
  const file = planted.files.get('single');
  if (file === undefined) return undefined;
  const reply = await sendDeletion(session, planted.driveId, planted.paths.get('single') ?? planted.base);
  const isDeleted = (await awaitLateDeletion(session, file)).isGone;
  await release(session, planted.files.values());
  if (isDeleted) return 'deleted';
  return isAccepted(reply) ? seeAcceptedFilePath(session, reply) : seeRefusedFilePath(session, reply);
}

async function seeAcceptedFilePath(session: Session, reply: Reply): Promise<Seen> {
  const isLikeMissing = isAccepted(await missingTree(session)) && seeNothingDeleted(reply) === 'emptyJob';
  return isLikeMissing ? 'likeMissing' : { other: say`accepted, and the file stays` };
}

async function seeRefusedFilePath(session: Session, { status }: Reply): Promise<Seen> {
  const missing = await missingTree(session);
  const isLikeMissing = !isAccepted(missing) && missing.status === status;
  const isLikeInvalid = Object.values(await invalidStatuses(session)).includes(status);
  if (isLikeMissing) return isLikeInvalid ? undefined : 'likeMissing';
  return 'refused';
}

// What a reading right after a deletion shows: a file that is still there goes later, or was not in the tree.
async function seeWhen(session: Session): Promise<Seen> {
  await goodDeletion(session);
  const own = new Set(ownReplies(session));
  const replies = session.replies;
  const seen = replies.flatMap((deletion, index) => {
    const reading = replies[index + 1];
    if (reading === undefined || !own.has(deletion) || !own.has(reading) || !deletion.isSuccess) return [];
    const isPair = deletion.request.operation === 'deleteDriveTree' && reading.request.operation === 'getDriveFile';
    return isPair ? (whenGone(replies, index) ?? []) : [];
  });
  if (seen.length === 0) return undefined;
  return seen.every((when) => when === 'immediate') ? 'immediate' : 'asynchronous';
}

function whenGone(replies: readonly Reply[], index: number): 'immediate' | 'asynchronous' | undefined {
  const reading = replies[index + 1];
  const ofFile = (reply: Reply) => reply.request.path === reading?.request.path;
  if (reading === undefined) return undefined;
  if (isGone(reading)) return replies.slice(0, index).findLast(ofFile)?.isSuccess ? 'immediate' : undefined;
  const later = replies.slice(index + 2).filter(ofFile);
  return reading.isSuccess && later.some(isGone) ? 'asynchronous' : undefined;
}
