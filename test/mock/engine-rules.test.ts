import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createJsonText } from '../../src/engine/json-text.ts';
import type { Profile } from '../../src/index.ts';
import { startControlled } from '../support/control.ts';
import { depth, randomSeed } from '../support/depth.ts';

// Rules of the mock that no open point and no requirement names.

it('after a reset, the generated keys of sandboxes repeat from the first one', async () => {
  const { mock } = await startControlled();
  const open = () => [mock.openSandbox(), mock.openSandbox()].map(({ key }) => key);
  const first = open();
  expect(new Set(first).size).toBe(2);
  expect(open()).not.toEqual(first);
  mock.reset();
  expect(open()).toEqual(first);
});

it('a generated key is none that is in use, and none that was revoked', async () => {
  const { mock } = await startControlled();
  const [one, two, three] = [mock.openSandbox(), mock.openSandbox(), mock.openSandbox()].map(({ key }) => key);
  mock.reset();
  mock.openSandbox({ key: one as string });
  mock.engine.store.revoke(two as string);
  expect(mock.openSandbox().key).toBe(three);
});

it('announced rate limits count the calls of each minute, for each caller', async () => {
  const { api, control } = await startControlled({ set: { rateLimits: 'announced' } });
  const left = async (key: string) => {
    const { headers } = await api('GET', '/agents', { key });
    return ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => Number(headers.get(name)));
  };
  expect([await left('key-a'), await left('key-a')]).toEqual([
    [1_000, 999, 60],
    [1_000, 998, 60],
  ]);
  expect(await left('key-b')).toEqual([1_000, 999, 60]);
  await control('PATCH', '/settings', { json: { advanceMs: 59_500 } });
  expect(await left('key-a')).toEqual([1_000, 997, 1]);
  await control('PATCH', '/settings', { json: { advanceMs: 500 } });
  expect(await left('key-a')).toEqual([1_000, 999, 60]);
});

it.each([
  ['/drives?limit=%ff', 'limit', 'encoding', 'is not percent-encoded UTF-8'],
  ['/drives?limit=many', 'limit', 'type', 'must be an integer'],
  ['/drives?limit=1&limit=2', 'limit', 'once', 'must be sent once'],
  ['/drives?limit=101', 'limit', 'maximum', expect.stringMatching(/100/)],
  ['/drives?limti=1', 'limti', 'unknownParameter', 'is not a parameter of this operation (did you mean limit?)'],
])('the refusal of %s names the parameter, the rule and the fix', async (path, parameter, code, message) => {
  const { api } = await startControlled({ set: { unknownQueryParameters: 'refused', errorBody: 'problem' } });
  const { status, body } = await api('GET', path);
  expect([status, body.validation]).toEqual([
    422,
    [{ location: ['query', parameter], code, message, severity: 'Error' }],
  ]);
});

it.each([[201], [204]])('a publication without a body is one, also with %i', async (publishStatus) => {
  const { api } = await startControlled({ set: { publishStatus: publishStatus as 204, publishBody: 'none' } });
  const { status, text } = await api('POST', '/agents/agent-two-revisions/publish', { json: { revisionId: 'rev-1' } });
  expect([status, text]).toEqual([publishStatus, '']);
});

it.each([204, 205] as const)(
  'a publication with %i has no body, whatever the profile says of bodies',
  async (publishStatus) => {
    const { mock } = await startControlled({ set: { publishStatus, publishBody: 'agent' } });
    const answer = mock.engine.answer({
      ...{ operationId: 'publishAgentRevision', pathParameters: { agentId: 'agent-two-revisions' }, query: '' },
      headers: { 'x-api-key': 'key-a', 'content-type': 'application/json' },
      body: new TextEncoder().encode('{"revisionId":"rev-1"}'),
    });
    expect(answer).toMatchObject({ status: publishStatus, headers: {} });
    expect(answer.body).toBeUndefined();
    expect(answer.headers).not.toHaveProperty('content-type');
  },
);

it('of more errors than anybody reads, a bounded number are told, and how many there are besides', async () => {
  const { api } = await startControlled({ set: { unknownBodyFields: 'refused', unknownQueryParameters: 'refused' } });
  const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);
  const toldOf = ({ validation, detail }: { validation: { location: string[] }[]; detail: string }) => {
    const [, more = '0'] = /; and (\d+) more$/.exec(detail) ?? [];
    expect(new Set(validation.map(({ location }) => location.join('.'))).size).toBe(validation.length);
    return { told: validation.length, all: validation.length + Number(more) };
  };
  const ofFields = async (count: number) => {
    const fields = Object.fromEntries(names(count).map((name) => [name, 1]));
    return toldOf((await api('POST', '/drives', { json: { name: 'New', ...fields } })).body);
  };
  expect(await ofFields(100)).toEqual({ told: 100, all: 100 });
  for (const count of [200, 201, 400, 1_000]) {
    const { told, all } = await ofFields(count);
    expect(told).toBeGreaterThanOrEqual(20);
    expect(told).toBeLessThanOrEqual(200);
    expect(all).toBe(count);
  }
  const ofParameters = async (count: number) => toldOf((await api('GET', `/drives?${names(count).join('&')}`)).body);
  expect(await ofParameters(1_000)).toEqual({ told: 1_000, all: 1_000 });
  expect(await ofParameters(1_234)).toEqual({ told: 1_000, all: 1_234 });
});

