import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { inParallel } from '../once.ts';
import { sentObject } from '../probing/creations.ts';
import {
  awaitPath,
  fileToMove,
  firstMove,
  initialPaths,
  initialReadings,
  isGone,
  type Misplaced,
  newPath,
  pathIn,
  readFile,
  requireMove,
  requirePlaced,
  sendMove,
  sendMoveWithRetry,
  setByProcessing,
} from '../probing/files.ts';
import { hardTexts, letterTexts, oddTexts } from '../probing/names.ts';
import { successfulReplies } from '../probing/operations.ts';
import { lastMovableFile, pairOfTwoDrives, placeAt, variedFilesOfOneDrive } from '../probing/placed-files.ts';
import { directoryOf, extensionOf, type MovableFile } from '../probing/receipt.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import {
  areSame,
  describeReply,
  expectNoFailure,
  expectSuccess,
  inconclusive,
  judgesShape,
  member,
  requireSuccess,
} from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

const moving = checksOf('updateDriveFile', 'move');
const movingOne = checksOf('updateDriveFile', 'move', 'moves');
const judging = checksOf('updateDriveFile', 'judge');

/** Moves beyond the first: to other names and directories, of several files, back again, and in parallel (4.6). */
export const furtherMoveChecks: readonly Check[] = [
  ...oddTexts.map(({ rule, does, text }) =>
    movingOne(`path-kept.${rule}`, `Moves a file to a name that contains ${does}.`, keepsPath(beside(` ${text}`))),
  ),
  movingOne(
    'path-kept.escapes',
    'Moves a file to a name that contains %20 and %2F, which are ordinary characters in a body.',
    keepsPath(beside('-a%20b%2Fc')),
  ),
  movingOne(
    'path-kept.outer-blanks',
    'Moves a file to a name that starts and ends with a space.',
    keepsPath(
      (session, { originalPath }) => `${directoryOf(originalPath)}/ ${session.newName()}${extensionOf(originalPath)} `,
    ),
  ),
  movingOne(
    'odd-path-answered',
    'Moves a file to paths with a NUL, with control characters, and of 5,000 characters.',
    expectOddPathsAnswered,
  ),
  ...Object.entries(letterTexts).map(([rule, { does, text }]) =>
    movingOne(`path-kept.${rule}`, `Moves a file to a name that contains ${does}.`, keepsPath(beside(text), 'exactly')),
  ),
  movingOne('path-kept.extension', 'Moves a file to a name with another extension.', keepsPath(withOtherExtension)),
  moving(
    'other-file-untouched.other-drive',
    'Moves a file away from a path that a file in another drive has too, and reads the other file.',
    expectNamesakeUntouched,
    { needs: ['writes', 'movableFile', 'filesOfTwoDrives'] },
  ),
  moving(
    'read-shows-new-path.parallel',
    'Moves up to four files of one drive at the same time, and reads each until it shows its path.',
    expectAllMoved,
    { needs: ['writes', 'movableFile', 'twoFilesOfOneDrive'] },
  ),
  movingOne('old-path-is-free', 'Moves a file away and back.', expectBackAccepted),
  movingOne(
    'read-shows-new-path.new-directory',
    'Moves a file to a directory of four levels that does not exist, and reads it until it shows the path.',
    intoNewDirectory('a/b/c'),
  ),
  movingOne(
    'read-shows-new-path.deep',
    'Moves a file to a path of twelve segments, and reads it until it shows the path.',
    intoNewDirectory('a/b/c/d/e/f/g/h/i/j'),
  ),
  movingOne(
    'read-shows-new-path.long',
    'Moves a file to a path of more than 300 characters, and reads it until it shows the path.',
    intoNewDirectory(`${'long-'.repeat(20)}a/${'long-'.repeat(20)}b/${'long-'.repeat(20)}c`),
  ),
  judging(
    'path-taken-over.every-move',
    'Compares the path in every response of the run with the path that was sent, where that is a plain one.',
    expectEveryPathTakenOver,
  ),
  judging(
    'other-fields-kept.every-file',
    'Compares every file that the run moved with its state at the start of the run.',
    expectEveryFileKept,
  ),
];

type PathFor = (session: Session, file: MovableFile) => string;

function beside(text: string): PathFor {
  return (session, { originalPath }) =>
    `${directoryOf(originalPath)}/${session.newName()}${text}${extensionOf(originalPath)}`;
}

function withOtherExtension(session: Session, { originalPath }: MovableFile): string {
  const extension = extensionOf(originalPath) === '.txt' ? '.md' : '.txt';
  return `${directoryOf(originalPath)}/${session.newName()}${extension}`;
}

/** The remark of a check whose path the target refuses. */
const isRefused = say`Refused, which is open (open point moveTargets).`;

function keepsPath(pathFor: PathFor, how?: HowKept): Check['run'] {
  return async (session) => {
    await firstMove(session);
    const file = await fileToMove(session);
    return expectKept(session, file, pathFor(session, file), how);
  };
}

