/**
 * What all edges of the mock do in the same way: over HTTP, as a function like fetch, and behind MSW in Node and in a
 * page. The expected values are beside the requests. All behaviours use the seed and the clock below.
 */
import type { FetchOptions } from '../../src/browser/fetch.ts';
import type { Client, Outcome, Sent } from './client.ts';

export interface Behaviour {
  name: string;
  options: FetchOptions;
  run: Step;
  expected: unknown;
}

/** Something that a client does, and what it sees. */
type Step = (client: Client) => Promise<unknown>;

/** One behaviour. Its options are added to the usual ones. */
type Row = readonly [name: string, run: Step, expected: unknown, options?: FetchOptions];

const seed: FetchOptions['seed'] = {
  organizations: [
    {
      ...{ id: 'org-a', name: 'Acme', keys: ['key-a'] },
      agents: [
        {
          ...{ id: 'agt-1', name: 'Writer', createdAt: '2026-01-01T00:00:00Z', published: 1 },
          revisions: [
            { id: 'rev-1', createdAt: '2026-01-01T00:00:00Z' },
            { id: 'rev-2', createdAt: '2026-02-01T00:00:00Z' },
          ],
        },
      ],
      drives: [
        {
          ...{ id: 'drv-1', name: 'Docs', createdAt: '2026-01-02T00:00:00Z' },
          files: [
            {
              ...{ id: 'fil-1', path: '/a.txt', sizeBytes: 5, contentType: 'text/plain' },
              modifiedAt: '2026-01-03T00:00:00Z',
            },
            { id: 'fil-2', path: '/notes/b.txt' },
            { id: 'fil-3', path: '/notes/deep/c.txt' },
            { id: 'fil-4', path: '/notesx.txt' },
          ],
        },
        { id: 'drv-2', name: 'Plans', createdAt: '2026-01-03T00:00:00Z' },
        { id: 'drv-3', name: 'Ideas', createdAt: '2026-01-04T00:00:00Z' },
      ],
      mcpServers: [
        {
          ...{ id: 'mcp-1', name: 'Search', url: 'https://mcp.example/search', createdAt: '2026-01-05T00:00:00Z' },
          tools: [{ name: 'find', description: 'Finds things.' }],
        },
      ],
    },
    { id: 'org-b', name: 'Beta', keys: ['key-b'], drives: [{ id: 'drv-b', name: 'Own' }] },
  ],
};
const usual: FetchOptions = { seed, clock: '2026-03-02T08:15:00Z' };

const file = '/drives/drv-1/files/fil-1';
const tree = '/drives/drv-1/items/tree';
const publication = 'POST /agents/agt-1/publish';
const newDrive = { json: { name: 'New' } };

/** Sends a request, written as its method and its path. */
const ask = (request: string, sent: Sent = {}) => {
  const [method = '', path = ''] = request.split(' ');
  return (client: Client): Promise<Outcome> => client.api(method, path, sent);
};
const control = (request: string, json?: unknown) => {
  const [method = '', path = ''] = request.split(' ');
  return (client: Client): Promise<Outcome> => client.control(method, path, json);
};
const move = (path: unknown) => ask(`PATCH ${file}`, { json: { path } });
const create = ask('POST /drives', newDrive);
const listDrives = ask('GET /drives');

/** What is looked at of an outcome. */
const seen =
  <T>(look: (outcome: Outcome) => T, step: (client: Client) => Promise<Outcome>) =>
  async (client: Client): Promise<T> =>
    look(await step(client));
const status = (step: (client: Client) => Promise<Outcome>) => seen((one) => one.status ?? one.error, step);
const body = (step: (client: Client) => Promise<Outcome>) => seen((one) => one.body, step);
const names = (step: (client: Client) => Promise<Outcome>) => {
  return seen((one) => one.body.data.map(({ name }: { name: string }) => name), step);
};
/** A refusal in one line: its status, the end of its type and its detail. */
const refusal = (step: (client: Client) => Promise<Outcome>) => {
  return seen((one) => {
    const [, type] = /^urn:agent-platform:problem:([a-z-]+)$/.exec(one.body.type) ?? [];
    return `${one.status} ${type}: ${one.body.detail}`;
  }, step);
};

/** What is seen of several steps, one after the other. */
const each =
  (...steps: readonly Step[]): Step =>
  async (client) => {
    const found: unknown[] = [];
    for (const step of steps) found.push(await step(client));
    return found;
  };
