/**
 * What all edges of the mock do in the same way: over HTTP, as a function like fetch, and behind MSW in Node and in a
 * page. The expected values are beside the requests. All behaviours use the seed and the clock below.
 */
import type { FetchOptions } from '../../src/browser/fetch.ts';
import type { Client, Outcome } from './client.ts';

export interface Behaviour {
  name: string;
  options: FetchOptions;
  run: (client: Client) => Promise<unknown>;
  expected: unknown;
}

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
              id: 'fil-1',
              path: '/a.txt',
              sizeBytes: 5,
              contentType: 'text/plain',
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

/** One behaviour. `options` are added to the usual ones. */
function behaviour(name: string, options: FetchOptions, run: Behaviour['run'], expected: unknown): Behaviour {
  return { name, options: { ...usual, ...options }, run, expected };
}

const file = '/drives/drv-1/files/fil-1';
const tree = '/drives/drv-1/items/tree';
const statusOf = ({ status, error }: Outcome) => status ?? error;
const namesOf = ({ body }: Outcome) => body.data.map(({ name }: { name: string }) => name);
const refusal = ({ status, body }: Outcome) => ({ status, type: body.type, detail: body.detail });
const move = (client: Client, path: unknown) => client.api('PATCH', file, { json: { path } });

/** The statuses of requests sent one after the other. */
async function statuses(requests: readonly (() => Promise<Outcome>)[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const request of requests) found.push(statusOf(await request()));
  return found;
}

const reads: readonly Behaviour[] = [
  behaviour('lists agents', {}, ({ api }) => api('GET', '/agents', { see: ['content-type'] }), {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: [
      {
        id: 'agt-1',
        name: 'Writer',
        isPublished: true,
        hasChanges: true,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
      },
    ],
  }),
  behaviour('lists drives in an envelope', {}, ({ api }) => api('GET', '/drives'), {
    status: 200,
    body: {
      data: [
        {
          id: 'drv-1',
          organizationId: 'org-a',
          name: 'Docs',
          createdAt: '2026-01-02T00:00:00.000Z',
          updatedAt: '2026-01-02T00:00:00.000Z',
        },
        {
          id: 'drv-2',
          organizationId: 'org-a',
          name: 'Plans',
          createdAt: '2026-01-03T00:00:00.000Z',
          updatedAt: '2026-01-03T00:00:00.000Z',
        },
        {
          id: 'drv-3',
          organizationId: 'org-a',
          name: 'Ideas',
          createdAt: '2026-01-04T00:00:00.000Z',
          updatedAt: '2026-01-04T00:00:00.000Z',
        },
      ],
      pagination: { limit: 20, offset: 0, total: 3 },
    },
  }),
  behaviour(
    'lists the drives of another key',
    {},
    async ({ api }) => namesOf(await api('GET', '/drives', { key: 'key-b' })),
    ['Own'],
  ),
  behaviour('reads a file', {}, ({ api }) => api('GET', file), {
    status: 200,
    body: {
      kind: 'file',
      id: 'fil-1',
      name: 'a.txt',
      path: '/a.txt',
      status: 'ready',
      modifiedAt: '2026-01-03T00:00:00.000Z',
      size: 5,
      contentType: 'text/plain',
    },
  }),
  behaviour('lists MCP servers', {}, ({ api }) => api('GET', '/mcp-servers'), {
    status: 200,
    body: [
      {
        id: 'mcp-1',
        organizationId: 'org-a',
        name: 'Search',
        url: 'https://mcp.example/search',
        type: 'streamableHttp',
        createdAt: '2026-01-05T00:00:00.000Z',
        updatedAt: '2026-01-05T00:00:00.000Z',
      },
    ],
  }),
  behaviour('lists the tools of an MCP server', {}, ({ api }) => api('GET', '/mcp-servers/mcp-1/tools'), {
    status: 200,
    body: { tools: [{ name: 'find', description: 'Finds things.' }] },
  }),
  behaviour(
    'answers HEAD with the headers alone',
    {},
    ({ api }) => api('HEAD', '/agents', { see: ['content-type', 'content-length'] }),
    { status: 200, headers: { 'content-type': 'application/json', 'content-length': '147' } },
  ),
  behaviour('shows the time of its clock', {}, ({ api }) => api('HEAD', '/agents', { see: ['date'] }), {
    status: 200,
    headers: { date: 'Mon, 02 Mar 2026 08:15:00 GMT' },
  }),
  behaviour(
    'names the open points that shaped an answer',
    {},
    ({ api }) => api('HEAD', '/drives', { see: ['x-open-points'] }),
    {
      status: 200,
      headers: {
        'x-open-points':
          'readStatus, defaultLimit, defaultOffset, listOrder, totalMeaning, paginationFields, idFormat, timestampPrecision, timestampZone, extraFields, keyOrder, answerMediaType, driveUpdatedAt, rateLimits, readAfterWrite',
      },
    },
  ),
  behaviour(
    'leaves the open points out when told to',
    { openPointsHeader: false },
    ({ api }) => api('HEAD', '/drives', { see: ['x-open-points'] }),
    { status: 200, headers: { 'x-open-points': null } },
  ),
  behaviour(
    'decodes an id in the path',
    {},
    async ({ api }) => statusOf(await api('GET', '/drives/drv%2D1/files/fil%2d1')),
    200,
  ),
  behaviour(
    'takes an encoded slash as part of an id',
    {},
    async ({ api }) => refusal(await api('GET', '/drives/drv-1%2Ffiles/files/fil-1')),
    {
      status: 404,
      type: 'urn:agent-platform:problem:not-found',
      detail: 'This organization has no such drive. Check the ids in the path.',
    },
  ),
];

