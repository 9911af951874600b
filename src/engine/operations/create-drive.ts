import { createDrive as createDriveOf } from '../../domain/drives.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { Handler } from '../handler.ts';

/** 4.3 */
export const createDrive: Handler<'createDrive'> = ({ body }, { organization, views }) => {
  const drive = createDriveOf(organization, body.name);
  return isRefusal(drive) ? drive : views.drive(drive);
};
