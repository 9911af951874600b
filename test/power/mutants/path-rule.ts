import type { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { isSuccess, onCallersOf, sentParameter, withQuery } from './patch.ts';
import { pathRuleOfMoves } from './path-rule-moves.ts';
import { hasDotDot, isLegal, judgeDeletions, resolved, rewriteDeletions, segmentsOf, stripped } from './path-rules.ts';

const rule = { class: 'path rule', place: 'engine', profile: { missingTree: 'emptyJob' } } as const;
const pattern = { ...rule, requirement: 'deleteDriveTree.path-matches-pattern' } as const;
const noDotDot = { ...rule, requirement: 'deleteDriveTree.path-has-no-dot-dot-segment' } as const;
const slash = { ...rule, requirement: 'deleteDriveTree.path-starts-with-slash' } as const;
const legalDots = { ...rule, requirement: 'deleteDriveTree.legal-dots-are-accepted' } as const;
const deletesNothing = { ...rule, requirement: 'deleteDriveTree.refused-path-deletes-nothing' } as const;

/** Paths with a `..` segment that are let through. */
const lenient: readonly Mutant[] = [
  {
    id: 'delete-judges-by-the-stated-pattern-alone',
    ...noDotDot,
    check: 'deleteDriveTree.dot-dot-segment.only',
    fault: 'The path of a tree is judged by the stated pattern alone, which lets /.. and /../x through.',
    break: (engine) => judgeDeletions(engine, (path) => /^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/.test(path)),
  },
  {
    id: 'delete-looks-for-dot-dot-behind-another-segment',
    ...noDotDot,
    check: 'deleteDriveTree.dot-dot-segment.first',
    fault: 'A .. is refused where another segment stands before it only; at the beginning it is accepted.',
    break: (engine) =>
      judgeDeletions(engine, (path) => {
        const behind = path.replace(/^(\/\.\.)+(?=\/)/, '');
        return isLegal(behind);
      }),
  },
  {
    id: 'delete-judges-the-first-segment-only',
    ...pattern,
    check: 'deleteDriveTree.dot-dot-segment.middle',
    fault: 'A .. is refused at the beginning of the path of a tree only.',
    break: (engine) =>
      judgeDeletions(engine, (path) => isLegal(`/${segmentsOf(path)[0] ?? ''}`) && path.startsWith('/')),
  },
  {
    id: 'delete-strips-dot-dot-and-goes-on',
    ...pattern,
    check: 'deleteDriveTree.dot-dot-segment.middle',
    fault: 'The .. segments are taken out of the path of a tree, and what is left of it is deleted.',
    break: (engine) =>
      rewriteDeletions(engine, (path) => (/[^/]\/\.\.\//.test(path) && path.startsWith('/') ? stripped(path) : path)),
  },
  {
    id: 'delete-forgets-the-last-segment',
    ...pattern,
    check: 'deleteDriveTree.dot-dot-segment.last',
    fault: 'A .. that is the last of several segments of the path of a tree is accepted.',
    break: (engine) =>
      judgeDeletions(engine, (path) => (/[^/]\/\.\.$/.test(path) ? isLegal(path.slice(0, -3)) : isLegal(path))),
  },
  {
    id: 'delete-looks-for-dot-dot-with-a-closing-slash',
    ...pattern,
    check: 'deleteDriveTree.dot-dot-segment.last',
    fault: 'Only ../ is looked for in the path of a tree, so that a .. without a slash behind it is accepted.',
    break: (engine) => judgeDeletions(engine, (path) => path.startsWith('/') && !path.includes('/../')),
  },
  {
    id: 'delete-judges-the-first-line-of-a-path',
    ...noDotDot,
    check: 'deleteDriveTree.dot-dot-segment.after-line-break',
    fault: 'The path of a tree is judged up to its first line break; a .. segment behind it is accepted.',
    break: (engine) => judgeDeletions(engine, (path) => isLegal(path.split(/[\n\r\u2028\u2029]/, 1)[0] ?? '')),
  },
  {
    id: 'delete-judges-before-it-decodes',
    ...noDotDot,
    check: 'deleteDriveTree.dot-dot-segment.percent-encoded',
    fault: 'The path of a tree is judged as it stands in the query, so that %2e%2e is accepted.',
    break: (engine) =>
      judgeDeletions(engine, (path, { query }) => {
        const raw = query.split('&').find((pair) => pair.startsWith('path=')) ?? '';
        const isDisguised = /%2e/i.test(raw) && !hasDotDot(raw.slice(5).replaceAll(/%2f/gi, '/'));
        return isLegal(path) || (isDisguised && path.startsWith('/'));
      }),
  },
  {
    id: 'delete-judges-three-segments',
    ...noDotDot,
    check: 'deleteDriveTree.dot-dot-segment.generated',
    fault: 'A .. behind the third segment of the path of a tree is accepted.',
    break: (engine) =>
      judgeDeletions(engine, (path) => path.startsWith('/') && isLegal(`/${segmentsOf(path).slice(0, 3).join('/')}`)),
  },
  {
    id: 'delete-judges-one-dot-dot',
    ...pattern,
    check: 'deleteDriveTree.dot-dot-segment.middle',
    fault: 'The path of a tree with more than one .. segment is accepted; with exactly one it is refused.',
    break: (engine) =>
      judgeDeletions(
        engine,
        (path) => isLegal(path) || (path.startsWith('/') && path.split('/').filter((one) => one === '..').length > 1),
      ),
  },
];

/** Paths that do not begin with a slash. */
const slashless: readonly Mutant[] = [
  {
    id: 'delete-adds-a-missing-slash',
    ...slash,
    check: 'deleteDriveTree.path-without-slash',
    fault: 'The path of a tree without a leading slash is given one, and that tree is deleted.',
    break: (engine) => rewriteDeletions(engine, (path) => (/^[^/]/.test(path) ? `/${path}` : path)),
  },
  {
    id: 'delete-finds-nothing-at-a-path-without-slash',
    ...slash,
    check: 'deleteDriveTree.path-without-slash',
    fault: 'The path of a tree without a leading slash is a success; nothing is deleted.',
    break: (engine) => judgeDeletions(engine, (path) => isLegal(/^[^/]/.test(path) ? `/${path}` : path)),
  },
  {
    id: 'delete-finds-nothing-at-an-empty-path',
    ...slash,
    check: 'deleteDriveTree.path-empty',
    fault: 'An empty path of a tree is a success; nothing is deleted.',
    break: (engine) => judgeDeletions(engine, (path) => path === '' || isLegal(path)),
  },
  {
    id: 'delete-takes-an-empty-path-for-the-root',
    ...slash,
    check: 'deleteDriveTree.path-empty',
    fault: 'An empty path of a tree is taken for the root: the whole drive is emptied.',
    break: (engine) => rewriteDeletions(engine, (path) => (path === '' ? '/' : path)),
  },
];

/** Refusals behind which something is gone. */
const lateRefusals: readonly Mutant[] = [
  {
    id: 'a-tree-is-deleted-and-its-missing-slash-refused',
    ...deletesNothing,
    check: 'deleteDriveTree.refused-path-deletes-nothing',
    fault: 'A path without a leading slash is refused after the tree was deleted that it names with one.',
    break: (engine) => deleteBehindRefusals(engine, (path) => (/^[^/]/.test(path) ? `/${path}` : undefined)),
  },
  {
    id: 'a-tree-is-deleted-and-the-dots-before-it-refused',
    ...deletesNothing,
    check: 'deleteDriveTree.refused-path-deletes-nothing',
    fault: 'A path that begins with a .. segment is refused after the tree that it resolves to was deleted.',
    break: (engine) => deleteBehindRefusals(engine, (path) => (path.startsWith('/../') ? resolved(path) : undefined)),
  },
  {
    id: 'a-tree-is-deleted-and-the-dots-behind-it-refused',
    ...deletesNothing,
    check: 'deleteDriveTree.refused-path-deletes-nothing',
    fault: 'A path that ends with a .. segment is refused after the tree before that segment was deleted.',
    break: (engine) =>
      deleteBehindRefusals(engine, (path) => (/[^/]\/\.\.$/.test(path) ? path.slice(0, -3) : undefined)),
  },
];

function deleteBehindRefusals(engine: Engine, target: (path: string) => string | undefined): void {
  onCallersOf(engine, 'deleteDriveTree', (call, sound) => {
    const answer = sound.answer(call);
    const path = isSuccess(answer) ? undefined : target(sentParameter(call, 'path') ?? '/');
    if (path !== undefined && isLegal(path)) sound.answer(withQuery(call, { path }));
    return answer;
  });
}

/** Legal dots that are refused. */
const strict: readonly Mutant[] = [
  {
    id: 'delete-refuses-dots-inside-a-name',
    ...legalDots,
    check: 'deleteDriveTree.legal-dots.inside',
    fault: 'A directory with two dots between other characters of its name can not be deleted.',
    break: (engine) => judgeDeletions(engine, (path) => isLegal(path) && !/[^/.]\.\.[^/.]/.test(path)),
  },
  {
    id: 'delete-refuses-leading-dots',
    ...legalDots,
    check: 'deleteDriveTree.legal-dots.leading',
    fault: 'A directory whose name begins with two dots can not be deleted.',
    break: (engine) => judgeDeletions(engine, (path) => isLegal(path) && !/\/\.\.[^/.]/.test(path)),
  },
  {
    id: 'delete-refuses-three-dots',
    ...legalDots,
    check: 'deleteDriveTree.legal-dots.three',
    fault: 'A directory whose name is three dots can not be deleted.',
    break: (engine) => judgeDeletions(engine, (path) => isLegal(path) && !segmentsOf(path).includes('...')),
  },
  {
    id: 'delete-refuses-every-pair-of-dots',
    ...legalDots,
    check: 'deleteDriveTree.legal-dots.inside',
    fault: 'No tree can be deleted whose path has two dots that follow each other.',
    break: (engine) => judgeDeletions(engine, (path) => isLegal(path) && !path.includes('..')),
  },
];

export const pathRule: readonly Mutant[] = [...pathRuleOfMoves, ...lenient, ...slashless, ...lateRefusals, ...strict];
