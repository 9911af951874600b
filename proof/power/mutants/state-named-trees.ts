import { setTimeout } from 'node:timers/promises';
import type { DriveFile } from '../../../src/domain/resources.ts';
import type { Answer } from '../../../src/engine/call.ts';
import type { Break, Engine, Mutant, WireFault } from '../mutant.ts';
import { idIn, isSuccess, onCallersOf } from './patch.ts';
import { changeSubtrees, filesIn, inEachTree, takeFiles, treesOf } from './patch-store.ts';
import { table, wireTable } from './table.ts';
import { changeRequest, idsIn, write } from './wire-faults.ts';

/** The path of a tree as a pattern, in which some characters stand for others. */
function asPattern(path: string, toSource: (character: string) => string | undefined): RegExp {
  const escaped = (one: string) => one.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  const source = [...path.replace(/\/$/, '')].map((one) => toSource(one) ?? escaped(one)).join('');
  return new RegExp(`^${source}/`, 'su');
}

function takeByPattern(toSource: (character: string) => string | undefined): Break {
  return takeFiles((file, path) => asPattern(path, toSource).test(file.path));
}

/** Lets every deletion work on another path than the one that was sent. */
function misread(change: (path: string) => string): Break {
  return changeSubtrees((path, under) => under(change(path)));
}

/** Lets deletions leave some of the files in the tree. */
function keep(isKept: (file: DriveFile, index: number) => boolean): Break {
  return changeSubtrees((path, under) => {
    const subtree = under(path);
    const below = path === '/' ? subtree.below : subtree.below.filter((file, index) => !isKept(file, index));
    return { ...subtree, below };
  });
}

const reading: readonly Mutant[] = table('state', 'store', {
  'deleteDriveTree.file-beside-is-kept.underscore: an-underscore-in-a-tree-path-means-any-character': [
    'The path of a tree goes into LIKE unescaped, where an underscore stands for any character.',
    takeByPattern((one) => (one === '_' ? '.' : undefined)),
  ],
  'deleteDriveTree.file-beside-is-kept.percent-sign: a-percent-sign-in-a-tree-path-means-any-text': [
    'The path of a tree goes into LIKE unescaped, where a percent sign stands for any text.',
    takeByPattern((one) => (one === '%' ? '.*' : undefined)),
  ],
  'deleteDriveTree.file-beside-is-kept.brackets: brackets-in-a-tree-path-mean-one-of-them': [
    'The path of a tree goes into a pattern in which brackets stand for one of the characters between them.',
    takeByPattern((one) => ('[]'.includes(one) ? one : undefined)),
  ],
  'deleteDriveTree.file-beside-is-kept.case: a-tree-deletion-ignores-case': [
    'Paths are compared without case.',
    takeFiles((file, path) => file.path.toLowerCase().startsWith(`${path.toLowerCase()}/`)),
  ],
  'deleteDriveTree.file-beside-is-kept.elsewhere: a-tree-is-found-anywhere-in-a-path': [
    'A tree is found wherever its path stands in another one.',
    takeFiles((file, path) => file.path.includes(`${path}/`)),
  ],
  'deleteDriveTree.file-below-is-gone.patterns: a-tree-path-is-cut-at-a-dot': [
    'What looks like an extension is taken off the path of a tree.',
    misread((path) => path.replace(/\.[^/]*$/, '')),
    { 'treePath.missing': 'emptyJob' },
  ],
  'deleteDriveTree.file-below-is-gone.wildcards: a-percent-sign-in-a-tree-path-is-lost': [
    'Percent signs at the end of the path of a tree are lost.',
    misread((path) => path.replace(/%$/, '')),
    { 'treePath.missing': 'emptyJob' },
  ],
  'deleteDriveTree.file-below-is-gone.encodings: a-tree-path-is-unescaped-once-more': [
    'Escapes in the path of a tree are read as the characters they stand for.',
    misread((path) => path.replaceAll(/%41|%2F/g, decodeURIComponent)),
  ],
  'deleteDriveTree.file-below-is-gone.letters: a-tree-path-is-cut-at-an-ampersand': [
    'What follows an ampersand in the path of a tree is lost.',
    misread((path) => path.replace(/&.*/, '')),
    { 'treePath.missing': 'emptyJob' },
  ],
  'deleteDriveTree.file-below-is-gone.letters: a-tree-path-is-read-as-latin-1': [
    'The bytes of the path of a tree are read as Latin-1.',
    misread((path) => Buffer.from(path, 'utf8').toString('latin1')),
    { 'treePath.missing': 'emptyJob' },
  ],
  'deleteDriveTree.file-below-is-gone.punctuation: quotes-in-a-tree-path-are-escaped': [
    'Quotes in the path of a tree are escaped for HTML.',
    misread((path) => path.replaceAll('"', '&quot;')),
    { 'treePath.missing': 'emptyJob' },
  ],
  'deleteDriveTree.directory-is-found: a-tree-with-quotes-is-not-found': [
    'A directory with an apostrophe in its path is not found.',
    misread((path) => path.replaceAll("'", "''")),
  ],
  'deleteDriveTree.file-below-is-gone.every: a-tree-deletion-stops-after-two-files': [
    'A tree deletion stops after one batch of two files.',
    keep((_, index) => index >= 2),
  ],
  'deleteDriveTree.file-below-is-gone.every: a-tree-deletion-skips-files-in-processing': [
    'Files that are being processed are locked, and a tree deletion keeps them.',
    keep(({ status }) => status === 'processing'),
  ],
});

