import type { Profile } from '../../src/index.ts';
import { fieldsOf } from './body-rules.ts';
import { hasTakenEffect, type Presence, presenceOf } from './lag.ts';
import type { Outcome } from './outcome.ts';
import { fold, parentOf, presenceOfAny, presenceOfDirectory, segmentsOf, spell } from './paths.ts';
import { type DriveState, type FileState, takeOut, touch } from './picture.ts';
import { driveAbsence, type Expectation, ownDrive, type Scene } from './scene.ts';
import { now } from './seed.ts';
import { compare, fileView } from './views.ts';

export const getDriveFile: Expectation = {
  outcomes: (scene) => fileOutcomes(scene, () => ['success']),
  whenFound: (scene, outcomes) => fileOutcomes(scene, () => outcomes),
  succeeded: (scene, body) => {
    const file = ownFile(scene) as FileState;
    compareFile(body, file, scene.profile);
    outlive(file, scene);
  },
  refused: forget,
};

export const updateDriveFile: Expectation = {
  outcomes: (scene) => fileOutcomes(scene, (file) => moveOutcomes(scene, file, targetOf(scene, file))),
  whenFound: (scene, outcomes) => fileOutcomes(scene, () => outcomes),
  succeeded: (scene, body) => {
    const file = ownFile(scene) as FileState;
    const { path } = fieldsOf(scene.call, scene.profile);
    if (path === undefined) stay(file, body as Shown, scene.profile);
    else move(file, targetOf(scene, file), body as Shown, scene);
    touch(ownDrive(scene) as DriveState, path !== undefined, scene.profile);
    compareFile(body, file, scene.profile);
  },
  refused: (scene, outcome) => (outcome === 'conflict' ? undefined : forget(scene)),
};

interface Shown {
  name: string;
  status: string;
  modifiedAt: string;
}

// Whether a file without metadata shows an empty object, where `metadataShape` is `empty`, is not said.
function compareFile(body: unknown, file: FileState, profile: Profile): void {
  const isUnsaid = profile.metadataShape === 'empty';
  const metadata = isUnsaid && 'metadata' in (body as Shown) ? {} : file.metadata;
  compare(body, fileView({ ...file, metadata }, profile), 'file', profile);
}

function ownFile(scene: Scene): FileState | undefined {
  return ownDrive(scene)?.files.find(({ id }) => id === scene.call.params.fileId);
}

function fileOutcomes(scene: Scene, ofFile: (file: FileState) => Outcome[]): Outcome[] {
  if (ownDrive(scene) === undefined) return [driveAbsence(scene)];
  const file = ownFile(scene);
  const presence = file === undefined ? 'no' : presenceOf(file, scene.organization);
  const present = file === undefined || presence === 'no' ? [] : ofFile(file);
  return presence === 'yes' ? present : [...present, 'not-found'];
}

// A file that was not there when asked for will not come back.
function forget(scene: Scene): void {
  const drive = ownDrive(scene);
  if (drive !== undefined) takeOut(drive, ({ id }) => id === scene.call.params.fileId);
}

// A file that is there although the job has had its time has outlived the job.
function outlive(file: FileState, { organization }: Scene): void {
  if (file.deletedAt === undefined || hasTakenEffect(file.deletedAt, organization) !== 'yes') return;
  file.deletedAt = undefined;
  file.isUnsure = false;
}

// Without a path the move goes nowhere.
function targetOf({ call, profile }: Scene, file: FileState): string {
  const { path } = fieldsOf(call, profile);
  return path === undefined ? file.path : spell(path, profile);
}

// Of a path that ends with a slash the last segment is empty; whether the name is empty too, is not said.
function nameIn(path: string, shown: Shown): string {
  const last = path.slice(path.lastIndexOf('/') + 1);
  const named = path.endsWith('/') ? segmentsOf(path).at(-1) : undefined;
  return named === shown.name ? named : last;
}

function move(file: FileState, path: string, shown: Shown, scene: Scene): void {
  const { profile } = scene;
  const drive = ownDrive(scene) as DriveState;
  file.path = path;
  takeOut(drive, (other) => other !== file && fold(other.path, profile) === fold(file.path, profile));
  if (profile.fileNameAfterMove === 'followsPath') file.name = nameIn(path, shown);
  if (profile['countsAsUpdate.move'] === 'touched') file.modifiedAt = now;
  if (profile.fileStatusFlow === 'reprocessedOnMove') file.status = 'processing';
  if (file.deletedAt !== undefined) file.isUnsure = true;
}

// Whether a move that goes nowhere counts as a move is not said.
function stay(file: FileState, shown: Shown, profile: Profile): void {
  const moved = { ...file, modifiedAt: now, status: 'processing' };
  if (profile['countsAsUpdate.move'] === 'touched' && shown.modifiedAt === fileView(moved, profile).modifiedAt) {
    file.modifiedAt = moved.modifiedAt;
  }
  if (profile.fileStatusFlow === 'reprocessedOnMove' && shown.status === moved.status) file.status = moved.status;
}

/** What may become of a move to `path`, which is spelt as the profile spells it. */
function moveOutcomes(scene: Scene, file: FileState, path: string): Outcome[] {
  const obstacles = [takenPath(scene, file, path), ...(path === file.path ? [] : forbiddenTarget(scene, path))];
  if (obstacles.includes('yes')) return ['conflict'];
  return obstacles.includes('maybe') ? ['success', 'conflict'] : ['success'];
}

function takenPath(scene: Scene, moving: FileState, path: string): Presence {
  if (scene.profile.pathConflict === 'replaced') return 'no';
  const { files } = ownDrive(scene) as DriveState;
  return presenceOfAny(
    files.filter((file) => file !== moving && fold(file.path, scene.profile) === fold(path, scene.profile)),
    scene.organization,
  );
}

// `/`, the path of a directory, and a directory that does not exist: below another file there is none.
function forbiddenTarget(scene: Scene, path: string): Presence[] {
  if (scene.profile.moveTargets === 'lenient') return [];
  if (path === '/') return ['yes'];
  const drive = ownDrive(scene) as DriveState;
  const parent = presenceOfDirectory(parentOf(path), drive, scene);
  return [presenceOfDirectory(path, drive, scene), opposite[parent]];
}

const opposite = { yes: 'no', no: 'yes', maybe: 'maybe' } as const;