/** What is seen of the last of several steps. */
const last =
  (...steps: readonly Step[]): Step =>
  async (client) =>
    ((await each(...steps)(client)) as unknown[]).at(-1);

const problem = (code: number, type: string, title: string, detail: string) => ({
  ...{ type: `urn:agent-platform:problem:${type}`, title, status: code, detail },
});
/** The refusal of places in a request: where, by which rule, and what it asks for. */
const invalid = (
  code: number,
  type: string,
  title: string,
  ...wrong: [at: string, rule: string, message: string][]
) => ({
  ...problem(code, type, title, wrong.map(([at, , message]) => `${at} ${message}`).join('; ')),
  validation: wrong.map(([at, rule, message]) => ({
    ...{ location: at.split('.'), code: rule, message, severity: 'Error' },
  })),
});
const since = (createdAt: string, updatedAt = createdAt) => ({ createdAt, updatedAt });
const shownDrive = (id: string, name: string, at: string) => ({ id, organizationId: 'org-a', name, ...since(at) });
const nowIs = '2026-03-02T08:15:00.000Z';
const firstId = 'e86a6a2a-3480-4b98-a662-b3a6423b4f4f';
const writer = { id: 'agt-1', name: 'Writer', isPublished: true };
const seeded = ['Docs', 'Plans', 'Ideas'];

const reads: readonly Row[] = [
  [
    'lists agents',
    ask('GET /agents', { see: ['content-type'] }),
    {
      ...{ status: 200, headers: { 'content-type': 'application/json' } },
      body: [{ ...writer, hasChanges: true, ...since('2026-01-01T00:00:00.000Z') }],
    },
  ],
  [
    'lists drives in an envelope',
    listDrives,
    {
      status: 200,
      body: {
        data: [
          shownDrive('drv-1', 'Docs', '2026-01-02T00:00:00.000Z'),
          shownDrive('drv-2', 'Plans', '2026-01-03T00:00:00.000Z'),
          shownDrive('drv-3', 'Ideas', '2026-01-04T00:00:00.000Z'),
        ],
        pagination: { limit: 20, offset: 0, total: 3 },
      },
    },
  ],
  ['lists the drives of another key', names(ask('GET /drives', { key: 'key-b' })), ['Own']],
  [
    'reads a file',
    ask(`GET ${file}`),
    {
      status: 200,
      body: {
        ...{ kind: 'file', id: 'fil-1', name: 'a.txt', path: '/a.txt', status: 'ready' },
        ...{ modifiedAt: '2026-01-03T00:00:00.000Z', size: 5, contentType: 'text/plain' },
      },
    },
  ],
  [
    'lists MCP servers',
    ask('GET /mcp-servers'),
    {
      status: 200,
      body: [
        {
          ...{ id: 'mcp-1', organizationId: 'org-a', name: 'Search', url: 'https://mcp.example/search' },
          ...{ type: 'streamableHttp', ...since('2026-01-05T00:00:00.000Z') },
        },
      ],
    },
  ],
  [
    'lists the tools of an MCP server',
    ask('GET /mcp-servers/mcp-1/tools'),
    { status: 200, body: { tools: [{ name: 'find', description: 'Finds things.' }] } },
  ],
  [
    'answers HEAD with the headers alone',
    ask('HEAD /agents', { see: ['content-type', 'content-length'] }),
    { status: 200, headers: { 'content-type': 'application/json', 'content-length': '147' } },
  ],
  [
    'shows the time of its clock',
    ask('HEAD /agents', { see: ['date'] }),
    { status: 200, headers: { date: 'Mon, 02 Mar 2026 08:15:00 GMT' } },
  ],
  [
    'names the open points that shaped an answer',
    seen(({ headers }) => headers?.['x-open-points'], ask('HEAD /drives', { see: ['x-open-points'] })),
    'readStatus, defaultLimit, defaultOffset, listOrder, totalMeaning, paginationFields, idFormat, timestampPrecision, timestampZone, extraFields, keyOrder, answerMediaType, driveUpdatedAt, rateLimits, readAfterWrite',
  ],
  [
    'leaves the open points out when told to',
    ask('HEAD /drives', { see: ['x-open-points'] }),
    { status: 200, headers: { 'x-open-points': null } },
    { openPointsHeader: false },
  ],
  ['decodes an id in the path', status(ask('GET /drives/drv%2D1/files/fil%2d1')), 200],
  [
    'takes an encoded slash as part of an id',
    refusal(ask('GET /drives/drv-1%2Ffiles/files/fil-1')),
    '404 not-found: This organization has no such drive. Check the ids in the path.',
  ],
];

