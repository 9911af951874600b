import { describe, expect, it } from 'vitest';
import { contractFor } from '../../openapi/contract/contract-for.ts';
import { tellOpenPoints, withoutLinks } from '../../openapi/contract/described-open-points.ts';
import {
  dereference,
  openPointsOf,
  type RequestBodyObject,
  type ResponseObject,
  resolvePointer,
  type SchemaObject,
  unescapeToken,
} from '../../openapi/contract/document.ts';
import { loadCoverage, loadDocument, loadRequirements } from '../../openapi/contract/load.ts';
import { basePathOf, type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { defaultProfile, type Profile, parseChoice, validateChoices } from '../../openapi/contract/profile.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { authHeadersOf, keyIn } from '../../openapi/contract/security.ts';
import { codeOf, errorShapes, problemType } from '../../openapi/points/error-bodies.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';

// How a contract is read.

const document = loadDocument();
// Read in each test, as in each run.
const operationsIn = () => operationsOf(document);

describe('the operations of a contract', () => {
  it('come path by path, in the order of the methods', () => {
    expect(operationsIn().map(({ operationId, method, path }) => `${operationId} ${method} ${path}`)).toEqual([
      'listAgents GET /agents',
      'publishAgentRevision POST /agents/{agentId}/publish',
      'listDrives GET /drives',
      'createDrive POST /drives',
      'getDriveFile GET /drives/{driveId}/files/{fileId}',
      'updateDriveFile PATCH /drives/{driveId}/files/{fileId}',
      'deleteDriveTree DELETE /drives/{driveId}/items/tree',
      'listMcpServers GET /mcp-servers',
      'createMcpServer POST /mcp-servers',
      'listMcpServerTools GET /mcp-servers/{mcpServerId}/tools',
    ]);
    expect(operationsOf({ ...document, paths: undefined } as never)).toEqual([]);
  });

  const read = { isRead: true, isCreation: false, takesBody: false, bodyFields: [] };
  const segmentsOfFile = [
    { literal: 'drives' },
    { parameter: 'driveId' },
    { literal: 'files' },
    { parameter: 'fileId' },
  ];
  const write = { isRead: false, isCreation: false, takesBody: true, list: undefined };

  it.each<[OperationId, object]>([
    ['listAgents', { ...read, resource: 'Agent', list: { property: undefined, itemSchema: 'Agent' } }],
    ['publishAgentRevision', { ...write, bodyFields: ['revisionId'], resource: undefined, answerSchema: undefined }],
    ['listDrives', { ...read, resource: 'Drive', list: { property: 'data', itemSchema: 'Drive' } }],
    ['createDrive', { ...write, isCreation: true, bodyFields: ['name'], resource: 'Drive' }],
    ['getDriveFile', { ...read, resource: 'DriveFile', list: undefined, segments: segmentsOfFile }],
    ['updateDriveFile', { ...write, bodyFields: ['path'], resource: 'DriveFile' }],
    ['deleteDriveTree', { ...write, takesBody: false, bodyFields: [], resource: 'TreeDeletion' }],
    ['listMcpServers', { ...read, resource: 'McpServer', list: { property: undefined, itemSchema: 'McpServer' } }],
    ['createMcpServer', { ...write, isCreation: true, bodyFields: ['name', 'url'], resource: 'McpServer' }],
    ['listMcpServerTools', { ...read, resource: 'McpTool', list: { property: 'tools', itemSchema: 'McpTool' } }],
  ])('%s is read with all that it states', (id, facts) => {
    const operation = operationsIn().find(({ operationId }) => operationId === id);
    expect(operation).toMatchObject({
      ...{ ...facts, statesNotFound: id === 'listMcpServerTools' },
      statusOpenPoint: ['listAgents', 'listMcpServers', 'listMcpServerTools'].includes(id)
        ? undefined
        : `successStatus.${id}`,
    });
  });

  // One at the operation, at a parameter, at the body and at a response.
  it.each<[OperationId, string[]]>([
    ['listDrives', ['listOrder', 'pagingDefaults.limit', 'successStatus.listDrives', 'wwwAuthenticate']],
    ['createMcpServer', ['mcpDefaultType', 'mediaTypeRules', 'successStatus.createMcpServer', 'errorBody']],
  ])('%s has the open points of all its parts', (id, points) => {
    const { openPoints } = operationsIn().find(({ operationId }) => operationId === id) as Operation;
    expect([...openPoints]).toEqual(expect.arrayContaining(points));
  });

  it('have the fields of a body that they refer to', () => {
    const Box = { content: { 'application/json': { schema: { properties: { name: {} } } } } };
    const post = { operationId: 'createBox', requestBody: { $ref: '#/components/requestBodies/Box' } };
    const small = { paths: { '/boxes': { post } }, components: { requestBodies: { Box } } };
    expect(operationsOf(small as never)).toMatchObject([{ bodyFields: ['name'] }]);
  });

  it.each<[object[] | undefined, string]>([
    [[{ url: 'https://example.com/teams/v0.1/' }, { url: 'https://example.com/v2' }], '/teams/v0.1'],
    [[{ url: 'https://example.com/v0.1' }], '/v0.1'],
    [[{ url: 'https://example.com' }], ''],
    [[], ''],
    [undefined, ''],
  ])('are below the path of the first server: %j', (servers, path) => {
    expect(basePathOf({ ...document, servers } as never)).toBe(path);
  });
});

describe('a JSON pointer', () => {
  const value = { 'a/b': { 'c~d': [{ 'e f': 1 }] }, '': 2, text: 'text', null: null };

  it.each<[string, unknown]>([
    ['#', value],
    ['#/a~1b/c~0d/0/e%20f', 1],
    ['#/', 2],
    ['#/text', 'text'],
    ['#/null', null],
    ['#/text/length', undefined],
    ['#/null/x', undefined],
    ['#/nothing/more', undefined],
    ['#/constructor', undefined],
    ['#/a~1b/c~0d/length', 1],
    ['#text', undefined],
    ['/text', undefined],
    ['', undefined],
  ])('%j leads to %j', (pointer, expected) => {
    expect(resolvePointer(value, pointer)).toEqual(expected);
  });

  it('has tildes and slashes in a step in their own way', () => {
    expect(unescapeToken('~01~1~0')).toBe('~1/~');
  });

  it('is followed as long as it leads to another one', () => {
    const chained = { one: { $ref: '#/two' }, two: { $ref: '#/three' }, three: { is: 'it' } } as never;
    expect(dereference(chained, { $ref: '#/one' })).toEqual({ is: 'it' });
    for (const other of [undefined, null, 'text', { $ref: 5 }, { is: 'it' }]) {
      expect(dereference(chained, other)).toBe(other);
    }
  });
});

it.each<[object | undefined, string[]]>([
  [undefined, []],
  [{}, []],
  [{ 'x-open-point': 'one' }, ['one']],
  [{ 'x-open-point': ['one', 'two'] }, ['one', 'two']],
])('the open points at %j are %j', (place, ids) => {
  expect(openPointsOf(place)).toEqual(ids);
});

describe('the key of a request', () => {
  const authHeadersIn = () => authHeadersOf(document);

  it('has the auth headers of the contract', () => {
    expect(authHeadersIn()).toEqual([
      { name: 'apiKeyHeader', header: 'x-api-key', scheme: 'plain' },
      { name: 'bearerKey', header: 'authorization', scheme: 'bearer' },
    ]);
    expect(authHeadersOf({} as never)).toEqual([]);
    const inQuery = { components: { securitySchemes: { odd: { type: 'apiKey', in: 'query', name: 'key' } } } };
    expect(() => authHeadersOf(inQuery as never)).toThrow(
      'The key of odd is in the query; only headers are read so far.',
    );
  });

  it.each<[unknown, unknown, unknown]>([
    ['a', 'a', undefined],
    ['', undefined, undefined],
    [['a'], undefined, undefined],
    ['Bearer a', 'Bearer a', 'a'],
    ['Bearer a b', 'Bearer a b', undefined],
    ['xBearer a', 'xBearer a', undefined],
    ['Bearera', 'Bearera', undefined],
  ])('in %j is read', (value, plain, bearer) => {
    const read = authHeadersIn().map((authHeader) => keyIn(authHeader, { [authHeader.header]: value }));
    expect(read).toEqual([plain, bearer]);
  });

  it('of a bearer scheme is read in any case, unless only the usual one is', () => {
    const authHeader = { name: 'bearer', header: 'authorization', scheme: 'bearer' } as const;
    const read = (value: unknown, ...spelling: 'exact'[]) => keyIn(authHeader, { authorization: value }, ...spelling);
    expect(['bearer a', 'BEARER  a ', 'Bearer', 'Basic a', undefined].map((one) => read(one))).toEqual([
      ...['a', 'a', undefined, undefined, undefined],
    ]);
    expect([read('Bearer a', 'exact'), read('bearer a', 'exact')]).toEqual(['a', undefined]);
  });
});

describe('an error in another shape', () => {
  const problem = { type: problemType('invalid-input'), title: 'Invalid input', status: 422 };
  const violation = {
    location: ['body', 'name'],
    code: 'type',
    message: 'must be a string',
    severity: 'Error' as const,
  };

  it.each<[keyof typeof errorShapes, object, unknown]>([
    ['problem', problem, problem],
    ['message', problem, { message: 'Invalid input' }],
    ['message', { ...problem, detail: 'Why.' }, { message: 'Why.' }],
    ['nested', problem, { error: { code: 'invalid-input', message: 'Invalid input', details: [] } }],
    [
      'nested',
      { ...problem, detail: 'Why.', validation: [violation] },
      { error: { code: 'invalid-input', message: 'Why.', details: [violation] } },
    ],
    ['list', { ...problem, validation: [] }, { errors: [{ code: 'invalid-input', message: 'Invalid input' }] }],
    [
      'list',
      { ...problem, validation: [violation, { ...violation, location: ['query', 'limit'] }] },
      {
        errors: [
          { code: 'type', message: 'must be a string', field: 'body.name' },
          { code: 'type', message: 'must be a string', field: 'query.limit' },
        ],
      },
    ],
  ])('%s, of %j', (shape, given, body) => {
    expect(errorShapes[shape].toBody(given as never)).toEqual(body);
    expect(codeOf(given as never)).toBe('invalid-input');
  });
});

describe('a document that tells its open points', () => {
  const point = (id: string, open: string, means: string) => ({
    ...{ id, open, means, sources: [], operations: [], impact: 'hidden', seen: 'wire', question: '?' },
    ...{ choices: [{ value: id, means }], default: id },
  });
  const points = [
    point('one', 'The first thing, see `a.b`. More of it.', 'as usual'),
    point('two', 'The second thing: it is open', '"quoted"'),
  ] as never;
  const profile = { one: 'one', two: 5, three: 3 } as never;
  const told = (place: object, pointsAt?: string) =>
    (tellOpenPoints({ info: place } as never, profile, points, pointsAt) as { info: object }).info;

  it.each<[object, string | undefined]>([
    [{ 'x-open-point': 'one' }, 'Unspecified: The first thing, see `a.b`. Here `one` is `one` (as usual).'],
    [{ 'x-open-point': 'two', description: 'Two.' }, 'Two.\n\nUnspecified: The second thing. Here `two` is `5`.'],
    [
      { 'x-open-point': ['one', 'two'], description: 'Both.' },
      'Both.\n\nUnspecified:\n\n- The first thing, see `a.b`. Here `one` is `one` (as usual).\n- The second thing. Here `two` is `5`.',
    ],
    [{ 'x-open-point': 'three', description: 'Three.' }, 'Three.'],
    [{ description: 'None. Unspecified: it.' }, 'None. Unspecified: it.'],
    [{}, undefined],
  ])('says of %j: %j', (place, description) => {
    expect(told(place)).toEqual({ ...place, ...(description === undefined ? {} : { description }) });
  });

  it('links to the open points, and leaves data and the given document alone', () => {
    const inner = () => ({ 'x-open-point': 'two' });
    const place = { list: [inner()], example: inner(), examples: inner(), default: inner(), enum: [inner()] };
    const given = structuredClone(place);
    const { list, ...data } = told(place, 'list.md#') as typeof place;
    expect(list[0]).toMatchObject({ description: expect.stringContaining('[`two`](list.md#two)') });
    expect({ list: place.list, ...data }).toEqual(given);
    expect(place).toEqual(given);
  });

  it('can have names in the place of its links', () => {
    const description = 'See [this](x.html#one), [that](y.html) and [`two`](#two). Unspecified: [a](b#one).';
    const given = { info: { description, title: 'See [this](x.html#one).' } } as never;
    expect(withoutLinks(given)).toEqual({
      info: {
        description: 'See this (`one`), that and `two` (`two`). Unspecified: a (`one`).',
        title: 'See [this](x.html#one).',
      },
    });
    expect(given).toMatchObject({ info: { description } });
  });
});

it('what is loaded from a file cannot be changed for others: it is a copy, or frozen', () => {
  for (const load of [loadDocument, loadOpenPoints, loadRequirements, loadCoverage]) {
    const [one, other] = [load(), load()];
    expect(Object.keys(one).length).toBeGreaterThan(5);
    expect(other).toEqual(one);
    expect(other !== one || Object.isFrozen(Object.values(one)[0])).toBe(true);
  }
});

// What a profile makes of it: rules as values, each with the smallest case that shows it.

describe('choices', () => {
  const points = loadOpenPoints();

  it.each([[null], ['text'], [[]], [5]])('are an object: %j is none', (value) => {
    expect(validateChoices(points, value)).toMatchObject([
      { location: [], message: 'a profile is an object that maps open points to choices' },
    ]);
  });

  it.each([
    ['successStatus.createDrive', '201', 201],
    ['pagingDefaults.limit', '37', 37],
    ['listOrder', 'byName', 'byName'],
    ['listOrder', '37', '37'],
    ['noSuchPoint', '37', '37'],
    ['pagingDefaults.limit', '1e3', '1e3'],
  ])('of %s are numbers where it has numbers: %s', (id, text, choice) => {
    expect(parseChoice(points, id, text)).toBe(choice);
  });
});

/** The schema of a parameter or of a field of the body, as a profile has it, with all that it is in. */
function sentAt(set: Partial<Profile>, id: OperationId, place: string) {
  const document = contractFor({ ...defaultProfile(loadOpenPoints()), ...set });
  const { parameters, definition } = operationsOf(document).find(({ operationId }) => operationId === id) ?? {};
  const body = dereference(document, definition?.requestBody as RequestBodyObject | undefined);
  const ofBody = dereference(document, body?.content['application/json']?.schema as SchemaObject | undefined);
  const parameter = parameters?.find(({ name }) => name === place);
  const schema = parameter?.schema ?? (place === 'body' ? ofBody : ofBody?.properties?.[place]);
  return { document, parameter, schema: schema as SchemaObject };
}

it.each<[Partial<Profile>, OperationId, string, unknown, string[]]>([
  [{ wrongBodyTypes: 'refused' }, 'createDrive', 'name', 7, ['must be a string']],
  [{ wrongBodyTypes: 'coerced' }, 'createDrive', 'name', 7, []],
  [{ wrongBodyTypes: 'coerced' }, 'createDrive', 'name', true, []],
  [{ wrongBodyTypes: 'coerced' }, 'createDrive', 'name', null, ['must be a string, a number or a boolean']],
  [{ wrongBodyTypes: 'coerced' }, 'createMcpServer', 'url', 7, ['must be a string']],
  [{ wrongBodyTypes: 'coerced', mcpUrlRules: 'anyString' }, 'createMcpServer', 'url', 7, []],
])('under %j, %s takes as %s the value %j, or says: %j', (set, id, place, value, says) => {
  const { document, schema } = sentAt(set, id, place);
  const told = new Schemas(document).of(schema)(value);
  expect(told.map(({ message }) => message)).toEqual(says);
});

it.each<[Partial<Profile>, OperationId, string, object]>([
  [
    { 'pagingDefaults.limit': 33, 'oddPaging.outOfRange': 'refused' },
    'listDrives',
    'limit',
    { default: 33, minimum: 1, maximum: 100 },
  ],
  [
    { 'pagingDefaults.offset': 7, 'oddPaging.outOfRange': 'refused' },
    'listDrives',
    'offset',
    { default: 7, minimum: 0 },
  ],
  [
    { 'pagingDefaults.limit': 33, 'oddPaging.outOfRange': 'ignored' },
    'listDrives',
    'limit',
    { default: 33, type: 'integer' },
  ],
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
    const { parameter } = sentAt({ treePathParameter: name, 'treePath.notSent': missing }, 'deleteDriveTree', name);
    expect(parameter).toMatchObject({ name, required: isRequired });
  },
);

it.each<[Partial<Profile>, string, unknown]>([
  [{ publishBody: 'agent' }, '200', '#/components/schemas/PublishResult'],
  [
    { publishBody: 'emptyObject', 'successStatus.publishAgentRevision': 201 },
    '201',
    '#/components/schemas/PublishResult',
  ],
  [{ publishBody: 'none' }, '200', undefined],
  [{ publishBody: 'agent', 'successStatus.publishAgentRevision': 204 }, '204', undefined],
  [{ publishBody: 'agent', 'successStatus.publishAgentRevision': 205 }, '205', undefined],
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
