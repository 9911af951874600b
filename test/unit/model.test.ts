import { describe, expect, it } from 'vitest';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, operationSet, operationsOf } from '../../openapi/contract/operations.ts';
import type { Exchange } from '../../openapi/model/exchange.ts';
import { lineOf } from '../../openapi/model/findings.ts';
import { Model } from '../../openapi/model/model.ts';
import { parseBody } from '../../openapi/reading/messages.ts';

// Small stories of exchanges, and what the model says of them. The steps of a story are ten seconds apart unless it says
// otherwise, so that everything has settled.

const settleMs = 1_000;
const time = '2026-02-11T09:00:00.000Z';

interface Step {
  /** The organization of the key; nobody without one. */
  by?: 'a' | 'b' | undefined;
  operation: Exchange['operation'];
  target: string;
  sent?: unknown;
  status?: number;
  json?: unknown;
  /** From when to when, in seconds. */
  span?: readonly [number, number];
  headers?: Record<string, string>;
}

/** The rules that a story breaks, with a question mark where something else may be the cause. */
function rulesBrokenIn(steps: readonly Step[], told: Partial<ConstructorParameters<typeof Model>[0]> = {}): string[] {
  const model = new Model({ settleMs, treePathParameter: 'path', ...told });
  const begun = steps.map((step, index) => {
    const [startSeconds, endSeconds] = step.span ?? [index * 10, index * 10 + 1];
    return { step, startMs: startSeconds * 1_000, endMs: endSeconds * 1_000 };
  });
  const events = begun.flatMap((one) => [
    { ...one, one, atMs: one.startMs, isEnd: false },
    { ...one, one, atMs: one.endMs, isEnd: true },
  ]);
  const calls = new Map<object, ReturnType<Model['begin']>>();
  const findings = events
    .sort((first, second) => first.atMs - second.atMs)
    .flatMap(({ one, step, startMs, endMs, isEnd }) => {
      if (isEnd) return model.end(calls.get(one) as ReturnType<Model['begin']>, answerOf(step), endMs);
      calls.set(one, model.begin({ ...requestOf(step), startMs }));
      return [];
    });
  for (const finding of findings) expect(lineOf(finding).plain).toContain(finding.rule);
  return [...new Set(findings.map(({ rule, certainty }) => (certainty === 'maybe' ? `${rule}?` : rule)))];
}

function requestOf({ by, operation, target, sent, headers }: Step): Omit<Exchange, 'startMs' | 'endMs' | 'answer'> {
  const body = sent === undefined ? undefined : JSON.stringify(sent);
  const key = by === undefined ? {} : { 'x-api-key': by };
  return {
    organization: by,
    operation,
    target,
    body,
    headers: { 'content-type': 'application/json', ...key, ...headers },
  };
}

function answerOf({ status = 200, json }: Step): Exchange['answer'] {
  const body =
    json === undefined ? parseBody(new Uint8Array()) : parseBody(new TextEncoder().encode(JSON.stringify(json)));
  return { status, headers: { 'content-type': 'application/json' }, body };
}

const drive = (id: string, name: string, more: object = {}) => ({
  ...{ id, organizationId: 'org-a', name, createdAt: time, updatedAt: time },
  ...more,
});
const server = (id: string, name: string, more: object = {}) => ({
  ...drive(id, name),
  ...{ url: 'https://mcp.example.com/a', type: 'sse' },
  ...more,
});
const file = (id: string, path: string, more: object = {}) => ({
  ...{ kind: 'file', id, name: 'x', path, status: 'ready', modifiedAt: time, size: 1, contentType: 'text/plain' },
  ...more,
});
const page = (drives: object[], total = drives.length, limit = 100, offset = 0) => ({
  data: drives,
  pagination: { limit, offset, total },
});

