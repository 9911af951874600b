import type { Organization } from '../../domain/organizations.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { DriveFile } from '../../domain/resources.ts';
import { type Context, type Handler, holderOf, refuseMissing } from '../handler.ts';

/** 4.5 */
export const getDriveFile: Handler<'getDriveFile'> = ({ path }, context) => {
  const found = findFile(path, context);
  return isRefusal(found) ? found : context.views.file(found.holder, found.file);
};

/** A file, and the organization that has it. */
interface FoundFile {
  holder: Organization;
  file: DriveFile;
}

/** The file that a path names, or the error response: no such drive, or no such file. */
export function findFile(path: { driveId: string; fileId: string }, context: Context): FoundFile | Refusal {
  const holder = findDriveHolder(context, path.driveId);
  if (isRefusal(holder)) return holder;
  const file = holder.filesOf(path.driveId).find(path.fileId);
  const isThere = (organization: Organization) => organization.filesOf(path.driveId).find(path.fileId) !== undefined;
  return file === undefined ? refuseMissing(context, 'file', isThere) : { holder, file };
}

/** The organization that has a drive, or the error response. */
export function findDriveHolder(context: Context, driveId: string): Organization | Refusal {
  const isThere = (organization: Organization) => organization.drivesById.has(driveId);
  return holderOf(context, isThere) ?? refuseMissing(context, 'drive', isThere);
}
