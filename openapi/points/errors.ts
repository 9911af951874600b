import { say } from '../../lib/sentence.ts';
import {
  hasFault,
  isCreation,
  isDeclaredJson,
  isIncomplete,
  isMove,
  isNameDuplicate,
  isOfKnownFile,
  isRepublication,
  isUrlDuplicate,
} from '../reading/deviations.ts';
import { idFormatOf } from '../reading/formats.ts';
import type { Seen } from '../reading/learned.ts';
import { isObject, jsonOf, keysIn, mediaTypeOf, member, type ReadExchange } from '../reading/messages.ts';
import {
  isRefused,
  type Observer,
  perhaps,
  refusalStatus,
  settleStatus,
  statusIn,
  type Test,
} from '../reading/observer.ts';
import { hasMoreParameters, isOutOfRange, wordForNumberIn } from '../reading/pages.ts';
import { keepsPathRule } from '../reading/path-rule.ts';
import { isClientError, isInputRefused, isSuccess } from '../reading/statuses.ts';
import { errorShapeOf } from './error-bodies.ts';
import { likelyRefusals } from './open-point.ts';
import { ofInput, success } from './relevance.ts';
import type { Rooms } from './room.ts';

const notTheirs = ['forbidden', 'notFound', 'driveNotFound', 'agentNotFound', 'mcpServerNotFound'] as const;

