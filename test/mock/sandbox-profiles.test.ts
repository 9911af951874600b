import { describe, expect, it } from 'vitest';
import type { Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { StartError } from '../../src/index.ts';
import { createRandom } from '../model/random.ts';
import { randomProfile } from '../model/random-profile.ts';
import { type Client, createClient } from '../support/client.ts';
import { clientsOf, expectProblem, startControlled, useControlled } from '../support/control.ts';
import { depth, hasJustRun, randomSeed, sampleOf } from '../support/depth.ts';
import { observations } from '../support/observations.ts';

// A profile of one organization: what it changes, and that it changes nothing for others.

const own = {
  errorBody: 'message',
  'errorStatus.notFound': 410,
  'successStatus.createDrive': 202,
  listOrder: 'newestFirst',
};
const change = (control: Client, organization: string, profile: unknown) =>
  control('PATCH', `/settings?organization=${organization}`, { key: 'key-b', json: { profile } });
const missingFile = '/drives/drive-full/files/nothing';

/** What one organization is answered, to requests that many choices shape. */
async function tour(call: Client): Promise<string[]> {
  const replies = [
    await call('GET', '/agents'),
    await call('GET', '/drives'),
    await call('GET', '/drives?limit=0'),
    await call('GET', missingFile),
    await call('POST', '/drives', { json: { name: ' New ' } }),
    await call('POST', '/drives', { raw: '{' }),
    await call('GET', '/drives'),
    await call('GET', '/nowhere'),
  ];
  return replies.map(({ status, headers, text }) => {
    const shown = ['content-type', 'x-open-points'].map((name) => headers.get(name));
    return [status, ...shown, text.replaceAll(/"organizationId":"[^"]*"/g, '')].join(' ');
  });
}

describe.skipIf(hasJustRun)('a profile of one organization', () => {
  const controlled = useControlled();
  const settingsOf = async (control: Client, query = '') => (await control('GET', `/settings${query}`)).body;

  it('is set and read there, and shapes its answers and X-Open-Points only', async () => {
    const { api, control, mock } = controlled();
    const before = await api('GET', missingFile);
    const { status, body } = await change(control, 'self', own);
    expect([status, body.hasOwnProfile]).toEqual([200, true]);
    expect(body.profile).toEqual({ ...mock.profile, ...own });
    expect(await settingsOf(control, '?organization=org-b')).toEqual(body);
    expect((await settingsOf(control)).profile).toEqual(mock.profile);
    expect(await settingsOf(control, '?organization=org-a')).toMatchObject({
      ...{ profile: mock.profile, hasOwnProfile: false },
    });
    const reply = await api('GET', missingFile, { key: 'key-b' });
    expect([reply.status, Object.keys(reply.body)]).toEqual([410, ['message']]);
    expect((await api('POST', '/drives', { key: 'key-b', json: { name: 'New' } })).status).toBe(202);
    const after = await api('GET', missingFile);
    expect([after.status, after.text]).toEqual([404, before.text]);
    expect((await api('POST', '/drives', { json: { name: 'New' } })).status).toBe(201);
  });

  it('is named in X-Open-Points, in /open-points and by the contract that its key reads', async () => {
    const { mock, api, control } = controlled();
    await change(control, 'org-b', {
      'oddPaging.outOfRange': 'ignored',
      idFormat: 'numeric',
      treePathParameter: 'dir',
    });
    const contractOf = createClient(new URL(mock.url).origin, '');
    const seenBy = async (key: string) => [
      (await api('GET', '/drives?limit=0', { key })).headers.get('x-open-points')?.includes('pagingDefaults.limit'),
      (await contractOf('GET', '/openapi.json', { key })).text.includes('"name": "dir"'),
    ];
    expect([await seenBy('key-a'), await seenBy('key-b')]).toEqual([
      [false, false],
      [true, true],
    ]);
    const pointOf = async (query: string) => {
      const { body } = await control('GET', `/open-points${query}`, { key: 'key-b' });
      return body.find(({ id }: { id: string }) => id === 'idFormat');
    };
    expect(await pointOf('?organization=self')).toMatchObject({ now: 'numeric', isDefault: false });
    for (const query of ['', '?organization=org-a'])
      expect(await pointOf(query)).toMatchObject({ now: 'uuid', isDefault: true });
  });

  it('shapes forced answers and those of faults', async () => {
    const { api, control } = controlled();
    await change(control, 'org-b', own);
    const bodyOf = async (key: string, path: string, headers = {}) => (await api('GET', path, { key, headers })).body;
    const prefer = { prefer: 'code=503' };
    expect(await bodyOf('key-b', '/agents', prefer)).toEqual({ message: expect.any(String) });
    expect(await bodyOf('key-a', '/agents', prefer)).toMatchObject({ status: 503 });
    await control('POST', '/faults', { json: { effect: { status: { code: 410 } } } });
    expect(await bodyOf('key-b', missingFile)).toEqual({ message: expect.any(String) });
    expect(await bodyOf('key-a', missingFile)).toMatchObject({ status: 410 });
  });

  it('keeps the state, and shapes new things only where a choice is about stored ones', async () => {
    const { api, control, mock } = controlled();
    const ids = async () =>
      (await api('GET', '/drives', { key: 'key-b' })).body.data.map(({ id }: { id: string }) => id);
    await api('POST', '/drives', { key: 'key-b', json: { name: 'Kept' } });
    const before = await ids();
    await change(control, 'org-b', { idFormat: 'numeric' });
    expect(await ids()).toEqual(before);
    const made = await api('POST', '/drives', { key: 'key-b', json: { name: 'New' } });
    expect(made.body.id).toMatch(/^\d+$/);
    expect(mock.keys).toEqual(mock.engine.store.keys);
  });

  it('is left alone by later changes for all, and null takes it away', async () => {
    const { api, control } = controlled();
    await change(control, 'org-b', { 'errorStatus.notFound': 410 });
    await control('PATCH', '/settings', { json: { profile: { 'errorStatus.notFound': 403, errorBody: 'empty' } } });
    const seen = async (key: string) => {
      const { status, text } = await api('GET', missingFile, { key });
      return [status, text.length > 0];
    };
    expect([await seen('key-a'), await seen('key-b')]).toEqual([
      [403, false],
      [410, true],
    ]);
    expect((await change(control, 'org-b', null)).body.hasOwnProfile).toBe(false);
    expect(await seen('key-b')).toEqual([403, false]);
  });

  it('ends with a reset, of the organization or of all; the one of all stays', async () => {
    const { control, mock } = controlled();
    await control('PATCH', '/settings', { json: { profile: { 'successStatus.getDriveFile': 203 } } });
    const sandbox = mock.openSandbox().organizationId;
    for (const path of ['/reset?organization=self', '/reset']) {
      await change(control, 'self', own);
      await change(control, sandbox, own);
      await control('POST', path, { key: 'key-b' });
      const { hasOwnProfile, profile } = await settingsOf(control, '?organization=org-b');
      expect([hasOwnProfile, profile['successStatus.getDriveFile']]).toEqual([false, 203]);
    }
    expect(mock.engine.store.hasOwnProfiles).toBe(false);
  });

  it('is no part of a snapshot: restoring one keeps it where the organization is there', async () => {
    const { control, mock } = controlled();
    const whole = (await control('GET', '/snapshot')).body;
    const one = (await control('GET', '/snapshot?organization=org-b')).body;
    await change(control, 'org-b', own);
    await control('PUT', '/snapshot', { json: whole });
    await control('PUT', '/snapshot?organization=org-b', { json: one });
    expect(mock.profileOf('org-b')).toMatchObject(own);
    expect((await control('GET', '/snapshot')).body).toEqual(whole);
    await control('DELETE', '/organizations/org-b');
    await control('PUT', '/snapshot', { json: whole });
    expect(mock.profileOf('org-b')).toEqual(mock.profile);
  });

  it.each([
    [
      { bothAuthHeaders: 'bearerWins' },
      /same for all organizations, because it applies before the mock knows which organization/,
    ],
    [{ wwwAuthenticate: 'absent' }, /same for all/],
    [{ toolsOfNewServer: 'live' }, /--live-mcp/],
    [{ 'successStatus.createDrive': 404 }, /body\.profile\.successStatus\.createDrive/],
    [{ 'successStatus.createDrvie': 201 }, /did you mean successStatus.createDrive/],
    [[], /body\.profile must be an object or null/],
  ])('cannot be %j, and then nothing has changed', async (profile, says) => {
    const { control, mock } = controlled();
    expectProblem(await change(control, 'org-b', profile), 422, says);
    expect(mock.engine.store.hasOwnProfiles).toBe(false);
  });

  it('cannot be taken away from all', async () => {
    const { control } = controlled();
    const reply = await control('PATCH', '/settings', { json: { profile: null } });
    expectProblem(reply, 422, /body\.profile may be null for one organization only: add \?organization=/);
  });
});

describe.skipIf(hasJustRun)('the handle of a mock', () => {
  it('sets and reads the profile of all, or of one organization by id or name', async () => {
    const { mock, api } = await startControlled();
    mock.setProfile({ 'successStatus.createDrive': 200 });
    mock.setProfile({ 'successStatus.createDrive': 202 }, { organization: 'Birch' });
    expect([mock.profile['successStatus.createDrive'], mock.profileOf('org-a')['successStatus.createDrive']]).toEqual([
      200, 200,
    ]);
    expect(mock.profileOf('org-b')['successStatus.createDrive']).toBe(202);
    expect((await api('POST', '/drives', { key: 'key-b', json: { name: 'New' } })).status).toBe(202);
    mock.setProfile(null, { organization: 'org-b' });
    expect(mock.profileOf('Birch')).toEqual(mock.profile);
  });

  it('refuses what is wrong with a typed error', async () => {
    const { mock } = await startControlled();
    const wrong: [act: () => unknown, code: string, says: RegExp][] = [
      [() => mock.setProfile({}, { organization: 'nobody' }), 'OPTION_INVALID', /"nobody".*id or the name/],
      [() => mock.setProfile({}, { organisation: 'a' } as never), 'OPTION_INVALID', /There is no option organisation/],
      [() => mock.setProfile({ 'successStatus.createDrive': 404 }), 'PROFILE_INVALID', /successStatus.createDrive/],
      [() => mock.setProfile(null), 'PROFILE_INVALID', /one organization only/],
      [() => mock.setProfile('x' as never), 'PROFILE_INVALID', /object/],
      [() => mock.profileOf('nobody'), 'OPTION_INVALID', /nobody/],
    ];
    for (const [act, code, message] of wrong) {
      expect(act).toThrow(StartError);
      expect(act).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
    }
  });
});

const ofAll = ['cors', 'bothAuthHeaders', 'bearerSpelling', 'wwwAuthenticate'];

describe('every choice but those that are the same for all can be that of one organization', () => {
  const controlled = useControlled();
  const points = loadOpenPoints().filter(({ id, needs }) => needs === undefined && !ofAll.includes(id));

  it.each(sampleOf(points, 6))('$id', async ({ id, choices }) => {
    const { expected, see, with: needed } = observations[id as keyof Profile];
    const { mock, control } = controlled();
    for (const { value, needs } of choices) {
      if (needs !== undefined) continue;
      await control('POST', '/reset');
      mock.setProfile({ ...needed, [id]: value }, { organization: 'org-a' });
      expect([value, await see(createClient(mock.url, 'key-a'))]).toEqual([value, expected[String(value)]]);
    }
  });
});

describe('profiles of many sandboxes', () => {
  it('change nothing for each other, whatever happens at the same time', async () => {
    const { mock } = await startControlled({ openKeys: true });
    const { control } = clientsOf(mock);
    const shared = Object.fromEntries(Object.entries(mock.profile).filter(([id]) => ofAll.includes(id)));
    const draw = (seed: number) => ({ ...randomProfile(createRandom(seed)), ...shared });
    const sandboxes = Array.from({ length: depth(8, 60) }, (_, at) => ({
      key: `sandbox-${at}`,
      // Some share a profile, some have none.
      profile: at % 4 === 0 ? undefined : draw(randomSeed + (at % 5)),
    }));
    const carryOut = async ({ key, profile }: (typeof sandboxes)[number]) => {
      await control('POST', '/reset?organization=self', { key });
      if (profile) await control('PATCH', '/settings?organization=self', { key, json: { profile } });
      return tour(createClient(mock.url, key));
    };
    const alone: string[][] = [];
    for (const sandbox of sandboxes) alone.push(await carryOut(sandbox));
    expect(await Promise.all(sandboxes.map(carryOut))).toEqual(alone);
    expect(new Set(alone.map((answers) => answers.join())).size).toBeGreaterThan(3);
  });

  it('with the same profile share what is compiled', async () => {
    const { mock } = await startControlled({ maxSandboxes: 200 });
    const appliedTo = (key: string) => mock.engine.appliedFor({ 'x-api-key': key });
    const keys = Array.from({ length: 100 }, (_, at) => {
      const { key, organizationId } = mock.openSandbox();
      if (at > 0)
        mock.setProfile({ 'successStatus.createDrive': at % 2 === 0 ? 200 : 202 }, { organization: organizationId });
      return key;
    });
    expect(new Set(keys.map(appliedTo)).size).toBe(3);
    expect(appliedTo(keys[0] as string)).toBe(mock.engine.appliedFor({ 'x-api-key': 'key-a' }));
  });
});
