import { asJson, say } from '../../lib/sentence.ts';
import { oncePerRun } from '../once.ts';
import { movableFile, pathIn, readFile } from '../probing/file-moves.ts';
import { drivesOf, findById, readList } from '../probing/lists.ts';
import { firstMove } from '../probing/operations.ts';
import type { Session } from '../session.ts';
import { member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { moveOf } from './moved-file.ts';
import { isAccepted, keptOrTouched, ownReplies, type Seen } from './observer.ts';

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