/** Deletions after the first one of a drive. */
function laterOnly(change: (path: string, isAgain: boolean) => string): Break {
  const seen = new Set<string>();
  return changeSubtrees((path, under, { driveId }) => {
    const subtree = under(path);
    const key = `${driveId} ${path}`;
    const isAgain = seen.has(key);
    if (subtree.below.length > 0) seen.add(key);
    return under(change(path, isAgain));
  });
}

const later: readonly Mutant[] = table('state', 'store', {
  'deleteDriveTree.file-below-is-gone.again: a-tree-is-deleted-once-only': [
    'Paths of deleted trees are noted as done, and are not deleted again.',
    laterOnly((path, isAgain) => (isAgain ? '/there is no such directory' : path)),
    { 'treePath.missing': 'emptyJob' },
  ],
});

/** Deletes by every path that a file ever had. */
const byOldPaths: Break = inEachTree(({ tree }) => {
  const paths = new Map<string, Set<string>>();
  const [put, under] = [tree.put.bind(tree), tree.under.bind(tree)];
  tree.put = (file) => {
    const before = tree.find(file.id)?.path ?? file.path;
    paths.set(file.id, new Set([...(paths.get(file.id) ?? []), before, file.path]));
    put(file);
  };
  tree.under = (path) => {
    const wasBelow = ({ id }: DriveFile) => [...(paths.get(id) ?? [])].some((one) => one.startsWith(`${path}/`));
    const subtree = under(path);
    if (path === '/') return subtree;
    const others = under('/').below.filter((file) => wasBelow(file) && !subtree.below.includes(file));
    return { ...subtree, below: [...subtree.below, ...others] };
  };
});

/** Keeps deleted files, and lets a move bring them back. */
function reviveMoved(): Break {
  return (engine) => {
    const deleted = new Map<string, DriveFile>();
    inEachTree(({ tree }) => {
      const remove = tree.remove.bind(tree);
      tree.remove = (id) => {
        const file = tree.find(id);
        if (file !== undefined) deleted.set(id, file);
        remove(id);
      };
    })(engine);
    onCallersOf('updateDriveFile', (call, sound) => {
      const file = deleted.get(idIn(call, 'fileId'));
      const drive = treesOf(engine).find(({ driveId }) => driveId === idIn(call, 'driveId'));
      if (file !== undefined) drive?.tree.put(file);
      return sound.answer(call);
    })(engine);
  };
}

/** Shows a deleted file again after it was once not found. */
function reviveRead(): Break {
  const shown = new Map<string, Answer>();
  const misses = new Map<string, number>();
  return onCallersOf('getDriveFile', (call, sound) => {
    const id = idIn(call, 'fileId');
    const answer = sound.answer(call);
    if (isSuccess(answer)) shown.set(id, answer);
    const known = shown.get(id);
    if (isSuccess(answer) || known === undefined) return answer;
    misses.set(id, (misses.get(id) ?? 0) + 1);
    return misses.get(id) === 1 ? answer : known;
  });
}

const coming: readonly Mutant[] = [
  ...table('state', 'store', {
    'deleteDriveTree.file-beside-is-kept.moved-out: a-tree-takes-files-that-were-moved-out': [
      'Files are found by every path that they ever had, so that one that was moved out of a tree is deleted with it.',
      byOldPaths,
    ],
  }),
  ...table('state', 'engine', {
    'deleteDriveTree.deleted-file-is-not-moved: a-move-brings-a-deleted-file-back': [
      'Deleted files are only marked, and a move finds them still.',
      reviveMoved(),
    ],
    'deleteDriveTree.file-below-is-gone.for-good: a-deleted-file-comes-back': [
      'A deleted file is not found once, and then again served from a cache.',
      // With a memory of its own each time it is started.
      (engine) => reviveRead()(engine),
    ],
  }),
];

/** Of two deletions in a drive at the same time, the first is undone. */
function undoOvertaken(engine: Engine): WireFault {
  const latest = new Map<string, number>();
  let count = 0;
  return async (request, response, forward) => {
    const [driveId = ''] = idsIn(request.url ?? '');
    const tree = treesOf(engine).find((drive) => drive.driveId === driveId)?.tree;
    const before = tree === undefined ? [] : filesIn(tree);
    const own = ++count;
    latest.set(driveId, own);
    const answer = await forward();
    const deleted = before.filter(({ id }) => tree?.find(id) === undefined);
    await setTimeout(whileMs);
    if (latest.get(driveId) !== own) for (const file of deleted) tree?.put(file);
    write(response, answer);
  };
}

const whileMs = 20;

const onTheWire: readonly Mutant[] = wireTable('state', {
  'deleteDriveTree.file-below-is-gone.parallel: of-deletions-at-the-same-time-the-last-is-done': [
    'Deletions of one drive share a place for their job: of several at the same time the last one is done.',
    undoOvertaken,
  ],
  'deleteDriveTree.file-below-is-gone.blank-as-plus: a-plus-in-a-query-is-a-plus': [
    'A query is decoded without the rules of forms, so that + is no blank.',
    () => changeRequest((url) => ({ path: url.replaceAll('+', '%2B') })),
    { 'treePath.missing': 'emptyJob' },
  ],
});

export const stateOfNamedTrees: readonly Mutant[] = [...reading, ...later, ...coming, ...onTheWire];
