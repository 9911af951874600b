import type { Profile } from '../../openapi/contract/profile.ts';
import type { Choice } from '../../openapi/points/open-point.ts';
import type { Client, Reply, Sent } from './client.ts';
import { startScriptedMcp, tool } from './scripted-mcp.ts';

/** How a client sees which choice of an open point a mock uses, with the tiny seed and a fixed clock. */
export interface Observation {
  /** Further choices needed to make it visible. */
  with?: Partial<Profile>;
  see(call: Client): Promise<unknown>;
  /** What is seen, by choice. */
  expected: Record<string, unknown>;
  /** A legal choice that is not listed, and what is seen then. */
  inRange?: [Choice, unknown];
}

const file = '/drives/drive-full/files/file-plain';
const tree = (path: string) => `/drives/drive-full/items/tree?path=${encodeURIComponent(path)}`;
const publishPath = '/agents/agent-two-revisions/publish';

type Request = (call: Client) => Promise<Reply>;

const ask =
  (line: string, sent?: Sent): Request =>
  (call) => {
    const [method = '', path = ''] = line.split(' ');
    return call(method, path, sent);
  };

const as = (type: string) => ({ headers: { 'content-type': type } });
const createDrive = (name: unknown = 'New') => ask('POST /drives', { json: { name } });
const createServer = (url: unknown = 'https://mcp.example.com/new') =>
  ask('POST /mcp-servers', { json: { name: 'New', url } });
const move = (path: string) => ask(`PATCH ${file}`, { json: { path } });
const publish = (revisionId = 'rev-2') => ask(`POST ${publishPath}`, { json: { revisionId } });
const status = async (reply: Promise<Reply>) => (await reply).status;
const statuses = (...values: number[]) => Object.fromEntries(values.map((value) => [value, value]));
const listTools = (call: Client, id: string) => call('GET', `/mcp-servers/${id}/tools`);
const described = { name: 'read', description: 'Reads.' };
const names = async (reply: Promise<Reply>) => (await reply).body.data.map((drive: { name: string }) => drive.name);

async function agent(call: Client) {
  const { body } = await call('GET', '/agents');
  return body.find(({ id }: { id: string }) => id === 'agent-two-revisions');
}

/** The statuses of requests that are sent one after the other. One without a body is just its line. */
const statusesOf =
  (...requests: (string | Request)[]) =>
  async (call: Client) => {
    const found: number[] = [];
    for (const request of requests)
      found.push(await status((typeof request === 'string' ? ask(request) : request)(call)));
    return found;
  };

/** An observation of a status. */
const statusOf = (request: string | Request, listed: number[], unlisted: number): Observation => ({
  see: async (call) => (await statusesOf(request)(call))[0],
  expected: statuses(...listed),
  inRange: [unlisted, unlisted],
});

/** What a body shows, or the status of an error response. */
const resultOf =
  (request: string | Request, show: (body: Reply['body']) => unknown) =>
  async (call: Client): Promise<unknown> => {
    const { status: code, body } = await (typeof request === 'string' ? ask(request) : request)(call);
    return code < 300 ? show(body) : code;
  };

/** What a list of drives is told to have for each query, or the status. */
const pagesOf =
  (...queries: string[]) =>
  (call: Client) =>
    Promise.all(
      queries.map((query) =>
        resultOf(`GET /drives?${query}`, ({ pagination: { limit, offset } }) => `${limit} from ${offset}`)(call),
      ),
    );

