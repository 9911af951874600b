import type { Break, Mutant } from '../mutant.ts';
import { changeCalls, idIn, isSuccess, onCallersOf, sentField } from './patch.ts';
import {
  hasDotDot,
  hasHarmlessFirstDots,
  isLegal,
  judgeMoves,
  putAt,
  resolved,
  rewriteMoves,
  segmentsOf,
  stripped,
} from './path-rules.ts';
import { table } from './table.ts';

/** Paths with a `..` segment that are let through. */
const lenient: readonly Mutant[] = table('path rule', 'engine', {
  'updateDriveFile.dot-dot-segment.only: move-judges-by-the-stated-pattern-alone': [
    'A new path is judged by the stated pattern alone, which lets /.. and /../x through.',
    judgeMoves((path) => /^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/.test(path)),
  ],
  'updateDriveFile.dot-dot-segment.only: move-lets-the-bare-dot-dot-through': [
    'The new path /.. is accepted; every other .. segment is refused.',
    judgeMoves((path) => path === '/..' || isLegal(path)),
  ],
  'updateDriveFile.dot-dot-segment.first: move-forgets-the-first-segment': [
    'A .. that is the first of several segments of a new path is accepted.',
    judgeMoves((path) => (path.startsWith('/../') ? isLegal(path.slice(3)) : isLegal(path))),
  ],
  'updateDriveFile.dot-dot-segment.middle: move-looks-for-dot-dot-at-both-ends-only': [
    'A .. between two other segments of a new path is accepted.',
    judgeMoves((path) => {
      const segments = segmentsOf(path);
      return path.startsWith('/') && segments[0] !== '..' && segments.at(-1) !== '..';
    }),
  ],
  'updateDriveFile.dot-dot-segment.middle: move-strips-dot-dot-and-goes-on': [
    'The .. segments of a new path are taken out, and the file is moved to what is left.',
    rewriteMoves((path) => (hasDotDot(path) ? stripped(path) : path)),
  ],
  'updateDriveFile.dot-dot-segment.middle: move-judges-one-dot-dot': [
    'A new path with more than one .. segment is accepted; with exactly one it is refused.',
    judgeMoves(
      (path) => isLegal(path) || (path.startsWith('/') && path.split('/').filter((one) => one === '..').length > 1),
    ),
  ],
  'updateDriveFile.dot-dot-segment.last: move-forgets-the-last-segment': [
    'Only directories are looked at: a .. that is the last of several segments of a new path is accepted.',
    judgeMoves((path) => (/[^/]\/\.\.$/.test(path) ? isLegal(path.slice(0, -3)) : isLegal(path))),
  ],
  'updateDriveFile.dot-dot-segment.last: move-resolves-a-path-that-stays-below-the-root': [
    'A new path with .. segments is resolved as in a file system, as long as it does not leave the root.',
    rewriteMoves((path) => (hasDotDot(path) && !path.startsWith('/..') ? resolved(path) : path)),
  ],
  'updateDriveFile.dot-dot-segment.after-line-break: move-judges-the-first-line-of-a-path': [
    'A new path is judged up to its first line break; a .. segment behind it is accepted.',
    judgeMoves((path) => isLegal(path.split(/[\n\r\u2028\u2029]/, 1)[0] ?? '')),
  ],
  'updateDriveFile.dot-dot-segment.behind-names: move-looks-at-the-first-dots-only': [
    'Only the first two dots of a new path are looked at; when they are part of a name, a .. segment behind is accepted.',
    judgeMoves((path) => isLegal(path) || hasHarmlessFirstDots(path)),
  ],
  'updateDriveFile.dot-dot-segment.deep: move-judges-ten-segments': [
    'A .. behind the tenth segment of a new path is accepted.',
    judgeMoves((path) => path.startsWith('/') && isLegal(`/${segmentsOf(path).slice(0, 10).join('/')}`)),
  ],
  'updateDriveFile.dot-dot-segment.long: move-judges-short-paths-only': [
    'A new path of more than 255 characters is accepted, whatever it is.',
    judgeMoves((path) => path.length > 255 || isLegal(path)),
  ],
  'updateDriveFile.dot-dot-segment.other-drive: move-judges-in-one-drive-only': [
    'New paths are judged in the drive of the first move only.',
    (engine) => {
      let first: string | undefined;
      judgeMoves((path, call) => {
        first ??= idIn(call, 'driveId');
        return idIn(call, 'driveId') !== first || isLegal(path);
      })(engine);
    },
  ],
  'updateDriveFile.dot-dot-segment.generated: move-judges-three-segments': [
    'A .. behind the third segment of a new path is accepted.',
    judgeMoves((path) => path.startsWith('/') && isLegal(`/${segmentsOf(path).slice(0, 3).join('/')}`)),
  ],
});