const paging: readonly Row[] = [
  [
    'pages with limit',
    seen(({ body: { pagination } }) => pagination, ask('GET /drives?limit=2')),
    { limit: 2, offset: 0, total: 3 },
  ],
  ['pages with offset', names(ask('GET /drives?limit=1&offset=1')), ['Plans']],
  ['answers an empty page beyond the end', names(ask('GET /drives?offset=3')), []],
  ...[
    ['limit=0', 'limit must be >= 1'],
    ['limit=101', 'limit must be <= 100'],
    ['limit=2.5', 'limit must be an integer'],
    ['offset=-1', 'offset must be >= 0'],
    ['limit=1&limit=2', 'limit must be sent once'],
  ].map(
    ([query, says]): Row => [
      `refuses ${query}`,
      refusal(ask(`GET /drives?${query}`)),
      `422 invalid-input: query.${says}`,
    ],
  ),
];

const keyNeeded = 'Send a valid API key, either as X-API-Key: <API_KEY> or as Authorization: Bearer <API_KEY>.';
const keys: readonly Row[] = [
  [
    'refuses a request without a key',
    ask('GET /agents', { key: null, see: ['www-authenticate', 'content-type'] }),
    {
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="agent-platform"', 'content-type': 'application/problem+json' },
      body: problem(
        ...([401, 'unauthenticated', 'Authentication required'] as const),
        `The request has no API key in a supported form. ${keyNeeded}`,
      ),
    },
  ],
  [
    'refuses an unknown key',
    refusal(ask('GET /agents', { key: 'key-x' })),
    `401 unauthenticated: The API key is unknown. ${keyNeeded}`,
  ],
  [
    'takes the key as a bearer token',
    status(ask('GET /agents', { key: null, headers: { authorization: 'Bearer key-a' } })),
    200,
  ],
  ['takes no other scheme', status(ask('GET /agents', { key: null, headers: { authorization: 'Basic key-a' } })), 401],
  [
    'judges both auth headers as its profile says',
    status(ask('GET /agents', { headers: { authorization: 'Bearer key-b' } })),
    401,
  ],
  [
    'lets one auth header win',
    names(ask('GET /drives', { headers: { authorization: 'Bearer key-b' } })),
    ['Own'],
    { set: { bothAuthHeaders: 'bearerWins' } },
  ],
  ['judges the key before the body', status(ask('POST /drives', { key: null, raw: '{' })), 401],
  ['judges the key before the ids', status(ask('GET /drives/none/files/none', { key: null })), 401],
  ['judges the path before the key', status(ask('GET /none', { key: null })), 404],
  [
    'keeps organizations apart',
    refusal(ask(`GET ${file}`, { key: 'key-b' })),
    '404 not-found: This organization has no such drive. Check the ids in the path.',
  ],
];

const wrongMethod = (method: string) => ({
  ...{ status: 405, headers: { allow: 'GET, HEAD, POST' } },
  body: problem(
    ...([405, 'method-not-allowed', 'Method not allowed'] as const),
    `${method} is not allowed on this path. Allowed: GET, HEAD, POST.`,
  ),
});
const routes: readonly Row[] = [
  [
    'refuses an unknown path',
    refusal(ask('GET /none')),
    '404 unknown-path: There is nothing at this path. The operations are below /v0.1; /openapi.json lists them.',
  ],
  ['refuses a wrong method and lists the right ones', ask('DELETE /drives', { see: ['allow'] }), wrongMethod('DELETE')],
  ['refuses OPTIONS without a preflight', ask('OPTIONS /drives', { see: ['allow'] }), wrongMethod('OPTIONS')],
  ['refuses a path with an empty id', status(ask('GET /drives//files/fil-1')), 404],
  ['refuses a trailing slash', status(ask('GET /agents/')), 404],
  [
    'refuses a path that is not UTF-8',
    refusal(ask('GET /drives/%FF/files/x')),
    '400 malformed-request: The path is not percent-encoded UTF-8.',
  ],
  ...[
    ['drive', '/drives/none/files/fil-1'],
    ['file', '/drives/drv-1/files/none'],
    ['MCP server', '/mcp-servers/none/tools'],
  ].map(
    ([what, path]): Row => [
      `refuses an unknown ${what}`,
      refusal(ask(`GET ${path}`)),
      `404 not-found: This organization has no such ${what}. Check the ids in the path.`,
    ],
  ),
];

