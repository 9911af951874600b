import type { Organization } from '../../domain/organizations.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { Drive, DriveFile } from '../../domain/resources.ts';
import { type Context, type Handler, refuseMissing } from '../handler.ts';

/** 4.5 */
export const getDriveFile: Handler<'getDriveFile'> = ({ path }, context) => {
  const file = findFile(path, context);
  return isRefusal(file) ? file : context.views.file(context.organization, file);
};

/** The file of a drive of the organization, or the refusal: no such drive, or no such file. */
export function findFile(path: { driveId: string; fileId: string }, context: Context): DriveFile | Refusal {
  const drive = findDrive(path, context);
  if (isRefusal(drive)) return drive;
  const find = (organization: Organization) => organization.filesOf(path.driveId).find(path.fileId);
  const isThere = (organization: Organization) => find(organization) !== undefined;
  return find(context.organization) ?? refuseMissing(context, 'file', isThere);
}

/** The drive of the organization, or the refusal. */
export function findDrive({ driveId }: { driveId: string }, context: Context): Drive | Refusal {
  const isThere = (organization: Organization) => organization.drivesById.has(driveId);
  return context.organization.drivesById.get(driveId) ?? refuseMissing(context, 'drive', isThere);
}
