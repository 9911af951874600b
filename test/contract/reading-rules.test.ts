import { describe, expect, it } from 'vitest';
import { decodeQuery } from '../../lib/query.ts';
import { say } from '../../lib/sentence.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import type { OpenPointId } from '../../openapi/contract/profile.ts';
import type { AnswerView, Body, RequestView } from '../../openapi/reading/messages.ts';
import { Reading } from '../../openapi/reading/reading.ts';

// What a few exchanges show of each open point, and what they do not tell. Whole runs are in proof/mutation/readings.ts.

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

const withFields = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 1]));
const paginated = (...names: string[]): Told => ({ value: { pagination: withFields(...names) } });
const page = (names: readonly string[], more: object = {}, pagination: object = {}): object => ({
  data: names.map((name) => ({ id: `id-${name}`, name, ...more })),
  pagination: { limit: 20, offset: 0, total: names.length, ...pagination },
});
const toolList: Told = { id: 'listMcpServerTools', path: '/mcp-servers/s/tools' };
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
const published = (value: unknown) => publish({}, 200, { value });
const [publishR, publishS] = [publish({ revisionId: 'r' }), publish({ revisionId: 's' })];
const file = (fileId: string, more: Told = {}): Told => ({
  ...{ id: 'getDriveFile', path: `/drives/d/files/${fileId}` },
  ...more,
});
const withMetadata = (fileId: string, metadata: unknown) => file(fileId, { value: { metadata } });
const emptyOfTwo = ['f', 'g'].map((id) => withMetadata(id, {}));
const noFile = (status: number) => file('f', { status });
const ofDriveE = '/drives/e/files/f';
const move = (fileId: string, sent: unknown, status = 200, more: Told = {}): Told => ({
  ...{ id: 'updateDriveFile', path: `/drives/d/files/${fileId}`, sent, status },
  ...more,
});

type Row = [title: string, expected: unknown, ...exchanges: Told[]];

const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const newDrive = (id: unknown) => drive({ name: 'a' }, 201, { value: { id } });
const driveAb = drive({ name: 'Ab' });
const otherKey = { headers: { ...declared, 'x-api-key': 'l' } };
const newServer = (id: unknown) => server({ name: 'a' }, 201, { value: { id } });
const drives = (...ids: unknown[]): Told => ({ value: { data: ids.map((id) => ({ id })) } });

const more = { description: 'd', summary: 's', metadata: {} };
const described = {
  ...{ kind: 'file', id: '1', name: 'a', path: '/a', size: 1, contentType: 'text/plain', status: 'ready' },
  modifiedAt: 'now',
};

/** A list without a body, whose headers tell limits. */
const limited = (...names: string[]): Told => ({ headers: Object.fromEntries(names.map((name) => [name, '1'])) });
const challenged = (challenge: string, status = 401): Told => ({ status, headers: { 'www-authenticate': challenge } });
const refusedWith = (value: unknown, contentType?: string): Told => ({
  ...{ status: 400, value },
  ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }),
});

/** A page with a number of drives, whose names and times both grow with the index, or as `times` says. */
const listed = (names: readonly string[], seconds: readonly number[], id: OperationId = 'listDrives'): Told => {
  const items = names.map((name, index) => ({
    ...{ id: `id-${name}`, name, createdAt: new Date(1_767_225_600_000 + (seconds[index] ?? 0) * 1_000).toISOString() },
  }));
  return id === 'listDrives' ? { value: { data: items } } : { id, path: `/${id}`, value: items };
};
const [three, five, eight] = [[...'abc'], [...'abcde'], [...'abcdefgh']];
const rising = [1, 2, 3, 4, 5, 6, 7, 8];
const mixed = [2, 1, 4, 3, 6, 5, 8, 7];
const paged = (query: string, limit: unknown, offset: unknown = 0, count = 1, total?: number): Told => ({
  ...{ query, value: page(eight.slice(0, count), {}, { limit, offset, ...(total === undefined ? {} : { total }) }) },
});
const ofThree = paged('limit=9', 9, 0, 3);
const whole = paged('limit=20', 20, 0, 5, 5);
const refusedFor = (query: string, status = 422): Told => ({ query, status });

const wordOf = (limit: unknown): Told => paged('limit=many', limit);

const url = 'https://mcp.example.com/a';
const [ofName, ofUrl, ofNothing] = [server({ name: 'Ab' }), server({ url }), server({})];
const [noneOfName, noneOfUrl, noneOfNothing] = [server({ name: 'Ab' }, 422), server({ url }, 422), server({}, 422)];
const undeclared = (told: Told, body?: Body): Told => ({
  ...told,
  request: { headers: { 'x-api-key': 'k' }, ...(body && { body }) },
});
const broken = (told: Told): Told => ({ ...told, request: { body: text } });
const withQuery = (told: Told): Told => ({ ...told, query: 'x=1' });
const withoutKey = (told: Told): Told => ({ ...told, request: { headers: { 'content-type': 'application/json' } } });
const shownFile = (fileId: string, path: string) => file(fileId, { value: { id: fileId, path } });
const known = [shownFile('f', '/docs/a'), shownFile('g', '/docs/b')];
const ontoB = move('f', { path: '/docs/b' }, 409);
const treeDeletion = (driveId: string): Told => ({
  ...{ id: 'deleteDriveTree', path: `/drives/${driveId}/items/tree`, value: {} },
});
// So many ids of a list are remembered, and no more.
const manyAgents: Told = {
  ...{ id: 'listAgents', path: '/agents' },
  value: Array.from({ length: 1_001 }, (_, index) => ({ id: `agent${index}` })),
};
const publishOf = (index: number) => publish({}, 200, { path: `/agents/agent${index}/publish` });
const agents: Told = { id: 'listAgents', path: '/agents', value: [{ id: 'a' }] };

