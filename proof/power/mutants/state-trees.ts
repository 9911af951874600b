import type { DriveFile } from '../../../src/domain/resources.ts';
import type { Break, Mutant } from '../mutant.ts';
import { changeSubtrees, filesIn, inEach, inEachTree, takeFiles, treesOf } from './patch-store.ts';
import { treesElsewhere } from './state-trees-elsewhere.ts';
import { table } from './table.ts';

/** How many directories lie between a tree and a file of it. */
function depthOf(file: DriveFile, path: string): number {
  return file.path.slice(path.replace(/\/$/, '').length + 1).split('/').length - 1;
}

/** Lets every deletion leave out the files of the tree that `isKept` names. */
function keepFiles(isKept: (file: DriveFile, path: string, all: DriveFile[]) => boolean): Break {
  return changeSubtrees((path, under) => {
    const subtree = under(path);
    return { ...subtree, below: subtree.below.filter((file, _, all) => !isKept(file, path, all)) };
  });
}

/** Files of the tree that a deletion leaves there. */
const leftovers: readonly Mutant[] = table('state', 'store', {
  'deleteDriveTree.file-below-is-gone: a-tree-deletion-does-nothing': [
    'A tree deletion answers with a job and the right number of documents, and deletes none of them.',
    inEachTree(({ tree }) => {
      tree.remove = () => {};
    }),
  ],
  'deleteDriveTree.file-below-is-gone: a-tree-deletion-never-comes-to-pass': [
    'Deletions are put off and never done.',
    inEach(({ deferred }) => {
      deferred.later = () => {};
    }),
    { treeDeletion: 'asynchronous' },
  ],
  'deleteDriveTree.file-below-is-gone: a-tree-deletion-keeps-the-files-of-the-directory-itself': [
    'A tree deletion deletes the directories in the tree and keeps the files directly in it.',
    keepFiles((file, path) => depthOf(file, path) === 0),
  ],
  'deleteDriveTree.file-below-is-gone: a-tree-deletion-keeps-the-first-direct-file': [
    'Of the files directly in the tree the first one is kept.',
    keepFiles((file, path, all) => file === all.find((candidate) => depthOf(candidate, path) === 0)),
  ],
  'deleteDriveTree.file-below-is-gone: a-file-moved-into-a-tree-outlives-it': [
    'A tree deletion takes the files that were in the tree from the start; one that was moved there is kept.',
    (engine) => {
      const homes = new Map(treesOf(engine).flatMap(({ tree }) => filesIn(tree).map(({ id, path }) => [id, path])));
      keepFiles(({ id, path }) => homes.get(id) !== path)(engine);
    },
    { 'treePath.missing': 'emptyJob' },
  ],
  'deleteDriveTree.file-below-is-gone.deep: a-tree-deletion-takes-direct-files-only': [
    'A tree deletion does not go into the directories of the tree.',
    keepFiles((file, path) => depthOf(file, path) > 0),
  ],
  'deleteDriveTree.file-below-is-gone.deep: a-tree-deletion-goes-one-directory-down': [
    'A tree deletion keeps what lies two or more directories below the tree.',
    keepFiles((file, path) => depthOf(file, path) > 1),
  ],
  'deleteDriveTree.file-below-is-gone.deep: a-tree-deletion-keeps-the-last-deep-file': [
    'Of the files in directories of the tree the last one is kept.',
    keepFiles((file, path, all) => file === all.findLast((candidate) => depthOf(candidate, path) > 0)),
  ],
});

/** The directory that a path lies in. */
function parentOf(path: string): string {
  const bare = path.replace(/\/$/, '');
  return bare.slice(0, bare.lastIndexOf('/')) || '/';
}

function isBelow(file: DriveFile, directory: string): boolean {
  return file.path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
}

/** Reads a path as a pattern: `toSource` makes the source of an expression of one of its characters. */
function matches(file: DriveFile, path: string, toSource: (character: string) => string | undefined): boolean {
  const escaped = (one: string) => one.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  const source = [...path.replace(/\/$/, '')].map((one) => toSource(one) ?? escaped(one)).join('');
  return new RegExp(`^${source}/`, 'us').test(file.path);
}

