import { oncePerRun } from '../once.ts';
import type { Session } from '../session.ts';
import { type ClearedTree, clearedBy, clearTree, releaseRest } from './cleared-trees.ts';
import { MoveRefused } from './file-moves.ts';
import { availableFiles, type Place, type PlacedFiles, placeFiles } from './placed-files.ts';
import { requireDeletionsInTime } from './shared-trees.ts';
import { sendDeletionWithRetry } from './tree-deletions.ts';

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
export interface NamedDeletion extends ClearedTree {
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

// More than a batch of ten.
const mostInTree = 11;
// In this order, a few files cover the first level, the last one and the middle.
const levels = [1, 8, 4, 6, 2, 7, 3, 5];
const deepTree = '/a/b/c/d/large';
const flatTree = '/large';

/** The last trees of the run: they use the remaining disposable files, except those that observers need. */
export const parallelTrees = oncePerRun(async (session: Session): Promise<ParallelTrees> => {
  session.requireDestruction();
  await requireDeletionsInTime(session);
  const count = Math.max(1, Math.min(mostInTree, (await sparedByObservers(session)) - 1));
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

type PlacedTree = PlacedFiles & { path: string };

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
