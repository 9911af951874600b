import type { FileFixture } from '../config/settings.ts';
import { inParallel } from '../in-parallel.ts';
import { oncePerRun } from '../once.ts';
import type { Session } from '../session.ts';
import { member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { isGone, learnUnknownStatus, pathIn, readFile } from './file-moves.ts';
import type { InitialReading } from './file-tracker.ts';
import { declaredFiles } from './fixtures.ts';
import { fileKey } from './movable-file.ts';

const mostFiles = 30;

/**
 * Reads the declared files before anything is done to them. A disposable file that is gone was deleted by an earlier
 * run and is left out from then on.
 */
export const initialReadings = oncePerRun(async (session: Session): Promise<readonly InitialReading[]> => {
  const all = await inParallel(declaredFiles(session).slice(0, mostFiles), async (file) => {
    const reply = await readFile(session, file);
    return { ...file, reply, wasDeleted: await isDeletedEarlier(session, file, reply) };
  });
  for (const file of all.filter(({ wasDeleted }) => wasDeleted)) session.files.setDeletedEarlier(file);
  const readings = all.filter(({ wasDeleted }) => !wasDeleted);
  const existing = readings.find(({ reply }) => reply.isSuccess);
  if (existing !== undefined) await learnUnknownStatus(session, existing);
  session.files.initial = readings;
  return readings;
});

/** The paths of the declared files at the start of the run, without files that showed none; empty if they were not read. */
export function initialPaths({ files }: Session): (FileFixture & { path: string })[] {
  return files.initial.flatMap(({ driveId, id, reply }) => {
    const path = pathIn(reply);
    return path === undefined ? [] : [{ driveId, id, path }];
  });
}

/** The status of a file at the start of the run. */
export function initialStatus({ files }: Session, file: FileFixture): unknown {
  const reading = files.initial.find((one) => fileKey(one) === fileKey(file));
  return member(reading?.reply.json, 'status');
}

// Read twice: a file that appears only sometimes was not deleted.
async function isDeletedEarlier(session: Session, file: FileFixture, reply: Reply): Promise<boolean> {
  const { disposableFiles = [] } = session.settings.fixtures;
  return disposableFiles.includes(file) && isGone(reply) && isGone(await readFile(session, file));
}
