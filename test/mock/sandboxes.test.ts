import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRequestIds } from '../../src/app/edge/answer-call.ts';
import { sha256 } from '../../src/browser/sha256.ts';
import type { Organization } from '../../src/domain/organizations.ts';
import { createMock, type Mock, type MockOptions, type Profile } from '../../src/index.ts';
import { createRandom } from '../model/random.ts';
import { choicesOf, randomProfile } from '../model/random-profile.ts';
import { seed as modelSeed } from '../model/seed.ts';
import type { Client } from '../support/client.ts';
import { clientsOf, expectProblem, startControlled, useControlled } from '../support/control.ts';
import { depth, hasJustRun, isFull, randomSeed, sampleOf } from '../support/depth.ts';
import { expectSame } from '../support/difference.ts';
import { anyStep, type Step, sendStep, toRequest } from '../support/random-steps.ts';
import { createStateReader } from '../support/state.ts';

// Sandboxes: organizations with a fresh copy of the seed each, none of which sees another, or can tell what it does.

const clock = '2026-10-01T09:00:00Z';
const demo: MockOptions = { seed: 'demo', clock };
const advance = (control: Client, advanceMs: number) => control('PATCH', '/settings', { json: { advanceMs } });

/** All that a key can see, but for the key and the id of its organization. */
async function viewOf(mock: Mock, key: string): Promise<string> {
  const id = mock.engine.store.ownerOf(key)?.organization.id ?? '';
  const text = await createStateReader(mock, [key])();
  return text.replaceAll(key, '<key>').replaceAll(id, '<organization>');
}

/** All that an organization holds, in its order, but for when files take on their next status. */
function recordsOf(mock: Mock, key: string): string {
  const { organizations } = mock.snapshot();
  const { agents, drives, mcpServers, listed } = organizations.find(({ keys }) => keys.includes(key)) ?? {};
  const dated = (name: string, value: unknown) => (name === 'atMs' ? undefined : value);
  return JSON.stringify({ agents, drives, mcpServers, listed }, dated, 1);
}

