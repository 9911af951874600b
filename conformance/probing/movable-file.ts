import { keepsPathRule } from '../../openapi/reading/path-rule.ts';
import type { FileFixture } from '../config/settings.ts';

/** A file of the target that the run may move, and the path at which the run found it. */
export interface MovableFile extends FileFixture {
  originalPath: string;
}

/** Identifies a file: ids may only be unique within a drive. */
export function fileKey({ driveId, id }: FileFixture): string {
  return JSON.stringify([driveId, id]);
}

/** Why a file must not be moved away from a path: no server would have to accept it back there. Undefined if it may. */
export function originalPathComplaint(path: string): string | undefined {
  if (!path.startsWith('/')) return 'does not start with /';
  if (!keepsPathRule(path)) return 'has a .. segment';
  return /[\n\r\u2028\u2029]/.test(path) ? 'has a line break' : undefined;
}

/** The directory of a path, without a trailing slash; empty for the root, and for a path without a slash. */
export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The extension of a path, with its dot; empty if there is none. */
export function extensionOf(path: string): string {
  return /\.[A-Za-z0-9]{1,8}$/.exec(path)?.[0] ?? '';
}
