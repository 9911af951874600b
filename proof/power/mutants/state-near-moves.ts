import type { Break, Mutant } from '../mutant.ts';
import { changeMoves, filesIn, inEachTree } from './patch-store.ts';
import { table } from './table.ts';

/** Lets moves fail to change the path where `isLost` says so. Their answers show the new one. */
function lose(isLost: (path: string, before: string) => boolean): Break {
  return changeMoves(({ path }, { path: old, name }) => (isLost(path, old) ? { kept: { path: old, name } } : {}));
}

function withoutExtension(path: string): string {
  return path.replace(/\.\w+$/, '');
}

/** Moves that are lost because of how the new path is like the old one, or for its depth or length. */
export const stateOfNearMoves: readonly Mutant[] = table('state', 'store', {
  'updateDriveFile.read-shows-new-path.back: a-move-back-is-lost': [
    'A file cannot move to a path that it had before: the event is taken for a duplicate.',
    loseRepeated,
  ],
  'updateDriveFile.read-shows-new-path.case: a-change-of-case-is-lost': [
    'A move that changes only the case of letters is taken for no change.',
    lose((path, before) => path.toLowerCase() === before.toLowerCase()),
  ],
  'updateDriveFile.read-shows-new-path.one-character: a-longer-name-is-lost': [
    'A move to a path that begins with the old one is taken for no change.',
    lose((path, before) => withoutExtension(path).startsWith(withoutExtension(before))),
  ],
  'updateDriveFile.read-shows-new-path.extension-only: a-change-of-extension-is-lost': [
    'A move that changes only the extension is taken for no change.',
    lose((path, before) => withoutExtension(path) === withoutExtension(before)),
  ],
  'updateDriveFile.read-shows-new-path.deep: a-move-keeps-ten-segments': [
    'Of the new path ten segments are kept.',
    changeMoves(({ path }) => ({ kept: { path: path.split('/').slice(0, 11).join('/') } })),
  ],
  'updateDriveFile.read-shows-new-path.long: a-move-keeps-255-characters': [
    'Of the new path 255 characters are kept.',
    changeMoves(({ path }) => ({ kept: { path: path.slice(0, 255) } })),
  ],
  'updateDriveFile.read-shows-new-path.neighbour: a-move-takes-longer-paths-along': [
    'A move takes the files along whose path begins with the old one.',
    inEachTree(({ tree }) => {
      const put = tree.put.bind(tree);
      tree.put = (moved) => {
        const before = tree.find(moved.id)?.path ?? moved.path;
        const others = filesIn(tree).filter(({ id, path }) => id !== moved.id && path.startsWith(before));
        put(moved);
        for (const file of others) put({ ...file, path: moved.path + file.path.slice(before.length) });
      };
    }),
  ],
});

function loseRepeated(...[engine]: Parameters<Break>): void {
  const seen = new Set<unknown>();
  changeMoves(({ id, path }, { path: old, name }, { driveId }) => {
    const keyOf = (one: string) => `${driveId} ${id} ${one}`;
    seen.add(keyOf(old));
    return path !== old && seen.has(keyOf(path)) ? { kept: { path: old, name } } : {};
  })(engine);
}
