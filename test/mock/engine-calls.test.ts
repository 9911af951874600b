import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Call, JudgedCall } from '../../src/engine/call.ts';
import { createMock, type Mock, type Profile } from '../../src/index.ts';
import { queryOf } from '../model/call.ts';
import { anyCallUnder } from '../model/random-requests.ts';
import { now, seed } from '../model/seed.ts';
import { startControlled } from '../support/control.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { now as tinyNow, tinySeed } from '../support/tiny-seed.ts';

// The engine, call by call, without HTTP: what it keeps of earlier calls shows in none of its answers.

const bytes = (text: string) => new TextEncoder().encode(text);

const headers: Call['headers'][] = [{ 'x-api-key': 'key-a' }, { 'x-api-key': 'key-a', authorization: 'Bearer key-b' }];

/** Calls of the model. A client that repeats a call sends the same objects again, so these are shared. */
function anyCallsUnder(profile: Profile): fc.Arbitrary<Call[]> {
  const kept = new Map<string, unknown>();
  const shared = <T>(value: T): T => {
    const text = JSON.stringify(value);
    if (!kept.has(text)) kept.set(text, value);
    return kept.get(text) as T;
  };
  const one = anyCallUnder(profile).map(
    (call): Call => ({
      ...{ operationId: call.operationId, pathParameters: shared(call.params), headers: shared(call.headers) },
      ...{ query: queryOf(call).slice(1), body: call.body === undefined ? undefined : bytes(call.body) },
    }),
  );
  return fc.array(one, { minLength: 2, maxLength: 12 });
}

it.each<[string, Partial<Profile>]>([
  ['default', {}],
  ['strict', { malformedIds: 'refused', unknownQueryParameters: 'refused', judgedFirst: 'resource' }],
  ['lenient', { outOfRangePaging: 'ignored', requiredBodyFields: 'none', mediaTypeRules: 'lenient' }],
])('the answer to a call is the same after any others, under a %s profile', async (_, set) => {
  const options = { seed, clock: now, set };
  const [among, alone] = [await createMock(options), await createMock(options)];
  const property = fc.property(anyCallsUnder(among.profile), (calls) => {
    among.reset();
    for (const call of calls) {
      // In the same state, but of other objects, so that nothing of it can be known.
      alone.restore(among.snapshot());
      expect(among.engine.answer(call)).toEqual(alone.engine.answer(structuredClone(call)));
    }
  });
  fc.assert(property, { seed: randomSeed, numRuns: depth(50, 700) });
  await Promise.all([among.close(), alone.close()]);
});

it('a call that is repeated has what changed meanwhile named', async () => {
  const { mock } = await startControlled({ set: { unknownQueryParameters: 'refused' } });
  const shared = { pathParameters: { driveId: 'drive-full', fileId: 'file-plain' }, headers: headers[0] ?? {} };
  const read: Call = { ...shared, operationId: 'getDriveFile', query: 'colour=red' };
  const namesTwoFaults = () => mock.engine.answer(read).openPoints?.split(', ').includes('judgedFirst');
  const before = mock.snapshot();
  expect([namesTwoFaults(), namesTwoFaults()]).toEqual([false, false]);
  const tree = { operationId: 'deleteDriveTree', query: 'path=/docs' } as const;
  expect(mock.engine.answer({ ...read, ...tree }).status).toBe(200);
  expect([namesTwoFaults(), namesTwoFaults()]).toEqual([true, true]);
  mock.restore(before);
  expect(namesTwoFaults()).toBe(false);
});

