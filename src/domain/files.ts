import type { FileTree } from './file-tree.ts';
import { nameOf, normalizePath } from './file-tree.ts';
import type { Organization } from './organizations.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { DriveFile, FileStatus, NextStatus } from './resources.ts';

/** How long a moved file is processed again under `fileStatusFlow: reprocessedOnMove`. */
export const reprocessingMs = 1_000;

/** The status of a file at a time: open point `fileStatusFlow`. */
export function statusAt({ world }: Organization, file: DriveFile): FileStatus {
  if (file.next === undefined || world.profile.fileStatusFlow === 'still') return file.status;
  return world.clock.nowMs() >= file.next.atMs ? file.next.status : file.status;
}

/** Moves or renames a file (4.6). Without a path it stays where it is, and nothing changes. */
export function moveFile(
  organization: Organization,
  driveId: string,
  file: DriveFile,
  sentPath: string | undefined,
): DriveFile | Refusal {
  if (sentPath === undefined) return file;
  const { profile } = organization.world;
  const path = profile.pathSpelling === 'normalized' ? normalizePath(sentPath) : sentPath;
  const files = organization.ownFilesOf(driveId);
  const other = files.at(path);
  if (other !== undefined && other.id !== file.id) {
    if (profile.pathConflict === 'refused') return refuse('conflict', takenPath(path));
    files.remove(other.id);
  }
  const moved = withPath(organization, file, path);
  files.put(moved);
  return moved;
}

function takenPath(path: string): string {
  return `Another file of this drive is at ${path}. Choose another path or move that file first.`;
}

function withPath(organization: Organization, file: DriveFile, path: string): DriveFile {
  const { profile, clock } = organization.world;
  const { next: _, ...settled } = file;
  return {
    ...settled,
    ...progressAfterMove(organization, file),
    path,
    name: profile.fileNameAfterMove === 'followsPath' ? nameOf(path) : file.name,
    modifiedAtMs: profile.modifiedAtAfterMove === 'touched' ? clock.nowMs() : file.modifiedAtMs,
  };
}

function progressAfterMove(organization: Organization, file: DriveFile): { status: FileStatus; next?: NextStatus } {
  const { profile, clock } = organization.world;
  if (profile.fileStatusFlow !== 'reprocessedOnMove') {
    return file.next === undefined ? { status: file.status } : { status: file.status, next: file.next };
  }
  const outcome = file.next?.status ?? file.status;
  const status = outcome === 'processing' ? 'ready' : outcome;
  return { status: 'processing', next: { status, atMs: clock.nowMs() + reprocessingMs } };
}

/** What a tree deletion takes. */
export interface TreeDeletion {
  jobId: string;
  fileCount: number;
  directoryCount: number;
}

/** Deletes the files at and below a directory path, by segments (4.7). */
export function deleteTree(organization: Organization, driveId: string, path: string): TreeDeletion | Refusal {
  const { profile, clock } = organization.world;
  const { files, directoryCount } = organization.filesOf(driveId).under(path);
  if (files.length === 0 && profile.missingTree === 'refused') {
    return refuse('notFound', `This drive has no file at or below ${path}. Check the path; it is that of a directory.`);
  }
  const tree = organization.ownFilesOf(driveId);
  const remove = () => removeUnmoved(tree, files);
  if (profile.treeDeletion === 'immediate') remove();
  else organization.deferred.later(clock.nowMs(), remove);
  return { jobId: organization.ids('job'), fileCount: files.length, directoryCount };
}

// A file that was moved away before an asynchronous deletion came to it is not of the tree any more.
function removeUnmoved(tree: FileTree, files: readonly DriveFile[]): void {
  for (const file of files) {
    if (tree.find(file.id)?.path === file.path) tree.remove(file.id);
  }
}