/** Paths that do not begin with a slash. */
const slashless: readonly Mutant[] = table('path rule', 'engine', {
  'updateDriveFile.path-without-slash: move-adds-a-missing-slash': [
    'A new path without a leading slash is given one.',
    rewriteMoves((path) => (/^[^/]/.test(path) ? `/${path}` : path)),
  ],
  'updateDriveFile.path-without-slash: move-keeps-a-path-without-slash': [
    'A new path without a leading slash is kept as it is.',
    judgeMoves((path) => isLegal(path.startsWith('/') ? path : `/${path}`) && path !== ''),
  ],
  'updateDriveFile.path-without-slash: move-trims-a-path-before-it-judges': [
    'Blanks around a new path are taken away before it is judged.',
    rewriteMoves((path) => path.trim()),
  ],
  'updateDriveFile.path-without-slash: move-is-content-with-one-good-line': [
    'Of a new path one line that keeps the rule is enough, as where ^ and $ match at each line.',
    judgeMoves((path) => isLegal(path) || path.split('\n').some(isLegal)),
  ],
  'updateDriveFile.path-empty: move-takes-an-empty-path-for-none': [
    'An empty new path is a success; the file stays where it is.',
    changeCalls('updateDriveFile', (call) =>
      sentField(call, 'path') === '' ? { ...call, operationId: 'getDriveFile' } : call,
    ),
  ],
  'updateDriveFile.path-empty: move-takes-an-empty-path-for-the-root': [
    'An empty new path moves the file to the root, under its name.',
    changeCalls('updateDriveFile', (call, caller) => {
      if (sentField(call, 'path') !== '') return call;
      const [driveId, fileId] = [idIn(call, 'driveId'), idIn(call, 'fileId')];
      putAt(caller, driveId, fileId, `/${caller.filesOf(driveId).find(fileId)?.name}`);
      return { ...call, operationId: 'getDriveFile' };
    }),
  ],
});

/** Refusals behind which the file is somewhere else. */
const lateRefusals: readonly Mutant[] = table('path rule', 'engine', {
  'updateDriveFile.refused-path-moves-nothing: a-refused-path-is-stripped-and-moved-to': [
    'A new path with a .. segment is refused after the file was moved to what is left of it without.',
    moveBehindRefusals((path) => (hasDotDot(path) ? stripped(path) : undefined)),
  ],
  'updateDriveFile.refused-path-moves-nothing: a-refused-path-is-kept': [
    'A new path that breaks the rule is refused after it was stored.',
    moveBehindRefusals((path) => path),
  ],
  'updateDriveFile.refused-path-moves-nothing: a-refused-path-moves-the-file-to-the-root': [
    'A new path that breaks the rule is refused, and the file is taken to the root under another name.',
    moveBehindRefusals((path) => `/refused ${segmentsOf(stripped(path)).at(-1) ?? ''} ${path.length}`),
  ],
});

function moveBehindRefusals(target: (path: string) => string | undefined): Break {
  return onCallersOf('updateDriveFile', (call, sound, caller) => {
    const answer = sound.answer(call);
    const path = sentField(call, 'path');
    const place = typeof path === 'string' && !isLegal(path) && !isSuccess(answer) ? target(path) : undefined;
    if (place !== undefined) putAt(caller, idIn(call, 'driveId'), idIn(call, 'fileId'), place);
    return answer;
  });
}

/** Legal dots that are refused. */
const strict: readonly Mutant[] = table('path rule', 'engine', {
  'updateDriveFile.legal-dots.inside: move-refuses-dots-inside-a-name': [
    'A name with two dots between other characters is refused, as in /a..b.',
    judgeMoves((path) => isLegal(path) && !/[^/.]\.\.[^/.]/.test(path)),
  ],
  'updateDriveFile.legal-dots.leading: move-refuses-leading-dots': [
    'A name that begins with two dots is refused, as in /..a.',
    judgeMoves((path) => isLegal(path) && !/\/\.\.[^/.]/.test(path)),
  ],
  'updateDriveFile.legal-dots.three: move-refuses-three-dots': [
    'A segment of three dots is refused, as in /.../x.',
    judgeMoves((path) => isLegal(path) && !segmentsOf(path).includes('...')),
  ],
  'updateDriveFile.legal-dots.generated: move-refuses-closing-dots': [
    'A name that ends with two dots is refused, as in /a../b.',
    judgeMoves((path) => isLegal(path) && !/[^/.]\.\.(\/|$)/.test(path)),
  ],
  'updateDriveFile.legal-dots.generated: move-refuses-every-pair-of-dots': [
    'Every path in which two dots follow each other is refused.',
    judgeMoves((path) => isLegal(path) && !path.includes('..')),
  ],
  'updateDriveFile.legal-dots.percent-encoded: move-decodes-the-path-of-a-body': [
    'The path in a body is percent-decoded before it is judged, so that the name %2e%2e is refused.',
    judgeMoves((path) => isLegal(path) && isLegal(path.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/'))),
  ],
});

export const pathRuleOfMoves: readonly Mutant[] = [...lenient, ...slashless, ...lateRefusals, ...strict];