it.each<[object, string]>([
  [{}, 'The request has no API key in a supported form.'],
  [{ authorization: 'Basic a2V5LWE=' }, 'The request has no API key in a supported form.'],
  [{ 'x-api-key': 'nobody' }, 'The API key is unknown.'],
  [{ 'x-api-key': 'revoked' }, 'The API key was revoked.'],
  [
    { 'x-api-key': 'key-a', authorization: 'Bearer key-b' },
    'X-API-Key and Authorization carry different keys. Send one.',
  ],
])('who sends %j is told what is wrong with the key', async (headers, says) => {
  const { mock, api } = await startControlled();
  mock.engine.store.revoke('revoked');
  const { status, body } = await api('GET', '/agents', { key: null, headers: headers as Record<string, string> });
  expect([status, body.detail]).toEqual([401, expect.stringMatching(new RegExp(`^${says}`))]);
});

it('numbers and booleans are taken as texts only where the profile says so', async () => {
  const nameOf = async (wrongBodyTypes: 'coerced' | 'refused', name: unknown) => {
    const { api } = await startControlled({ set: { wrongBodyTypes } });
    const { status, body } = await api('POST', '/drives', { json: { name } });
    return status === 201 ? body.name : status;
  };
  const values = [7, true, false, 'text', null, ['a'], {}];
  expect(await Promise.all(values.map((value) => nameOf('coerced', value)))).toEqual([
    ...['7', 'true', 'false', 'text', 422, 422, 422],
  ]);
  expect(await Promise.all(values.map((value) => nameOf('refused', value)))).toEqual([
    ...[422, 422, 422, 'text', 422, 422, 422],
  ]);
});

it.each([
  ['problem', 'application/problem+json'],
  ['nested', 'application/json; charset=utf-8'],
  ['message', 'application/json; charset=utf-8'],
  ['list', 'application/json; charset=utf-8'],
  ['empty', null],
] as const)('a refusal with the body %s has its media type: %s', async (errorBody, mediaType) => {
  const { api } = await startControlled({ set: { errorBody, answerMediaType: 'application/json; charset=utf-8' } });
  expect((await api('GET', '/drives?limit=0')).headers.get('content-type')).toBe(mediaType);
  expect((await api('GET', '/drives')).headers.get('content-type')).toBe('application/json; charset=utf-8');
});

it('JSON is written in the order of its keys, or in the opposite one, and never changes', () => {
  const [documented, reversed] = [createJsonText('documented'), createJsonText('reversed')];
  const property = fc.property(fc.object({ maxDepth: 3 }), (value) => {
    const plain = JSON.parse(JSON.stringify(value));
    expect(documented(plain)).toBe(JSON.stringify(plain));
    expect(JSON.parse(reversed(plain))).toEqual(plain);
    expect(Object.keys(JSON.parse(reversed(withoutNumbers(plain))))).toEqual(
      Object.keys(withoutNumbers(plain)).reverse(),
    );
    for (const write of [documented, reversed]) {
      const text = write(plain);
      Object.freeze(plain);
      expect([write(plain), write(plain)]).toEqual([text, text]);
    }
  });
  fc.assert(property, { seed: randomSeed, numRuns: depth(100, 2_000) });
});

// Keys that are numbers come first in any object.
function withoutNumbers(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [`_${key}`, inner]));
}

it.each<[Partial<Profile>, number]>([
  [{ toolsOfNewServer: 'live', unreachableTools: 502 }, 502],
  [{ toolsOfNewServer: 'live', unreachableTools: 504 }, 504],
  [{ toolsOfNewServer: 'live', unreachableTools: 'none' }, 200],
])('a server that may not be asked for its tools is told under %j with %i', async (set, status) => {
  const { api } = await startControlled({ set, liveMcp: true });
  const reply = await api('GET', '/mcp-servers/server-tools/tools');
  expect(reply.status).toBe(status);
  const named = reply.headers.get('x-open-points')?.split(', ');
  expect(named).toContain('unreachableTools');
  // Another server might have had tools.
  expect(named?.includes('toolWithoutDescription')).toBe(status === 200);
  expect(reply.body).toEqual(
    status === 200
      ? { tools: [] }
      : expect.objectContaining({ detail: expect.stringContaining('not an allowed host') }),
  );
});

it.each(['none', 'plausible'] as const)(
  'where no server is asked for its tools, nothing is named of those that are: %s',
  async (toolsOfNewServer) => {
    const { api } = await startControlled({ set: { toolsOfNewServer, unreachableTools: 'none' } });
    const { status, headers } = await api('GET', '/mcp-servers/server-tools/tools');
    expect(status).toBe(200);
    const named = headers.get('x-open-points')?.split(', ') ?? [];
    expect(named).toContain('toolsOfNewServer');
    expect(named).not.toContain('unreachableTools');
    expect(named).not.toContain('toolWithoutDescription');
  },
);