describe.skipIf(hasJustRun)('a sandbox', () => {
  const controlled = useControlled();

  it('is opened with a generated or chosen name and key', async () => {
    const { api, control } = controlled();
    const plain = await control('POST', '/organizations');
    expect(plain).toMatchObject({
      status: 201,
      body: {
        organization: { name: 'Sandbox 1', kind: 'sandbox', holds: { agents: 2, drives: 2 } },
        key: expect.stringMatching(/^\S{8,}$/),
        retired: [],
      },
    });
    const chosen = await control('POST', '/organizations', { json: { name: 'Mine', key: 'my-own-key' } });
    expect(chosen.body).toMatchObject({ organization: { name: 'Mine' }, key: 'my-own-key' });
    for (const { body } of [plain, chosen]) {
      expect(body.organization.keyIds).toHaveLength(1);
      const { data } = (await api('GET', '/drives', { key: body.key })).body;
      expect(data.map(({ id }: { id: string }) => id)).toEqual(['drive-full', 'drive-late']);
      expect(new Set(data.map((drive: { organizationId: string }) => drive.organizationId))).toEqual(
        new Set([body.organization.id]),
      );
    }
    expect((await control('GET', '/organizations/Mine')).body).toEqual(chosen.body.organization);
  });

  it('starts as a copy of the named seed organization, or empty', async () => {
    const { mock, control } = controlled();
    const recordsIn = async (json: object) => {
      const { body } = await control('POST', '/organizations', { json });
      return recordsOf(mock, body.key);
    };
    const [alder, birch] = [recordsOf(mock, 'key-a'), recordsOf(mock, 'key-b')];
    expect(await recordsIn({ copyOf: 'org-b' })).toBe(birch);
    expect(await recordsIn({ copyOf: 'Birch' })).toBe(birch);
    expect(await recordsIn({ copyOf: 'Alder' })).toBe(alder);
    expect(JSON.parse(await recordsIn({ copyOf: null }))).toMatchObject({ agents: [], drives: [], mcpServers: [] });
    expect(await recordsIn({})).toBe(alder);
    await control('DELETE', '/organizations/org-b');
    expect(await recordsIn({ copyOf: 'Birch' })).toBe(birch);
    // No other sandbox, also where one has the name.
    await control('POST', '/organizations', { json: { name: 'Mine' } });
    for (const copyOf of ['Cedar', 'Mine'])
      expectProblem(
        await control('POST', '/organizations', { json: { copyOf } }),
        404,
        /The seed has no such organization\. It has \\"Alder\\", \\"Birch\\"; copyOf takes an id or a name/,
      );
    expect((await control('POST', '/organizations')).body.organization.name).toBe('Sandbox 8');
  });

  it('cannot be opened with a key in use', async () => {
    const { api, control } = controlled();
    await control('POST', '/organizations', { json: { key: 'once-only' } });
    for (const key of ['once-only', 'key-a', 'key-b']) {
      const reply = await control('POST', '/organizations', { json: { key } });
      expectProblem(reply, 409, /Another organization has this key\. Choose a different key, or omit it\./);
    }
    expect((await control('GET', '/organizations')).body).toHaveLength(3);
    expect((await api('GET', '/agents', { key: 'key-b' })).body).toMatchObject([{ id: 'agent-b' }]);
  });

  it('keeps its other key when a new sandbox takes its revoked key', async () => {
    const { mock, api, control } = controlled();
    const { body } = await control('POST', '/organizations', { json: { key: 'first-key' } });
    const path = `/organizations/${body.organization.id}/keys`;
    await control('POST', path, { json: { key: 'second-key' } });
    await api('POST', '/drives', { key: 'second-key', json: { name: 'Kept' } });
    await control('DELETE', `${path}/${body.organization.keyIds[0]}`);
    const again = await control('POST', '/organizations', { json: { key: 'first-key' } });
    expect(again.status).toBe(201);
    expect(mock.engine.store.openedCount).toBe(2);
    const countOf = async (key: string) => (await api('GET', '/drives', { key })).body.data?.length;
    expect([await countOf('first-key'), await countOf('second-key')]).toEqual([2, 3]);
  });

  it('copies a seed organization by its listed id after the id format changes', async () => {
    const { mock, api, control } = await startControlled(demo);
    const [first, second] = (await control('GET', '/organizations')).body;
    const namesFor = async (key: string) =>
      (await api('GET', '/drives', { key })).body.data.map(({ name }: { name: string }) => name);
    const names = new Map([
      [first.id, await namesFor('demo-key')],
      [second.id, await namesFor('demo-key-2')],
    ]);
    await control('PATCH', '/settings', { json: { profile: { idFormat: 'numeric' }, advanceMs: 5 } });
    for (const { id, holds } of [first, second]) {
      const { body } = await control('POST', '/organizations', { json: { copyOf: id } });
      expect(body.organization.holds).toEqual(holds);
      expect(await namesFor(body.key)).toEqual(names.get(id));
    }
    expect(mock.engine.store.openedCount).toBe(2);
  });
});

