import { describe, expect, it } from 'vitest';
import { contractFor } from '../../openapi/contract/contract-for.ts';
import {
  dereference,
  type RequestBodyObject,
  type ResponseObject,
  type SchemaObject,
} from '../../openapi/contract/document.ts';
import { loadOpenPoints } from '../../openapi/contract/load.ts';
import { type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { defaultProfile, type Profile, parseChoice, validateChoices } from '../../openapi/contract/profile.ts';
import { inputRefusalFor } from '../../openapi/contract/refusals.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { keyIn } from '../../openapi/contract/security.ts';
import { shownCommand } from '../../openapi/contract/shown-command.ts';
import { statedIn } from '../../openapi/contract/told-open-points.ts';

// Rules of the contract as values, each with the smallest case that shows it.

describe('choices', () => {
  const points = loadOpenPoints();

  it.each([[null], ['text'], [[]], [5]])('are an object: %j is none', (value) => {
    expect(validateChoices(points, value)).toEqual([
      { openPoint: '', message: 'a profile is an object that maps open points to choices' },
    ]);
  });

  it.each([
    ['createStatus', '201', 201],
    ['defaultLimit', '37', 37],
    ['listOrder', 'byName', 'byName'],
    ['listOrder', '37', '37'],
    ['noSuchPoint', '37', '37'],
    ['defaultLimit', '1e3', '1e3'],
  ])('of %s are numbers where it has numbers: %s', (id, text, choice) => {
    expect(parseChoice(points, id, text)).toBe(choice);
  });
});

it.each([
  [[], 'invalidInput'],
  [[{ location: ['query', 'limit'], code: 'maximum' }], 'invalidInput'],
  [[{ location: ['query', 'limti'], code: 'unknownParameter' }], 'unknownParameter'],
  [[{ location: ['body', 'name'], code: 'type' }], 'invalidBody'],
  [[{ location: ['body'], code: 'required' }], 'invalidBody'],
  [[{ location: ['body', 'path'], code: 'type' }], 'invalidBody'],
  [[{ location: ['body', 'name'], code: 'pattern' }], 'invalidBody'],
  [[{ location: ['body', 'name'], code: 'maxLength' }], 'invalidBody'],
  ...['pattern', 'not', 'maxLength'].flatMap((code): [{ location: string[]; code: string }[], string][] => [
    [[{ location: ['body', 'path'], code }], 'invalidPath'],
    [[{ location: ['query', 'path'], code }], 'invalidPath'],
    [[{ location: ['path', 'driveId'], code }], 'invalidInput'],
  ]),
  [[{ location: ['path', 'limit'], code: 'unknownParameter' }], 'invalidInput'],
  [
    [
      { location: ['body', 'path'], code: 'pattern' },
      { location: ['body', 'name'], code: 'type' },
      { location: ['query', 'a'], code: 'unknownParameter' },
    ],
    'unknownParameter',
  ],
  [
    [
      { location: ['body', 'name'], code: 'type' },
      { location: ['query', 'limit'], code: 'maximum' },
    ],
    'invalidInput',
  ],
])('violations %j make a request %s', (violations, refusal) => {
  expect(inputRefusalFor(violations)).toBe(refusal);
});

it('a bearer scheme is read in any case, unless only the usual one is', () => {
  const authHeader = { name: 'bearer', header: 'authorization', scheme: 'bearer' } as const;
  const read = (value: unknown, ...spelling: 'exact'[]) => {
    return keyIn(authHeader, { authorization: value }, ...(spelling as never[]));
  };
  expect(['Bearer a', 'bearer a', 'BEARER  a ', 'Bearer', 'Basic a', '', undefined].map((one) => read(one))).toEqual([
    ...['a', 'a', 'a', undefined, undefined, undefined, undefined],
  ]);
  expect([read('Bearer a', 'exact'), read('bearer a', 'exact')]).toEqual(['a', undefined]);
});

it.each([
  ['mock', [], 'npm start'],
  ['mock', ['--port', '1'], 'npm start -- --port 1'],
  ['conformance', [], 'npm run conformance'],
  ['conformance doctor', ['--config', 'a.yaml'], 'npm run conformance -- doctor --config a.yaml'],
])('in a clone, %s %j is shown as npm runs it', (name, words, shown) => {
  expect(shownCommand(name, words)).toBe(shown);
});

it.each([
  [undefined, ''],
  ['Lists drives.', 'Lists drives.'],
  ['Lists drives. Unspecified:\nhow many ([`defaultLimit`](x#defaultLimit)).', 'Lists drives.'],
])('of the description %j, what is stated is %j', (description, stated) => {
  expect(statedIn(description)).toBe(stated);
});

/** The schema of a parameter or of a field of the body, as a profile has it, with all that it is in. */
function sentAt(set: Partial<Profile>, id: OperationId, place: string) {
  const document = contractFor({ ...defaultProfile(loadOpenPoints()), ...set });
  const { parameters, definition } = operationsOf(document).find(({ operationId }) => operationId === id) ?? {};
  const body = dereference(document, definition?.requestBody as RequestBodyObject | undefined);
  const ofBody = dereference(document, body?.content['application/json']?.schema as SchemaObject | undefined);
  const parameter = parameters?.find(({ name }) => name === place);
  const schema = parameter?.schema ?? (place === 'body' ? ofBody : ofBody?.properties?.[place]);
  return { document, parameter, body, schema: schema as SchemaObject };
}

it.each<[Partial<Profile>, OperationId, string, unknown, string[]]>([
  [{ malformedIds: 'likeUnknown' }, 'getDriveFile', 'fileId', 'a b', []],
  [{ malformedIds: 'refused' }, 'getDriveFile', 'fileId', 'a-B_9', []],
  [{ malformedIds: 'refused' }, 'getDriveFile', 'driveId', 'a b', ['must be an id: letters, digits, _ and - only']],
  [{ malformedIds: 'refused' }, 'listMcpServerTools', 'mcpServerId', 'a b', []],
  [{ outOfRangePaging: 'refused' }, 'listDrives', 'limit', 0, ['must be >= 1']],
  [{ outOfRangePaging: 'refused' }, 'listDrives', 'limit', 101, ['must be <= 100']],
  [{ outOfRangePaging: 'refused' }, 'listDrives', 'offset', -1, ['must be >= 0']],
  [{ outOfRangePaging: 'clamped' }, 'listDrives', 'limit', 101, []],
  [{ outOfRangePaging: 'ignored' }, 'listDrives', 'offset', -1, []],
  [{ nameRules: 'anyString' }, 'createDrive', 'name', '', []],
  [{ nameRules: 'nonEmpty' }, 'createDrive', 'name', '', ['must have at least 1 character']],
  [{ nameRules: 'nonEmpty' }, 'createDrive', 'name', ' ', []],
  [{ nameRules: 'bounded' }, 'createDrive', 'name', 'x'.repeat(255), []],
  [{ nameRules: 'bounded' }, 'createMcpServer', 'name', 'x'.repeat(256), ['must have at most 255 characters']],
  [{ nameRules: 'trimmed' }, 'createDrive', 'name', ' ', ['must contain a character that is not blank']],
  [{ wrongBodyTypes: 'refused' }, 'createDrive', 'name', 7, ['must be a string']],
  [{ wrongBodyTypes: 'coerced' }, 'createDrive', 'name', 7, []],
  [{ wrongBodyTypes: 'coerced' }, 'createDrive', 'name', true, []],
  [{ wrongBodyTypes: 'coerced' }, 'createDrive', 'name', null, ['must be a string, a number or a boolean']],
  [{ wrongBodyTypes: 'coerced' }, 'createMcpServer', 'url', 7, ['must be a string']],
  [{ wrongBodyTypes: 'coerced', mcpUrlRules: 'anyString' }, 'createMcpServer', 'url', 7, []],
  [{ mcpUrlRules: 'anyString' }, 'createMcpServer', 'url', 'ftp://a', []],
  [{ mcpUrlRules: 'httpUrl' }, 'createMcpServer', 'url', 'HTTP://a', []],
  [{ mcpUrlRules: 'httpUrl' }, 'createMcpServer', 'url', 'ftp://a', ['must be an http or https URL']],
  [{ mcpUrlRules: 'canonicalHttpUrl' }, 'createMcpServer', 'url', 'http:///a', ['must be an http or https URL']],
  [{ pathLineBreaks: 'refused' }, 'updateDriveFile', 'path', '/a', []],
  [{ pathLineBreaks: 'accepted' }, 'updateDriveFile', 'path', '/a\nb', []],
  [
    { pathLineBreaks: 'accepted' },
    'updateDriveFile',
    'path',
    '/a\n/../b',
    ['must start with / and must not contain a .. segment'],
  ],
  [
    { pathLineBreaks: 'accepted' },
    'updateDriveFile',
    'path',
    'a',
    ['must start with / and must not contain a .. segment'],
  ],
  [{ pathLength: 'none' }, 'updateDriveFile', 'path', `/${'x'.repeat(70_000)}`, []],
  [{ pathLength: 300 }, 'updateDriveFile', 'path', `/${'x'.repeat(299)}`, []],
  [{ pathLength: 300 }, 'updateDriveFile', 'path', `/${'x'.repeat(300)}`, ['must have at most 300 characters']],
  [{ unknownBodyFields: 'ignored' }, 'createDrive', 'body', { name: 'a', b: 1 }, []],
  [
    { unknownBodyFields: 'refused' },
    'createDrive',
    'body',
    { name: 'a', b: 1 },
    ['is not a known field (known: name)'],
  ],
  [{ requiredBodyFields: 'all' }, 'createDrive', 'body', {}, ['is required']],
  [{ requiredBodyFields: 'none' }, 'createDrive', 'body', {}, []],
  [{ requiredBodyFields: 'none' }, 'updateDriveFile', 'body', {}, []],
  [{ requiredMoveFields: 'none' }, 'updateDriveFile', 'body', {}, []],
  [{ requiredServerFields: 'all' }, 'createMcpServer', 'body', {}, ['is required', 'is required']],
  [{ requiredServerFields: 'url' }, 'createMcpServer', 'body', {}, ['is required']],
  [{ requiredServerFields: 'url' }, 'createMcpServer', 'body', { url: 'https://a/' }, []],
])('under %j, %s takes as %s the value %j, or says: %j', (set, id, place, value, says) => {
  const { document, schema } = sentAt(set, id, place);
  const told = new Schemas(document).of(schema)(value);
  expect(told.map(({ message }) => message)).toEqual(says);
});

it.each<[Partial<Profile>, OperationId, boolean]>([
  [{ requiredBodyFields: 'all' }, 'createDrive', true],
  [{ requiredBodyFields: 'none' }, 'createDrive', false],
  [{ requiredServerFields: 'url' }, 'createMcpServer', true],
  [{ requiredBodyFields: 'none', requiredPublishFields: 'all' }, 'publishAgentRevision', true],
])('under %j, the body of %s is required: %j', (set, id, isRequired) => {
  expect(sentAt(set, id, 'body').body?.required).toBe(isRequired);
});

it.each<[Partial<Profile>, OperationId, string, object]>([
  [{ defaultLimit: 33, outOfRangePaging: 'refused' }, 'listDrives', 'limit', { default: 33, minimum: 1, maximum: 100 }],
  [{ defaultOffset: 7, outOfRangePaging: 'refused' }, 'listDrives', 'offset', { default: 7, minimum: 0 }],
  [{ defaultLimit: 33, outOfRangePaging: 'ignored' }, 'listDrives', 'limit', { default: 33, type: 'integer' }],
])('under %j, %s has the rules for %s: %j', (set, id, place, rules) => {
  const { schema } = sentAt(set, id, place);
  expect(schema).toMatchObject(rules);
  expect('minimum' in schema || 'maximum' in schema).toBe('minimum' in rules);
});

it.each([
  ['path', 'refused', true],
  ['where', 'refused', true],
  ['where', 'emptyJob', false],
] as const)(
  'the parameter of the tree is called %s and, where it may not be missing, required: %s',
  (name, missing, isRequired) => {
    const { parameter } = sentAt({ treePathParameter: name, missingTreePath: missing }, 'deleteDriveTree', name);
    expect(parameter).toMatchObject({ name, required: isRequired });
  },
);

it.each<[Partial<Profile>, string, unknown]>([
  [{ publishBody: 'agent' }, '200', '#/components/schemas/PublishResult'],
  [{ publishBody: 'emptyObject', publishStatus: 201 }, '201', '#/components/schemas/PublishResult'],
  [{ publishBody: 'none' }, '200', undefined],
  [{ publishBody: 'agent', publishStatus: 204 }, '204', undefined],
  [{ publishBody: 'agent', publishStatus: 205 }, '205', undefined],
])('under %j a publication is answered with %s and the schema %s', (set, status, schema) => {
  const { document } = sentAt(set, 'publishAgentRevision', 'body');
  const { responses = {} } = operationsOf(document).find(({ operationId }) => operationId === 'publishAgentRevision')
    ?.definition ?? { responses: {} };
  const successes = Object.keys(responses).filter((code) => code.startsWith('2'));
  expect(successes).toEqual([status]);
  const { content } = responses[status] as ResponseObject;
  expect((content?.['application/json']?.schema as { $ref?: string } | undefined)?.$ref).toBe(schema);
  expect(content === undefined).toBe(schema === undefined);
});