/** Error responses. */
export const errorsPoints = {
  errorStatus: {
    impact: 'visible',
    seen: 'wire',
    open: 'The status code of an error response, by its cause. Only 401, and 404 for an unknown MCP server, are stated.',
    range: { type: 'integer', minimum: 400, maximum: 499, except: [401, 407, 408, 429], likely: likelyRefusals },
    question: 'Which status code reports which cause?',
    cases: {
      conflict: {
        sources: ['7/gap:2'],
        operations: 'bodies',
        severity: 2,
        open: 'The status code for a request that conflicts with an existing resource.',
        choices: [
          { value: 409, means: 'Conflict' },
          { value: 422, means: 'Unprocessable Content' },
          { value: 400, means: 'Bad Request' },
        ],
        default: 409,
        cost: 'A client that suggests a different name only at 409 shows a bare error at any other status.',
        see: seeConflict,
      },
      invalidInput: {
        sources: ['7/gap:2'],
        operations: 'all',
        severity: 2,
        open: 'The status code for input that breaks a stated rule. The codes for a body, a path and an unknown query parameter follow this choice, unless their own cases, such as errorStatus.invalidBody, set a different one.',
        // Apart from rules whose code is chosen by a different case.
        refuses: (_, { parameters }) =>
          parameters.some((parameter) => parameter.in === 'query') ? ['invalidInput'] : [],
        choices: [
          { value: 422, means: 'Unprocessable Content' },
          { value: 400, means: 'Bad Request' },
        ],
        default: 422,
        cost: 'A client that marks the invalid field only at 422 shows a bare error at any other status.',
        see: seeInvalidPaging,
        settle: settleStatus,
        toChoice: statusIn,
      },
      malformedJson: {
        sources: ['7/gap:2'],
        operations: 'bodies',
        severity: 1,
        open: 'The status code for a body that is not JSON.',
        refuses: () => ['malformedJson'],
        choices: [
          { value: 400, means: 'Bad Request' },
          { value: 422, means: 'Unprocessable Content' },
        ],
        default: 400,
        cost: 'Only a client that sends broken JSON notices.',
        see: seeMalformedJson,
      },
      unsupportedMediaType: {
        sources: ['7/gap:2'],
        operations: 'bodies',
        severity: 1,
        open: 'The status code for a body that is not declared as JSON, if such a body is refused.',
        choices: [
          { value: 415, means: 'Unsupported Media Type' },
          { value: 400, means: 'Bad Request' },
        ],
        default: 415,
        cost: 'Only a client that sends the wrong Content-Type notices.',
        see: refusedIf(hasFault('undeclared')),
      },
      bodyTooLarge: {
        sources: ['7/gap:2', '8/gap:1'],
        operations: 'bodies',
        severity: 1,
        open: 'The status code for a body that is too large.',
        refuses: () => ['bodyTooLarge'],
        choices: [
          { value: 413, means: 'Content Too Large' },
          { value: 400, means: 'Bad Request' },
        ],
        default: 413,
        cost: 'A client cannot tell a body that is too large from an invalid one.',
      },
      invalidBody: {
        sources: ['4/gap:2', '7/gap:2'],
        operations: 'bodies',
        severity: 2,
        open: 'The status code for a JSON body that lacks a field or has a value that is not accepted.',
        refuses: () => ['invalidBody'],
        choices: [
          { value: 'invalidInput', means: 'as for other invalid input' },
          { value: 400, means: 'Bad Request' },
          { value: 422, means: 'Unprocessable Content' },
        ],
        default: 'invalidInput',
        cost: 'A form that shows its errors only at one status shows a general failure at any other.',
        see: refusedIf((exchange) => createsFromNoObject(exchange) || isIncomplete(exchange)),
      },
      invalidPath: {
        sources: ['7/gap:2'],
        operations: ['updateDriveFile', 'deleteDriveTree'],
        severity: 2,
        open: 'The status code for a path that breaks the path rule.',
        refuses: () => ['invalidPath'],
        choices: [
          { value: 'invalidInput', means: 'as for other invalid input' },
          { value: 400, means: 'Bad Request' },
          { value: 422, means: 'Unprocessable Content' },
        ],
        default: 'invalidInput',
        cost: 'A form that asks for a different path only at one status shows a general failure at any other.',
        see: refusedIf(movesAgainstRule),
      },
      unknownParameter: {
        sources: ['7/gap:2'],
        operations: 'all',
        severity: 1,
        open: 'The status code for an unknown query parameter, if it is refused.',
        choices: [
          { value: 'invalidInput', means: 'as for other invalid input' },
          { value: 400, means: 'Bad Request' },
          { value: 422, means: 'Unprocessable Content' },
        ],
        default: 'invalidInput',
        cost: 'A client that retries without its extra parameters only at one status gives up at any other.',
        see: refusedIf(hasMoreParameters),
      },
      notFound: {
        sources: ['7/gap:2'],
        operations: ['ids', '-mcpServerId'],
        severity: 3,
        open: 'The status code for an unknown agent, drive or file. For an MCP server 404 is stated. Unknown drives and unknown agents follow this choice, unless errorStatus.driveNotFound or errorStatus.agentNotFound sets a different one.',
        choices: [
          { value: 404, means: 'Not Found' },
          { value: 410, means: 'Gone' },
          { value: 400, means: 'Bad Request' },
        ],
        default: 404,
        cost: 'A client that removes a file from its view only at 404 keeps showing a file that is gone.',
        see: seeNotFound,
        settle: settleStatus,
        toChoice: statusIn,
      },
      driveNotFound: {
        sources: ['7/gap:2'],
        operations: 'driveId',
        severity: 2,
        open: 'The status code for an unknown drive.',
        // What an operation names in a drive may be missing as well: a file or a directory.
        refuses: () => ['driveNotFound', 'notFound'],
        choices: [
          { value: 'notFound', means: 'as for an unknown file' },
          { value: 404, means: 'Not Found' },
          { value: 403, means: 'Forbidden' },
        ],
        default: 'notFound',
        cost: 'A client that mistakes a missing drive for a missing file searches the rest of the drive, or shows a general failure.',
      },
      agentNotFound: {
        sources: ['7/gap:2'],
        operations: 'agentId',
        severity: 2,
        open: 'The status code for an unknown agent.',
        refuses: () => ['agentNotFound'],
        choices: [
          { value: 'notFound', means: 'as for an unknown file' },
          { value: 404, means: 'Not Found' },
          { value: 403, means: 'Forbidden' },
        ],
        default: 'notFound',
        cost: 'A client that removes an agent from its view only at 404 keeps showing one that is gone.',
      },
      unknownRevision: {
        sources: ['7/gap:2'],
        operations: 'publishAgentRevision',
        severity: 2,
        open: 'The status code for a revision that the agent does not have.',
        refuses: () => ['unknownRevision'],
        choices: [
          { value: 404, means: 'Not Found' },
          { value: 422, means: 'Unprocessable Content' },
          { value: 409, means: 'Conflict' },
          { value: 400, means: 'Bad Request' },
        ],
        default: 404,
        cost: 'A client that takes every 404 for an unknown agent drops the agent although only the revision is unknown.',
      },
    },
  },
  errorBody: {
    sources: ['7/gap:1'],
    operations: 'all',
    impact: 'visible',
    seen: 'wire',
    severity: 3,
    open: 'The body of an error response, if there is one.',
    choices: [
      { value: 'problem', means: 'application/problem+json (RFC 9457)' },
      { value: 'nested', means: '{"error":{"code","message","details"}}' },
      { value: 'message', means: '{"message"}' },
      { value: 'list', means: '{"errors":[{"code","message"}]}' },
      { value: 'empty', means: 'no body' },
    ],
    default: 'problem',
    cost: 'A client that reads a message from the wrong place shows nothing, or crashes while it handles the error.',
    question: 'What does the body of an error response look like?',
    see: seeErrorBody,
  },
  foreignResources: {
    sources: ['1/sentence:2', '5/sentence:3'],
    operations: 'ids',
    impact: 'visible',
    seen: 'wire',
    severity: 3,
    needs: 'declaration',
    open: "Whether organizations can use each other's resources by id. Lists and creations are limited to the organization (5.3). For reading, moving, deleting and publishing by id, the specification says only that every call acts for the organization. Sharing is legal but dangerous: a server that shares must declare it in the conformance suite's config (`openPoints.foreignResources`). Otherwise it fails.",
    choices: [
      { value: 'hidden', means: "another organization's resource is refused and stays unchanged" },
      { value: 'shared', means: 'anyone who knows the ids can read, move, delete or publish it' },
    ],
    default: 'hidden',
    cost: 'A client that relies on separate organizations shows or deletes what belongs to another organization; a client that relies on sharing finds nothing.',
    question: "Can an organization use another organization's resource if it knows the id?",
    regards: notTheirs,
    decides: {
      outcomes: ({ foreignResources }) =>
        foreignResources === 'hidden' ? notTheirs : [success, ...ofInput, 'conflict', 'unknownRevision', 'notFound'],
    },
  },
  foreignResourceStatus: {
    sources: ['5/sentence:3', '7/gap:2'],
    operations: 'ids',
    impact: 'visible',
    seen: 'wire',
    severity: 2,
    open: "Whether the response to another organization's resource is the same as to an unknown one. 4.10 states 404 for an MCP server that is not found; whether another organization's server counts as not found is also open.",
    choices: [
      { value: 'likeUnknown', means: 'the same response as for an unknown resource, by default 404' },
      { value: 'forbidden', means: '403' },
    ],
    default: 'likeUnknown',
    cost: 'A client says that a resource does not exist although another organization owns it, or the reverse.',
    question: "How is another organization's resource refused?",
    regards: notTheirs,
    refuses: ({ foreignResourceStatus }) => (foreignResourceStatus === 'forbidden' ? ['forbidden'] : []),
    decides: {
      outcomes: ({ foreignResourceStatus }) =>
        foreignResourceStatus === 'forbidden'
          ? ['forbidden']
          : ['notFound', 'driveNotFound', 'agentNotFound', 'mcpServerNotFound'],
    },
  },
} satisfies Rooms;

