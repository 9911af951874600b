import { describe, expect, it } from 'vitest';
import type { Profile } from '../../openapi/contract/profile.ts';
import type { Client } from '../support/client.ts';
import { startControlled, useControlled } from '../support/control.ts';
import { hasJustRun } from '../support/depth.ts';
import { exchange, headerOf, sendRaw } from '../support/raw-http.ts';

// The header X-Open-Points, request by request. That it leaves nothing out, whatever is chosen, is in guesses.test.ts.

// Nothing here goes deeper in the full run: after the quick one it would be the same again.
describe.skipIf(hasJustRun)('X-Open-Points', () => {
  const controlled = useControlled();
  const always = 'timestamps.precision, timestamps.zone, extraFields, keyOrder, answerMediaType';
  const ofPage = 'listOrder, readAfterWrite, totalMeaning, paginationFields, countsAsUpdate.drive, idFormat';
  const ofMissingField = 'requiredFields.createDrive, keyOrder, errorStatus.invalidInput, errorStatus.invalidBody';
  const ofMissingServer = 'keyOrder, errorBody, foreignResources, foreignResourceStatus, rateLimits';

  it.each<[string, string, object | undefined, string]>([
    [
      'POST',
      '/drives',
      { name: 'New' },
      `successStatus.createDrive, duplicates.names, idFormat, ${always}, rateLimits`,
    ],
    ['GET', '/drives?limit=1&offset=0', undefined, `successStatus.listDrives, ${ofPage}, ${always}, rateLimits`],
    ['POST', '/drives', {}, `${ofMissingField}, errorBody, rateLimits`],
    ['GET', '/mcp-servers/none/tools', undefined, ofMissingServer],
    ['GET', '/nowhere', undefined, 'keyOrder, errorBody, rateLimits'],
  ])('lists the open points that affect %s %s %j', async (method, path, json, expected) => {
    const { headers } = await controlled().api(method, path, json === undefined ? {} : { json });
    expect(headers.get('x-open-points')).toBe(expected);
  });

  it('is sent for HEAD and malformed HTTP, not for a preflight or the contract', async () => {
    const { url } = controlled().mock;
    const { answers } = await exchange(url, 'nonsense\r\n\r\n');
    const lines = ['Origin: http://localhost:8080', 'Access-Control-Request-Method: GET'];
    const head = await sendRaw(url, { method: 'HEAD', target: '/v0.1/agents', lines: ['X-API-Key: key-a'] });
    const preflight = await sendRaw(url, { method: 'OPTIONS', target: '/v0.1/agents', lines });
    const document = await sendRaw(url, { method: 'GET', target: '/openapi.json' });
    const named = [...answers, head, preflight, document].map((answer) => headerOf(answer, 'x-open-points'));
    const expected = ['keyOrder, errorBody, rateLimits', expect.stringMatching(/^listOrder, /), undefined, undefined];
    expect(named).toEqual(expected);
  });

  it('is omitted with openPointsHeader: false', async () => {
    const { mock, api } = await startControlled({ openPointsHeader: false });
    const { answers } = await exchange(mock.url, 'nonsense\r\n\r\n');
    const replies = [await api('GET', '/agents'), await api('GET', '/nowhere')];
    expect(replies.map(({ headers }) => headers.get('x-open-points'))).toEqual([null, null]);
    expect(answers.map((answer) => headerOf(answer, 'x-open-points'))).toEqual([undefined]);
  });
});

/** A request with its body in JSON, as in `POST /drives {}`, or in parts. */
type Sent = string | Parameters<Client>;

