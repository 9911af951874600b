/*
 * The trees that checks share, each made once per run: files are placed, the tree is deleted, and each file is read until its
 * fate is clear. A file at another path is in doubt: another client may have moved it (`doubtOf`). After a refused
 * deletion, a check that asks for a reading is inconclusive: `readingOf` in `checks/trees.ts` throws.
 */
import { say } from '../../lib/sentence.ts';
import { mostInLargeTree } from '../checks/check.ts';
import { inParallel, oncePerRun } from '../run/once.ts';
import type { FileFixture } from '../run/settings.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { extensionOf, fileKey, type MovableFile } from '../safety/receipt.ts';
import { currentClock } from '../target/clock.ts';
import { type AuthHeaderName, validKey } from '../target/credentials.ts';
import { member, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { CallOptions, Session } from '../target/session.ts';
import { awaitListed, sharedCreation } from './creations.ts';
import { awaitPath, MoveRefused, movedByAnother, pathIn, readFile, requirePlaced, saysNoSuchFile } from './files.ts';
import { findById } from './lists.ts';
import {
  availableFiles,
  type Place,
  type PlacedFiles,
  placeAt,
  placeFiles,
  placeInOtherDrive,
  release,
  tooFewFiles,
} from './placed-files.ts';
import {
  awaitGone,
  awaitLateDeletion,
  type Before,
  type Changed,
  changedSince,
  expectStillThere,
  type LastReading,
  lostBy,
  noteMovedOut,
  readOthers,
  readUntilGone,
  sendDeletion,
  sendDeletionWithRetry,
} from './tree-deletions.ts';

/** A new drive of the run. The list must show it with that name: it must not be anybody else's drive. */
export const emptyDrive = oncePerRun(async (session): Promise<string> => {
  session.requireDestruction();
  const drive = await sharedCreation(session, 'createDrive', 'first');
  const { listing } = await awaitListed(session, [drive]);
  if (member(findById(listing, drive.id), 'name') === drive.sent.name) return drive.id;
  const reason = say`The list does not show the new drive under the id of the response.`;
  throw new Inconclusive('PREREQUISITE', reason, 'listDrives.created-drive', 'listDrives.created-drive-is-the-same');
});

/** A deletion of a nonexistent path in a new, empty drive. */
export const missingTree = oncePerRun(async (session) =>
  sendDeletion(session, await emptyDrive(session), `/${session.newName()}`),
);

/** A tree of placed files after its deletion. */
export interface ClearedTree extends PlacedFiles {
  /** The path that was deleted. */
  path: string;
  reply: Reply;
  /** The last reading of each placed file, by role; if the deletion did not succeed, only those that are in doubt. */
  readings: Map<string, LastReading>;
}

/** Deletes a tree of placed files, and reads each file until its fate is clear. The rest is released. */
async function clearTree(
  session: Session,
  placed: PlacedFiles,
  path: string,
  options: CallOptions = {},
): Promise<ClearedTree> {
  for (let attempt = 1; ; attempt++) {
    const reply = await sendDeletionWithRetry(session, placed.driveId, path, options);
    if (!saysNoSuchFile(reply) || !(await isEmptied(session, placed, path)))
      return clearedBy(session, placed, path, reply);
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
async function clearedBy(session: Session, placed: PlacedFiles, path: string, reply: Reply): Promise<ClearedTree> {
  const read = reply.isSuccess ? readingsOf : doubtsOf;
  return { ...placed, path, reply, readings: await read(session, placed, path, reply) };
}

/** What a refused deletion says about its tree: nothing, if the tree may be missing. */
async function doubtsOf(session: Session, placed: PlacedFiles, path: string, reply: Reply): Promise<Readings> {
  if (!saysNoSuchFile(reply) || !(await isEmptied(session, placed, path))) return new Map();
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
  // Never reported: it is thrown only to be recognised below.
  const stillElsewhere = new Violated(say`the file at ${path}, or gone`, say`it is at another path`, [reply]);
  const error = await requirePlaced(session, async (isAgain) => {
    const isRight = isAgain && (await isRightAnew(session, tree, file, path));
    return isRight ? undefined : { file, violation: stillElsewhere };
  }).catch((thrown: unknown) => thrown);
  if (error instanceof Inconclusive) return error;
  if (error === stillElsewhere) return undefined;
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
  return { reply, isGone: saysNoSuchFile(reply) };
}

/** Whether a placed file is in a tree of its drive. */
function isBelow({ driveId, files, paths }: PlacedFiles, role: string, path: string): boolean {
  return files.get(role)?.driveId === driveId && paths.get(role)?.startsWith(`${path}/`) === true;
}

/** Whether a file shows a different path from the one at which it was placed. */
export function isElsewhere({ paths }: PlacedFiles, role: string, { reply }: Pick<LastReading, 'reply'>): boolean {
  const shown = pathIn(reply);
  return shown !== undefined && shown !== paths.get(role);
}

/** Makes the files outside the deleted tree available again, or all files if the deletion was refused. */
async function releaseRest(session: Session, tree: ClearedTree, except: readonly string[] = []): Promise<void> {
  const isLeft = (role: string) => !except.includes(role) && !isBelow(tree, role, tree.path);
  const rest = [...tree.files].filter(([role]) => !tree.reply.isSuccess || isLeft(role));
  await release(
    session,
    rest.map(([, file]) => file),
  );
}

/** The first deleted tree of the run, shared by several checks. */
export interface DeletedTree extends ClearedTree {
  /** Files outside the tree that were there right before the deletion and are gone or elsewhere right after it. */
  changed: Changed[];
}

/** The role of the file at the same path in another drive, and of the one that refills the tree. */
export const inOtherDrive = 'other-drive';
const refill = 'parent';

const places: readonly Place[] = [
  { role: 'below', path: '/tree/below' },
  { role: 'deep', path: '/tree/a/b/deep', isOptional: true },
  { role: refill, path: '/parent', isOptional: true },
  { role: 'prefix', path: '/tree-2/beside', isOptional: true, standsBy: true },
  { role: 'elsewhere', path: '/other{base}/tree/elsewhere', isOptional: true, standsBy: true },
  { role: 'moved-out', via: '/tree/out', path: '/moved-out', isOptional: true, standsBy: true },
];

/** The first deletion of a tree with a key in one auth header. With the usual auth header the tree has all roles. */
export const deletedTree = oncePerRun(async (session, authHeader: AuthHeaderName): Promise<DeletedTree> => {
  const isWhole = authHeader === session.learned.authHeader;
  const placed = await placeFiles(session, isWhole ? places : places.slice(0, 1));
  const path = `${placed.base}/tree`;
  if (isWhole) await addFileOfOtherDrive(session, placed);
  const credentials = validKey(session.settings.apiKey, authHeader);
  const before = isWhole ? await readOutside(session, placed, path) : [];
  const cleared = await clearTree(session, placed, path, { credentials });
  const changed = cleared.reply.isSuccess ? await changedSince(session, before) : [];
  await releaseRest(session, cleared, [refill]);
  return { ...cleared, changed };
});

/** The first deletion of a tree in the usual auth header. */
export function usualDeletedTree(session: Session): Promise<DeletedTree> {
  return deletedTree(session, session.learned.authHeader);
}

/**
 * How long the file in the first tree took to vanish, in milliseconds, if longer than the time to settle; undefined if
 * it did not vanish within {@link longestMs}. Waits for it once.
 */
export const lateDeletion = oncePerRun(async (session: Session): Promise<number | undefined> => {
  const { files, reply } = await usualDeletedTree(session);
  const limitMs = longestMs(session.settings.settleMs) - (currentClock().nowMs() - reply.receivedAtMs);
  const { isGone: isLate } = await readUntilGone(session, files.get('below') as MovableFile, Math.max(0, limitMs));
  return isLate ? currentClock().nowMs() - reply.receivedAtMs : undefined;
});

/** How long to wait for a late deletion: three times the time to settle, but at most five seconds longer than it. */
export function longestMs(settleMs: number): number {
  return Math.min(3 * settleMs, settleMs + 5_000);
}

/** Throws {@link Inconclusive} if the first deletion did not show in time: others would not tell more. */
export async function requireDeletionsInTime(session: Session): Promise<void> {
  const { reply, readings } = await usualDeletedTree(session);
  const reading = readings.get('below');
  if (!reply.isSuccess || reading === undefined || reading.isGone || reading.doubt !== undefined) return;
  const reason = say`The file in the first tree did not vanish within ${session.settings.settleMs} ms.`;
  throw new Inconclusive('PREREQUISITE', reason, 'deleteDriveTree.file-below-is-gone');
}

async function addFileOfOtherDrive(session: Session, { driveId, files, paths }: PlacedFiles): Promise<void> {
  const path = paths.get('below') ?? '';
  const file = await placeInOtherDrive(session, driveId, path);
  if (file === undefined) return;
  files.set(inOtherDrive, file);
  paths.set(inOtherDrive, path);
}

function readOutside(session: Session, placed: PlacedFiles, path: string): Promise<Before[]> {
  const inTree = [...placed.files].filter(([role]) => isBelow(placed, role, path));
  return readOthers(session, new Set(inTree.map(([, file]) => fileKey(file))));
}

/** The first tree, after it was refilled and deleted once more. */
export const refilledTree = oncePerRun(async (session: Session): Promise<ClearedTree> => {
  const { driveId, base, path, files, reply } = await usualDeletedTree(session);
  requireSuccess(reply, 'deleteDriveTree.is-served');
  await requireDeletionsInTime(session);
  const file = files.get(refill);
  if (file === undefined) throw tooFewFiles(say`No disposable file of the drive was left.`);
  const again = `${path}/again${extensionOf(file.originalPath)}`;
  await placeAt(session, file, again);
  const [placed, paths] = [new Map([['below', file]]), new Map([['below', again]])];
  return clearTree(session, { driveId, base, files: placed, paths, refused: new Set() }, path);
});

/** The target of requests that must not delete anything. */
export interface GuardTree {
  driveId: string;
  base: string;
  path: string;
  /** The last segment of `path`, which is unique: a path resolved to the root meets nothing with this name. */
  name: string;
  file: MovableFile;
}

/** A tree with one file that is certainly there. Afterwards it is known how long a deletion takes on this target. */
export async function guardTree(session: Session): Promise<GuardTree> {
  await usualDeletedTree(session);
  for (let attempt = 1; ; attempt++) {
    const guard = await placeGuard(session, attempt);
    if (!saysNoSuchFile(await readFile(session, guard.file))) return guard;
  }
}

const placeGuard = oncePerRun(async (session, _attempt: number): Promise<GuardTree> => {
  const { driveId, base, files } = await placeFiles(session, [{ role: 'guard', path: '{base}/guard' }]);
  return { driveId, base, path: base + base, name: base.slice(1), file: files.get('guard') as MovableFile };
});

/** The guard tree, where plain deletions succeed, so a refused request was refused for its oddity. */
export async function guardAfterDeletion(session: Session): Promise<GuardTree> {
  const guard = await guardTree(session);
  requireSuccess((await usualDeletedTree(session)).reply, 'deleteDriveTree.is-served');
  return guard;
}

/**
 * Sends requests that must not delete the guard tree: all in parallel; only if its file is gone afterwards, one after
 * the other. Throws `Violated` with the request that deleted it.
 */
export async function expectGuardKept<Item>(
  session: Session,
  items: readonly Item[],
  send: (item: Item, guard: GuardTree) => Promise<Reply>,
): Promise<void> {
  const guard = await guardAfterDeletion(session);
  const replies = await inParallel(items, (item) => send(item, guard));
  const { reply, isGone } = await awaitLateDeletion(session, guard.file);
  if (!isGone) return;
  for (const item of items) {
    const next = await guardAfterDeletion(session);
    await expectStillThere(session, next.file, await send(item, next));
  }
  throw lostBy(replies.at(-1) ?? reply, reply);
}

/** A directory whose name careless code misreads, and those beside it with which it would be confused, by role. */
interface NamedTree {
  name: string;
  beside: Readonly<Record<string, string>>;
}

/**
 * Directories that a collation confuses with the tree. That is a common bug, so only disposable files are put there:
 * others could be lost.
 */
const collated = ['case', 'accent', 'sharp-s', 'normal-form', 'full-width', 'dotless-i'];

/** Trees with names that may be read as patterns, as encoded, or as a different text. */
export const namedTrees = {
  // First, since it needs the most files.
  letters: {
    name: 'R&D Größe in 日本',
    beside: {
      accent: 'R&D Große in 日本',
      'sharp-s': 'R&D Grösse in 日本',
      'normal-form': 'R&D Größe in 日本'.normalize('NFD'),
      'full-width': 'Ｒ&D Größe in 日本',
      'dotless-i': 'R&D Größe ın 日本',
      'blank-before': ' R&D Größe in 日本',
    },
  },
  patterns: { name: 'v1.0_a', beside: { case: 'V1.0_A', dot: 'v1x0_a', underscore: 'v1.0xa' } },
  wildcards: { name: '[s]*50%', beside: { asterisk: '[s]x50%', brackets: 's*50%', 'percent-sign': '[s]*50 off' } },
  encodings: { name: 'p%41%2Fs q+r', beside: { percent: 'pA/s q+r', plus: 'p%41%2Fs q r' } },
  punctuation: {
    name: 'it\'s_"so"_#1?;y=z',
    beside: { 'blank-inside': 'it\'s_ "so"_#1?;y=z', 'blank-behind': 'it\'s_"so"_#1?;y=z ' },
  },
} as const satisfies Record<string, NamedTree>;
export type TreeName = keyof typeof namedTrees;

/** The deletion of a named tree. `byPlus`: the first deletion, with a + for each blank, if there are blanks. */
interface NamedDeletion extends ClearedTree {
  byPlus?: ClearedTree;
}

/** A named tree that was deleted; undefined if files cannot be moved there, which is open. */
export const namedTree = oncePerRun(async (session, which: TreeName): Promise<NamedDeletion | undefined> => {
  session.requireDestruction();
  await requireDeletionsInTime(session);
  const { name, beside } = namedTrees[which];
  const placed = await placeUnlessRefused(session, [
    { role: 'below', path: `/${name}/below` },
    ...Object.entries(beside).map(([role, other]) => ({
      ...{ role, path: `/${other}/beside`, isOptional: true },
      standsBy: !collated.includes(role),
    })),
  ]);
  if (placed === undefined) return undefined;
  const tree = await clearNamed(session, placed, `${placed.base}/${name}`);
  await releaseRest(session, tree);
  return tree;
});

// A blank is first sent as +, and as %20 only if the file stays: so one file is enough for both.
async function clearNamed(session: Session, placed: PlacedFiles, path: string): Promise<NamedDeletion> {
  if (!path.includes(' ') || path.includes('+')) return clearTree(session, placed, path);
  const reply = await sendDeletionWithRetry(session, placed.driveId, path, { hasPlusForBlank: true });
  const byPlus = await clearedBy(session, placed, path, reply);
  const isGone = byPlus.readings.get('below')?.isGone === true;
  return { ...(isGone ? byPlus : await clearTree(session, placed, path)), byPlus };
}

async function placeUnlessRefused(
  session: Session,
  places: readonly Place[],
  options: Parameters<typeof placeFiles>[2] = {},
): Promise<PlacedFiles | undefined> {
  return placeFiles(session, places, options).catch((error: unknown) => {
    // Plain paths were accepted before.
    if (!(error instanceof MoveRefused)) throw error;
    return undefined;
  });
}

/** Names with dots that are not a `..` segment, by the last part of their check's id. */
export const dottedNames = { inside: 'a..b', leading: '..a', three: '...' } as const;

/** A tree whose path has all dotted names; undefined if its deletion or a file in it was refused. */
export const dottedTree = oncePerRun(async (session: Session): Promise<ClearedTree | undefined> => {
  session.requireDestruction();
  await requireDeletionsInTime(session);
  const name = Object.values(dottedNames).join('/');
  const placed = await placeUnlessRefused(session, [{ role: 'below', path: `/${name}/below` }]);
  if (placed === undefined) return undefined;
  const tree = await clearTree(session, placed, `${placed.base}/${name}`);
  await releaseRest(session, tree);
  return tree.reply.isSuccess ? tree : undefined;
});

/** Two trees deleted at the same time. */
interface ParallelTrees {
  /** It has one file. */
  small: ClearedTree;
  /** It has the remaining ones up to a limit, in directories on several levels and of any status. */
  large: ClearedTree;
}

// In this order, a few files cover the first level, the last one and the middle.
const levels = [1, 8, 4, 6, 2, 7, 3, 5];
const deepTree = '/a/b/c/d/large';
const flatTree = '/large';

/** The last trees of the run: they use the remaining disposable files, except those that observers need. */
export const parallelTrees = oncePerRun(async (session: Session): Promise<ParallelTrees> => {
  session.requireDestruction();
  await requireDeletionsInTime(session);
  const count = Math.max(1, Math.min(mostInLargeTree, (await sparedByObservers(session)) - 1));
  // How deep directories may be is open.
  const deep = await placeUnlessRefused(session, placesIn(deepTree, count), { isLarge: true });
  const placed = deep ?? (await placeFiles(session, placesIn(flatTree, count), { isLarge: true }));
  const at = (directory: string) => part(placed, `${placed.base}${directory}`);
  const [small, large] = await clearAtOnce(session, [at('/small'), at(deep === undefined ? flatTree : deepTree)]);
  return { small, large };
});

/** A place in the small tree, and `count` places in the large one. */
function placesIn(large: string, count: number): Place[] {
  const inLarge = Array.from({ length: count }, (_, index): Place => {
    const level = levels[index % levels.length] ?? 1;
    const directories = Array.from({ length: level - 1 }, (_, above) => `/${above + 1}`).join('');
    return { role: `below-${index}`, path: `${large}${directories}/file-${index}`, isOptional: index > 0 };
  });
  return [{ role: 'below', path: '/small/below' }, ...inLarge];
}

// Unlike `clearTree`, does not try again after a 404: then that tree would not be deleted beside the other one any more.
async function clearAtOnce(session: Session, trees: [PlacedTree, PlacedTree]): Promise<[ClearedTree, ClearedTree]> {
  const send = ({ driveId, path }: PlacedTree) => sendDeletionWithRetry(session, driveId, path);
  const replies = await Promise.all([send(trees[0]), send(trees[1])]);
  const clear = (index: 0 | 1) => clearedBy(session, trees[index], trees[index].path, replies[index]);
  return Promise.all([clear(0), clear(1)]);
}

/** How many files in the fullest drive are not needed later: observers use two files in one drive, and one in any. */
async function sparedByObservers(session: Session): Promise<number> {
  const byDrive = Map.groupBy(await availableFiles(session), ({ driveId }) => driveId).values();
  const [fullest = 0, ...others] = Array.from(byDrive, ({ length }) => length).sort((a, b) => b - a);
  const pairHere = others.some((count) => count >= 2) ? 0 : 2;
  const singles = others.reduce((sum, count) => sum + count, 0) - (2 - pairHere);
  return fullest - pairHere - (singles > 0 ? 0 : 1);
}

/** The files of a tree among the placed ones. */
function part({ files, paths, ...rest }: PlacedFiles, path: string): PlacedTree {
  const roles = [...files.keys()].filter((role) => paths.get(role)?.startsWith(`${path}/`));
  const only = <T>(values: Map<string, T>) => new Map([...values].filter(([role]) => roles.includes(role)));
  return { ...rest, path, files: only(files), paths: only(paths) };
}