/** Lets every deletion that finds a file take the first one outside the tree that is meant as well. */
function takeOneMore(isMeant: (file: DriveFile, path: string) => boolean): Break {
  return changeSubtrees((path, under) => {
    const subtree = under(path);
    const outside = under('/').below.find((file) => !subtree.below.includes(file) && isMeant(file, path));
    return subtree.below.length === 0 || !outside ? subtree : { ...subtree, below: [...subtree.below, outside] };
  });
}

/** Files beside the tree that a deletion takes as well. */
const losses: readonly Mutant[] = table('state', 'store', {
  'deleteDriveTree.file-beside-is-kept: a-tree-deletion-empties-the-drive': [
    'A tree deletion that finds a file empties the whole drive.',
    changeSubtrees((path, under) => (under(path).below.length > 0 ? under('/') : under(path))),
  ],
  'deleteDriveTree.file-beside-is-kept: a-tree-deletion-takes-one-file-more': [
    'A tree deletion that finds a file takes one more: the first file of the drive outside the tree.',
    takeOneMore(() => true),
  ],
  'deleteDriveTree.file-beside-is-kept.prefix: a-tree-deletion-takes-the-other-directories-beside-it': [
    'A tree deletion takes the directories beside the tree as well; files directly in its parent are kept.',
    takeFiles((file, path) => isBelow(file, parentOf(path)) && depthOf(file, parentOf(path)) > 0),
  ],
  'deleteDriveTree.file-beside-is-kept.prefix: a-tree-deletion-compares-characters': [
    'A tree deletion takes every file whose path begins with the same characters.',
    takeFiles((file, path) => file.path.startsWith(path.replace(/\/$/, ''))),
  ],
  'deleteDriveTree.file-beside-is-kept.prefix: a-tree-deletion-compares-characters-of-found-trees': [
    'A tree deletion that finds a file below the path takes one more: the next whose path begins alike.',
    takeOneMore((file, path) => file.path.startsWith(path.replace(/\/$/, ''))),
  ],
  'deleteDriveTree.file-beside-is-kept.parent: a-tree-deletion-takes-the-parent-directory': [
    'A tree deletion takes everything in the directory that the tree lies in.',
    changeSubtrees((path, under) => under(parentOf(path))),
  ],
  'deleteDriveTree.file-beside-is-kept.parent: a-tree-deletion-takes-the-files-of-the-parent': [
    'A tree deletion takes the files directly in the parent directory; directories beside the tree are kept.',
    takeFiles(
      (file, path) => isBelow(file, path) || (isBelow(file, parentOf(path)) && depthOf(file, parentOf(path)) === 0),
    ),
  ],
  'deleteDriveTree.file-beside-is-kept.dot: a-dot-in-a-tree-path-means-any-character': [
    'In the path of a tree a dot stands for any character, as in a regular expression.',
    takeFiles((file, path) => matches(file, path, (one) => (one === '.' ? '[^/]' : undefined))),
  ],
  'deleteDriveTree.file-beside-is-kept.asterisk: an-asterisk-in-a-tree-path-means-any-text': [
    'In the path of a tree an asterisk stands for any characters of a segment, as in a shell.',
    takeFiles((file, path) => matches(file, path, (one) => (one === '*' ? '[^/]*' : undefined))),
  ],
  'deleteDriveTree.file-beside-is-kept.percent: a-tree-path-is-decoded-twice': [
    'The path of a tree is percent-decoded twice, so that another directory is deleted than was named.',
    changeSubtrees((path, under) => under(decodedAgain(path))),
  ],
  'deleteDriveTree.file-beside-is-kept.plus: a-plus-in-a-tree-path-means-a-blank': [
    'A plus sign in the path of a tree is taken for a blank, so that another directory is deleted.',
    changeSubtrees((path, under) => under(path.replaceAll('+', ' '))),
  ],
});

function decodedAgain(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export const stateOfTrees: readonly Mutant[] = [...leftovers, ...losses, ...treesElsewhere];
