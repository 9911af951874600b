import assert from 'node:assert/strict';
import { valuesOf } from './input-rules.ts';
import { afterThisCall, type Presence, presenceOf } from './lag.ts';
import type { Outcome } from './outcome.ts';
import { directoryNamed, fold, isBelow, normalize, presenceOfAny, segmentsOf, spell } from './paths.ts';
import { type DriveState, type FileState, meetId, takeOut, touch } from './picture.ts';
import { driveAbsence, type Expectation, ownDrive, type Scene } from './scene.ts';
import { compare } from './views.ts';

export const deleteDriveTree: Expectation = {
  outcomes: (scene) => {
    if (ownDrive(scene) === undefined) return [driveAbsence(scene)];
    if (treePath(scene) === undefined) return ['success'];
    const isRoot = spell(treePath(scene) as string, scene.profile) === '/';
    if (isRoot && scene.profile['treePath.root'] === 'refused') return ['invalid-input'];
    return treeOutcomes(scene, treeOf(scene));
  },
  whenFound: (scene, outcomes) => (ownDrive(scene) === undefined ? [driveAbsence(scene)] : outcomes),
  succeeded: (scene, body) => {
    const tree = treePath(scene) === undefined ? emptyTree : treeOf(scene);
    const { message, jobId, documentCount } = body as { message: unknown; jobId: unknown; documentCount: number };
    compare(body, { message, jobId, documentCount }, 'deletion', scene.profile);
    meetId(jobId, scene.picture);
    assertCount(documentCount, tree, scene);
    remove(tree, scene);
    const isDone = tree.sure.length > 0 && scene.profile.treeDeletion === 'immediate';
    touch(ownDrive(scene) as DriveState, isDone, scene.profile);
  },
};

const emptyTree: Tree = { named: 'no', sure: [], unsure: [] };

/** The files that a deletion takes, and those of which the register does not say if it does. */
interface Tree {
  /** Whether the path itself is one of a file. */
  named: Presence;
  sure: FileState[];
  unsure: FileState[];
}

function treePath({ call, profile }: Scene): string | undefined {
  return valuesOf(call, profile.treePathParameter)[0];
}

// A path that names a file and no directory: what then holds is an open point of its own.
function treeOutcomes(scene: Scene, tree: Tree): Outcome[] {
  if (tree.sure.length > 0) return ['success'];
  const missing = scene.profile['treePath.missing'] === 'emptyJob' ? 'success' : 'not-found';
  const ofFile = { deleted: 'success', likeMissing: missing, refused: 'invalid-input' } as const;
  const named = tree.named === 'no' ? [] : [ofFile[scene.profile['treePath.file']]];
  if (tree.unsure.length === 0 && tree.named === 'yes') return named;
  return [...named, ...(tree.unsure.length > 0 ? (['success'] as const) : []), missing];
}

// A file may be where a directory is. Whether a deletion of the directory takes it then, is not said.
function treeOf(scene: Scene): Tree {
  const { files } = ownDrive(scene) as DriveState;
  const directory = directoryNamed(treePath(scene) as string, scene.profile);
  const here = files.filter((file) => presenceOf(file, scene.organization) !== 'no');
  const named = here.filter((file) => fold(file.path, scene.profile) === fold(directory, scene.profile));
  const below = here.filter((file) => isBelow(file.path, directory, scene.profile));
  const taken = below.length === 0 && scene.profile['treePath.file'] !== 'deleted' ? [] : [...below, ...named];
  const isUnclear = isClosed(scene) || below.length > 0;
  const sure = taken.filter((file) => isSurelyTaken(file, scene) && !(named.includes(file) && isUnclear));
  return { named: presenceOfNamed(named, scene), sure, unsure: taken.filter((file) => !sure.includes(file)) };
}

function isSurelyTaken(file: FileState, { organization }: Scene): boolean {
  return presenceOf(file, organization) === 'yes' && file.deletedAt === undefined;
}

function presenceOfNamed(named: readonly FileState[], scene: Scene): Presence {
  const presence = presenceOfAny(named, scene.organization);
  return presence === 'yes' && isClosed(scene) ? 'maybe' : presence;
}

// A closing slash that is kept says that the path is one of a directory: whether it then names a file, is not said.
function isClosed(scene: Scene): boolean {
  return scene.profile['pathForm.spelling'] === 'verbatim' && treePath(scene)?.endsWith('/') === true;
}

function assertCount(count: number, { sure, unsure }: Tree, scene: Scene): void {
  const withDirectories = scene.profile.documentCount === 'filesAndDirectories';
  const least = sure.length + (withDirectories ? directoriesOf(sure, scene).length : 0);
  const all = [...sure, ...unsure];
  const most = all.length + (withDirectories ? directoriesOf(all, scene).length : 0);
  const slack = withDirectories && all.length > 0 && isCountUnclear(all, scene) ? 1 : 0;
  assert.ok(count >= least - slack && count <= most + slack, `documentCount ${count}, not ${least} to ${most}`);
}

// Whether the root counts as a directory is not said, nor one that is a file too, nor the nameless one in /a//b.
function isCountUnclear(files: readonly FileState[], scene: Scene): boolean {
  const isRoot = segmentsOf(treePath(scene) ?? '').length === 0;
  const isBoth = (path: string) => files.some((file) => isBelow(file.path, path, scene.profile));
  return isRoot || files.some(({ path }) => path !== normalize(path) || isBoth(path));
}

// The directory of the tree itself is one, and each directory in it that holds a file, at whatever depth.
function directoriesOf(files: readonly FileState[], scene: Scene): string[] {
  const depth = segmentsOf(treePath(scene) ?? '').length;
  const directories = files.flatMap(({ path }) => {
    const parents = segmentsOf(fold(path, scene.profile)).slice(0, -1);
    return parents.map((_, index) => parents.slice(0, index + 1).join('/')).slice(Math.max(0, depth - 1));
  });
  return [...new Set(directories)];
}

function remove({ sure, unsure }: Tree, scene: Scene): void {
  const drive = ownDrive(scene) as DriveState;
  for (const file of unsure.filter(({ deletedAt }) => deletedAt === undefined)) {
    Object.assign(file, { isUnsure: true, deletedAt: afterThisCall(scene.organization) });
  }
  if (scene.profile.treeDeletion === 'immediate') takeOut(drive, (file) => sure.includes(file));
  for (const file of sure) file.deletedAt = afterThisCall(scene.organization);
}
