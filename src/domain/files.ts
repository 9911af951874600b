import type { Profile } from '../../openapi/contract/profile.ts';
import { normalizePath } from '../../openapi/reading/path-rule.ts';
import type { Task } from './deferred.ts';
import { type FoldPath, nameOf } from './file-tree.ts';
import type { Organization } from './organizations.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { DriveFile, FileStatus, NextStatus } from './resources.ts';

/** How long the processing of a moved file takes under `fileStatusFlow: reprocessedOnMove`. */
const reprocessingMs = 1_000;

/** The current status of a file: open point `fileStatusFlow`. */
export function statusAt({ runtime }: Organization, file: DriveFile): FileStatus {
  if (file.next === undefined || runtime.profile.fileStatusFlow === 'still') return file.status;
  return runtime.clock.nowMs() >= file.next.atMs ? file.next.status : file.status;
}

/** Moves or renames a file (4.6). Without a path, nothing changes. */
export function moveFile(
  organization: Organization,
  driveId: string,
  file: DriveFile,
  sentPath: string | undefined,
): DriveFile | Refusal {
  if (sentPath === undefined) return file;
  const { profile } = organization.runtime;
  const path = storedPath(sentPath, profile);
  const fold = foldOf(profile);
  const files = organization.ownFilesOf(driveId);
  const others = files.allAt(path, fold).filter(({ id }) => id !== file.id);
  if (others.length > 0 && profile.pathConflict === 'refused') {
    const remedy = 'Choose a different path or move that file first.';
    return refuse('conflict', `This drive already has a file at ${path}. ${remedy}`);
  }
  if (profile.moveTargets === 'strict' && path !== file.path && !files.isPlausibleTarget(path, fold)) {
    const remedy = 'Choose a path in an existing directory; it must not name a directory.';
    return refuse('conflict', `A file cannot be moved to ${path}. ${remedy}`);
  }
  for (const { id } of others) files.remove(id);
  const moved = withPath(organization, file, path);
  files.put(moved);
  noteChange(organization, driveId);
  return moved;
}

/** A path as it is stored: open points `pathForm.spelling` and `pathForm.letters`. */
function storedPath(
  path: string,
  { 'pathForm.spelling': pathSpelling, 'pathForm.letters': pathLetters }: Profile,
): string {
  const letters = pathLetters === 'normalized' ? path.normalize('NFC') : path;
  return pathSpelling === 'normalized' ? normalizePath(letters) : letters;
}

// Open point `pathForm.letters`.
function foldOf({ 'pathForm.letters': pathLetters }: Profile): FoldPath {
  return pathLetters === 'caseInsensitive' ? (path) => path.toLowerCase() : (path) => path;
}

// Open point `countsAsUpdate.drive`.
function noteChange(organization: Organization, driveId: string): void {
  const drive = organization.drivesById.get(driveId);
  if (drive === undefined || organization.runtime.profile['countsAsUpdate.drive'] === 'kept') return;
  const touched = { ...drive, updatedAtMs: organization.runtime.clock.nowMs() };
  organization.drivesById.set(driveId, touched);
  organization.drives.replace(drive, touched);
}

function withPath(organization: Organization, file: DriveFile, path: string): DriveFile {
  const { profile, clock } = organization.runtime;
  const { next: _, ...settled } = file;
  return {
    ...settled,
    ...progressAfterMove(organization, file),
    path,
    name: profile.fileNameAfterMove === 'followsPath' ? nameOf(path) : file.name,
    modifiedAtMs: profile['countsAsUpdate.move'] === 'touched' ? clock.nowMs() : file.modifiedAtMs,
  };
}

function progressAfterMove(organization: Organization, file: DriveFile): { status: FileStatus; next?: NextStatus } {
  const { profile, clock } = organization.runtime;
  if (profile.fileStatusFlow !== 'reprocessedOnMove') {
    return file.next === undefined ? { status: file.status } : { status: file.status, next: file.next };
  }
  const outcome = file.next?.status ?? file.status;
  const status = outcome === 'processing' ? 'ready' : outcome;
  return { status: 'processing', next: { status, atMs: clock.nowMs() + reprocessingMs } };
}

export interface TreeDeletion {
  jobId: string;
  fileCount: number;
  directoryCount: number;
}

/** Deletes the files at and below a directory path, compared by segments (4.7). */
export function deleteTree(organization: Organization, driveId: string, sentPath: string): TreeDeletion | Refusal {
  const { profile, clock } = organization.runtime;
  const path = storedPath(sentPath, profile);
  if (path === '/' && profile['treePath.root'] === 'refused') {
    return refuseTreePath(profile.treePathParameter, 'must name a directory below /');
  }
  const { own, below, directoryCount } = organization.filesOf(driveId).under(path, foldOf(profile));
  if (own.length > 0 && below.length === 0 && profile['treePath.file'] === 'refused') {
    return refuseTreePath(profile.treePathParameter, `must name a directory; ${path} is a file`);
  }
  const files = profile['treePath.file'] === 'deleted' ? [...own, ...below] : below;
  if (files.length === 0 && profile['treePath.missing'] === 'refused') {
    return refuse('notFound', `This drive has no file at or below ${path}. Check that the path names a directory.`);
  }
  const task = { kind: 'deleteFiles', driveId, files: files.map(({ id, path }) => ({ id, path })) } as const;
  if (profile.treeDeletion === 'immediate') deleteFiles(organization, task);
  else organization.deferred.later(clock.nowMs(), task);
  const jobId = organization.ids('job');
  return { jobId, fileCount: files.length, directoryCount: files.length === 0 ? 0 : directoryCount };
}

function refuseTreePath(parameter: string, message: string): Refusal {
  const violation = { location: ['query', parameter], code: 'directory', message };
  return refuse('invalidInput', `query.${parameter} ${message}`, [violation]);
}

/** Deletes the files of a tree deletion. Files that were moved in the meantime stay. */
export function deleteFiles(organization: Organization, { driveId, files }: DeleteTask): void {
  if (files.length === 0) return;
  const tree = organization.ownFilesOf(driveId);
  for (const { id, path } of files) {
    if (tree.find(id)?.path === path) tree.remove(id);
  }
  noteChange(organization, driveId);
}

type DeleteTask = Extract<Task, { kind: 'deleteFiles' }>;
