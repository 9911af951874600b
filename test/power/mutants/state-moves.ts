import type { DriveFile } from '../../../src/domain/resources.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { idIn, isSuccess, onCallersOf, withAnswered, withPath } from './patch.ts';
import { afterMoves, changeMoves, filesIn, treesOf } from './patch-store.ts';

const sameFile = { class: 'state', place: 'store', requirement: 'updateDriveFile.answers-the-same-file' } as const;
const newPath = { class: 'state', place: 'store', requirement: 'updateDriveFile.answers-the-new-path' } as const;
const hasMoved = { class: 'state', place: 'store', requirement: 'updateDriveFile.file-has-moved' } as const;
const othersStay = {
  class: 'state',
  place: 'store',
  requirement: 'updateDriveFile.other-files-stay',
  check: 'updateDriveFile.other-file-untouched',
} as const;

/** Which file, at which path, a move answers and keeps. */
const paths: readonly Mutant[] = [
  {
    id: 'a-moved-file-is-answered-with-a-new-id',
    ...sameFile,
    check: 'updateDriveFile.id-asked-for',
    fault: 'The answer to a move shows a new id; the file keeps its own.',
    break: (engine) =>
      changeMoves(engine, (_, __, { organization }) => ({ answered: { id: organization.ids('file') } })),
  },
  {
    id: 'a-move-answers-another-file',
    class: 'state',
    place: 'engine',
    requirement: 'updateDriveFile.answers-the-same-file',
    check: 'updateDriveFile.id-asked-for',
    fault: 'A move is answered with another file of the drive.',
    break: (engine) =>
      onCallersOf(engine, 'updateDriveFile', (call, sound, caller) => {
        const answer = sound.answer(call);
        const others = filesIn(caller.filesOf(idIn(call, 'driveId'))).filter(({ id }) => id !== idIn(call, 'fileId'));
        const fileId = others[0]?.id;
        if (!isSuccess(answer) || fileId === undefined) return answer;
        return sound.answer({ ...withPath(call, { fileId }), operationId: 'getDriveFile' });
      }),
  },
  {
    id: 'a-move-answers-the-old-path',
    ...newPath,
    check: 'updateDriveFile.path-taken-over',
    fault: 'The answer to a move shows the path before it; later readings show the new one.',
    break: (engine) => changeMoves(engine, (_, before) => ({ answered: { path: before.path } })),
  },
  {
    id: 'a-move-answers-the-path-in-upper-case',
    ...newPath,
    check: 'updateDriveFile.path-taken-over',
    fault: 'The answer to a move shows the new path in upper case; later readings show it as it was sent.',
    break: (engine) => changeMoves(engine, ({ path }) => ({ answered: { path: path.toUpperCase() } })),
  },
  {
    id: 'a-move-is-answered-and-not-kept',
    ...hasMoved,
    check: 'updateDriveFile.read-shows-new-path',
    fault: 'The answer to a move shows the new path; the file stays where it was.',
    break: (engine) => changeMoves(engine, (_, { path, name }) => ({ kept: { path, name } })),
  },
  {
    id: 'a-move-keeps-the-path-cut-short',
    ...hasMoved,
    check: 'updateDriveFile.read-shows-new-path',
    fault: 'The answer to a move shows the new path; later readings show it without its last character.',
    break: (engine) => changeMoves(engine, ({ path }) => ({ kept: { path: path.slice(0, -1) } })),
  },
  {
    id: 'only-the-name-of-a-moved-file-changes',
    ...hasMoved,
    check: 'updateDriveFile.read-shows-new-path',
    fault: 'A move renames the file: later readings show the new name, and the path as it was before.',
    break: (engine) => changeMoves(engine, (_, { path }) => ({ kept: { path } })),
  },
];

const rest = {
  class: 'state',
  place: 'store',
  requirement: 'updateDriveFile.rest-of-file-is-kept',
  check: 'updateDriveFile.other-fields-kept',
} as const;

// Not every file has all of these; a loss is seen where something was.
const given = {
  description: 'What the file is about',
  summary: 'What the file says, in a sentence.',
  metadata: { pages: 12, language: 'en', review: { by: 'Quality', passed: true } },
};

function describeAll(engine: Engine): void {
  for (const { tree } of treesOf(engine)) {
    for (const file of filesIn(tree)) tree.put({ ...given, ...file });
  }
}

/** Lets every file have all fields, and each move put others in their place. */
function empty(engine: Engine, changes: Partial<DriveFile>): void {
  describeAll(engine);
  changeMoves(engine, () => ({ kept: changes, answered: changes }));
}

/** Lets every file have all fields, and each move take these away. */
function forgetAll(engine: Engine): void {
  describeAll(engine);
  for (const { tree } of treesOf(engine)) {
    const put = tree.put.bind(tree);
    tree.put = (moved: Partial<Record<keyof typeof given, unknown>> & DriveFile) => {
      for (const name of ['description', 'summary', 'metadata'] as const) delete moved[name];
      put(moved);
    };
  }
}

