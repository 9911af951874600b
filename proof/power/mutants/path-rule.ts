import type { Break, Mutant } from '../mutant.ts';
import { illegalPathMutants } from './illegal-paths.ts';
import { isSuccess, onCallersOf, sentParameter, withQuery } from './patch.ts';
import { pathRuleOfMoves } from './path-rule-moves.ts';
import {
  hasDotDot,
  hasHarmlessFirstDots,
  isLegal,
  judgeDeletions,
  resolved,
  rewriteDeletions,
  segmentsOf,
  stripped,
} from './path-rules.ts';
import { table } from './table.ts';

// A path that is let through then shows as a success, although no directory is there.
const emptyJob = { 'treePath.missing': 'emptyJob' } as const;

/** Paths with a `..` segment that are let through. */
const lenient: readonly Mutant[] = table('path rule', 'engine', {
  'deleteDriveTree.dot-dot-segment.only: delete-judges-by-the-stated-pattern-alone': [
    'The path of a tree is judged by the stated pattern alone, which lets /.. and /../x through.',
    judgeDeletions((path) => /^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/.test(path)),
  ],
  'deleteDriveTree.dot-dot-segment.first: delete-looks-for-dot-dot-behind-another-segment': [
    'A .. is refused where another segment stands before it only; at the beginning it is accepted.',
    judgeDeletions((path) => {
      const behind = path.replace(/^(\/\.\.)+(?=\/)/, '');
      return isLegal(behind);
    }),
  ],
  'deleteDriveTree.dot-dot-segment.middle: delete-judges-the-first-segment-only': [
    'A .. is refused at the beginning of the path of a tree only.',
    judgeDeletions((path) => isLegal(`/${segmentsOf(path)[0] ?? ''}`) && path.startsWith('/')),
  ],
  'deleteDriveTree.dot-dot-segment.middle: delete-strips-dot-dot-and-goes-on': [
    'The .. segments are taken out of the path of a tree, and what is left of it is deleted.',
    rewriteDeletions((path) => (/[^/]\/\.\.\//.test(path) && path.startsWith('/') ? stripped(path) : path)),
  ],
  'deleteDriveTree.dot-dot-segment.middle: delete-judges-one-dot-dot': [
    'The path of a tree with more than one .. segment is accepted; with exactly one it is refused.',
    judgeDeletions(
      (path) => isLegal(path) || (path.startsWith('/') && path.split('/').filter((one) => one === '..').length > 1),
    ),
  ],
  'deleteDriveTree.dot-dot-segment.last: delete-forgets-the-last-segment': [
    'A .. that is the last of several segments of the path of a tree is accepted.',
    judgeDeletions((path) => (/[^/]\/\.\.$/.test(path) ? isLegal(path.slice(0, -3)) : isLegal(path))),
  ],
  'deleteDriveTree.dot-dot-segment.last: delete-looks-for-dot-dot-with-a-closing-slash': [
    'Only ../ is looked for in the path of a tree, so that a .. without a slash behind it is accepted.',
    judgeDeletions((path) => path.startsWith('/') && !path.includes('/../')),
  ],
  'deleteDriveTree.dot-dot-segment.after-line-break: delete-judges-the-first-line-of-a-path': [
    'The path of a tree is judged up to its first line break; a .. segment behind it is accepted.',
    judgeDeletions((path) => isLegal(path.split(/[\n\r\u2028\u2029]/, 1)[0] ?? '')),
  ],
  'deleteDriveTree.dot-dot-segment.deep: delete-judges-ten-segments': [
    'A .. behind the tenth segment of the path of a tree is accepted.',
    judgeDeletions((path) => path.startsWith('/') && isLegal(`/${segmentsOf(path).slice(0, 10).join('/')}`)),
  ],
  'deleteDriveTree.dot-dot-segment.long: delete-judges-short-paths-only': [
    'The path of a tree of more than 255 characters is accepted, whatever it is.',
    judgeDeletions((path) => path.length > 255 || isLegal(path)),
  ],
  'deleteDriveTree.dot-dot-segment.percent-encoded: delete-judges-before-it-decodes': [
    'The path of a tree is judged as it stands in the query, so that %2e%2e is accepted.',
    judgeDeletions((path, { query }) => {
      const raw = query.split('&').find((pair) => pair.startsWith('path=')) ?? '';
      const isDisguised = /%2e/i.test(raw) && !hasDotDot(raw.slice(5).replaceAll(/%2f/gi, '/'));
      return isLegal(path) || (isDisguised && path.startsWith('/'));
    }),
  ],
  'deleteDriveTree.dot-dot-segment.behind-names: delete-looks-at-the-first-dots-only': [
    'Only the first two dots of the path of a tree are looked at; when they are part of a name, a .. segment behind is accepted.',
    judgeDeletions((path) => isLegal(path) || hasHarmlessFirstDots(path)),
  ],
  'deleteDriveTree.dot-dot-segment.generated: delete-judges-three-segments': [
    'A .. behind the third segment of the path of a tree is accepted.',
    judgeDeletions((path) => path.startsWith('/') && isLegal(`/${segmentsOf(path).slice(0, 3).join('/')}`)),
  ],
});

/** Paths that do not begin with a slash. */
const slashless: readonly Mutant[] = table('path rule', 'engine', {
  'deleteDriveTree.path-without-slash: delete-adds-a-missing-slash': [
    'The path of a tree without a leading slash is given one, and that tree is deleted.',
    rewriteDeletions((path) => (/^[^/]/.test(path) ? `/${path}` : path)),
  ],
  'deleteDriveTree.path-without-slash: delete-finds-nothing-at-a-path-without-slash': [
    'The path of a tree without a leading slash is a success; nothing is deleted.',
    judgeDeletions((path) => isLegal(/^[^/]/.test(path) ? `/${path}` : path)),
  ],
  'deleteDriveTree.path-without-slash: delete-trims-a-path-before-it-judges': [
    'Blanks around the path of a tree are taken away before it is judged.',
    rewriteDeletions((path) => path.trim()),
  ],
  'deleteDriveTree.path-without-slash: delete-is-content-with-one-good-line': [
    'Of the path of a tree one line that keeps the rule is enough, as where ^ and $ match at each line.',
    judgeDeletions((path) => isLegal(path) || path.split('\n').some(isLegal)),
  ],
  'deleteDriveTree.path-empty: delete-finds-nothing-at-an-empty-path': [
    'An empty path of a tree is a success; nothing is deleted.',
    judgeDeletions((path) => path === '' || isLegal(path)),
  ],
  'deleteDriveTree.path-empty: delete-takes-an-empty-path-for-the-root': [
    'An empty path of a tree is taken for the root: the whole drive is emptied.',
    rewriteDeletions((path) => (path === '' ? '/' : path)),
  ],
});

/** Refusals behind which something is gone. */
const lateRefusals: readonly Mutant[] = table('path rule', 'engine', {
  'deleteDriveTree.refused-path-deletes-nothing: a-tree-is-deleted-and-its-missing-slash-refused': [
    'A path without a leading slash is refused after the tree was deleted that it names with one.',
    deleteBehindRefusals((path) => (/^[^/]/.test(path) ? `/${path}` : undefined)),
  ],
  'deleteDriveTree.refused-path-deletes-nothing: a-tree-is-deleted-and-the-dots-before-it-refused': [
    'A path that begins with a .. segment is refused after the tree that it resolves to was deleted.',
    deleteBehindRefusals((path) => (path.startsWith('/../') ? resolved(path) : undefined)),
  ],
  'deleteDriveTree.refused-path-deletes-nothing: a-tree-is-deleted-and-the-dots-behind-it-refused': [
    'A path that ends with a .. segment is refused after the tree before that segment was deleted.',
    deleteBehindRefusals((path) => (/[^/]\/\.\.$/.test(path) ? path.slice(0, -3) : undefined)),
  ],
});

function deleteBehindRefusals(target: (path: string) => string | undefined): Break {
  return onCallersOf('deleteDriveTree', (call, sound) => {
    const answer = sound.answer(call);
    const path = isSuccess(answer) ? undefined : target(sentParameter(call, 'path') ?? '/');
    if (path !== undefined && isLegal(path)) sound.answer(withQuery(call, { path }));
    return answer;
  });
}

/** Legal dots that are refused. */
const strict: readonly Mutant[] = table('path rule', 'engine', {
  'deleteDriveTree.legal-dots.inside: delete-refuses-dots-inside-a-name': [
    'A directory with two dots between other characters of its name can not be deleted.',
    judgeDeletions((path) => isLegal(path) && !/[^/.]\.\.[^/.]/.test(path)),
  ],
  'deleteDriveTree.legal-dots.inside: delete-refuses-every-pair-of-dots': [
    'No tree can be deleted whose path has two dots that follow each other.',
    judgeDeletions((path) => isLegal(path) && !path.includes('..')),
  ],
  'deleteDriveTree.legal-dots.leading: delete-refuses-leading-dots': [
    'A directory whose name begins with two dots can not be deleted.',
    judgeDeletions((path) => isLegal(path) && !/\/\.\.[^/.]/.test(path)),
  ],
  'deleteDriveTree.legal-dots.three: delete-refuses-three-dots': [
    'A directory whose name is three dots can not be deleted.',
    judgeDeletions((path) => isLegal(path) && !segmentsOf(path).includes('...')),
  ],
});

export const pathRule: readonly Mutant[] = [
  ...pathRuleOfMoves,
  ...[...lenient, ...slashless, ...lateRefusals, ...strict, ...illegalPathMutants].map((mutant) => ({
    ...mutant,
    profile: emptyJob,
  })),
];
