import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMock, type Mock, type Seed } from '../../src/index.ts';
import { seed as modelSeed, now } from '../model/seed.ts';
import { clientsOf, expectProblem, startControlled, useControlled } from '../support/control.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { anyDeepStep, anyProfile, sendStep, toTurnRequest, toTurns } from '../support/random-steps.ts';
import { createStateReader } from '../support/state.ts';

// Seeds: what may be left out of one, and a state that is saved as one.

const sparse: Seed = {
  organizations: [
    {
      ...{ id: 'org', name: 'Sparse', keys: ['key'] },
      agents: [{ id: 'agent', name: 'A', revisions: [{ id: 'one' }, { id: 'two' }], published: 1 }],
      drives: [{ id: 'drive', name: 'D', files: [{ id: 'file', path: '/a/b.txt' }] }],
      mcpServers: [{ id: 'server', name: 'S', url: 'http://127.0.0.1:1/' }],
    },
  ],
};

describe('a seed that says only what nobody can derive', () => {
  it('gets times, size and type of the start, as in the admin API', async () => {
    const { mock, api, control } = await startControlled({ seed: sparse, clock: now });
    const made = new Date(now).toISOString();
    expect((await api('GET', '/agents')).body).toMatchObject([{ createdAt: made, updatedAt: made, hasChanges: true }]);
    expect((await api('GET', '/drives')).body.data).toMatchObject([{ createdAt: made, updatedAt: made }]);
    expect((await api('GET', '/mcp-servers')).body).toMatchObject([{ createdAt: made, updatedAt: made }]);
    const { body: ofSeed } = await control('GET', '/organizations/org/drives/drive/files/file');
    const { body: added } = await control('POST', '/organizations/org/drives/drive/files', {
      json: { path: '/c.txt' },
    });
    const { id: _, name: __, path: ___, ...derived } = added;
    expect(ofSeed).toEqual({ ...derived, id: 'file', name: 'b.txt', path: '/a/b.txt' });
    expect(derived).toMatchObject({ modifiedAt: made, sizeBytes: 0, contentType: 'application/octet-stream' });
    await mock.close();
  });

  it('has the times of the start in each copy, however late', async () => {
    const { api, control } = await startControlled({ seed: sparse, clock: now, openKeys: true });
    const seenBy = async (key: string) => {
      const replies = [await api('GET', '/agents', { key }), await api('GET', '/mcp-servers', { key })];
      return replies.map(({ text }) => text.replaceAll(/"organizationId":"[^"]*"/g, ''));
    };
    const first = await seenBy('key');
    await control('PATCH', '/settings', { json: { advanceMs: 60_000 } });
    expect(await seenBy('late-sandbox')).toEqual(first);
    await control('POST', '/reset?organization=self', { key: 'key' });
    expect(await seenBy('key')).toEqual(first);
  });

  it('takes createdAt from updatedAt where only that is given', async () => {
    const updatedAt = '2020-01-01T00:00:00.000Z';
    const organization = { name: 'A', keys: ['k'], drives: [{ name: 'D', updatedAt }] };
    const { api } = await startControlled({ seed: { organizations: [organization] } });
    expect((await api('GET', '/drives')).body.data).toMatchObject([{ createdAt: updatedAt, updatedAt }]);
  });
});

describe('a state saved as a seed', () => {
  const controlled = useControlled({ seed: modelSeed, clock: now });

  /** Everything that the keys of a mock can see. A seed does not say what was set by hand. */
  async function viewOf(mock: Mock, keys: readonly string[]): Promise<string> {
    return (await createStateReader(mock, keys)()).replaceAll(/"hasChanges":(true|false)/g, '');
  }

  // Where these differ, a seed cannot say what came of them.
  const anySaved = anyProfile.map((profile) => ({
    ...profile,
    ...{ fileNameAfterMove: 'followsPath', readAfterWrite: 'immediate', treeDeletion: 'immediate' },
    ...{ toolsOfNewServer: 'none', rateLimits: 'none' },
  }));

  it('gives the same state in another mock, and is then saved as the same seed', async () => {
    const { mock, control } = controlled();
    let saved = 0;
    const property = fc.asyncProperty(anySaved, toTurns(anyDeepStep, 0, 25), async (profile, turns) => {
      await control('PATCH', '/settings', { json: { profile } });
      await control('POST', '/reset');
      for (const turn of turns) await sendStep(mock, toTurnRequest(mock, turn));
      const sandboxes = mock.engine.store.sandboxes;
      for (const { organization, keys } of sandboxes) {
        const path = `/seed?organization=${organization.id}`;
        const { status, body } = await control('GET', path);
        expect([status, keys.size]).toEqual(keys.size === 0 ? [409, 0] : [200, keys.size]);
        if (status !== 200) continue;
        const clock = new Date(mock.engine.clock.nowMs());
        const other = await createMock({ seed: body, clock, profile: mock.profile, liveMcp: false });
        expect(await viewOf(other, [...keys])).toBe(await viewOf(mock, [...keys]));
        expect((await clientsOf(other).control('GET', path)).body).toEqual(body);
        await other.close();
        saved++;
      }
    });
    await fc.assert(property, { numRuns: depth(4, 200), seed: randomSeed });
    expect(saved).toBeGreaterThan(depth(4, 200));
  });

  it('is the seed itself at the start', async () => {
    const { control } = controlled();
    const { body } = await control('GET', '/seed');
    expect(body.organizations.map(({ name }: { name: string }) => name)).toEqual(['Alpha', 'Beta']);
    const again = await startControlled({ seed: body, clock: now });
    expect((await again.control('GET', '/seed')).body).toEqual(body);
  });

  it('has ids of which none is given to what is made later', async () => {
    const seed = { organizations: [{ name: 'A', keys: ['k'], drives: [{ name: 'One' }, { name: 'Two' }] }] };
    const { body: saved } = await (await startControlled({ seed })).control('GET', '/seed');
    const [organization] = saved.organizations;
    organization.drives.push({ name: 'Three' });
    const { api } = await startControlled({ seed: { organizations: [organization] } });
    for (const name of ['Four', 'Five', 'Six']) await api('POST', '/drives', { json: { name } });
    const { data } = (await api('GET', '/drives?limit=100')).body;
    expect(new Set(data.map(({ id }: { id: string }) => id)).size).toBe(6);
  });

  it('as a whole leaves sandboxes out', async () => {
    const { control } = controlled();
    await control('POST', '/organizations', { json: { key: 'sandbox' } });
    const { body } = await control('GET', '/seed');
    expect(body.organizations).toHaveLength(2);
    const own = await control('GET', '/seed?organization=self', { key: 'sandbox' });
    expect(own.body.organizations).toMatchObject([{ keys: ['sandbox'] }]);
  });

  it('keeps the time that is left until a file changes its status', async () => {
    const { control } = await startControlled({ seed: sparse, clock: now });
    const file = '/organizations/org/drives/drive/files/file';
    await control('PATCH', file, { json: { status: 'processing', becomes: { status: 'error', afterMs: 5_000 } } });
    const fileIn = async () => (await control('GET', '/seed')).body.organizations[0].drives[0].files[0];
    await control('PATCH', '/settings', { json: { advanceMs: 2_000 } });
    expect(await fileIn()).toMatchObject({ status: 'processing', becomes: { status: 'error', afterMs: 3_000 } });
    await control('PATCH', '/settings', { json: { advanceMs: 3_000 } });
    expect(await fileIn()).toMatchObject({ status: 'error' });
    expect(await fileIn()).not.toHaveProperty('becomes');
  });

  it.each<[of: string, path: string, json: object, status: number]>([
    ['an agent with the id of a drive', 'agents', { name: 'A', id: 'drive' }, 201],
    ['a file with the id of a file in another drive', 'drives/second/files', { path: '/q', id: 'file' }, 201],
    ['a file with a line break in its path', 'drives/drive/files', { path: '/a\nb' }, 201],
    ['a second agent with an id', 'agents', { name: 'A', id: 'agent' }, 409],
    ['a second file of a drive with an id', 'drives/drive/files', { path: '/q', id: 'file' }, 409],
    ['an id that URLs drop', 'agents', { name: 'A', id: '..' }, 422],
    ['an id of half a character', 'drives/drive/files', { path: '/q', id: '\ud800' }, 422],
    ['an id of nothing', 'agents/agent/revisions', { id: '' }, 422],
  ])('holds all that the admin API makes: %s', async (_, path, json, status) => {
    const seed = structuredClone(sparse);
    seed.organizations[0]?.drives?.push({ id: 'second', name: 'D' });
    const { control } = await startControlled({ seed });
    expect((await control('POST', `/organizations/org/${path}`, { json })).status).toBe(status);
    const { body } = await control('GET', '/seed');
    const again = await startControlled({ seed: body });
    expect((await again.control('GET', '/seed')).body).toEqual(body);
  });

  it('holds no number that is not JSON, and the admin API makes none', async () => {
    const { control } = await startControlled({ seed: sparse });
    const files = '/organizations/org/drives/drive/files';
    const text = '{"path":"/n","metadata":{"of":[1e999]}}';
    const made = await control('POST', files, { raw: text, headers: { 'content-type': 'application/json' } });
    expectProblem(made, 422, /body\.metadata\.of\.0 must be a finite number/);
  });

  it('is refused where a seed cannot hold the state', async () => {
    const { control } = await startControlled({ seed: sparse, clock: now });
    const { keyIds } = (await control('GET', '/organizations/org')).body;
    await control('DELETE', `/organizations/org/keys/${keyIds[0]}`);
    expectProblem(await control('GET', '/seed'), 409, /organizations\.0\.keys/);
  });
});
