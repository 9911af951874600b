import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import type { Call } from '../../../src/engine/call.ts';
import type { Break, Engine, Mutant } from '../mutant.ts';
import { changeCalls, idIn, onCallersOf, withAnswered, withPath } from './patch.ts';
import { filesIn, treesOf } from './patch-store.ts';
import { table } from './table.ts';

/** Which file a reading shows. */
const readings: readonly Mutant[] = [
  ...table('state', 'store', {
    'getDriveFile.id-asked-for: a-reading-shows-the-drive-as-the-file': [
      'While a file is read its record is found with the id of its drive.',
      showDriveIds,
    ],
  }),
  ...table('state', 'engine', {
    'getDriveFile.id-asked-for: a-drive-shows-one-file-under-every-id': [
      'A reading shows the first file of the drive whichever of its files is asked for.',
      changeCalls('getDriveFile', (call, caller) => {
        const tree = caller.filesOf(idIn(call, 'driveId'));
        const fileId = filesIn(tree).find(({ id }) => id !== idIn(call, 'fileId'))?.id;
        const isThere = tree.find(idIn(call, 'fileId')) !== undefined;
        return isThere && fileId !== undefined ? withPath(call, { fileId }) : call;
      }),
    ],
  }),
];

// Moves find their files as they are.
function showDriveIds(engine: Engine): void {
  let isReading = false;
  for (const { driveId, tree } of treesOf(engine)) {
    const find = tree.find.bind(tree);
    tree.find = (id) => {
      const file = find(id);
      return file === undefined || !isReading ? file : { ...file, id: driveId };
    };
  }
  onCallersOf('getDriveFile', (call, sound) => {
    isReading = true;
    const answer = sound.answer(call);
    isReading = false;
    return answer;
  })(engine);
}

/** Readings of files that are not there. */
const unknownFiles: readonly Mutant[] = table('state', 'engine', {
  'getDriveFile.unknown-file: an-unknown-file-is-made-up': [
    'A reading of a file that is not there shows a made-up one under the id that was asked for.',
    onCallersOf('getDriveFile', (call, sound, caller, engine) => {
      const fileId = strangerTo(call, caller, engine);
      if (fileId === undefined) return sound.answer(call);
      const shown = sound.answer(withPath(call, { fileId }));
      return withAnswered(shown, (body) => ({ ...body, id: idIn(call, 'fileId'), path: '/untitled', size: 0 }));
    }),
  ],
  'getDriveFile.unknown-file-is-refused > getDriveFile.strange-id: a-file-id-is-a-pattern': [
    'The id of a file is a pattern, in which a percent sign stands for anything.',
    changeCalls('getDriveFile', (call, caller) => {
      const first = filesIn(caller.filesOf(idIn(call, 'driveId')))[0];
      return idIn(call, 'fileId') === '%' && first !== undefined ? withPath(call, { fileId: first.id }) : call;
    }),
  ],
  'getDriveFile.unknown-file-is-refused > getDriveFile.near-id: a-file-is-found-by-the-start-of-its-id': [
    'Files are found by the beginning of their ids.',
    changeCalls('getDriveFile', (call, caller) => {
      const start = idIn(call, 'fileId');
      const found = filesIn(caller.filesOf(idIn(call, 'driveId'))).find(
        ({ id }) => start !== '' && id.startsWith(start),
      );
      return found === undefined ? call : withPath(call, { fileId: found.id });
    }),
  ],
  'getDriveFile.unknown-file: an-unknown-file-is-the-first-of-the-drive': [
    'A reading of a file that is not there shows some other file of the drive.',
    changeCalls('getDriveFile', (call, caller, engine) => {
      const fileId = strangerTo(call, caller, engine);
      return fileId === undefined ? call : withPath(call, { fileId });
    }),
  ],
});

/** Some file of the drive, where the one that is asked for is nowhere. */
function strangerTo(call: Call, caller: Organization, engine: Engine): string | undefined {
  const isAnywhere = treesOf(engine).some(({ tree }) => tree.find(idIn(call, 'fileId')) !== undefined);
  return isAnywhere ? undefined : caller.filesOf(idIn(call, 'driveId')).first()?.id;
}

/** The drive of the organization that really has the file of a call. */
function homeOf(organization: Organization, call: Call): string | undefined {
  const isHome = (driveId: string) => organization.filesOf(driveId).find(idIn(call, 'fileId')) !== undefined;
  return [...organization.drivesById.keys()].find(isHome);
}

/** Finds the file of an operation under whatever drive of the organization it is asked for. */
function reachAcrossDrives(operationId: OperationId): Break {
  return changeCalls(operationId, (call, caller) => {
    const isOwn = caller.drivesById.has(idIn(call, 'driveId'));
    const home = isOwn ? homeOf(caller, call) : undefined;
    return home === undefined ? call : withPath(call, { driveId: home });
  });
}

/** Files that are found under another drive than their own. */
const otherDrives: readonly Mutant[] = [
  ...table('state', 'engine', {
    'getDriveFile.file-of-another-drive: a-file-is-read-under-any-drive': [
      'A file can be read under every drive of its organization.',
      reachAcrossDrives('getDriveFile'),
    ],
    'updateDriveFile.file-of-another-drive: a-file-is-moved-under-any-drive': [
      'A file can be moved under every drive of its organization.',
      reachAcrossDrives('updateDriveFile'),
    ],
  }),
  ...table('state', 'store', {
    'getDriveFile.file-of-another-drive: files-are-kept-without-their-drives': [
      'The store looks a file up by its own id alone, without the drive.',
      (engine) => {
        const drives = treesOf(engine).map((drive) => ({ ...drive, find: drive.tree.find.bind(drive.tree) }));
        for (const { organization, tree, find } of drives) {
          const own = drives.filter((drive) => drive.organization === organization);
          tree.find = (id) => find(id) ?? own.map((drive) => drive.find(id)).find((file) => file !== undefined);
        }
      },
    ],
  }),
];

export const stateOfFiles: readonly Mutant[] = [...readings, ...unknownFiles, ...otherDrives];