const paging: readonly Behaviour[] = [
  behaviour('pages with limit', {}, async ({ api }) => (await api('GET', '/drives?limit=2')).body.pagination, {
    limit: 2,
    offset: 0,
    total: 3,
  }),
  behaviour('pages with offset', {}, async ({ api }) => namesOf(await api('GET', '/drives?limit=1&offset=1')), [
    'Plans',
  ]),
  behaviour(
    'answers an empty page beyond the end',
    {},
    async ({ api }) => namesOf(await api('GET', '/drives?offset=3')),
    [],
  ),
  behaviour('refuses a limit of 0', {}, async ({ api }) => refusal(await api('GET', '/drives?limit=0')), {
    status: 422,
    type: 'urn:agent-platform:problem:invalid-input',
    detail: 'query.limit must be >= 1',
  }),
  behaviour('refuses a limit of 101', {}, async ({ api }) => refusal(await api('GET', '/drives?limit=101')), {
    status: 422,
    type: 'urn:agent-platform:problem:invalid-input',
    detail: 'query.limit must be <= 100',
  }),
  behaviour(
    'refuses a limit that is no integer',
    {},
    async ({ api }) => refusal(await api('GET', '/drives?limit=2.5')),
    { status: 422, type: 'urn:agent-platform:problem:invalid-input', detail: 'query.limit must be an integer' },
  ),
  behaviour('refuses a negative offset', {}, async ({ api }) => refusal(await api('GET', '/drives?offset=-1')), {
    status: 422,
    type: 'urn:agent-platform:problem:invalid-input',
    detail: 'query.offset must be >= 0',
  }),
  behaviour(
    'refuses a parameter that is sent twice',
    {},
    async ({ api }) => refusal(await api('GET', '/drives?limit=1&limit=2')),
    { status: 422, type: 'urn:agent-platform:problem:invalid-input', detail: 'query.limit must be sent once' },
  ),
];

const keys: readonly Behaviour[] = [
  behaviour(
    'refuses a request without a key',
    {},
    ({ api }) => api('GET', '/agents', { key: null, see: ['www-authenticate', 'content-type'] }),
    {
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="agent-platform"', 'content-type': 'application/problem+json' },
      body: {
        type: 'urn:agent-platform:problem:unauthenticated',
        title: 'Authentication required',
        status: 401,
        detail:
          'The request has no API key in a supported form. Send a valid API key, either as X-API-Key: <API_KEY> or as Authorization: Bearer <API_KEY>.',
      },
    },
  ),
  behaviour('refuses an unknown key', {}, async ({ api }) => refusal(await api('GET', '/agents', { key: 'key-x' })), {
    status: 401,
    type: 'urn:agent-platform:problem:unauthenticated',
    detail:
      'The API key is unknown. Send a valid API key, either as X-API-Key: <API_KEY> or as Authorization: Bearer <API_KEY>.',
  }),
  behaviour(
    'takes the key as a bearer token',
    {},
    async ({ api }) => statusOf(await api('GET', '/agents', { key: null, headers: { authorization: 'Bearer key-a' } })),
    200,
  ),
  behaviour(
    'takes no other scheme',
    {},
    async ({ api }) => statusOf(await api('GET', '/agents', { key: null, headers: { authorization: 'Basic key-a' } })),
    401,
  ),
  behaviour(
    'judges both auth headers as its profile says',
    {},
    async ({ api }) => statusOf(await api('GET', '/agents', { headers: { authorization: 'Bearer key-b' } })),
    401,
  ),
  behaviour(
    'lets one auth header win',
    { set: { bothAuthHeaders: 'bearerWins' } },
    async ({ api }) => namesOf(await api('GET', '/drives', { headers: { authorization: 'Bearer key-b' } })),
    ['Own'],
  ),
  behaviour(
    'judges the key before the body',
    {},
    async ({ api }) => statusOf(await api('POST', '/drives', { key: null, raw: '{' })),
    401,
  ),
  behaviour(
    'judges the key before the ids',
    {},
    async ({ api }) => statusOf(await api('GET', '/drives/none/files/none', { key: null })),
    401,
  ),
  behaviour(
    'judges the path before the key',
    {},
    async ({ api }) => statusOf(await api('GET', '/none', { key: null })),
    404,
  ),
  behaviour('keeps organizations apart', {}, async ({ api }) => refusal(await api('GET', file, { key: 'key-b' })), {
    status: 404,
    type: 'urn:agent-platform:problem:not-found',
    detail: 'This organization has no such drive. Check the ids in the path.',
  }),
];