it('a file is shown with all that the seed says of it, and as the profile has it', async () => {
  const read = async (id: string, set: Partial<Profile>) => {
    const { api } = await startControlled({ set });
    return (await api('GET', `/drives/drive-full/files/${id}`)).body;
  };
  expect(await read('file-plain', {})).toEqual({
    ...{ kind: 'file', id: 'file-plain', name: 'plan.txt', path: '/docs/plan.txt', status: 'ready', size: 2_500 },
    ...{ modifiedAt: '2026-01-01T08:00:00.000Z', contentType: 'text/plain', description: 'The plan' },
    ...{ summary: 'What comes when', metadata: { pages: 3 } },
  });
  expect(await read('file-deep', {})).toEqual({
    ...{ kind: 'file', id: 'file-deep', name: 'notes.txt', path: '/docs/old/notes.txt', status: 'ready', size: 1 },
    ...{ modifiedAt: '2026-01-01T08:00:00.000Z', contentType: 'text/plain' },
  });
  expect(await read('file-plain', { sizeUnit: 'kilobytes', metadataShape: 'empty' })).toMatchObject({
    ...{ size: 3, metadata: {} },
  });
  expect(await read('file-deep', { sizeUnit: 'kilobytes', metadataShape: 'empty' })).toMatchObject({
    ...{ size: 1, metadata: {} },
  });
  expect(await read('file-plain', { extraFields: 'some' })).toMatchObject({
    ...{ etag: '"file-plain"', links: { self: 'file-plain' } },
  });
});

it('the other resources are shown with their fields, and with more where the profile says so', async () => {
  const read = async (path: string, set: Partial<Profile>) => {
    const { api } = await startControlled({ set });
    const { body } = await api('GET', path);
    return (body.data ?? body.tools ?? body)[0];
  };
  const at = '2026-01-01T08:00:00.000Z';
  const all: [string, object, string][] = [
    [
      '/agents',
      {
        ...{ id: 'agent-two-revisions', name: 'Second by name', description: 'Has revisions', isPublished: false },
        ...{ hasChanges: true, createdAt: at, updatedAt: at },
      },
      'agent-two-revisions',
    ],
    [
      '/drives',
      { id: 'drive-full', organizationId: 'org-a', name: 'Middle', createdAt: at, updatedAt: at },
      'drive-full',
    ],
    [
      '/mcp-servers',
      {
        ...{ id: 'server-tools', organizationId: 'org-a', name: 'Tools', url: 'https://mcp.example.com/a' },
        ...{ type: 'streamableHttp', createdAt: at, updatedAt: at },
      },
      'server-tools',
    ],
    ['/mcp-servers/server-tools/tools', { name: 'find', description: 'Finds.' }, 'find'],
  ];
  for (const [path, fields, id] of all) {
    expect(await read(path, {})).toEqual(fields);
    expect(await read(path, { extraFields: 'some' })).toEqual({ ...fields, etag: `"${id}"`, links: { self: id } });
  }
});

it.each([
  ['likeUnknown', 404],
  ['forbidden', 403],
] as const)(
  'a file that another organization has in a drive with the same id is foreign: %s',
  async (choice, status) => {
    const { api, control } = await startControlled({ set: { foreignResourceStatus: choice } });
    const { body: snapshot } = await control('GET', '/snapshot');
    const [drive] = snapshot.organizations[1].drives;
    const { listed } = snapshot.organizations[1];
    listed.drives = listed.drives.map((id: string) => (id === drive.id ? 'drive-full' : id));
    drive.id = 'drive-full';
    expect((await control('PUT', '/snapshot', { json: snapshot })).status).toBe(200);
    const foreign = await api('GET', '/drives/drive-full/files/file-b');
    expect([foreign.status, foreign.headers.get('x-open-points')]).toEqual([
      ...[status, expect.stringContaining('foreignResourceStatus')],
    ]);
    expect((await api('GET', '/drives/drive-full/files/none')).status).toBe(404);
    expect((await api('GET', '/drives/drive-full/files/file-b', { key: 'key-b' })).status).toBe(200);
  },
);

// What the mock makes up for a field that was not sent must not stand in the way of the next one.

it('a URL that is made up is never refused as a duplicate, and has no blank', async () => {
  const { api } = await startControlled({ set: { requiredServerFields: 'none', duplicateUrls: 'refused' } });
  const create = async (sent: object) => {
    const { status, body } = await api('POST', '/mcp-servers', { json: sent });
    return [status, body.url];
  };
  const urls = ['http://127.0.0.1/mcp', 'http://127.0.0.1/mcp-2', 'http://127.0.0.1/mcp-3', 'http://127.0.0.1/mcp-4'];
  for (const url of urls) expect(await create({})).toEqual([201, url]);
  expect((await create({ name: 'Sent', url: urls[2] }))[0]).toBe(409);
});
