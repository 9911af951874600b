import type { SchemaObject } from '../contract/document.ts';
import type { Operation } from '../contract/operations.ts';
import type { Profile } from '../contract/profile.ts';
import { keepsPathRule, normalizePath } from '../reading/path-rule.ts';
import type { RequestFacts } from '../reading/request-facts.ts';
import { type Outcome, success } from './relevance.ts';
import type { Rooms } from './room.ts';

/** Paths and moves. */
export const pathsPoints = {
  pathForm: {
    impact: 'visible',
    open: 'Which paths are the same, and what else restricts paths besides the path rule (a path starts with `/` and has no `..` segment).',
    question:
      'Are /a//b and /a/./b the same path as /a/b, is /A the same as /a, may a path contain a line break, and how long may it be?',
    cases: {
      spelling: {
        sources: ['4.6/sentence:3', '4.7/sentence:3', '2.driveFile/row:path'],
        operations: 'driveId',
        seen: 'wire',
        severity: 2,
        open: 'Whether empty segments, `.` segments and a trailing slash are kept or removed, in the path of a file and in the path of a tree deletion. The path rule allows them.',
        choices: [
          {
            value: 'verbatim',
            means: 'the path is unchanged; a trailing slash in a tree deletion only marks the path as a directory',
          },
          { value: 'normalized', means: 'they are removed' },
        ],
        default: 'verbatim',
        isStored: true,
        cost: 'A client that compares paths as text does not find the file that it has just moved.',
        decides: { outcomes: outcomesOfSpelling, appliesTo: isOddlySpelt },
      },
      letters: {
        sources: ['4.6/sentence:3', '4.7/sentence:3', '2.driveFile/row:path'],
        operations: 'driveId',
        seen: 'state',
        severity: 3,
        open: 'Whether paths that differ only in letter case, or only in the Unicode form of their letters, are different paths. The specification does not mention letters; a path is a string, and strings with different characters are different. The conformance suite warns about the other choices.',
        choices: [
          { value: 'exact', means: 'they are different; every path is stored as sent' },
          {
            value: 'caseInsensitive',
            means: 'case is ignored: a move to /A conflicts with a file at /a, and deleting /A deletes /a',
            warned: 'deleteDriveTree.letters-tell-trees-apart',
          },
          {
            value: 'normalized',
            means: 'the Unicode form is ignored: paths are stored in composed form (NFC)',
            warned: 'updateDriveFile.letters-are-kept',
          },
        ],
        default: 'exact',
        isStored: true,
        cost: 'A client that treats /Reports and /reports as two directories deletes both when it deletes one, or cannot move a file into the second.',
        decides: { outcomes: outcomesOfLetters },
      },
      lineBreaks: {
        sources: ['4.6/sentence:3', '4.7/sentence:3'],
        operations: ['updateDriveFile', 'deleteDriveTree'],
        seen: 'wire',
        severity: 1,
        open: 'Whether a path may contain a line break. In most regular-expression dialects the stated pattern does not match a path with a line break; the sentence next to it does not mention line breaks.',
        choices: [
          { value: 'refused', means: 'the request is refused as invalid input, by default with 422' },
          { value: 'accepted', means: 'a line break is an ordinary character; a .. segment after it is still refused' },
        ],
        default: 'refused',
        cost: 'Only a client that sends a line break in a path notices.',
        regards: ['invalidPath'],
        inContract: {
          schema: (schema, profile) => profile['pathForm.lineBreaks'] === 'accepted' && acceptLineBreaks(schema),
        },
        decides: { stage: 'input', appliesTo: ({ path, profile }) => isText(path, profile) && !fitsPathRule(path) },
      },
      length: {
        sources: ['8/gap:1'],
        operations: ['updateDriveFile', 'deleteDriveTree'],
        seen: 'wire',
        severity: 2,
        open: 'The maximum number of characters in a path. The path rule sets no limit. A path that is too long is refused like one that breaks the rule.',
        choices: [
          { value: 'none', means: 'no limit, except those on bodies and URLs' },
          { value: 1024, means: '1024 characters' },
          { value: 4096, means: '4096 characters' },
        ],
        range: { type: 'integer', minimum: 255, maximum: 65535, likely: [512, 2_048] },
        default: 'none',
        cost: 'A form accepts a path that the service rejects.',
        inContract: { schema: (schema, profile) => boundLength(schema, profile['pathForm.length']) },
        decides: { stage: 'input', appliesTo: ({ path }) => typeof path === 'string' && path.length > shortestBound },
      },
    },
  },
  pathConflict: {
    sources: ['7/gap:2'],
    operations: 'updateDriveFile',
    impact: 'visible',
    seen: 'wire',
    severity: 3,
    open: "The response to a move to another file's path.",
    choices: [
      { value: 'refused', means: 'the move is refused as a conflict, by default with 409' },
      { value: 'replaced', means: 'the other file is replaced' },
    ],
    default: 'refused',
    cost: 'A move deletes a file that nobody wanted to delete.',
    question: 'What happens if a file is moved onto another file?',
    regards: ['conflict'],
    refuses: ({ pathConflict }) => (pathConflict === 'refused' ? ['conflict'] : []),
    decides: { outcomes: ({ pathConflict }) => (pathConflict === 'refused' ? ['conflict'] : ['conflict', success]) },
  },
  moveTargets: {
    sources: ['4.6/sentence:3', '7/gap:2'],
    operations: 'updateDriveFile',
    impact: 'visible',
    seen: 'wire',
    severity: 2,
    open: 'Whether a file can be moved to a directory that does not exist, below another file, to the path of a directory, or to `/`. The path rule allows all of these. Moving a file to its current path is always allowed.',
    choices: [
      { value: 'lenient', means: 'the move succeeds; missing directories are created' },
      { value: 'strict', means: 'the move is refused as a conflict, by default with 409' },
    ],
    default: 'lenient',
    cost: 'A client that moves a file into a new directory gets an error, and no operation creates a directory.',
    question: 'Must the directory of the new path exist?',
    refuses: ({ moveTargets }) => (moveTargets === 'strict' ? ['conflict'] : []),
    decides: { outcomes: ({ moveTargets }) => [moveTargets === 'strict' ? 'conflict' : success] },
  },
  fileNameAfterMove: {
    sources: ['1/row:drive-files', '4.6/sentence:4'],
    operations: 'DriveFile',
    impact: 'visible',
    seen: 'wire',
    severity: 2,
    open: 'Whether name follows path. Renaming a file can mean changing its name, or the last segment of its path.',
    choices: [
      { value: 'followsPath', means: 'name is the last segment of the path' },
      { value: 'kept', means: 'name is unchanged' },
    ],
    default: 'followsPath',
    isStored: true,
    cost: 'A client that shows name after a rename shows the old name.',
    question: 'Is name always the last segment of path?',
  },
} satisfies Rooms;