const routes: readonly Behaviour[] = [
  behaviour('refuses an unknown path', {}, async ({ api }) => refusal(await api('GET', '/none')), {
    status: 404,
    type: 'urn:agent-platform:problem:unknown-path',
    detail: 'There is nothing at this path. The operations are below /v0.1; /openapi.json lists them.',
  }),
  behaviour(
    'refuses a wrong method and lists the right ones',
    {},
    ({ api }) => api('DELETE', '/drives', { see: ['allow'] }),
    {
      status: 405,
      headers: { allow: 'GET, HEAD, POST' },
      body: {
        type: 'urn:agent-platform:problem:method-not-allowed',
        title: 'Method not allowed',
        status: 405,
        detail: 'DELETE is not allowed on this path. Allowed: GET, HEAD, POST.',
      },
    },
  ),
  behaviour('refuses OPTIONS without a preflight', {}, ({ api }) => api('OPTIONS', '/drives', { see: ['allow'] }), {
    status: 405,
    headers: { allow: 'GET, HEAD, POST' },
    body: {
      type: 'urn:agent-platform:problem:method-not-allowed',
      title: 'Method not allowed',
      status: 405,
      detail: 'OPTIONS is not allowed on this path. Allowed: GET, HEAD, POST.',
    },
  }),
  behaviour(
    'refuses a path with an empty id',
    {},
    async ({ api }) => statusOf(await api('GET', '/drives//files/fil-1')),
    404,
  ),
  behaviour('refuses a trailing slash', {}, async ({ api }) => statusOf(await api('GET', '/agents/')), 404),
  behaviour(
    'refuses a path that is not UTF-8',
    {},
    async ({ api }) => refusal(await api('GET', '/drives/%FF/files/x')),
    {
      status: 400,
      type: 'urn:agent-platform:problem:malformed-request',
      detail: 'The path is not percent-encoded UTF-8.',
    },
  ),
  behaviour('refuses an unknown drive', {}, async ({ api }) => refusal(await api('GET', '/drives/none/files/fil-1')), {
    status: 404,
    type: 'urn:agent-platform:problem:not-found',
    detail: 'This organization has no such drive. Check the ids in the path.',
  }),
  behaviour('refuses an unknown file', {}, async ({ api }) => refusal(await api('GET', '/drives/drv-1/files/none')), {
    status: 404,
    type: 'urn:agent-platform:problem:not-found',
    detail: 'This organization has no such file. Check the ids in the path.',
  }),
  behaviour(
    'refuses an unknown MCP server',
    {},
    async ({ api }) => refusal(await api('GET', '/mcp-servers/none/tools')),
    {
      status: 404,
      type: 'urn:agent-platform:problem:not-found',
      detail: 'This organization has no such MCP server. Check the ids in the path.',
    },
  ),
];

const bodies: readonly Behaviour[] = [
  behaviour(
    'refuses a body that is not JSON',
    {},
    async ({ api }) =>
      statusOf(await api('POST', '/drives', { raw: '{', headers: { 'content-type': 'application/json' } })),
    400,
  ),
  behaviour(
    'refuses another media type',
    {},
    async ({ api }) =>
      refusal(await api('POST', '/drives', { raw: '{"name":"x"}', headers: { 'content-type': 'text/plain' } })),
    {
      status: 415,
      type: 'urn:agent-platform:problem:unsupported-media-type',
      detail: 'Send the body as JSON in UTF-8, with Content-Type: application/json.',
    },
  ),
  behaviour('refuses a missing field', {}, ({ api }) => api('POST', '/drives', { json: {} }), {
    status: 422,
    body: {
      type: 'urn:agent-platform:problem:invalid-input',
      title: 'Invalid input',
      status: 422,
      detail: 'body.name is required',
      validation: [{ location: ['body', 'name'], code: 'required', message: 'is required', severity: 'Error' }],
    },
  }),
  behaviour(
    'refuses a field of a wrong type',
    {},
    async ({ api }) => refusal(await api('POST', '/drives', { json: { name: 7 } })),
    { status: 422, type: 'urn:agent-platform:problem:invalid-input', detail: 'body.name must be a string' },
  ),
  behaviour('refuses an array as body', {}, async ({ api }) => refusal(await api('POST', '/drives', { json: [] })), {
    status: 422,
    type: 'urn:agent-platform:problem:invalid-input',
    detail: 'body must be an object',
  }),
  behaviour(
    'names everything that is wrong',
    {},
    async ({ api }) => refusal(await api('POST', '/mcp-servers', { json: { name: '', url: 'x' } })),
    {
      status: 422,
      type: 'urn:agent-platform:problem:invalid-input',
      detail: 'body.name must have at least 1 character; body.url must be an http or https URL',
    },
  ),
  behaviour(
    'ignores an unknown field',
    {},
    async ({ api }) => statusOf(await api('POST', '/drives', { json: { name: 'New', colour: 'red' } })),
    201,
  ),
  behaviour(
    'refuses an unknown field where its profile says so',
    { set: { unknownBodyFields: 'refused' } },
    async ({ api }) => refusal(await api('POST', '/drives', { json: { name: 'New', colour: 'red' } })),
    {
      status: 422,
      type: 'urn:agent-platform:problem:invalid-input',
      detail: 'body.colour is not a known field (known: name)',
    },
  ),
  behaviour(
    'refuses a large body',
    { set: { bodySizeLimit: 4096 } },
    async ({ api }) => refusal(await api('POST', '/drives', { json: { name: 'x'.repeat(5000) } })),
    {
      status: 413,
      type: 'urn:agent-platform:problem:body-too-large',
      detail: 'The body exceeds the limit of 4 KiB (4,096 bytes).',
    },
  ),
  behaviour(
    'judges the size before the media type',
    { set: { bodySizeLimit: 4096 } },
    async ({ api }) =>
      statusOf(await api('POST', '/drives', { raw: 'x'.repeat(5000), headers: { 'content-type': 'text/plain' } })),
    413,
  ),
  behaviour(
    'coerces scalars where its profile says so',
    { set: { wrongBodyTypes: 'coerced' } },
    async ({ api }) => (await api('POST', '/drives', { json: { name: 7 } })).body.name,
    '7',
  ),
  behaviour(
    'bounds names where its profile says so',
    { set: { nameRules: 'bounded' } },
    async ({ api }) => refusal(await api('POST', '/drives', { json: { name: '😀'.repeat(256) } })),
    {
      status: 422,
      type: 'urn:agent-platform:problem:invalid-input',
      detail: 'body.name must have at most 255 characters',
    },
  ),
];