describe('a fresh sandbox', () => {
  const profiles: Partial<Profile>[] = [
    {},
    { idFormat: 'prefixed', listOrder: 'byName', optionalFields: 'absent' },
    { idFormat: 'sortable', listOrder: 'newestFirst', extraFields: 'some' },
    { idFormat: 'numeric', listOrder: 'arbitrary', keyOrder: 'reversed', 'timestamps.precision': 'microseconds' },
    { idFormat: 'sortable', fileStatusFlow: 'still', readAfterWrite: 'lagging', errorBody: 'nested' },
  ];

  it.each(sampleOf(profiles, 3))('equals its seed organization at the start byte for byte: %j', async (set) => {
    const { mock, control } = await startControlled({ ...demo, set });
    const start = await Promise.all(mock.keys.map((key) => viewOf(mock, key)));
    const records = mock.keys.map((key) => recordsOf(mock, key));
    // Whatever happened meanwhile, and however late it is.
    await control('PATCH', '/organizations/Meridian%20Labs/agents/nothing', { json: { name: 'x' } });
    await clientsOf(mock).api('POST', '/drives', { json: { name: 'Later' } });
    await advance(control, 60_000);
    const names = ['Meridian Labs', 'Saltmarsh Freight'];
    for (const copyOf of [...names, ...names]) {
      const index = names.indexOf(copyOf);
      const { body } = await control('POST', '/organizations', { json: { copyOf } });
      expect(await viewOf(mock, body.key)).toBe(start[index]);
      expect(recordsOf(mock, body.key)).toBe(records[index]);
      await advance(control, 60_000);
    }
  });

  it('keeps the file order of the seed when files change status later', async () => {
    const { mock, control } = await startControlled({ seed: modelSeed, clock });
    const records = recordsOf(mock, 'alpha-key');
    for (let opened = 0; opened < 3; opened++) {
      expect(recordsOf(mock, mock.openSandbox().key)).toBe(records);
      await advance(control, 60_000);
    }
  });

  it.each(['sortable', 'numeric'] as const)('equals the seed when the clock runs: %s', async (idFormat) => {
    const { mock, control } = await startControlled({ seed: 'demo', set: { idFormat, fileStatusFlow: 'still' } });
    await control('PATCH', '/settings', { json: { clock: null } });
    const startMs = Date.now();
    const start = await viewOf(mock, 'demo-key');
    const started = await createMock({ seed: 'demo', set: { idFormat, fileStatusFlow: 'still' } });
    while (Date.now() === startMs);
    for (const one of [mock, started]) {
      const { key } = one.openSandbox();
      expect(await viewOf(one, key)).toBe(one === mock ? start : await viewOf(one, 'demo-key'));
    }
    await started.close();
  });

  it('changes file statuses relative to its opening time', async () => {
    const { mock, api, control } = await startControlled(demo);
    const [, at = ''] =
      /(\/drives\/[^/]+\/files\/\S+) 200 \S*"path":"\/video/.exec(await viewOf(mock, 'demo-key')) ?? [];
    const statusOf = async (key: string) => (await api('GET', at, { key })).body.status;
    await advance(control, 15_000);
    const { key } = mock.openSandbox();
    expect([await statusOf('demo-key'), await statusOf(key)]).toEqual(['processing', 'processing']);
    await advance(control, 5_000);
    expect([await statusOf('demo-key'), await statusOf(key)]).toEqual(['ready', 'processing']);
    const later = mock.openSandbox();
    await advance(control, 14_999);
    expect([await statusOf(key), await statusOf(later.key)]).toEqual(['processing', 'processing']);
    await advance(control, 1);
    expect([await statusOf(key), await statusOf(later.key)]).toEqual(['ready', 'processing']);
    await advance(control, 5_000);
    expect(await statusOf(later.key)).toBe('ready');
  });
});

describe('isolation of sandboxes', () => {
  const keys = ['alpha-key', 'sandbox-1', 'sandbox-2', 'sandbox-3'];
  const open = async (control: Client, key: string) => {
    const copyOf = key === 'sandbox-3' ? 'Beta' : 'Alpha';
    if (key !== 'alpha-key') await control('POST', '/organizations', { json: { key, name: key, copyOf } });
  };
  const anyTurn = fc.record({ at: fc.nat(keys.length - 1), step: anyStep.filter(({ kind }) => kind !== 'issueKey') });

  /** What each sandbox was answered, and what it holds at the end. */
  async function carryOut(
    mock: Mock,
    control: Client,
    turns: readonly { at: number; step: Step }[],
    present: string[],
  ) {
    await control('POST', '/reset');
    for (const key of present) await open(control, key);
    const told = Object.fromEntries(present.map((key) => [key, [] as string[]]));
    for (const { at, step } of turns) {
      const key = keys[at] as string;
      if (present.includes(key)) told[key]?.push(await sendStep(mock, toRequest(mock, key, step)));
    }
    for (const key of present) told[key]?.push(await createStateReader(mock, [key])());
    return told;
  }

  it('gives each sandbox the same answers as without the others', async () => {
    const { mock, control } = await startControlled({ seed: modelSeed, clock });
    const check = async (profileSeed: number, turns: { at: number; step: Step }[]) => {
      const profile = randomProfile(createRandom(profileSeed));
      await control('PATCH', '/settings', { json: { profile } });
      const together = await carryOut(mock, control, turns, keys);
      for (const key of keys) {
        const alone = await carryOut(mock, control, turns, [key]);
        const [one = [], other = []] = [together[key], alone[key]];
        expectSame(one.join('\n'), other.join('\n'), { key, profile: choicesOf(profile) });
      }
    };
    const turns = fc.array(anyTurn, { minLength: 8, maxLength: 40, size: 'max' });
    await fc.assert(fc.asyncProperty(fc.nat(), turns, check), {
      numRuns: depth(3, 15),
      seed: randomSeed,
      endOnFailure: true,
    });
  });

  it('answers 404 for resources of another sandbox, even when foreignResourceStatus is forbidden', async () => {
    const { mock, api, control } = await startControlled({ set: { foreignResourceStatus: 'forbidden' } });
    const [one, two, ofBirch] = [mock.openSandbox(), mock.openSandbox(), mock.openSandbox({ copyOf: 'Birch' })];
    const made = (await api('POST', '/drives', { key: one.key, json: { name: 'Secret' } })).body.id;
    const late = (await api('POST', '/drives', { key: 'key-b', json: { name: 'Late' } })).body.id;
    const { body } = await control('POST', `/organizations/${one.organizationId}/agents`, { json: { name: 'Secret' } });
    const statusOf = async (key: string, drive: string) => {
      return (await api('GET', `/drives/${drive}/files/x`, { key })).status;
    };
    const publish = async (key: string, agent: string) => {
      return (await api('POST', `/agents/${agent}/publish`, { key, json: { revisionId: 'x' } })).status;
    };
    for (const { key } of [{ key: 'key-a' }, { key: 'key-b' }, two, ofBirch]) {
      expect([await statusOf(key, made), await publish(key, body.id)]).toEqual([404, 404]);
    }
    // Around a sandbox are the others of the seed, as they were at the start.
    expect([await statusOf(two.key, 'drive-b'), await publish(two.key, 'agent-b')]).toEqual([403, 403]);
    expect([await statusOf(ofBirch.key, 'drive-full'), await statusOf(ofBirch.key, 'drive-b')]).toEqual([403, 404]);
    expect([await statusOf(two.key, late), await statusOf('key-a', late)]).toEqual([404, 403]);
    await control('DELETE', '/organizations/org-b/drives/drive-b');
    expect([await statusOf(two.key, 'drive-b'), await statusOf('key-a', 'drive-b')]).toEqual([403, 404]);
  });
});

