import { deleteTree, type TreeDeletion } from '../../domain/files.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { type Context, findDriveHolder, type Handler } from '../handler.ts';

/** 4.7 */
export const deleteDriveTree: Handler<'deleteDriveTree'> = ({ path, query }, context) => {
  const holder = findDriveHolder(context, path.driveId);
  if (isRefusal(holder)) return holder;
  // Absent only under `treePath.notSent: emptyJob`, which deletes nothing.
  const treePath: string | undefined = query.path;
  if (treePath === undefined) {
    return toBody(context, 'Nothing to delete', { jobId: holder.ids('job'), fileCount: 0, directoryCount: 0 });
  }
  const deletion = deleteTree(holder, path.driveId, treePath);
  if (isRefusal(deletion)) return deletion;
  holder.isWritten = true;
  return toBody(
    context,
    deletion.fileCount === 0 ? `Nothing to delete at ${treePath}` : `Deleting ${treePath}`,
    deletion,
  );
};

function toBody({ profile, views }: Context, message: string, { jobId, fileCount, directoryCount }: TreeDeletion) {
  const documentCount = profile.documentCount === 'filesAndDirectories' ? fileCount + directoryCount : fileCount;
  return { message, jobId, documentCount, ...views.extras(jobId) };
}