const asText = { 'content-type': 'text/plain' };
const creation = (json: unknown) => ask('POST /drives', { json });
const bodies: readonly Row[] = [
  [
    'refuses a body that is not JSON',
    status(ask('POST /drives', { raw: '{', headers: { 'content-type': 'application/json' } })),
    400,
  ],
  [
    'refuses another media type',
    refusal(ask('POST /drives', { raw: '{"name":"x"}', headers: asText })),
    '415 unsupported-media-type: Send the body as JSON in UTF-8, with Content-Type: application/json.',
  ],
  [
    'refuses a missing field',
    creation({}),
    { status: 422, body: invalid(422, 'invalid-input', 'Invalid input', ['body.name', 'required', 'is required']) },
  ],
  ['refuses a field of a wrong type', refusal(creation({ name: 7 })), '422 invalid-input: body.name must be a string'],
  ['refuses an array as body', refusal(creation([])), '422 invalid-input: body must be an object'],
  [
    'names everything that is wrong',
    refusal(ask('POST /mcp-servers', { json: { name: '', url: 'x' } })),
    '422 invalid-input: body.name must have at least 1 character; body.url must be an http or https URL',
  ],
  ['ignores an unknown field', status(creation({ name: 'New', colour: 'red' })), 201],
  [
    'refuses an unknown field where its profile says so',
    refusal(creation({ name: 'New', colour: 'red' })),
    '422 invalid-input: body.colour is not a known field (known: name)',
    { set: { unknownBodyFields: 'refused' } },
  ],
  [
    'refuses a large body',
    refusal(creation({ name: 'x'.repeat(5000) })),
    '413 body-too-large: The body exceeds the limit of 4 KiB (4,096 bytes).',
    { set: { bodySizeLimit: 4096 } },
  ],
  [
    'judges the size before the media type',
    status(ask('POST /drives', { raw: 'x'.repeat(5000), headers: asText })),
    413,
    { set: { bodySizeLimit: 4096 } },
  ],
  [
    'coerces scalars where its profile says so',
    seen(({ body: { name } }) => name, creation({ name: 7 })),
    '7',
    { set: { wrongBodyTypes: 'coerced' } },
  ],
  [
    'bounds names where its profile says so',
    refusal(creation({ name: '😀'.repeat(256) })),
    '422 invalid-input: body.name must have at most 255 characters',
    { set: { nameRules: 'bounded' } },
  ],
];

const publish = (revisionId: string, request = publication) => ask(request, { json: { revisionId } });
const state: readonly Row[] = [
  ['creates a drive', create, { status: 201, body: shownDrive(firstId, 'New', nowIs) }],
  ['lists what it created', last(create, names(listDrives)), [...seeded, 'New']],
  [
    'creates an MCP server',
    ask('POST /mcp-servers', { json: { name: 'Mail', url: 'https://mail.example/mcp' } }),
    {
      status: 201,
      body: {
        ...{ id: firstId, organizationId: 'org-a', name: 'Mail', url: 'https://mail.example/mcp' },
        ...{ type: 'streamableHttp', ...since(nowIs) },
      },
    },
  ],
  [
    'publishes a revision',
    publish('rev-2'),
    { status: 200, body: { ...writer, hasChanges: false, ...since('2026-01-01T00:00:00.000Z', nowIs) } },
  ],
  [
    'refuses to publish an unknown revision',
    refusal(publish('none')),
    '404 unknown-revision: The agent has no revision with this id. Send the id of one of its revisions.',
  ],
  [
    'refuses to publish for an unknown agent',
    refusal(publish('rev-2', 'POST /agents/none/publish')),
    '404 not-found: This organization has no such agent. Check the ids in the path.',
  ],
  [
    'moves a file',
    each(
      status(move('/notes/moved.txt')),
      seen(({ body: { path } }) => path, ask(`GET ${file}`)),
    ),
    [200, '/notes/moved.txt'],
  ],
  [
    'refuses to move a file onto another',
    refusal(move('/notes/b.txt')),
    '409 conflict: This drive already has a file at /notes/b.txt. Choose a different path or move that file first.',
  ],
  [
    'deletes a tree and nothing beside it',
    each(
      ask(`DELETE ${tree}?path=/notes`),
      ...[1, 2, 3, 4].map((number) => status(ask(`GET /drives/drv-1/files/fil-${number}`))),
    ),
    [{ status: 200, body: { message: 'Deleting /notes', jobId: firstId, documentCount: 2 } }, ...[200, 404, 404, 200]],
  ],
  [
    'deletes a tree that another parameter names',
    status(ask(`DELETE ${tree}?directory=/notes`)),
    200,
    { set: { treePathParameter: 'directory' } },
  ],
  ['refuses to delete without a path', refusal(ask(`DELETE ${tree}`)), '422 invalid-input: query.path is required'],
];