describe.skipIf(hasJustRun)('openKeys option', () => {
  const controlled = useControlled({ openKeys: true });

  it('opens a sandbox for an unknown key and says so in the first response', async () => {
    const { mock, api } = controlled();
    const first = await api('POST', '/drives', { key: 'worker-1', json: { name: 'Of one' } });
    expect([first.status, first.headers.get('x-sandbox')]).toEqual([201, 'opened']);
    const bearer = { key: null, headers: { authorization: 'Bearer worker-2' } };
    const other = await api('GET', '/drives', bearer);
    expect([other.body.data.length, other.headers.get('x-sandbox')]).toEqual([2, 'opened']);
    const again = await api('GET', '/drives', { key: 'worker-1' });
    expect([again.body.data.length, again.headers.get('x-sandbox')]).toEqual([3, null]);
    expect((await api('GET', '/drives', bearer)).headers.get('x-sandbox')).toBeNull();
    expect((await api('GET', '/drives')).headers.get('x-sandbox')).toBeNull();
    expect(mock.engine.store.openedCount).toBe(2);
    const refused = await api('GET', '/drives/nothing/files/x', { key: 'worker-3' });
    expect([refused.status, refused.headers.get('x-sandbox')]).toEqual([404, 'opened']);
  });

  const malformed =
    /cannot open a sandbox: it must have 1 to 256 printable ASCII characters, without spaces or commas\./;

  it.each<[string, Record<string, string>, RegExp]>([
    ['no key', {}, /no API key/],
    ['an empty key', { 'x-api-key': '' }, /./],
    ['a key with a space', { 'x-api-key': 'two words' }, malformed],
    ['a key with a comma, as from two headers', { 'x-api-key': 'one,two' }, malformed],
    ['a non-ASCII key', { 'x-api-key': 'k\u00e9y' }, malformed],
    ['a key that is too long', { 'x-api-key': 'k'.repeat(257) }, malformed],
    ['Basic authentication', { authorization: 'Basic d29ya2VyOng=' }, /./],
    ['two different keys', { 'x-api-key': 'worker-a', authorization: 'Bearer worker-b' }, /different keys/],
  ])('opens no sandbox for a missing or malformed key, and says why: %s', async (_, headers, says) => {
    const { mock, api } = controlled();
    const { status, body } = await api('GET', '/agents', { key: null, headers });
    expect([status, body.detail]).toEqual([401, expect.stringMatching(says)]);
    expect((await api('POST', '/drives', { key: null, headers, json: { name: 'x' } })).status).toBe(401);
    expect(mock.engine.store.openedCount).toBe(0);
  });

  it('opens no sandbox for an unknown path or method, and one for each legal key', async () => {
    const { mock, api } = controlled();
    expect((await api('GET', '/nowhere', { key: 'worker' })).status).toBe(404);
    expect((await api('DELETE', '/agents', { key: 'worker' })).status).toBe(405);
    expect(mock.engine.store.openedCount).toBe(0);
    // No header of `fetch` can hold the first of these.
    expect(['\u007f', ''].map((key) => mock.engine.sandboxes.whyUnknown(key))).toEqual(
      Array(2).fill(expect.stringMatching(malformed)),
    );
    for (const key of ['k'.repeat(256), '!"#$%&\'()*+-./:;<=>?@[]^_`{|}~'])
      expect((await api('GET', '/agents', { key })).status).toBe(200);
  });

  it('refuses a revoked key', async () => {
    const { mock, api, control } = controlled();
    await api('GET', '/agents', { key: 'worker' });
    const { keyIds } = (await control('GET', '/organizations/self', { key: 'worker' })).body;
    await control('DELETE', `/organizations/self/keys/${keyIds[0]}`, { key: 'worker' });
    const { status, body } = await api('GET', '/agents', { key: 'worker' });
    expect([status, body.detail]).toEqual([401, expect.stringContaining('revoked')]);
    expect(mock.engine.store.openedCount).toBe(1);
    // That it was revoked is said first.
    mock.engine.store.revoke('two words');
    expect((await api('GET', '/agents', { key: 'two words' })).body.detail).toContain('revoked');
  });

  it('opens the same sandbox for a key again after a reset, new ids included, and numbers them anew', async () => {
    const { mock, api, control } = controlled();
    const make = async (key: string) => (await api('POST', '/drives', { key, json: { name: 'x' } })).text;
    const first = [await make('worker-1'), await make('worker-2')];
    for (const name of ['Sandbox 3', 'Mine', 'Sandbox 5'])
      expect(mock.openSandbox(name === 'Mine' ? { name } : {}).organizationId).toBe(
        (await control('GET', `/organizations/${name}`)).body.id,
      );
    mock.reset();
    expect([await make('worker-2'), await make('worker-1')]).toEqual(first.toReversed());
    expect((await control('GET', '/organizations/Sandbox%202')).status).toBe(200);
  });
});

