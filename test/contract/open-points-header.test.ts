import { describe, expect, it } from 'vitest';
import type { Profile } from '../../openapi/contract/profile.ts';
import { createMock } from '../../src/index.ts';
import { type Client, createClient } from '../support/client.ts';
import { hasJustRun } from '../support/depth.ts';
import { exchange, headerOf, sendRaw } from '../support/raw-http.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// The header X-Open-Points, request by request. That it leaves nothing out, whatever is chosen, is in guesses.test.ts.

// Nothing here goes deeper in the full run: after the quick one it would be the same again.
describe.skipIf(hasJustRun)('X-Open-Points', () => {
  const always = 'timestamps.precision, timestamps.zone, extraFields, keyOrder, answerMediaType';
  const examples: [string, string, object | undefined, string][] = [
    [
      'POST',
      '/drives',
      { name: 'New' },
      `successStatus.createDrive, duplicates.names, idFormat, ${always}, rateLimits`,
    ],
    [
      'GET',
      '/drives?limit=1&offset=0',
      undefined,
      `successStatus.listDrives, listOrder, readAfterWrite, totalMeaning, paginationFields, countsAsUpdate.drive, idFormat, ${always}, rateLimits`,
    ],
    [
      'POST',
      '/drives',
      {},
      'requiredFields.createDrive, keyOrder, errorStatus.invalidInput, errorStatus.invalidBody, errorBody, rateLimits',
    ],
    [
      'GET',
      '/mcp-servers/none/tools',
      undefined,
      'keyOrder, errorBody, foreignResources, foreignResourceStatus, rateLimits',
    ],
    ['GET', '/nowhere', undefined, 'keyOrder, errorBody, rateLimits'],
  ];

  it.each(examples)('lists the open points that affect %s %s %j', async (method, path, json, expected) => {
    const mock = await createMock({ seed: tinySeed });
    const { headers } = await createClient(mock.url, 'key-a')(method, path, json === undefined ? {} : { json });
    await mock.close();
    expect(headers.get('x-open-points')).toBe(expected);
  });

  it('is sent for HEAD and malformed HTTP, not for a preflight or the contract', async () => {
    const mock = await createMock({ seed: tinySeed });
    const { answers } = await exchange(mock.url, 'nonsense\r\n\r\n');
    const lines = ['Origin: http://localhost:8080', 'Access-Control-Request-Method: GET'];
    const head = await sendRaw(mock.url, { method: 'HEAD', target: '/v0.1/agents', lines: ['X-API-Key: key-a'] });
    const preflight = await sendRaw(mock.url, { method: 'OPTIONS', target: '/v0.1/agents', lines });
    const document = await sendRaw(mock.url, { method: 'GET', target: '/openapi.json' });
    await mock.close();
    const named = [...answers, head, preflight, document].map((answer) => headerOf(answer, 'x-open-points'));
    const expected = ['keyOrder, errorBody, rateLimits', expect.stringMatching(/^listOrder, /), undefined, undefined];
    expect(named).toEqual(expected);
  });

  it('is omitted with openPointsHeader: false', async () => {
    const mock = await createMock({ seed: tinySeed, openPointsHeader: false });
    const { answers } = await exchange(mock.url, 'nonsense\r\n\r\n');
    const call = createClient(mock.url, 'key-a');
    const replies = [await call('GET', '/agents'), await call('GET', '/nowhere')];
    await mock.close();
    expect(replies.map(({ headers }) => headers.get('x-open-points'))).toEqual([null, null]);
    expect(answers.map((answer) => headerOf(answer, 'x-open-points'))).toEqual([undefined]);
  });
});

/** A request with its body in JSON, as in `POST /drives {}`, or in parts. */
type Sent = string | Parameters<Client>;

/** What the requests below name. */
const places: Record<string, string> = {
  tree: '/drives/drive-full/items/tree',
  file: '/drives/drive-full/files/file-plain',
  publish: '/agents/agent-two-revisions/publish',
};

function partsOf(sent: Sent): Parameters<Client> {
  if (typeof sent !== 'string') return sent;
  const [, method = '', path = '', body] = /^(\w+) (\S+)(?: (.*))?$/.exec(sent) ?? [];
  return [
    method,
    path.replace(/^\{(\w+)\}/, (_, name) => places[name] ?? ''),
    body === undefined ? {} : { json: JSON.parse(body) },
  ];
}