const pathRule = 'path must start with / and must not contain a .. segment or a line break';
const paths: readonly Row[] = [
  ['refuses a path without a leading slash', refusal(move('x.txt')), `422 invalid-input: body.${pathRule}`],
  ...['/..', '/../x', '/a/../b', '/a/..', '/a\nb'].map(
    (path): Row => [`refuses ${JSON.stringify(path)}`, status(move(path)), 422],
  ),
  ...['/a..b', '/..a', '/.../x', '/%2e%2e/x'].map((path): Row => [`accepts ${path}`, status(move(path)), 200]),
  [
    'decodes %2e%2e in a query',
    refusal(ask(`DELETE ${tree}?path=/%2e%2e/notes`)),
    `422 invalid-input: query.${pathRule}`,
  ],
  ['refuses a .. segment in a query', status(ask(`DELETE ${tree}?path=/notes/../a`)), 422],
  [
    'accepts a line break where its profile says so',
    status(move('/a\nb')),
    200,
    { set: { pathLineBreaks: 'accepted' } },
  ],
  [
    'bounds paths where its profile says so',
    each(status(move(`/${'x'.repeat(299)}`)), refusal(move(`/${'x'.repeat(300)}`))),
    [200, '422 invalid-input: body.path must have at most 300 characters'],
    { set: { pathLength: 300 } },
  ],
];

const newId = seen(({ body: { id } }) => id, create);
const profiles: readonly Row[] = [
  [
    'nests errors',
    body(creation({})),
    {
      error: {
        ...{ code: 'invalid-input', message: 'body.name is required' },
        details: [{ location: ['body', 'name'], code: 'required', message: 'is required', severity: 'Error' }],
      },
    },
    { profile: { errorBody: 'nested' } },
  ],
  ['answers errors without a body', ask('GET /none'), { status: 404 }, { profile: { errorBody: 'empty' } }],
  [
    'answers 204 to a publication',
    ask(publication, { json: { revisionId: 'rev-2' }, see: ['content-length'] }),
    { status: 204, headers: { 'content-length': null } },
    { set: { publishStatus: 204 } },
  ],
  ['creates with another code', status(create), 202, { set: { createStatus: 202 } }],
  ['gives prefixed ids', newId, 'drv_ar6fmq5k7q7s815v6sjm', { set: { idFormat: 'prefixed' } }],
  [
    'refuses malformed ids',
    refusal(ask('GET /drives/a.b/files/fil-1')),
    '422 invalid-input: path.driveId must be an id: letters, digits, _ and - only',
    { set: { malformedIds: 'refused' } },
  ],
  [
    'announces rate limits',
    ask('HEAD /agents', { see: ['ratelimit-limit', 'ratelimit-remaining'] }),
    { status: 200, headers: { 'ratelimit-limit': '1000', 'ratelimit-remaining': '999' } },
    { set: { rateLimits: 'announced' } },
  ],
  [
    'draws the same profile from the same random seed',
    each(
      seen(
        ({ body: { profile } }) => [profile.idFormat, profile.errorBody, profile.createStatus],
        control('GET /settings'),
      ),
      status(ask('GET /agents')),
    ),
    [['sortable', 'problem', 202], 200],
    { vary: 'visible', randomSeed: 7 },
  ],
];