describe.skipIf(hasJustRun)('maxSandboxes option', () => {
  const controlled = useControlled({ maxSandboxes: 3, openKeys: true });
  const open = async (control: Client, key: string) =>
    (await control('POST', '/organizations', { json: { key } })).body;

  const writes: Record<string, (key: string) => unknown> = {
    'a call of the API': (key) => controlled().api('POST', '/drives', { key, json: { name: 'x' } }),
    'the admin API': (key) => controlled().control('POST', '/organizations/self/agents', { key, json: { name: 'x' } }),
    'a snapshot': async (key) => {
      const path = '/snapshot?organization=self';
      await controlled().control('PUT', path, { key, json: (await controlled().control('GET', path, { key })).body });
    },
    'being opened for its key': (key) => open(controlled().control, key),
    'a profile of its own': (key) =>
      controlled().control('PATCH', '/settings?organization=self', {
        key,
        json: { profile: { 'successStatus.createDrive': 202 } },
      }),
  };
  const visit = (key: string) => controlled().api('GET', '/drives', { key });
  const keptOf = (...keys: string[]) => keys.filter((key) => controlled().mock.engine.store.ownerOf(key) !== undefined);

  it.each(Object.entries(writes))(
    'retires those first that were only read, not one changed by %s',
    async (_, write) => {
      const { api } = controlled();
      if (write !== writes['being opened for its key']) await visit('first');
      await write('first');
      // Neither a refused call nor another profile of all changes anything.
      await api('POST', '/drives', { key: 'second', json: {} });
      await controlled().control('PATCH', '/settings', { json: { profile: { 'successStatus.getDriveFile': 203 } } });
      for (const key of ['third', 'fourth', 'fifth']) await visit(key);
      expect(keptOf('first', 'second', 'third', 'fourth', 'fifth')).toEqual(['first', 'fourth', 'fifth']);
      // Where all were changed, the use alone counts.
      for (const key of ['fourth', 'fifth', 'sixth']) await writes['a call of the API']?.(key);
      expect(keptOf('first', 'fourth', 'fifth', 'sixth')).toEqual(['fourth', 'fifth', 'sixth']);
    },
  );

  it('retires the longest idle sandbox and names it in the response', async () => {
    const { mock, api, control } = controlled();
    const opened = [await open(control, 'w-1'), await open(control, 'w-2'), await open(control, 'w-3')];
    await api('GET', '/agents', { key: 'w-1' });
    await control('PATCH', '/settings', { json: { profile: { 'successStatus.createDrive': 201 } } });
    const fourth = await open(control, 'w-4');
    expect(fourth.retired).toEqual([opened[1].organization.id]);
    const fifth = await api('POST', '/drives', { key: 'w-5', json: { name: 'x' } });
    expect([fifth.headers.get('x-sandbox'), fifth.headers.get('x-retired-sandboxes')]).toEqual([
      'opened',
      opened[2].organization.id,
    ]);
    expect((await control('GET', '/organizations')).body.map(({ name }: { name: string }) => name)).toEqual([
      ...['Alder', 'Birch', 'Sandbox 1', 'Sandbox 4', 'Sandbox 5'],
    ]);
    expect(mock.engine.store.openedCount).toBe(3);
    for (const key of ['key-a', 'key-b', 'w-1', 'w-4', 'w-5']) {
      expect((await api('GET', '/agents', { key })).headers.get('x-sandbox')).toBeNull();
    }
    // Its key opens it again, as it was at its start.
    const again = await api('GET', '/drives', { key: 'w-2' });
    expect([again.headers.get('x-sandbox'), again.body.data.length]).toEqual(['reopened', 2]);
    expect(again.body.data[0].organizationId).toBe(opened[1].organization.id);
    mock.reset();
    expect((await api('GET', '/drives', { key: 'w-2' })).headers.get('x-sandbox')).toBe('opened');
  });

  it('refuses the key of a retired sandbox with the reason without openKeys', async () => {
    const { mock, api, control } = await startControlled({ maxSandboxes: 1 });
    for (const key of ['w-1', 'w-2']) await open(control, key);
    const { status, body } = await api('GET', '/agents', { key: 'w-1' });
    expect([status, body.detail]).toEqual([401, expect.stringMatching(/retired to make room .*limit is 1/)]);
    expect((await api('GET', '/agents', { key: 'w-2' })).status).toBe(200);
    mock.reset();
    const after = await api('GET', '/agents', { key: 'w-1' });
    expect([after.status, after.body.detail]).toEqual([401, expect.not.stringContaining('retired')]);
    // Of the last 10,000 keys.
    const { sandboxes } = mock.engine;
    const keys = Array.from({ length: 10_000 }, (_, index) => `key-${index}`);
    const reason = 'The sandbox of this API key was retired to make room for a newer one: the limit is 1.';
    const why = (...asked: string[]) => asked.map((key) => sandboxes.whyUnknown(key));
    sandboxes.rememberRetired(keys, '');
    expect(why('key-0', 'key-9999', 'key-10000')).toEqual([reason, reason, undefined]);
    sandboxes.rememberRetired(['one-more', 'and-one'], '');
    expect(why('key-0', 'key-1', 'key-2', 'one-more')).toEqual([undefined, undefined, reason, reason]);
  });

  it('retires all that are too many after a snapshot, in the order of their use', async () => {
    const { mock, control } = await startControlled();
    const ids = ['one', 'two', 'three'].map((key) => mock.openSandbox({ key }).organizationId);
    const taken = (await control('GET', '/snapshot')).body;
    const small = await startControlled({ maxSandboxes: 1, openKeys: true });
    expect((await small.control('PUT', '/snapshot', { json: taken })).status).toBe(200);
    for (const key of ['three', 'one']) small.mock.engine.authenticate({ 'x-api-key': key });
    const { headers } = await small.api('GET', '/agents', { key: 'four' });
    expect(headers.get('x-retired-sandboxes')).toBe([ids[1], ids[2], ids[0]].join(', '));
    expect(small.mock.engine.store.openedCount).toBe(1);
  });

  it('announces no sandbox that its owner opens again after it was retired before its first response', async () => {
    const { mock } = await startControlled({ maxSandboxes: 1, openKeys: true });
    for (const key of ['one', 'two']) mock.engine.authenticate({ 'x-api-key': key });
    mock.openSandbox({ key: 'one' });
    const again = mock.engine.store.organizationOf('one') as Organization;
    expect(mock.engine.sandboxes.takeNotice(again)).toBeUndefined();
  });
});

