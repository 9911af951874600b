import { creationKinds } from './creations.ts';
import { idOf, member } from './expectations.ts';
import { readList } from './lists.ts';
import { isGone, pathIn, readWell } from './moves.ts';
import { pathsAtStart, startName } from './samples.ts';
import type { Session } from './session.ts';

/** Notes what the lists show of this run beside what its answers told: the work of requests that looked refused. */
export async function collectLeftovers(session: Session): Promise<void> {
  if (!session.settings.allowWrites) return;
  for (const { list, kind, noun } of Object.values(creationKinds)) {
    for (const item of await shownAnywhere(session, list)) {
      const name = member(item, 'name');
      const id = idOf(item);
      if (id === undefined || typeof name !== 'string' || !name.includes(session.runId)) continue;
      session.receipt.complete(kind, id, name);
      if (!session.receipt.has(kind, id))
        session.receipt.note({ kind, id, name, note: `${noun} found in the list; no answer told of it` });
    }
  }
}

async function shownAnywhere(session: Session, list: 'listDrives' | 'listMcpServers'): Promise<unknown[]> {
  const own = await readList(session, list).catch(() => ({ items: [] }));
  const { otherApiKey } = session.settings;
  const other =
    otherApiKey === undefined
      ? { items: [] }
      : await readList(session, list, session.other).catch(() => ({ items: [] }));
  return [...own.items, ...other.items];
}

/** Notes every file that is not where it was at the start: a broken target may have moved or deleted any. */
export async function collectLostFiles(session: Session): Promise<void> {
  if (!session.settings.allowWrites || !session.remembers(startName)) return;
  for (const { driveId, id, path } of await pathsAtStart(session)) {
    if (session.receipt.has('deletedFile', id, driveId)) continue;
    const reply = await readWell(session, { driveId, id });
    if (pathIn(reply) === path || !(reply.isSuccess || isGone(reply))) continue;
    if (isGone(reply)) session.receipt.note({ kind: 'deletedFile', driveId, id, note: `was at ${path}; it is gone` });
    else
      session.receipt.note({
        kind: 'file',
        driveId,
        id,
        note: `was at ${path}; the target moved it to ${pathIn(reply) ?? 'no path'}`,
      });
  }
}
