import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lagCalls, lagMs } from '../../src/domain/deferred.ts';
import { noteListing } from '../../src/domain/mcp-servers.ts';
import { createJsonText } from '../../src/engine/json-text.ts';
import type { Profile } from '../../src/index.ts';
import type { Client, Sent } from '../support/client.ts';
import { startControlled, useControlled } from '../support/control.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// Rules of the mock that no open point and no requirement names. `random-profiles.test.ts` tests those that one names.

const controlled = useControlled();

describe('keys', () => {
  it('that are generated repeat from the first one after a reset, but for those in use or revoked', () => {
    const { mock } = controlled();
    const open = () => [1, 2, 3].map(() => mock.openSandbox().key as string);
    const first = open();
    expect(new Set([...first, ...open()]).size).toBe(6);
    mock.reset();
    expect(open()).toEqual(first);
    mock.reset();
    mock.openSandbox({ key: first[0] as string });
    mock.engine.store.revoke(first[1] as string);
    expect(mock.openSandbox().key).toBe(first[2]);
  });

  it.each<[Record<string, string>, string]>([
    [{}, 'The request has no API key in a supported form.'],
    [{ 'x-api-key': 'nobody' }, 'The API key is unknown; the seed defines the keys.'],
    [{ 'x-api-key': 'key-a, key-a' }, 'The request has several API keys, or the same one twice.'],
  ])('that are wrong are refused with the reason, under the profile of all: %j', async (headers, says) => {
    const { mock, api } = controlled();
    mock.setProfile({ errorBody: 'empty' }, { organization: 'org-b' });
    const { status, body } = await api('GET', '/agents', { key: null, headers });
    expect([status, body.detail]).toEqual([401, expect.stringMatching(new RegExp(`^${says}`))]);
  });
});

it('announced rate limits count the calls of each minute, for each caller', async () => {
  const { mock, api, control } = controlled();
  mock.setProfile({ rateLimits: 'announced' });
  const left = async (key: string) => {
    const { headers } = await api('GET', '/agents', { key });
    return ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));
  };
  expect(await left('key-a')).toEqual([1_000, 999, 60]);
  expect(await left('key-a')).toEqual([1_000, 998, 60]);
  expect(await left('key-b')).toEqual([1_000, 999, 60]);
  await control('PATCH', '/settings', { json: { advanceMs: 59_500 } });
  expect(await left('key-a')).toEqual([1_000, 997, 1]);
  await control('PATCH', '/settings', { json: { advanceMs: 500 } });
  expect(await left('key-a')).toEqual([1_000, 999, 60]);
});