const state: readonly Behaviour[] = [
  behaviour('creates a drive', {}, ({ api }) => api('POST', '/drives', { json: { name: 'New' } }), {
    status: 201,
    body: {
      id: 'e86a6a2a-3480-4b98-a662-b3a6423b4f4f',
      organizationId: 'org-a',
      name: 'New',
      createdAt: '2026-03-02T08:15:00.000Z',
      updatedAt: '2026-03-02T08:15:00.000Z',
    },
  }),
  behaviour(
    'lists what it created',
    {},
    async ({ api }) => {
      await api('POST', '/drives', { json: { name: 'New' } });
      return namesOf(await api('GET', '/drives'));
    },
    ['Docs', 'Plans', 'Ideas', 'New'],
  ),
  behaviour(
    'creates an MCP server',
    {},
    ({ api }) => api('POST', '/mcp-servers', { json: { name: 'Mail', url: 'https://mail.example/mcp' } }),
    {
      status: 201,
      body: {
        id: 'e86a6a2a-3480-4b98-a662-b3a6423b4f4f',
        organizationId: 'org-a',
        name: 'Mail',
        url: 'https://mail.example/mcp',
        type: 'streamableHttp',
        createdAt: '2026-03-02T08:15:00.000Z',
        updatedAt: '2026-03-02T08:15:00.000Z',
      },
    },
  ),
  behaviour(
    'publishes a revision',
    {},
    ({ api }) => api('POST', '/agents/agt-1/publish', { json: { revisionId: 'rev-2' } }),
    {
      status: 200,
      body: {
        id: 'agt-1',
        name: 'Writer',
        isPublished: true,
        hasChanges: false,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-03-02T08:15:00.000Z',
      },
    },
  ),
  behaviour(
    'refuses to publish an unknown revision',
    {},
    async ({ api }) => refusal(await api('POST', '/agents/agt-1/publish', { json: { revisionId: 'none' } })),
    {
      status: 404,
      type: 'urn:agent-platform:problem:unknown-revision',
      detail: 'The agent has no revision with this id. Send the id of one of its revisions.',
    },
  ),
  behaviour(
    'refuses to publish for an unknown agent',
    {},
    async ({ api }) => refusal(await api('POST', '/agents/none/publish', { json: { revisionId: 'rev-2' } })),
    {
      status: 404,
      type: 'urn:agent-platform:problem:not-found',
      detail: 'This organization has no such agent. Check the ids in the path.',
    },
  ),
  behaviour(
    'moves a file',
    {},
    async (client) => {
      const moved = await move(client, '/notes/moved.txt');
      return [moved.status, (await client.api('GET', file)).body.path];
    },
    [200, '/notes/moved.txt'],
  ),
  behaviour('refuses to move a file onto another', {}, async (client) => refusal(await move(client, '/notes/b.txt')), {
    status: 409,
    type: 'urn:agent-platform:problem:conflict',
    detail: 'This drive already has a file at /notes/b.txt. Choose a different path or move that file first.',
  }),
  behaviour(
    'deletes a tree and nothing beside it',
    {},
    async ({ api }) => {
      const deleted = await api('DELETE', `${tree}?path=/notes`);
      const left = await statuses(
        ['fil-1', 'fil-2', 'fil-3', 'fil-4'].map((id) => () => api('GET', `/drives/drv-1/files/${id}`)),
      );
      return { deleted, left };
    },
    {
      deleted: {
        status: 200,
        body: { message: 'Deleting /notes', jobId: 'e86a6a2a-3480-4b98-a662-b3a6423b4f4f', documentCount: 2 },
      },
      left: [200, 404, 404, 200],
    },
  ),
  behaviour(
    'deletes a tree that another parameter names',
    { set: { treePathParameter: 'directory' } },
    async ({ api }) => statusOf(await api('DELETE', `${tree}?directory=/notes`)),
    200,
  ),
  behaviour('refuses to delete without a path', {}, async ({ api }) => refusal(await api('DELETE', tree)), {
    status: 422,
    type: 'urn:agent-platform:problem:invalid-input',
    detail: 'query.path is required',
  }),
];

const paths: readonly Behaviour[] = [
  behaviour('refuses a path without a leading slash', {}, async (client) => refusal(await move(client, 'x.txt')), {
    status: 422,
    type: 'urn:agent-platform:problem:invalid-input',
    detail: 'body.path must start with / and must not contain a .. segment or a line break',
  }),
  behaviour(
    'refuses paths with a .. segment',
    {},
    (client) => statuses(['/..', '/../x', '/a/../b', '/a/..'].map((path) => () => move(client, path))),
    [422, 422, 422, 422],
  ),
  behaviour(
    'accepts names with dots',
    {},
    (client) => statuses(['/a..b', '/..a', '/.../x'].map((path) => () => move(client, path))),
    [200, 200, 200],
  ),
  behaviour('takes %2e%2e in a body as a name', {}, async (client) => statusOf(await move(client, '/%2e%2e/x')), 200),
  behaviour(
    'decodes %2e%2e in a query',
    {},
    async ({ api }) => refusal(await api('DELETE', `${tree}?path=/%2e%2e/notes`)),
    {
      status: 422,
      type: 'urn:agent-platform:problem:invalid-input',
      detail: 'query.path must start with / and must not contain a .. segment or a line break',
    },
  ),
  behaviour(
    'refuses a .. segment in a query',
    {},
    async ({ api }) => statusOf(await api('DELETE', `${tree}?path=/notes/../a`)),
    422,
  ),
  behaviour('refuses a line break in a path', {}, async (client) => statusOf(await move(client, '/a\nb')), 422),
  behaviour(
    'accepts a line break where its profile says so',
    { set: { pathLineBreaks: 'accepted' } },
    async (client) => statusOf(await move(client, '/a\nb')),
    200,
  ),
  behaviour(
    'bounds paths where its profile says so',
    { set: { pathLength: 300 } },
    async (client) => [
      statusOf(await move(client, `/${'x'.repeat(299)}`)),
      refusal(await move(client, `/${'x'.repeat(300)}`)),
    ],
    [
      200,
      {
        status: 422,
        type: 'urn:agent-platform:problem:invalid-input',
        detail: 'body.path must have at most 300 characters',
      },
    ],
  ),
];

