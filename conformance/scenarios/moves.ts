/*
 * Moves as data: a file that goes from path to path, and files that must stay while another one goes. To add one, add a row to
 * `ways` or `partings`; its paths are made of the path of the file without its extension, and the extension.
 */
import { asJson, type Sentence, say } from '../../lib/sentence.ts';
import type { NeedName } from '../plan/needs.ts';
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
import { letterTexts, oddTexts } from '../probing/names.ts';
import { lastMovableFile, pairOfTwoDrives, placeAt, variedFilesOfOneDrive } from '../probing/placed-files.ts';
import { extensionOf, type MovableFile } from '../probing/receipt.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import {
  describeReply,
  expectSuccess,
  inconclusive,
  judgesShape,
  member,
  requireSuccess,
} from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** How a path is kept: exactly, or in any letter case and Unicode form, which is open. */
type HowKept = 'exactly' | 'in any form';

/** One file, and where it goes. */
export interface Way {
  does: string;
  /** By a new plain path in the directory where the file was found. */
  paths(stem: string, extension: string): readonly string[];
  /** Default: in any form. */
  how?: HowKept;
  /** Whether the file is put at the plain path first. */
  isFromPlain?: boolean;
  /** Whether the last declared file goes: if the target loses it, checks of the first can go on. */
  isOfLast?: boolean;
}

const otherThan = (extension: string) => (extension === '.txt' ? '.md' : '.txt');
const nameIn = (stem: string) => stem.slice(stem.lastIndexOf('/') + 1);
const named = (stem: string, change: (name: string) => string) =>
  stem.slice(0, stem.length - nameIn(stem).length) + change(nameIn(stem));
const newDirectory = (below: string) => (stem: string, extension: string) => [
  `/${nameIn(stem)}/${below}/${nameIn(stem)}${extension}`,
];

export const ways: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(
    oddTexts.map(({ rule, does, text }): [string, Way] => [
      `updateDriveFile.path-kept.${rule}`,
      {
        does: `Moves a file to a name that contains ${does}.`,
        paths: (stem, extension) => [`${stem} ${text}${extension}`],
      },
    ]),
  ),
  'updateDriveFile.path-kept.escapes': {
    does: 'Moves a file to a name that contains %20 and %2F, which are ordinary characters in a body.',
    paths: (stem, extension) => [`${stem}-a%20b%2Fc${extension}`],
  },
  'updateDriveFile.path-kept.outer-blanks': {
    does: 'Moves a file to a name that starts and ends with a space.',
    paths: (stem, extension) => [`${named(stem, (name) => ` ${name}`)}${extension} `],
  },
  ...Object.fromEntries(
    Object.entries(letterTexts).map(([rule, { does, text }]): [string, Way] => [
      `updateDriveFile.path-kept.${rule}`,
      {
        does: `Moves a file to a name that contains ${does}.`,
        paths: (stem, extension) => [stem + text + extension],
        how: 'exactly',
      },
    ]),
  ),
  'updateDriveFile.path-kept.extension': {
    does: 'Moves a file to a name with another extension.',
    paths: (stem, extension) => [stem + otherThan(extension)],
  },
  'updateDriveFile.read-shows-new-path.new-directory': {
    does: 'Moves a file to a directory of four levels that does not exist, and reads it until it shows the path.',
    paths: newDirectory('a/b/c'),
    isOfLast: true,
  },
  'updateDriveFile.read-shows-new-path.deep': {
    does: 'Moves a file to a path of twelve segments, and reads it until it shows the path.',
    paths: newDirectory('a/b/c/d/e/f/g/h/i/j'),
    isOfLast: true,
  },
  'updateDriveFile.read-shows-new-path.long': {
    does: 'Moves a file to a path of more than 300 characters, and reads it until it shows the path.',
    paths: newDirectory(`${'long-'.repeat(20)}a/${'long-'.repeat(20)}b/${'long-'.repeat(20)}c`),
    isOfLast: true,
  },
  // Paths that careless code mistakes for the old one.
  'updateDriveFile.read-shows-new-path.back': {
    does: 'Moves a file to another name and back, and reads it until it shows the path.',
    paths: (stem, extension) => [`${stem}-away${extension}`, stem + extension],
    isFromPlain: true,
  },
  'updateDriveFile.read-shows-new-path.case': {
    does: 'Moves a file to the same name in capitals, and reads it until it shows the path.',
    paths: (stem, extension) => [named(stem, (name) => name.toUpperCase()) + extension],
    how: 'exactly',
    isFromPlain: true,
  },
  'updateDriveFile.read-shows-new-path.one-character': {
    does: 'Moves a file to a name with one character added, then with a different one, and reads it until it shows the path.',
    paths: (stem, extension) => [`${stem}x${extension}`, `${stem}y${extension}`],
    isFromPlain: true,
  },
  'updateDriveFile.read-shows-new-path.extension-only': {
    does: 'Moves a file to the same name with another extension, and reads it until it shows the path.',
    paths: (stem, extension) => [stem + otherThan(extension)],
    isFromPlain: true,
  },
};

/** Some files, of which the first one goes and the others stay. */
export interface Parting {
  does: string;
  needs: readonly NeedName[];
  files(session: Session): Promise<readonly MovableFile[]>;
  /** Where the first file is put, by a new plain path for it, and where it goes. */
  from(path: string): string;
  /** Where another file is put. */
  beside(from: string, index: number, file: MovableFile): string;
  /** What must stay. */
  what: Sentence;
}

export const partings: Readonly<Record<string, Parting>> = {
  'updateDriveFile.other-file-untouched.other-drive': {
    does: 'Moves a file away from a path that a file in another drive has too, and reads the other file.',
    needs: ['writes', 'movableFile', 'filesOfTwoDrives'],
    files: pairOfTwoDrives,
    from: (path) => `/${nameIn(path)}`,
    beside: (from) => from,
    what: say`the file of the other drive`,
  },
  'updateDriveFile.read-shows-new-path.neighbour': {
    does: 'Moves a file away from a path that is a prefix of other paths, and reads the other files.',
    needs: ['writes', 'movableFile', 'twoFilesOfOneDrive'],
    files: (session) => variedFilesOfOneDrive(session, 3),
    from: (path) => path,
    // No path differs only in case: a target for which that is the same path may replace the file there.
    beside: (from, index, file) => `${from}${index === 0 ? '-2' : '/below'}${extensionOf(file.originalPath)}`,
    what: say`the other file`,
  },
};

/** The remark of a check whose path the target refuses. */
const refusedRemark = say`Refused, which is open (open point moveTargets).`;

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
  return form === path ? undefined : say`Kept in a different letter case or Unicode form, which is open.`;
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
