import { say } from '../../lib/sentence.ts';
import type { FileFixture } from '../config/settings.ts';
import { inParallel } from '../in-parallel.ts';
import type { CallOptions, Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import type { Reply } from '../target/reply.ts';
import { noteMovedOut } from './deletion-record.ts';
import { awaitPath, isGone, pathIn, readFile } from './file-moves.ts';
import { movedByAnother, requirePlaced } from './misplaced.ts';
import type { MovableFile } from './movable-file.ts';
import { type PlacedFiles, placeAt, release } from './placed-files.ts';
import { awaitGone, type LastReading, readUntilGone, sendDeletionWithRetry } from './tree-deletions.ts';

/** A tree of placed files after its deletion. */
export interface ClearedTree extends PlacedFiles {
  /** The path that was deleted. */
  path: string;
  reply: Reply;
  /** The last reading of each placed file, by role; if the deletion did not succeed, only those that are in doubt. */
  readings: Map<string, LastReading>;
}

/** Deletes a tree of placed files, and reads each file until its fate is clear. The rest is released. */
export async function clearTree(
  session: Session,
  placed: PlacedFiles,
  path: string,
  options: CallOptions = {},
): Promise<ClearedTree> {
  for (let attempt = 1; ; attempt++) {
    const reply = await sendDeletionWithRetry(session, placed.driveId, path, options);
    if (!isGone(reply) || !(await isEmptied(session, placed, path))) return clearedBy(session, placed, path, reply);
    if (attempt === mostAttempts) throw movedByAnother();
    for (const [role, file] of doomedFiles(placed, path)) await placeAt(session, file, placed.paths.get(role) ?? '');
  }
}

const mostAttempts = 3;

function doomedFiles(placed: PlacedFiles, path: string): [role: string, file: MovableFile][] {
  return [...placed.files].filter(([role]) => isBelow(placed, role, path));
}

/** Whether the tree may be missing because another client has moved all its files. */
export async function isEmptied(session: Session, placed: PlacedFiles, path: string): Promise<boolean> {
  const readings = await inParallel(doomedFiles(placed, path), async ([role, file]) =>
    isElsewhere(placed, role, { reply: await readFile(session, file) }),
  );
  return readings.length > 0 && !readings.includes(false);
}

/** What a deletion did to placed files. */
export async function clearedBy(
  session: Session,
  placed: PlacedFiles,
  path: string,
  reply: Reply,
): Promise<ClearedTree> {
  const read = reply.isSuccess ? readingsOf : doubtsOf;
  return { ...placed, path, reply, readings: await read(session, placed, path, reply) };
}

/** What a refused deletion says about its tree: nothing, if the tree may be missing. */
async function doubtsOf(session: Session, placed: PlacedFiles, path: string, reply: Reply): Promise<Readings> {
  if (!isGone(reply) || !(await isEmptied(session, placed, path))) return new Map();
  const reading = { reply, isGone: false, doubt: movedByAnother() };
  return new Map(doomedFiles(placed, path).map(([role]) => [role, reading]));
}

type Readings = ClearedTree['readings'];

// The files in the tree first: when they are gone, the deletion is complete.
async function readingsOf(session: Session, placed: PlacedFiles, path: string): Promise<Readings> {
  const others = [...placed.files].filter(([role]) => !isBelow(placed, role, path));
  const gone = await inParallel(
    doomedFiles(placed, path),
    async ([role, file]) => [role, await awaitGone(session, file)] as const,
  );
  const delayMs = session.learned.delaysMs.deletion / 4;
  const kept = await inParallel(others, async ([role, file]) => {
    const reading = await readUntilGone(session, file, delayMs);
    return [role, await settled(session, placed, role, file, reading)] as const;
  });
  const readings = new Map([...gone, ...kept]);
  for (const [role, reading] of readings) {
    if (!isElsewhere(placed, role, reading)) continue;
    if (isBelow(placed, role, path)) noteMovedOut(session, { ...placed, path });
    const doubt = await doubtOf(session, { ...placed, path }, role, reading);
    if (doubt !== undefined) readings.set(role, { ...reading, doubt });
  }
  return readings;
}

/** Why a file that is elsewhere after a deletion says nothing about the target: another client may have moved it. */
async function doubtOf(
  session: Session,
  tree: PlacedTree,
  role: string,
  { reply }: LastReading,
): Promise<Inconclusive | undefined> {
  const [file, path] = [tree.files.get(role) as MovableFile, tree.paths.get(role) ?? ''];
  const violation = new Violated(say`the file at ${path}, or gone`, say`it is at another path`, [reply]);
  const error = await requirePlaced(session, async (isAgain) => {
    const isRight = isAgain && (await isRightAnew(session, tree, file, path));
    return isRight ? undefined : { file, violation };
  }).catch((thrown: unknown) => thrown);
  if (error instanceof Inconclusive) return error;
  if (error === violation) return undefined;
  throw error;
}

type PlacedTree = PlacedFiles & Pick<ClearedTree, 'path'>;

/** Places a file anew and deletes the tree once more: whether the file is gone, or stays, as it should. */
async function isRightAnew(
  session: Session,
  { driveId, path: tree }: PlacedTree,
  file: MovableFile,
  path: string,
): Promise<boolean> {
  await placeAt(session, file, path);
  await sendDeletionWithRetry(session, driveId, tree);
  if (path.startsWith(`${tree}/`)) return (await awaitGone(session, file)).isGone;
  return (await awaitPath(session, file, path)).isThere;
}

// A lagging replica may show an earlier path.
async function settled(
  session: Session,
  placed: PlacedFiles,
  role: string,
  file: FileFixture,
  reading: LastReading,
): Promise<LastReading> {
  const path = placed.paths.get(role);
  if (reading.isGone || path === undefined || !isElsewhere(placed, role, reading)) return reading;
  const { reply } = await awaitPath(session, file, path);
  return { reply, isGone: isGone(reply) };
}

/** Whether a placed file is in a tree of its drive. */
export function isBelow({ driveId, files, paths }: PlacedFiles, role: string, path: string): boolean {
  return files.get(role)?.driveId === driveId && paths.get(role)?.startsWith(`${path}/`) === true;
}

/** Whether a file shows a different path from the one at which it was placed. */
export function isElsewhere({ paths }: PlacedFiles, role: string, { reply }: Pick<LastReading, 'reply'>): boolean {
  const shown = pathIn(reply);
  return shown !== undefined && shown !== paths.get(role);
}

/** Makes the files outside the deleted tree available again, or all files if the deletion was refused. */
export async function releaseRest(session: Session, tree: ClearedTree, except: readonly string[] = []): Promise<void> {
  const isLeft = (role: string) => !except.includes(role) && !isBelow(tree, role, tree.path);
  const rest = [...tree.files].filter(([role]) => !tree.reply.isSuccess || isLeft(role));
  await release(
    session,
    rest.map(([, file]) => file),
  );
}