const profiles: readonly Behaviour[] = [
  behaviour(
    'nests errors',
    { profile: { errorBody: 'nested' } },
    async ({ api }) => (await api('POST', '/drives', { json: {} })).body,
    {
      error: {
        code: 'invalid-input',
        message: 'body.name is required',
        details: [{ location: ['body', 'name'], code: 'required', message: 'is required', severity: 'Error' }],
      },
    },
  ),
  behaviour('answers errors without a body', { profile: { errorBody: 'empty' } }, ({ api }) => api('GET', '/none'), {
    status: 404,
  }),
  behaviour(
    'answers 204 to a publication',
    { set: { publishStatus: 204 } },
    ({ api }) => api('POST', '/agents/agt-1/publish', { json: { revisionId: 'rev-2' }, see: ['content-length'] }),
    { status: 204, headers: { 'content-length': null } },
  ),
  behaviour(
    'creates with another code',
    { set: { createStatus: 202 } },
    async ({ api }) => statusOf(await api('POST', '/drives', { json: { name: 'New' } })),
    202,
  ),
  behaviour(
    'gives prefixed ids',
    { set: { idFormat: 'prefixed' } },
    async ({ api }) => (await api('POST', '/drives', { json: { name: 'New' } })).body.id,
    'drv_ar6fmq5k7q7s815v6sjm',
  ),
  behaviour(
    'refuses malformed ids',
    { set: { malformedIds: 'refused' } },
    async ({ api }) => refusal(await api('GET', '/drives/a.b/files/fil-1')),
    {
      status: 422,
      type: 'urn:agent-platform:problem:invalid-input',
      detail: 'path.driveId must be an id: letters, digits, _ and - only',
    },
  ),
  behaviour(
    'announces rate limits',
    { set: { rateLimits: 'announced' } },
    ({ api }) => api('HEAD', '/agents', { see: ['ratelimit-limit', 'ratelimit-remaining'] }),
    { status: 200, headers: { 'ratelimit-limit': '1000', 'ratelimit-remaining': '999' } },
  ),
  behaviour(
    'draws the same profile from the same random seed',
    { vary: 'visible', randomSeed: 7 },
    async ({ api, control }) => {
      const { profile } = (await control('GET', '/settings')).body;
      return [profile.idFormat, profile.errorBody, profile.createStatus, statusOf(await api('GET', '/agents'))];
    },
    ['sortable', 'problem', 202, 200],
  ),
];

const determinism: readonly Behaviour[] = [
  behaviour(
    'gives the ids of its random seed',
    { randomSeed: 5 },
    async ({ api }) => (await api('POST', '/drives', { json: { name: 'New' } })).body.id,
    '3afc6ab6-64a7-42a4-ad3d-5b092c404039',
  ),
  behaviour(
    'gives the same ids after a reset',
    { randomSeed: 5 },
    async ({ api, control }) => {
      await api('POST', '/drives', { json: { name: 'Old' } });
      await control('POST', '/reset');
      return (await api('POST', '/drives', { json: { name: 'New' } })).body.id;
    },
    '3afc6ab6-64a7-42a4-ad3d-5b092c404039',
  ),
  behaviour('gives request ids of its own', {}, ({ api }) => api('HEAD', '/agents', { see: ['x-request-id'] }), {
    status: 200,
    headers: { 'x-request-id': 'req-db85cc806a0348cd' },
  }),
  behaviour(
    'takes a request id over',
    {},
    ({ api }) => api('HEAD', '/agents', { headers: { 'x-request-id': 'mine-1' }, see: ['x-request-id'] }),
    { status: 200, headers: { 'x-request-id': 'mine-1' } },
  ),
];

const forced: readonly Behaviour[] = [
  behaviour(
    'forces a code',
    {},
    ({ api }) => api('GET', '/agents', { headers: { prefer: 'code=503' }, see: ['preference-applied', 'retry-after'] }),
    {
      status: 503,
      headers: { 'preference-applied': 'code=503', 'retry-after': '1' },
      body: {
        type: 'urn:agent-platform:problem:unavailable',
        title: 'Service unavailable',
        status: 503,
        detail: 'The service is temporarily unavailable. Try again later.',
      },
    },
  ),
  behaviour(
    'forces a success without a change',
    {},
    async ({ api }) => {
      const forcedAnswer = await api('POST', '/drives', { json: { name: 'New' }, headers: { prefer: 'code=201' } });
      return [forcedAnswer.status, namesOf(await api('GET', '/drives'))];
    },
    [201, ['Docs', 'Plans', 'Ideas']],
  ),
  behaviour(
    'needs a key to force an answer',
    {},
    async ({ api }) => statusOf(await api('GET', '/agents', { key: null, headers: { prefer: 'code=200' } })),
    401,
  ),
  behaviour(
    'refuses a wrong preference',
    {},
    ({ api }) => api('GET', '/agents', { headers: { prefer: 'code=99' }, see: ['x-mock-error'] }),
    {
      status: 400,
      headers: { 'x-mock-error': 'preference' },
      body: {
        type: 'urn:agent-platform:problem:invalid-preference',
        title: 'Invalid preference',
        status: 400,
        detail: 'Prefer.code must be a status code from 200 to 599',
        validation: [
          {
            location: ['Prefer', 'code'],
            code: 'preference',
            message: 'must be a status code from 200 to 599',
            severity: 'Error',
          },
        ],
      },
    },
  ),
  behaviour(
    'delays an answer',
    {},
    ({ api }) => api('HEAD', '/agents', { headers: { prefer: 'delay=1' }, see: ['preference-applied'] }),
    { status: 200, headers: { 'preference-applied': 'delay=1' } },
  ),
];

