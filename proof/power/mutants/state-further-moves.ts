import { setTimeout } from 'node:timers/promises';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Break, Engine, Mutant, WireFault } from '../mutant.ts';
import { asOrganization, idIn, isSuccess, onCallersOf, refusal, sentField, withAnswered, withPath } from './patch.ts';
import { changeMoves, type DriveFiles, filesIn, inEachTree, treesOf } from './patch-store.ts';
import { table, wireTable } from './table.ts';
import { idsIn, write } from './wire-faults.ts';

/** Lets moves fail to change the path where `isLost` says so. */
function lose(isLost: (path: string, before: string, drive: DriveFiles) => boolean): Break {
  return changeMoves(({ path }, before, drive) => {
    const old = { path: before.path, name: before.name };
    return isLost(path, before.path, drive) ? { kept: old, answered: old } : {};
  });
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

const firstMoved = new WeakMap<object, string>();

const paths: readonly Mutant[] = table('state', 'store', {
  'updateDriveFile.path-kept.escapes: a-move-decodes-the-path': [
    'Escapes in the new path are read as the characters they stand for.',
    changeMoves(({ path }) => {
      const decoded = { path: path.replaceAll('%20', ' ').replaceAll('%2F', '-') };
      return { kept: decoded, answered: decoded };
    }),
  ],
  'updateDriveFile.path-kept.extension: a-move-keeps-the-old-extension': [
    'A moved file keeps its extension, whatever the new path has.',
    changeMoves(({ path }, before) => {
      const old = { path: path.replace(/\.\w+$/, '') + (/\.\w+$/.exec(before.path)?.[0] ?? '') };
      return { kept: old, answered: old };
    }),
  ],
  'updateDriveFile.read-shows-new-path.new-directory: a-deep-move-is-not-kept': [
    'The answer to a move shows the new path; a file in a fourth level stays where it was.',
    changeMoves(({ path }, { path: old, name }) => (path.split('/').length > 5 ? { kept: { path: old, name } } : {})),
  ],
  'updateDriveFile.path-taken-over.every-move: the-third-move-of-a-drive-is-lost': [
    'The third move in a drive is dropped, and its answer shows the file as it was.',
    loseThird(),
  ],
  'updateDriveFile.other-fields-kept.other-file: a-moved-file-has-the-content-type-of-another': [
    'After a move a file has the content type of the first file of the drive that was moved.',
    changeMoves((_, { contentType: own }, { tree }) => {
      const contentType = firstMoved.get(tree) ?? own;
      firstMoved.set(tree, contentType);
      return { kept: { contentType }, answered: { contentType } };
    }),
  ],
  'updateDriveFile.other-fields-kept.every-file: a-move-empties-files-in-error': [
    'A move of a file in error makes it ready, with size 0.',
    changeMoves(({ status }) => {
      const emptied = { status: 'ready', sizeBytes: 0 };
      return status === 'error' ? { kept: emptied, answered: emptied } : {};
    }),
  ],
});

function loseThird(): Break {
  return (engine) => {
    const moves = new Map<unknown, number>();
    lose((path, before, { tree }) => {
      if (directoryOf(path) !== directoryOf(before)) return false;
      moves.set(tree, (moves.get(tree) ?? 0) + 1);
      return moves.get(tree) === 3;
    })(engine);
  };
}

/** Moves that change files of other drives, or may not be undone. */
const others: readonly Mutant[] = table('state', 'engine', {
  'updateDriveFile.other-file-untouched.other-drive: a-move-takes-namesakes-in-other-drives-along': [
    'A move takes the files along that have the same path in other drives.',
    onCallersOf('updateDriveFile', (call, sound, _, engine) => {
      const drives = treesOf(engine);
      const own = drives.find(({ driveId }) => driveId === idIn(call, 'driveId'));
      const before = own?.tree.find(idIn(call, 'fileId'))?.path;
      const answer = sound.answer(call);
      if (!isSuccess(answer) || before === undefined) return answer;
      const path = own?.tree.find(idIn(call, 'fileId'))?.path ?? before;
      for (const { tree } of drives) {
        const namesake = filesIn(tree).find((file) => file.path === before && file.id !== idIn(call, 'fileId'));
        if (namesake !== undefined) tree.put({ ...namesake, path });
      }
      return answer;
    }),
  ],
  'getDriveFile.foreign-resource: a-file-is-found-under-any-known-drive': [
    'The drive is checked, but the file is found by its id alone.',
    findByFileId('getDriveFile'),
  ],
  'updateDriveFile.foreign-resource.through-their-drive: a-file-is-moved-under-any-known-drive': [
    'For a move the drive is checked, but the file is found by its id alone.',
    findByFileId('updateDriveFile'),
  ],
});

function findByFileId(operationId: OperationId): Break {
  return onCallersOf(operationId, (call, sound, caller, engine) => {
    const isKnown = caller.drivesById.has(idIn(call, 'driveId'));
    const home = treesOf(engine).find(({ tree }) => tree.find(idIn(call, 'fileId')) !== undefined);
    if (!isKnown || home === undefined || home.organization === caller) return sound.answer(call);
    return sound.answer(asOrganization(engine, withPath(call, { driveId: home.driveId }), home.organization));
  });
}

const values: readonly Mutant[] = [
  ...table('state', 'store', {
    'getDriveFile.size-is-not-negative: sizes-overflow': [
      'Sizes are kept in 16 bits with a sign.',
      inEachTree(({ tree }) => {
        for (const file of filesIn(tree)) tree.put({ ...file, sizeBytes: (file.sizeBytes << 16) >> 16 });
      }),
    ],
  }),
  ...table('state', 'engine', {
    'getDriveFile.name-is-no-path: the-name-of-a-file-is-its-path': [
      'name is the whole path.',
      changeAnswered('getDriveFile', ({ path }) => ({ name: path })),
    ],
    'getDriveFile.modified-at-is-past: files-are-modified-next-year': [
      'modifiedAt is a year ahead.',
      changeAnswered('getDriveFile', nextYear),
    ],
    'updateDriveFile.size-is-not-negative: the-size-of-a-moved-file-is-minus-one': [
      'The answer to a move shows a size of -1.',
      changeAnswered('updateDriveFile', () => ({ size: -1 })),
    ],
    'updateDriveFile.name-is-no-path: the-name-of-a-moved-file-is-its-path': [
      'The answer to a move shows the whole path as the name.',
      changeAnswered('updateDriveFile', ({ path }) => ({ name: path })),
    ],
    'updateDriveFile.modified-at-is-past: moved-files-are-modified-next-year': [
      'The answer to a move shows a modifiedAt that is a year ahead.',
      changeAnswered('updateDriveFile', nextYear),
    ],
  }),
];

function nextYear() {
  return { modifiedAt: new Date(Date.now() + 366 * 86_400_000).toISOString() };
}

function changeAnswered(operationId: OperationId, change: (body: { path: string }) => object): Break {
  return onCallersOf(operationId, (call, sound) => {
    const answer = sound.answer(call);
    return isSuccess(answer) ? withAnswered(answer, (body) => ({ ...body, ...change(body as never) })) : answer;
  });
}

/** Writes the files of a drive as one document: of two moves at the same time, the first is lost. */
function loseOvertaken(engine: Engine): WireFault {
  const latest = new Map<string, number>();
  let count = 0;
  return async (request, response, forward) => {
    const [driveId = '', fileId = ''] = idsIn(request.url ?? '');
    const tree = treesOf(engine).find((drive) => drive.driveId === driveId)?.tree;
    const before = tree?.find(fileId);
    const own = ++count;
    latest.set(driveId, own);
    const answer = await forward();
    await setTimeout(whileMs);
    if (latest.get(driveId) !== own && before !== undefined) tree?.put(before);
    write(response, answer);
  };
}

const whileMs = 20;

const atOnce: readonly Mutant[] = wireTable('state', {
  'updateDriveFile.read-shows-new-path.parallel: of-moves-at-the-same-time-the-last-is-kept': [
    'Each move writes the files of its drive as a whole: of several at the same time the last one is kept.',
    loseOvertaken,
  ],
});

/** Reserves every path that a file ever had. */
function reservePaths(): Break {
  const used = new Set<string>();
  return onCallersOf('updateDriveFile', (call, sound, caller, engine) => {
    const key = (path: unknown) => `${idIn(call, 'driveId')} ${path}`;
    const drive = treesOf(engine).find(({ driveId }) => driveId === idIn(call, 'driveId'));
    const before = drive?.organization === caller ? drive.tree.find(idIn(call, 'fileId'))?.path : undefined;
    if (before !== sentField(call, 'path') && used.has(key(sentField(call, 'path'))))
      return refusal(engine, 'invalidInput');
    if (before !== undefined) used.add(key(before));
    return sound.answer(call);
  });
}

const reserved: readonly Mutant[] = table('state', 'engine', {
  'updateDriveFile.old-path-is-free: paths-stay-reserved': ['A path that a file ever had stays taken.', reservePaths()],
});

export const stateOfFurtherMoves: readonly Mutant[] = [...paths, ...others, ...values, ...atOnce, ...reserved];
