/**
 * What all edges of the mock do in the same way: over HTTP, as a function like fetch, and behind MSW in Node and in a
 * page. The expected values are beside the requests. All behaviours use the seed and the clock below.
 */
import type { FetchOptions } from '../../src/browser/fetch.ts';
import { type Client, createClient, type Edge, type Outcome, type Sent } from './client.ts';

export interface Behaviour {
  name: string;
  run: Step;
  expected: unknown;
  /** Added to the usual ones. */
  options?: FetchOptions;
}

/** Something that a client does, and what it sees. */
type Step = (client: Client) => Promise<unknown>;

/** One behaviour. With options, if only `{}`, it has a mock of its own. */
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
            { id: 'fil-1', path: '/a.txt' },
            { id: 'fil-2', path: '/notes/b.txt' },
            { id: 'fil-3', path: '/notes/deep/c.txt' },
            { id: 'fil-4', path: '/notesx.txt' },
          ],
        },
        { id: 'drv-2', name: 'Plans', createdAt: '2026-01-03T00:00:00Z' },
        { id: 'drv-3', name: 'Ideas', createdAt: '2026-01-04T00:00:00Z' },
      ],
    },
    { id: 'org-b', name: 'Beta', keys: ['key-b'], drives: [{ id: 'drv-b', name: 'Own' }] },
  ],
};
const usual: FetchOptions = { seed, clock: '2026-03-02T08:15:00Z' };

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
const seeded = ['Docs', 'Plans', 'Ideas'];

const reads: readonly Row[] = [
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
];

const routes: readonly Row[] = [
  [
    'refuses an unknown path',
    refusal(ask('GET /none')),
    '404 unknown-path: There is nothing at this path. The operations are below /v0.1; /openapi.json lists them.',
  ],
  [
    'refuses a wrong method and lists the right ones',
    ask('DELETE /drives', { see: ['allow'] }),
    {
      ...{ status: 405, headers: { allow: 'GET, HEAD, POST' } },
      body: problem(
        ...([405, 'method-not-allowed', 'Method not allowed'] as const),
        'DELETE is not allowed on this path. Allowed: GET, HEAD, POST.',
      ),
    },
  ],
  [
    'refuses a path that is not UTF-8',
    refusal(ask('GET /drives/%FF/files/x')),
    '400 malformed-request: The path is not percent-encoded UTF-8.',
  ],
];

const creation = (json: unknown) => ask('POST /drives', { json });
const bodies: readonly Row[] = [
  [
    'refuses a body that is not JSON',
    status(ask('POST /drives', { raw: '{', headers: { 'content-type': 'application/json' } })),
    400,
  ],
  [
    'refuses a large body',
    refusal(creation({ name: 'x'.repeat(5000) })),
    '413 body-too-large: The body exceeds the limit of 4 KiB (4,096 bytes).',
    { set: { bodySizeLimit: 4096 } },
  ],
];

const state: readonly Row[] = [
  ['creates a drive', create, { status: 201, body: shownDrive(firstId, 'New', nowIs) }],
  [
    'deletes a tree and nothing beside it',
    each(
      ask(`DELETE ${tree}?path=/notes`),
      ...[1, 2, 3, 4].map((number) => status(ask(`GET /drives/drv-1/files/fil-${number}`))),
    ),
    [{ status: 200, body: { message: 'Deleting /notes', jobId: firstId, documentCount: 2 } }, ...[200, 404, 404, 200]],
  ],
];

const newId = seen(({ body: { id } }) => id, create);
const profiles: readonly Row[] = [
  ['answers errors without a body', ask('GET /none'), { status: 404 }, { profile: { errorBody: 'empty' } }],
  [
    'answers 204 to a publication',
    ask(publication, { json: { revisionId: 'rev-2' }, see: ['content-length'] }),
    { status: 204, headers: { 'content-length': null } },
    { set: { publishStatus: 204 } },
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

const determinism: readonly Row[] = [
  [
    'gives the ids of its random seed, also after a reset',
    each(newId, status(control('POST /reset')), newId),
    ['3afc6ab6-64a7-42a4-ad3d-5b092c404039', 200, '3afc6ab6-64a7-42a4-ad3d-5b092c404039'],
    { randomSeed: 5 },
  ],
  [
    'gives request ids of its own',
    ask('HEAD /agents', { see: ['x-request-id'] }),
    { status: 200, headers: { 'x-request-id': 'req-db85cc806a0348cd' } },
    {},
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
  ['opens a sandbox for an unknown key', ofMine, seeded, { openKeys: true }],
  [
    'retires the sandbox that was idle longest',
    last(ask('GET /drives', { key: 'first' }), ask('HEAD /drives', { key: 'second', see: ['x-retired-sandboxes'] })),
    { status: 200, headers: { 'x-retired-sandboxes': '85757683-ca8e-4620-95aa-0764e48281cd' } },
    { openKeys: true, maxSandboxes: 1 },
  ],
];

const admin: readonly Row[] = [
  ['says that it is healthy', control('GET /health'), { status: 200, body: { status: 'healthy', organizations: 2 } }],
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
    'refuses an unknown path of the admin API',
    refusal(control('GET /none')),
    '404 unknown-path: There is nothing here. /__admin/openapi.json lists all paths.',
  ],
  [
    'changes the profile',
    each(status(control('PATCH /settings', { profile: { createStatus: 202 } })), status(create)),
    [200, 202],
    {},
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
    {},
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
  ...[reads, keys, routes, bodies, state, profiles, determinism].flat(),
  ...[forced, faults, sandboxes, admin, requestLog].flat(),
].map(([name, run, expected, options]) => ({ name, run, expected, ...(options === undefined ? {} : { options }) }));

/** What an edge does, in the order of the behaviours. Those without options of their own share a mock, which is reset. */
export async function outcomesOn(start: (options: FetchOptions) => Edge | Promise<Edge>): Promise<unknown[]> {
  const found = new Map<Behaviour, unknown>();
  const observe = async (behaviour: Behaviour, client: Client) =>
    found.set(behaviour, await behaviour.run(client).catch((error: unknown) => `failed: ${error}`));
  const shared = createClient(await start(usual));
  for (const behaviour of behaviours.filter(({ options }) => options === undefined)) {
    await shared.control('POST', '/reset');
    await observe(behaviour, shared);
  }
  for (const behaviour of behaviours.filter(({ options }) => options !== undefined))
    await observe(behaviour, createClient(await start({ ...usual, ...behaviour.options })));
  return behaviours.map((behaviour) => found.get(behaviour));
}