const faults: readonly Behaviour[] = [
  behaviour(
    'answers with a status fault once',
    {},
    async ({ api, control }) => {
      await control('POST', '/faults', {
        id: 'f',
        effect: { status: { code: 503, retryAfterSeconds: 2 } },
        when: { next: 1 },
      });
      return [await api('GET', '/agents', { see: ['x-fault', 'retry-after'] }), statusOf(await api('GET', '/agents'))];
    },
    [
      {
        status: 503,
        headers: { 'x-fault': 'f', 'retry-after': '2' },
        body: {
          type: 'urn:agent-platform:problem:service-unavailable',
          title: 'Service Unavailable',
          status: 503,
          detail: 'A fault caused this response. The header X-Fault names the fault.',
        },
      },
      200,
    ],
  ),
  behaviour(
    'loses an answer, but not its effect',
    {},
    async ({ api, control }) => {
      await control('POST', '/faults', { effect: { connectionReset: {} }, operations: ['createDrive'] });
      return [
        await api('POST', '/drives', { json: { name: 'New' } }),
        namesOf(await api('GET', '/drives')).includes('New'),
      ];
    },
    [{ error: 'TypeError' }, true],
  ),
  behaviour(
    'closes the connection without an answer',
    {},
    async ({ api, control }) => {
      await control('POST', '/faults', { effect: { emptyAnswer: {} }, operations: ['createDrive'] });
      return api('POST', '/drives', { json: { name: 'New' } });
    },
    { error: 'TypeError' },
  ),
  behaviour(
    'truncates a body',
    {},
    async ({ api, control }) => {
      await control('POST', '/faults', { effect: { truncatedBody: {} } });
      return api('GET', '/agents', { see: ['x-fault'] });
    },
    { status: 200, headers: { 'x-fault': 'fault-1' }, error: 'TypeError' },
  ),
  behaviour(
    'sends a body piece by piece',
    {},
    async ({ api, control }) => {
      await control('POST', '/faults', { effect: { slowDribble: { overMs: 30 } } });
      return namesOf(await api('GET', '/drives'));
    },
    ['Docs', 'Plans', 'Ideas'],
  ),
  behaviour(
    'declares a wrong media type',
    {},
    async ({ api, control }) => {
      await control('POST', '/faults', { effect: { wrongMediaType: {} } });
      const { status, headers } = await api('GET', '/agents', { see: ['content-type'] });
      return { status, headers };
    },
    { status: 200, headers: { 'content-type': 'text/html' } },
  ),
  behaviour(
    'delays calls',
    {},
    async ({ api, control }) => {
      await control('POST', '/faults', { id: 'slow', effect: { latency: { delayMs: 5 } } });
      return api('HEAD', '/agents', { see: ['x-fault'] });
    },
    { status: 200, headers: { 'x-fault': 'slow' } },
  ),
  behaviour(
    'starts with a latency',
    { latency: '1-2' },
    async ({ control }) => (await control('GET', '/settings')).body.latency,
    { fromMs: 1, toMs: 2 },
  ),
  behaviour(
    'refuses a wrong fault',
    {},
    ({ control }) => control('POST', '/faults', { effect: { status: { code: 200 } }, when: {} }),
    {
      status: 422,
      body: {
        type: 'urn:agent-platform:problem:invalid-input',
        title: 'Invalid input',
        status: 422,
        detail:
          'body.effect.status.code must be a code from 400 to 599; body.when must be exactly one of next, every and share',
        validation: [
          {
            location: ['body', 'effect', 'status', 'code'],
            code: 'minimum',
            message: 'must be a code from 400 to 599',
            severity: 'Error',
          },
          {
            location: ['body', 'when'],
            code: 'minProperties',
            message: 'must be exactly one of next, every and share',
            severity: 'Error',
          },
        ],
      },
    },
  ),
];

const sandboxes: readonly Behaviour[] = [
  behaviour(
    'opens a sandbox',
    {},
    async ({ api, control }) => {
      const opened = await control('POST', '/organizations', { name: 'Mine', key: 'key-mine', copyOf: 'Acme' });
      return [opened.status, namesOf(await api('GET', '/drives', { key: 'key-mine' }))];
    },
    [201, ['Docs', 'Plans', 'Ideas']],
  ),
  behaviour(
    'keeps sandboxes apart',
    {},
    async ({ api, control }) => {
      await control('POST', '/organizations', { key: 'key-mine', copyOf: 'Acme' });
      await api('POST', '/drives', { key: 'key-mine', json: { name: 'New' } });
      return [namesOf(await api('GET', '/drives')), namesOf(await api('GET', '/drives', { key: 'key-mine' }))];
    },
    [
      ['Docs', 'Plans', 'Ideas'],
      ['Docs', 'Plans', 'Ideas', 'New'],
    ],
  ),
  behaviour(
    'opens a sandbox for an unknown key',
    { openKeys: true },
    async ({ api }) => namesOf(await api('GET', '/drives', { key: 'any-key' })),
    ['Docs', 'Plans', 'Ideas'],
  ),
  behaviour(
    'retires the sandbox that was idle longest',
    { openKeys: true, maxSandboxes: 1 },
    async ({ api }) => {
      await api('GET', '/drives', { key: 'first' });
      return api('HEAD', '/drives', { key: 'second', see: ['x-retired-sandboxes'] });
    },
    { status: 200, headers: { 'x-retired-sandboxes': '85757683-ca8e-4620-95aa-0764e48281cd' } },
  ),
];

