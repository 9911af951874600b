import { isTooDeep } from '../../../openapi/reading/messages.ts';
import { nameOf } from '../../domain/file-tree.ts';
import { statusAt } from '../../domain/files.ts';
import type { Organization } from '../../domain/organizations.ts';
import { located, type Refusal, refuse } from '../../domain/refusal.ts';
import { metadataViolations } from '../../domain/relations.ts';
import { type Drive, type DriveFile, type FileStatus, withIsoTimes } from '../../domain/resources.ts';
import { type SeedFile, toFile } from '../../domain/seed.ts';
import { refuseInput } from '../../engine/input.ts';
import { type ControlHandler, done, forRecord, forSandbox, gone, makerOf, partOf, withChanges } from './control.ts';

const onDrive = forRecord('The organization has no such drive.', ({ drivesById }, { driveId = '' }) =>
  drivesById.get(driveId),
);

const onFile = forRecord('The organization has no such drive, or the drive no such file.', (organization, path) => {
  const { driveId = '', fileId = '' } = path;
  const file = organization.filesOf(driveId).find(fileId);
  return file && { file, driveId };
});

// A snapshot nests it some levels deeper, and must remain readable.
const mostLevels = 900;
const tooDeep = `body.metadata must not be nested deeper than ${mostLevels} levels.`;

/** Refuses metadata that a snapshot and a seed could not hold. */
function refuseMetadata({ metadata }: { metadata?: unknown }): Refusal | undefined {
  if (metadata === undefined) return undefined;
  if (isTooDeep(JSON.stringify(metadata), mostLevels)) return refuse('invalidInput', tooDeep);
  const violations = metadataViolations(metadata);
  return violations.length === 0 ? undefined : refuseInput(located(['body'], violations));
}

export const fileHandlers = {
  listDriveRecords: forSandbox(({ organization }, { query }) =>
    done(partOf(organization.drivesById.values(), query).map((drive) => showDrive(organization, drive))),
  ),

  deleteDrive: onDrive((drive, { organization }) => {
    organization.drives.remove(drive);
    organization.drivesById.delete(drive.id);
    organization.dropFiles(drive.id);
    return gone;
  }),

  listFiles: onDrive(({ id }, { organization, query }) => {
    const files = partOf(organization.filesOf(id).all(), query);
    return done(files.map((file) => showFile(organization, file)));
  }),

  createFile: onDrive(({ id }, { organization, body }) => {
    const sent = body as SeedFile;
    const refusal = refuseMetadata(sent);
    if (refusal !== undefined) return refusal;
    const files = organization.ownFilesOf(id);
    if (files.at(sent.path) !== undefined) return refuse('conflict', 'This drive already has a file at this path.');
    if (sent.id !== undefined && files.find(sent.id) !== undefined)
      return refuse('conflict', 'A file already has this id.');
    const file = toFile(makerOf(organization), sent);
    files.put(file);
    return done(showFile(organization, file), 201);
  }),

  getFile: onFile(({ file }, { organization }) => done(showFile(organization, file))),

  changeFile: onFile(({ file, driveId }, { organization, body }) => {
    const { becomes, ...sent } = body as FileChange;
    const refusal = refuseMetadata(sent);
    if (refusal !== undefined) return refusal;
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

  deleteFile: onFile(({ file, driveId }, { organization }) => {
    organization.ownFilesOf(driveId).remove(file.id);
    return gone;
  }),
} satisfies Record<string, ControlHandler>;

/** A drive and a file as the admin API shows them. */
export type ShownDrive = ReturnType<typeof showDrive>;
export type ShownFile = ReturnType<typeof showFile>;

function showDrive(organization: Organization, { organizationId: _, ...drive }: Drive) {
  return { ...withIsoTimes(drive), holds: { files: organization.filesOf(drive.id).size } };
}

function showFile(organization: Organization, file: DriveFile) {
  const { next, status: _, ...rest } = file;
  const status = statusAt(organization, file);
  const isComing = next !== undefined && next.status !== status;
  const becomes = isComing && { status: next.status, at: new Date(next.atMs).toISOString() };
  return { ...withIsoTimes({ ...rest, status }), ...(becomes && { becomes }) };
}

interface FileChange {
  path?: string;
  metadata?: DriveFile['metadata'];
  status?: FileStatus;
  becomes?: { status: FileStatus; afterMs: number } | null;
}

// A status that was set stays, unless the same request sets the next one.
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