const times: readonly [string, unknown, unknown][] = [
  ['2026-01-01T00:00:00Z', 'seconds', 'Z'],
  ['2026-01-01T00:00:00.000+00:00', 'milliseconds', '+00:00'],
  ['2026-01-01T00:00:00.000000Z', 'microseconds', 'Z'],
  ['2026-01-01T00:00:00.00+01:00', other('2026-01-01T00:00:00.00+01:00'), other('2026-01-01T00:00:00.00+01:00')],
  ['2026-01-01', other('2026-01-01'), other('2026-01-01')],
  ['Zulu, 2026-01-01T00:00:00', 'seconds', other('Zulu, 2026-01-01T00:00:00')],
];

const shows: Partial<Record<OpenPointId, readonly Row[]>> = {
  publishBody: [
    ['a publication without a body', 'none', publish({})],
    ['a publication that can have no body', undefined, publish({}, 204), publish({}, 205)],
    ['a publication whose body was not read', undefined, publish({}, 200, { body: unread })],
    ['a publication with a text', other('the body is not valid JSON'), publish({}, 200, { body: text })],
    ['a publication with an empty object', 'emptyObject', published({})],
    ['a publication with a revision', 'revision', published(withFields('revisionId', 'agentId', 'createdAt'))],
    ['a publication with an agent', 'agent', published({ id: 'a', isPublished: true })],
    ...[['revisionId', 'agentId'], ['agentId', 'createdAt'], ['revisionId', 'createdAt'], ['id'], ['isPublished']].map(
      (names): Row => [
        ...([`a publication with ${names} only`, other(`an object with ${names.join(', ')}`)] as const),
        published(withFields(...names)),
      ],
    ),
    ['a publication with a list', other('JSON that is not an object'), published([])],
    [
      'a publication with many fields',
      other('an object with a, b, c, d, e, f, g, h, i, j'),
      published(withFields(...'abcdefghijkl')),
    ],
    ['a refused publication', undefined, publish({}, 404)],
    ['a list without a body', undefined, {}],
  ],
  mcpDefaultType: [
    ['the type of a new server', 'sse', server({ name: 'a' }, 201, { value: { type: 'sse' } })],
    ['a type of its own', other('stdio'), server({}, 201, { value: { type: 'stdio' } })],
    ['a type that was asked for', undefined, server({ type: 'sse' }, 201, { value: { type: 'sse' } })],
    ['a type that is no text', undefined, server({}, 201, { value: { type: 1 } })],
    ['the type of a refused server', undefined, server({}, 422, { value: { type: 'sse' } })],
    ['the type of a drive', undefined, drive({}, 201, { value: { type: 'sse' } })],
  ],
  'timestamps.precision': [
    ...times.map(
      ([createdAt, precision]): Row => [`the time ${createdAt}`, precision, { value: page(['a'], { createdAt }) }],
    ),
    [
      'times that differ in one answer',
      other('2026-01-01T00:00:00Z, and 2026-01-01T00:00:00.5Z'),
      { value: page(['a'], { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00.5Z' }) },
    ],
  ],
  'timestamps.zone': [
    ...times.map(([createdAt, , zone]): Row => [`the time ${createdAt}`, zone, { value: page(['a'], { createdAt }) }]),
    ['a time in another field', undefined, { value: page(['a'], { name: '2026-01-01T00:00:00Z' }) }],
    ['a time in a refusal', undefined, { status: 400, value: { createdAt: '2026-01-01T00:00:00Z' } }],
  ],
  rateLimits: [
    ['no header with a limit', 'none', { value: page(['a']) }],
    [
      'all three headers with limits',
      'announced',
      limited('ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'),
    ],
    [
      'some headers with limits',
      other('x-rate-limit, ratelimit-limit, ratelimit-reset'),
      limited('x-rate-limit', 'ratelimit-limit', 'ratelimit-reset', 'server'),
    ],
    ['limits of a refusal', undefined, { ...limited('ratelimit-limit'), status: 429 }],
  ],
  wwwAuthenticate: [
    ['no challenge', 'absent', { status: 401 }],
    ['a challenge', 'sent', challenged('BEARER realm="x"')],
    ...['Basic realm="x"', 'Basic, Bearer', 'Bearers'].map(
      (challenge): Row => [`the challenge ${challenge}`, other(challenge), challenged(challenge)],
    ),
    ['a challenge with 403', undefined, challenged('Bearer', 403)],
  ],
  answerMediaType: [
    ['the usual media type', 'application/json', { value: {} }],
    [
      'a media type with the encoding, in other letters',
      'application/json; charset=utf-8',
      { value: {}, headers: { 'content-type': 'Application/JSON ;\tcharset = "UTF-8";' } },
    ],
    ['no media type', other('no Content-Type'), { value: {}, headers: {} }],
    ['another media type', other('text/json'), { value: {}, headers: { 'content-type': 'text/json' } }],
    ['the media type of a refusal', undefined, { status: 400, value: {} }],
    ['the media type of no JSON', undefined, {}, { body: text }],
  ],
  errorBody: [
    ['an error without a body', 'empty', { status: 400 }],
    ['an error whose body was not read', undefined, { status: 400, body: unread }],
    ['an error of the server', undefined, { status: 500 }],
    ['an error with a text', other('the body is not valid JSON'), { status: 499, body: text }],
    ['a problem', 'problem', refusedWith({}, 'application/Problem+JSON; charset=utf-8')],
    ['a list of errors', 'list', refusedWith({ errors: [{ code: 'a', message: 'b' }] })],
    ['an error within', 'nested', refusedWith({ error: { code: 'a', message: 'b' } })],
    ['a message', 'message', refusedWith({ message: 'b' })],
    ...[
      ...[{ errors: [] }, { errors: { 0: { code: 'a', message: 'b' } } }, { errors: [{ code: 'a' }] }],
      ...[{ error: { message: 'b' } }, { error: { code: 1, message: 'b' } }, { message: 1 }, { detail: 'b' }],
    ].map(
      (value): Row => [
        ...([`the error ${JSON.stringify(value)}`, other(`an object with ${Object.keys(value)}`)] as const),
        refusedWith(value),
      ],
    ),
    ['an empty error', other('an empty object'), { status: 400, value: {} }],
    [
      'a message and more',
      other('an object with message, errors'),
      refusedWith({ message: 'b', errors: [{ code: 'a', message: 'b' }] }),
    ],
    ['an error that is a list', other('JSON that is not an object'), refusedWith([])],
  ],
  idFormat: [
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
    ).map(([id, format]): Row => [`the id ${id}`, format, drives(id)]),
    ['ids of two formats in one answer', other('1, and drv_1'), drives('1', 'drv_1')],
    ['no ids', undefined, drives(), drives(1), { status: 400, value: { data: [{ id: '1' }] } }],
    ['the id in an answer that is no resource', undefined, publish({}, 200, { value: { id: '1' } })],
    ['old ids, and new ones of one kind', ['numeric', 'uuid'], drives('1'), newDrive(uuid)],
    ['old ids, and new ones of two kinds', 'uuid', drives('1'), newDrive(uuid), newServer(uuid)],
    ['new ids of two formats', ['uuid', 'numeric'], newDrive(uuid), newServer('1')],
    ['a prefix for each kind', 'prefixed', newDrive('drv_1'), newDrive('drv_2'), newServer('srv-1')],
    ['one prefix for two kinds', ['prefixed'], newDrive('x_1'), newServer('x_2')],
    ['two prefixes for one kind', ['prefixed'], newDrive('x_1'), newDrive('y_1'), newServer('z_1')],
  ],
  metadataShape: [
    ['metadata', 'asSeeded', withMetadata('f', { a: 1 })],
    ['empty metadata of one file', undefined, ...Array(2).fill(withMetadata('f', {}))],
    ['empty metadata of two files', 'empty', ...emptyOfTwo],
    ['empty metadata of two files, and metadata of a third', 'asSeeded', ...emptyOfTwo, withMetadata('h', { a: 1 })],
    ['metadata that is a list', undefined, withMetadata('f', [1])],
    ['metadata of a drive', undefined, drive({}, 201, { value: { metadata: { a: 1 } } })],
  ],
  paginationFields: [
    ['all of the pagination', 'all', { value: page(['a']) }],
    ['no total', 'withoutTotal', { value: page(['a'], {}, { total: undefined }) }],
    ['no pagination', undefined, { value: { data: [] } }],
    ['an empty pagination', 'none', { value: { data: [], pagination: {} } }],
    [
      'no limit and no offset',
      other('without limit, offset'),
      { value: { data: [{ id: '1' }], pagination: { total: 1 } } },
    ],
  ],
  extraFields: [
    ['known fields only', 'none', { value: page(['a']) }],
    ['one more field', 'some', { value: page(['a']) }, { value: page(['a'], { etag: 1 }) }],
    ['one more field of the pagination', 'some', { value: page(['a'], {}, { next: 1 }) }],
    ['no object', undefined, { value: [] }],
  ],
  keyOrder: [
    ['keys in order', undefined, { value: { limit: 1, offset: 0, total: 1 } }, good],
    ['keys of a page in order', 'documented', { value: page([]) }],
    ['keys in reverse', 'reversed', paginated('total', 'offset', 'limit')],
    ['keys in reverse, among unknown ones', 'reversed', paginated('total', 'x', 'offset', 'y', 'limit', 'z')],
    ['keys in no order', other('offset, limit, total'), paginated('offset', 'limit', 'total')],
    ['two keys', undefined, paginated('offset', 'limit')],
  ],
  optionalFields: [
    ['a file without what only some have', undefined, file('f', { value: described })],
    [
      'a file and agents without what only some have',
      'absent',
      file('f', { value: described }),
      {
        ...{ id: 'listAgents', path: '/agents' },
        value: ['a', 'b'].map((id) => ({
          ...{ id, name: id, isPublished: true, hasChanges: true, createdAt: 'now', updatedAt: 'now' },
        })),
      },
    ],
    ['a file with what only some have', 'present', file('f', { value: { ...described, ...more } })],
    [
      'files that all lack their size',
      'without size',
      ...['f', 'g'].map((id) => file(id, { value: { ...described, size: undefined, summary: 's' } })),
    ],
    ['a list of one agent', undefined, { ...good, value: [{ id: 'a', name: 'a' }] }],
  ],
  'pagingDefaults.limit': [
    ['no limit', 20, paged('', 20)],
    ['a limit', undefined, paged('limit=20', 20)],
    ['a limit that is no integer', undefined, paged('', '20'), paged('', 1.5)],
    ['more than may be asked for', 'all', paged('', 101)],
    ['a full page, of which more may be left', undefined, paged('', 1, 0, 1, 1)],
    ['two full pages of other lengths', 'all', paged('', 1, 0, 1, 1), paged('', 2, 0, 2, 2)],
    ['a full page, and more on the next', 1, paged('', 1, 0, 1, 2)],
    ['a full page, and more before', 1, ofThree, paged('', 1, 0, 1, 1)],
    ['an empty page', undefined, paged('', 20, 0, 0)],
    ['a full page that agrees with another', 1, paged('', 1, 0, 1, 1), paged('', 1, 0, 1, 2)],
    ['a full page that contradicts another', ['perhaps 2', 1], paged('', 2, 0, 2, 2), paged('', 1, 0, 1, 2)],
    ['two limits', [20, 30], paged('', 20), paged('', 30)],
  ],
  'pagingDefaults.offset': [
    ['no offset', 3, paged('limit=1', 1, 3)],
    ['an offset', undefined, paged('offset=3', 1, 3)],
    ['a refused page', undefined, { ...paged('limit=1', 1, 3), status: 400 }],
    ['another list', undefined, { ...paged('', 1, 3), id: 'listAgents' }],
  ],
  totalMeaning: [
    ['a total of more than the page', 'all', paged('limit=2', 2, 0, 2, 3)],
    ['a total up to the end of a later page', 'all', paged('limit=2&offset=2', 2, 2, 2, 4)],
    ['a total of a later page', 'page', paged('limit=2&offset=2', 2, 2, 2, 2)],
    ['a total of less than the page', other('1 with 2 of at least 2 drives on the page'), paged('limit=2', 2, 0, 2, 1)],
    ['a total of less than its only drive', other('0 with 1 of at least 1 drive on the page'), paged('', 9, 0, 1, 0)],
    ['an empty page with a total', undefined, paged('', 2, 0, 0, 3)],
    ['a page without a total', undefined, { value: { data: [{ id: '1' }], pagination: {} } }],
    ['a total of a page cut by a limit that is not shown', 'page', ofThree, paged('limit=2', undefined, 0, 2, 2)],
    ['a total of a page that no limit cut', undefined, ofThree, paged('limit=9', undefined, 0, 2, 2)],
    ['a total of more than the page, after a longer page', 'all', whole, paged('limit=2', 2, 0, 2, 3)],
    ['all drives on one page, after a longer page', undefined, whole, paged('limit=20', 20, 0, 2, 2)],
    ['a total of the page, where more drives are known', 'page', whole, paged('limit=1', 1, 0, 1, 1)],
    ['a total of a later page of one', 'page', paged('limit=1&offset=1', 1, 1, 1, 1)],
    [
      'a total of less than up to the end of the page',
      other('3 with 2 of at least 4 drives on the page'),
      paged('limit=2&offset=2', 2, 2, 2, 3),
    ],
  ],
  listOrder: [
    ['a list that is in all orders', undefined, listed(three, rising)],
    ['three in the order of their times', undefined, listed(['b', 'a', 'c'], rising)],
    ['five in the order of their times', 'oldestFirst', listed(['b', 'a', 'c', 'd', 'e'], rising)],
    ['five in the opposite order', 'newestFirst', listed(['b', 'a', 'c', 'd', 'e'], rising.toReversed())],
    ['five by name', 'byName', listed(five, mixed)],
    ['five by name, whatever their letters', 'byName', listed(['a', 'B', 'c', 'D', 'e'], mixed)],
    ['five by name, capitals first', 'byName', listed(['B', 'D', 'a', 'c', 'e'], mixed)],
    ['three of two kinds by name', 'byName', listed(three, mixed), listed(three, [2, 1, 3], 'listAgents')],
    ['three of one kind by name, twice', undefined, listed(three, mixed), listed(three, mixed)],
    ['two', undefined, listed(['b', 'a'], [1, 2])],
    ['three of which two have a name in common', undefined, listed(['b', 'a', 'a'], rising)],
    ['three of which two came at once', undefined, listed(['b', 'a', 'c'], [1, 1.02, 3])],
    ['items without times', undefined, { value: page(['c', 'a', 'b', 'e', 'd']) }],
    ['a list in no order', 'arbitrary', listed(['b', 'a', 'c'], mixed)],
    ['lists in several orders', 'arbitrary', listed(three, mixed), listed(['y', 'x', 'z'], rising)],
    [
      'a long list in one order, and another in none',
      ['arbitrary', 'byName in 8 of Drive'],
      listed(['y', 'x', 'z'], mixed),
      listed(eight, mixed),
    ],
    [
      'the same items in two orders',
      ['oldestFirst in 3 of Drive', ...other('a different order on each read')],
      listed(['b', 'a', 'c'], rising),
      listed(['c', 'a', 'b'], rising),
    ],
    ['a refused list', undefined, { ...listed(['b', 'a', 'c'], mixed), status: 400 }],
  ],
  treePathParameter: [
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
      return [`a deletion with ${query}: ${status} ${JSON.stringify(value)}`, expected, told];
    }),
    ['a list with a path', undefined, { query: 'tree=%2Fa', value: { documentCount: 1 } }],
  ],
  'oddPaging.outOfRange': [
    ['a limit that is too large', 'refused', good, refusedFor('limit=101')],
    ['an offset that is too small', 'refused', good, refusedFor('limit=1&offset=-1')],
    ['a legal limit that is refused', undefined, good, refusedFor('limit=100&offset=0')],
    ['the least legal limit', undefined, good, refusedFor('limit=1')],
    ['a limit with more', undefined, good, refusedFor('limit=101&x=1')],
    ['a limit twice', undefined, good, refusedFor('limit=101&limit=102')],
    ['a fraction', undefined, good, refusedFor('limit=1000.5')],
    ['a limit of another list', undefined, good, { ...refusedFor('limit=101'), id: 'listAgents' }],
    ['a refusal where the key may be bad', undefined, refusedFor('limit=101')],
    ['a refusal for another reason', undefined, good, refusedFor('limit=101', 429)],
    ['a refusal of a whole operation', undefined, good, refusedFor('limit=101', 403)],
    ['a refusal of one request', 'refused', good, paged('', 20), refusedFor('limit=101', 403)],
    ['refused, and applied', ['refused', 'ignored'], good, refusedFor('limit=0'), paged('limit=101', 20)],
    ['no limit in the answer', undefined, paged('limit=101', undefined)],
    ['a legal limit that is not applied', other('a number out of range is used'), paged('limit=5&offset=-1', 6)],
    ['a number out of bounds in the answer', other('a number out of range is used'), paged('limit=0', 0)],
    ['the nearest limit, which may be the default', undefined, paged('limit=101', 100)],
    ['the nearest offset, which may be the default', undefined, paged('limit=2&offset=-1', 2, 0)],
    ['both nearest limits, which cannot both be the default', 'clamped', paged('limit=101', 100), paged('limit=0', 1)],
    ['another limit than the nearest', 'ignored', paged('limit=101', 20)],
    ['the same limit for both bounds', 'ignored', paged('limit=101', 100), paged('limit=0', 100)],
    ['another offset than the nearest', 'ignored', paged('limit=2&offset=-1', 2, 1)],
    ['two defaults', ['ignored', 'clamped'], paged('limit=101', 20), paged('limit=0', 1)],
    ['a limit out of range that is used', other('a number out of range is used'), paged('limit=101', 101)],
  ],
  'oddPaging.malformed': [
    ['a word that is refused', 'refused', good, refusedFor('limit=many')],
    ['a word that is refused where the key may be bad', undefined, refusedFor('limit=many')],
    ['a word that is ignored', 'ignored', wordOf(20)],
    ['a word that is ignored, up to the bounds', 'ignored', wordOf(1), wordOf(100)],
    ['a word that is read as nothing', other('a word is read as a number out of range'), wordOf(0)],
    ['a word that is read as much', other('a word is read as a number out of range'), wordOf(101)],
    ['a word, and no limit in the answer', undefined, wordOf(undefined)],
    ['a word with a legal offset', 'ignored', paged('limit=many&offset=0', 20)],
    ['a word with more', undefined, paged('limit=many&offset=-1', 20), paged('limit=many&limit=2', 20)],
    ['a word as another parameter', undefined, paged('x=many', 20)],
    ['a word that begins with a number', undefined, paged('limit=1x', 20), paged('limit=x1', 20)],
    ['no query', undefined, paged('', 20)],
    ['a word as an offset', 'ignored', paged('offset=many', 20, 0)],
  ],
  'oddPaging.repeated': [
    ['the first of two limits', 'first', paged('limit=1&limit=2', 1)],
    ['the first of two limits with a legal offset', 'first', paged('limit=1&limit=2&offset=0', 1)],
    ['the last of two limits', 'last', paged('limit=100&limit=1', 1)],
    ['none of two limits', other('neither of the two limits is used'), paged('limit=1&limit=2', 3)],
    ['two limits that are refused', 'refused', good, refusedFor('limit=1&limit=2')],
    ['two limits that are not shown', undefined, paged('limit=1&limit=2', undefined)],
    ['two limits that are refused where the key may be bad', undefined, refusedFor('limit=1&limit=2')],
    ...[
      ...['limit=1', 'limit=1&limit=1', 'limit=1&limit=2&limit=3', 'limit=1&limit=2&offset=-1', 'limit=0&limit=1'],
      ...['limit=1&limit=101', 'limit=1&limit=1.5'],
    ].map((query): Row => [`the query ${query}`, undefined, paged(query, 1)]),
    ['two limits of another list', undefined, { ...paged('limit=1&limit=2', 1), id: 'listAgents' }],
  ],
  'errorStatus.invalidInput': [
    ['a refused number', 400, good, refusedFor('limit=101', 400)],
    ['a refused word', 400, good, refusedFor('limit=many', 400)],
    ['a refused word with a legal offset', 400, good, refusedFor('limit=many&offset=0', 400)],
    ['a refused word, and a number', 422, good, refusedFor('limit=many', 400), refusedFor('limit=0')],
    ['two statuses', [400, 422], good, refusedFor('limit=0', 400), refusedFor('limit=101')],
    ['two statuses of words', ['400', '422'], good, refusedFor('limit=x', 400), refusedFor('limit=y')],
    ['two refused words', undefined, good, refusedFor('limit=x&offset=y', 400), refusedFor('x=y')],
  ],
  'errorStatus.invalidBody': [
    ['a creation from a list', 400, good, drive([], 400)],
    ['a creation from null', 400, good, drive(null, 400)],
    ['a creation without its fields', 422, good, drive({}, 422)],
    ['a creation from a list, with a query', undefined, good, withQuery(drive([], 400))],
    ['a creation from a list of no type', undefined, good, undeclared(drive([], 400))],
    ['a creation from no JSON', undefined, good, broken(drive(undefined, 400))],
    ['a whole creation', undefined, good, drive({ name: 'Ab' }, 400)],
    ['a creation without a key', undefined, good, withoutKey(drive([], 400))],
    ['a creation that is accepted', undefined, good, drive([], 201)],
    ['a move from a list', undefined, good, move('f', [], 400)],
  ],
  'errorStatus.invalidPath': [
    ['a move against the rule', 400, ...known, move('f', { path: 'docs' }, 400)],
    ['a move up', 422, ...known, move('f', { path: '/docs/../c' }, 422)],
    ['a move of an unknown file', undefined, good, move('f', { path: 'docs' }, 400)],
    ['a legal move', undefined, ...known, move('f', { path: '/docs/c' }, 400)],
    ['a move of no type', undefined, ...known, undeclared(move('f', { path: 'x' }, 400))],
    ['a move to a number', undefined, ...known, move('f', { path: 5 }, 400)],
    ...[404, 409, 410, 423].map(
      (status): Row => [`a move that ends with ${status}`, undefined, ...known, move('f', { path: 'x' }, status)],
    ),
    ['a publication with a path', undefined, ...known, publish({ path: 'x' }, 400)],
  ],
  'errorStatus.unknownParameter': [
    ['another parameter', 400, good, refusedFor('x=1', 400)],
    ['another parameter among legal ones', 400, good, refusedFor('x=1&limit=1&offset=0', 400)],
    ['another parameter among others', undefined, good, refusedFor('x=1&limit=0', 400)],
    ['another parameter that is not encoded', undefined, good, refusedFor('x=%ff', 400)],
    ['a known parameter', undefined, good, refusedFor('limit=1', 400)],
    ['another parameter of a creation', undefined, good, withQuery(drive({}, 400))],
    ['another parameter of a list of something', undefined, good, { ...toolList, query: 'x=1', status: 400 }],
  ],
  'unknownInput.queryParameters': [
    ['another parameter that is refused', 'refused', good, refusedFor('x=1')],
    ['another parameter that is ignored', 'ignored', { query: 'x=1' }],
  ],
  'errorStatus.notFound': [
    ['an unknown file of a listed drive', 404, drives('d'), noFile(404)],
    ['an unknown file of an unknown drive', 410, good, noFile(410)],
    [
      'unknown files of drives that are listed or not',
      404,
      drives('d'),
      noFile(404),
      { ...noFile(410), path: ofDriveE },
    ],
    ['a forbidden file of some drive', undefined, ...known, file('h', { status: 403, path: '/drives/e/files/h' })],
    ['a forbidden file of a listed drive', 403, drives('d'), ...known, file('h', { status: 403 })],
    ['an unknown file with an id of another format', undefined, drives('1'), file('f_1', { status: 404 })],
    ['an unknown file with an id of a known format', 404, drives('1'), file('2', { status: 404 })],
    ['an unknown file where ids have any format', 404, drives('?'), file('2', { status: 404 })],
    ['an unknown file with an odd id', undefined, good, file('a.b', { status: 404 })],
    ['a file of a drive with an odd id', undefined, good, file('f', { path: '/drives/a.b/files/f', status: 404 })],
    ['a move of an unknown file', undefined, good, move('f', {}, 400)],
    ['an unknown list', undefined, good, { status: 404 }],
    ['two files of unknown drives', ['404', '410'], good, noFile(404), noFile(410)],
  ],
  'errorStatus.malformedJson': [
    ['a body that is no JSON', 400, good, broken(drive(undefined, 400))],
    ['a body that is no JSON, and accepted', other('accepted'), broken(drive(undefined))],
    ['a body that is no JSON, of no type', undefined, good, undeclared(drive(undefined, 400), text)],
    ['a body that is JSON', undefined, good, drive({}, 400)],
    ['a move with a body that is no JSON', undefined, good, broken(move('f', undefined, 400))],
  ],
  mediaTypeRules: [
    ['a body of no type that is refused', 'strict', good, undeclared(drive({ name: 'Ab' }, 415))],
    ['a body of no type that is read', 'lenient', undeclared(driveAb)],
    ['a body of no type and an answer of none', 'lenient', undeclared(drive({ name: 'Ab' }, 201, { value: {} }))],
    [
      'a body of no type that is accepted and not read',
      other('accepted, but the body is ignored'),
      undeclared({ ...driveAb, value: { name: 'Drive 1' } }),
    ],
    ['a declared body', undefined, good, drive({ name: 'Ab' }, 415)],
    ['a body of no type that is incomplete', undefined, good, undeclared(drive({}, 415))],
    ['a body of no type with more', undefined, good, undeclared(drive({ name: 'Ab', x: 1 }, 415))],
  ],
  'errorStatus.unsupportedMediaType': [
    ['a body of no type that is refused, with its status', 415, good, undeclared(drive({ name: 'Ab' }, 415))],
    ['a move of no type within the directory', 415, ...known, undeclared(move('f', { path: '/docs/c' }, 415))],
    ['a reading with a body of no type', undefined, ...known, undeclared(file('f', { sent: {}, status: 415 }))],
    ['a move of no type elsewhere', undefined, ...known, undeclared(move('f', { path: '/c' }, 415))],
    ['a move of no type onto another file', undefined, ...known, undeclared(move('f', { path: '/docs/b' }, 415))],
    ['a move of no type to an odd name', undefined, ...known, undeclared(move('f', { path: '/docs/c ' }, 415))],
    ['a move of no type to a blank in a name', undefined, ...known, undeclared(move('f', { path: '/docs/c d' }, 415))],
    ['a move of no type of an unknown file', undefined, good, undeclared(move('f', { path: '/docs/c' }, 415))],
  ],
  'requiredFields.createDrive': [
    ['a drive without a name that is refused', 'all', good, drive({}, 422)],
    ['a drive without a name', 'none', drive({})],
    ['a server without a name', undefined, server({ url })],
  ],
  'requiredFields.updateDriveFile': [
    ['a move to nowhere that is refused', 'all', ...known, move('f', {}, 422)],
    ['a move to nowhere', 'none', ...known, move('f', {})],
    ['a move to nowhere of an unknown file', undefined, good, move('f', {}, 422)],
    ['a drive without a name', undefined, drive({})],
  ],
  'requiredFields.createMcpServer': [
    ['servers of nothing', 'none', ofNothing],
    ['a server of a URL, and none of nothing', 'url', good, noneOfNothing, ofUrl],
    ['no server of a URL', 'all', good, noneOfUrl],
    ['no server of nothing', undefined, good, noneOfNothing],
    ['a server of a URL', undefined, ofUrl],
    ['a server of a name', undefined, ofName],
    ['a server of a name, and none of nothing', ['name accepted', 'nothing refused'], good, ofName, noneOfNothing],
    ['a server of a name, and none of a URL', ['name accepted', 'url refused'], good, ofName, noneOfUrl],
    ['a server of nothing, and none of a URL', ['url refused', 'nothing accepted'], good, noneOfUrl, ofNothing],
    ['a server of nothing, and none of a name', ['nothing accepted', 'name refused'], good, ofNothing, noneOfName],
    ['a server of nothing now and then', ['nothing refused', 'nothing accepted'], good, noneOfNothing, ofNothing],
    ['a server of a name now and then', ['name accepted', 'name refused'], good, ofName, server({ name: 'Cd' }, 422)],
    ['a server of a URL now and then', ['url refused', 'url accepted'], good, server({ url: `${url}b` }, 422), ofUrl],
    ['a whole server', undefined, server({ name: 'Ab', url })],
    ['a drive of nothing', undefined, drive({})],
  ],
  'requiredFields.publishAgentRevision': [
    ['nothing to publish', 'none', agents, publish({})],
    ['nothing to publish of the thousandth agent', 'none', manyAgents, publishOf(999)],
    ['nothing to publish of one more', undefined, manyAgents, publishOf(1_000)],
    ['nothing to publish that is refused', 'all', agents, publish({}, 422)],
    ['something to publish', undefined, agents, publish({ revisionId: 'r' })],
    ['a publication without a body', undefined, agents, publish(undefined)],
    ['nothing to publish of an unknown agent', undefined, good, publish({}, 422)],
    ['nothing to publish, of no type', undefined, agents, undeclared(publish({}))],
    ['nothing to publish, with a query', undefined, agents, withQuery(publish({}))],
    ['a drive of nothing', undefined, drives('a'), drive({}, 201, { path: '/drives/a' })],
    ...[404, 409, 410, 423].map(
      (status): Row => [`nothing to publish, and ${status}`, undefined, agents, publish({}, status)],
    ),
  ],
  'unknownInput.bodyFields': [
    ['a field more', 'ignored', drive({ name: 'Ab', x: 1 })],
    ['a field more that is refused', 'refused', good, drive({ name: 'Ab', x: 1 }, 422)],
    ['a field more, and one less', undefined, drive({ x: 1 })],
    ['a field more, and an odd name', undefined, ...[' Ab', 'A', 'a!b'].map((name) => drive({ name, x: 1 }))],
    ['a field more, and a long name', undefined, drive({ name: 'a'.repeat(65), x: 1 })],
    ['a field more, and the longest plain name', 'ignored', drive({ name: 'a'.repeat(64), x: 1 })],
    ['a field more, and a name that is a number', undefined, drive({ name: 1, x: 1 })],
    ['a field more, and a name that is taken', undefined, driveAb, drive({ name: 'Ab', x: 1 })],
    ['a field more, and a query', undefined, withQuery(drive({ name: 'Ab', x: 1 }))],
    ['a field more, and a URL', 'ignored', server({ name: 'Ab', url, x: 1 })],
    ['a field more, and a taken URL', undefined, server({ name: 'Ab', url }), server({ name: 'Cd', url, x: 1 })],
    ...['ftp://mcp.example.com', 'https://', 'xhttps://a', 'https://[a', 'https://A.example'].map(
      (odd): Row => [`a field more, and the URL ${odd}`, undefined, server({ name: 'Ab', url: odd, x: 1 })],
    ),
    ['a field more of a publication', undefined, agents, publish({ revisionId: 'r', x: 1 })],
  ],
  wrongBodyTypes: [
    ['a number as a name', 'coerced', drive({ name: 1 }, 201, { value: { name: '1' } })],
    ['a number as a name that is refused', 'refused', good, drive({ name: 1 }, 422)],
    ['a number as a name that stays one', other('a name that is not a string is shown as 1'), drive({ name: 1 })],
    [
      'a number as a name that is not shown',
      other('a name that is not a string is shown as absent'),
      drive({ name: 1 }, 201, { value: {} }),
    ],
    ['a number as a name that is refused where the key may be bad', undefined, drive({ name: 1 }, 422)],
    ['a number as a name, and more', undefined, drive({ name: 1, x: 1 })],
    ['a number as a name, with a query', undefined, withQuery(drive({ name: 1 }))],
    ['a number as a name, of no type', undefined, undeclared(drive({ name: 1 }))],
    ['a number as the name of a server', undefined, server({ name: 1 })],
    ['a number as a name that is taken', undefined, drive({ name: '1' }), drive({ name: 1 })],
    ['a text as a name', undefined, drive({ name: '1' })],
  ],
  'duplicates.names': [
    ['a name again', 'allowed', driveAb, driveAb],
    ['a name again that is refused', 'refused', driveAb, drive({ name: 'Ab' }, 409)],
    ['a name that was refused', undefined, good, drive({ name: 'Ab' }, 409), drive({ name: 'Ab' }, 409)],
    ['a name of something else', undefined, server({ name: 'Ab', url }), driveAb],
    ['a name again, of no type', undefined, driveAb, undeclared(driveAb)],
    ['a name again, with more', undefined, driveAb, drive({ name: 'Ab', x: 1 })],
    ['a name again, with a query', undefined, driveAb, withQuery(driveAb)],
    ['a name again with another key', undefined, driveAb, { ...driveAb, request: otherKey }],
    ['an odd name again', undefined, drive({ name: 'A' }), drive({ name: 'A' })],
    ['a server again', undefined, server({ name: 'Ab', url }), server({ name: 'Ab', url })],
    ['a server of the same name', 'allowed', server({ name: 'Ab', url }), server({ name: 'Ab', url: `${url}b` })],
  ],
  'duplicates.urls': [
    ['a server of the same URL', 'allowed', server({ name: 'Ab', url }), server({ name: 'Cd', url })],
    ['a server of the same URL, refused', 'refused', server({ name: 'Ab', url }), server({ name: 'Cd', url }, 409)],
    ['a server of the same name and URL', undefined, server({ name: 'Ab', url }), server({ name: 'Ab', url })],
    ['a drive again', undefined, driveAb, drive({ name: 'Cd' })],
  ],
  republish: [
    ['a revision again', 'accepted', publishR, publishR],
    ['a revision again that is refused', 'refused', publishR, { ...publishR, status: 409 }],
    ['a revision again after another one', undefined, publishR, publishS, publishR],
    ['a revision again, with more', undefined, publishR, publish({ revisionId: 'r', x: 1 })],
    ['a revision again, of no type', undefined, publishR, undeclared(publishR)],
    ['a revision of another agent', undefined, publishR, { ...publishR, path: '/agents/b/publish' }],
    ['no revision again', undefined, publish({ x: 1 }), publish({ x: 1 })],
  ],
  'errorStatus.conflict': [
    ['a name again, and its status', 409, driveAb, drive({ name: 'Ab' }, 409)],
    ['a URL again, and its status', 422, server({ name: 'Ab', url }), server({ name: 'Cd', url }, 422)],
    ['a revision again, and its status', 409, publishR, { ...publishR, status: 409 }],
    ['a move onto a file', 409, ...known, ontoB],
    ['a move onto a file that succeeds', undefined, ...known, move('f', { path: '/docs/b' })],
    ['a move onto a file, and a bad key', undefined, ...known, move('f', { path: '/docs/b' }, 401)],
    ['a move onto a file, with more', undefined, ...known, move('f', { path: '/docs/b', x: 1 }, 409)],
    ['a move onto a file, of no type', undefined, ...known, undeclared(ontoB)],
    ['a move of a file onto itself', undefined, ...known, move('f', { path: '/docs/a' }, 409)],
    ['a move of an unknown file onto another', undefined, ...known, move('h', { path: '/docs/b' }, 409)],
    ['a move onto a file that is elsewhere by now', undefined, ...known, shownFile('g', '/docs/c'), ontoB],
    ['a move onto a file that may be deleted', undefined, ...known, treeDeletion('d'), ontoB],
    ['a move onto a file, after a deletion in another drive', 409, ...known, treeDeletion('d2'), ontoB],
    ['a new drive that is refused', undefined, good, drive({ name: 'Ab' }, 409)],
  ],
};

