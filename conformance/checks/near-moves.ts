import { asJson, type Sentence, say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import {
  awaitPath,
  isGone,
  movableFile,
  newPath,
  pathIn,
  requireMove,
  sendMoveWithRetry,
} from '../probing/file-moves.ts';
import { type Misplaced, requirePlaced } from '../probing/misplaced.ts';
import { extensionOf, type MovableFile } from '../probing/movable-file.ts';
import { variedFilesOfOneDrive } from '../probing/movable-files.ts';
import { firstMove } from '../probing/operations.ts';
import { placeAt } from '../probing/placed-files.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { describeReply, inconclusive, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { expectKept, isRefused } from './moves.ts';

/** Moves to paths that careless code mistakes for the old one, one after the other. */
const nearPaths: readonly {
  rule: string;
  does: string;
  paths(stem: string, extension: string): string[];
  /** How the path is kept. Default: in any letter case and Unicode form. */
  how?: 'exactly';
}[] = [
  {
    rule: 'back',
    does: 'Moves a file to another name and back',
    paths: (stem, extension) => [`${stem}-away${extension}`, stem + extension],
  },
  {
    rule: 'case',
    how: 'exactly',
    does: 'Moves a file to the same name in capitals',
    paths: (stem, extension) => [inCapitals(stem) + extension],
  },
  {
    rule: 'one-character',
    does: 'Moves a file to a name with one character added, then with a different one',
    paths: (stem, extension) => [`${stem}x${extension}`, `${stem}y${extension}`],
  },
  {
    rule: 'extension-only',
    does: 'Moves a file to the same name with another extension',
    paths: (stem, extension) => [`${stem}${extension === '.txt' ? '.md' : '.txt'}`],
  },
];

const moving = checksOf('updateDriveFile', 'move');

/** Moves to paths similar to the old one, and moves of files with similar paths (4.6). */
export const nearMoveChecks: readonly Check[] = [
  ...nearPaths.map(({ rule, does, paths, how }) =>
    moving(`read-shows-new-path.${rule}`, `${does}, and reads it until it shows the path.`, (session) =>
      expectEachKept(session, paths, how),
    ),
  ),
  moving(
    'read-shows-new-path.neighbour',
    'Moves a file away from a path that is a prefix of other paths, and reads the other files.',
    expectNeighboursKept,
    { needs: ['writes', 'movableFile', 'twoFilesOfOneDrive'] },
  ),
];

function inCapitals(path: string): string {
  const start = path.lastIndexOf('/') + 1;
  return path.slice(0, start) + path.slice(start).toUpperCase();
}

// Whether it is refused is open, but an accepted move has its effect.
async function expectEachKept(
  session: Session,
  paths: (stem: string, extension: string) => string[],
  how?: 'exactly',
): Promise<Sentence | undefined> {
  requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
  const file = await movableFile(session);
  const start = newPath(session, file);
  await placeAt(session, file, start);
  const extension = extensionOf(file.originalPath);
  for (const path of paths(start.slice(0, start.length - extension.length), extension)) {
    const refusal = await expectKept(session, file, path, how);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** A file at a path that starts like a different file's path. */
interface Neighbour {
  file: MovableFile;
  path: string;
}

// Each neighbour got its path by a move, so no move of a different file may change it.
async function expectNeighboursKept(session: Session): Promise<Sentence | undefined> {
  requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
  const [file, ...others] = await variedFilesOfOneDrive(session, 3);
  if (file === undefined || others.length === 0) {
    throw new Inconclusive('FILES', say`No other file of the same drive can be moved.`);
  }
  let refusal: Sentence | undefined;
  await requirePlaced(session, async () => {
    const path = newPath(session, file);
    await placeAt(session, file, path);
    const neighbours = await placeNeighbours(session, path, others);
    refusal = neighbours.length === 0 ? isRefused : undefined;
    return refusal === undefined ? takenAlong(session, file, neighbours) : undefined;
  });
  return refusal;
}

/** The first file that does not stay in place while a different one is moved away. */
async function takenAlong(
  session: Session,
  file: MovableFile,
  neighbours: readonly Neighbour[],
): Promise<Misplaced | undefined> {
  const away = newPath(session, file);
  const move = await requireMove(session, file, away);
  await awaitPath(session, file, away);
  for (const neighbour of neighbours) {
    const misplaced = await misplacedBy(session, neighbour, move);
    if (misplaced !== undefined) return misplaced;
  }
  return undefined;
}

// No path differs only in case: a target for which that is the same path may replace the file there.
async function placeNeighbours(session: Session, path: string, others: readonly MovableFile[]): Promise<Neighbour[]> {
  const placed: Neighbour[] = [];
  for (const [index, file] of others.entries()) {
    const neighbour = { file, path: `${path}${index === 0 ? '-2' : '/below'}${extensionOf(file.originalPath)}` };
    const reply = await sendMoveWithRetry(session, file, neighbour.path);
    if (reply.isSuccess && (await awaitPath(session, file, neighbour.path)).isThere) placed.push(neighbour);
  }
  return placed;
}

async function misplacedBy(session: Session, { file, path }: Neighbour, move: Reply): Promise<Misplaced | undefined> {
  const { reply: now, isThere } = await awaitPath(session, file, path);
  if (isThere) return undefined;
  const seen = pathIn(now);
  if (!isGone(now) && seen === undefined) throw inconclusive(now);
  const actual = seen === undefined ? describeReply(now) : say`at ${asJson(seen)}`;
  const violation = new Violated(say`the other file still at ${path}`, actual, [move, now]);
  if (seen === undefined) throw violation;
  return { file, violation };
}