const noKey = { key: null };

/** An open point that only some requests show: one that does, and one like it that does not. */
const shownBySome: [keyof Profile, Partial<Profile>, Sent, Sent][] = [
  ['bothAuthHeaders', {}, ['GET', '/agents', { headers: { authorization: 'Bearer key-b' } }], 'GET /agents'],
  [
    'bearerSpelling',
    {},
    ['GET', '/agents', { key: null, headers: { authorization: 'bearer key-a' } }],
    ['GET', '/agents', { key: null, headers: { authorization: 'Bearer key-a' } }],
  ],
  ['oddPaging.outOfRange', {}, 'GET /drives?limit=101', 'GET /drives?limit=100'],
  ['oddPaging.outOfRange', {}, 'GET /drives?offset=-1', 'GET /drives?offset=0'],
  ['oddPaging.malformed', {}, 'GET /drives?limit=many', 'GET /drives?limit=1'],
  ['oddPaging.repeated', {}, 'GET /drives?limit=1&limit=2', 'GET /drives?limit=1'],
  ['oddPaging.repeated', {}, 'GET /drives?offset=1&offset=2', 'GET /drives?offset=1'],
  ['unknownInput.queryParameters', {}, 'GET /drives?limti=1', 'GET /drives?limit=1'],
  ['pagingDefaults.limit', {}, 'GET /drives?offset=0', 'GET /drives?limit=1'],
  ['pagingDefaults.offset', {}, 'GET /drives?limit=1', 'GET /drives?offset=0'],
  ['pagingDefaults.limit', { 'oddPaging.outOfRange': 'ignored' }, 'GET /drives?limit=101', 'GET /drives?limit=100'],
  ['pagingDefaults.limit', { 'oddPaging.malformed': 'ignored' }, 'GET /drives?limit=many', 'GET /drives?limit=1'],
  [
    // The first limit counts, and is one.
    'pagingDefaults.limit',
    { 'oddPaging.repeated': 'first' },
    'GET /drives?offset=1',
    'GET /drives?limit=1&limit=many',
  ],
  ['pagingDefaults.limit', { 'oddPaging.outOfRange': 'clamped' }, 'GET /drives?offset=1', 'GET /drives?limit=101'],
  ['pagingDefaults.offset', { 'oddPaging.outOfRange': 'ignored' }, 'GET /drives?offset=-1', 'GET /drives?offset=0'],
  ['pagingDefaults.offset', { 'oddPaging.malformed': 'ignored' }, 'GET /drives?offset=x', 'GET /drives?offset=1'],
  ['treePathParameter', {}, 'DELETE {tree}', ['DELETE', '/drives/none/items/tree', noKey]],
  ['treePathParameter', { errorBody: 'empty' }, 'DELETE {tree}?path=/docs', 'DELETE {tree}'],
  [
    'treePath.root',
    {},
    // Of a drive without files.
    'DELETE /drives/drive-late/items/tree?path=/',
    'DELETE /drives/drive-late/items/tree?path=/docs',
  ],
  ['malformedIds', {}, 'GET /drives/drive-full/files/a.b', 'GET /drives/drive-full/files/a-b'],
  ['malformedIds', {}, 'GET /drives/a%20b/files/a', 'GET /drives/a_b/files/a'],
  ['unknownInput.bodyFields', {}, 'POST /drives {"name":"A","more":1}', 'POST /drives {"name":"A"}'],
  ['wrongBodyTypes', {}, 'POST /drives {"name":1}', 'POST /drives {"name":"1"}'],
  ['requiredFields.createDrive', {}, 'POST /drives {}', 'POST /drives {"name":"A"}'],
  [
    'requiredFields.createMcpServer',
    {},
    'POST /mcp-servers {"name":"A"}',
    'POST /mcp-servers {"name":"A","url":"https://a.example/"}',
  ],
  ['nameRules', {}, 'POST /drives {"name":" A"}', 'POST /drives {"name":"A"}'],
  ['nameRules', {}, 'POST /drives {"name":""}', 'POST /drives {"name":"A"}'],
  [
    'mcpUrlRules',
    {},
    'POST /mcp-servers {"name":"A","url":"not a url"}',
    'POST /mcp-servers {"name":"A","url":"https://mcp.example.com:8443/a"}',
  ],
  [
    'mediaTypeRules',
    {},
    ['POST', '/drives', { raw: '{"name":"A"}', headers: { 'content-type': 'text/plain' } }],
    'POST /drives {"name":"A"}',
  ],
  ['pathForm.lineBreaks', {}, 'PATCH {file} {"path":"/a\\nb"}', 'PATCH {file} {"path":"/ab"}'],
  [
    'pathForm.length',
    {},
    'PATCH {file} {"path":"/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}',
    'PATCH {file} {"path":"/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}',
  ],
  ['pathForm.spelling', {}, 'PATCH {file} {"path":"/a//b"}', 'PATCH {file} {"path":"/a/b"}'],
  ['treePath.notSent', {}, 'DELETE {tree}', 'DELETE {tree}?path=/none'],
  ['treePath.missing', {}, 'DELETE {tree}?path=/none', 'DELETE {tree}?path=/docs'],
  [
    'treePath.file',
    { 'treePath.file': 'likeMissing', 'treePath.missing': 'refused' },
    'DELETE {tree}?path=/docs/plan.txt',
    'DELETE {tree}?path=/docs/old',
  ],
  [
    'treeDeletion',
    { treeDeletion: 'asynchronous', 'unknownInput.queryParameters': 'refused' },
    'GET {file}',
    'GET {file}?colour=red',
  ],
  [
    'treeDeletion',
    { treeDeletion: 'asynchronous', 'unknownInput.queryParameters': 'refused', judgedFirst: 'resource' },
    'GET {file}?colour=red',
    'GET /drives/drive-full/files/none',
  ],
  [
    'duplicates.names',
    { 'duplicates.names': 'refused', 'requiredFields.createMcpServer': 'none' },
    'POST /mcp-servers {"name":"A","url":"https://a.example/"}',
    'POST /drives {"name":"A"}',
  ],
  [
    'duplicates.urls',
    { 'duplicates.urls': 'refused', 'requiredFields.createMcpServer': 'all' },
    'POST /mcp-servers {"name":"A","url":"https://mcp.example.com/a"}',
    'POST /mcp-servers {"name":"A","url":"https://a.example/"}',
  ],
  ['requiredFields.createDrive', { 'requiredFields.updateDriveFile': 'all' }, 'POST {publish} {}', 'PATCH {file} {}'],
  [
    'requiredFields.createDrive',
    { 'requiredFields.publishAgentRevision': 'all' },
    'PATCH {file} {}',
    'POST {publish} {}',
  ],
  [
    'requiredFields.createDrive',
    { 'requiredFields.createMcpServer': 'all' },
    'POST /drives {}',
    'POST /mcp-servers {}',
  ],
  [
    'foreignResourceStatus',
    { foreignResourceStatus: 'forbidden' },
    'GET /drives/drive-b/files/file-b',
    'GET /drives/drive-none/files/file-b',
  ],
  ['foreignResourceStatus', {}, 'GET /drives/drive-full/files/none', 'GET {file}'],
  [
    // The same again.
    'republish',
    { republish: 'refused' },
    'POST {publish} {"revisionId":"rev-2"}',
    'POST {publish} {"revisionId":"rev-2"}',
  ],
  ['judgedFirst', {}, 'PATCH /drives/none/files/none {"path":"x"}', 'PATCH /drives/none/files/none {"path":"/x"}'],
];

it.each(shownBySome)(
  '%s is named where a request shows it: %j, %j, and not in %j',
  async (point, set, shows, hides) => {
    const mock = await createMock({ seed: tinySeed, set });
    const call = createClient(mock.url, 'key-a');
    const namedIn = async (sent: Sent) => (await call(...partsOf(sent))).headers.get('x-open-points')?.split(', ');
    try {
      expect(await namedIn(hides)).not.toContain(point);
      expect(await namedIn(shows)).toContain(point);
    } finally {
      await mock.close();
    }
  },
);
