import { nameOf } from '../../domain/file-tree.ts';
import { statusAt } from '../../domain/files.ts';
import type { Organization } from '../../domain/organizations.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { DriveFile, FileStatus } from '../../domain/resources.ts';
import { type SeedFile, toFile } from '../../domain/seed.ts';
import { isoOf, withChanges } from './changes.ts';
import { type ControlAnswer, type ControlHandler, done, findOrganization, gone } from './control.ts';

/** One drive of an organization. */
interface Place {
  organization: Organization;
  driveId: string;
}

function showFile({ organization }: Place, file: DriveFile) {
  const { modifiedAtMs, next, status: _, ...rest } = file;
  const status = statusAt(organization, file);
  return {
    ...{ ...rest, status, modifiedAt: isoOf(modifiedAtMs) },
    ...(next === undefined || next.status === status ? {} : { becomes: { status: next.status, at: isoOf(next.atMs) } }),
  };
}

function onDrive(act: (place: Place, body: unknown) => ControlAnswer | Refusal): ControlHandler {
  return (input, context) => {
    const resident = findOrganization(input.path.organizationId ?? '', input, context);
    if ('refused' in resident) return resident;
    const { organization } = resident;
    const driveId = input.path.driveId ?? '';
    if (!organization.drivesById.has(driveId)) return refuse('notFound', 'The organization has no such drive.');
    return act({ organization, driveId }, input.body);
  };
}

export const deleteDrive = onDrive(({ organization, driveId }) => {
  const drive = organization.drivesById.get(driveId);
  if (drive !== undefined) organization.drives.remove(drive);
  organization.drivesById.delete(driveId);
  organization.dropFiles(driveId);
  return gone;
});

export const listFiles = onDrive((place) => {
  const files = place.organization.filesOf(place.driveId).all();
  return done(files.map((file) => showFile(place, file)));
});

export const createFile = onDrive((place, body) => {
  const { organization, driveId } = place;
  const sent = body as Partial<SeedFile> & { path: string };
  const files = organization.ownFilesOf(driveId);
  if (files.at(sent.path) !== undefined) return refuse('conflict', 'A file of this drive is at this path already.');
  if (sent.id !== undefined && files.find(sent.id) !== undefined)
    return refuse('conflict', 'A file has this id already.');
  const modifiedAt = isoOf(organization.world.clock.nowMs());
  const file = toFile(organization, { modifiedAt, sizeBytes: 0, contentType: 'application/octet-stream', ...sent });
  files.put(file);
  return done(showFile(place, file), 201);
});

function onFile(act: (place: Place, file: DriveFile, body: unknown) => ControlAnswer | Refusal): ControlHandler {
  return (input, context) =>
    onDrive((place, body) => {
      const file = place.organization.filesOf(place.driveId).find(input.path.fileId ?? '');
      return file === undefined ? refuse('notFound', 'The drive has no such file.') : act(place, file, body);
    })(input, context);
}

export const getFile = onFile((place, file) => done(showFile(place, file)));

interface FileChange {
  path?: string;
  status?: FileStatus;
  becomes?: { status: FileStatus; afterMs: number } | null;
}

export const changeFile = onFile((place, file, body) => {
  const { organization, driveId } = place;
  const { becomes, ...sent } = body as FileChange;
  const files = organization.ownFilesOf(driveId);
  const other = sent.path === undefined ? undefined : files.at(sent.path);
  if (other !== undefined && other.id !== file.id)
    return refuse('conflict', 'Another file of this drive is at this path.');
  const { next: _, ...settled } = { ...file, status: statusAt(organization, file) };
  const changed = {
    ...withChanges(settled, sent),
    ...(sent.path === undefined ? {} : { name: nameOf(sent.path) }),
    ...toNext(organization, file, sent, becomes),
  };
  files.put(changed);
  return done(showFile(place, changed));
});

// A status that is set stays, unless the same request says what becomes of it.
function toNext(
  { world }: Organization,
  file: DriveFile,
  sent: FileChange,
  becomes: FileChange['becomes'],
): Pick<DriveFile, 'next'> | object {
  if (becomes) return { next: { status: becomes.status, atMs: world.clock.nowMs() + becomes.afterMs } };
  const isKept = becomes === undefined && sent.status === undefined && file.next !== undefined;
  return isKept ? { next: file.next } : {};
}

export const deleteFile = onFile(({ organization, driveId }, file) => {
  organization.ownFilesOf(driveId).remove(file.id);
  return gone;
});
