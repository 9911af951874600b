import type { ResponseObject, SchemaObject } from '../contract/document.ts';
import type { OperationId } from '../contract/operations.ts';
import type { Profile } from '../contract/profile.ts';
import type { Seen } from '../reading/learned.ts';
import { isObject, keysIn, member, type ReadExchange } from '../reading/messages.ts';
import type { Observer } from '../reading/observer.ts';
import { isSuccess, mayHaveBody } from '../reading/statuses.ts';
import { likelySuccesses } from './open-point.ts';
import { success } from './relevance.ts';
import type { Rooms } from './room.ts';

/** What a success looks like. */
export const successPoints = {
  successStatus: {
    sources: ['4/gap:1'],
    impact: 'visible',
    seen: 'wire',
    open: 'The success code of the operations for which none is shown. For the other three, 200 is stated.',
    question: 'Which status code does each operation return on success?',
    cases: {
      createDrive: {
        operations: ['createDrive', 'createMcpServer'],
        severity: 3,
        open: 'The success code for creating a drive. Registering an MCP server uses the same code, unless successStatus.createMcpServer sets a different one.',
        choices: [
          { value: 201, means: 'Created' },
          { value: 200, means: 'OK' },
          { value: 202, means: 'Accepted' },
        ],
        range: { type: 'integer', minimum: 200, maximum: 299, except: [204, 205], likely: likelySuccesses },
        default: 201,
        cost: 'A client that expects 201 treats a success as a failure and creates the resource twice.',
        see: statusOf('createDrive'),
      },
      createMcpServer: {
        operations: 'createMcpServer',
        severity: 3,
        open: 'The success code for registering an MCP server.',
        choices: [
          { value: 'createDrive', means: 'as for a drive' },
          { value: 201, means: 'Created' },
          { value: 200, means: 'OK' },
          { value: 202, means: 'Accepted' },
        ],
        range: { type: 'integer', minimum: 200, maximum: 299, except: [204, 205], likely: likelySuccesses },
        default: 'createDrive',
        cost: 'A client that expects the code of a new drive treats a success as a failure and registers the server twice.',
        see: statusOf('createMcpServer'),
      },
      publishAgentRevision: {
        operations: 'publishAgentRevision',
        severity: 3,
        open: 'The success code for publishing a revision. With 204 or 205 the response has no body.',
        choices: [
          { value: 200, means: 'OK' },
          { value: 201, means: 'Created' },
          { value: 202, means: 'Accepted' },
          { value: 204, means: 'No Content, so there is no body' },
        ],
        range: { type: 'integer', minimum: 200, maximum: 299, likely: [...likelySuccesses, 205] },
        default: 200,
        cost: 'A client that expects a different code reports a failure although the revision is live. With 204 it fails to parse a body that is not there.',
        see: statusOf('publishAgentRevision'),
      },
      listDrives: {
        operations: 'listDrives',
        severity: 1,
        open: 'The success code for listing drives. The other lists have a stated code, 200.',
        choices: [
          { value: 200, means: 'OK' },
          { value: 203, means: 'Non-Authoritative Information, as if an intermediary had changed the response' },
        ],
        range: { type: 'integer', minimum: 200, maximum: 299, except: [204, 205], likely: likelySuccesses },
        default: 200,
        cost: 'A client that expects 200 discards a good response.',
        see: statusOf('listDrives'),
      },
      getDriveFile: {
        operations: 'getDriveFile',
        severity: 1,
        open: 'The success code for reading a file.',
        choices: [
          { value: 200, means: 'OK' },
          { value: 203, means: 'Non-Authoritative Information, as if an intermediary had changed the response' },
        ],
        range: { type: 'integer', minimum: 200, maximum: 299, except: [204, 205], likely: likelySuccesses },
        default: 200,
        cost: 'A client that expects 200 discards a good response.',
        see: statusOf('getDriveFile'),
      },
      updateDriveFile: {
        operations: 'updateDriveFile',
        severity: 3,
        open: 'The success code for renaming or moving a file.',
        choices: [
          { value: 200, means: 'OK' },
          { value: 202, means: 'Accepted' },
        ],
        range: { type: 'integer', minimum: 200, maximum: 299, except: [204, 205], likely: likelySuccesses },
        default: 200,
        cost: 'A client that expects 200 reports a failure although the file was moved, and moves it again.',
        see: statusOf('updateDriveFile'),
      },
      deleteDriveTree: {
        operations: 'deleteDriveTree',
        severity: 3,
        open: 'The success code for deleting a directory tree.',
        choices: [
          { value: 200, means: 'OK' },
          { value: 202, means: 'Accepted' },
        ],
        range: { type: 'integer', minimum: 200, maximum: 299, except: [204, 205], likely: likelySuccesses },
        default: 200,
        cost: 'A client that expects 200 reports a failure although the tree is deleted, and deletes again.',
        see: statusOf('deleteDriveTree'),
      },
    },
  },
  publishBody: {
    sources: ['4.2/gap:1', '2/gap:4'],
    operations: 'publishAgentRevision',
    impact: 'visible',
    seen: 'wire',
    severity: 2,
    open: 'The response body after publishing a revision. Any JSON is legal, not only an object.',
    choices: [
      { value: 'agent', means: 'the agent after publishing' },
      { value: 'revision', means: 'an object with revisionId, agentId and createdAt' },
      { value: 'emptyObject', means: 'an empty object' },
      { value: 'none', means: 'no body' },
    ],
    default: 'agent',
    cost: 'A client that reads the agent from the response shows old flags, or fails on an empty body.',
    question: 'What does the response contain after a revision is published?',
    inContract: { schema: (schema, profile) => setResult(schema, profile), response: onlyChosen },
    see: seePublishBody,
    decides: { outcomes: (profile) => (mayHaveBody(profile['successStatus.publishAgentRevision']) ? [success] : []) },
  },
} satisfies Rooms;

