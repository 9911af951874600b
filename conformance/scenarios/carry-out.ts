/*
 * How the moves of `moves.ts` are carried out. `checks/moves.ts` runs them: each way with `goAlong`, in the group `moves`, and
 * each parting with `part`, alone, since it moves several files.
 */
import { asJson, type Sentence, say } from '../../lib/sentence.ts';
import {
  awaitPath,
  fileToMove,
  firstMove,
  type Misplaced,
  MoveRefused,
  movableFile,
  newPath,
  pathIn,
  readFile,
  requireMove,
  requirePlaced,
  saysNoSuchFile,
  sendMoveWithRetry,
} from '../probing/files.ts';
import { lastMovableFile, placeAt } from '../probing/placed-files.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { extensionOf, type MovableFile } from '../safety/receipt.ts';
import {
  describeReply,
  expectSuccess,
  inconclusive,
  judgesShape,
  member,
  requireSuccess,
} from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import type { HowKept, Parting, Way } from './moves.ts';

/** The remark of a check whose path the target refuses. */
const refusedRemark = say`Refused, which the specification leaves open (open point moveTargets).`;

/** Moves a file along its way. Whether it is refused is open, but an accepted move has its effect. */
export async function goAlong(session: Session, { paths, how, isFromPlain, isOfLast }: Way) {
  requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
  const file = await fileToMove(session, isOfLast ? lastMovableFile : movableFile);
  const [start, extension] = [newPath(session, file), extensionOf(file.originalPath)];
  if (isFromPlain) await placeAt(session, file, start);
  for (const path of paths(start.slice(0, start.length - extension.length), extension)) {
    const remark = await expectKept(session, file, path, how);
    if (remark === refusedRemark) await requireThere(session, file);
    if (remark !== undefined) return remark;
  }
  return undefined;
}

/** Throws {@link Violated} if a refused move has lost its file. */
async function requireThere(session: Session, file: MovableFile): Promise<void> {
  const [now, again] = [await readFile(session, file), await readFile(session, file)];
  if (saysNoSuchFile(now) && saysNoSuchFile(again))
    throw new Violated(say`the file where it was`, describeReply(again), [again]);
}

/** Moves a file. Which paths are accepted is open; what is accepted is kept, in the response and later. */
export async function expectKept(
  session: Session,
  file: MovableFile,
  path: string,
  how: HowKept = 'in any form',
): Promise<Sentence | undefined> {
  const reply = await sendMoveWithRetry(session, file, path);
  if (saysNoSuchFile(reply)) return refusedRemark;
  await expectSuccess(session, reply);
  const shown = member(reply.json, 'path');
  const isKept = how === 'exactly' ? shown === path : hasSameLetters(shown, path);
  if (shown !== undefined && !isKept) throw new Violated(say`path: ${asJson(path)}`, asJson(shown), [reply]);
  const form = how === 'in any form' && typeof shown === 'string' ? shown : path;
  await expectSeenAt(session, { file, path: form, reply, how });
  return form === path
    ? undefined
    : say`Kept in a different letter case or Unicode form, which the specification leaves open.`;
}

/** Whether two paths differ only in letter case and Unicode form. */
function hasSameLetters(one: unknown, other: unknown): boolean {
  const folded = (path: unknown) => String(path).normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  return folded(one) === folded(other);
}

/** A move that was sent. */
export interface Move {
  file: MovableFile;
  path: string;
  reply: Reply;
  /** Default: exactly. */
  how?: HowKept | undefined;
  /** What was read until it showed the path, if that is done. */
  after?: Awaited<ReturnType<typeof awaitPath>> | undefined;
}

/** Throws {@link Violated} unless a moved file is at its path. */
export async function expectSeenAt(session: Session, move: Move): Promise<void> {
  const { file, path } = move;
  await requirePlaced(session, async (isAgain) =>
    misplacedBy(session, isAgain ? { file, path, reply: await requireMove(session, file, path), how: move.how } : move),
  );
}

/** The moved file, if it is not at its path within the time for a move. */
export async function misplacedBy(
  session: Session,
  { file, path, reply: move, how = 'exactly', after }: Move,
): Promise<Misplaced | undefined> {
  const { reply: later, isThere } = after ?? (await awaitPath(session, file, path));
  if (isThere) return undefined;
  const expected = say`the file at ${asJson(path)} ${session.patience.lastLimit('moved')}`;
  if (saysNoSuchFile(later)) throw new Violated(expected, describeReply(later), [move, later]);
  const seen = pathIn(later);
  if (how === 'in any form' && hasSameLetters(seen, path)) return undefined;
  if (seen !== undefined) return { file, violation: new Violated(expected, say`at ${asJson(seen)}`, [move, later]) };
  throw inconclusive(later, later.isSuccess ? 'PREREQUISITE' : 'TARGET', say``, ...judgesShape('getDriveFile'));
}

/** Puts files side by side and moves the first one away. Each other one got its path by a move, so it stays there. */
export async function part(session: Session, { files, from, beside, what }: Parting): Promise<Sentence | undefined> {
  requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
  const [file, ...others] = await files(session);
  if (file === undefined || others.length === 0)
    throw new Inconclusive('FILES', say`No other file of the same drive can be moved.`);
  let isPlaced = false;
  await requirePlaced(session, async () => {
    const path = from(newPath(session, file));
    const placed: Placed[] = [];
    const isThere = await isPutAt(session, file, path);
    for (const [index, other] of isThere ? others.entries() : []) {
      const place = beside(path, index, other);
      if (await isPutAt(session, other, place)) placed.push({ file: other, path: place });
    }
    isPlaced = placed.length > 0;
    return isPlaced ? takenAlong(session, file, from(newPath(session, file)), placed, what) : undefined;
  });
  return isPlaced ? undefined : refusedRemark;
}

/** A file, and the path to which it was moved. */
type Placed = Pick<Move, 'file' | 'path'>;

/** Moves a file and reads it until it is there; false if the target refuses the path. */
async function isPutAt(session: Session, file: MovableFile, path: string): Promise<boolean> {
  return placeAt(session, file, path).then(
    () => true,
    (error: unknown) => {
      if (error instanceof MoveRefused) return false;
      throw error;
    },
  );
}

/** The first of some other files that does not stay in place while a file is moved away. */
async function takenAlong(
  session: Session,
  file: MovableFile,
  away: string,
  others: readonly Placed[],
  what: Sentence,
): Promise<Misplaced | undefined> {
  const move = await requireMove(session, file, away);
  await awaitPath(session, file, away);
  for (const { file: other, path } of others) {
    const { reply: now, isThere } = await awaitPath(session, other, path);
    if (isThere) continue;
    const seen = pathIn(now);
    if (!saysNoSuchFile(now) && seen === undefined) throw inconclusive(now);
    const actual = seen === undefined ? describeReply(now) : say`at ${asJson(seen)}`;
    const violation = new Violated(say`${what} still at ${path}`, actual, [move, now]);
    if (seen === undefined) throw violation;
    return { file: other, violation };
  }
  return undefined;
}