describe('a refusal', () => {
  it.each([
    ['limit=%ff', 'limit', 'encoding', 'is not percent-encoded UTF-8'],
    ['limit=many', 'limit', 'type', 'must be an integer'],
    ['limit=1&limit=2', 'limit', 'once', 'must be sent once'],
    ['limit=101', 'limit', 'maximum', expect.stringMatching(/100/)],
    ['limti=1', 'limti', 'unknownParameter', 'is not a parameter of this operation (did you mean limit?)'],
  ])('of ?%s names the parameter, the rule and the fix', async (query, parameter, code, message) => {
    const { mock, api } = controlled();
    mock.setProfile({ 'unknownInput.queryParameters': 'refused' });
    const { status, body } = await api('GET', `/drives?${query}`);
    const named = { location: ['query', parameter], code, message, severity: 'Error' };
    expect([status, body.validation]).toEqual([422, [named]]);
  });

  it('of more errors than anybody reads tells a bounded number, and how many there are besides', async () => {
    const { mock, api } = controlled();
    mock.setProfile({ 'unknownInput.bodyFields': 'refused', 'unknownInput.queryParameters': 'refused' });
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

  it('has the media type of its body, and a success the one of the profile', async () => {
    const { mock, api } = controlled();
    const answerMediaType = 'application/json; charset=utf-8';
    for (const errorBody of ['problem', 'nested', 'message', 'list', 'empty'] as const) {
      mock.setProfile({ errorBody, answerMediaType });
      const types = [await api('GET', '/drives?limit=0'), await api('GET', '/drives')].map(({ headers }) =>
        headers.get('content-type'),
      );
      const refused = { problem: 'application/problem+json', empty: null }[errorBody as 'empty'];
      expect([errorBody, ...types]).toEqual([
        errorBody,
        refused === undefined ? answerMediaType : refused,
        answerMediaType,
      ]);
    }
  });
});

it.each([
  [204, 'agent'],
  [205, 'agent'],
] as const)('a publication with %i and the body %s has none', async (publishStatus, publishBody) => {
  const { mock, api } = controlled();
  mock.setProfile({ 'successStatus.publishAgentRevision': publishStatus as 204, publishBody });
  const { status, text, headers } = await api('POST', '/agents/agent-two-revisions/publish', {
    json: { revisionId: 'rev-1' },
  });
  expect([status, text, headers.get('content-type')]).toEqual([publishStatus, '', null]);
});

it('JSON is written in the order of its keys, or in the opposite one, and never changes', () => {
  // Keys that are numbers come first in any object.
  const withoutNumbers = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [`_${key}`, inner]));
  const [documented, reversed] = [createJsonText('documented'), createJsonText('reversed')];
  const property = fc.property(fc.object({ maxDepth: 3 }), (value) => {
    const plain = JSON.parse(JSON.stringify(value));
    const named = withoutNumbers(plain);
    expect(documented(plain)).toBe(JSON.stringify(plain));
    expect(JSON.parse(reversed(plain))).toEqual(plain);
    expect(Object.keys(JSON.parse(reversed(named)))).toEqual(Object.keys(named).reverse());
    for (const write of [documented, reversed]) {
      const text = write(plain);
      Object.freeze(plain);
      expect([write(plain), write(plain)]).toEqual([text, text]);
    }
  });
  fc.assert(property, { seed: randomSeed, numRuns: depth(50, 2_000) });
});

describe('the tools of an MCP server', () => {
  const ask = async (set: Partial<Profile>) => {
    const { api } = await startControlled({ set, liveMcp: set.toolsOfNewServer === 'live' });
    const { status, body, headers } = await api('GET', '/mcp-servers/server-tools/tools');
    return { status, body, named: headers.get('x-open-points')?.split(', ') ?? [] };
  };

  it.each([502, 504, 'none'] as const)(
    'that may not be asked follow unreachableTools: %s',
    async (unreachableTools) => {
      const { status, body, named } = await ask({ toolsOfNewServer: 'live', unreachableTools });
      const isEmpty = unreachableTools === 'none';
      expect(status).toBe(isEmpty ? 200 : unreachableTools);
      expect(named).toContain('unreachableTools');
      // Another server might have had tools.
      expect(named.includes('toolWithoutDescription')).toBe(isEmpty);
      if (isEmpty) expect(body).toEqual({ tools: [] });
      else expect(body.detail).toContain('not an allowed host');
    },
  );

  it.each(['none', 'plausible'] as const)('name nothing of those that are asked: %s', async (toolsOfNewServer) => {
    const { status, named } = await ask({ toolsOfNewServer, unreachableTools: 'none' });
    expect([status, named]).toEqual([200, expect.arrayContaining(['toolsOfNewServer'])]);
    expect(named.filter((one) => ['unreachableTools', 'toolWithoutDescription'].includes(one))).toEqual([]);
  });
});