const control: readonly Behaviour[] = [
  behaviour('says that it is healthy', {}, (client) => client.control('GET', '/health'), {
    status: 200,
    body: { status: 'healthy', organizations: 2 },
  }),
  behaviour(
    'shows what the API cannot',
    {},
    async (client) => (await client.control('GET', '/organizations/org-a/agents/agt-1')).body.revisions,
    [
      { id: 'rev-1', createdAt: '2026-01-01T00:00:00.000Z' },
      { id: 'rev-2', createdAt: '2026-02-01T00:00:00.000Z' },
    ],
  ),
  behaviour(
    'creates a file',
    {},
    async (client) => {
      const { status } = await client.control('POST', '/organizations/org-a/drives/drv-1/files', {
        id: 'fil-9',
        path: '/new.txt',
      });
      return [status, (await client.api('GET', '/drives/drv-1/files/fil-9')).body];
    },
    [
      201,
      {
        kind: 'file',
        id: 'fil-9',
        name: 'new.txt',
        path: '/new.txt',
        status: 'ready',
        modifiedAt: '2026-03-02T08:15:00.000Z',
        size: 0,
        contentType: 'application/octet-stream',
      },
    ],
  ),
  behaviour(
    'refuses a wrong body',
    {},
    (client) => client.control('POST', '/organizations/org-a/agents', { name: 1, colour: 'red' }),
    {
      status: 422,
      body: {
        type: 'urn:agent-platform:problem:invalid-input',
        title: 'Invalid input',
        status: 422,
        detail:
          'body.colour is not a known field (known: id, name, description, revisions, published, createdAt, updatedAt); body.name must be a string',
        validation: [
          {
            location: ['body', 'colour'],
            code: 'unknownField',
            message: 'is not a known field (known: id, name, description, revisions, published, createdAt, updatedAt)',
            severity: 'Error',
          },
          { location: ['body', 'name'], code: 'type', message: 'must be a string', severity: 'Error' },
        ],
      },
    },
  ),
  behaviour('refuses an unknown path', {}, async (client) => refusal(await client.control('GET', '/none')), {
    status: 404,
    type: 'urn:agent-platform:problem:unknown-path',
    detail: 'There is nothing here. /__admin/openapi.json lists all paths.',
  }),
  behaviour(
    'changes the profile',
    {},
    async (client) => {
      const changed = await client.control('PATCH', '/settings', { profile: { createStatus: 202 } });
      return [changed.status, statusOf(await client.api('POST', '/drives', { json: { name: 'New' } }))];
    },
    [200, 202],
  ),
  behaviour(
    'moves the clock',
    {},
    async (client) => {
      await client.control('PATCH', '/settings', { advanceMs: 60_000 });
      return (await client.api('POST', '/drives', { json: { name: 'New' } })).body.createdAt;
    },
    '2026-03-02T08:16:00.000Z',
  ),
  behaviour(
    'resets the state',
    {},
    async (client) => {
      await client.api('POST', '/drives', { json: { name: 'New' } });
      const { status } = await client.control('POST', '/reset');
      return [status, namesOf(await client.api('GET', '/drives'))];
    },
    [200, ['Docs', 'Plans', 'Ideas']],
  ),
  behaviour(
    'restores a snapshot',
    {},
    async (client) => {
      const { body } = await client.control('GET', '/snapshot');
      await client.api('POST', '/drives', { json: { name: 'New' } });
      const { status } = await client.control('PUT', '/snapshot', body);
      return [status, namesOf(await client.api('GET', '/drives'))];
    },
    [200, ['Docs', 'Plans', 'Ideas']],
  ),
  behaviour(
    'refuses a wrong snapshot',
    {},
    (client) => client.control('PUT', '/snapshot', { organizations: [{ id: 1 }] }),
    {
      status: 422,
      body: {
        type: 'urn:agent-platform:problem:invalid-input',
        title: 'Invalid input',
        status: 422,
        detail:
          'body.revokedKeys is required; body.organizations.0.name is required; body.organizations.0.origin is required; body.organizations.0.keys is required; body.organizations.0.firstKeys is required; body.organizations.0.ids is required; body.organizations.0.deferred is required; body.organizations.0.agents is required; body.organizations.0.drives is required; body.organizations.0.mcpServers is required; body.organizations.0.listed is required; body.organizations.0.id must be a string',
        validation: [
          { location: ['body', 'revokedKeys'], code: 'required', message: 'is required', severity: 'Error' },
          {
            location: ['body', 'organizations', '0', 'name'],
            code: 'required',
            message: 'is required',
            severity: 'Error',
          },
          {
            location: ['body', 'organizations', '0', 'origin'],
            code: 'required',
            message: 'is required',
            severity: 'Error',
          },
          {
            location: ['body', 'organizations', '0', 'keys'],
            code: 'required',
            message: 'is required',
            severity: 'Error',
          },
          {
            location: ['body', 'organizations', '0', 'firstKeys'],
            code: 'required',
            message: 'is required',
            severity: 'Error',
          },
          {
            location: ['body', 'organizations', '0', 'ids'],
            code: 'required',
            message: 'is required',
            severity: 'Error',
          },
          {
            location: ['body', 'organizations', '0', 'deferred'],
            code: 'required',
            message: 'is required',
            severity: 'Error',
          },
          {
            location: ['body', 'organizations', '0', 'agents'],
            code: 'required',
            message: 'is required',
            severity: 'Error',
          },
          {
            location: ['body', 'organizations', '0', 'drives'],
            code: 'required',
            message: 'is required',
            severity: 'Error',
          },
          {
            location: ['body', 'organizations', '0', 'mcpServers'],
            code: 'required',
            message: 'is required',
            severity: 'Error',
          },
          {
            location: ['body', 'organizations', '0', 'listed'],
            code: 'required',
            message: 'is required',
            severity: 'Error',
          },
          {
            location: ['body', 'organizations', '0', 'id'],
            code: 'type',
            message: 'must be a string',
            severity: 'Error',
          },
        ],
      },
    },
  ),
  behaviour(
    'writes its state as a seed',
    {},
    async (client) => (await client.control('GET', '/seed')).body.organizations.map(({ id }: { id: string }) => id),
    ['org-a', 'org-b'],
  ),
  behaviour(
    'lists the open points of an operation',
    {},
    async (client) =>
      (await client.control('GET', '/open-points?operation=createDrive')).body.map(({ id }: { id: string }) => id),
    [
      'createStatus',
      'requiredBodyFields',
      'unknownBodyFields',
      'unknownQueryParameters',
      'mediaTypeRules',
      'idFormat',
      'nameRules',
      'duplicateNames',
      'conflictStatus',
      'timestampPrecision',
      'timestampZone',
      'extraFields',
      'keyOrder',
      'answerMediaType',
      'errorBody',
      'invalidInputStatus',
      'malformedJsonStatus',
      'unsupportedMediaTypeStatus',
      'bodyTooLargeStatus',
      'invalidBodyStatus',
      'unknownParameterStatus',
      'wrongBodyTypes',
      'wwwAuthenticate',
      'bearerSpelling',
      'bothAuthHeaders',
      'cors',
      'rateLimits',
      'bodySizeLimit',
      'readAfterWrite',
    ],
  ),
  behaviour(
    'is absent when told to',
    { admin: false },
    async (client) => statusOf(await client.control('GET', '/health')),
    404,
  ),
];

