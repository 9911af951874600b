import { nameOf } from '../../domain/file-tree.ts';
import { statusAt } from '../../domain/files.ts';
import type { Organization } from '../../domain/organizations.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { DriveFile, FileStatus } from '../../domain/resources.ts';
import { type SeedFile, toFile } from '../../domain/seed.ts';
import { type ControlAnswer, type ControlHandler, done, forTenant, gone, isoOf, withChanges } from './control.ts';

/** One drive of an organization, and the request. */
interface OnDrive {
  organization: Organization;
  driveId: string;
  path: Readonly<Record<string, string>>;
  body: unknown;
}

function onDrive(act: (on: OnDrive) => ControlAnswer | Refusal): ControlHandler {
  return forTenant(({ organization }, { path, body }) => {
    const { driveId = '' } = path;
    if (!organization.drivesById.has(driveId)) return refuse('notFound', 'The organization has no such drive.');
    return act({ organization, driveId, path, body });
  });
}

function onFile(act: (file: DriveFile, on: OnDrive) => ControlAnswer | Refusal): ControlHandler {
  return onDrive((on) => {
    const file = on.organization.filesOf(on.driveId).find(on.path.fileId ?? '');
    return file === undefined ? refuse('notFound', 'The drive has no such file.') : act(file, on);
  });
}

/** Drives and their files. */
export const fileHandlers = {
  deleteDrive: onDrive(({ organization, driveId }) => {
    const drive = organization.drivesById.get(driveId);
    if (drive !== undefined) organization.drives.remove(drive);
    organization.drivesById.delete(driveId);
    organization.dropFiles(driveId);
    return gone;
  }),

  listFiles: onDrive(({ organization, driveId }) => {
    const files = organization.filesOf(driveId).all();
    return done(files.map((file) => showFile(organization, file)));
  }),

  createFile: onDrive(({ organization, driveId, body }) => {
    const sent = body as Partial<SeedFile> & { path: string };
    const files = organization.ownFilesOf(driveId);
    if (files.at(sent.path) !== undefined) return refuse('conflict', 'This drive already has a file at this path.');
    if (sent.id !== undefined && files.find(sent.id) !== undefined)
      return refuse('conflict', 'A file already has this id.');
    const modifiedAt = isoOf(organization.runtime.clock.nowMs());
    const file = toFile(organization, { modifiedAt, sizeBytes: 0, contentType: 'application/octet-stream', ...sent });
    files.put(file);
    return done(showFile(organization, file), 201);
  }),

  getFile: onFile((file, { organization }) => done(showFile(organization, file))),

  changeFile: onFile((file, { organization, driveId, body }) => {
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
    return done(showFile(organization, changed));
  }),

  deleteFile: onFile((file, { organization, driveId }) => {
    organization.ownFilesOf(driveId).remove(file.id);
    return gone;
  }),
} satisfies Record<string, ControlHandler>;

function showFile(organization: Organization, file: DriveFile) {
  const { modifiedAtMs, next, status: _, ...rest } = file;
  const status = statusAt(organization, file);
  return {
    ...{ ...rest, status, modifiedAt: isoOf(modifiedAtMs) },
    ...(next === undefined || next.status === status ? {} : { becomes: { status: next.status, at: isoOf(next.atMs) } }),
  };
}

interface FileChange {
  path?: string;
  status?: FileStatus;
  becomes?: { status: FileStatus; afterMs: number } | null;
}

// A status that is set stays, unless the same request sets the next one.
function toNext(
  { runtime }: Organization,
  file: DriveFile,
  sent: FileChange,
  becomes: FileChange['becomes'],
): Pick<DriveFile, 'next'> | object {
  if (becomes) return { next: { status: becomes.status, atMs: runtime.clock.nowMs() + becomes.afterMs } };
  const isKept = becomes === undefined && sent.status === undefined && file.next !== undefined;
  return isKept ? { next: file.next } : {};
}