const agents = (json: unknown, by: Step['by'] = 'a'): Step => ({
  by,
  operation: 'listAgents',
  target: '/agents',
  json,
});
const servers = (json: unknown, by: Step['by'] = 'a'): Step => ({
  ...{ by, operation: 'listMcpServers', target: '/mcp-servers', json },
});
const drives = (json: unknown, query = 'limit=100&offset=0', by: Step['by'] = 'a'): Step => ({
  ...{ by, operation: 'listDrives', target: `/drives?${query}`, json },
});
const createDrive = (name: string, json: unknown, more: Partial<Step> = {}): Step => ({
  ...{ by: 'a', operation: 'createDrive', target: '/drives', sent: { name }, status: 201, json },
  ...more,
});
const createServer = (name: string, json: unknown): Step => ({
  ...{ by: 'a', operation: 'createMcpServer', target: '/mcp-servers', status: 201, json },
  sent: { name, url: 'https://mcp.example.com/a' },
});
const read = (id: string, path: string | undefined, more: Partial<Step> = {}): Step => ({
  ...{ by: 'a', operation: 'getDriveFile', target: `/drives/d/files/${id}` },
  ...(path === undefined ? { status: 404 } : { json: file(id, path) }),
  ...more,
});
const move = (id: string, path: unknown, more: Partial<Step> = {}): Step => ({
  ...{ by: 'a', operation: 'updateDriveFile', target: `/drives/d/files/${id}`, sent: { path } },
  ...{ json: file(id, String(path)) },
  ...more,
});
const remove = (path: string, more: Partial<Step> = {}): Step => ({
  ...{ by: 'a', operation: 'deleteDriveTree', target: `/drives/d/items/tree?path=${encodeURIComponent(path)}` },
  ...{ json: { message: 'm', jobId: `job ${path}`, documentCount: 5 } },
  ...more,
});
const tools = (id: string, names: string[] | undefined, more: Partial<Step> = {}): Step => ({
  ...{ by: 'a', operation: 'listMcpServerTools', target: `/mcp-servers/${id}/tools` },
  ...(names === undefined ? { status: 404 } : { json: { tools: names.map((name) => ({ name, description: '' })) } }),
  ...more,
});
const agent = (id: string, more: object = {}) => ({
  ...{ id, name: id, isPublished: false, hasChanges: false, createdAt: time, updatedAt: time },
  ...more,
});
const publish = (id: string, more: Partial<Step> = {}): Step => ({
  ...{
    by: 'a',
    operation: 'publishAgentRevision',
    target: `/agents/${id}/publish`,
    sent: { revisionId: 'r' },
    json: {},
  },
  ...more,
});
const refused = { status: 401, json: { message: 'no' } };
const ofB = { organizationId: 'org-b' };
const twoOrganizations = [
  drives(page([drive('d', 'of a')], 1, 2), 'limit=2&offset=0'),
  drives(page([drive('e', 'of b', ofB), drive('e2', 'of b', ofB)]), 'limit=100&offset=0', 'b'),
  // A page that was longer shows that this one is whole.
  drives(page([drive('e', 'of b', ofB), drive('e2', 'of b', ofB)]), 'limit=100&offset=0', 'b'),
  drives(page([drive('e', 'of b', ofB)], 2, 1), 'limit=1&offset=0', 'b'),
  drives(page([drive('e', 'of b', ofB), drive('e2', 'of b', ofB)]), 'limit=100&offset=0', 'b'),
];