/** What the requests below name. */
const places: Record<string, string> = {
  tree: '/drives/drive-full/items/tree',
  emptyTree: '/drives/drive-late/items/tree',
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

const keyIn = (authorization: string): Sent => ['GET', '/agents', { key: null, headers: { authorization } }];
const bothKeys: Sent = ['GET', '/agents', { headers: { authorization: 'Bearer key-b' } }];
const treeWithoutKey: Sent = ['DELETE', '/drives/none/items/tree', { key: null }];
const asText: Sent = ['POST', '/drives', { raw: '{"name":"A"}', headers: { 'content-type': 'text/plain' } }];
const newDrive = 'POST /drives {"name":"A"}';
const newServer = (url: string) => `POST /mcp-servers {"name":"A","url":"${url}"}`;
const moveTo = (path: unknown): Sent => ['PATCH', places.file ?? '', { json: { path } }];
const publishTwo = 'POST {publish} {"revisionId":"rev-2"}';
const noFile = 'GET /drives/drive-full/files/none';
const foreignFile = 'GET /drives/drive-b/files/file-b';
const lateTree = { treeDeletion: 'asynchronous', 'unknownInput.queryParameters': 'refused' } as const;
const fileAsMissing = { 'treePath.file': 'likeMissing', 'treePath.missing': 'refused' } as const;
const uniqueNames = { 'duplicates.names': 'refused', 'requiredFields.createMcpServer': 'none' } as const;
const uniqueUrls = { 'duplicates.urls': 'refused', 'requiredFields.createMcpServer': 'all' } as const;

/** An open point that only some requests show: one that does, and one like it that does not; and choices beside it. */
const shownBySome: [point: keyof Profile, shows: Sent, hides: Sent, set?: Partial<Profile>][] = [
  ['bothAuthHeaders', bothKeys, 'GET /agents'],
  ['bearerSpelling', keyIn('bearer key-a'), keyIn('Bearer key-a')],
  ['oddPaging.outOfRange', 'GET /drives?limit=101', 'GET /drives?limit=100'],
  ['oddPaging.outOfRange', 'GET /drives?offset=-1', 'GET /drives?offset=0'],
  ['oddPaging.malformed', 'GET /drives?limit=many', 'GET /drives?limit=1'],
  ['oddPaging.repeated', 'GET /drives?limit=1&limit=2', 'GET /drives?limit=1'],
  ['oddPaging.repeated', 'GET /drives?offset=1&offset=2', 'GET /drives?offset=1'],
  ['unknownInput.queryParameters', 'GET /drives?limti=1', 'GET /drives?limit=1'],
  ['pagingDefaults.limit', 'GET /drives?offset=0', 'GET /drives?limit=1'],
  ['pagingDefaults.offset', 'GET /drives?limit=1', 'GET /drives?offset=0'],
  ['pagingDefaults.limit', 'GET /drives?limit=101', 'GET /drives?limit=100', { 'oddPaging.outOfRange': 'ignored' }],
  ['pagingDefaults.limit', 'GET /drives?limit=many', 'GET /drives?limit=1', { 'oddPaging.malformed': 'ignored' }],
  // The first limit counts, and is one.
  ['pagingDefaults.limit', 'GET /drives?offset=1', 'GET /drives?limit=1&limit=x', { 'oddPaging.repeated': 'first' }],
  ['pagingDefaults.limit', 'GET /drives?offset=1', 'GET /drives?limit=101', { 'oddPaging.outOfRange': 'clamped' }],
  ['pagingDefaults.offset', 'GET /drives?offset=-1', 'GET /drives?offset=0', { 'oddPaging.outOfRange': 'ignored' }],
  ['pagingDefaults.offset', 'GET /drives?offset=x', 'GET /drives?offset=1', { 'oddPaging.malformed': 'ignored' }],
  ['treePathParameter', 'DELETE {tree}', treeWithoutKey],
  ['treePathParameter', 'DELETE {tree}?path=/docs', 'DELETE {tree}', { errorBody: 'empty' }],
  ['treePath.root', 'DELETE {emptyTree}?path=/', 'DELETE {emptyTree}?path=/docs'],
  ['malformedIds', 'GET /drives/drive-full/files/a.b', 'GET /drives/drive-full/files/a-b'],
  ['malformedIds', 'GET /drives/a%20b/files/a', 'GET /drives/a_b/files/a'],
  ['unknownInput.bodyFields', 'POST /drives {"name":"A","more":1}', newDrive],
  ['wrongBodyTypes', 'POST /drives {"name":1}', 'POST /drives {"name":"1"}'],
  ['requiredFields.createDrive', 'POST /drives {}', newDrive],
  ['requiredFields.createMcpServer', 'POST /mcp-servers {"name":"A"}', newServer('https://a.example/')],
  ['nameRules', 'POST /drives {"name":" A"}', newDrive],
  ['nameRules', 'POST /drives {"name":""}', newDrive],
  ['mcpUrlRules', newServer('not a url'), newServer('https://mcp.example.com:8443/a')],
  ['mediaTypeRules', asText, newDrive],
  ['pathForm.lineBreaks', moveTo('/a\nb'), moveTo('/ab')],
  ['pathForm.lineBreaks', moveTo('ab'), moveTo(42)],
  ['pathForm.length', moveTo(`/${'a'.repeat(255)}`), moveTo(`/${'a'.repeat(254)}`)],
  ['pathForm.spelling', moveTo('/a//b'), moveTo('/a/b')],
  ['treePath.notSent', 'DELETE {tree}', 'DELETE {tree}?path=/none'],
  ['treePath.missing', 'DELETE {tree}?path=/none', 'DELETE {tree}?path=/docs'],
  ['treePath.file', 'DELETE {tree}?path=/docs/plan.txt', 'DELETE {tree}?path=/docs/old', fileAsMissing],
  ['treeDeletion', 'GET {file}', 'GET {file}?colour=red', lateTree],
  ['treeDeletion', 'GET {file}?colour=red', noFile, { ...lateTree, judgedFirst: 'resource' }],
  ['duplicates.names', newServer('https://a.example/'), newDrive, uniqueNames],
  ['duplicates.urls', newServer('https://mcp.example.com/a'), newServer('https://a.example/'), uniqueUrls],
  ['requiredFields.createDrive', 'POST {publish} {}', 'PATCH {file} {}', { 'requiredFields.updateDriveFile': 'all' }],
  [
    'requiredFields.createDrive',
    'PATCH {file} {}',
    'POST {publish} {}',
    { 'requiredFields.publishAgentRevision': 'all' },
  ],
  [
    'requiredFields.createDrive',
    'POST /drives {}',
    'POST /mcp-servers {}',
    { 'requiredFields.createMcpServer': 'all' },
  ],
  ['foreignResourceStatus', foreignFile, 'GET /drives/none/files/file-b', { foreignResourceStatus: 'forbidden' }],
  ['foreignResourceStatus', noFile, 'GET {file}'],
  // The same again.
  ['republish', publishTwo, publishTwo, { republish: 'refused' }],
  ['judgedFirst', 'PATCH /drives/none/files/none {"path":"x"}', 'PATCH /drives/none/files/none {"path":"/x"}'],
];

describe('an open point', () => {
  const controlled = useControlled();

  it.each(shownBySome)(
    '%s is named where a request shows it: %j, and not in %j',
    async (point, shows, hides, set = {}) => {
      const { mock, api } = controlled();
      mock.setProfile(set);
      const namedIn = async (sent: Sent) => (await api(...partsOf(sent))).headers.get('x-open-points')?.split(', ');
      expect(await namedIn(hides)).not.toContain(point);
      expect(await namedIn(shows)).toContain(point);
    },
  );
});