const fifth = { randomSeed: 5 };
const determinism: readonly Row[] = [
  ['gives the ids of its random seed', newId, '3afc6ab6-64a7-42a4-ad3d-5b092c404039', fifth],
  [
    'gives the same ids after a reset',
    last(create, control('POST /reset'), newId),
    '3afc6ab6-64a7-42a4-ad3d-5b092c404039',
    fifth,
  ],
  [
    'gives request ids of its own',
    ask('HEAD /agents', { see: ['x-request-id'] }),
    { status: 200, headers: { 'x-request-id': 'req-db85cc806a0348cd' } },
  ],
  [
    'takes a request id over',
    ask('HEAD /agents', { headers: { 'x-request-id': 'mine-1' }, see: ['x-request-id'] }),
    { status: 200, headers: { 'x-request-id': 'mine-1' } },
  ],
];

const forced: readonly Row[] = [
  [
    'forces a code',
    ask('GET /agents', { headers: { prefer: 'code=503' }, see: ['preference-applied', 'retry-after'] }),
    {
      ...{ status: 503, headers: { 'preference-applied': 'code=503', 'retry-after': '1' } },
      body: problem(
        ...([503, 'unavailable', 'Service unavailable'] as const),
        'The service is temporarily unavailable. Try again later.',
      ),
    },
  ],
  [
    'forces a success without a change',
    each(status(ask('POST /drives', { ...newDrive, headers: { prefer: 'code=201' } })), names(listDrives)),
    [201, seeded],
  ],
  ['needs a key to force an answer', status(ask('GET /agents', { key: null, headers: { prefer: 'code=200' } })), 401],
  [
    'refuses a wrong preference',
    ask('GET /agents', { headers: { prefer: 'code=99' }, see: ['x-mock-error'] }),
    {
      ...{ status: 400, headers: { 'x-mock-error': 'preference' } },
      body: invalid(...([400, 'invalid-preference', 'Invalid preference'] as const), [
        'Prefer.code',
        'preference',
        'must be a status code from 200 to 599',
      ]),
    },
  ],
  [
    'delays an answer',
    ask('HEAD /agents', { headers: { prefer: 'delay=1' }, see: ['preference-applied'] }),
    { status: 200, headers: { 'preference-applied': 'delay=1' } },
  ],
];

/** What is seen where there is a fault. */
const withFault = (fault: object, ...steps: readonly [Step, ...Step[]]) => {
  const [only] = steps;
  return last(control('POST /faults', fault), steps.length === 1 ? only : each(...steps));
};
const ofCreations = { operations: ['createDrive'] };
const faults: readonly Row[] = [
  [
    'answers with a status fault once',
    withFault(
      { id: 'f', effect: { status: { code: 503, retryAfterSeconds: 2 } }, when: { next: 1 } },
      ask('GET /agents', { see: ['x-fault', 'retry-after'] }),
      status(ask('GET /agents')),
    ),
    [
      {
        ...{ status: 503, headers: { 'x-fault': 'f', 'retry-after': '2' } },
        body: problem(
          ...([503, 'service-unavailable', 'Service Unavailable'] as const),
          'A fault caused this response. The header X-Fault names the fault.',
        ),
      },
      200,
    ],
  ],
  [
    'loses an answer, but not its effect',
    withFault({ effect: { connectionReset: {} }, ...ofCreations }, create, names(listDrives)),
    [{ error: 'TypeError' }, [...seeded, 'New']],
  ],
  [
    'closes the connection without an answer',
    withFault({ effect: { emptyAnswer: {} }, ...ofCreations }, create),
    { error: 'TypeError' },
  ],
  [
    'truncates a body',
    withFault({ effect: { truncatedBody: {} } }, ask('GET /agents', { see: ['x-fault'] })),
    { status: 200, headers: { 'x-fault': 'fault-1' }, error: 'TypeError' },
  ],
  ['sends a body piece by piece', withFault({ effect: { slowDribble: { overMs: 30 } } }, names(listDrives)), seeded],
  [
    'declares a wrong media type',
    withFault(
      { effect: { wrongMediaType: {} } },
      seen(({ status: code, headers }) => ({ code, headers }), ask('GET /agents', { see: ['content-type'] })),
    ),
    { code: 200, headers: { 'content-type': 'text/html' } },
  ],
  [
    'delays calls',
    withFault({ id: 'slow', effect: { latency: { delayMs: 5 } } }, ask('HEAD /agents', { see: ['x-fault'] })),
    { status: 200, headers: { 'x-fault': 'slow' } },
  ],
  [
    'starts with a latency',
    seen(({ body: { latency } }) => latency, control('GET /settings')),
    { fromMs: 1, toMs: 2 },
    { latency: '1-2' },
  ],
  [
    'refuses a wrong fault',
    control('POST /faults', { effect: { status: { code: 200 } }, when: {} }),
    {
      status: 422,
      body: invalid(
        ...([422, 'invalid-input', 'Invalid input'] as const),
        ['body.effect.status.code', 'minimum', 'must be a code from 400 to 599'],
        ['body.when', 'minProperties', 'must be exactly one of next, every and share'],
      ),
    },
  ],
];

