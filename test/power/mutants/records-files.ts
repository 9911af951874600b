import type { DriveFile } from '../../../src/domain/resources.ts';
import { changeJobIds, digits, type StoredFault, spoilFile } from './patch-records.ts';
import { changeMoves } from './patch-store.ts';
import type { Break, Fields } from './rewrite.ts';

/** Stored files that are none. */
const wrongFiles: readonly StoredFault[] = [
  {
    id: 'file-type-in-parts',
    requirement: 'driveFile.strings',
    check: 'getDriveFile.field-types',
    fault: 'The content type of one file is stored as an object with type and subtype.',
    break: (engine) =>
      spoilFile(engine, ({ contentType }) => {
        const [type, subtype] = contentType.split('/');
        return { contentType: { type, subtype } };
      }),
  },
  {
    id: 'file-metadata-as-list',
    requirement: 'driveFile.metadata',
    check: 'getDriveFile.field-types',
    fault: 'The metadata of one file is stored as an array of keys and values.',
    break: (engine) =>
      spoilFile(
        engine,
        ({ metadata = {} }) => ({ metadata: Object.entries(metadata).map(([key, value]) => ({ key, value })) }),
        ({ metadata }) => metadata !== undefined,
      ),
  },
  {
    id: 'file-id-stored-as-number',
    requirement: 'ids.are-strings',
    check: 'getDriveFile.ids-are-strings',
    fault: 'The id of one file is stored as a number; it is found by its digits all the same.',
    profile: digits,
    break: (engine) => spoilFile(engine, ({ id }) => ({ id: Number(id) })),
  },
  {
    id: 'file-summary-null',
    requirement: 'types.null-is-none-of-them',
    check: 'getDriveFile.no-null-fields',
    fault: 'One file that nobody has summarized is stored with null for its summary, and shows that.',
    break: (engine) =>
      spoilFile(
        engine,
        () => ({ summary: null }),
        ({ summary }) => summary === undefined,
      ),
  },
  {
    id: 'file-has-status-archived',
    requirement: 'driveFile.status-values',
    check: 'getDriveFile.status-values',
    fault: 'One file is stored with the status archived.',
    break: (engine) => spoilFile(engine, () => ({ status: 'archived' })),
  },
];

/** A change of what a move is answered with. */
function answered(change: (file: Fields) => Fields): Break {
  return (engine) => changeMoves(engine, (moved) => ({ answered: change({ ...moved }) as Partial<DriveFile> }));
}

/** Answers to moves, from records that are none. */
const wrongMoves: readonly StoredFault[] = [
  {
    id: 'moved-file-has-status-moved',
    requirement: 'driveFile.status-values',
    check: 'updateDriveFile.status-values',
    fault: 'The record of a file has the status moved while it is moved, and the answer shows it.',
    break: answered(() => ({ status: 'moved' })),
  },
  {
    id: 'moved-file-of-half-a-byte',
    requirement: 'driveFile.size',
    check: 'updateDriveFile.field-types',
    fault: 'The size in the record that a move is answered with is no whole number.',
    break: answered(({ sizeBytes }) => ({ sizeBytes: Number(sizeBytes) + 0.5 })),
  },
  {
    id: 'moved-file-id-as-number',
    requirement: 'ids.are-strings',
    check: 'updateDriveFile.ids-are-strings',
    fault: 'The record that a move is answered with has a number for the id of the file.',
    profile: digits,
    break: answered(({ id }) => ({ id: Number(id) })),
  },
  {
    id: 'moved-file-described-by-null',
    requirement: 'types.null-is-none-of-them',
    check: 'updateDriveFile.no-null-fields',
    fault: 'Where a file has no description, the record that its move is answered with has null for it.',
    break: answered(({ description }) => ({ description: description ?? null })),
  },
  {
    id: 'moved-file-path-without-slash',
    requirement: 'driveFile.path-starts-with-slash',
    check: 'updateDriveFile.file-path-starts-with-slash',
    fault: 'The record that a move is answered with has the new path without its first slash.',
    break: answered(({ path }) => ({ path: String(path).slice(1) })),
  },
];

/** Jobs of tree deletions whose ids are none. */
const wrongJobs: readonly StoredFault[] = [
  {
    id: 'deletion-job-as-number',
    requirement: 'ids.are-strings',
    check: 'deleteDriveTree.ids-are-strings',
    fault: 'The store gives jobs numbers for their ids.',
    break: (engine) => changeJobIds(engine, () => 40_117),
  },
  {
    id: 'every-second-deletion-job-null',
    requirement: 'types.null-is-none-of-them',
    check: 'deleteDriveTree.no-null-fields',
    fault: 'Every second tree deletion comes to a queue that is busy, and its job has null for an id.',
    break: (engine) => {
      let count = 0;
      changeJobIds(engine, (id) => (++count % 2 === 0 ? null : id));
    },
  },
];

export const recordsOfFiles: readonly StoredFault[] = [...wrongFiles, ...wrongMoves, ...wrongJobs];