// The stated pattern, with a dot that also matches line breaks.
function acceptLineBreaks(schema: SchemaObject): void {
  schema.pattern = '^/(?![\\s\\S]*(?:^|/)\\.\\.(?:/|$))[\\s\\S]*$';
  schema['x-violation'] = schema['x-violation']?.replace(' or a line break', '') ?? '';
}

// Separate from the rule, which has its own message.
function boundLength(schema: SchemaObject, length: Profile['pathForm.length']): void {
  if (typeof length === 'number') schema.allOf = [{ maxLength: length }];
}

/** The smallest choice of `pathForm.length`. */
const shortestBound = 255;

function outcomesOfSpelling(_: Profile, { openPoints }: Operation): readonly Outcome[] {
  if (openPoints.has('treePath.missing')) return [success, 'invalidInput', 'notFound'];
  return openPoints.has('pathConflict') ? [success, 'conflict'] : [success];
}

// If more paths count as equal, more moves conflict and more is deleted: the result depends on earlier calls.
function outcomesOfLetters(profile: Profile, { openPoints }: Operation): readonly Outcome[] {
  const { 'pathForm.letters': pathLetters, moveTargets, 'treePath.file': treePathIsFile } = profile;
  if (openPoints.has('treePath.missing')) return [success, 'notFound', ...refusedPaths[treePathIsFile]];
  const isExact = pathLetters === 'exact';
  if (!openPoints.has('pathConflict')) return isExact ? [success] : [success, 'notFound'];
  if (isExact) return moveTargets === 'strict' ? [success, 'conflict'] : [success];
  return [success, 'conflict', 'notFound'];
}

const refusedPaths = { deleted: [], likeMissing: [], refused: ['invalidInput'] } as const;

// A request does not show how a file's path was spelled when it was set.
function isOddlySpelt({ path, intake }: RequestFacts): boolean {
  return typeof path === 'string' ? normalizePath(path) !== path : !intake.takesPath;
}

// The error response for a path that breaks the rule says whether line breaks are allowed.
// What is not a text is refused for that, without a word about the path rule.
function isText(path: unknown, { wrongBodyTypes }: Readonly<Profile>): boolean {
  return typeof path === 'string' || (wrongBodyTypes === 'coerced' && ['number', 'boolean'].includes(typeof path));
}

function fitsPathRule(path: unknown): boolean {
  return typeof path === 'string' && /^.*$/.test(path) && keepsPathRule(path);
}