// Whether such a path is accepted is open; that the server does not fail on it is not.
async function expectOddPathsAnswered(session: Session): Promise<void> {
  requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
  const file = await fileToMove(session);
  for (const text of Object.values(hardTexts)) {
    const path = `${directoryOf(file.originalPath)}/${session.newName()}${text}${extensionOf(file.originalPath)}`;
    await expectNoFailure(session, await sendMoveWithRetry(session, file, path));
  }
}

/** How a path is kept: exactly, or in any letter case and Unicode form, which is open. */
type HowKept = 'exactly' | 'in any form';

/** Moves a file. Which paths are accepted is open; what is accepted is kept, in the response and later. */
export async function expectKept(
  session: Session,
  file: MovableFile,
  path: string,
  how: HowKept = 'in any form',
): Promise<Sentence | undefined> {
  const reply = await sendMoveWithRetry(session, file, path);
  if (isGone(reply)) return isRefused;
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

async function expectSeenAt(session: Session, move: Move): Promise<void> {
  const { file, path } = move;
  await requirePlaced(session, async (isAgain) =>
    misplacedBy(session, isAgain ? { ...move, reply: await requireMove(session, file, path) } : move),
  );
}

interface Move {
  file: MovableFile;
  path: string;
  reply: Reply;
  /** Default: exactly. */
  how?: HowKept;
}

async function misplacedBy(
  session: Session,
  { file, path, reply: move, how = 'exactly' }: Move,
): Promise<Misplaced | undefined> {
  const { reply: later, isThere } = await awaitPath(session, file, path);
  if (isThere) return undefined;
  const expected = say`the file at ${asJson(path)}`;
  if (isGone(later)) throw new Violated(expected, describeReply(later), [move, later]);
  const seen = pathIn(later);
  if (how === 'in any form' && hasSameLetters(seen, path)) return undefined;
  if (seen !== undefined) return { file, violation: new Violated(expected, say`at ${asJson(seen)}`, [move, later]) };
  throw inconclusive(later, later.isSuccess ? 'PREREQUISITE' : 'TARGET', say``, ...judgesShape('getDriveFile'));
}

function intoNewDirectory(below: string): Check['run'] {
  return (session) => expectMoveInto(session, below);
}

// The last declared file: if the target loses it, checks of the first can go on.
async function expectMoveInto(session: Session, below: string): Promise<Sentence | undefined> {
  requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
  const file = await fileToMove(session, lastMovableFile);
  const name = session.newName();
  const refusal = await expectKept(session, file, `/${name}/${below}/${name}${extensionOf(file.originalPath)}`);
  if (refusal === undefined) return undefined;
  const [now, again] = [await readFile(session, file), await readFile(session, file)];
  if (isGone(now) && isGone(again)) throw new Violated(say`the file where it was`, describeReply(again), [again]);
  return refusal;
}

async function expectAllMoved(session: Session): Promise<Sentence | undefined> {
  requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
  const files = await variedFilesOfOneDrive(session, 4);
  if (files.length < 2) throw new Inconclusive('FILES', say`No other file of the same drive can be moved.`);
  let remark: Sentence | undefined;
  await requirePlaced(session, async () => {
    const accepted = (await moveAtOnce(session, files)).filter(({ reply }) => reply.isSuccess);
    const isEnough = accepted.length >= 2;
    if (!isEnough) remark = say`Only ${accepted.length} of ${files.length} concurrent moves were accepted.`;
    const misplaced = isEnough ? await inParallel(accepted, (move) => misplacedBy(session, move)) : [];
    return misplaced.find((one) => one !== undefined);
  });
  return remark;
}

function moveAtOnce(session: Session, files: readonly MovableFile[]): Promise<Move[]> {
  return inParallel(files, async (file) => {
    const path = newPath(session, file);
    return { file, path, reply: await sendMove(session, file, path) };
  });
}

async function expectNamesakeUntouched(session: Session): Promise<Sentence | undefined> {
  requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
  const [file, namesake] = await pairOfTwoDrives(session);
  let refusal: Sentence | undefined;
  await requirePlaced(session, async () => {
    const placed = await placeNamesakes(session, file, namesake);
    if (placed === undefined) refusal = isRefused;
    if (placed === undefined) return undefined;
    const away = `/${session.newName()}${extensionOf(file.originalPath)}`;
    return takenAlong(session, file, away, [{ file: namesake, path: placed }], say`the file of the other drive`);
  });
  return refusal;
}

/** Moves two files to the same path, each in its drive; undefined if that is refused. */
async function placeNamesakes(session: Session, file: MovableFile, namesake: MovableFile): Promise<string | undefined> {
  const path = `/${session.newName()}${extensionOf(file.originalPath)}`;
  for (const one of [namesake, file]) {
    const reply = await sendMoveWithRetry(session, one, path);
    if (isGone(reply)) return undefined;
    requireSuccess(reply, 'updateDriveFile.is-served');
    await awaitPath(session, one, path);
  }
  return path;
}

/** A file, and the path to which it was moved. */
type Placed = Pick<Move, 'file' | 'path'>;

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
    if (!isGone(now) && seen === undefined) throw inconclusive(now);
    const actual = seen === undefined ? describeReply(now) : say`at ${asJson(seen)}`;
    const violation = new Violated(say`${what} still at ${path}`, actual, [move, now]);
    if (seen === undefined) throw violation;
    return { file: other, violation };
  }
  return undefined;
}