it('extra fields are added to each resource, and nothing else', async () => {
  const { mock, api } = controlled();
  const first = async (path: string) => {
    const { body } = await api('GET', path);
    return (body.data ?? body.tools ?? [body].flat())[0];
  };
  const paths: [path: string, id: string][] = [
    ['/agents', 'agent-two-revisions'],
    ['/drives', 'drive-full'],
    ['/drives/drive-full/files/file-plain', 'file-plain'],
    ['/mcp-servers', 'server-tools'],
    ['/mcp-servers/server-tools/tools', 'find'],
  ];
  const plain = await Promise.all(paths.map(([path]) => first(path)));
  mock.setProfile({ extraFields: 'some' });
  for (const [index, [path, id]] of paths.entries())
    expect(await first(path)).toEqual({ ...plain[index], etag: `"${id}"`, links: { self: id } });
});

it('a file that another organization has in a drive with the same id is foreign', async () => {
  const { mock, api } = controlled();
  const snapshot = mock.snapshot();
  const text = JSON.stringify(snapshot.organizations[1]).replaceAll('"drive-b"', '"drive-full"');
  mock.restore({ ...snapshot, organizations: [snapshot.organizations[0], JSON.parse(text)] as never });
  const path = '/drives/drive-full/files/file-b';
  for (const [foreignResourceStatus, status] of [
    ['likeUnknown', 404],
    ['forbidden', 403],
  ] as const) {
    mock.setProfile({ foreignResourceStatus });
    const foreign = await api('GET', path);
    expect(foreign.status).toBe(status);
    expect(foreign.headers.get('x-open-points')).toContain('foreignResourceStatus');
    expect((await api('GET', '/drives/drive-full/files/none')).status).toBe(404);
    expect((await api('GET', path, { key: 'key-b' })).status).toBe(200);
  }
});

// What the mock makes up for a field that was not sent must not stand in the way of the next one.
it('a URL that is made up is never refused as a duplicate, and has no blank', async () => {
  const { mock, api } = controlled();
  mock.setProfile({ 'requiredFields.createMcpServer': 'none', 'duplicates.urls': 'refused' });
  const create = async (json: object) => {
    const { status, body } = await api('POST', '/mcp-servers', { json });
    return [status, body.url];
  };
  const urls = ['', '-2', '-3', '-4'].map((end) => `http://127.0.0.1/mcp${end}`);
  for (const url of urls) expect(await create({})).toEqual([201, url]);
  expect((await create({ name: 'Sent', url: urls[2] }))[0]).toBe(409);
});

it('a deletion says whether there was something to delete', async () => {
  const { mock, api } = controlled();
  mock.setProfile({ 'treePath.missing': 'emptyJob' });
  const messageOf = async (path: string) =>
    (await api('DELETE', `/drives/drive-full/items/tree?path=${path}`)).body.message;
  expect([await messageOf('/docs'), await messageOf('/docs'), await messageOf('/nowhere')]).toEqual([
    'Deleting /docs',
    'Nothing to delete at /docs',
    'Nothing to delete at /nowhere',
  ]);
});

it('a file that leaves a tree before the tree is deleted late stays', async () => {
  const { api } = await startControlled({ set: { treeDeletion: 'asynchronous' } });
  const at = '/drives/drive-full/files/file-plain';
  const { path } = (await api('GET', at)).body;
  const tree = path.slice(0, path.lastIndexOf('/'));
  expect((await api('DELETE', `/drives/drive-full/items/tree?path=${tree}`)).status).toBeLessThan(300);
  expect((await api('PATCH', at, { json: { path: '/elsewhere.txt' } })).status).toBe(200);
  for (let call = 0; call <= lagCalls; call++) await api('GET', '/agents');
  expect(await api('GET', at)).toMatchObject({ status: 200, body: { path: '/elsewhere.txt' } });
});

it('the root of a drive is refused in every spelling that means it', async () => {
  const { mock, api } = controlled();
  mock.setProfile({ 'pathForm.spelling': 'normalized', 'treePath.root': 'refused' });
  const detailOf = async (path: string) =>
    (await api('DELETE', `/drives/drive-full/items/tree?path=${path}`)).body.detail;
  for (const path of ['/', '//', '/.', '/./', '/.//./']) expect(await detailOf(path)).toMatch(/a directory below \/$/);
});