const broken: Readonly<Record<string, [steps: Step[], rules: string[]]>> = {
  // Keys.
  'lets nobody in': [[{ operation: 'listAgents', target: '/agents', json: [] }], ['auth.no-key-is-not-let-through']],
  'lets a wrong key in': [
    [{ operation: 'listAgents', target: '/agents', json: [], headers: { authorization: 'Bearer x' } }],
    ['auth.wrong-key-is-not-let-through'],
  ],
  'refuses nobody with 403': [
    [{ operation: 'createDrive', target: '/drives', sent: {}, status: 403 }],
    ['auth.other-refusals-are-401'],
  ],
  'refuses a valid key': [[agents([]), { ...agents(undefined), status: 401 }], ['auth.api-key-header']],
  'refuses nobody with 409 while nothing else happens': [
    [
      createDrive('one', drive('n', 'one')),
      { operation: 'createDrive', target: '/drives', sent: { name: 'x' }, status: 409 },
    ],
    ['auth.other-refusals-are-401'],
  ],
  'fails at a name, at a taken one, and at a field that is not stated, which are not the same': [
    [
      { ...createDrive('plain', {}), status: 500 },
      { ...createDrive('plain', {}), status: 500 },
      createDrive('more', {}, { status: 500, sent: { name: 'more', organizationId: 'org-b' } }),
    ],
    ['texts.do-not-make-the-server-fail', 'errors.are-not-the-servers'],
  ],
  'names the organization differently in another kind of resource': [
    [drives(page([drive('d', 'x')])), createServer('y', server('s', 'y', { organizationId: '7' }))],
    ['organization.has-one-id'],
  ],
  'creates a drive for another organization': [
    [drives(page([drive('d', 'x')])), createDrive('y', drive('n', 'y', { organizationId: 'org-b' }))],
    ['creations.belong-to-the-key'],
  ],
  'returns an earlier drive for a name that is not taken': [
    [createDrive('first', drive('n', 'first')), createDrive('second', drive('n', 'first'))],
    ['createDrive.drive-has-the-name'],
  ],
  'returns an earlier server for what is not taken': [
    [
      createServer('first', server('s', 'first')),
      {
        ...createServer('second', server('s', 'first')),
        ...{ status: 200, sent: { name: 'second', url: 'https://mcp.example.com/b' } },
      },
    ],
    ['createMcpServer.server-has-the-name', 'createMcpServer.server-has-the-url'],
  ],
  'gives the earlier server the new name where its URL is taken': [
    [
      createServer('first', server('s', 'first')),
      servers([server('s', 'first')]),
      createServer('second', server('s', 'second')),
      servers([server('s', 'second')]),
    ],
    ['creations.stay'],
  ],
  'shows what nobody may create': [
    [
      servers([]),
      { ...createServer('created-by-nobody', undefined), by: undefined, ...refused },
      servers([server('s', 'created-by-nobody')]),
    ],
    ['auth.unauthenticated-request-has-no-effect'],
  ],
  'shows what a key without its scheme created': [
    [
      servers([]),
      {
        ...createServer('created-by-nobody', undefined),
        ...{ by: undefined, headers: { authorization: 'key-a' }, ...refused },
      },
      servers([server('s', 'created-by-nobody')]),
    ],
    ['auth.other-schemes-are-not-let-through'],
  ],
  // Shapes.
  'answers 201 to a list': [[{ ...agents([]), status: 201 }], ['listAgents.status-is-200']],
  'shows a number for an id': [[servers([server('s', 'x', { id: 1 })])], ['ids.are-strings']],
  'leaves a field out of a creation': [
    [createDrive('x', { ...drive('n', 'x'), createdAt: undefined })],
    ['drive.fields-are-present'],
  ],
  'shows another zone': [
    [servers([server('s', 'x', { updatedAt: '2026-02-11T11:00:00+02:00' })])],
    ['timestamps.are-in-utc'],
  ],
  'fails for a name': [[createDrive('plain', undefined, { status: 500 })], ['texts.do-not-make-the-server-fail']],
  // Creations and lists.
  'changes a name': [[createDrive('one', drive('n', 'two'))], ['createDrive.drive-has-the-name']],
  'changes an odd name': [[createDrive('a & b', drive('n', 'a &amp; b'))], ['creations.names-are-kept']],
  'gives an id twice': [
    [createDrive('one', drive('n', 'one')), createDrive('two', drive('n', 'two'))],
    ['ids.tell-resources-apart'],
  ],
  'lists an id twice': [
    [servers([server('s', 'x'), server('s', 'y')])],
    ['ids.tell-resources-apart', 'lists.change-only-when-asked?'],
  ],
  'does not list a new server': [
    [createServer('new', server('s', 'new')), servers([])],
    ['listMcpServers.shows-created-server'],
  ],
  'loses a listed server': [
    [createServer('new', server('s', 'new')), servers([server('s', 'new')]), servers([])],
    ['creations.stay'],
  ],
  'renames a server in the list': [
    [createServer('new', server('s', 'new')), servers([server('s', 'old')])],
    ['creations.stay'],
  ],
  'changes createdAt': [
    [
      servers([server('s', 'x')]),
      servers([server('s', 'x', { createdAt: '2026-02-11T09:00:02.000Z', updatedAt: '2026-02-12T09:00:02.000Z' })]),
    ],
    ['timestamps.creation-never-changes'],
  ],
  'does not always list what was there before': [
    [servers([server('s', 'x')]), servers([]), servers([server('s', 'x')])],
    ['listMcpServers.shows-known-server'],
  ],
  'lists what was created once twice': [
    [
      createServer('created-once', server('s', 'created-once')),
      servers([server('s', 'created-once'), server('t', 'created-once')]),
    ],
    ['creations.make-one-each'],
  ],
  'shows more than the limit': [
    [drives(page([drive('a', 'a'), drive('b', 'b')], 2, 1), 'limit=1')],
    ['listDrives.limit-is-at-most'],
  ],
  'ends a list before the last drive': [
    [
      createDrive('one', drive('1', 'one')),
      createDrive('two', drive('2', 'two')),
      drives(page([drive('1', 'one'), drive('2', 'two')])),
      drives(page([drive('2', 'two')], 1, 2), 'limit=2&offset=0'),
    ],
    ['listDrives.shows-created-drive', 'creations.stay'],
  ],
  'changes the meaning of total': [
    [
      drives(page([drive('1', 'a')], 3, 1), 'limit=1&offset=0'),
      drives(page([drive('2', 'b')], 1, 1, 1), 'limit=1&offset=1'),
    ],
    ['listDrives.total-is-coherent'],
  ],
  'creates for another organization': [
    [servers([server('s', 'x')]), createServer('new', server('n', 'new', ofB))],
    ['creations.belong-to-the-key'],
  ],
  'lists what another organization made': [
    [
      createServer('made-by-a', server('s', 'made-by-a')),
      servers([server('t', 'of b', ofB)], 'b'),
      servers([server('t', 'of b', ofB), server('s', 'made-by-a', ofB)], 'b'),
    ],
    ['organization.lists-show-its-own'],
  ],
  // Files and trees.
  'answers another file': [[read('f', '/a', { json: file('g', '/a') })], ['getDriveFile.answers-the-file-asked-for']],
  'takes a path without a slash': [
    [move('f', 'a', { json: file('f', '/a') })],
    ['updateDriveFile.path-starts-with-slash'],
  ],
  'takes /..': [[move('f', '/..')], ['updateDriveFile.path-has-no-dot-dot-segment']],
  'takes /a/../b': [[move('f', '/a/../b')], ['updateDriveFile.path-matches-pattern']],
  'takes a number': [[move('f', 7, { json: file('f', '/7') })], ['updateDriveFile.path-is-a-string']],
  'answers another path': [[move('f', '/new', { json: file('f', '/old') })], ['updateDriveFile.answers-the-new-path']],
  'does not move': [[read('f', '/a'), move('f', '/b'), read('f', '/a')], ['updateDriveFile.file-has-moved?']],
  'moves all the same': [
    [read('f', '/a'), move('f', '/chosen/../path', { status: 422 }), read('f', '/chosen/../path')],
    ['updateDriveFile.refused-path-moves-nothing'],
  ],
  'moves for nobody': [
    [read('f', '/a'), { ...move('f', '/chosen/path'), by: undefined, ...refused }, read('f', '/chosen/path')],
    ['auth.unauthenticated-request-has-no-effect'],
  ],
  'moves for another organization': [
    [
      ...twoOrganizations,
      read('f', '/a'),
      move('f', '/chosen/path', { by: 'b', status: 404 }),
      read('f', '/chosen/path'),
    ],
    ['organization.foreign-resources-are-out-of-reach'],
  ],
  'reads for another organization': [
    [...twoOrganizations, read('f', '/a', { by: 'b' })],
    ['organization.foreign-resources-are-out-of-reach'],
  ],
  'changes the size in a move': [
    [read('f', '/a'), move('f', '/b', { json: file('f', '/b', { size: 2 }) })],
    ['updateDriveFile.rest-of-file-is-kept?'],
  ],
  'leaves a file of a tree': [
    [read('f', '/a/b'), remove('/a'), read('f', '/a/b')],
    ['deleteDriveTree.tree-is-deleted'],
  ],
  'moves a deleted file': [
    [read('f', '/a/b'), remove('/a'), read('f', undefined), move('f', '/c')],
    ['deleteDriveTree.deleted-file-is-not-moved'],
  ],
  'deletes beside a tree': [
    [read('f', '/ab/c'), remove('/a'), read('f', undefined)],
    ['deleteDriveTree.rest-is-kept?'],
  ],
  'takes an underscore for a pattern': [
    [read('f', '/axb/c'), remove('/a_b'), read('f', undefined)],
    ['deleteDriveTree.rest-is-kept?'],
  ],
  'deletes after a refusal': [
    [read('f', '/a/b'), remove('/x/../a', { status: 400 }), read('f', undefined)],
    ['deleteDriveTree.refused-path-deletes-nothing?'],
  ],
  'deletes /../a': [[remove('/../a')], ['deleteDriveTree.path-has-no-dot-dot-segment']],
  'counts too few': [
    [read('f', '/a/b'), remove('/a', { json: { message: 'm', jobId: 'j', documentCount: 0 } })],
    ['deleteDriveTree.count-is-of-this-deletion?'],
  ],
  'gives a job id twice': [
    ['/a', '/b'].map((path) => remove(path, { json: { message: 'm', jobId: 'j', documentCount: 0 } })),
    ['deleteDriveTree.job-ids-tell-jobs-apart'],
  ],
  // Agents.
  'does not publish': [
    [agents([agent('x')]), publish('x'), agents([agent('x')])],
    ['publishAgentRevision.agent-is-published-afterwards?'],
  ],
  'publishes another agent too': [
    [
      agents([agent('x'), agent('y')]),
      publish('x'),
      agents([agent('x', { isPublished: true }), agent('y', { isPublished: true })]),
    ],
    ['publishAgentRevision.only-its-agent-is-published?'],
  ],
  // Tools.
  'does not find a new server': [
    [createServer('new', server('s', 'new')), tools('s', undefined)],
    ['listMcpServerTools.registered-server-is-found'],
  ],
  'finds a server that is not there': [[servers([]), tools('s', ['t'])], ['listMcpServerTools.unknown-server-is-404']],
  'goes back to other tools': [
    [servers([server('s', 'x')]), tools('s', ['t']), tools('s', ['u']), tools('s', ['t'])],
    ['listMcpServerTools.same-tools-each-time?'],
  ],
};

