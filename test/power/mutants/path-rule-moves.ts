import type { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { idIn, isSuccess, onCallersOf, sentField } from './patch.ts';
import { hasDotDot, isLegal, judgeMoves, putAt, resolved, rewriteMoves, segmentsOf, stripped } from './path-rules.ts';

const rule = { class: 'path rule', place: 'engine' } as const;
const pattern = { ...rule, requirement: 'updateDriveFile.path-matches-pattern' } as const;
const noDotDot = { ...rule, requirement: 'updateDriveFile.path-has-no-dot-dot-segment' } as const;
const slash = { ...rule, requirement: 'updateDriveFile.path-starts-with-slash' } as const;
const legalDots = { ...rule, requirement: 'updateDriveFile.legal-dots-are-accepted' } as const;
const movesNothing = { ...rule, requirement: 'updateDriveFile.refused-path-moves-nothing' } as const;

/** Paths with a `..` segment that are let through. */
const lenient: readonly Mutant[] = [
  {
    id: 'move-judges-by-the-stated-pattern-alone',
    ...noDotDot,
    check: 'updateDriveFile.dot-dot-segment.only',
    fault: 'A new path is judged by the stated pattern alone, which lets /.. and /../x through.',
    break: (engine) => judgeMoves(engine, (path) => /^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/.test(path)),
  },
  {
    id: 'move-lets-the-bare-dot-dot-through',
    ...noDotDot,
    check: 'updateDriveFile.dot-dot-segment.only',
    fault: 'The new path /.. is accepted; every other .. segment is refused.',
    break: (engine) => judgeMoves(engine, (path) => path === '/..' || isLegal(path)),
  },
  {
    id: 'move-forgets-the-first-segment',
    ...noDotDot,
    check: 'updateDriveFile.dot-dot-segment.first',
    fault: 'A .. that is the first of several segments of a new path is accepted.',
    break: (engine) => judgeMoves(engine, (path) => (path.startsWith('/../') ? isLegal(path.slice(3)) : isLegal(path))),
  },
  {
    id: 'move-looks-for-dot-dot-at-both-ends-only',
    ...pattern,
    check: 'updateDriveFile.dot-dot-segment.middle',
    fault: 'A .. between two other segments of a new path is accepted.',
    break: (engine) =>
      judgeMoves(engine, (path) => {
        const segments = segmentsOf(path);
        return path.startsWith('/') && segments[0] !== '..' && segments.at(-1) !== '..';
      }),
  },
  {
    id: 'move-strips-dot-dot-and-goes-on',
    ...pattern,
    check: 'updateDriveFile.dot-dot-segment.middle',
    fault: 'The .. segments of a new path are taken out, and the file is moved to what is left.',
    break: (engine) => rewriteMoves(engine, (path) => (hasDotDot(path) ? stripped(path) : path)),
  },
  {
    id: 'move-forgets-the-last-segment',
    ...pattern,
    check: 'updateDriveFile.dot-dot-segment.last',
    fault: 'Only directories are looked at: a .. that is the last of several segments of a new path is accepted.',
    break: (engine) =>
      judgeMoves(engine, (path) => (/[^/]\/\.\.$/.test(path) ? isLegal(path.slice(0, -3)) : isLegal(path))),
  },
  {
    id: 'move-resolves-a-path-that-stays-below-the-root',
    ...pattern,
    check: 'updateDriveFile.dot-dot-segment.last',
    fault: 'A new path with .. segments is resolved as in a file system, as long as it does not leave the root.',
    break: (engine) =>
      rewriteMoves(engine, (path) => (hasDotDot(path) && !path.startsWith('/..') ? resolved(path) : path)),
  },
  {
    id: 'move-judges-the-first-line-of-a-path',
    ...noDotDot,
    check: 'updateDriveFile.dot-dot-segment.after-line-break',
    fault: 'A new path is judged up to its first line break; a .. segment behind it is accepted.',
    break: (engine) => judgeMoves(engine, (path) => isLegal(path.split(/[\n\r\u2028\u2029]/, 1)[0] ?? '')),
  },
  {
    id: 'move-judges-three-segments',
    ...noDotDot,
    check: 'updateDriveFile.dot-dot-segment.generated',
    fault: 'A .. behind the third segment of a new path is accepted.',
    break: (engine) =>
      judgeMoves(engine, (path) => path.startsWith('/') && isLegal(`/${segmentsOf(path).slice(0, 3).join('/')}`)),
  },
  {
    id: 'move-judges-one-dot-dot',
    ...pattern,
    check: 'updateDriveFile.dot-dot-segment.middle',
    fault: 'A new path with more than one .. segment is accepted; with exactly one it is refused.',
    break: (engine) =>
      judgeMoves(
        engine,
        (path) => isLegal(path) || (path.startsWith('/') && path.split('/').filter((one) => one === '..').length > 1),
      ),
  },
];

/** Paths that do not begin with a slash. */
const slashless: readonly Mutant[] = [
  {
    id: 'move-adds-a-missing-slash',
    ...slash,
    check: 'updateDriveFile.path-without-slash',
    fault: 'A new path without a leading slash is given one.',
    break: (engine) => rewriteMoves(engine, (path) => (/^[^/]/.test(path) ? `/${path}` : path)),
  },
  {
    id: 'move-keeps-a-path-without-slash',
    ...slash,
    check: 'updateDriveFile.path-without-slash',
    fault: 'A new path without a leading slash is kept as it is.',
    break: (engine) => judgeMoves(engine, (path) => isLegal(path.startsWith('/') ? path : `/${path}`) && path !== ''),
  },
  {
    id: 'move-takes-an-empty-path-for-none',
    ...slash,
    check: 'updateDriveFile.path-empty',
    fault: 'An empty new path is a success; the file stays where it is.',
    break: (engine) =>
      onCallersOf(engine, 'updateDriveFile', (call, sound) =>
        sound.answer(sentField(call, 'path') === '' ? { ...call, operationId: 'getDriveFile' } : call),
      ),
  },
  {
    id: 'move-takes-an-empty-path-for-the-root',
    ...slash,
    check: 'updateDriveFile.path-empty',
    fault: 'An empty new path moves the file to the root, under its name.',
    break: (engine) =>
      onCallersOf(engine, 'updateDriveFile', (call, sound, caller) => {
        if (sentField(call, 'path') !== '') return sound.answer(call);
        const [driveId, fileId] = [idIn(call, 'driveId'), idIn(call, 'fileId')];
        putAt(caller, driveId, fileId, `/${caller.filesOf(driveId).find(fileId)?.name}`);
        return sound.answer({ ...call, operationId: 'getDriveFile' });
      }),
  },
];

/** Refusals behind which the file is somewhere else. */
const lateRefusals: readonly Mutant[] = [
  {
    id: 'a-refused-path-is-stripped-and-moved-to',
    ...movesNothing,
    check: 'updateDriveFile.refused-path-moves-nothing',
    fault: 'A new path with a .. segment is refused after the file was moved to what is left of it without.',
    break: (engine) => moveBehindRefusals(engine, (path) => (hasDotDot(path) ? stripped(path) : undefined)),
  },
  {
    id: 'a-refused-path-is-kept',
    ...movesNothing,
    check: 'updateDriveFile.refused-path-moves-nothing',
    fault: 'A new path that breaks the rule is refused after it was stored.',
    break: (engine) => moveBehindRefusals(engine, (path) => path),
  },
  {
    id: 'a-refused-path-moves-the-file-to-the-root',
    ...movesNothing,
    check: 'updateDriveFile.refused-path-moves-nothing',
    fault: 'A new path that breaks the rule is refused, and the file is taken to the root under another name.',
    break: (engine) =>
      moveBehindRefusals(engine, (path) => `/refused ${segmentsOf(stripped(path)).at(-1) ?? ''} ${path.length}`),
  },
];

function moveBehindRefusals(engine: Engine, target: (path: string) => string | undefined): void {
  onCallersOf(engine, 'updateDriveFile', (call, sound, caller) => {
    const answer = sound.answer(call);
    const path = sentField(call, 'path');
    const place = typeof path === 'string' && !isLegal(path) && !isSuccess(answer) ? target(path) : undefined;
    if (place !== undefined) putAt(caller, idIn(call, 'driveId'), idIn(call, 'fileId'), place);
    return answer;
  });
}

/** Legal dots that are refused. */
const strict: readonly Mutant[] = [
  {
    id: 'move-refuses-dots-inside-a-name',
    ...legalDots,
    check: 'updateDriveFile.legal-dots.inside',
    fault: 'A name with two dots between other characters is refused, as in /a..b.',
    break: (engine) => judgeMoves(engine, (path) => isLegal(path) && !/[^/.]\.\.[^/.]/.test(path)),
  },
  {
    id: 'move-refuses-leading-dots',
    ...legalDots,
    check: 'updateDriveFile.legal-dots.leading',
    fault: 'A name that begins with two dots is refused, as in /..a.',
    break: (engine) => judgeMoves(engine, (path) => isLegal(path) && !/\/\.\.[^/.]/.test(path)),
  },
  {
    id: 'move-refuses-three-dots',
    ...legalDots,
    check: 'updateDriveFile.legal-dots.three',
    fault: 'A segment of three dots is refused, as in /.../x.',
    break: (engine) => judgeMoves(engine, (path) => isLegal(path) && !segmentsOf(path).includes('...')),
  },
  {
    id: 'move-refuses-closing-dots',
    ...legalDots,
    check: 'updateDriveFile.legal-dots.generated',
    fault: 'A name that ends with two dots is refused, as in /a../b.',
    break: (engine) => judgeMoves(engine, (path) => isLegal(path) && !/[^/.]\.\.(\/|$)/.test(path)),
  },
  {
    id: 'move-refuses-every-pair-of-dots',
    ...legalDots,
    check: 'updateDriveFile.legal-dots.generated',
    fault: 'Every path in which two dots follow each other is refused.',
    break: (engine) => judgeMoves(engine, (path) => isLegal(path) && !path.includes('..')),
  },
  {
    id: 'move-decodes-the-path-of-a-body',
    ...legalDots,
    check: 'updateDriveFile.legal-dots.percent-encoded',
    fault: 'The path in a body is percent-decoded before it is judged, so that the name %2e%2e is refused.',
    break: (engine) =>
      judgeMoves(engine, (path) => isLegal(path) && isLegal(path.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/'))),
  },
];

export const pathRuleOfMoves: readonly Mutant[] = [...lenient, ...slashless, ...lateRefusals, ...strict];