describe('an answer', () => {
  const ask = ({ engine }: Mock, call: Partial<Call>) =>
    engine.answer({ operationId: 'listDrives', pathParameters: {}, query: '', headers: headers[0] ?? {}, ...call });

  it('is about its operation and the organization of its key', async () => {
    const { mock } = await startControlled();
    const both = { operationId: 'listDrives', organizationId: 'org-a' };
    expect(ask(mock, {}).about).toEqual(both);
    expect(ask(mock, { query: 'limit=0' }).about).toEqual(both);
    expect(ask(mock, { headers: { 'x-api-key': 'nobody' } }).about).toEqual({ operationId: 'listDrives' });
    expect(mock.engine.refusal({ refused: 'unknownPath', detail: 'x' }).about).toBeUndefined();
  });

  it('says why a call was refused, and nothing of a success', async () => {
    const { mock } = await startControlled();
    expect(ask(mock, { query: 'limit=0' }).notes).toEqual([expect.stringMatching(/^query\.limit /)]);
    expect(ask(mock, {}).notes).toBeUndefined();
  });

  it.each<[string, Partial<Call>, string | undefined]>([
    ['of a good key and input', {}, 'org-a'],
    ['of another good key', { headers: { 'x-api-key': 'key-b' } }, 'org-b'],
    ['of an unknown key', { headers: { 'x-api-key': 'nobody' } }, undefined],
    ['without a key', { headers: {} }, undefined],
    ['of bad input', { query: 'limit=0' }, undefined],
  ])('has a caller only where it is one %s', async (_, call, id) => {
    const { mock } = await startControlled();
    const before = mock.snapshot();
    const asked: Call = {
      operationId: 'listDrives',
      pathParameters: {},
      query: '',
      headers: headers[0] ?? {},
      ...call,
    };
    expect(mock.engine.callerOf(asked)?.id).toBe(id);
    expect(mock.snapshot()).toEqual(before);
  });

  it('uses the profile of its organization, or of all where nobody has such a key', async () => {
    const { mock } = await startControlled();
    const [empty, usual] = ['empty', 'problem'];
    const errorOf = (some?: Call['headers']) => mock.engine.appliedFor(some).profile.errorBody;
    expect(errorOf({ 'x-api-key': 'key-b' })).toBe(usual);
    mock.setProfile({ errorBody: 'empty' }, { organization: 'org-b' });
    expect(errorOf({ 'x-api-key': 'key-b' })).toBe(empty);
    for (const other of [undefined, {}, { 'x-api-key': 'key-a' }, { 'x-api-key': 'nobody' }, headers[1]]) {
      expect(errorOf(other)).toBe(usual);
    }
    mock.setProfile({ errorBody: 'problem' }, { organization: 'org-b' });
    expect(errorOf({ 'x-api-key': 'key-b' })).toBe(usual);
  });

  it('tells the fault of the resource first only where the profile says so, and where 404 is stated', async () => {
    const statusOf = async (call: Partial<JudgedCall>, set: Partial<Profile>) => {
      const { mock } = await startControlled({ set: { unknownQueryParameters: 'refused', ...set } });
      return ask(mock, { query: 'colour=red', ...call }).status;
    };
    const unknown: Partial<Call> = { operationId: 'getDriveFile', pathParameters: { driveId: 'none', fileId: 'none' } };
    const malformed: Partial<Call> = { ...unknown, pathParameters: { driveId: 'none', fileId: 'a b' } };
    const server: Partial<Call> = { operationId: 'listMcpServerTools', pathParameters: { mcpServerId: 'none' } };
    const known: Partial<Call> = { operationId: 'listMcpServerTools', pathParameters: { mcpServerId: 'server-tools' } };
    const resource: Partial<Profile> = { judgedFirst: 'resource' };
    expect([await statusOf(unknown, {}), await statusOf(unknown, resource)]).toEqual([422, 404]);
    expect([await statusOf(malformed, resource)]).toEqual([404]);
    expect([await statusOf(malformed, { ...resource, malformedIds: 'refused' })]).toEqual([422]);
    expect([await statusOf(server, {}), await statusOf(server, resource)]).toEqual([404, 404]);
    expect([await statusOf(known, {}), await statusOf(known, resource)]).toEqual([422, 422]);
    expect([await statusOf({}, {}), await statusOf({}, resource)]).toEqual([422, 422]);
  });
});

it.each<[string, Partial<Profile>]>([
  ['is missing', {}],
  ['may be missing', { requiredBodyFields: 'none' }],
])('an empty body is answered like none, of whatever media type, where one %s', async (_, set) => {
  const { mock } = await startControlled({ set });
  const create = (contentType: string, body?: Call['body']) => {
    mock.reset();
    const call = { operationId: 'createDrive', pathParameters: {}, query: '' } as const;
    return mock.engine.answer({ ...call, headers: { 'x-api-key': 'key-a', 'content-type': contentType }, body });
  };
  for (const mediaType of ['application/json', 'text/plain']) {
    expect(create(mediaType, bytes(''))).toEqual(create(mediaType));
  }
});

