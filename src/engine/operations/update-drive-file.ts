import { moveFile } from '../../domain/files.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { findFile, type Handler } from '../handler.ts';

/** 4.6 */
export const updateDriveFile: Handler<'updateDriveFile'> = ({ path, body }, context) => {
  const found = findFile(path, context);
  if (isRefusal(found)) return found;
  const { holder, file } = found;
  const moved = moveFile(holder, path.driveId, file, body.path);
  if (isRefusal(moved)) return moved;
  holder.isWritten = true;
  return context.views.file(holder, moved);
};