const legal: Readonly<Record<string, Step[]>> = {
  'shows null and more fields': [read('f', '/a', { json: file('f', '/a', { description: undefined, etag: 1 }) })],
  'stores a normalized path': [move('f', '/a//b/./c/', { json: file('f', '/a/b/c') }), read('f', '/a/b/c')],
  'stores paths in lower case': [move('f', '/A/É', { json: file('f', '/a/é') }), read('f', '/a/é')],
  'trims a name': [createDrive(' x ', drive('n', 'x')), drives(page([drive('n', 'x')]))],
  'returns the earlier drive': [createDrive('x', drive('n', 'x')), createDrive('x', drive('n', 'x'))],
  'lists times in seconds': [
    createServer(
      'x',
      server('s', 'x', { createdAt: '2026-02-11T09:00:00.987Z', updatedAt: '2026-02-11T09:00:00.987Z' }),
    ),
    servers([server('s', 'x', { createdAt: '2026-02-11T09:00:00Z' })]),
  ],
  'lists a new server later': [
    { ...createServer('x', server('s', 'x')), span: [0, 1] },
    { ...servers([]), span: [1.5, 1.7] },
    { ...servers([server('s', 'x')]), span: [3, 4] },
  ],
  'shows a move later': [
    { ...read('f', '/a'), span: [0, 1] },
    { ...move('f', '/b'), span: [2, 3] },
    { ...read('f', '/a'), span: [3.5, 3.7] },
    { ...read('f', '/b'), span: [3.6, 3.8] },
    { ...read('f', '/a'), span: [3.7, 3.9] },
    { ...read('f', '/b'), span: [5, 6] },
  ],
  'takes moves that overlap in either order': [
    { ...move('f', '/a'), span: [0, 2] },
    { ...move('f', '/b'), span: [1, 3] },
    { ...read('f', '/a'), span: [5, 6] },
  ],
  'shows a move before its response': [
    { ...read('f', '/a'), span: [0, 1] },
    { ...move('f', '/b'), span: [2, 9] },
    { ...read('f', '/b'), span: [3, 4] },
  ],
  'deletes a little later': [
    { ...read('f', '/a/b'), span: [0, 1] },
    { ...remove('/a'), span: [2, 3] },
    { ...read('f', '/a/b'), span: [3.1, 3.2] },
    { ...read('f', undefined), span: [4.5, 5] },
  ],
  'deletes without regard to case': [read('f', '/A/b'), remove('/a'), read('f', undefined)],
  'deletes with regard to case': [read('f', '/A/b'), remove('/a'), read('f', '/A/b')],
  'deletes a file by its path': [read('f', '/a/b'), remove('/a/b'), read('f', undefined)],
  'replaces a file': [read('f', '/a'), read('g', '/b'), move('g', '/a'), read('f', undefined), read('g', '/a')],
  'carries out what it did not answer': [
    read('f', '/a'),
    { ...move('f', '/b'), status: 504, json: undefined },
    read('f', '/b'),
  ],
  'hides what it has': [...twoOrganizations, read('f', '/a'), read('f', undefined, { by: 'b' })],
  'numbers ids in each organization': [
    ...twoOrganizations.slice(0, 1),
    drives(page([drive('d', 'of b', ofB)]), 'limit=100&offset=0', 'b'),
    read('f', '/a'),
    read('f', '/b', { by: 'b' }),
  ],
  'has another client that uploads a file': [read('f', undefined), read('f', '/a'), move('f', '/b')],
  'has another client that moves files': [read('f', '/a/b'), read('f', '/someone/1'), read('f', '/someone/2')],
  'has other clients': [
    servers([server('s', 'x')]),
    servers([server('s', 'x'), server('t', "someone's")]),
    servers([server('s', 'x')]),
  ],
  'pages in another order each time': [
    createDrive('one', drive('1', 'one')),
    createDrive('two', drive('2', 'two')),
    drives(page([drive('1', 'one')], 2, 1), 'limit=1&offset=0'),
    drives(page([drive('1', 'one')], 2, 1, 1), 'limit=1&offset=1'),
  ],
  'has short pages': [
    ...['1', '2', '3'].map((id) => createDrive(id, drive(id, id))),
    drives(page([drive('1', '1'), drive('2', '2')], 2), 'limit=100&offset=0'),
    drives(page([drive('3', '3')], 1, 100, 2), 'limit=100&offset=2'),
  ],
  'publishes again': [agents([agent('x', { isPublished: true })]), publish('x'), publish('x', { status: 409 })],
  'fails behind a gateway': [{ ...agents(undefined), status: 503 }],
  // What is open.
  'returns the earlier server for a URL that is taken': [
    createServer('first', server('s', 'first')),
    { ...createServer('second', server('s', 'first')), status: 200 },
    servers([server('s', 'first')]),
  ],
  'returns the earlier server for a URL that it spells in its own way': [
    createServer('first', server('s', 'first', { url: 'https://mcp.example.com/a/' })),
    { ...createServer('second', server('s', 'first', { url: 'https://mcp.example.com/a/' })), status: 200 },
  ],
  'returns the earlier drive for a name with blanks': [
    createDrive(' x ', drive('n', 'x')),
    createDrive(' x', drive('n', 'x')),
  ],
  'returns the earlier server for a name that is taken': [
    createServer('first', server('s', 'first')),
    {
      ...createServer('first', server('s', 'first')),
      ...{ status: 200, sent: { name: 'first', url: 'https://mcp.example.com/b' } },
    },
  ],
  'removes a control character from a path': [read('f', '/a'), move('f', '/d/a\nx', { json: file('f', '/d/ax') })],
  'locks before it looks at the key': [
    createDrive('one', drive('n', 'one'), { span: [0, 5] }),
    { operation: 'createDrive', target: '/drives', sent: { name: 'x' }, status: 409, span: [1, 2] },
  ],
};