export const observations: Record<keyof Profile, Observation> = {
  'successStatus.createDrive': {
    see: statusesOf(createDrive(), createServer()),
    expected: { 201: [201, 201], 200: [200, 200], 202: [202, 202] },
    inRange: [207, [207, 207]],
  },
  'successStatus.createMcpServer': {
    with: { 'successStatus.createDrive': 207 },
    see: statusesOf(createDrive(), createServer()),
    expected: { createDrive: [207, 207], 201: [207, 201], 200: [207, 200], 202: [207, 202] },
    inRange: [203, [207, 203]],
  },
  'successStatus.publishAgentRevision': {
    see: async (call) => {
      const { status: code, text } = await publish()(call);
      return [code, text.length > 0];
    },
    expected: { 200: [200, true], 201: [201, true], 202: [202, true], 204: [204, false] },
    inRange: [205, [205, false]],
  },
  'successStatus.listDrives': statusOf('GET /drives', [200, 203], 206),
  'successStatus.getDriveFile': statusOf(`GET ${file}`, [200, 203], 206),
  'successStatus.updateDriveFile': statusOf(move('/a'), [200, 202], 203),
  'successStatus.deleteDriveTree': statusOf(`DELETE ${tree('/docs')}`, [200, 202], 201),
  publishBody: {
    see: async (call) => Object.keys((await publish()(call)).body ?? { none: true }),
    expected: {
      agent: ['id', 'name', 'description', 'isPublished', 'hasChanges', 'createdAt', 'updatedAt'],
      revision: ['revisionId', 'agentId', 'createdAt'],
      emptyObject: [],
      none: ['none'],
    },
  },
  'requiredFields.createDrive': {
    see: async (call) => [
      await status(call('POST', '/drives', { json: {} })),
      await status(call('POST', '/mcp-servers', { json: {} })),
      await status(call('POST', publishPath)),
      (await call('PATCH', file, { json: {} })).body.path ?? 'refused',
    ],

    expected: { all: [422, 422, 422, 'refused'], none: [201, 201, 200, '/docs/plan.txt'] },
  },
  'requiredFields.createMcpServer': {
    with: { 'requiredFields.createDrive': 'none' },
    see: statusesOf(
      ask('POST /mcp-servers', { json: {} }),
      ask('POST /mcp-servers', { json: { url: 'https://mcp.example.com/new' } }),
      ask('POST /drives', { json: {} }),
    ),
    expected: {
      createDrive: [201, 201, 201],
      all: [422, 422, 201],
      none: [201, 201, 201],
      url: [422, 201, 201],
    },
  },
  'requiredFields.updateDriveFile': {
    with: { 'requiredFields.createDrive': 'none' },
    see: (call) => status(call('PATCH', file, { json: {} })),
    expected: { createDrive: 200, all: 422, none: 200 },
  },
  'requiredFields.publishAgentRevision': {
    with: { 'requiredFields.createDrive': 'none' },
    see: statusesOf(ask(`POST ${publishPath}`, { json: {} }), `POST ${publishPath}`),
    expected: { createDrive: [200, 200], all: [422, 422], none: [200, 200] },
  },
  'unknownInput.bodyFields': {
    see: (call) => status(call('POST', '/drives', { json: { name: 'x', colour: 'red' } })),
    expected: { ignored: 201, refused: 422 },
  },
  'unknownInput.queryParameters': {
    see: statusesOf('GET /agents?colour=red', 'GET /drives?colour=red'),
    expected: { ignored: [200, 200], refused: [422, 422] },
  },
  mediaTypeRules: {
    see: (call) => status(call('POST', '/drives', { raw: '{"name":"x"}', ...as('text/plain') })),
    expected: { strict: 415, lenient: 201 },
  },
  judgedFirst: {
    see: statusesOf(
      ask('PATCH /drives/drive-full/files/none', { json: { path: '/..' } }),
      'DELETE /drives/none/items/tree',
      ask('POST /agents/none/publish', { raw: '{', ...as('application/json') }),
      ask('PATCH /drives/drive-full/files/none', { json: { path: '/..' }, key: null }),
    ),
    expected: { input: [422, 422, 400, 401], resource: [404, 404, 404, 401] },
  },
  'pagingDefaults.limit': {
    see: async (call) => (await call('GET', '/drives')).body.pagination.limit,
    expected: { 20: 20, 10: 10, 50: 50, 100: 100, all: 2 },
    inRange: [1, 1],
  },
  'pagingDefaults.offset': {
    see: (call) => names(call('GET', '/drives')),
    expected: { 0: ['Middle', 'Aardvark'], 1: ['Aardvark'] },
    inRange: [2, []],
  },
  'oddPaging.outOfRange': {
    see: pagesOf('limit=0', 'limit=101', 'offset=-1'),
    expected: {
      refused: [422, 422, 422],
      clamped: ['1 from 0', '100 from 0', '20 from 0'],
      ignored: ['20 from 0', '20 from 0', '20 from 0'],
    },
  },
  'oddPaging.malformed': {
    see: pagesOf('limit=x', 'offset=1.5'),
    expected: { refused: [422, 422], ignored: ['20 from 0', '20 from 0'] },
  },
  'oddPaging.repeated': {
    see: pagesOf('limit=1&limit=2&offset=1&offset=0'),
    expected: { refused: [422], first: ['1 from 1'], last: ['2 from 0'] },
  },
  listOrder: {
    see: async (call) => {
      for (const name of ['Cedar', 'Bay', 'Dove', 'Elm', 'Fir']) await createDrive(name)(call);
      const list: string[] = await names(call('GET', '/drives'));
      const again: string[] = await names(call('GET', '/drives?offset=2&limit=3'));
      const isStable = JSON.stringify(list.slice(2, 5)) === JSON.stringify(again);
      const orders = {
        oldestFirst: ['Middle', 'Aardvark', 'Cedar', 'Bay', 'Dove', 'Elm', 'Fir'],
        newestFirst: ['Fir', 'Elm', 'Dove', 'Bay', 'Cedar', 'Aardvark', 'Middle'],
        byName: [...list].sort(),
      };
      const order = Object.entries(orders).find(([, expected]) => JSON.stringify(expected) === JSON.stringify(list));
      return [isStable, order?.[0] ?? 'another'];
    },
    expected: {
      oldestFirst: [true, 'oldestFirst'],
      newestFirst: [true, 'newestFirst'],
      byName: [true, 'byName'],
      arbitrary: [true, 'another'],
    },
  },
  totalMeaning: {
    see: async (call) => (await call('GET', '/drives?limit=1')).body.pagination.total,
    expected: { all: 2, page: 1 },
  },
  paginationFields: {
    see: async (call) => (await call('GET', '/drives?limit=1&offset=0')).body.pagination,
    expected: { all: { limit: 1, offset: 0, total: 2 }, withoutTotal: { limit: 1, offset: 0 }, none: {} },
  },
  treePathParameter: {
    see: async (call) => {
      const found: string[] = [];
      for (const name of ['path', 'treePath', 'directory', 'prefix', 'where.it-is']) {
        const reply = await call('DELETE', `/drives/drive-full/items/tree?${name}=/docs`);
        if (reply.status === 200) found.push(name);
      }
      return found;
    },
    expected: { path: ['path'], treePath: ['treePath'], directory: ['directory'], prefix: ['prefix'] },
    inRange: ['where.it-is', ['where.it-is']],
  },
  treeDeletion: {
    see: async (call) => {
      await call('DELETE', tree('/docs'));
      return statusesOf(...Array<string>(5).fill(`GET ${file}`))(call);
    },
    expected: { immediate: [404, 404, 404, 404, 404], asynchronous: [200, 200, 200, 404, 404] },
  },
  'treePath.missing': {
    see: resultOf(`DELETE ${tree('/nowhere')}`, ({ documentCount }) => documentCount),
    expected: { refused: 404, emptyJob: 0 },
  },
  'treePath.notSent': {
    see: async (call) => {
      const { status: code, body } = await call('DELETE', '/drives/drive-full/items/tree');
      return [code === 200 ? body.documentCount : code, await status(call('GET', file))];
    },
    expected: { refused: [422, 200], emptyJob: [0, 200] },
  },
  'treePath.file': {
    see: statusesOf(`DELETE ${tree('/docs/plan.txt')}`, `GET ${file}`),
    expected: { deleted: [200, 404], likeMissing: [404, 200], refused: [422, 200] },
  },
  'treePath.root': {
    see: statusesOf(`DELETE ${tree('/')}`, `GET ${file}`),
    expected: { deleted: [200, 404], refused: [422, 200] },
  },
  documentCount: {
    see: async (call) => (await call('DELETE', tree('/docs'))).body.documentCount,
    expected: { files: 2, filesAndDirectories: 4 },
  },
  idFormat: {
    see: async (call) => {
      const first: string = (await createDrive()(call)).body.id;
      const second: string = (await createDrive()(call)).body.id;
      if (/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(first)) return 'uuid';
      if (/^drv_[0-9a-z]{20}$/.test(first)) return 'prefixed';
      if (/^\d+$/.test(first)) return 'numeric';
      return /^[0-9a-z]{26}$/.test(first) && first < second ? 'sortable' : 'unknown';
    },
    expected: { uuid: 'uuid', prefixed: 'prefixed', sortable: 'sortable', numeric: 'numeric' },
  },
  nameRules: {
    see: (call) =>
      Promise.all(
        ['', ' ', ' x ', 'x'.repeat(256)].map((one) => resultOf(createDrive(one), ({ name }) => name.length)(call)),
      ),
    expected: {
      nonEmpty: [422, 1, 3, 256],
      anyString: [0, 1, 3, 256],
      bounded: [422, 1, 3, 422],
      trimmed: [422, 422, 1, 256],
    },
  },
  'duplicates.names': {
    see: async (call) => {
      await createServer()(call);
      return [await status(createDrive('Middle')(call)), await status(createServer()(call))];
    },
    expected: { allowed: [201, 201], refused: [409, 409] },
  },
  'duplicates.urls': {
    see: statusesOf(createServer('https://mcp.example.com/a'), createServer()),
    expected: { allowed: [201, 201], refused: [409, 201] },
  },
  'errorStatus.conflict': {
    with: { 'duplicates.names': 'refused' },
    see: statusesOf(move('/docs/old/notes.txt'), createDrive('Middle')),
    expected: { 409: [409, 409], 422: [422, 422], 400: [400, 400] },
    inRange: [418, [418, 418]],
  },
  'timestamps.precision': {
    see: async (call) => (await createDrive()(call)).body.createdAt,
    expected: {
      milliseconds: '2026-06-01T12:00:00.000Z',
      seconds: '2026-06-01T12:00:00Z',
      microseconds: '2026-06-01T12:00:00.000000Z',
    },
  },
  'timestamps.zone': {
    see: async (call) => (await createDrive()(call)).body.createdAt,
    expected: { Z: '2026-06-01T12:00:00.000Z', '+00:00': '2026-06-01T12:00:00.000+00:00' },
  },
  optionalFields: {
    see: async (call) => {
      const { description, summary, metadata, size, contentType } = (await call('GET', file)).body;
      return [description, summary, metadata, (await agent(call)).description, size, contentType];
    },
    expected: {
      present: ['The plan', 'What comes when', { pages: 3 }, 'Has revisions', 2500, 'text/plain'],
      absent: [undefined, undefined, undefined, undefined, 2500, 'text/plain'],
      sparse: [undefined, undefined, undefined, undefined, undefined, undefined],
    },
    inRange: [
      'without metadata size',
      ['The plan', 'What comes when', undefined, 'Has revisions', undefined, 'text/plain'],
    ],
  },
  missingValues: {
    see: async (call) => {
      const { body } = await call('GET', '/drives/drive-full/files/file-deep');
      const agents = await call('GET', '/agents');
      const blank = agents.body.find(({ id }: { id: string }) => id === 'agent-blank');
      const values = [body.description, body.summary, body.metadata, blank.description];
      return values.map((value) => (value === undefined ? 'absent' : value));
    },
    expected: { leftOut: ['absent', 'absent', 'absent', 'absent'], asNull: [null, null, null, null] },
  },
  extraFields: {
    see: async (call) => {
      const replies = await Promise.all([
        call('GET', file),
        call('GET', '/drives'),
        call('GET', '/mcp-servers/server-tools/tools'),
      ]);
      return [...replies.map(({ body }) => 'etag' in body), 'etag' in (await agent(call))];
    },
    expected: { none: [false, false, false, false], some: [true, true, true, true] },
  },
  keyOrder: {
    see: async (call) => Object.keys((await createDrive()(call)).body),
    expected: {
      documented: ['id', 'organizationId', 'name', 'createdAt', 'updatedAt'],
      reversed: ['updatedAt', 'createdAt', 'name', 'organizationId', 'id'],
    },
  },
  answerMediaType: {
    see: async (call) => (await call('GET', '/agents')).headers.get('content-type'),
    expected: {
      'application/json': 'application/json',
      'application/json; charset=utf-8': 'application/json; charset=utf-8',
    },
  },
  errorBody: {
    see: async (call) => {
      const { headers, body } = await call('GET', '/drives?limit=0');
      return [headers.get('content-type'), body === undefined ? [] : Object.keys(body)];
    },
    expected: {
      problem: ['application/problem+json', ['type', 'title', 'status', 'detail', 'validation']],
      nested: ['application/json', ['error']],
      message: ['application/json', ['message']],
      list: ['application/json', ['errors']],
      empty: [null, []],
    },
  },
  'errorStatus.invalidInput': {
    see: statusesOf(move('/..'), 'GET /drives?limit=0'),
    expected: { 422: [422, 422], 400: [400, 400] },
    inRange: [406, [406, 406]],
  },
  'errorStatus.invalidBody': {
    with: { 'errorStatus.invalidInput': 409 },
    see: statusesOf(createDrive([]), 'GET /drives?limit=0'),
    expected: { invalidInput: [409, 409], 400: [400, 409], 422: [422, 409] },
    inRange: [406, [406, 409]],
  },
  'errorStatus.invalidPath': {
    with: { 'errorStatus.invalidInput': 409 },
    see: statusesOf(
      move('/..'),
      `DELETE ${tree('/..')}`,
      ask(`PATCH ${file}`, { json: {} }),
      'DELETE /drives/drive-full/items/tree',
    ),
    expected: {
      invalidInput: [409, 409, 409, 409],
      400: [400, 400, 409, 409],
      422: [422, 422, 409, 409],
    },
    inRange: [406, [406, 406, 409, 409]],
  },
  'errorStatus.unknownParameter': {
    with: { 'errorStatus.invalidInput': 409, 'unknownInput.queryParameters': 'refused' },
    see: statusesOf('GET /agents?colour=red', 'GET /drives?limit=0', 'GET /drives?limit=0&colour=red'),
    expected: { invalidInput: [409, 409, 409], 400: [400, 409, 409], 422: [422, 409, 409] },
    inRange: [406, [406, 409, 409]],
  },
  'errorStatus.driveNotFound': {
    with: { 'errorStatus.notFound': 410 },
    see: statusesOf(
      'GET /drives/none/files/none',
      'DELETE /drives/none/items/tree?path=/',
      'GET /drives/drive-full/files/none',
    ),
    expected: { notFound: [410, 410, 410], 404: [404, 404, 410], 403: [403, 403, 410] },
    inRange: [451, [451, 451, 410]],
  },
  'errorStatus.agentNotFound': {
    with: { 'errorStatus.notFound': 410 },
    see: (call) => status(call('POST', '/agents/none/publish', { json: { revisionId: 'rev-1' } })),
    expected: { notFound: 410, 404: 404, 403: 403 },
    inRange: [451, 451],
  },
  'errorStatus.notFound': {
    see: statusesOf(
      'GET /drives/none/files/none',
      'DELETE /drives/none/items/tree?path=/',
      'GET /mcp-servers/none/tools',
    ),
    expected: { 404: [404, 404, 404], 410: [410, 410, 404], 400: [400, 400, 404] },
    inRange: [451, [451, 451, 404]],
  },
  'errorStatus.malformedJson': statusOf(ask('POST /drives', { raw: '{', ...as('application/json') }), [400, 422], 406),
  'errorStatus.unsupportedMediaType': statusOf(
    ask('POST /drives', { raw: '{}', ...as('text/plain') }),
    [415, 400],
    406,
  ),
  'errorStatus.bodyTooLarge': {
    with: { bodySizeLimit: 4096 },
    ...statusOf(createDrive('x'.repeat(5000)), [413, 400], 422),
  },
  wrongBodyTypes: { see: resultOf(createDrive(42), ({ name }) => name), expected: { refused: 422, coerced: '42' } },
  malformedIds: {
    see: statusesOf('GET /drives/a%20b/files/x', 'GET /drives/ab/files/x'),
    expected: { likeUnknown: [404, 404], refused: [422, 404] },
  },
  foreignResources: {
    see: async (call) => [
      await status(call('GET', '/drives/drive-b/files/file-b')),
      (await call('PATCH', '/drives/drive-b/files/file-b', { json: { path: '/theirs' } })).body.path ?? 'refused',
      await status(call('POST', '/agents/agent-b/publish', { json: { revisionId: 'rev-b' } })),
      await status(call('GET', '/mcp-servers/server-b/tools')),
      (await call('DELETE', '/drives/drive-b/items/tree?path=/theirs')).body.documentCount ?? 'refused',
      (await call('GET', '/drives')).body.data.some(({ id }: { id: string }) => id === 'drive-b'),
    ],

    expected: {
      hidden: [404, 'refused', 404, 404, 'refused', false],
      shared: [200, '/theirs', 200, 200, 1, false],
    },
  },
  foreignResourceStatus: {
    see: statusesOf(
      'GET /drives/drive-b/files/file-b',
      ask('POST /agents/agent-b/publish', { json: { revisionId: 'rev-b' } }),
      'GET /mcp-servers/server-b/tools',
    ),
    expected: { likeUnknown: [404, 404, 404], forbidden: [403, 403, 403] },
  },
  'errorStatus.unknownRevision': statusOf(publish('rev-b'), [404, 422, 409, 400], 410),
  republish: {
    see: statusesOf(publish(), publish()),
    expected: { accepted: [200, 200], refused: [200, 409] },
  },
  flagsAfterPublish: {
    see: async (call) => {
      await publish('rev-1')(call);
      const afterOlder = (await agent(call)).hasChanges;
      await publish('rev-2')(call);
      const { isPublished, hasChanges } = await agent(call);
      return [isPublished, afterOlder, hasChanges];
    },
    expected: {
      derived: [true, true, false],
      changesCleared: [true, false, false],
      changesKept: [true, true, true],
    },
  },
  'countsAsUpdate.publish': {
    see: async (call) => {
      await publish()(call);
      return (await agent(call)).updatedAt;
    },
    expected: { touched: '2026-06-01T12:00:00.000Z', kept: '2026-01-01T08:00:00.000Z' },
  },
  'countsAsUpdate.move': {
    see: async (call) => (await move('/x')(call)).body.modifiedAt,
    expected: { touched: '2026-06-01T12:00:00.000Z', kept: '2026-01-01T08:00:00.000Z' },
  },
  'countsAsUpdate.drive': {
    see: async (call) => {
      await move('/x')(call);
      const afterMove = (await call('GET', '/drives')).body.data[0].updatedAt;
      await call('DELETE', tree('/inbox'));
      return [afterMove, (await call('GET', '/drives')).body.data[0].updatedAt];
    },
    expected: {
      kept: ['2026-01-01T08:00:00.000Z', '2026-01-01T08:00:00.000Z'],
      touched: ['2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00.000Z'],
    },
  },
  fileStatusFlow: {
    see: async (call) => {
      const path = '/drives/drive-full/files/file-processing';
      const before = (await call('GET', path)).body.status;
      return [before, (await call('PATCH', path, { json: { path: '/x' } })).body.status];
    },
    expected: {
      byClock: ['ready', 'ready'],
      still: ['processing', 'processing'],
      reprocessedOnMove: ['ready', 'processing'],
    },
  },
  fileNameAfterMove: {
    see: async (call) => (await move('/docs/other.txt')(call)).body.name,
    expected: { followsPath: 'other.txt', kept: 'plan.txt' },
  },
  pathConflict: {
    see: statusesOf(move('/docs/old/notes.txt'), 'GET /drives/drive-full/files/file-deep'),
    expected: { refused: [409, 200], replaced: [200, 404] },
  },
  moveTargets: {
    see: statusesOf(
      ...['/new/directory/x', '/docs/old', '/inbox/scan.tif/x', '/', '/docs/plan.txt', '/docs/old/x'].map((path) =>
        move(path),
      ),
    ),
    expected: { lenient: [200, 200, 200, 200, 200, 200], strict: [409, 409, 409, 409, 200, 200] },
  },
  'pathForm.spelling': {
    see: async (call) => {
      const { path } = (await move('/a//b/./c/')(call)).body;
      return [path, await status(call('DELETE', tree('/./a')))];
    },
    expected: { verbatim: ['/a//b/./c/', 404], normalized: ['/a/b/c', 200] },
  },
  'pathForm.letters': {
    see: async (call) => {
      const shown = (await move('/Docs/u\u0308.txt')(call)).body.path;
      const deletion = await call('DELETE', tree('/DOCS'));
      return [shown, deletion.body.documentCount ?? 'none'];
    },
    expected: {
      exact: ['/Docs/u\u0308.txt', 'none'],
      caseInsensitive: ['/Docs/u\u0308.txt', 2],
      normalized: ['/Docs/\u00fc.txt', 'none'],
    },
  },
  'pathForm.lineBreaks': {
    see: statusesOf(move('/a\nb'), move('/a\n/../b')),
    expected: { refused: [422, 422], accepted: [200, 422] },
  },
  'pathForm.length': {
    see: async (call) => {
      const found: number[] = [];
      for (const length of [300, 301, 1024, 1025, 4096, 4097]) {
        found.push(await status(move(`/${'x'.repeat(length - 1)}`)(call)));
      }
      return [found.indexOf(422), await status(call('DELETE', tree(`/${'x'.repeat(4096)}`)))];
    },
    expected: { none: [-1, 200], 1024: [3, 422], 4096: [5, 422] },
    inRange: [300, [1, 422]],
  },
  mcpDefaultType: {
    see: async (call) => (await createServer()(call)).body.type,
    expected: { streamableHttp: 'streamableHttp', sse: 'sse' },
  },
  mcpUrlRules: {
    see: (call) =>
      Promise.all(
        ['HTTPS://MCP.example.com', 'ftp://x', 'no url'].map((it) =>
          resultOf(createServer(it), ({ url }) => url)(call),
        ),
      ),
    expected: {
      httpUrl: ['HTTPS://MCP.example.com', 422, 422],
      canonicalHttpUrl: ['https://mcp.example.com/', 422, 422],
      anyString: ['HTTPS://MCP.example.com', 'ftp://x', 'no url'],
    },
  },
  wwwAuthenticate: {
    see: async (call) => (await call('GET', '/agents', { key: null })).headers.has('www-authenticate'),
    expected: { sent: true, absent: false },
  },
  bearerSpelling: {
    see: async (call) => {
      const ask = (scheme: string) =>
        status(call('GET', '/agents', { key: null, headers: { authorization: `${scheme} key-a` } }));
      return [await ask('Bearer'), await ask('bearer'), await ask('BEARER')];
    },
    expected: { anyCase: [200, 200, 200], exact: [200, 401, 401] },
  },
  bothAuthHeaders: {
    see: async (call) => {
      const both = async (apiKey: string, bearer: string) => {
        const headers = { authorization: `Bearer ${bearer}` };
        const { status: code, body } = await call('GET', '/drives', { key: apiKey, headers });
        return code === 200 ? body.data[0].organizationId : code;
      };
      return [await both('key-a', 'key-b'), await both('key-b', 'key-a'), await both('key-a', 'key-a')];
    },
    expected: {
      refused: [401, 401, 'org-a'],
      apiKeyWins: ['org-a', 'org-b', 'org-a'],
      bearerWins: ['org-b', 'org-a', 'org-a'],
    },
  },
  cors: {
    see: (call) =>
      Promise.all(
        ['http://localhost:5173', 'https://app.example.com'].map(async (origin) => {
          const { headers } = await call('GET', '/agents', { headers: { origin } });
          return headers.get('access-control-allow-origin');
        }),
      ),
    expected: { local: ['http://localhost:5173', null], any: ['*', '*'], none: [null, null] },
  },
  rateLimits: {
    see: async (call) => {
      await call('GET', '/agents');
      const { headers } = await call('GET', '/agents');
      return ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
    },
    expected: { none: [null, null, null], announced: ['1000', '998', '60'] },
  },
  bodySizeLimit: {
    see: async (call) => {
      const sizes = [4_096, 65_536, 1_048_576, 10_485_760];
      const found = [];
      // `{"name":""}` is eleven bytes.
      for (const size of sizes) {
        found.push(
          await status(createDrive('x'.repeat(size - 11))(call)),
          await status(createDrive('x'.repeat(size - 10))(call)),
        );
      }
      return found.indexOf(413);
    },
    expected: { 65536: 3, 1048576: 5, 10485760: 7 },
    inRange: [4096, 1],
  },
  readAfterWrite: {
    see: async (call) => {
      await createDrive()(call);
      const totals: number[] = [];
      for (let count = 0; count < 5; count++) totals.push((await call('GET', '/drives')).body.pagination.total);
      return totals;
    },
    expected: { immediate: [3, 3, 3, 3, 3], lagging: [2, 2, 2, 3, 3] },
  },
  toolsOfNewServer: {
    see: async (call) => {
      const { status: code, body } = await listTools(call, (await createServer()(call)).body.id);
      return code === 200 ? body.tools.length : code;
    },
    // A server that may not be contacted is not contacted, whatever is permitted.
    expected: { none: 0, plausible: 3, live: 502 },
  },
  unreachableTools: {
    see: resultOf('GET /mcp-servers/server-tools/tools', ({ tools }) => tools),
    expected: { ...statuses(502, 503, 504, 500, 424), none: [] },
    inRange: [599, 599],
  },
  toolWithoutDescription: {
    see: async (call) => {
      const mcp = await startScriptedMcp({ list: () => ({ tools: [tool('find'), tool('read', 'Reads.')] }) });
      const { id } = (await createServer(mcp.urlFor('streamableHttp'))(call)).body;
      const { body } = await listTools(call, id);
      await mcp.close();
      return body.tools;
    },
    expected: {
      empty: [{ name: 'find', description: '' }, described],
      name: [{ name: 'find', description: 'find' }, described],
      leftOut: [described],
    },
  },
  sizeUnit: { see: async (call) => (await call('GET', file)).body.size, expected: { bytes: 2500, kilobytes: 3 } },
  metadataShape: {
    see: async (call) => (await call('GET', file)).body.metadata,
    expected: { asSeeded: { pages: 3 }, empty: {} },
  },
};
