// The end of a run: files are moved back, and what is left behind is recorded.
import { own, say } from '../../lib/sentence.ts';
import { creationKinds } from '../probing/creations.ts';
import {
  awaitPath,
  initialPaths,
  noteGone,
  pathIn,
  readFileWithRetry,
  saysNoSuchFile,
  sendMove,
} from '../probing/files.ts';
import { readList } from '../probing/lists.ts';
import { markIn } from '../probing/names.ts';
import { inParallel } from '../run/once.ts';
import { Inconclusive, Stopped } from '../run/signals.ts';
import { idOf, isBusy, member } from '../target/expectations.ts';
import type { Session } from '../target/session.ts';
import type { MovableFile } from './receipt.ts';

const mostRounds = 3;

/**
 * Moves every file back to where it was found. A file that cannot be moved back stays in the receipt. If the target
 * goes away meanwhile and comes back, the remaining files are tried again.
 */
export async function moveAllBack(session: Session): Promise<void> {
  let files = session.files.moved();
  for (let round = 1; ; round++) {
    const [error] = await moveEachBack(session, files);
    if (error === undefined) return;
    const isAway = error instanceof Stopped && round < mostRounds;
    if (!isAway || !(await session.target.startTidying())) throw error;
    files = session.files.displaced();
  }
}

async function moveEachBack(session: Session, files: readonly MovableFile[]): Promise<unknown[]> {
  const errors: unknown[] = [];
  await inParallel(files, (file) =>
    moveBack(session, file).catch((error: unknown) => {
      if (!(error instanceof Inconclusive)) errors.push(error);
    }),
  );
  return errors;
}

async function moveBack(session: Session, file: MovableFile): Promise<void> {
  const { receipt, files } = session;
  const { driveId, id, originalPath } = file;
  const lastPath = files.lastPathOf(file);
  const reply = await readFileWithRetry(session, file);
  // Read twice: a target that just came back may not find anything yet.
  if (saysNoSuchFile(reply) && saysNoSuchFile(await readFileWithRetry(session, file)))
    return noteGone(session, file, originalPath);
  // An accepted move may become visible late: the file is then read at a path that it is about to leave.
  if (pathIn(reply) !== originalPath || lastPath !== originalPath) await sendBack(session, file);
  const { reply: last, isThere } = await awaitPath(session, file, originalPath);
  if (isThere) {
    files.setBack(file);
    return receipt.undo('file', id, driveId);
  }
  if (receipt.find('deletedFile', id, driveId) !== undefined) return;
  const seen = pathIn(last);
  // A file last seen at its original path, with no move pending, is back: only the last reading got no response.
  if (seen === undefined && files.seenAt(file) === originalPath && receipt.findFile(file) === undefined) return;
  const place = seen === undefined ? say`last seen at ${files.seenAt(file)}` : say`it is at ${seen}`;
  receipt.note({
    kind: 'file',
    driveId,
    id,
    originalPath,
    note: say`was at ${originalPath}; ${place}, and could not be moved back`,
  });
}

const temporary = [409, 423, 425];

// Repeated if it is refused for the moment or gets no response: every attempt sends the same path.
async function sendBack(session: Session, file: MovableFile): Promise<void> {
  await session.patience.settle(
    'ready',
    () => sendMove(session, file, file.originalPath),
    (reply) => reply.failure === undefined && !isBusy(reply) && !temporary.includes(reply.status),
  );
}

/** Records resources of this run in the lists that no response reported: a refused request had an effect. */
export async function collectLeftovers(session: Session): Promise<void> {
  const { allowWrites, otherApiKey } = session.settings;
  if (!allowWrites) return;
  const callers = otherApiKey === undefined ? [session.own] : [session.own, session.other];
  const lists = Object.values(creationKinds).flatMap((kinds) => callers.map((caller) => ({ ...kinds, caller })));
  for (const { list, kind, noun, caller } of lists) {
    const listing = await readList(session, list, caller).catch(() => undefined);
    for (const item of listing?.items ?? []) {
      const name = member(item, 'name');
      const id = idOf(item);
      if (id === undefined || typeof name !== 'string' || markIn(name, session.runId) === undefined) continue;
      session.receipt.complete(kind, id, name);
      if (session.receipt.find(kind, id) === undefined)
        session.receipt.note({ kind, id, name, note: say`${own(noun)} found in the list; no response reported it` });
    }
  }
}

/** Records every file that is not where it was at the start: a broken target may have moved or deleted any file. */
export async function collectLostFiles(session: Session): Promise<void> {
  const { settings, receipt, files } = session;
  if (!settings.allowWrites) return;
  await inParallel(initialPaths(session), async ({ driveId, id, path }) => {
    if (receipt.find('deletedFile', id, driveId) !== undefined) return;
    const reply = await readFileWithRetry(session, { driveId, id });
    const now = pathIn(reply);
    if (saysNoSuchFile(reply)) noteGone(session, { driveId, id }, path);
    else if (now !== path && reply.isSuccess) {
      const change = own(files.isMoved({ driveId, id }) ? 'it is at' : 'the target moved it to');
      receipt.note({
        kind: 'file',
        driveId,
        id,
        originalPath: path,
        note: say`was at ${path}; ${change} ${now ?? own('no path')}`,
      });
    }
  });
}