describe('an organization that is reset', () => {
  const named = (mock: Mock, name: string) => mock.engine.store.named(name);

  it('goes back to its start, with the clock only where all is reset', async () => {
    const { mock, api, control } = await startControlled();
    await api('POST', '/drives', { json: { name: 'New' } });
    await control('PATCH', '/settings', { json: { advanceMs: 1_000 } });
    expect((await control('POST', '/reset?organization=org-a')).status).toBe(200);
    expect((await api('GET', '/drives')).body.data).toHaveLength(2);
    expect(mock.engine.clock.nowMs()).toBe(Date.parse(tinyNow) + 1_000);
    mock.reset();
    expect(mock.engine.clock.nowMs()).toBe(Date.parse(tinyNow));
  });

  it('keeps its state where another one now has its first key', async () => {
    const { mock, control } = await startControlled();
    const first = mock.openSandbox({ name: 'First', key: 'the-key' });
    mock.engine.store.issue(named(mock, 'First') as never, 'another-key');
    mock.engine.store.revoke('the-key');
    mock.openSandbox({ name: 'Second', key: 'the-key' });
    const before = mock.snapshot();
    const { status, body } = await control('POST', `/reset?organization=${first.organizationId}`);
    expect([status, body.detail]).toEqual([
      409,
      'Another organization now has the id or one of the first keys of this one. Delete that organization, or reset the whole mock.',
    ]);
    expect(mock.snapshot()).toEqual(before);
    expect((await control('POST', '/reset?organization=Second')).status).toBe(200);
  });

  it('has the id of the profile that is used now, and no longer its earlier one', async () => {
    const seed = {
      organizations: [
        { name: 'A', keys: ['a'] },
        { name: 'B', keys: ['b'] },
      ],
    };
    const { mock, control } = await startControlled({ seed });
    const before = named(mock, 'A')?.organization.id ?? '';
    mock.setProfile({ idFormat: 'numeric' });
    expect((await control('POST', `/reset?organization=${before}`)).status).toBe(200);
    const after = named(mock, 'A')?.organization.id ?? '';
    expect(after).toMatch(/^\d+$/);
    expect(mock.engine.store.sandbox(before)).toBeUndefined();
    expect(mock.engine.store.sandboxes.map(({ organization }) => organization.name).sort()).toEqual(['A', 'B']);
    expect((await control('POST', `/reset?organization=${after}`)).body.organizations[0].id).toBe(after);
  });

  it('keeps its place among the others', async () => {
    const { mock, control } = await startControlled();
    const names = () => mock.engine.store.sandboxes.map(({ organization: { name } }) => name);
    const before = names();
    expect((await control('POST', '/reset?organization=org-a')).status).toBe(200);
    expect(names()).toEqual(before);
  });

  it('uses the profile of all again', async () => {
    const { mock, api, control } = await startControlled();
    mock.setProfile({ createStatus: 202 }, { organization: 'org-a' });
    const create = async () => (await api('POST', '/drives', { json: { name: 'New' } })).status;
    expect(await create()).toBe(202);
    await control('POST', '/reset?organization=org-a');
    expect(await create()).toBe(201);
  });
});

describe('a profile of its own', () => {
  it('stays with an organization that is restored from a snapshot, alone or with all', async () => {
    const { mock, api, control } = await startControlled();
    mock.setProfile({ createStatus: 202 }, { organization: 'org-a' });
    const taken = (await control('GET', '/snapshot')).body;
    const create = async (key: string) => (await api('POST', '/drives', { key, json: { name: 'New' } })).status;
    const [one] = taken.organizations;
    expect((await control('PUT', '/snapshot?organization=org-a', { json: one })).status).toBe(200);
    expect([await create('key-a'), await create('key-b')]).toEqual([202, 201]);
    expect((await control('PUT', '/snapshot', { json: taken })).status).toBe(200);
    expect([await create('key-a'), await create('key-b')]).toEqual([202, 201]);
    expect((await api('GET', '/drives')).body.data).toHaveLength(3);
  });

  it('is no change of the state: another seed replaces what was not written, and keeps what was', async () => {
    const { mock, api } = await startControlled();
    await api('POST', '/drives', { key: 'key-b', json: { name: 'New' } });
    for (const organization of ['org-a', 'org-b']) mock.setProfile({ createStatus: 202 }, { organization });
    expect(mock.engine.reseed(structuredClone(tinySeed))).toEqual({ renewed: ['Alder'], kept: ['Birch'], deleted: [] });
    const create = async (key: string) => (await api('POST', '/drives', { key, json: { name: 'Newer' } })).status;
    expect([await create('key-a'), await create('key-b')]).toEqual([202, 202]);
  });
});

it.each<[string, string, string, unknown]>([
  ['a list', 'GET', '/drives', undefined],
  ['a file', 'GET', '/drives/drive-full/files/file-plain', undefined],
  ['a refused creation', 'POST', '/drives', {}],
  ['a refused move', 'PATCH', '/drives/drive-full/files/none', { path: '/a' }],
])('%s changes nothing that another seed would have to keep', async (_, method, path, json) => {
  const { mock, api } = await startControlled();
  await api(method, path, json === undefined ? {} : { json });
  expect(mock.engine.reseed(structuredClone(tinySeed)).kept).toEqual([]);
});

it('a sandbox that is gone comes back from its part of a snapshot', async () => {
  const { mock } = await startControlled();
  const { organizationId } = mock.openSandbox({ name: 'Mine' });
  const part = mock.snapshot().organizations.find(({ id }) => id === organizationId);
  if (part === undefined) throw new Error('The sandbox is not in the snapshot.');
  mock.reset();
  expect(mock.engine.store.named('Mine')).toBeUndefined();
  mock.engine.restoreOrganization(part);
  expect(mock.engine.store.named('Mine')?.organization.id).toBe(organizationId);
});

it('a deletion says whether there was something to delete', async () => {
  const { mock } = await startControlled({ set: { missingTree: 'emptyJob' } });
  const messageOf = (query: string) => {
    const call = { operationId: 'deleteDriveTree', pathParameters: { driveId: 'drive-full' }, query } as const;
    return JSON.parse(mock.engine.answer({ ...call, headers: headers[0] ?? {} }).body ?? '').message;
  };
  expect(['path=/docs', 'path=/docs', 'path=/nowhere'].map(messageOf)).toEqual([
    'Deleting /docs',
    'Nothing to delete at /docs',
    'Nothing to delete at /nowhere',
  ]);
});
