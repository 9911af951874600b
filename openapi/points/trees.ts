import type { Operation } from '../contract/operations.ts';
import type { Profile } from '../contract/profile.ts';
import type { Seen } from '../reading/learned.ts';
import { isObject, jsonOf, type ReadExchange } from '../reading/messages.ts';
import { keepsPathRule, normalizePath } from '../reading/path-rule.ts';
import { isSuccess } from '../reading/statuses.ts';
import { endsAt, type Outcome, ofInput, success } from './relevance.ts';
import type { Rooms } from './room.ts';

/** Deletion of directory trees. */
export const treesPoints = {
  treePathParameter: {
    sources: ['4.7/gap:1'],
    operations: 'deleteDriveTree',
    impact: 'visible',
    seen: 'wire',
    severity: 3,
    open: 'The name of the query parameter that contains the path.',
    choices: [
      { value: 'path', means: '?path=/a/b' },
      { value: 'treePath', means: '?treePath=/a/b' },
      { value: 'directory', means: '?directory=/a/b' },
      { value: 'prefix', means: '?prefix=/a/b' },
    ],
    range: {
      type: 'string',
      pattern: '^\\P{C}{1,64}$',
      means: 'any text of 1 to 64 characters, without control characters',
      likely: ['dir', 'p', 'root', 'tree_path', 'filter.path', 'filter[path]', '$path'],
    },
    default: 'path',
    cost: 'A client that sends a different name gets an error and deletes nothing. Nobody can call this operation without a guess.',
    question: 'What is the name of the query parameter of the tree deletion?',
    inContract: {
      parameter: (parameter, { treePathParameter }) => {
        parameter.name = treePathParameter;
      },
    },
    see: seeTreeParameter,
    decides: {
      stage: 'input',
      appliesTo: ({ hasQuery, profile }, outcome) =>
        hasQuery || (endsAt('input', outcome) && profile.errorBody !== 'empty'),
    },
  },
  treeDeletion: {
    sources: ['4.5/sentence:3', '4.6/sentence:4', '4.7/sentence:4'],
    operations: 'driveId',
    impact: 'visible',
    seen: 'state',
    severity: 3,
    open: 'Whether the files are gone when the response arrives. The response contains a job id, so the deletion may continue after it.',
    choices: [
      { value: 'immediate', means: 'they are gone' },
      {
        value: 'asynchronous',
        means:
          'they are deleted a little later: after half a second or three more requests by the organization, whichever comes first',
      },
    ],
    default: 'immediate',
    cost: 'A client that reads the files right after the response still gets them, and shows them as if nothing had been deleted.',
    question: 'Is the deletion complete when the response arrives? If not, how does a client learn when it is?',
    decides: { outcomes: outcomesOfDeletion },
  },
  treePath: {
    impact: 'visible',
    seen: 'wire',
    open: 'The response to a tree deletion whose path is not an ordinary directory.',
    question: 'What happens if the path of a tree deletion is missing, is the root, or names a file or nothing?',
    cases: {
      notSent: {
        sources: ['4.7/gap:1', '7/gap:2'],
        operations: 'deleteDriveTree',
        severity: 3,
        open: 'The response to a tree deletion without a path. No sentence even states that such a request deletes nothing.',
        choices: [
          { value: 'refused', means: 'the request is refused as invalid input, by default with 422' },
          { value: 'emptyJob', means: 'it succeeds with a documentCount of 0' },
        ],
        default: 'refused',
        cost: 'A client that forgets the path is not told so, or deletes more than it intended.',
        regards: ['invalidInput'],
        inContract: {
          parameter: (parameter, profile) => {
            parameter.required = profile['treePath.notSent'] === 'refused';
          },
        },
        decides: { stage: 'input', appliesTo: ({ path }) => path === undefined },
      },
      missing: {
        sources: ['7/gap:2'],
        operations: 'deleteDriveTree',
        severity: 2,
        open: 'The response to deleting a directory that does not exist. The root of an empty drive counts as missing.',
        choices: [
          { value: 'refused', means: 'the same response as for an unknown resource, by default 404' },
          { value: 'emptyJob', means: 'it succeeds with a documentCount of 0' },
        ],
        default: 'refused',
        cost: 'A client that deletes twice shows an error for something that is already gone.',
        regards: ['notFound'],
        decides: { outcomes: (profile) => [profile['treePath.missing'] === 'refused' ? 'notFound' : success] },
      },
      file: {
        sources: ['4.7/sentence:3', '7/gap:2'],
        operations: 'deleteDriveTree',
        severity: 3,
        open: 'The response to a tree deletion whose path names a file.',
        choices: [
          { value: 'deleted', means: 'the file is deleted' },
          { value: 'likeMissing', means: 'the same response as for a directory that does not exist' },
          { value: 'refused', means: 'the request is refused as invalid input, by default with 422' },
        ],
        default: 'deleted',
        cost: 'A client that sends the path of a file deletes it, or cannot delete it.',
        decides: { outcomes: outcomesOfFilePath },
      },
      root: {
        sources: ['4.7/sentence:3', '7/gap:2'],
        operations: 'deleteDriveTree',
        severity: 3,
        open: 'The response to a tree deletion whose path is `/`. The path rule allows it.',
        choices: [
          { value: 'deleted', means: 'all files of the drive are deleted' },
          { value: 'refused', means: 'the request is refused as invalid input, by default with 422' },
        ],
        default: 'deleted',
        cost: 'A client that empties a drive gets an error, or deletes everything where it expected an error.',
        decides: {
          outcomes: (profile) => (profile['treePath.root'] === 'refused' ? ['invalidInput'] : [success, 'notFound']),
          appliesTo: ({ path, profile }) =>
            path === '/' ||
            (profile['pathForm.spelling'] === 'normalized' && typeof path === 'string' && normalizePath(path) === '/'),
        },
      },
    },
  },
  documentCount: {
    sources: ['4.7/sentence:4'],
    operations: 'deleteDriveTree',
    impact: 'visible',
    seen: 'wire',
    severity: 1,
    open: 'The meaning of documentCount.',
    choices: [
      { value: 'files', means: 'the files' },
      { value: 'filesAndDirectories', means: 'the files and the directories' },
    ],
    default: 'files',
    cost: 'A client shows the wrong number of deleted files.',
    question: 'Does documentCount count directories?',
  },
} satisfies Rooms;

