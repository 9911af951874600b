import type { DriveFile } from '../../../src/domain/resources.ts';
import type { Break, Mutant } from '../mutant.ts';
import { isSuccess, onCallersOf } from './patch.ts';
import { changeSubtrees, inEachTree, takeFiles } from './patch-store.ts';
import { table } from './table.ts';

/** Lets every deletion take the files in all directories that `fold` makes one with its own. */
function fold(toOne: (path: string) => string): Break {
  return takeFiles((file, path) => toOne(file.path).startsWith(`${toOne(path)}/`));
}

const unaccented = (path: string) => path.normalize('NFD').replace(/\p{M}/gu, '');

/** Directories that are taken for the tree. */
const folded: readonly Mutant[] = table('state', 'store', {
  'deleteDriveTree.file-beside-is-kept.accent: a-tree-deletion-ignores-accents': [
    'Paths are compared without accents.',
    fold(unaccented),
  ],
  'deleteDriveTree.file-beside-is-kept.sharp-s: a-tree-deletion-folds-case-in-full': [
    'Paths are compared in capital letters, where ß is SS.',
    fold((path) => path.toUpperCase()),
  ],
  'deleteDriveTree.file-beside-is-kept.normal-form: a-tree-deletion-composes-letters': [
    'Paths are kept as they were sent, and compared in one normal form.',
    fold((path) => path.normalize('NFC')),
  ],
  'deleteDriveTree.file-beside-is-kept.full-width: a-tree-deletion-ignores-the-width-of-letters': [
    'Paths are compared in a form in which wide letters are plain ones.',
    fold((path) => path.normalize('NFKC')),
  ],
  'deleteDriveTree.file-beside-is-kept.dotless-i: a-tree-deletion-takes-dotless-letters-along': [
    'Paths are compared by a collation in which a dotless i is an i.',
    fold((path) => path.replaceAll('ı', 'i')),
  ],
  'deleteDriveTree.file-beside-is-kept.blank-before: a-tree-deletion-trims-names-on-the-left': [
    'Blanks at the start of a name are ignored.',
    fold((path) => path.replaceAll(/\/ +/g, '/')),
  ],
  'deleteDriveTree.file-beside-is-kept.blank-behind: a-tree-deletion-trims-names-on-the-right': [
    'Blanks at the end of a name are ignored, as in a column of fixed width.',
    fold((path) => path.replaceAll(/ +(?=\/|$)/g, '')),
  ],
  'deleteDriveTree.file-beside-is-kept.blank-inside: a-tree-deletion-ignores-blanks': [
    'Blanks in paths are ignored.',
    fold((path) => path.replaceAll(' ', '')),
  ],
});

const depthOf = (path: string) => path.split('/').length - 1;

/** Trees that are too deep or too large. */
const bounded: readonly Mutant[] = table('state', 'store', {
  'deleteDriveTree.file-below-is-gone.every: a-tree-deletion-goes-five-directories-down': [
    'A tree deletion keeps what lies more than five directories below the tree.',
    changeSubtrees((path, under) => {
      const subtree = under(path);
      return { ...subtree, below: subtree.below.filter((file) => depthOf(file.path) - depthOf(path) <= 6) };
    }),
  ],
  'deleteDriveTree.file-below-is-gone.every: deep-directories-are-not-deleted': [
    'A directory on the sixth level or below is not deleted.',
    changeSubtrees((path, under) => (depthOf(path) > 5 ? { ...under(path), below: [] } : under(path))),
    { 'treePath.missing': 'emptyJob' },
  ],
});

/** Lets every deletion that finds nothing take other files. */
function takeInstead(choose: (path: string, all: DriveFile[]) => DriveFile[]): Break {
  return changeSubtrees((path, under) => {
    const subtree = under(path);
    return path === '/' || subtree.below.length > 0 ? subtree : { ...subtree, below: choose(path, under('/').below) };
  });
}

/** Lets a deletion that finds nothing, and that found something before, take the last file. */
const takeLastAgain: Break = (engine) => {
  const done = new Set<string>();
  changeSubtrees((path, under) => {
    const subtree = under(path);
    if (subtree.below.length > 0) done.add(path);
    else if (done.has(path)) return { ...subtree, below: under('/').below.slice(-1) };
    return subtree;
  })(engine);
};

const nothing: readonly Mutant[] = table('state', 'store', {
  'deleteDriveTree.file-beside-is-kept.missing-tree: a-missing-tree-is-the-directory-above-it': [
    'A directory that is not found is taken for the next one above it that is.',
    takeInstead((path, all) => {
      const above = path.slice(0, path.lastIndexOf('/'));
      return all.filter((file) => above !== '' && file.path.startsWith(`${above}/`));
    }),
    { 'treePath.missing': 'emptyJob' },
  ],
  'deleteDriveTree.file-beside-is-kept.again: an-empty-tree-takes-the-last-file': [
    'The position of a deleted tree is kept, and its next deletion takes what stands there now.',
    takeLastAgain,
    { 'treePath.missing': 'emptyJob' },
  ],
});

/** Lets every new drive bring the deleted files back. */
const reviveWithDrive: Break = (engine) => {
  const deleted: (() => void)[] = [];
  inEachTree(({ tree }) => {
    const remove = tree.remove.bind(tree);
    tree.remove = (id) => {
      const file = tree.find(id);
      if (file !== undefined) deleted.push(() => tree.put(file));
      remove(id);
    };
  })(engine);
  onCallersOf('createDrive', (call, sound) => {
    const answer = sound.answer(call);
    if (isSuccess(answer)) for (const revive of deleted.splice(0)) revive();
    return answer;
  })(engine);
};

const reviving: readonly Mutant[] = table('state', 'engine', {
  'deleteDriveTree.file-below-is-gone.for-good: a-new-drive-brings-deleted-files-back': [
    'The creation of a drive replays the log without its deletions.',
    reviveWithDrive,
  ],
});

export const stateOfDeletedTrees: readonly Mutant[] = [...folded, ...bounded, ...nothing, ...reviving];