// Back from a path in the same directory, so that the directory certainly exists.
async function expectBackAccepted(session: Session): Promise<void> {
  const file = await fileToMove(session);
  await requireMove(session, file, newPath(session, file));
  const reply = await sendMoveWithRetry(session, file, file.originalPath);
  if (reply.isSuccess) return expectSeenAt(session, { file, path: file.originalPath, reply });
  if (!isGone(reply)) throw inconclusive(reply);
  await requireMove(session, file, newPath(session, file));
  throw new Violated(say`the file can move back to ${asJson(file.originalPath)}`, describeReply(reply), [reply]);
}

/** Paths that no server has a reason to spell differently. */
const plainPath = /^(\/[a-z0-9-]+)+(\.[a-z0-9]+)?$/;

async function expectEveryPathTakenOver(session: Session): Promise<void> {
  const directories = new Set(initialPaths(session).map(({ path }) => directoryOf(path)));
  for (const reply of await successfulReplies(session, 'updateDriveFile')) {
    const [{ path: sent }, shown] = [sentObject(reply), pathIn(reply)];
    if (typeof sent !== 'string' || shown === undefined || shown === sent) continue;
    // The directories in which files were found are in the target's own spelling.
    const directory = directoryOf(sent);
    if (!plainPath.test(directories.has(directory) ? sent.slice(directory.length) : sent)) continue;
    throw new Violated(say`path: ${asJson(sent)}`, asJson(shown), [reply]);
  }
}

/** Compares every moved file with its state at the start of the run. */
async function expectEveryFileKept(session: Session): Promise<void> {
  await initialReadings(session);
  const moves = await successfulReplies(session, 'updateDriveFile');
  for (const { reply: before } of session.files.initial.filter(({ reply }) => reply.isSuccess)) {
    const move = moves.find(({ request }) => request.path === before.request.path);
    if (move !== undefined) expectContentKept(before, move, readingsAfter(session, move));
  }
}

function readingsAfter(session: Session, move: Reply): Reply[] {
  return session
    .successesOf('getDriveFile')
    .filter(({ request, sentAtMs }) => request.path === move.request.path && sentAtMs > move.receivedAtMs);
}

/** Fields that only change with the content. Others may be recomputed at any time in a long run. */
const contentFields = ['kind', 'id', 'size', 'contentType'];

// A field in which two readings differ changes by itself, as may fields set by processing when that ends or restarts.
function expectContentKept(before: Reply, move: Reply, after: readonly Reply[]): void {
  const [first, ...others] = after;
  if (first === undefined || others.length === 0) return;
  const isProcessed = [before, move, ...after].some(({ json }) => member(json, 'status') === 'processing');
  const field = contentFields.find((name) => {
    const isSteady = others.every(({ json }) => areSame(first.json, json, [name]));
    const counts = isSteady && !(isProcessed && setByProcessing.includes(name));
    return counts && member(before.json, name) !== undefined && !areSame(before.json, first.json, [name]);
  });
  if (field === undefined) return;
  const expected = say`${own(field)}: ${asJson(member(before.json, field))}`;
  throw new Violated(expected, asJson(member(first.json, field)), [before, move, first]);
}

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

/** Moves to paths similar to the old one, and moves of files with similar paths (4.6). */
export const nearMoveChecks: readonly Check[] = [
  ...nearPaths.map(({ rule, does, paths, how }) =>
    movingOne(`read-shows-new-path.${rule}`, `${does}, and reads it until it shows the path.`, (session) =>
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
  const file = await fileToMove(session);
  const start = newPath(session, file);
  await placeAt(session, file, start);
  const extension = extensionOf(file.originalPath);
  for (const path of paths(start.slice(0, start.length - extension.length), extension)) {
    const refusal = await expectKept(session, file, path, how);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
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
    return refusal === undefined
      ? takenAlong(session, file, newPath(session, file), neighbours, say`the other file`)
      : undefined;
  });
  return refusal;
}

// No path differs only in case: a target for which that is the same path may replace the file there.
async function placeNeighbours(session: Session, path: string, others: readonly MovableFile[]): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (const [index, file] of others.entries()) {
    const neighbour = { file, path: `${path}${index === 0 ? '-2' : '/below'}${extensionOf(file.originalPath)}` };
    const reply = await sendMoveWithRetry(session, file, neighbour.path);
    if (reply.isSuccess && (await awaitPath(session, file, neighbour.path)).isThere) placed.push(neighbour);
  }
  return placed;
}
