import type { Organization } from '../../domain/organizations.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { DriveFile } from '../../domain/resources.ts';
import { type Context, type Handler, refuseMissing } from '../handler.ts';

/** 4.5 */
export const getDriveFile: Handler<'getDriveFile'> = ({ path }, context) => {
  const file = findFile(path, context);
  return isRefusal(file) ? file : context.views.file(context.organization, file);
};

/** The file of a drive of the organization, or the refusal: no such drive, or no such file. */
export function findFile(path: { driveId: string; fileId: string }, context: Context): DriveFile | Refusal {
  const refusal = refuseMissingDrive(context, path.driveId);
  if (refusal !== undefined) return refusal;
  const find = (organization: Organization) => organization.filesOf(path.driveId).find(path.fileId);
  const isThere = (organization: Organization) => find(organization) !== undefined;
  return find(context.organization) ?? refuseMissing(context, 'file', isThere);
}

/** Refuses a drive that the organization does not have. */
export function refuseMissingDrive(context: Context, driveId: string): Refusal | undefined {
  const isThere = (organization: Organization) => organization.drivesById.has(driveId);
  if (isThere(context.organization)) return undefined;
  return refuseMissing(context, 'drive', isThere);
}
