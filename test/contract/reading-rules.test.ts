import { expect, it } from 'vitest';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import type { OpenPointId } from '../../openapi/contract/profile.ts';
import type { AnswerView, Body, RequestView } from '../../openapi/reading/messages.ts';
import { decodeQuery } from '../../openapi/reading/query.ts';
import { Reading } from '../../openapi/reading/reading.ts';
import { say } from '../../openapi/reading/sentence.ts';

// What a few exchanges show of an open point, and what they do not tell. Whole runs are in proof/mutation/readings.ts.

const operations = new Map(operationsOf(loadDocument()).map((one) => [one.operationId as OperationId, one]));
const json = (value: unknown): Body => ({ kind: 'json', value, lengthBytes: 1 });
const noBody: Body = { kind: 'none' };
const text: Body = { kind: 'text', why: say`the body is not valid JSON`, lengthBytes: 1 };
const unread: Body = { kind: 'unread', why: say`it is too long`, lengthBytes: 1 };

/** An exchange, as the tables below write it. */
interface Told {
  id?: OperationId;
  path?: string;
  query?: string;
  sent?: unknown;
  request?: Partial<Pick<RequestView, 'headers' | 'body'>>;
  status?: number;
  value?: unknown;
  headers?: Record<string, string>;
  body?: Body;
}

const declared = { 'x-api-key': 'k', 'content-type': 'application/json' };

function viewsOf(told: Told): [RequestView, AnswerView] {
  const { id = 'listDrives', path = '/drives', query = '', sent, request, status = 200, value, headers, body } = told;
  return [
    {
      ...{ operation: operations.get(id) as Operation, path, query: decodeQuery(query), headers: declared },
      ...{ body: sent === undefined ? noBody : json(sent), ...request },
    },
    {
      ...{ status, headers: headers ?? { 'content-type': 'application/json' } },
      body: body ?? (value === undefined ? noBody : json(value)),
    },
  ];
}

/** The choice that is clear; or all sightings, where it is not; undefined where there is none. */
function shown(openPoint: OpenPointId, ...all: readonly Told[]): unknown {
  const reading = new Reading();
  for (const told of all) reading.add(...viewsOf(told), 'a line', (quoted) => quoted);
  const { observed, unclear } = reading.learned();
  return unclear[openPoint]?.map(({ sighting }) => sighting) ?? observed[openPoint];
}

const other = (words: string) => [{ other: words }];

const page = (names: readonly string[], more: object = {}, pagination: object = {}): object => ({
  data: names.map((name) => ({ id: `id-${name}`, name, ...more })),
  pagination: { limit: 20, offset: 0, total: names.length, ...pagination },
});
/** A call that succeeds, so that the key is known to be good. */
const good: Told = { id: 'listAgents', path: '/agents', value: [] };
const drive = (sent: unknown, status = 201, more: Told = {}): Told => ({
  ...{ id: 'createDrive', sent, status, value: { id: '1', ...Object(sent) } },
  ...more,
});
const server = (sent: unknown, status = 201, more: Told = {}): Told => ({
  ...{ id: 'createMcpServer', path: '/mcp-servers', sent, status, value: { id: '1', ...Object(sent) } },
  ...more,
});
const publish = (sent: unknown, status = 200, more: Told = {}): Told => ({
  ...{ id: 'publishAgentRevision', path: '/agents/a/publish', sent, status },
  ...more,
});
const file = (fileId: string, more: Told = {}): Told => ({
  ...{ id: 'getDriveFile', path: `/drives/d/files/${fileId}` },
  ...more,
});
const move = (fileId: string, sent: unknown, status = 200, more: Told = {}): Told => ({
  ...{ id: 'updateDriveFile', path: `/drives/d/files/${fileId}`, sent, status },
  ...more,
});

type Row = [title: string, openPoint: OpenPointId, exchanges: Told[], expected: unknown];