const requestLog: readonly Behaviour[] = [
  behaviour(
    'records exchanges, newest first, without keys',
    {},
    async (client) => {
      await client.api('GET', '/drives?limit=1');
      await client.api('POST', '/drives', { json: { name: 'New' } });
      const { body } = await client.control('GET', '/requests');
      return body.requests.map(({ id, operationId, organizationId, request, answer }: Entry) => ({
        ...{ id, operationId, organizationId, method: request.method, url: request.url, body: request.body },
        ...{ key: request.headers['x-api-key'], status: answer.status },
      }));
    },
    [
      {
        id: 1,
        operationId: 'createDrive',
        organizationId: 'org-a',
        method: 'POST',
        url: '/v0.1/drives',
        body: '{"name":"New"}',
        key: '[REDACTED]',
        status: 201,
      },
      {
        id: 0,
        operationId: 'listDrives',
        organizationId: 'org-a',
        method: 'GET',
        url: '/v0.1/drives?limit=1',
        key: '[REDACTED]',
        status: 200,
      },
    ],
  ),
  behaviour(
    'records what was refused',
    {},
    async (client) => {
      await client.api('GET', '/none', { key: null });
      await client.api('POST', '/drives', { json: {} });
      const { body } = await client.control('GET', '/requests');
      return body.requests.map(({ operationId, answer }: Entry) => [operationId ?? null, answer.status]);
    },
    [
      ['createDrive', 422],
      [null, 404],
    ],
  ),
  behaviour(
    'filters exchanges',
    {},
    async (client) => {
      await client.api('GET', '/agents');
      await client.api('GET', '/drives');
      const { body } = await client.control('GET', '/requests?operation=listDrives');
      return body.requests.map(({ operationId }: Entry) => operationId);
    },
    ['listDrives'],
  ),
  behaviour(
    'records a lost answer',
    {},
    async (client) => {
      await client.control('POST', '/faults', { id: 'f', effect: { emptyAnswer: {} }, operations: ['createDrive'] });
      await client.api('POST', '/drives', { json: { name: 'New' } });
      const { body } = await client.control('GET', '/requests');
      return body.requests.map(({ answer, faults: by }: Entry) => [answer.status, by]);
    },
    [[0, ['f']]],
  ),
  behaviour(
    'forgets exchanges',
    {},
    async (client) => {
      await client.api('GET', '/agents');
      return (await client.control('DELETE', '/requests')).body;
    },
    { forgotten: 1 },
  ),
  behaviour(
    'keeps no request log when told to',
    { requestLogLimit: 0 },
    async (client) => refusal(await client.control('GET', '/requests')),
    {
      status: 404,
      type: 'urn:agent-platform:problem:not-found',
      detail: 'The request log is off: --request-log-limit is 0.',
    },
  ),
];

interface Entry {
  id: number;
  operationId?: string;
  organizationId?: string;
  request: { method: string; url: string; headers: Record<string, string>; body?: string };
  answer: { status: number };
  faults?: string[];
}

export const behaviours: readonly Behaviour[] = [
  ...[reads, paging, keys, routes, bodies, state, paths, profiles, determinism].flat(),
  ...[forced, faults, sandboxes, control, requestLog].flat(),
];