// The first page shows that the total counts all drives.
const everyList = [
  ...[agents([]), servers([]), drives(page([drive('1', 'one')], 2, 1), 'limit=1&offset=0')],
  drives(page([drive('1', 'one'), drive('2', 'two')])),
];

describe('the model', () => {
  it.each(Object.entries(broken))('notices a server that %s', (_, [steps, rules]) => {
    expect(rulesBrokenIn(steps)).toEqual(rules);
  });

  it.each(Object.entries(legal))('says nothing of a server that %s', (_, steps) => {
    expect(rulesBrokenIn(steps)).toEqual([]);
  });

  const answering = operationsOf(loadDocument()).filter(({ answerSchema }) => answerSchema !== undefined);

  it.each(answering)(
    'has a rule for a body of $operationId that is missing, or has the wrong type',
    ({ operationId, path }) => {
      for (const json of [undefined, 1]) {
        const rules = rulesBrokenIn([{ by: 'a', operation: operationId, target: path, json }]);
        expect(rules).toEqual([expect.stringMatching(`^${operationId}\\.`)]);
      }
    },
  );

  // A new operation with an id in its path needs its rules in the tables of the model.
  const withIds = operationSet(operationsOf(loadDocument()), 'ids');

  it.each(withIds.filter(answersOne))('has a rule for a body of $operationId with a different id', (operation) => {
    const rulesFor = (id: string) => rulesBrokenIn([{ ...about(operation, 'asked'), json: { id } }]);
    const [asked, other] = [rulesFor('asked'), rulesFor('other')];
    expect(other.filter((rule) => !asked.includes(rule))).toEqual([
      expect.stringMatching(`^${operation.operationId}\\.`),
    ]);
  });

  it.each(withIds)('has a rule for a success of $operationId on what no list shows', (operation) => {
    const rules = rulesBrokenIn([...everyList, { ...about(operation, 'unknown'), json: { id: 'unknown' } }]);
    expect(rules).toContainEqual(expect.stringMatching(`^${operation.operationId}\\..*(unknown|not-found)`));
  });

  it('lets organizations share the tools of servers where the server declares it', () => {
    const steps = [
      ...twoOrganizations,
      servers([server('s', 'of a')]),
      servers([server('t', 'of b', ofB)], 'b'),
      tools('s', ['search'], { by: 'b' }),
    ];
    const rules = ['organization.foreign-resources-are-out-of-reach', 'listMcpServerTools.unknown-server-is-404'];
    expect(rulesBrokenIn(steps)).toEqual(rules);
    expect(rulesBrokenIn(steps, { foreignResources: 'shared' })).toEqual([]);
  });

  it('lets organizations share what the server declares as shared', () => {
    const steps = [
      ...twoOrganizations,
      read('f', '/a'),
      move('f', '/chosen/path', { by: 'b' }),
      read('f', '/chosen/path'),
    ];
    expect(rulesBrokenIn(steps)).toEqual(['organization.foreign-resources-are-out-of-reach']);
    expect(rulesBrokenIn(steps, { foreignResources: 'shared' })).toEqual([]);
  });
});

/** Whether an operation returns one resource that has an id. */
function answersOne({ list, resource = '' }: Operation): boolean {
  const schema = loadDocument().components?.schemas?.[resource];
  return list === undefined && schema !== undefined && 'properties' in schema && schema.properties?.id !== undefined;
}

function about({ operationId, path }: Operation, id: string): Step {
  const query = operationId === 'deleteDriveTree' ? '?path=/a' : '';
  return { by: 'a', operation: operationId, target: path.replaceAll(/\{\w+\}/g, id) + query };
}