const ofAnswers: Row[] = [
  ['a publication without a body', 'publishBody', [publish({})], 'none'],
  ['a publication that can have no body', 'publishBody', [publish({}, 204), publish({}, 205)], undefined],
  ['a publication whose body was not read', 'publishBody', [publish({}, 200, { body: unread })], undefined],
  ['a publication with a text', 'publishBody', [publish({}, 200, { body: text })], other('the body is not valid JSON')],
  ['a publication with an empty object', 'publishBody', [publish({}, 200, { value: {} })], 'emptyObject'],
  [
    'a publication with a revision',
    'publishBody',
    [publish({}, 200, { value: { revisionId: 'r', agentId: 'a', createdAt: 'now' } })],
    'revision',
  ],
  [
    'a publication with an agent',
    'publishBody',
    [publish({}, 200, { value: { id: 'a', isPublished: true } })],
    'agent',
  ],
  ...[['revisionId', 'agentId'], ['agentId', 'createdAt'], ['revisionId', 'createdAt'], ['id'], ['isPublished']].map(
    (names): Row => [
      `a publication with ${names} only`,
      'publishBody',
      [publish({}, 200, { value: Object.fromEntries(names.map((name) => [name, 1])) })],
      other(`an object with ${names.join(', ')}`),
    ],
  ),
  ['a publication with a list', 'publishBody', [publish({}, 200, { value: [] })], other('JSON that is not an object')],
  [
    'a publication with many fields',
    'publishBody',
    [publish({}, 200, { value: Object.fromEntries([...'abcdefghijkl'].map((name) => [name, 1])) })],
    other('an object with a, b, c, d, e, f, g, h, i, j'),
  ],
  ['a refused publication', 'publishBody', [publish({}, 404)], undefined],
  ['a list without a body', 'publishBody', [{}], undefined],

  ['the type of a new server', 'mcpDefaultType', [server({ name: 'a' }, 201, { value: { type: 'sse' } })], 'sse'],
  ['a type of its own', 'mcpDefaultType', [server({}, 201, { value: { type: 'stdio' } })], other('stdio')],
  [
    'a type that was asked for',
    'mcpDefaultType',
    [server({ type: 'sse' }, 201, { value: { type: 'sse' } })],
    undefined,
  ],
  ['a type that is no text', 'mcpDefaultType', [server({}, 201, { value: { type: 1 } })], undefined],
  ['the type of a refused server', 'mcpDefaultType', [server({}, 422, { value: { type: 'sse' } })], undefined],
  ['the type of a drive', 'mcpDefaultType', [drive({}, 201, { value: { type: 'sse' } })], undefined],

  ...(
    [
      ['2026-01-01T00:00:00Z', 'seconds', 'Z'],
      ['2026-01-01T00:00:00.000+00:00', 'milliseconds', '+00:00'],
      ['2026-01-01T00:00:00.000000Z', 'microseconds', 'Z'],
      ['2026-01-01T00:00:00.00+01:00', other('2026-01-01T00:00:00.00+01:00'), other('2026-01-01T00:00:00.00+01:00')],
      ['2026-01-01', other('2026-01-01'), other('2026-01-01')],
      ['Zulu, 2026-01-01T00:00:00', 'seconds', other('Zulu, 2026-01-01T00:00:00')],
    ] as const
  ).flatMap(([createdAt, precision, zone]): Row[] => [
    [`the time ${createdAt}`, 'timestampPrecision', [{ value: page(['a'], { createdAt }) }], precision],
    [`the time ${createdAt}`, 'timestampZone', [{ value: page(['a'], { createdAt }) }], zone],
  ]),
  [
    'times that differ in one answer',
    'timestampPrecision',
    [{ value: page(['a'], { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00.5Z' }) }],
    other('2026-01-01T00:00:00Z, and 2026-01-01T00:00:00.5Z'),
  ],
  ['a time in another field', 'timestampZone', [{ value: page(['a'], { name: '2026-01-01T00:00:00Z' }) }], undefined],
  ['a time in a refusal', 'timestampZone', [{ status: 400, value: { createdAt: '2026-01-01T00:00:00Z' } }], undefined],

  ['no header with a limit', 'rateLimits', [{ value: page(['a']) }], 'none'],
  [
    'all three headers with limits',
    'rateLimits',
    [{ headers: { 'ratelimit-limit': '1', 'ratelimit-remaining': '1', 'ratelimit-reset': '1' } }],
    'announced',
  ],
  [
    'some headers with limits',
    'rateLimits',
    [{ headers: { 'x-rate-limit': '1', 'ratelimit-limit': '1', 'ratelimit-reset': '1', server: 'x' } }],
    other('x-rate-limit, ratelimit-limit, ratelimit-reset'),
  ],
  ['limits of a refusal', 'rateLimits', [{ status: 429, headers: { 'ratelimit-limit': '1' } }], undefined],

  ['no challenge', 'wwwAuthenticate', [{ status: 401 }], 'absent'],
  ['a challenge', 'wwwAuthenticate', [{ status: 401, headers: { 'www-authenticate': 'BEARER realm="x"' } }], 'sent'],
  ...['Basic realm="x"', 'Basic, Bearer', 'Bearers'].map(
    (challenge): Row => [
      `the challenge ${challenge}`,
      'wwwAuthenticate',
      [{ status: 401, headers: { 'www-authenticate': challenge } }],
      other(challenge),
    ],
  ),
  ['a challenge with 403', 'wwwAuthenticate', [{ status: 403, headers: { 'www-authenticate': 'Bearer' } }], undefined],

  ['the usual media type', 'answerMediaType', [{ value: {} }], 'application/json'],
  [
    'a media type with the encoding, in other letters',
    'answerMediaType',
    [{ value: {}, headers: { 'content-type': 'Application/JSON ;\tcharset = "UTF-8";' } }],
    'application/json; charset=utf-8',
  ],
  ['no media type', 'answerMediaType', [{ value: {}, headers: {} }], other('no Content-Type')],
  [
    'another media type',
    'answerMediaType',
    [{ value: {}, headers: { 'content-type': 'text/json' } }],
    other('text/json'),
  ],
  ['the media type of a refusal', 'answerMediaType', [{ status: 400, value: {} }], undefined],
  ['the media type of no JSON', 'answerMediaType', [{}, { body: text }], undefined],

  ['an error without a body', 'errorBody', [{ status: 400 }], 'empty'],
  ['an error whose body was not read', 'errorBody', [{ status: 400, body: unread }], undefined],
  ['an error of the server', 'errorBody', [{ status: 500 }], undefined],
  ['an error with a text', 'errorBody', [{ status: 499, body: text }], other('the body is not valid JSON')],
  [
    'a problem',
    'errorBody',
    [{ status: 400, value: {}, headers: { 'content-type': 'application/Problem+JSON; charset=utf-8' } }],
    'problem',
  ],
  ['a list of errors', 'errorBody', [{ status: 400, value: { errors: [{ code: 'a', message: 'b' }] } }], 'list'],
  ['an error within', 'errorBody', [{ status: 400, value: { error: { code: 'a', message: 'b' } } }], 'nested'],
  ['a message', 'errorBody', [{ status: 400, value: { message: 'b' } }], 'message'],
  ...[
    { errors: [] },
    { errors: { 0: { code: 'a', message: 'b' } } },
    { errors: [{ code: 'a' }] },
    { error: { message: 'b' } },
    { error: { code: 1, message: 'b' } },
    { message: 1 },
    { detail: 'b' },
  ].map(
    (value): Row => [
      `the error ${JSON.stringify(value)}`,
      'errorBody',
      [{ status: 400, value }],
      other(`an object with ${Object.keys(value)}`),
    ],
  ),
  [
    'a message and more',
    'errorBody',
    [{ status: 400, value: { message: 'b', errors: [{ code: 'a', message: 'b' }] } }],
    other('an object with message, errors'),
  ],
  ['an error that is a list', 'errorBody', [{ status: 400, value: [] }], other('JSON that is not an object')],
];

const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const newDrive = (id: unknown) => drive({ name: 'a' }, 201, { value: { id } });
const newServer = (id: unknown) => server({ name: 'a' }, 201, { value: { id } });
const drives = (...ids: unknown[]): Told => ({ value: { data: ids.map((id) => ({ id })) } });

const ofIds: Row[] = [
  ...(
    [
      [uuid, 'uuid'],
      [uuid.toUpperCase(), 'uuid'],
      [`x${uuid}`, other(`x${uuid}`)],
      [`${uuid}0`, other(`${uuid}0`)],
      [uuid.replace('-41', '-11'), other(uuid.replace('-41', '-11'))],
      [uuid.replace('-9', '-c'), other(uuid.replace('-9', '-c'))],
      ['123', 'numeric'],
      ['123 ', other('123 ')],
      ['12.3', other('12.3')],
      ['drv_1a', 'prefixed'],
      ['drv-1a', 'prefixed'],
      ['1drv_1a', other('1drv_1a')],
      ['drv_1a!', other('drv_1a!')],
      // Of 2016; of a time before 2015, and of one after 2115.
      ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'sortable'],
      ['00ARZ3NDEKTSV4RRFFQ69G5FAV', other('00ARZ3NDEKTSV4RRFFQ69G5FAV')],
      ['0ZARZ3NDEKTSV4RRFFQ69G5FAV', other('0ZARZ3NDEKTSV4RRFFQ69G5FAV')],
      ['01ARZ3NDEKTSV4RRFFQ69G5FAVX', other('01ARZ3NDEKTSV4RRFFQ69G5FAVX')],
      ['01ARZ3NDEKTSV4RRFFQ69G5FAI', other('01ARZ3NDEKTSV4RRFFQ69G5FAI')],
    ] as const
  ).map(([id, format]): Row => [`the id ${id}`, 'idFormat', [drives(id)], format]),
  ['ids of two formats in one answer', 'idFormat', [drives('1', 'drv_1')], other('1, and drv_1')],
  ['no ids', 'idFormat', [drives(), drives(1), { status: 400, value: { data: [{ id: '1' }] } }], undefined],
  ['the id in an answer that is no resource', 'idFormat', [publish({}, 200, { value: { id: '1' } })], undefined],
  ['old ids, and new ones of one kind', 'idFormat', [drives('1'), newDrive(uuid)], ['numeric', 'uuid']],
  ['old ids, and new ones of two kinds', 'idFormat', [drives('1'), newDrive(uuid), newServer(uuid)], 'uuid'],
  ['new ids of two formats', 'idFormat', [newDrive(uuid), newServer('1')], ['uuid', 'numeric']],
  ['a prefix for each kind', 'idFormat', [newDrive('drv_1'), newDrive('drv_2'), newServer('srv-1')], 'prefixed'],
  ['one prefix for two kinds', 'idFormat', [newDrive('x_1'), newServer('x_2')], ['prefixed']],
  ['two prefixes for one kind', 'idFormat', [newDrive('x_1'), newDrive('y_1'), newServer('z_1')], ['prefixed']],
];

const described = {
  ...{ kind: 'file', id: '1', name: 'a', path: '/a', size: 1, contentType: 'text/plain', status: 'ready' },
  modifiedAt: 'now',
};

const ofFields: Row[] = [
  ['metadata', 'metadataShape', [file('f', { value: { metadata: { a: 1 } } })], 'asSeeded'],
  ['empty metadata of one file', 'metadataShape', Array(2).fill(file('f', { value: { metadata: {} } })), undefined],
  [
    'empty metadata of two files',
    'metadataShape',
    ['f', 'g'].map((id) => file(id, { value: { metadata: {} } })),
    'empty',
  ],
  [
    'empty metadata of two files, and metadata of a third',
    'metadataShape',
    [...['f', 'g'].map((id) => file(id, { value: { metadata: {} } })), file('h', { value: { metadata: { a: 1 } } })],
    'asSeeded',
  ],
  ['metadata that is a list', 'metadataShape', [file('f', { value: { metadata: [1] } })], undefined],
  ['metadata of a drive', 'metadataShape', [drive({}, 201, { value: { metadata: { a: 1 } } })], undefined],
  ['all of the pagination', 'paginationFields', [{ value: page(['a']) }], 'all'],
  ['no total', 'paginationFields', [{ value: page(['a'], {}, { total: undefined }) }], 'withoutTotal'],
  ['no pagination', 'paginationFields', [{ value: { data: [] } }], undefined],
  ['an empty pagination', 'paginationFields', [{ value: { data: [], pagination: {} } }], 'none'],
  [
    'no limit and no offset',
    'paginationFields',
    [{ value: page(['a'], {}, { limit: undefined, offset: undefined }) }],
    other('without limit, offset'),
  ],
  ['known fields only', 'extraFields', [{ value: page(['a']) }], 'none'],
  ['one more field', 'extraFields', [{ value: page(['a']) }, { value: page(['a'], { etag: 1 }) }], 'some'],
  ['one more field of the pagination', 'extraFields', [{ value: page(['a'], {}, { next: 1 }) }], 'some'],
  ['no object', 'extraFields', [{ value: [] }], undefined],
  ['keys in order', 'keyOrder', [{ value: { limit: 1, offset: 0, total: 1 } }, good], undefined],
  ['keys of a page in order', 'keyOrder', [{ value: page([]) }], 'documented'],
  ['keys in reverse', 'keyOrder', [{ value: { pagination: { total: 1, offset: 1, limit: 1 } } }], 'reversed'],
  [
    'keys in reverse, among unknown ones',
    'keyOrder',
    [{ value: { pagination: { total: 1, x: 1, offset: 1, y: 1, limit: 1, z: 1 } } }],
    'reversed',
  ],
  [
    'keys in another order',
    'keyOrder',
    [{ value: { pagination: { offset: 1, limit: 1, total: 1 } } }],
    other('offset, limit, total'),
  ],
  ['two keys', 'keyOrder', [{ value: { pagination: { offset: 1, limit: 1 } } }], undefined],
  ['a file without what only some have', 'optionalFields', [file('f', { value: described })], undefined],
  [
    'a file and agents without what only some have',
    'optionalFields',
    [
      file('f', { value: described }),
      {
        ...{ id: 'listAgents', path: '/agents' },
        value: ['a', 'b'].map((id) => ({
          ...{ id, name: id, isPublished: true, hasChanges: true, createdAt: 'now', updatedAt: 'now' },
        })),
      },
    ],
    'absent',
  ],
  [
    'a file with what only some have',
    'optionalFields',
    [
      file('f', {
        value: { ...described, description: 'd', summary: 's', metadata: {} },
      }),
    ],
    'present',
  ],
  [
    'files that all lack their size',
    'optionalFields',
    ['f', 'g'].map((id) => file(id, { value: { ...described, size: undefined, summary: 's' } })),
    'without size',
  ],
  ['a list of one agent', 'optionalFields', [{ ...good, value: [{ id: 'a', name: 'a' }] }], undefined],
];

/** A page with a number of drives, whose names and times both grow with the index, or as `times` says. */
const listed = (names: readonly string[], seconds: readonly number[], id: OperationId = 'listDrives'): Told => {
  const items = names.map((name, index) => ({
    ...{ id: `id-${name}`, name, createdAt: new Date(1_767_225_600_000 + (seconds[index] ?? 0) * 1_000).toISOString() },
  }));
  return id === 'listDrives' ? { value: { data: items } } : { id, path: `/${id}`, value: items };
};
const [three, five, eight] = [3, 5, 8].map((count) => [...'abcdefgh'].slice(0, count)) as [
  string[],
  string[],
  string[],
];
const rising = [1, 2, 3, 4, 5, 6, 7, 8];
const mixed = [2, 1, 4, 3, 6, 5, 8, 7];
const paged = (query: string, limit: unknown, offset: unknown = 0, count = 1, total?: number): Told => ({
  ...{ query, value: page(three.slice(0, count), {}, { limit, offset, ...(total === undefined ? {} : { total }) }) },
});
const refusedFor = (query: string, status = 422): Told => ({ query, status });

const ofLists: Row[] = [
  ['no limit', 'defaultLimit', [paged('', 20)], 20],
  ['a limit', 'defaultLimit', [paged('limit=20', 20)], undefined],
  ['a limit that is no integer', 'defaultLimit', [paged('', '20'), paged('', 1.5)], undefined],
  ['more than may be asked for', 'defaultLimit', [paged('', 101)], 'all'],
  ['a full page, of which more may be left', 'defaultLimit', [paged('', 1, 0, 1, 1)], undefined],
  ['two full pages of other lengths', 'defaultLimit', [paged('', 1, 0, 1, 1), paged('', 2, 0, 2, 2)], 'all'],
  ['a full page, and more on the next', 'defaultLimit', [paged('', 1, 0, 1, 2)], 1],
  ['a full page, and more before', 'defaultLimit', [paged('limit=9', 9, 0, 3), paged('', 1, 0, 1, 1)], 1],
  ['an empty page', 'defaultLimit', [paged('', 20, 0, 0)], undefined],
  ['a full page that agrees with another', 'defaultLimit', [paged('', 1, 0, 1, 1), paged('', 1, 0, 1, 2)], 1],
  [
    'a full page that contradicts another',
    'defaultLimit',
    [paged('', 2, 0, 2, 2), paged('', 1, 0, 1, 2)],
    ['perhaps 2', 1],
  ],
  ['two limits', 'defaultLimit', [paged('', 20), paged('', 30)], [20, 30]],
  ['no offset', 'defaultOffset', [paged('limit=1', 1, 3)], 3],
  ['an offset', 'defaultOffset', [paged('offset=3', 1, 3)], undefined],
  ['a refused page', 'defaultOffset', [{ ...paged('limit=1', 1, 3), status: 400 }], undefined],
  ['another list', 'defaultOffset', [{ ...paged('', 1, 3), id: 'listAgents' }], undefined],

  ['a total of more than the page', 'totalMeaning', [paged('limit=2', 2, 0, 2, 3)], 'all'],
  ['a total up to the end of a later page', 'totalMeaning', [paged('limit=2&offset=2', 2, 2, 2, 4)], 'all'],
  ['a total of a later page', 'totalMeaning', [paged('limit=2&offset=2', 2, 2, 2, 2)], 'page'],
  [
    'a total of less than the page',
    'totalMeaning',
    [paged('limit=2', 2, 0, 2, 1)],
    other('1 with 2 of at least 2 drives on the page'),
  ],
  ['an empty page with a total', 'totalMeaning', [paged('', 2, 0, 0, 3)], undefined],
  ['a page without a total', 'totalMeaning', [{ value: { data: [{ id: '1' }], pagination: {} } }], undefined],
  [
    'a total of a page that a limit cut, where the answer shows no limit',
    'totalMeaning',
    [paged('limit=9', 9, 0, 3), paged('limit=2', undefined, 0, 2, 2)],
    'page',
  ],
  [
    'a total of a page that no limit cut',
    'totalMeaning',
    [paged('limit=9', 9, 0, 3), paged('limit=9', undefined, 0, 2, 2)],
    undefined,
  ],

  ['a list that is in all orders', 'listOrder', [listed(three, rising)], undefined],
  ['three in the order of their times', 'listOrder', [listed(['b', 'a', 'c'], rising)], undefined],
  ['five in the order of their times', 'listOrder', [listed(['b', 'a', 'c', 'd', 'e'], rising)], 'oldestFirst'],
  ['five in the opposite order', 'listOrder', [listed(['b', 'a', 'c', 'd', 'e'], rising.toReversed())], 'newestFirst'],
  ['five by name', 'listOrder', [listed(five, mixed)], 'byName'],
  ['five by name, whatever their letters', 'listOrder', [listed(['a', 'B', 'c', 'D', 'e'], mixed)], 'byName'],
  ['five by name, capitals first', 'listOrder', [listed(['B', 'D', 'a', 'c', 'e'], mixed)], 'byName'],
  ['three of two kinds by name', 'listOrder', [listed(three, mixed), listed(three, [2, 1, 3], 'listAgents')], 'byName'],
  ['three of one kind by name, twice', 'listOrder', [listed(three, mixed), listed(three, mixed)], undefined],
  ['two', 'listOrder', [listed(['b', 'a'], [1, 2])], undefined],
  ['three of which two have a name in common', 'listOrder', [listed(['b', 'a', 'a'], rising)], undefined],
  ['three of which two came at once', 'listOrder', [listed(['b', 'a', 'c'], [1, 1.02, 3])], undefined],
  ['items without times', 'listOrder', [{ value: page(['c', 'a', 'b', 'e', 'd']) }], undefined],
  ['a list in no order', 'listOrder', [listed(['b', 'a', 'c'], mixed)], 'arbitrary'],
  ['lists in several orders', 'listOrder', [listed(three, mixed), listed(['y', 'x', 'z'], rising)], 'arbitrary'],
  [
    'a long list in one order, and another in none',
    'listOrder',
    [listed(['y', 'x', 'z'], mixed), listed(eight, mixed)],
    ['arbitrary', 'byName in 8 of Drive'],
  ],
  [
    'the same items in two orders',
    'listOrder',
    [listed(['b', 'a', 'c'], rising), listed(['c', 'a', 'b'], rising)],
    ['oldestFirst in 3 of Drive', { other: 'a different order on each read' }],
  ],
  ['a refused list', 'listOrder', [{ ...listed(['b', 'a', 'c'], mixed), status: 400 }], undefined],

  ...(
    [
      ['tree=%2Fdocs', { documentCount: 1 }, 200, 'tree'],
      ['tree=%2Fdocs', { documentCount: 0 }, 200, undefined],
      ['tree=%2Fdocs', {}, 200, undefined],
      ['tree=%2Fdocs', [1], 200, undefined],
      ['tree=%2Fdocs', { documentCount: 1 }, 404, undefined],
      ['tree=%2Fdocs&path=%2Fdocs', { documentCount: 1 }, 200, undefined],
      ['tree=docs', { documentCount: 1 }, 200, undefined],
      ['tree=%2Fa%2F..', { documentCount: 1 }, 200, undefined],
      ['tree=%ff', { documentCount: 1 }, 200, undefined],
      ['', { documentCount: 1 }, 200, undefined],
    ] as const
  ).map(([query, value, status, expected]): Row => {
    const told: Told = { id: 'deleteDriveTree', path: '/drives/d/items/tree', query, status, value };
    return [`a deletion with ${query}: ${status} ${JSON.stringify(value)}`, 'treePathParameter', [told], expected];
  }),
  ['a list with a path', 'treePathParameter', [{ query: 'tree=%2Fa', value: { documentCount: 1 } }], undefined],
];

const wordOf = (limit: unknown): Told => paged('limit=many', limit);

const ofPages: Row[] = [
  ['a limit that is too large', 'outOfRangePaging', [good, refusedFor('limit=101')], 'refused'],
  ['an offset that is too small', 'outOfRangePaging', [good, refusedFor('limit=1&offset=-1')], 'refused'],
  ['a legal limit that is refused', 'outOfRangePaging', [good, refusedFor('limit=100&offset=0')], undefined],
  ['the least legal limit', 'outOfRangePaging', [good, refusedFor('limit=1')], undefined],
  ['a limit with more', 'outOfRangePaging', [good, refusedFor('limit=101&x=1')], undefined],
  ['a limit twice', 'outOfRangePaging', [good, refusedFor('limit=101&limit=102')], undefined],
  ['a fraction', 'outOfRangePaging', [good, refusedFor('limit=1000.5')], undefined],
  ['a limit of another list', 'outOfRangePaging', [good, { ...refusedFor('limit=101'), id: 'listAgents' }], undefined],
  ['a refusal where the key may be bad', 'outOfRangePaging', [refusedFor('limit=101')], undefined],
  ['a refusal for another reason', 'outOfRangePaging', [good, refusedFor('limit=101', 429)], undefined],
  ['a refusal of a whole operation', 'outOfRangePaging', [good, refusedFor('limit=101', 403)], undefined],
  ['a refusal of one request', 'outOfRangePaging', [good, paged('', 20), refusedFor('limit=101', 403)], 'refused'],
  [
    'refused, and applied',
    'outOfRangePaging',
    [good, refusedFor('limit=0'), paged('limit=101', 20)],
    ['refused', 'ignored'],
  ],
  ['no limit in the answer', 'outOfRangePaging', [paged('limit=101', undefined)], undefined],
  [
    'a legal limit that is not applied',
    'outOfRangePaging',
    [paged('limit=5&offset=-1', 6)],
    other('a number out of range is used'),
  ],
  [
    'a number out of bounds in the answer',
    'outOfRangePaging',
    [paged('limit=0', 0)],
    other('a number out of range is used'),
  ],
  ['a word that is refused', 'malformedPaging', [good, refusedFor('limit=many')], 'refused'],
  ['a word that is refused where the key may be bad', 'malformedPaging', [refusedFor('limit=many')], undefined],
  ['a word that is ignored', 'malformedPaging', [wordOf(20)], 'ignored'],
  ['a word that is ignored, up to the bounds', 'malformedPaging', [wordOf(1), wordOf(100)], 'ignored'],
  ['a word that is read as nothing', 'malformedPaging', [wordOf(0)], other('a word is read as a number out of range')],
  ['a word that is read as much', 'malformedPaging', [wordOf(101)], other('a word is read as a number out of range')],
  ['a word, and no limit in the answer', 'malformedPaging', [wordOf(undefined)], undefined],
  ['a word with more', 'malformedPaging', [paged('limit=many&offset=0', 20)], undefined],
  ['a word as another parameter', 'malformedPaging', [paged('x=many', 20)], undefined],
  ['a word that begins with a number', 'malformedPaging', [paged('limit=1x', 20), paged('limit=x1', 20)], undefined],
  ['no query', 'malformedPaging', [paged('', 20)], undefined],
  ['a word as an offset', 'malformedPaging', [paged('offset=many', 20, 0)], 'ignored'],
  ['the first of two limits', 'repeatedPaging', [paged('limit=1&limit=2', 1)], 'first'],
  ['the last of two limits', 'repeatedPaging', [paged('limit=100&limit=1', 1)], 'last'],
  ['none of two limits', 'repeatedPaging', [paged('limit=1&limit=2', 3)], other('neither of the two limits is used')],
  ['two limits that are refused', 'repeatedPaging', [good, refusedFor('limit=1&limit=2')], 'refused'],
  ['two limits that are not shown', 'repeatedPaging', [paged('limit=1&limit=2', undefined)], undefined],
  [
    'two limits that are refused where the key may be bad',
    'repeatedPaging',
    [refusedFor('limit=1&limit=2')],
    undefined,
  ],
  ...[
    'limit=1',
    'limit=1&limit=1',
    'limit=1&limit=2&limit=3',
    'limit=1&limit=2&offset=0',
    'limit=0&limit=1',
    'limit=1&limit=101',
    'limit=1&limit=1.5',
  ].map((query): Row => [`the query ${query}`, 'repeatedPaging', [paged(query, 1)], undefined]),
  ['two limits of another list', 'repeatedPaging', [{ ...paged('limit=1&limit=2', 1), id: 'listAgents' }], undefined],
  ['a refused number', 'invalidInputStatus', [good, refusedFor('limit=101', 400)], 400],
  ['a refused word', 'invalidInputStatus', [good, refusedFor('limit=many', 400)], 400],
  [
    'a refused word, and a number',
    'invalidInputStatus',
    [good, refusedFor('limit=many', 400), refusedFor('limit=0')],
    422,
  ],
  ['two statuses', 'invalidInputStatus', [good, refusedFor('limit=0', 400), refusedFor('limit=101')], [400, 422]],
  [
    'two statuses of words',
    'invalidInputStatus',
    [good, refusedFor('limit=x', 400), refusedFor('limit=y')],
    ['400', '422'],
  ],
  [
    'two refused words',
    'invalidInputStatus',
    [good, refusedFor('limit=x&offset=y', 400), refusedFor('x=y')],
    undefined,
  ],
];

const url = 'https://mcp.example.com/a';
const undeclared = (told: Told): Told => ({ ...told, request: { headers: { 'x-api-key': 'k' } } });
const broken = (told: Told): Told => ({ ...told, request: { body: text } });
const withQuery = (told: Told): Told => ({ ...told, query: 'x=1' });
const withoutKey = (told: Told): Told => ({ ...told, request: { headers: { 'content-type': 'application/json' } } });
const shownFile = (fileId: string, path: string) => file(fileId, { value: { id: fileId, path } });
const known = [shownFile('f', '/docs/a'), shownFile('g', '/docs/b')];
// So many ids of a list are remembered, and no more.
const manyAgents: Told = {
  ...{ id: 'listAgents', path: '/agents' },
  value: Array.from({ length: 1_001 }, (_, index) => ({ id: `agent${index}` })),
};
const publishOf = (index: number) => publish({}, 200, { path: `/agents/agent${index}/publish` });
const agents: Told = { id: 'listAgents', path: '/agents', value: [{ id: 'a' }] };

const ofRequests: Row[] = [
  ['a creation from a list', 'invalidBodyStatus', [good, drive([], 400)], 400],
  ['a creation from null', 'invalidBodyStatus', [good, drive(null, 400)], 400],
  ['a creation without its fields', 'invalidBodyStatus', [good, drive({}, 422)], 422],
  ['a creation from a list, with a query', 'invalidBodyStatus', [good, withQuery(drive([], 400))], undefined],
  ['a creation from a list of no type', 'invalidBodyStatus', [good, undeclared(drive([], 400))], undefined],
  ['a creation from no JSON', 'invalidBodyStatus', [good, broken(drive(undefined, 400))], undefined],
  ['a whole creation', 'invalidBodyStatus', [good, drive({ name: 'Ab' }, 400)], undefined],
  ['a creation without a key', 'invalidBodyStatus', [good, withoutKey(drive([], 400))], undefined],
  ['a creation that is accepted', 'invalidBodyStatus', [good, drive([], 201)], undefined],
  ['a move from a list', 'invalidBodyStatus', [good, move('f', [], 400)], undefined],

  ['a move against the rule', 'invalidPathStatus', [...known, move('f', { path: 'docs' }, 400)], 400],
  ['a move up', 'invalidPathStatus', [...known, move('f', { path: '/docs/../c' }, 422)], 422],
  ['a move of an unknown file', 'invalidPathStatus', [good, move('f', { path: 'docs' }, 400)], undefined],
  ['a legal move', 'invalidPathStatus', [...known, move('f', { path: '/docs/c' }, 400)], undefined],
  ['a move of no type', 'invalidPathStatus', [...known, undeclared(move('f', { path: 'x' }, 400))], undefined],
  ['a move to a number', 'invalidPathStatus', [...known, move('f', { path: 5 }, 400)], undefined],
  ...[404, 409, 410, 423].map(
    (status): Row => [
      `a move that ends with ${status}`,
      'invalidPathStatus',
      [...known, move('f', { path: 'x' }, status)],
      undefined,
    ],
  ),
  ['a publication with a path', 'invalidPathStatus', [...known, publish({ path: 'x' }, 400)], undefined],

  ['another parameter', 'unknownParameterStatus', [good, refusedFor('x=1', 400)], 400],
  ['another parameter among known ones', 'unknownParameterStatus', [good, refusedFor('x=1&limit=1', 400)], undefined],
  ['another parameter that is not encoded', 'unknownParameterStatus', [good, refusedFor('x=%ff', 400)], undefined],
  ['a known parameter', 'unknownParameterStatus', [good, refusedFor('limit=1', 400)], undefined],
  ['another parameter of a creation', 'unknownParameterStatus', [good, withQuery(drive({}, 400))], undefined],
  [
    'another parameter of a list of something',
    'unknownParameterStatus',
    [good, { id: 'listMcpServerTools', path: '/mcp-servers/s/tools', query: 'x=1', status: 400 }],
    undefined,
  ],
  ['another parameter that is refused', 'unknownQueryParameters', [good, refusedFor('x=1')], 'refused'],
  ['another parameter that is ignored', 'unknownQueryParameters', [{ query: 'x=1' }], 'ignored'],

  ['an unknown file of a listed drive', 'notFoundStatus', [drives('d'), file('f', { status: 404 })], 404],
  ['an unknown file of an unknown drive', 'notFoundStatus', [good, file('f', { status: 410 })], 410],
  [
    'unknown files of drives that are listed or not',
    'notFoundStatus',
    [drives('d'), file('f', { status: 404 }), file('f', { path: '/drives/e/files/f', status: 410 })],
    404,
  ],
  [
    'a forbidden file of an unknown drive',
    'notFoundStatus',
    [...known, file('h', { status: 403, path: '/drives/e/files/h' })],
    undefined,
  ],
  ['a forbidden file of a listed drive', 'notFoundStatus', [drives('d'), ...known, file('h', { status: 403 })], 403],
  [
    'an unknown file with an id of another format',
    'notFoundStatus',
    [drives('1'), file('f_1', { status: 404 })],
    undefined,
  ],
  ['an unknown file with an id of a known format', 'notFoundStatus', [drives('1'), file('2', { status: 404 })], 404],
  ['an unknown file where ids have any format', 'notFoundStatus', [drives('?'), file('2', { status: 404 })], 404],
  ['an unknown file with an odd id', 'notFoundStatus', [good, file('a.b', { status: 404 })], undefined],
  [
    'a file of a drive with an odd id',
    'notFoundStatus',
    [good, file('f', { path: '/drives/a.b/files/f', status: 404 })],
    undefined,
  ],
  ['a move of an unknown file', 'notFoundStatus', [good, move('f', {}, 400)], undefined],
  ['an unknown list', 'notFoundStatus', [good, { status: 404 }], undefined],
  [
    'two unknown files of unknown drives',
    'notFoundStatus',
    [good, file('f', { status: 404 }), file('f', { status: 410 })],
    ['404', '410'],
  ],

  ['a body that is no JSON', 'malformedJsonStatus', [good, broken(drive(undefined, 400))], 400],
  ['a body that is no JSON, and accepted', 'malformedJsonStatus', [broken(drive(undefined))], other('accepted')],
  [
    'a body that is no JSON, of no type',
    'malformedJsonStatus',
    [good, { ...drive(undefined, 400), request: { body: text, headers: { 'x-api-key': 'k' } } }],
    undefined,
  ],
  ['a body that is JSON', 'malformedJsonStatus', [good, drive({}, 400)], undefined],
  ['a move with a body that is no JSON', 'malformedJsonStatus', [good, broken(move('f', undefined, 400))], undefined],

  ['a body of no type that is refused', 'mediaTypeRules', [good, undeclared(drive({ name: 'Ab' }, 415))], 'strict'],
  ['a body of no type that is read', 'mediaTypeRules', [undeclared(drive({ name: 'Ab' }))], 'lenient'],
  [
    'a body of no type and an answer of none',
    'mediaTypeRules',
    [undeclared(drive({ name: 'Ab' }, 201, { value: {} }))],
    'lenient',
  ],
  [
    'a body of no type that is accepted and not read',
    'mediaTypeRules',
    [undeclared(drive({ name: 'Ab' }, 201, { value: { name: 'Drive 1' } }))],
    other('accepted, but the body is ignored'),
  ],
  ['a declared body', 'mediaTypeRules', [good, drive({ name: 'Ab' }, 415)], undefined],
  ['a body of no type that is incomplete', 'mediaTypeRules', [good, undeclared(drive({}, 415))], undefined],
  ['a body of no type with more', 'mediaTypeRules', [good, undeclared(drive({ name: 'Ab', x: 1 }, 415))], undefined],
  [
    'a body of no type that is refused, with its status',
    'unsupportedMediaTypeStatus',
    [good, undeclared(drive({ name: 'Ab' }, 415))],
    415,
  ],
  [
    'a move of no type within the directory',
    'unsupportedMediaTypeStatus',
    [...known, undeclared(move('f', { path: '/docs/c' }, 415))],
    415,
  ],
  [
    'a move of no type elsewhere',
    'unsupportedMediaTypeStatus',
    [...known, undeclared(move('f', { path: '/c' }, 415))],
    undefined,
  ],
  [
    'a move of no type onto another file',
    'unsupportedMediaTypeStatus',
    [...known, undeclared(move('f', { path: '/docs/b' }, 415))],
    undefined,
  ],
  [
    'a move of no type to an odd name',
    'unsupportedMediaTypeStatus',
    [...known, undeclared(move('f', { path: '/docs/c ' }, 415))],
    undefined,
  ],
  [
    'a move of no type to a name with a blank',
    'unsupportedMediaTypeStatus',
    [...known, undeclared(move('f', { path: '/docs/c d' }, 415))],
    undefined,
  ],
  [
    'a move of no type of an unknown file',
    'unsupportedMediaTypeStatus',
    [good, undeclared(move('f', { path: '/docs/c' }, 415))],
    undefined,
  ],

  ['a drive without a name that is refused', 'requiredBodyFields', [good, drive({}, 422)], 'all'],
  ['a drive without a name', 'requiredBodyFields', [drive({})], 'none'],
  ['a server without a name', 'requiredBodyFields', [server({ url })], undefined],
  ['a move to nowhere that is refused', 'requiredMoveFields', [...known, move('f', {}, 422)], 'all'],
  ['a move to nowhere', 'requiredMoveFields', [...known, move('f', {})], 'none'],
  ['a move to nowhere of an unknown file', 'requiredMoveFields', [good, move('f', {}, 422)], undefined],
  ['a drive without a name', 'requiredMoveFields', [drive({})], undefined],

  ['servers of nothing', 'requiredServerFields', [server({})], 'none'],
  ['a server of a URL, and none of nothing', 'requiredServerFields', [good, server({}, 422), server({ url })], 'url'],
  ['no server of a URL', 'requiredServerFields', [good, server({ url }, 422)], 'all'],
  ['no server of nothing', 'requiredServerFields', [good, server({}, 422)], undefined],
  ['a server of a URL', 'requiredServerFields', [server({ url })], undefined],
  ['a server of a name', 'requiredServerFields', [server({ name: 'Ab' })], undefined],
  [
    'a server of a name, and none of nothing',
    'requiredServerFields',
    [good, server({ name: 'Ab' }), server({}, 422)],
    ['name accepted', 'nothing refused'],
  ],
  [
    'a server of a name, and none of a URL',
    'requiredServerFields',
    [good, server({ name: 'Ab' }), server({ url }, 422)],
    ['name accepted', 'url refused'],
  ],
  [
    'a server of nothing, and none of a URL',
    'requiredServerFields',
    [good, server({ url }, 422), server({})],
    ['url refused', 'nothing accepted'],
  ],
  [
    'a server of nothing, and none of a name',
    'requiredServerFields',
    [good, server({}), server({ name: 'Ab' }, 422)],
    ['nothing accepted', 'name refused'],
  ],
  [
    'a server of nothing now and then',
    'requiredServerFields',
    [good, server({}, 422), server({})],
    ['nothing refused', 'nothing accepted'],
  ],
  [
    'a server of a name now and then',
    'requiredServerFields',
    [good, server({ name: 'Ab' }), server({ name: 'Cd' }, 422)],
    ['name accepted', 'name refused'],
  ],
  [
    'a server of a URL now and then',
    'requiredServerFields',
    [good, server({ url: `${url}b` }, 422), server({ url })],
    ['url refused', 'url accepted'],
  ],
  ['a whole server', 'requiredServerFields', [server({ name: 'Ab', url })], undefined],
  ['a drive of nothing', 'requiredServerFields', [drive({})], undefined],

  ['nothing to publish', 'requiredPublishFields', [agents, publish({})], 'none'],
  ['nothing to publish of the thousandth agent', 'requiredPublishFields', [manyAgents, publishOf(999)], 'none'],
  ['nothing to publish of one more', 'requiredPublishFields', [manyAgents, publishOf(1_000)], undefined],
  ['nothing to publish that is refused', 'requiredPublishFields', [agents, publish({}, 422)], 'all'],
  ['something to publish', 'requiredPublishFields', [agents, publish({ revisionId: 'r' })], undefined],
  ['a publication without a body', 'requiredPublishFields', [agents, publish(undefined)], undefined],
  ['nothing to publish of an unknown agent', 'requiredPublishFields', [good, publish({}, 422)], undefined],
  ['nothing to publish, of no type', 'requiredPublishFields', [agents, undeclared(publish({}))], undefined],
  ['nothing to publish, with a query', 'requiredPublishFields', [agents, withQuery(publish({}))], undefined],
  ['a drive of nothing', 'requiredPublishFields', [drives('a'), drive({}, 201, { path: '/drives/a' })], undefined],
  ...[404, 409, 410, 423].map(
    (status): Row => [
      `nothing to publish, and ${status}`,
      'requiredPublishFields',
      [agents, publish({}, status)],
      undefined,
    ],
  ),

  ['a field more', 'unknownBodyFields', [drive({ name: 'Ab', x: 1 })], 'ignored'],
  ['a field more that is refused', 'unknownBodyFields', [good, drive({ name: 'Ab', x: 1 }, 422)], 'refused'],
  ['a field more, and one less', 'unknownBodyFields', [drive({ x: 1 })], undefined],
  [
    'a field more, and an odd name',
    'unknownBodyFields',
    [drive({ name: ' Ab', x: 1 }), drive({ name: 'A', x: 1 }), drive({ name: 'a!b', x: 1 })],
    undefined,
  ],
  ['a field more, and a long name', 'unknownBodyFields', [drive({ name: 'a'.repeat(65), x: 1 })], undefined],
  ['a field more, and the longest plain name', 'unknownBodyFields', [drive({ name: 'a'.repeat(64), x: 1 })], 'ignored'],
  ['a field more, and a name that is a number', 'unknownBodyFields', [drive({ name: 1, x: 1 })], undefined],
  [
    'a field more, and a name that is taken',
    'unknownBodyFields',
    [drive({ name: 'Ab' }), drive({ name: 'Ab', x: 1 })],
    undefined,
  ],
  ['a field more, and a query', 'unknownBodyFields', [withQuery(drive({ name: 'Ab', x: 1 }))], undefined],
  ['a field more, and a URL', 'unknownBodyFields', [server({ name: 'Ab', url, x: 1 })], 'ignored'],
  [
    'a field more, and a URL that is taken',
    'unknownBodyFields',
    [server({ name: 'Ab', url }), server({ name: 'Cd', url, x: 1 })],
    undefined,
  ],
  ...['ftp://mcp.example.com', 'https://', 'xhttps://a', 'https://[a', 'https://A.example'].map(
    (odd): Row => [
      `a field more, and the URL ${odd}`,
      'unknownBodyFields',
      [server({ name: 'Ab', url: odd, x: 1 })],
      undefined,
    ],
  ),
  ['a field more of a publication', 'unknownBodyFields', [agents, publish({ revisionId: 'r', x: 1 })], undefined],

  ['a number as a name', 'wrongBodyTypes', [drive({ name: 1 }, 201, { value: { name: '1' } })], 'coerced'],
  ['a number as a name that is refused', 'wrongBodyTypes', [good, drive({ name: 1 }, 422)], 'refused'],
  [
    'a number as a name that stays one',
    'wrongBodyTypes',
    [drive({ name: 1 })],
    other('a name that is not a string is shown as 1'),
  ],
  [
    'a number as a name that is not shown',
    'wrongBodyTypes',
    [drive({ name: 1 }, 201, { value: {} })],
    other('a name that is not a string is shown as absent'),
  ],
  [
    'a number as a name that is refused where the key may be bad',
    'wrongBodyTypes',
    [drive({ name: 1 }, 422)],
    undefined,
  ],
  ['a number as a name, and more', 'wrongBodyTypes', [drive({ name: 1, x: 1 })], undefined],
  ['a number as a name, with a query', 'wrongBodyTypes', [withQuery(drive({ name: 1 }))], undefined],
  ['a number as a name, of no type', 'wrongBodyTypes', [undeclared(drive({ name: 1 }))], undefined],
  ['a number as the name of a server', 'wrongBodyTypes', [server({ name: 1 })], undefined],
  ['a number as a name that is taken', 'wrongBodyTypes', [drive({ name: '1' }), drive({ name: 1 })], undefined],
  ['a text as a name', 'wrongBodyTypes', [drive({ name: '1' })], undefined],

  ['a name again', 'duplicateNames', [drive({ name: 'Ab' }), drive({ name: 'Ab' })], 'allowed'],
  ['a name again that is refused', 'duplicateNames', [drive({ name: 'Ab' }), drive({ name: 'Ab' }, 409)], 'refused'],
  [
    'a name that was refused',
    'duplicateNames',
    [good, drive({ name: 'Ab' }, 409), drive({ name: 'Ab' }, 409)],
    undefined,
  ],
  ['a name of something else', 'duplicateNames', [server({ name: 'Ab', url }), drive({ name: 'Ab' })], undefined],
  ['a name again, of no type', 'duplicateNames', [drive({ name: 'Ab' }), undeclared(drive({ name: 'Ab' }))], undefined],
  ['a name again, with more', 'duplicateNames', [drive({ name: 'Ab' }), drive({ name: 'Ab', x: 1 })], undefined],
  [
    'a name again, with a query',
    'duplicateNames',
    [drive({ name: 'Ab' }), withQuery(drive({ name: 'Ab' }))],
    undefined,
  ],
  [
    'a name again with another key',
    'duplicateNames',
    [drive({ name: 'Ab' }), { ...drive({ name: 'Ab' }), request: { headers: { ...declared, 'x-api-key': 'l' } } }],
    undefined,
  ],
  ['an odd name again', 'duplicateNames', [drive({ name: 'A' }), drive({ name: 'A' })], undefined],
  ['a server again', 'duplicateNames', [server({ name: 'Ab', url }), server({ name: 'Ab', url })], undefined],
  [
    'a server of the same name',
    'duplicateNames',
    [server({ name: 'Ab', url }), server({ name: 'Ab', url: `${url}b` })],
    'allowed',
  ],
  ['a server of the same URL', 'duplicateUrls', [server({ name: 'Ab', url }), server({ name: 'Cd', url })], 'allowed'],
  [
    'a server of the same URL that is refused',
    'duplicateUrls',
    [server({ name: 'Ab', url }), server({ name: 'Cd', url }, 409)],
    'refused',
  ],
  [
    'a server of the same name and URL',
    'duplicateUrls',
    [server({ name: 'Ab', url }), server({ name: 'Ab', url })],
    undefined,
  ],
  ['a drive again', 'duplicateUrls', [drive({ name: 'Ab' }), drive({ name: 'Cd' })], undefined],

  ['a revision again', 'republish', [publish({ revisionId: 'r' }), publish({ revisionId: 'r' })], 'accepted'],
  [
    'a revision again that is refused',
    'republish',
    [publish({ revisionId: 'r' }), publish({ revisionId: 'r' }, 409)],
    'refused',
  ],
  [
    'a revision again after another one',
    'republish',
    [publish({ revisionId: 'r' }), publish({ revisionId: 's' }), publish({ revisionId: 'r' })],
    undefined,
  ],
  [
    'a revision again, with more',
    'republish',
    [publish({ revisionId: 'r' }), publish({ revisionId: 'r', x: 1 })],
    undefined,
  ],
  [
    'a revision again, of no type',
    'republish',
    [publish({ revisionId: 'r' }), undeclared(publish({ revisionId: 'r' }))],
    undefined,
  ],
  [
    'a revision of another agent',
    'republish',
    [publish({ revisionId: 'r' }), publish({ revisionId: 'r' }, 200, { path: '/agents/b/publish' })],
    undefined,
  ],
  ['no revision again', 'republish', [publish({ x: 1 }), publish({ x: 1 })], undefined],

  ['a name again, and its status', 'conflictStatus', [drive({ name: 'Ab' }), drive({ name: 'Ab' }, 409)], 409],
  [
    'a URL again, and its status',
    'conflictStatus',
    [server({ name: 'Ab', url }), server({ name: 'Cd', url }, 422)],
    422,
  ],
  [
    'a revision again, and its status',
    'conflictStatus',
    [publish({ revisionId: 'r' }), publish({ revisionId: 'r' }, 409)],
    409,
  ],
  ['a move onto a file', 'conflictStatus', [...known, move('f', { path: '/docs/b' }, 409)], 409],
  ['a move onto a file that succeeds', 'conflictStatus', [...known, move('f', { path: '/docs/b' })], undefined],
  ['a move onto a file, and a bad key', 'conflictStatus', [...known, move('f', { path: '/docs/b' }, 401)], undefined],
  ['a move onto a file, with more', 'conflictStatus', [...known, move('f', { path: '/docs/b', x: 1 }, 409)], undefined],
  [
    'a move onto a file, of no type',
    'conflictStatus',
    [...known, undeclared(move('f', { path: '/docs/b' }, 409))],
    undefined,
  ],
  ['a move of a file onto itself', 'conflictStatus', [...known, move('f', { path: '/docs/a' }, 409)], undefined],
  [
    'a move of an unknown file onto another',
    'conflictStatus',
    [...known, move('h', { path: '/docs/b' }, 409)],
    undefined,
  ],
  [
    'a move onto a file that is elsewhere by now',
    'conflictStatus',
    [...known, shownFile('g', '/docs/c'), move('f', { path: '/docs/b' }, 409)],
    undefined,
  ],
  [
    'a move onto a file that may be deleted',
    'conflictStatus',
    [...known, { id: 'deleteDriveTree', path: '/drives/d/items/tree', value: {} }, move('f', { path: '/docs/b' }, 409)],
    undefined,
  ],
  [
    'a move onto a file, after a deletion in another drive',
    'conflictStatus',
    [
      ...known,
      { id: 'deleteDriveTree', path: '/drives/d2/items/tree', value: {} },
      move('f', { path: '/docs/b' }, 409),
    ],
    409,
  ],
  ['a new drive that is refused', 'conflictStatus', [good, drive({ name: 'Ab' }, 409)], undefined],
];

it.each([...ofAnswers, ...ofIds, ...ofFields, ...ofLists, ...ofPages, ...ofRequests])(
  '%s: of %s',
  (_, openPoint, exchanges, expected) => {
    expect(shown(openPoint, ...exchanges)).toEqual(expected);
  },
);