it.each([0, -1, 1.5, Number.NaN])('refuses a maxSandboxes of %j', async (maxSandboxes) => {
  await expect(createMock({ maxSandboxes })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
});

describe('thousands of sandboxes', () => {
  const count = depth(300, 3_000);
  const formats = sampleOf(['uuid', 'prefixed', 'sortable', 'numeric'] as const, 1);

  it.each(formats)('have unique ids, and keys of one length: %s', async (idFormat) => {
    const { mock, control } = await startControlled({ ...demo, maxSandboxes: count, set: { idFormat } });
    const opened = Array.from({ length: count }, () => mock.openSandbox());
    expect(new Set(opened.map(({ organizationId }) => organizationId)).size).toBe(count);
    const owners = opened.map(({ key }) => mock.engine.store.ownerOf(key)?.organization.id);
    expect(owners).toEqual(opened.map(({ organizationId }) => organizationId));
    expect(opened.filter(({ key }) => !/^key-[0-9a-z]{21}$/.test(key))).toEqual([]);
    expect((await control('GET', '/settings')).body.sandboxes).toMatchObject({ limit: count, count });
    mock.openSandbox();
    expect(mock.engine.store.ownerOf(opened[0]?.key ?? '')).toBeUndefined();
    expect(mock.engine.store.openedCount).toBe(count);
  });

  it.runIf(isFull)('need less than 64 KiB each', async () => {
    const script = new URL('../support/many-sandboxes.ts', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script]);
    const { durationMs, bytesEach, usedBytesEach, statuses } = JSON.parse(stdout);
    const kibibytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;
    const figures = `${durationMs.toFixed(0)} ms, ${kibibytes(bytesEach)} each, ${kibibytes(usedBytesEach)} in use`;
    process.stdout.write(`1,000 sandboxes of the demo seed: ${figures}\n`);
    expect(statuses).toEqual([201]);
    expect(bytesEach).toBeLessThan(65_536);
    expect(usedBytesEach).toBeLessThan(65_536);
  });
});

