/** A tree of files from their paths: no operation lists directories. */
import type { DriveFile } from './api.ts';

export interface Folder {
  /** As a deletion takes it, such as `/a/b`; the topmost folder is empty. */
  path: string;
  name: string;
  folders: Folder[];
  files: DriveFile[];
}

export function toTree(files: readonly DriveFile[]): Folder {
  const root: Folder = { path: '', name: '', folders: [], files: [] };
  const sorted = files.toSorted((a, b) => (a.path ?? '').localeCompare(b.path ?? ''));
  for (const file of sorted) folderOf(root, segmentsOf(file.path).slice(0, -1)).files.push(file);
  return root;
}

function folderOf(parent: Folder, [name, ...below]: string[]): Folder {
  if (name === undefined) return parent;
  const known = parent.folders.find((folder) => folder.name === name);
  const folder = known ?? { path: `${parent.path}/${name}`, name, folders: [], files: [] };
  if (known === undefined) parent.folders.push(folder);
  return folderOf(folder, below);
}

/** Whether `//` and `/./` are preserved is open, so `/a//b` is shown in the folder `/a`, too. */
function segmentsOf(path = ''): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

/** The last segment of the path, which need not be the name. One of them may be missing, and so may both. */
export function labelOf({ path, name, id }: DriveFile): string {
  return segmentsOf(path).at(-1) ?? name ?? id ?? 'File without a name';
}

/** Why a path is not allowed, by the stated rule. */
export function pathProblem(path: string): string | undefined {
  if (!path.startsWith('/')) return 'A path starts with /.';
  return path.split('/').includes('..') ? 'A path has no segment “..”.' : undefined;
}

/** Whether a path is in a folder. */
export function isBelow(folder: string | undefined, path: string | undefined): boolean {
  return folder !== undefined && path?.startsWith(`${folder}/`) === true;
}
