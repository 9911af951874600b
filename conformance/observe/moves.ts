import { asJson, say } from '../../openapi/reading/sentence.ts';
import { movableFile, pathIn, readFile } from '../probing/file-moves.ts';
import { drivesOf, findById, readList } from '../probing/lists.ts';
import { firstMove } from '../probing/operations.ts';
import type { Session } from '../session.ts';
import { member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { moveOf, type SentMove } from './moved-file.ts';
import { isAccepted, type Observer, ownReplies, type Seen } from './observer.ts';

/** What a move changes besides the path, and which targets are accepted. */
export const moveObservers: readonly Observer[] = [
  { openPoint: 'updateStatus', phase: 'move', effects: { moves: true }, ask: firstMove },
  moving('fileNameAfterMove', seeName),
  moving('modifiedAtAfterMove', seeModifiedAt),
  moving('driveUpdatedAt', seeDriveUpdatedAt),
  moving('moveTargets', async (session) =>
    isAccepted((await intoNewDirectory(session)).reply) ? 'lenient' : 'strict',
  ),
  moving('pathSpelling', seeSpelling),
  moving('pathLineBreaks', seeLineBreaks),
  { openPoint: 'fileStatusFlow', phase: 'judge', see: async (session) => seeStatusFlow(session) },
];

function moving(openPoint: Observer['openPoint'], see: NonNullable<Observer['see']>): Observer {
  return { openPoint, phase: 'move', effects: { moves: true }, see };
}

/** The first move of the run, with the file as reading showed it before and after. */
async function shownMove(session: Session) {
  const { path, before, reply, after } = await firstMove(session);
  requireSuccess(reply, 'updateDriveFile.is-served');
  requireSuccess(before, 'getDriveFile.is-served');
  return { path, before, after: after?.isThere ? after.reply : reply };
}

async function seeName(session: Session): Promise<Seen> {
  const { path, before, after } = await shownMove(session);
  const name = member(after.json, 'name');
  if (name === undefined) return undefined;
  if (name === path.slice(path.lastIndexOf('/') + 1)) return 'followsPath';
  return name === member(before.json, 'name') ? 'kept' : { other: say`${path} is named ${asJson(name)}` };
}

/** The earliest reading of the movable file: earlier moves of the run could have touched it already. */
async function earliest(session: Session): Promise<Reply | undefined> {
  const { driveId, id } = await movableFile(session);
  const read = await readFile(session, { driveId, id });
  return ownReplies(session).find(({ request, isSuccess }) => isSuccess && request.path === read.request.path);
}

async function seeModifiedAt(session: Session): Promise<Seen> {
  const { after } = await shownMove(session);
  const was = member((await earliest(session))?.json, 'modifiedAt');
  const is = member(after.json, 'modifiedAt');
  if (was === undefined || is === undefined) return undefined;
  return was === is ? 'kept' : 'touched';
}

async function seeDriveUpdatedAt(session: Session): Promise<Seen> {
  await shownMove(session);
  const { driveId } = await movableFile(session);
  const updatedAt = (items: unknown[]) => member(findById({ items }, driveId), 'updatedAt');
  const pages = ownReplies(session).filter(({ request }) => request.operation === 'listDrives');
  const was = pages.map((page) => updatedAt(drivesOf(page))).find((time) => time !== undefined);
  const is = updatedAt((await readList(session, 'listDrives')).items);
  if (was === undefined || is === undefined) return undefined;
  return was === is ? 'kept' : 'touched';
}

/** A move to a directory that does not exist. It is sent once in a run. */
export function intoNewDirectory(session: Session): Promise<SentMove> {
  return session.once('new directory', () =>
    moveOf(session, ({ directory }) => `${directory}/${session.newName()}/${session.newName()}`),
  );
}

// Where directories have to exist, a refusal may mean the directory `.`, which does not.
async function seeSpelling(session: Session): Promise<Seen> {
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

async function seeLineBreaks(session: Session): Promise<Seen> {
  const { reply, path } = await moveOf(session, ({ beside }) => `${beside}\nx`);
  if (!isAccepted(reply)) return 'refused';
  const shown = pathIn(reply);
  return shown === path ? 'accepted' : { other: say`accepted, and shown as ${asJson(shown)}` };
}

/** What became of the status of one file. */
interface StatusHistory {
  status?: unknown;
  isMoved: boolean;
}

// Only waiting could show that no status ever changes by itself.
function seeStatusFlow(session: Session): Seen {
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