/** What else a move changes of the file. */
const fields: readonly Mutant[] = [
  {
    id: 'a-move-sets-the-size-to-zero',
    ...rest,
    fault: 'A moved file has size 0, in the answer and in later readings.',
    break: (engine) => changeMoves(engine, () => ({ kept: { sizeBytes: 0 }, answered: { sizeBytes: 0 } })),
  },
  {
    id: 'a-move-counts-the-size-anew',
    ...rest,
    fault: 'A later reading of a moved file shows one byte more; the answer to the move is right.',
    break: (engine) => changeMoves(engine, ({ sizeBytes }) => ({ kept: { sizeBytes: sizeBytes + 1 } })),
  },
  {
    id: 'a-move-forgets-the-content-type',
    ...rest,
    fault: 'A moved file has the content type application/octet-stream.',
    break: (engine) => {
      const contentType = 'application/octet-stream';
      changeMoves(engine, () => ({ kept: { contentType }, answered: { contentType } }));
    },
  },
  {
    id: 'a-move-forgets-the-description',
    ...rest,
    fault: 'The description of a moved file is empty.',
    break: (engine) => empty(engine, { description: '' }),
  },
  {
    id: 'a-move-takes-description-summary-and-metadata-away',
    ...rest,
    fault: 'A moved file has neither description nor summary nor metadata any more.',
    break: forgetAll,
  },
  {
    id: 'a-move-forgets-the-summary',
    ...rest,
    fault: 'The summary of a moved file is empty.',
    break: (engine) => empty(engine, { summary: '' }),
  },
  {
    id: 'a-move-forgets-the-metadata',
    ...rest,
    fault: 'The metadata of a moved file are an empty object.',
    break: (engine) => empty(engine, { metadata: {} }),
  },
  {
    id: 'a-move-loses-the-last-entry-of-the-metadata',
    ...rest,
    fault: 'The metadata of a moved file is without its last entry.',
    break: (engine) => {
      describeAll(engine);
      changeMoves(engine, ({ metadata = {} }) => {
        const shorter = { metadata: Object.fromEntries(Object.entries(metadata).slice(0, -1)) };
        return { kept: shorter, answered: shorter };
      });
    },
  },
  {
    id: 'a-move-exchanges-summary-and-description',
    ...rest,
    fault: 'In later readings of a moved file the summary and the description have changed places.',
    break: (engine) => {
      describeAll(engine);
      changeMoves(engine, ({ summary = '', description = '' }) => ({
        kept: { summary: description, description: summary },
      }));
    },
  },
];

/** What a move does to other files. */
const otherFiles: readonly Mutant[] = [
  {
    id: 'a-move-takes-the-whole-drive-along',
    ...othersStay,
    fault: 'With a file every other file of its drive is moved to the new directory.',
    break: (engine) =>
      afterMoves(engine, (moved, _, { tree }) => {
        const directory = moved.path.slice(0, moved.path.lastIndexOf('/'));
        for (const file of filesIn(tree)) {
          if (file.id !== moved.id)
            tree.put({ ...file, path: `${directory}/${moved.name} and ${file.id}/${file.name}` });
        }
      }),
  },
  {
    id: 'a-move-renames-the-other-files',
    ...othersStay,
    fault: 'A move puts .bak behind the names of the other files of the drive.',
    break: (engine) =>
      afterMoves(engine, (moved, _, { tree }) => {
        for (const file of filesIn(tree)) {
          if (file.id !== moved.id) tree.put({ ...file, path: `${file.path}.bak`, name: `${file.name}.bak` });
        }
      }),
  },
  {
    id: 'a-move-adds-a-slash-to-the-other-paths',
    ...othersStay,
    fault: 'A move adds a slash to the paths of the other files of the drive.',
    break: (engine) =>
      afterMoves(engine, (moved, _, { tree }) => {
        for (const file of filesIn(tree)) {
          if (file.id !== moved.id) tree.put({ ...file, path: `/${file.path}` });
        }
      }),
  },
];

/** Moves and readings of files that are not there. */
const strangers: readonly Mutant[] = [
  {
    id: 'a-move-of-an-unknown-file-makes-one',
    class: 'state',
    place: 'engine',
    requirement: 'updateDriveFile.unknown-file-is-refused',
    check: 'updateDriveFile.unknown-file',
    fault: 'A move of a file that is not there succeeds: a copy of another file is made under the id.',
    break: (engine) =>
      onCallersOf(engine, 'updateDriveFile', (call, sound, caller) => {
        const [driveId, id] = [idIn(call, 'driveId'), idIn(call, 'fileId')];
        const tree = caller.filesOf(driveId);
        const model = tree.first();
        if (tree.find(id) === undefined && model !== undefined) tree.put({ ...model, id, path: `/${id}` });
        return sound.answer(call);
      }),
  },
  {
    id: 'a-move-of-an-unknown-file-is-a-success',
    class: 'state',
    place: 'engine',
    requirement: 'updateDriveFile.unknown-file-is-refused',
    check: 'updateDriveFile.unknown-file',
    fault: 'A move of a file that is not there is answered with success, and nothing is done.',
    break: (engine) =>
      onCallersOf(engine, 'updateDriveFile', (call, sound, caller) => {
        const [driveId, id] = [idIn(call, 'driveId'), idIn(call, 'fileId')];
        const model = caller.filesOf(driveId).first();
        const answer = sound.answer(call);
        if (answer.status !== 404 || model === undefined) return answer;
        const shown = sound.answer({ ...withPath(call, { fileId: model.id }), operationId: 'getDriveFile' });
        return withAnswered(shown, (body) => ({ ...body, id }));
      }),
  },
];

export const stateOfMoves: readonly Mutant[] = [...paths, ...fields, ...otherFiles, ...strangers];