const publishResults: Readonly<Record<Profile['publishBody'], object>> = {
  agent: { $ref: '#/components/schemas/Agent' },
  revision: {
    type: 'object',
    required: ['revisionId', 'agentId', 'createdAt'],
    properties: {
      revisionId: { type: 'string', 'x-open-point': 'idFormat' },
      agentId: { type: 'string', 'x-open-point': 'idFormat' },
      createdAt: { $ref: '#/components/schemas/Timestamp' },
    },
  },
  emptyObject: { type: 'object', additionalProperties: false },
  none: {},
};

function setResult(schema: SchemaObject, { publishBody }: Profile): void {
  Object.assign(schema, publishResults[publishBody]);
}

function onlyChosen(response: ResponseObject, { publishBody }: Profile): void {
  const json = response.content?.['application/json'];
  if (json === undefined || publishBody === 'none') {
    delete response.content;
    return;
  }
  const example = json.examples?.[publishBody];
  response.content = { 'application/json': { ...json, examples: example ? { [publishBody]: example } : {} } };
}

// The success code of the operation itself.
function statusOf(operationId: OperationId): Observer['see'] {
  return ({ operation, answer }) =>
    isSuccess(answer) && operation.statusOpenPoint === `successStatus.${operationId}` ? answer.status : undefined;
}

// A 204 or 205 has no body in any case.
function seePublishBody({ operation, answer }: ReadExchange): Seen | undefined {
  const { status, body } = answer;
  if (operation.statusOpenPoint !== 'successStatus.publishAgentRevision' || !isSuccess(answer)) return undefined;
  if (status === 204 || status === 205 || body.kind === 'unread') return undefined;
  if (body.kind === 'none') return 'none';
  if (body.kind === 'text') return { other: body.why };
  const has = (name: string) => member(body.value, name) !== undefined;
  if (isObject(body.value) && Object.keys(body.value).length === 0) return 'emptyObject';
  if (has('revisionId') && has('agentId') && has('createdAt')) return 'revision';
  return has('id') && has('isPublished') ? 'agent' : { other: keysIn(body.value) };
}
