import { moveFile } from '../../domain/files.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { Handler } from '../handler.ts';
import { findFile } from './get-drive-file.ts';

/** 4.6 */
export const updateDriveFile: Handler<'updateDriveFile'> = ({ path, body }, context) => {
  const file = findFile(path, context);
  if (isRefusal(file)) return file;
  const moved = moveFile(context.organization, path.driveId, file, body.path);
  return isRefusal(moved) ? moved : context.views.file(context.organization, moved);
};