const ofMine = names(ask('GET /drives', { key: 'key-mine' }));
const sandboxes: readonly Row[] = [
  [
    'opens a sandbox',
    each(status(control('POST /organizations', { name: 'Mine', key: 'key-mine', copyOf: 'Acme' })), ofMine),
    [201, seeded],
  ],
  [
    'keeps sandboxes apart',
    last(
      control('POST /organizations', { key: 'key-mine', copyOf: 'Acme' }),
      ask('POST /drives', { key: 'key-mine', ...newDrive }),
      each(names(listDrives), ofMine),
    ),
    [seeded, [...seeded, 'New']],
  ],
  ['opens a sandbox for an unknown key', ofMine, seeded, { openKeys: true }],
  [
    'retires the sandbox that was idle longest',
    last(ask('GET /drives', { key: 'first' }), ask('HEAD /drives', { key: 'second', see: ['x-retired-sandboxes'] })),
    { status: 200, headers: { 'x-retired-sandboxes': '85757683-ca8e-4620-95aa-0764e48281cd' } },
    { openKeys: true, maxSandboxes: 1 },
  ],
];

const idsOf = (all: { id: string }[]) => all.map(({ id }) => id);
const unknownField = 'is not a known field (known: id, name, description, revisions, published, createdAt, updatedAt)';
const neededInSnapshot = 'name origin keys firstKeys ids deferred agents drives mcpServers listed'.split(' ');
const admin: readonly Row[] = [
  ['says that it is healthy', control('GET /health'), { status: 200, body: { status: 'healthy', organizations: 2 } }],
  [
    'shows what the API cannot',
    seen(({ body: { revisions } }) => revisions, control('GET /organizations/org-a/agents/agt-1')),
    [
      { id: 'rev-1', createdAt: '2026-01-01T00:00:00.000Z' },
      { id: 'rev-2', createdAt: '2026-02-01T00:00:00.000Z' },
    ],
  ],
  [
    'creates a file',
    each(
      status(control('POST /organizations/org-a/drives/drv-1/files', { id: 'fil-9', path: '/new.txt' })),
      body(ask('GET /drives/drv-1/files/fil-9')),
    ),
    [
      201,
      {
        ...{ kind: 'file', id: 'fil-9', name: 'new.txt', path: '/new.txt', status: 'ready', modifiedAt: nowIs },
        ...{ size: 0, contentType: 'application/octet-stream' },
      },
    ],
  ],
  [
    'refuses a wrong body',
    control('POST /organizations/org-a/agents', { name: 1, colour: 'red' }),
    {
      status: 422,
      body: invalid(
        ...([422, 'invalid-input', 'Invalid input'] as const),
        ['body.colour', 'unknownField', unknownField],
        ['body.name', 'type', 'must be a string'],
      ),
    },
  ],
  [
    'refuses an unknown path of the admin API',
    refusal(control('GET /none')),
    '404 unknown-path: There is nothing here. /__admin/openapi.json lists all paths.',
  ],
  [
    'changes the profile',
    each(status(control('PATCH /settings', { profile: { createStatus: 202 } })), status(create)),
    [200, 202],
  ],
  [
    'moves the clock',
    last(
      control('PATCH /settings', { advanceMs: 60_000 }),
      seen(({ body: { createdAt } }) => createdAt, create),
    ),
    '2026-03-02T08:16:00.000Z',
  ],
  ['resets the state', last(create, each(status(control('POST /reset')), names(listDrives))), [200, seeded]],
  [
    'restores a snapshot',
    async (client) => {
      const { body: snapshot } = await client.control('GET', '/snapshot');
      return last(create, each(status(control('PUT /snapshot', snapshot)), names(listDrives)))(client);
    },
    [200, seeded],
  ],
  [
    'refuses a wrong snapshot',
    control('PUT /snapshot', { organizations: [{ id: 1 }] }),
    {
      status: 422,
      body: invalid(
        ...([422, 'invalid-input', 'Invalid input'] as const),
        ...['revokedKeys', ...neededInSnapshot.map((name) => `organizations.0.${name}`)].map(
          (at): [string, string, string] => [`body.${at}`, 'required', 'is required'],
        ),
        ['body.organizations.0.id', 'type', 'must be a string'],
      ),
    },
  ],
  [
    'writes its state as a seed',
    seen(({ body: { organizations } }) => idsOf(organizations), control('GET /seed')),
    ['org-a', 'org-b'],
  ],
  [
    'lists the open points of an operation',
    seen((one) => idsOf(one.body).join(' '), control('GET /open-points?operation=createDrive')),
    'createStatus requiredBodyFields unknownBodyFields unknownQueryParameters mediaTypeRules idFormat nameRules duplicateNames conflictStatus timestampPrecision timestampZone extraFields keyOrder answerMediaType errorBody invalidInputStatus malformedJsonStatus unsupportedMediaTypeStatus bodyTooLargeStatus invalidBodyStatus unknownParameterStatus wrongBodyTypes wwwAuthenticate bearerSpelling bothAuthHeaders cors rateLimits bodySizeLimit readAfterWrite',
  ],
  ['is absent when told to', status(control('GET /health')), 404, { admin: false }],
];