// Something was deleted, so the server read the path from the request's only parameter.
function seeTreeParameter({ operation, request, answer }: ReadExchange): Seen | undefined {
  const [pair, ...more] = request.query;
  const deletion = jsonOf(answer);
  if (operation.statusOpenPoint !== 'successStatus.deleteDriveTree' || !isSuccess(answer) || !isObject(deletion))
    return undefined;
  if (pair?.value === undefined || more.length > 0 || !keepsPathRule(pair.value)) return undefined;
  return Number(deletion.documentCount) > 0 ? pair.name : undefined;
}

// Under `asynchronous`, deleted files may still be there; if the resource is judged first, only the input is then
// refused.
function outcomesOfDeletion(profile: Profile, { openPoints }: Operation): readonly Outcome[] {
  const { treeDeletion, 'treePath.missing': missingTree, judgedFirst } = profile;
  if (treeDeletion === 'asynchronous') return judgedFirst === 'resource' ? [success, ...ofInput] : [success];
  return [openPoints.has('treePath.missing') && missingTree === 'emptyJob' ? success : 'notFound'];
}

function outcomesOfFilePath({
  'treePath.file': treePathIsFile,
  'treePath.missing': missingTree,
}: Profile): readonly Outcome[] {
  if (treePathIsFile === 'refused') return ['invalidInput'];
  return [treePathIsFile === 'likeMissing' && missingTree === 'refused' ? 'notFound' : success];
}
