import type { DriveFile } from '../../../src/domain/resources.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { changeSubtrees, filesIn, organizationsOf, takeFiles, treesOf } from './patch-store.ts';
import { treesElsewhere } from './state-trees-elsewhere.ts';

const gone = { class: 'state', place: 'store', requirement: 'deleteDriveTree.tree-is-deleted' } as const;
const kept = { class: 'state', place: 'store', requirement: 'deleteDriveTree.rest-is-kept' } as const;

/** How many directories lie between a tree and a file of it. */
function depthOf(file: DriveFile, path: string): number {
  return file.path.slice(path.replace(/\/$/, '').length + 1).split('/').length - 1;
}

/** Lets every deletion leave out the files of the tree that `isKept` names. */
function keepFiles(engine: Engine, isKept: (file: DriveFile, path: string, all: DriveFile[]) => boolean): void {
  changeSubtrees(engine, (path, under) => {
    const subtree = under(path);
    return { ...subtree, below: subtree.below.filter((file, _, all) => !isKept(file, path, all)) };
  });
}

/** Files of the tree that a deletion leaves there. */
const leftovers: readonly Mutant[] = [
  {
    id: 'a-tree-deletion-does-nothing',
    ...gone,
    check: 'deleteDriveTree.file-below-is-gone',
    fault: 'A tree deletion answers with a job and the right number of documents, and deletes none of them.',
    break: (engine) => {
      for (const { tree } of treesOf(engine)) {
        const put = tree.put.bind(tree);
        const remove = tree.remove.bind(tree);
        let isMoving = false;
        tree.put = (file) => {
          isMoving = true;
          put(file);
          isMoving = false;
        };
        tree.remove = (id) => (isMoving ? remove(id) : undefined);
      }
    },
  },
  {
    id: 'a-tree-deletion-never-comes-to-pass',
    ...gone,
    check: 'deleteDriveTree.file-below-is-gone',
    fault: 'Deletions are put off and never done.',
    profile: { treeDeletion: 'asynchronous' },
    break: (engine) => {
      for (const { deferred } of organizationsOf(engine)) deferred.later = () => {};
    },
  },
  {
    id: 'a-tree-deletion-keeps-the-files-of-the-directory-itself',
    ...gone,
    check: 'deleteDriveTree.file-below-is-gone',
    fault: 'A tree deletion deletes the directories in the tree and keeps the files directly in it.',
    break: (engine) => keepFiles(engine, (file, path) => depthOf(file, path) === 0),
  },
  {
    id: 'a-tree-deletion-keeps-the-first-direct-file',
    ...gone,
    check: 'deleteDriveTree.file-below-is-gone',
    fault: 'Of the files directly in the tree the first one is kept.',
    break: (engine) =>
      keepFiles(engine, (file, path, all) => file === all.find((candidate) => depthOf(candidate, path) === 0)),
  },
  {
    id: 'a-tree-deletion-takes-direct-files-only',
    ...gone,
    check: 'deleteDriveTree.file-below-is-gone.deep',
    fault: 'A tree deletion does not go into the directories of the tree.',
    break: (engine) => keepFiles(engine, (file, path) => depthOf(file, path) > 0),
  },
  {
    id: 'a-tree-deletion-goes-one-directory-down',
    ...gone,
    check: 'deleteDriveTree.file-below-is-gone.deep',
    fault: 'A tree deletion keeps what lies two or more directories below the tree.',
    break: (engine) => keepFiles(engine, (file, path) => depthOf(file, path) > 1),
  },
  {
    id: 'a-tree-deletion-keeps-the-last-deep-file',
    ...gone,
    check: 'deleteDriveTree.file-below-is-gone.deep',
    fault: 'Of the files in directories of the tree the last one is kept.',
    break: (engine) =>
      keepFiles(engine, (file, path, all) => file === all.findLast((candidate) => depthOf(candidate, path) > 0)),
  },
  {
    id: 'a-file-moved-into-a-tree-outlives-it',
    ...gone,
    check: 'deleteDriveTree.file-below-is-gone',
    fault: 'A tree deletion takes the files that were in the tree from the start; one that was moved there is kept.',
    profile: { missingTree: 'emptyJob' },
    break: (engine) => {
      const homes = new Map(treesOf(engine).flatMap(({ tree }) => filesIn(tree).map(({ id, path }) => [id, path])));
      keepFiles(engine, ({ id, path }) => homes.get(id) !== path);
    },
  },
];

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

