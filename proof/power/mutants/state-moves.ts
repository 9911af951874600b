import type { DriveFile } from '../../../src/domain/resources.ts';
import type { Break, Mutant } from '../mutant.ts';
import { changeCalls, idIn, isSuccess, onCallersOf, withAnswered, withPath } from './patch.ts';
import { changeMoves, changeOtherFiles, filesIn, inEachTree, sequence } from './patch-store.ts';
import { table } from './table.ts';

const withBoth = (path: string) => ({ answered: { path }, kept: { path } });

/** Which file, at which path, a move answers and keeps. */
const paths: readonly Mutant[] = [
  ...table('state', 'store', {
    'updateDriveFile.id-asked-for: a-moved-file-is-answered-with-a-new-id': [
      'The answer to a move shows a new id; the file keeps its own.',
      changeMoves((_, __, { organization }) => ({ answered: { id: organization.ids('file') } })),
    ],
    'updateDriveFile.path-taken-over: a-move-answers-the-old-path': [
      'The answer to a move shows the path before it; later readings show the new one.',
      changeMoves((_, before) => ({ answered: { path: before.path } })),
    ],
    'updateDriveFile.path-taken-over: a-move-answers-the-path-in-upper-case': [
      'The answer to a move shows the new path in upper case; later readings show it as it was sent.',
      changeMoves(({ path }) => ({ answered: { path: path.toUpperCase() } })),
    ],
    'updateDriveFile.path-kept.letter-case: a-move-keeps-the-path-in-lower-case': [
      'The answer to a move shows the new path; later readings show it in lower case.',
      changeMoves(({ path }) => ({ kept: { path: path.toLowerCase() } })),
    ],
    'updateDriveFile.path-kept.letters: a-move-drops-commas': [
      'Commas of the new path are lost.',
      changeMoves(({ path }) => withBoth(path.replaceAll(',', ''))),
    ],
    'updateDriveFile.path-kept.composed-letters: a-move-decomposes-the-path': [
      'The new path is stored in the form in which accents are characters of their own.',
      changeMoves(({ path }) => withBoth(path.normalize('NFD'))),
    ],
    'updateDriveFile.path-kept.decomposed-letters: a-move-composes-the-path': [
      'The new path is stored with accented letters of one character each.',
      changeMoves(({ path }) => withBoth(path.normalize('NFC'))),
    ],
    'updateDriveFile.path-kept.wide-letters: a-move-narrows-wide-letters': [
      'Letters of full width in the new path become plain ones.',
      changeMoves(({ path }) => withBoth(path.replaceAll(/[\uff01-\uff5e]/g, (one) => one.normalize('NFKC')))),
    ],
    'updateDriveFile.path-kept.punctuation: a-move-cuts-the-path-at-a-hash': [
      'A path is read as an address: what follows # is lost.',
      changeMoves(({ path }) => withBoth(path.replace(/#.*/, ''))),
    ],
    'updateDriveFile.path-kept.patterns: a-move-reads-a-plus-as-a-blank': [
      'A plus in the new path becomes a blank.',
      changeMoves(({ path }) => withBoth(path.replaceAll('+', ' '))),
    ],
    'updateDriveFile.path-kept.markup: a-move-escapes-the-path-for-pages': [
      'The new path is stored as HTML.',
      changeMoves(({ path }) => withBoth(path.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))),
    ],
    'updateDriveFile.path-kept.scripts: a-move-replaces-letters-of-other-scripts': [
      'Letters of other scripts in the new path become underscores.',
      changeMoves(({ path }) => withBoth(path.replaceAll(/[^\u0020-\u024f]/g, '_'))),
    ],
    'updateDriveFile.path-kept.long: a-move-cuts-a-long-path': [
      'The new path is cut after 90 characters.',
      changeMoves(({ path }) => withBoth(path.slice(0, 90))),
    ],
    'updateDriveFile.read-shows-new-path: a-move-is-answered-and-not-kept': [
      'The answer to a move shows the new path; the file stays where it was.',
      changeMoves((_, { path, name }) => ({ kept: { path, name } })),
    ],
    'updateDriveFile.read-shows-new-path: a-move-keeps-the-path-cut-short': [
      'The answer to a move shows the new path; later readings show it without its last character.',
      changeMoves(({ path }) => ({ kept: { path: path.slice(0, -1) } })),
    ],
    'updateDriveFile.read-shows-new-path: only-the-name-of-a-moved-file-changes': [
      'A move renames the file: later readings show the new name, and the path as it was before.',
      changeMoves((_, { path }) => ({ kept: { path } })),
    ],
  }),
  ...table('state', 'engine', {
    'updateDriveFile.id-asked-for: a-move-answers-another-file': [
      'A move is answered with another file of the drive.',
      onCallersOf('updateDriveFile', (call, sound, caller) => {
        const answer = sound.answer(call);
        const files = filesIn(caller.filesOf(idIn(call, 'driveId')));
        const fileId = files.find(({ id }) => id !== idIn(call, 'fileId'))?.id;
        if (!isSuccess(answer) || fileId === undefined) return answer;
        return sound.answer({ ...withPath(call, { fileId }), operationId: 'getDriveFile' });
      }),
    ],
  }),
];

// Not every file has all of these; a loss is seen where something was.
const given = {
  description: 'What the file is about',
  summary: 'What the file says, in a sentence.',
  metadata: { pages: 12, language: 'en', review: { by: 'Quality', passed: true } },
};

const describeAll: Break = inEachTree(({ tree }) => {
  for (const file of filesIn(tree)) tree.put({ ...given, ...file });
});

/** Lets every file have all fields, and each move put others in their place. */
function empty(changes: Partial<DriveFile>): Break {
  return sequence(describeAll, changeBoth(changes));
}

/** Changes what is kept of each move and what it is answered with. */
function changeBoth(changes: Partial<DriveFile>): Break {
  return changeMoves(() => ({ kept: changes, answered: changes }));
}

/** Lets every file have all fields, and each move take these away. */
const forgetAll: Break = sequence(
  describeAll,
  inEachTree(({ tree }) => {
    const put = tree.put.bind(tree);
    tree.put = (moved: Partial<Record<keyof typeof given, unknown>> & DriveFile) => {
      for (const name of ['description', 'summary', 'metadata'] as const) delete moved[name];
      put(moved);
    };
  }),
);

/** What else a move changes of the file. */
const fields: readonly Mutant[] = table('state', 'store', {
  'updateDriveFile.other-fields-kept: a-move-sets-the-size-to-zero': [
    'A moved file has size 0, in the answer and in later readings.',
    changeBoth({ sizeBytes: 0 }),
  ],
  'updateDriveFile.other-fields-kept: a-move-counts-the-size-anew': [
    'A later reading of a moved file shows one byte more; the answer to the move is right.',
    changeMoves(({ sizeBytes }) => ({ kept: { sizeBytes: sizeBytes + 1 } })),
  ],
  'updateDriveFile.other-fields-kept: a-move-forgets-the-content-type': [
    'A moved file has the content type application/octet-stream.',
    changeBoth({ contentType: 'application/octet-stream' }),
  ],
  'updateDriveFile.other-fields-kept: a-move-forgets-the-description': [
    'The description of a moved file is empty.',
    empty({ description: '' }),
  ],
  'updateDriveFile.other-fields-kept: a-move-takes-description-summary-and-metadata-away': [
    'A moved file has neither description nor summary nor metadata any more.',
    forgetAll,
  ],
  'updateDriveFile.other-fields-kept: a-move-forgets-the-summary': [
    'The summary of a moved file is empty.',
    empty({ summary: '' }),
  ],
  'updateDriveFile.other-fields-kept: a-move-forgets-the-metadata': [
    'The metadata of a moved file are an empty object.',
    empty({ metadata: {} }),
  ],
  'updateDriveFile.other-fields-kept: a-move-loses-the-last-entry-of-the-metadata': [
    'The metadata of a moved file is without its last entry.',
    sequence(
      describeAll,
      changeMoves(({ metadata = {} }) => {
        const shorter = { metadata: Object.fromEntries(Object.entries(metadata).slice(0, -1)) };
        return { kept: shorter, answered: shorter };
      }),
    ),
  ],
  'updateDriveFile.other-fields-kept: a-move-exchanges-summary-and-description': [
    'In later readings of a moved file the summary and the description have changed places.',
    sequence(
      describeAll,
      changeMoves(({ summary = '', description = '' }) => ({ kept: { summary: description, description: summary } })),
    ),
  ],
});

/** What a move does to other files. */
const otherFiles: readonly Mutant[] = table('state', 'store', {
  'updateDriveFile.other-file-untouched: a-move-takes-the-whole-drive-along': [
    'With a file every other file of its drive is moved to the new directory.',
    changeOtherFiles((file, moved) => {
      const directory = moved.path.slice(0, moved.path.lastIndexOf('/'));
      return { path: `${directory}/${moved.name} and ${file.id}/${file.name}` };
    }),
  ],
  'updateDriveFile.other-file-untouched: a-move-renames-the-other-files': [
    'A move puts .bak behind the names of the other files of the drive.',
    changeOtherFiles(({ path, name }) => ({ path: `${path}.bak`, name: `${name}.bak` })),
  ],
  'updateDriveFile.other-file-untouched: a-move-adds-a-slash-to-the-other-paths': [
    'A move adds a slash to the paths of the other files of the drive.',
    changeOtherFiles(({ path }) => ({ path: `/${path}` })),
  ],
});

/** Moves and readings of files that are not there. */
const strangers: readonly Mutant[] = table('state', 'engine', {
  'updateDriveFile.unknown-file: a-move-of-an-unknown-file-makes-one': [
    'A move of a file that is not there succeeds: a copy of another file is made under the id.',
    changeCalls('updateDriveFile', (call, caller) => {
      const [driveId, id] = [idIn(call, 'driveId'), idIn(call, 'fileId')];
      const tree = caller.filesOf(driveId);
      const model = tree.first();
      if (tree.find(id) === undefined && model !== undefined) tree.put({ ...model, id, path: `/${id}` });
      return call;
    }),
  ],
  'updateDriveFile.unknown-file: a-move-of-an-unknown-file-is-a-success': [
    'A move of a file that is not there is answered with success, and nothing is done.',
    onCallersOf('updateDriveFile', (call, sound, caller) => {
      const [driveId, id] = [idIn(call, 'driveId'), idIn(call, 'fileId')];
      const model = caller.filesOf(driveId).first();
      const answer = sound.answer(call);
      if (answer.status !== 404 || model === undefined) return answer;
      const shown = sound.answer({ ...withPath(call, { fileId: model.id }), operationId: 'getDriveFile' });
      return withAnswered(shown, (body) => ({ ...body, id }));
    }),
  ],
});

export const stateOfMoves: readonly Mutant[] = [...paths, ...fields, ...otherFiles, ...strangers];