it('an organization that is reset has the id of the profile that is used now, and no longer its earlier one', async () => {
  const organizations = ['A', 'B'].map((name) => ({ name, keys: [name] }));
  const { mock, control } = await startControlled({ seed: { organizations } });
  const idOf = (name: string) => mock.engine.store.named(name)[0]?.organization.id ?? '';
  const before = idOf('A');
  mock.setProfile({ idFormat: 'numeric' });
  expect((await control('POST', `/reset?organization=${before}`)).status).toBe(200);
  expect(idOf('A')).toMatch(/^\d+$/);
  expect(mock.engine.store.sandbox(before)).toBeUndefined();
  expect((await control('POST', `/reset?organization=${idOf('A')}`)).body.organizations[0].id).toBe(idOf('A'));
});

it('another seed keeps what was written: no profile, and nothing that was only read or refused', async () => {
  const { mock, api } = controlled();
  await api('GET', '/drives');
  await api('GET', '/drives/drive-full/files/file-plain');
  await api('POST', '/drives', { json: {} });
  await api('PATCH', '/drives/drive-full/files/none', { json: { path: '/a' } });
  await api('POST', '/drives', { key: 'key-b', json: { name: 'New' } });
  for (const organization of ['org-a', 'org-b'])
    mock.setProfile({ 'successStatus.createDrive': 202 }, { organization });
  expect(mock.engine.reseed(structuredClone(tinySeed))).toEqual({ renewed: ['Alder'], kept: ['Birch'], deleted: [] });
  const create = async (key: string) => (await api('POST', '/drives', { key, json: { name: 'Newer' } })).status;
  expect([await create('key-a'), await create('key-b')]).toEqual([202, 202]);
});

it('a sandbox that is gone comes back from its part of a snapshot', () => {
  const { mock } = controlled();
  const { organizationId } = mock.openSandbox({ name: 'Mine' });
  const part = mock.snapshot().organizations.find(({ id }) => id === organizationId);
  mock.reset();
  expect(mock.engine.store.named('Mine')).toEqual([]);
  mock.engine.restoreOrganization(part as NonNullable<typeof part>);
  expect(mock.engine.store.named('Mine')[0]?.organization.id).toBe(organizationId);
});

describe('a creation that is listed late', () => {
  const lagging: Partial<Profile> = { readAfterWrite: 'lagging' };
  const create = async (api: Client) => (await api('POST', '/drives', { json: { name: 'Late' } })).body.id;

  it('is listed once as many calls have ended as it waits for, without one more', async () => {
    const { mock, api } = await startControlled({ set: lagging });
    const id = await create(api);
    const listed = () => mock.snapshot().organizations[0]?.listed.drives.includes(id);
    for (let call = 0; call < lagCalls; call++) {
      expect(listed()).toBe(false);
      await api('GET', '/agents');
    }
    expect(listed()).toBe(true);
  });

  it('is listed by the first call after the time that it waits for', async () => {
    const { api, control } = await startControlled({ set: lagging });
    const id = await create(api);
    const idsOf = async () =>
      (await api('GET', '/drives?limit=100')).body.data.map((drive: { id: string }) => drive.id);
    const advance = (advanceMs: number): Sent => ({ json: { advanceMs } });
    await control('PATCH', '/settings', advance(lagMs - 1));
    expect(await idsOf()).not.toContain(id);
    await control('PATCH', '/settings', advance(1));
    expect(await idsOf()).toContain(id);
  });
});

it('the tools of a server that was removed in the meantime change nothing', () => {
  const { mock } = controlled();
  const before = mock.snapshot();
  const [sandbox] = mock.engine.store.sandboxes;
  noteListing(sandbox?.organization as NonNullable<typeof sandbox>['organization'], 'removed', { tools: [] });
  expect(mock.snapshot()).toEqual(before);
});
