import { type AnswerFault, inBody, inSuccesses, inText, without } from './rewrite.ts';

/** Drive files, and answers to tree deletions, that look wrong. */
export const fileFaults: readonly AnswerFault[] = [
  {
    id: 'file-in-an-array',
    requirement: 'getDriveFile.answer-is-drive-file',
    check: 'getDriveFile.answer-is-object',
    fault: 'The answer to the reading of a file is an array with the file.',
    break: inText('getDriveFile', (text) => `[${text}]`),
  },
  {
    id: 'moved-file-not-shown',
    class: 'status',
    requirement: 'updateDriveFile.answer-is-drive-file',
    check: 'updateDriveFile.answer-is-object',
    fault: 'A move is answered with 204 and no file.',
    break: inSuccesses('updateDriveFile', () => ({ status: 204, headers: {} })),
  },
  {
    id: 'file-modified-in-seconds',
    requirement: 'timestamps.are-date-times',
    check: 'getDriveFile.timestamps-are-date-times',
    fault: 'modifiedAt of a file that is read is the number of seconds since 1970.',
    break: inBody('getDriveFile', (file) => ({
      ...file,
      modifiedAt: Math.floor(Date.parse(String(file.modifiedAt)) / 1000),
    })),
  },
  {
    id: 'moved-file-modified-on-no-day',
    requirement: 'timestamps.are-date-times',
    check: 'updateDriveFile.timestamps-are-date-times',
    fault: 'modifiedAt of a moved file is the 30th of February.',
    break: inBody('updateDriveFile', (file) => ({
      ...file,
      modifiedAt: String(file.modifiedAt).replace(/-\d\d-\d\dT/, '-02-30T'),
    })),
  },
  {
    id: 'moved-file-of-another-kind',
    requirement: 'driveFile.kind-values',
    check: 'updateDriveFile.kind-values',
    fault: 'The kind of a moved file is FILE, in capitals.',
    break: inBody('updateDriveFile', (file) => ({ ...file, kind: 'FILE' })),
  },
  {
    id: 'file-path-without-slash',
    requirement: 'driveFile.path-starts-with-slash',
    check: 'getDriveFile.file-path-starts-with-slash',
    fault: 'The path of a file that is read has no slash at the start.',
    break: inBody('getDriveFile', (file) => ({ ...file, path: String(file.path).slice(1) })),
  },
  {
    id: 'moved-file-without-size',
    requirement: 'driveFile.fields-are-present',
    check: 'updateDriveFile.fields-present',
    fault: 'The answer to a move does not show the size of the file.',
    break: inBody('updateDriveFile', (file) => without(file, 'size')),
  },
  {
    id: 'deletion-without-job',
    requirement: 'deleteDriveTree.fields-are-present',
    check: 'deleteDriveTree.fields-present',
    fault: 'A tree deletion is answered without jobId.',
    break: inBody('deleteDriveTree', (deletion) => without(deletion, 'jobId')),
  },
  {
    id: 'deletion-counts-in-text',
    requirement: 'deleteDriveTree.field-types',
    check: 'deleteDriveTree.field-types',
    fault: 'documentCount is a string of digits.',
    break: inBody('deleteDriveTree', (deletion) => ({ ...deletion, documentCount: String(deletion.documentCount) })),
  },
];