describe.each(Object.entries(shows))('%s', (openPoint, rows) => {
  it.each(rows)('is read from %s', (_, expected, ...exchanges) => {
    expect(shown(openPoint as OpenPointId, ...exchanges)).toEqual(expected);
  });
});

describe('a reading', () => {
  it('shows more once its key is known to be good', () => {
    const reading = new Reading();
    const refused = viewsOf(refusedFor('limit=0'));
    reading.add(...refused, 'a line', String);
    expect(reading.choiceAt('oddPaging.outOfRange')).toBeUndefined();
    reading.add(...viewsOf(good), 'a line', String);
    reading.add(...refused, 'a line', String);
    expect(reading.choiceAt('oddPaging.outOfRange')).toBe('refused');
  });

  const createOne = (reading: Reading, name: string, status = 201) =>
    reading.add(...viewsOf(drive({ name }, status)), name, String);

  it('tells a choice only where it is clear', () => {
    const reading = new Reading();
    expect(reading.choiceAt('successStatus.createDrive')).toBeUndefined();
    createOne(reading, 'Ab');
    expect(reading.choiceAt('successStatus.createDrive')).toBe(201);
    createOne(reading, 'Cd', 202);
    expect(reading.choiceAt('successStatus.createDrive')).toBeUndefined();
    expect(reading.learned().unclear['successStatus.createDrive']).toEqual([
      { sighting: 201, count: 1, first: 'Ab' },
      { sighting: 202, count: 1, first: 'Cd' },
    ]);
  });

  it('forgets what it knew first after ten thousand facts', () => {
    const reading = new Reading();
    for (let index = 0; index < 10_000; index++) createOne(reading, `Name${index}`);
    createOne(reading, 'Name0');
    expect(reading.choiceAt('duplicates.names')).toBeUndefined();
    createOne(reading, 'Name9999');
    expect(reading.choiceAt('duplicates.names')).toBe('allowed');
  });

  it('keeps twenty different sightings of an open point', () => {
    const reading = new Reading();
    for (let status = 201; status < 231; status++) createOne(reading, `Name${status}`, status);
    createOne(reading, 'Again', 202);
    const seen = reading.learned().unclear['successStatus.createDrive'] ?? [];
    expect(seen.map(({ sighting }) => sighting)).toEqual(Array.from({ length: 20 }, (_, index) => 201 + index));
    expect(seen.slice(0, 3).map(({ count }) => count)).toEqual([1, 2, 1]);
  });
});
