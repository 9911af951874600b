import { say } from '../../lib/sentence.ts';
import type { Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import { movableFile } from './file-moves.ts';
import { initialStatus } from './initial-files.ts';
import { extensionOf, type MovableFile } from './movable-file.ts';
import { availableFiles } from './placed-files.ts';

/** The last of the declared files that are not disposable. */
export function lastMovableFile(session: Session): Promise<MovableFile> {
  return movableFile(session, Math.max(0, (session.settings.fixtures.files ?? []).length - 1));
}

/** Every file that may be moved: the movable ones first, then the disposable ones not in use. */
async function everyMovableFile(session: Session): Promise<MovableFile[]> {
  const { files = [] } = session.settings.fixtures;
  const located = await Promise.all(files.map((_, index) => orNone(movableFile(session, index))));
  const disposable = await orNone(availableFiles(session));
  return [...located.filter((file) => file !== undefined), ...(disposable ?? [])];
}

function orNone<T>(found: Promise<T>): Promise<T | undefined> {
  return found.catch((error: unknown) => {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  });
}

/** Some files in the drive of the first movable one, with as many different statuses as possible. */
export async function variedFilesOfOneDrive(session: Session, most: number): Promise<MovableFile[]> {
  const { driveId } = await movableFile(session);
  const ofDrive = (await everyMovableFile(session)).filter((file) => file.driveId === driveId);
  const byStatus = [...Map.groupBy(ofDrive, (file) => initialStatus(session, file)).values()];
  const oneOfEach = byStatus.flatMap((files) => files.slice(0, 1));
  const others = byStatus.flatMap((files) => files.slice(1));
  return [...oneOfEach, ...others].slice(0, most);
}

/** Two files in different drives, if possible with the same extension. */
export async function pairOfTwoDrives(session: Session): Promise<[MovableFile, MovableFile]> {
  const file = await movableFile(session);
  const others = (await everyMovableFile(session)).filter(({ driveId }) => driveId !== file.driveId);
  const other =
    others.find(({ originalPath }) => extensionOf(originalPath) === extensionOf(file.originalPath)) ?? others[0];
  if (other !== undefined) return [file, other];
  throw new Inconclusive('FILES', say`No file of another drive can be moved.`);
}