function refusedIf(deviates: Test): Observer['see'] {
  return (exchange) => (deviates(exchange) ? refusalStatus(exchange) : undefined);
}

function seeConflict(exchange: ReadExchange): Seen | undefined {
  if (movesOntoFile(exchange)) return isInputRefused(exchange.answer) ? exchange.answer.status : undefined;
  const isConflict = isNameDuplicate(exchange) || isUrlDuplicate(exchange) || isRepublication(exchange);
  return isConflict ? refusalStatus(exchange) : undefined;
}

// Numbers out of range decide. If all of them succeed, a value that is not a number shows the code.
function seeInvalidPaging(exchange: ReadExchange): Seen | undefined {
  if (isOutOfRange(exchange)) return refusalStatus(exchange);
  if (wordForNumberIn(exchange) === undefined) return undefined;
  const status = refusalStatus(exchange);
  return status === undefined ? undefined : `${perhaps}${status}`;
}

// An id with a different format from the known ones may be refused as malformed. Unless the drive was listed, the drive
// itself may be unknown, and 403 may mean that it belongs to another organization.
function seeNotFound(exchange: ReadExchange): Seen | undefined {
  const { operation, request, answer, memory } = exchange;
  if (!operation.isRead || operation.resource !== 'DriveFile' || !isRefused(exchange)) return undefined;
  const [, , driveId = '', , fileId = ''] = request.path.split('/');
  const isPlain = /^[\w-]+$/.test(driveId) && /^[\w-]+$/.test(fileId);
  const { idFormats } = memory;
  const isUsual = idFormats.size === 0 || idFormats.has(undefined) || idFormats.has(idFormatOf(fileId));
  if (!isPlain || !isUsual) return undefined;
  if (memory.isListed(driveId)) return answer.status;
  return answer.status === 403 ? undefined : `${perhaps}${answer.status}`;
}

// If the file is unknown, the refusal may be about that: open point judgedFirst.
function movesAgainstRule(exchange: ReadExchange): boolean {
  const path = member(jsonOf(exchange.request), 'path');
  if (!isMove(exchange) || typeof path !== 'string' || keepsPathRule(path)) return false;
  return isDeclaredJson(exchange) && isOfKnownFile(exchange);
}

// Only creations: elsewhere a refusal may mean that something does not exist.
function seeMalformedJson(exchange: ReadExchange): Seen | undefined {
  if (!isCreation(exchange) || !isDeclaredJson(exchange) || exchange.request.body.kind !== 'text') return undefined;
  return isSuccess(exchange.answer) ? { other: say`accepted` } : refusalStatus(exchange);
}

function createsFromNoObject(exchange: ReadExchange): boolean {
  const { body, query } = exchange.request;
  const isPlain = isCreation(exchange) && isDeclaredJson(exchange) && query.length === 0;
  return isPlain && body.kind === 'json' && !isObject(body.value);
}

/** Whether a file that was shown is moved to another file's path. */
function movesOntoFile(exchange: ReadExchange): boolean {
  const { request, memory } = exchange;
  const sent = jsonOf(request);
  if (!isMove(exchange) || !isOfKnownFile(exchange) || !isDeclaredJson(exchange) || !isObject(sent)) return false;
  return Object.keys(sent).join() === 'path' && memory.isPathTaken(request.path, String(sent.path));
}

function seeErrorBody({ answer }: ReadExchange): Seen | undefined {
  const { body, headers } = answer;
  if (!isClientError(answer) || body.kind === 'unread') return undefined;
  if (body.kind === 'none') return 'empty';
  if (body.kind === 'text') return { other: body.why };
  return errorShapeOf(body.value, mediaTypeOf(headers)) ?? { other: keysIn(body.value) };
}