describe('X-Request-Id', () => {
  const calls: Record<string, (api: Client) => Promise<{ headers: Headers }>> = {
    read: (api) => api('GET', '/drives', { key: 'key-b' }),
    write: (api) => api('POST', '/drives', { key: 'key-b', json: { name: 'x' } }),
    refused: (api) => api('GET', '/drives?limit=0', { key: 'key-b' }),
    unknown: (api) => api('GET', '/drives', { key: 'nobody' }),
    nowhere: (api) => api('GET', '/nowhere'),
    sandbox: (api) => api('GET', '/agents', { key: `sandbox-${Math.random()}` }),
  };
  const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') ?? '';

  it('depends on the own calls only, whatever others send between them, and is never the same twice', async () => {
    const [alone, among] = [await startControlled({ openKeys: true }), await startControlled({ openKeys: true })];
    const idsOf = async (api: Client) => [
      idOf(await api('GET', '/agents')),
      idOf(await api('GET', '/drives/x/files/y')),
    ];
    const told: string[] = [];
    const others = fc.array(fc.constantFrom(...Object.values(calls)), { maxLength: 6 });
    const property = fc.asyncProperty(others, async (between) => {
      for (const call of between) told.push(idOf(await call(among.api)));
      const own = await idsOf(among.api);
      expect(own).toEqual(await idsOf(alone.api));
      told.push(...own);
    });
    await fc.assert(property, { numRuns: depth(10, 100) });
    expect(new Set(told).size).toBe(told.length);
    expect(told.filter((id) => !/^req-[0-9a-f]{16}$/.test(id))).toEqual([]);
  });

  it('takes no more memory with each organization that is gone', () => {
    const next = createRequestIds(1, sha256, () => 0);
    const first = next('first');
    for (let count = 0; count < 9_000; count++) next(`other-${count}`);
    expect(next('first')).not.toBe(first);
    for (let count = 0; count < 10_001; count++) next(`another-${count}`);
    expect(next('first')).toBe(first);
  });
});
