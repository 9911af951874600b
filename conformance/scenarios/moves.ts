/*
 * Moves as data: a file that goes from path to path, and files that must stay while another one goes. To add one, add a row to
 * `ways` or `partings`; its paths are made of the path of the file without its extension, and the extension. `checks/moves.ts`
 * runs the ways in the group `moves` and the partings alone, both as `carry-out.ts` says.
 */
import { type Sentence, say } from '../../lib/sentence.ts';
import { letterTexts, oddTexts } from '../probing/names.ts';
import { pairOfTwoDrives, variedFilesOfOneDrive } from '../probing/placed-files.ts';
import type { NeedName } from '../run/needs.ts';
import { extensionOf, type MovableFile } from '../safety/receipt.ts';
import type { Session } from '../target/session.ts';

/** How a path is kept: exactly, or in any letter case and Unicode form, which is open. */
export type HowKept = 'exactly' | 'in any form';

/** One file, and where it goes. */
export interface Way {
  does: string;
  /** By a new plain path in the directory where the file was found. */
  paths(stem: string, extension: string): readonly string[];
  /** Default: in any form. */
  how?: HowKept;
  /** Whether the file is put at the plain path first. */
  isFromPlain?: boolean;
  /** Whether the last declared file goes: if the target loses it, checks of the first can go on. */
  isOfLast?: boolean;
}

const otherThan = (extension: string) => (extension === '.txt' ? '.md' : '.txt');
const nameIn = (stem: string) => stem.slice(stem.lastIndexOf('/') + 1);
const named = (stem: string, change: (name: string) => string) =>
  stem.slice(0, stem.length - nameIn(stem).length) + change(nameIn(stem));
const newDirectory = (below: string) => (stem: string, extension: string) => [
  `/${nameIn(stem)}/${below}/${nameIn(stem)}${extension}`,
];

export const ways: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(
    oddTexts.map(({ rule, does, text }): [string, Way] => [
      `updateDriveFile.path-kept.${rule}`,
      {
        does: `Moves a file to a name that contains ${does}.`,
        paths: (stem, extension) => [`${stem} ${text}${extension}`],
      },
    ]),
  ),
  'updateDriveFile.path-kept.escapes': {
    does: 'Moves a file to a name that contains %20 and %2F, which are ordinary characters in a body.',
    paths: (stem, extension) => [`${stem}-a%20b%2Fc${extension}`],
  },
  'updateDriveFile.path-kept.outer-blanks': {
    does: 'Moves a file to a name that starts and ends with a space.',
    paths: (stem, extension) => [`${named(stem, (name) => ` ${name}`)}${extension} `],
  },
  ...Object.fromEntries(
    Object.entries(letterTexts).map(([rule, { does, text }]): [string, Way] => [
      `updateDriveFile.path-kept.${rule}`,
      {
        does: `Moves a file to a name that contains ${does}.`,
        paths: (stem, extension) => [stem + text + extension],
        how: 'exactly',
      },
    ]),
  ),
  'updateDriveFile.path-kept.extension': {
    does: 'Moves a file to a name with another extension.',
    paths: (stem, extension) => [stem + otherThan(extension)],
  },
  'updateDriveFile.read-shows-new-path.new-directory': {
    does: 'Moves a file to a directory of four levels that does not exist, and reads it until it shows the path.',
    paths: newDirectory('a/b/c'),
    isOfLast: true,
  },
  'updateDriveFile.read-shows-new-path.deep': {
    does: 'Moves a file to a path of twelve segments, and reads it until it shows the path.',
    paths: newDirectory('a/b/c/d/e/f/g/h/i/j'),
    isOfLast: true,
  },
  'updateDriveFile.read-shows-new-path.long': {
    does: 'Moves a file to a path of more than 300 characters, and reads it until it shows the path.',
    paths: newDirectory(`${'long-'.repeat(20)}a/${'long-'.repeat(20)}b/${'long-'.repeat(20)}c`),
    isOfLast: true,
  },
  // Paths that careless code mistakes for the old one.
  'updateDriveFile.read-shows-new-path.back': {
    does: 'Moves a file to another name and back, and reads it until it shows the path.',
    paths: (stem, extension) => [`${stem}-away${extension}`, stem + extension],
    isFromPlain: true,
  },
  'updateDriveFile.read-shows-new-path.case': {
    does: 'Moves a file to the same name in capitals, and reads it until it shows the path.',
    paths: (stem, extension) => [named(stem, (name) => name.toUpperCase()) + extension],
    how: 'exactly',
    isFromPlain: true,
  },
  'updateDriveFile.read-shows-new-path.one-character': {
    does: 'Moves a file to a name with one character added, then with a different one, and reads it until it shows the path.',
    paths: (stem, extension) => [`${stem}x${extension}`, `${stem}y${extension}`],
    isFromPlain: true,
  },
  'updateDriveFile.read-shows-new-path.extension-only': {
    does: 'Moves a file to the same name with another extension, and reads it until it shows the path.',
    paths: (stem, extension) => [stem + otherThan(extension)],
    isFromPlain: true,
  },
};

/** Some files, of which the first one goes and the others stay. */
export interface Parting {
  does: string;
  needs: readonly NeedName[];
  files(session: Session): Promise<readonly MovableFile[]>;
  /** Where the first file is put, by a new plain path for it, and where it goes. */
  from(path: string): string;
  /** Where another file is put. */
  beside(from: string, index: number, file: MovableFile): string;
  /** What must stay. */
  what: Sentence;
}

export const partings: Readonly<Record<string, Parting>> = {
  'updateDriveFile.other-file-untouched.other-drive': {
    does: 'Moves a file away from a path that a file in another drive has too, and reads the other file.',
    needs: ['writes', 'movableFile', 'filesOfTwoDrives'],
    files: pairOfTwoDrives,
    from: (path) => `/${nameIn(path)}`,
    beside: (from) => from,
    what: say`the file of the other drive`,
  },
  'updateDriveFile.read-shows-new-path.neighbour': {
    does: 'Moves a file away from a path that is a prefix of other paths, and reads the other files.',
    needs: ['writes', 'movableFile', 'twoFilesOfOneDrive'],
    files: (session) => variedFilesOfOneDrive(session, 3),
    from: (path) => path,
    // No path differs only in case: a target for which that is the same path may replace the file there.
    beside: (from, index, file) => `${from}${index === 0 ? '-2' : '/below'}${extensionOf(file.originalPath)}`,
    what: say`the other file`,
  },
};
