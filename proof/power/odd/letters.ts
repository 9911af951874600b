import type { WireFault } from '../mutant.ts';
import { takeFiles } from '../mutants/patch-store.ts';
import { changeAnswer, isSuccess, withBody } from '../mutants/wire-faults.ts';
import type { Oddity } from './oddity.ts';

/** A file system to which paths of one folded form are one path. */
function sameWhenFolded(fold: (path: string) => string): NonNullable<Oddity['break']> {
  return takeFiles((file, path) => fold(file.path).startsWith(path === '/' ? '/' : `${fold(path)}/`));
}

/** Shows every path in one form, in whatever form it was sent. */
function shownAs(form: (path: string) => string): WireFault {
  return changeAnswer(isSuccess, (answer) => {
    if (answer.body === '') return answer;
    const revive = (name: string, value: unknown) => (name === 'path' ? form(String(value)) : value);
    return withBody(answer, JSON.stringify(JSON.parse(answer.body, revive)));
  });
}

/** Shows null for each field of a table that a resource lacks. */
const nulls: WireFault = changeAnswer(isSuccess, (answer) => {
  if (answer.body === '') return answer;
  const revive = (_: string, value: unknown) => {
    const isResource = (field: string) => Object(value) === value && field in (value as object);
    if (isResource('isPublished')) return { description: null, ...(value as object) };
    return isResource('kind') ? { description: null, summary: null, metadata: null, ...(value as object) } : value;
  };
  return withBody(answer, JSON.stringify(JSON.parse(answer.body, revive)));
});

const lower = (path: string) => path.toLowerCase();
const withoutAccents = (path: string) => path.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();

const why = 'Sections 4.6 and 4.7: whether letter case and Unicode form make another path is not stated.';
const besides = (...roles: string[]) => roles.map((role) => `deleteDriveTree.file-beside-is-kept.${role}`);
const kept = (...rules: string[]) => rules.map((rule) => `updateDriveFile.path-kept.${rule}`);

/** The letters of paths, and null for what is missing. */
export const letters: Record<string, Oddity> = {
  'paths-are-the-same-in-either-case': {
    why,
    mayWarn: besides('case'),
    break: sameWhenFolded(lower),
  },
  'paths-are-kept-in-lower-case': {
    why,
    mayWarn: [...besides('case'), ...kept('letter-case'), 'updateDriveFile.read-shows-new-path.case'],
    break: sameWhenFolded(lower),
    wire: () => shownAs(lower),
  },
  'paths-are-composed': {
    why,
    mayWarn: [...besides('normal-form'), ...kept('decomposed-letters')],
    break: sameWhenFolded((path) => path.normalize('NFC')),
    wire: () => shownAs((path) => path.normalize('NFC')),
  },
  'paths-are-decomposed': {
    why,
    mayWarn: [...besides('normal-form'), ...kept('composed-letters')],
    break: sameWhenFolded((path) => path.normalize('NFD')),
    wire: () => shownAs((path) => path.normalize('NFD')),
  },
  'paths-are-compared-by-a-collation': {
    why,
    // What the collation takes along is counted as well.
    mayWarn: [
      ...besides('case', 'accent', 'normal-form', 'full-width', 'sharp-s', 'dotless-i'),
      'deleteDriveTree.count-fits',
    ],
    break: sameWhenFolded(withoutAccents),
  },
  'paths-are-narrowed-and-composed': {
    why,
    mayWarn: [...besides('normal-form', 'full-width'), ...kept('decomposed-letters', 'wide-letters')],
    break: sameWhenFolded((path) => path.normalize('NFKC')),
    wire: () => shownAs((path) => path.normalize('NFKC')),
  },
  'null-for-what-is-missing': {
    why: 'Section 2: whether null may stand for a value that is missing is not stated.',
    mayWarn: ['listAgents.no-null-fields', '*DriveFile.no-null-fields'],
    wire: () => nulls,
  },
};
