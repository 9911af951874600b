import { isRefusal } from '../../domain/refusal.ts';
import { findFile, type Handler } from '../handler.ts';

/** 4.5 */
export const getDriveFile: Handler<'getDriveFile'> = ({ path }, context) => {
  const found = findFile(path, context);
  return isRefusal(found) ? found : context.views.file(found.holder, found.file);
};
