import { own, say } from '../../lib/sentence.ts';
import { inParallel } from '../in-parallel.ts';
import type { Session } from '../session.ts';
import { idOf, member } from '../target/expectations.ts';
import { creationKinds } from './creations.ts';
import { isGone, noteGone, pathIn, readFileWithRetry } from './file-moves.ts';
import { initialPaths } from './initial-files.ts';
import { readList } from './lists.ts';
import { markIn } from './names.ts';

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
    if (isGone(reply)) noteGone(session, { driveId, id }, path);
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
