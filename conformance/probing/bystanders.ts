import { own, type Sentence, say } from '../../lib/sentence.ts';
import type { FileFixture } from '../config/settings.ts';
import { inParallel } from '../in-parallel.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { areSame } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { deletionsOf } from './deletion-record.ts';
import { isGone, isRefused, pathIn, readFile } from './file-moves.ts';
import { declaredFiles } from './fixtures.ts';
import { requirePlaced } from './misplaced.ts';
import { fileKey, type MovableFile } from './movable-file.ts';
import { awaitLateDeletion, sendDeletionWithRetry } from './tree-deletions.ts';

/** A file, and a reading of it. */
export interface Before {
  file: FileFixture;
  reply: Reply;
}

/** A file that is gone or elsewhere, its last reading, and the one before. */
export interface Changed extends Before {
  was: Reply;
}

/** Reads every declared file except some. Call it right before a deletion, when other clients hardly interfere. */
export async function readOthers(session: Session, doomed: ReadonlySet<string>): Promise<Before[]> {
  const others = declaredFiles(session).filter((file) => !doomed.has(fileKey(file)));
  const before = await inParallel(others, async (file) => ({ file, reply: await readFile(session, file) }));
  return before.filter(({ reply }) => reply.isSuccess);
}

/** The files that are gone or elsewhere since they were read. */
export async function changedSince(session: Session, before: readonly Before[]): Promise<Changed[]> {
  const after = await inParallel(before, async ({ file, reply: was }) => {
    const look = () => readFile(session, file);
    // The earlier reading may have come from a lagging replica.
    const moved = session.files.moved().find((one) => fileKey(one) === fileKey(file));
    const isKept = (now: Reply) =>
      areSame(was.json, now.json, ['path', 'size']) ||
      (moved !== undefined && pathIn(now) === session.files.lastPathOf(moved));
    const now = await look();
    if (isGone(now) || !now.isSuccess || isKept(now)) return { file, reply: now, was, isMoved: false };
    // A lagging replica may show an earlier path for a while.
    const { seen, isThere } = await session.patience.settle('moved', look, isKept);
    return { file, reply: seen, was, isMoved: !isThere };
  });
  return after.filter(({ reply, isMoved }) => isGone(reply) || isMoved);
}

/** What a deletion did to the files outside its tree. */
export interface Aftermath {
  driveId: string;
  /** The path of the tree. */
  path: string;
  reply: Reply;
  changed: readonly Changed[];
}

/**
 * Throws {@link Violated} if deletions change files outside their trees, {@link Inconclusive} if another client may
 * have.
 */
export async function requireKept(session: Session, look: (isAgain: boolean) => Promise<Aftermath>): Promise<void> {
  await requirePlaced(session, async (isAgain) => {
    const aftermath = await look(isAgain);
    const { reply: deletion, changed, path } = aftermath;
    const first = changed.find(({ reply }) => isGone(reply)) ?? changed[0];
    if (first === undefined) return undefined;
    const actual = say`${changed.length} gone or moved, such as ${placeOf(first, aftermath)}`;
    const expected = say`every file outside ${path} still there`;
    const violation = new Violated(expected, actual, [deletion, first.reply]);
    if (isGone(first.reply)) throw violation;
    return { file: first.file, violation };
  });
}

/** Where a file was: its path, and its drive if the tree is in another one. */
function placeOf({ file, reply, was }: Changed, { driveId }: Aftermath): Sentence {
  const path = pathIn(was);
  if (path === undefined) return own(reply.exchange.request.url);
  return file.driveId === driveId ? say`${path}` : say`${path} in the drive ${file.driveId}`;
}

/** Deletes an empty directory, whatever the result. Throws {@link Violated} if that deletes a file. */
export async function deleteNothing(session: Session, driveId: string, path: string): Promise<void> {
  await requireKept(session, () => afterDeletingNothing(session, driveId, path));
}

/** Deletes an empty directory, whatever the result, and compares all other files. */
export async function afterDeletingNothing(session: Session, driveId: string, path: string): Promise<Aftermath> {
  const before = await readOthers(session, new Set(doomedFiles(session).map(fileKey)));
  const reply = await sendDeletionWithRetry(session, driveId, path);
  const [first] = before;
  if (first !== undefined) await awaitLateDeletion(session, first.file);
  return { driveId, path, reply, changed: await changedSince(session, before) };
}

/** The files that deletions of the run deleted, or may still delete. */
function doomedFiles(session: Session): MovableFile[] {
  const deletions = deletionsOf(session).filter(({ reply }) => !isRefused(reply));
  return session.files.moved().filter((file) => {
    const path = session.files.lastPathOf(file);
    return deletions.some(({ driveId, below }) => driveId === file.driveId && below.includes(path));
  });
}