interface Entry {
  id: number;
  operationId?: string;
  organizationId?: string;
  request: { method: string; url: string; headers: Record<string, string>; body?: string };
  answer: { status: number };
  faults?: string[];
}

/** What the request log has after some steps. */
const logged = (look: (entry: Entry) => unknown, steps: readonly Step[], query = '') =>
  last(
    ...steps,
    seen((one) => one.body.requests.map(look), control(`GET /requests${query}`)),
  );

const requestLog: readonly Row[] = [
  [
    'records exchanges, newest first, without keys',
    logged(
      ({ id, operationId, organizationId, request: { method, url, body: sent, headers }, answer }) => ({
        ...{ id, operationId, organizationId, method, url, sent, key: headers['x-api-key'], status: answer.status },
      }),
      [ask('GET /drives?limit=1'), create],
    ),
    [
      {
        ...{ id: 1, operationId: 'createDrive', organizationId: 'org-a', method: 'POST', url: '/v0.1/drives' },
        ...{ sent: '{"name":"New"}', key: '[REDACTED]', status: 201 },
      },
      {
        ...{ id: 0, operationId: 'listDrives', organizationId: 'org-a', method: 'GET', url: '/v0.1/drives?limit=1' },
        ...{ key: '[REDACTED]', status: 200 },
      },
    ],
  ],
  [
    'records what was refused',
    logged(
      ({ operationId, answer }) => [operationId ?? null, answer.status],
      [ask('GET /none', { key: null }), creation({})],
    ),
    [
      ['createDrive', 422],
      [null, 404],
    ],
  ],
  [
    'filters exchanges',
    logged(({ operationId }) => operationId, [ask('GET /agents'), listDrives], '?operation=listDrives'),
    ['listDrives'],
  ],
  [
    'records a lost answer',
    logged(
      ({ answer, faults: by }) => [answer.status, by],
      [withFault({ id: 'f', effect: { emptyAnswer: {} }, ...ofCreations }, create)],
    ),
    [[0, ['f']]],
  ],
  ['forgets exchanges', last(ask('GET /agents'), body(control('DELETE /requests'))), { forgotten: 1 }],
  [
    'keeps no request log when told to',
    refusal(control('GET /requests')),
    '404 not-found: The request log is off: --request-log-limit is 0.',
    { requestLogLimit: 0 },
  ],
];

export const behaviours: readonly Behaviour[] = [
  ...[reads, paging, keys, routes, bodies, state, paths, profiles, determinism].flat(),
  ...[forced, faults, sandboxes, admin, requestLog].flat(),
].map(([name, run, expected, options]) => ({ name, options: { ...usual, ...options }, run, expected }));