/** Files beside the tree that a deletion takes as well. */
const losses: readonly Mutant[] = [
  {
    id: 'a-tree-deletion-empties-the-drive',
    ...kept,
    check: 'deleteDriveTree.file-beside-is-kept',
    fault: 'A tree deletion that finds a file empties the whole drive.',
    break: (engine) =>
      changeSubtrees(engine, (path, under) => (under(path).below.length > 0 ? under('/') : under(path))),
  },
  {
    id: 'a-tree-deletion-takes-one-file-more',
    ...kept,
    check: 'deleteDriveTree.file-beside-is-kept',
    fault: 'A tree deletion that finds a file takes one more: the first file of the drive outside the tree.',
    break: (engine) =>
      changeSubtrees(engine, (path, under) => {
        const subtree = under(path);
        const outside = under('/').below.filter((file) => !subtree.below.includes(file));
        return subtree.below.length === 0 ? subtree : { ...subtree, below: [...subtree.below, ...outside.slice(0, 1)] };
      }),
  },
  {
    id: 'a-tree-deletion-takes-the-other-directories-beside-it',
    ...kept,
    check: 'deleteDriveTree.file-beside-is-kept.prefix',
    fault: 'A tree deletion takes the directories beside the tree as well; files directly in its parent are kept.',
    break: (engine) =>
      takeFiles(engine, (file, path) => isBelow(file, parentOf(path)) && depthOf(file, parentOf(path)) > 0),
  },
  {
    id: 'a-tree-deletion-compares-characters',
    ...kept,
    check: 'deleteDriveTree.file-beside-is-kept.prefix',
    fault: 'A tree deletion takes every file whose path begins with the same characters.',
    break: (engine) => takeFiles(engine, (file, path) => file.path.startsWith(path.replace(/\/$/, ''))),
  },
  {
    id: 'a-tree-deletion-compares-characters-of-found-trees',
    ...kept,
    check: 'deleteDriveTree.file-beside-is-kept.prefix',
    fault: 'A tree deletion that finds a file below the path takes one more: the next whose path begins alike.',
    break: (engine) =>
      changeSubtrees(engine, (path, under) => {
        const subtree = under(path);
        const bare = path.replace(/\/$/, '');
        const alike = under('/').below.filter((file) => file.path.startsWith(bare) && !isBelow(file, bare));
        return subtree.below.length === 0 ? subtree : { ...subtree, below: [...subtree.below, ...alike.slice(0, 1)] };
      }),
  },
  {
    id: 'a-tree-deletion-takes-the-parent-directory',
    ...kept,
    check: 'deleteDriveTree.file-beside-is-kept.parent',
    fault: 'A tree deletion takes everything in the directory that the tree lies in.',
    break: (engine) => changeSubtrees(engine, (path, under) => under(parentOf(path))),
  },
  {
    id: 'a-tree-deletion-takes-the-files-of-the-parent',
    ...kept,
    check: 'deleteDriveTree.file-beside-is-kept.parent',
    fault: 'A tree deletion takes the files directly in the parent directory; directories beside the tree are kept.',
    break: (engine) =>
      takeFiles(
        engine,
        (file, path) => isBelow(file, path) || (isBelow(file, parentOf(path)) && depthOf(file, parentOf(path)) === 0),
      ),
  },
  {
    id: 'a-dot-in-a-tree-path-means-any-character',
    ...kept,
    check: 'deleteDriveTree.file-beside-is-kept.dot',
    fault: 'In the path of a tree a dot stands for any character, as in a regular expression.',
    break: (engine) =>
      takeFiles(engine, (file, path) => matches(file, path, (one) => (one === '.' ? '[^/]' : undefined))),
  },
  {
    id: 'an-asterisk-in-a-tree-path-means-any-text',
    ...kept,
    check: 'deleteDriveTree.file-beside-is-kept.asterisk',
    fault: 'In the path of a tree an asterisk stands for any characters of a segment, as in a shell.',
    break: (engine) =>
      takeFiles(engine, (file, path) => matches(file, path, (one) => (one === '*' ? '[^/]*' : undefined))),
  },
  {
    id: 'a-tree-path-is-decoded-twice',
    ...kept,
    check: 'deleteDriveTree.file-beside-is-kept.percent',
    fault: 'The path of a tree is percent-decoded twice, so that another directory is deleted than was named.',
    break: (engine) => changeSubtrees(engine, (path, under) => under(decodedAgain(path))),
  },
  {
    id: 'a-plus-in-a-tree-path-means-a-blank',
    ...kept,
    check: 'deleteDriveTree.file-beside-is-kept.plus',
    fault: 'A plus sign in the path of a tree is taken for a blank, so that another directory is deleted.',
    break: (engine) => changeSubtrees(engine, (path, under) => under(path.replaceAll('+', ' '))),
  },
];

function decodedAgain(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export const stateOfTrees: readonly Mutant[] = [...leftovers, ...losses, ...treesElsewhere];
