import { say } from '../../lib/sentence.ts';
import { newBody, sendCreation, sharedCreation } from '../probing/creations.ts';
import { movableFile, pathIn, readFile, sendMove, sendMoveWithRetry } from '../probing/file-moves.ts';
import { directoryOf, type MovableFile } from '../probing/movable-file.ts';
import { firstMove } from '../probing/operations.ts';
import type { CallInput, Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import { member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { ifSeen } from './observer.ts';

/** Where a file is, and a plain new path in the same, existing directory. */
interface Place {
  path: string;
  directory: string;
  beside: string;
}

/** A move that was sent, and the path that it asked for. */
export interface SentMove {
  file: MovableFile;
  path: string;
  reply: Reply;
}

/** Where the movable file is. Throws unless a plain move of it succeeds. */
export async function placeOf(session: Session): Promise<{ file: MovableFile; place: Place }> {
  requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
  const file = await movableFile(session);
  const path = pathIn(await readFile(session, file));
  if (path === undefined) throw new Inconclusive('PREREQUISITE', say`The file shows no path.`);
  const directory = directoryOf(path);
  return { file, place: { path, directory, beside: `${directory}/${session.newName()}` } };
}

/** Moves the movable file with a path or body that differs from a plain move in one way. */
export async function moveOf(
  session: Session,
  pathFor: (place: Place) => string,
  how: Omit<CallInput, 'path'> = {},
): Promise<SentMove> {
  const { file, place } = await placeOf(session);
  const path = pathFor(place);
  return { file, path, reply: await sendMoveWithRetry(session, file, path, how) };
}

/** One field of a write, and the value sent in it. */
interface Field {
  name: 'path' | 'name';
  value: string;
}

/** A write that was sent, and whether its response shows the sent value. */
export interface VariedWrite {
  reply: Reply;
  isTakenOver: boolean;
}

/** Sends a write that differs from a valid one in one way: a move, which leaves nothing behind, or a creation. */
export async function variedWrite(
  session: Session,
  vary: (field: Field) => Omit<CallInput, 'path'>,
): Promise<VariedWrite> {
  const found = await ifSeen(placeOf(session));
  if (found === undefined) {
    await sharedCreation(session, 'createDrive', 'first');
    const body = newBody(session, 'createDrive');
    const reply = await sendCreation(session, 'createDrive', body, vary({ name: 'name', value: body.name }));
    return { reply, isTakenOver: member(reply.json, 'name') === body.name };
  }
  const { file, place } = found;
  const path = place.beside;
  const reply = await sendMove(session, file, path, vary({ name: 'path', value: path }));
  return { reply, isTakenOver: pathIn(reply) === path };
}
