import type { FileTree } from '../../../src/domain/file-tree.ts';
import type { Engine, Mutant } from '../mutant.ts';
import { changeCalls, idIn, onCallersOf, sentParameter, withPath } from './patch.ts';
import { changeSubtrees, type DriveFiles, drives, idsOf, treesOf } from './patch-store.ts';
import { isLegal } from './path-rules.ts';
import { table } from './table.ts';

/** The files of the other drives of the same organization. */
function otherTrees(engine: Engine, drive: DriveFiles): FileTree[] {
  return treesOf(engine)
    .filter(({ organization, driveId }) => organization === drive.organization && driveId !== drive.driveId)
    .map(({ tree }) => tree);
}

/** Deletions that are carried out in other drives. */
export const treesElsewhere: readonly Mutant[] = [
  ...table('state', 'store', {
    'deleteDriveTree.file-beside-is-kept.other-drive: a-tree-is-deleted-in-every-drive': [
      'The deletion of a directory is carried out in every drive of the organization.',
      (engine) => {
        const untouched = new Map(treesOf(engine).map(({ tree }) => [tree, tree.under.bind(tree)]));
        changeSubtrees((path, under, drive) => {
          for (const tree of path === '/' ? [] : otherTrees(engine, drive)) {
            for (const { id } of untouched.get(tree)?.(path).below ?? []) tree.remove(id);
          }
          return under(path);
        })(engine);
      },
    ],
  }),
  ...table('state', 'engine', {
    'deleteDriveTree.file-beside-is-kept.other-drive: a-tree-deletion-is-repeated-in-the-other-drives': [
      'Before a tree is deleted in its drive it is deleted in all the other drives.',
      onCallersOf('deleteDriveTree', (call, sound, caller) => {
        const path = sentParameter(call, 'path') ?? '';
        const isKnown = caller.drivesById.has(idIn(call, 'driveId'));
        for (const driveId of isKnown && isLegal(path) ? caller.drivesById.keys() : []) {
          if (driveId !== idIn(call, 'driveId')) sound.answer(withPath(call, { driveId }));
        }
        return sound.answer(call);
      }),
    ],
    'deleteDriveTree.unknown-drive: a-tree-of-an-unknown-drive-is-an-empty-job': [
      'A tree deletion in a drive that is not there succeeds with an empty job.',
      changeCalls('deleteDriveTree', (call, caller, engine) => {
        const isKnown = idsOf(engine, drives).has(idIn(call, 'driveId'));
        const [driveId] = caller.drivesById.keys();
        if (isKnown || driveId === undefined || !isLegal(sentParameter(call, 'path') ?? '')) return call;
        return { ...withPath(call, { driveId }), query: 'path=/there is no such directory' };
      }),
      { 'treePath.missing': 'emptyJob' },
    ],
    'deleteDriveTree.unknown-drive: an-unknown-drive-is-made-for-a-tree-deletion': [
      'The store makes a drive for an unknown id on the way, so that deletions in it succeed.',
      changeCalls('deleteDriveTree', (call, caller, engine) => {
        const driveId = idIn(call, 'driveId');
        const [known] = caller.drivesById.values();
        const isKnown = idsOf(engine, drives).has(driveId);
        if (known !== undefined && !isKnown) caller.drivesById.set(driveId, { ...known, id: driveId });
        return call;
      }),
      { 'treePath.missing': 'emptyJob' },
    ],
  }),
];
