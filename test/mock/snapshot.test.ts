import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { choicesOf, type randomProfile } from '../model/random-profile.ts';
import { now, seed } from '../model/seed.ts';
import type { Client } from '../support/client.ts';
import { clientsOf, expectProblem, startControlled, useControlled } from '../support/control.ts';
import { depth, randomSeed, sampleOf } from '../support/depth.ts';
import { expectSame } from '../support/difference.ts';
import {
  anyDeepStep,
  anyProfile,
  anyStep,
  anyStepAtAll,
  type SteppedRequest,
  sendStep,
  type Turn,
  toTurnRequest,
  toTurns,
} from '../support/random-steps.ts';
import { createStateReader } from '../support/state.ts';

// Snapshot, reset and restore: any state comes back exactly, and what is asked then is answered as if nothing had been.

const options = { seed, clock: now };
const runs = { numRuns: depth(2, 12), seed: randomSeed, endOnFailure: true };

async function snapshotOf(control: Client, organization?: string): Promise<string> {
  const { status, text } = await control(
    'GET',
    `/snapshot${organization === undefined ? '' : `?organization=${organization}`}`,
  );
  expect(status).toBe(200);
  return text;
}

async function put(control: Client, raw: string, organization?: string) {
  const query = organization === undefined ? '' : `?organization=${organization}`;
  return control('PUT', `/snapshot${query}`, { raw, headers: { 'content-type': 'application/json' } });
}

/** The answers to every GET with every key that there is. */
function readAll(mock: Mock): Promise<string> {
  return createStateReader(mock, mock.engine.store.keys)();
}

/** Takes the steps of a course. The requests that they became, and what came of them. */
async function walk(mock: Mock, turns: readonly Turn[]): Promise<{ requests: SteppedRequest[]; told: string[] }> {
  const requests: SteppedRequest[] = [];
  const told: string[] = [];
  for (const turn of turns) {
    const request = toTurnRequest(mock, turn);
    requests.push(request);
    told.push(await sendStep(mock, request));
  }
  return { requests, told };
}

/** A mock in the starting state of a profile, with two sandboxes beside the organizations of the seed. */
async function begin(control: Client, profile: object): Promise<void> {
  await control('PATCH', '/settings', { json: { profile } });
  await control('POST', '/reset');
  await control('POST', '/organizations', { json: { key: 'sandbox-1', name: 'One' } });
  await control('POST', '/organizations', { json: { key: 'sandbox-2', name: 'Two', copyOf: 'Beta' } });
}

interface Course {
  profile: ReturnType<typeof randomProfile>;
  before: Turn[];
  after: Turn[];
  isReadFirst: boolean;
}

const anyCourse: fc.Arbitrary<Course> = fc.record({
  profile: anyProfile,
  before: toTurns(anyStepAtAll, 5, 30),
  after: toTurns(anyDeepStep, 5, 20),
  isReadFirst: fc.boolean(),
});

/** What follows on a snapshot: the answers to reading and to further requests, and where they lead. */
async function goOn(mock: Mock, control: Client, requests: readonly SteppedRequest[], isReadFirst: boolean) {
  const read = isReadFirst ? await readAll(mock) : '';
  const told: string[] = [];
  for (const request of requests) told.push(await sendStep(mock, request));
  const end = await snapshotOf(control);
  return [read, ...told, end, await readAll(mock)].join('\n');
}

describe('a restored snapshot', () => {
  const first = useControlled(options);
  const second = useControlled(options);

  /** The same further course from the state itself, from the state put back, and from it in another mock. */
  async function check({ profile, before, after, isReadFirst }: Course, other: { mock: Mock; control: Client }) {
    const { mock, control } = first();
    await begin(control, profile);
    await walk(mock, before);
    const choices = choicesOf(mock.profile);
    await other.control('PATCH', '/settings', { json: { profile: mock.profile } });
    const taken = await snapshotOf(control);
    const read = isReadFirst ? await readAll(mock) : '';
    const { requests, told } = await walk(mock, after);
    const end = await snapshotOf(control);
    const expected = [read, ...told, end, await readAll(mock)].join('\n');
    for (const one of [{ mock, control }, other]) {
      expect((await put(one.control, taken)).status).toBe(200);
      expectSame(await snapshotOf(one.control), taken, choices);
      expectSame(await goOn(one.mock, one.control, requests, isReadFirst), expected, choices);
    }
  }

  it('answers as before, new ids included, in the same mock and in another', async () => {
    const property = fc.asyncProperty(anyCourse, async (course) => {
      await begin(second().control, course.profile);
      await check(course, second());
    });
    await fc.assert(property, runs);
  });

  it('answers as before in a newly started mock', async () => {
    for (const course of fc.sample(anyCourse, { numRuns: depth(1, 2), seed: 11 })) {
      const fresh = await createMock({ ...options, profile: course.profile });
      await check(course, clientsOf(fresh));
      await fresh.close();
    }
  });

  it.each(['sortable', 'numeric'] as const)('continues its id sequence: %s', async (idFormat) => {
    const { mock, api, control } = first();
    await begin(control, { idFormat });
    const make = async () => (await api('POST', '/drives', { json: { name: 'x' } })).body.id as string;
    const made = [await make()];
    await control('PATCH', '/settings', { json: { clock: '2020-01-01T00:00:00Z' } });
    const taken = await snapshotOf(control);
    const next = [await make(), await make()];
    await control('POST', '/reset');
    await put(control, taken);
    expect([await make(), await make()]).toEqual(next);
    expect([...made, ...next].toSorted()).toEqual([...made, ...next]);
    expect(mock.engine.clock.fixedAtMs).toBe(Date.parse('2020-01-01T00:00:00Z'));
  });

  it('is independent of the snapshot objects of the library', async () => {
    const { mock, control } = first();
    const [before, taken] = [await snapshotOf(control), mock.snapshot()];
    const spoil = () => {
      for (const one of taken.organizations) {
        for (const record of [...one.agents, ...one.drives, ...one.mcpServers])
          Object.assign(record, { name: 'spoilt' });
        Object.assign(one.origin, { index: 7 });
        one.keys.length = 0;
      }
    };
    const untouched = structuredClone(taken);
    spoil();
    expect(await snapshotOf(control)).toBe(before);
    mock.restore(untouched);
    Object.assign(taken, untouched);
    spoil();
    expect(await snapshotOf(control)).toBe(before);
  });

  it('restores a fixed or running clock', async () => {
    const { control } = first();
    const isStanding = async () => (await control('GET', '/settings')).body.clock.isStanding;
    const standing = await snapshotOf(control);
    await control('PATCH', '/settings', { json: { clock: null } });
    const running = await snapshotOf(control);
    for (const [taken, isFixed] of [[standing, true] as const, [running, false] as const]) {
      await put(control, taken);
      expect([await isStanding(), await snapshotOf(control)]).toEqual([isFixed, taken]);
    }
  });
});

describe('snapshot of one organization', () => {
  const controlled = useControlled(options);
  const anyOne = fc.record({
    profile: anyProfile,
    before: toTurns(anyStep, 3, 15),
    after: toTurns(
      anyDeepStep.filter(({ kind }) => kind !== 'setClock'),
      5,
      20,
    ),
    which: fc.nat(3),
  });

  it('restores only that organization, or answers 409 when another holds its key', async () => {
    const check = async ({ profile, before, after, which }: Parameters<Parameters<typeof anyOne.map>[0]>[0]) => {
      const { mock, control } = controlled();
      await begin(control, profile);
      await walk(mock, before);
      const { id } = mock.snapshot().organizations[which] ?? { id: '' };
      const taken = await snapshotOf(control, id);
      await walk(mock, after);
      const later = mock.snapshot();
      const takenKeys: string[] = JSON.parse(taken).keys;
      const isKeyTaken = later.organizations.some(
        (one) => one.id !== id && one.keys.some((key) => takenKeys.includes(key)),
      );
      const { status } = await put(control, taken, id);
      expect(status).toBe(isKeyTaken ? 409 : 200);
      const expected = isKeyTaken ? later : withOne(later, JSON.parse(taken), takenKeys);
      expectSame(JSON.stringify(mock.snapshot(), null, 1), JSON.stringify(expected, null, 1), choicesOf(profile));
    };
    await fc.assert(fc.asyncProperty(anyOne, check), runs);
  });

  type Snapshot = ReturnType<Mock['snapshot']>;

  function withOne(state: Snapshot, one: Snapshot['organizations'][number], keys: readonly string[]): Snapshot {
    const organizations = state.organizations.map((other) => (other.id === one.id ? one : other));
    return { ...state, organizations, revokedKeys: state.revokedKeys.filter((key) => !keys.includes(key)) };
  }

  it('cannot be exchanged for that of the whole state or of another organization', async () => {
    const { control } = controlled();
    const [whole, alpha] = [await snapshotOf(control), await snapshotOf(control, 'org-alpha')];
    expectProblem(await put(control, whole, 'org-alpha'), 422, /whole state/);
    expectProblem(await put(control, alpha), 422, /one organization.*organization=/);
    expectProblem(await put(control, alpha, 'org-beta'), 409, /org-alpha/);
    expectProblem(await put(control, alpha, 'nobody'), 404);
    await control('DELETE', '/organizations/org-beta/keys/nothing');
    expect(await snapshotOf(control)).toBe(whole);
  });
});

describe('a reset', () => {
  const controlled = useControlled(options);
  const anyWay = fc.record({ profile: anyProfile, turns: toTurns(anyDeepStep, 5, 30) });

  it('of everything restores the starting state byte for byte and clears the request log', async () => {
    const check = async ({ profile, turns }: { profile: Course['profile']; turns: Turn[] }) => {
      const { mock, control } = controlled();
      await control('PATCH', '/settings', { json: { profile } });
      await control('POST', '/reset');
      const start = [await snapshotOf(control), await readAll(mock)].join('\n');
      await walk(mock, turns);
      expect((await control('POST', '/reset')).status).toBe(200);
      expectSame([await snapshotOf(control), await readAll(mock)].join('\n'), start, choicesOf(profile));
      expect((await control('GET', '/requests')).body.requests.length).toBeGreaterThan(0);
      await control('POST', '/reset');
      expect((await control('GET', '/requests')).body.requests).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(anyWay, check), runs);
  });

  it('of each organization restores the start of that organization only', async () => {
    const still = toTurns(anyStep, 5, 30);
    const check = async (profile: Course['profile'], turns: Turn[]) => {
      const { mock, control } = controlled();
      await begin(control, profile);
      const start = mock.snapshot().organizations;
      await walk(mock, turns);
      const later = mock.snapshot().organizations;
      for (const [index, { id }] of start.entries()) {
        expect((await control('POST', `/reset?organization=${encodeURIComponent(id)}`)).status).toBe(200);
        const expected = [...start.slice(0, index + 1), ...later.slice(index + 1)];
        const found = mock.snapshot().organizations;
        expectSame(JSON.stringify(found, null, 1), JSON.stringify(expected, null, 1), choicesOf(profile));
      }
    };
    await fc.assert(fc.asyncProperty(anyProfile, still, check), runs);
  });

  it.each(sampleOf(['uuid', 'prefixed', 'sortable', 'numeric'] as const, 2))(
    'of one organization works at any time, and of a sandbox keeps its id and makes the same ids again: %s',
    async (idFormat) => {
      const set = { idFormat, fileStatusFlow: 'byClock' } as const;
      const { mock, api, control } = await startControlled({ seed: 'demo', clock: now, set });
      const viewOf = (key: string) => createStateReader(mock, [key])();
      const [start, other] = [await viewOf('demo-key'), await viewOf('demo-key-2')];
      mock.reset();
      await api('POST', '/drives', { json: { name: 'x' } });
      await control('PATCH', '/settings', { json: { advanceMs: 3_600_000 } });
      const changed = await viewOf('demo-key-2');
      expect(changed).not.toBe(other);
      await control('POST', '/reset?organization=self', { key: 'demo-key' });
      expectSame(await viewOf('demo-key'), start, {});
      expectSame(await viewOf('demo-key-2'), changed, {});
      const { key, organizationId } = mock.openSandbox();
      const created = async () => (await api('POST', '/drives', { key, json: { name: 'x' } })).body.id;
      const made = await created();
      // An id may hold the time at which it was made.
      await control('PATCH', '/settings', { json: { advanceMs: idFormat === 'sortable' ? 0 : 5_000 } });
      const reset = await control('POST', `/reset?organization=${organizationId}`);
      expect([reset.body.organizations[0].id, await created()]).toEqual([organizationId, made]);
      await control('PATCH', '/settings', { json: { advanceMs: 5_000 } });
      expect((await control('POST', `/reset?organization=${organizationId}`)).status).toBe(200);
      expect(mock.snapshot().organizations.map(({ id }) => id)).toContain(organizationId);
    },
  );

  it('of one organization clears its request log entries and restores its first keys', async () => {
    const { api, control } = controlled();
    for (const key of ['alpha-key', 'alpha-key-2', 'beta-key']) await api('GET', '/agents', { key });
    const { keyIds } = (await control('GET', '/organizations/org-alpha')).body;
    await control('DELETE', `/organizations/org-alpha/keys/${keyIds[0]}`);
    await control('POST', '/organizations/org-alpha/keys', { json: { key: 'later-key' } });
    expect((await api('GET', '/agents')).status).toBe(401);
    await control('POST', '/reset?organization=Alpha');
    const statusOf = async (key: string) => (await api('GET', '/agents', { key })).status;
    const { requests } = (await control('GET', '/requests')).body;
    expect(requests.map(({ organizationId }: { organizationId: string }) => organizationId)).toEqual([
      undefined,
      'org-beta',
    ]);
    expect([await statusOf('alpha-key'), await statusOf('later-key')]).toEqual([200, 401]);
  });

  it('of one organization is refused when another holds one of its first keys', async () => {
    const { mock, api, control } = controlled();
    const { keyIds } = (await control('GET', '/organizations/org-alpha')).body;
    await control('DELETE', `/organizations/org-alpha/keys/${keyIds[0]}`);
    await control('POST', '/organizations/org-beta/keys', { json: { key: 'alpha-key' } });
    const before = mock.snapshot();
    expectProblem(await control('POST', '/reset?organization=org-alpha'), 409, /original keys/);
    expect(mock.snapshot()).toEqual(before);
    expect((await api('GET', '/agents')).body[0].id).toBe('agent-beta');
  });
});

describe('changing the profile', () => {
  const controlled = useControlled(options);

  it('keeps the state, and changing it back restores byte-identical answers', async () => {
    const check = async (first: Course['profile'], other: Course['profile'], turns: Turn[]) => {
      const { mock, control } = controlled();
      await begin(control, first);
      await walk(mock, turns);
      const { profile } = mock;
      const taken = await snapshotOf(control);
      const read = await readAll(mock);
      await put(control, taken);
      for (const applied of [other, profile]) {
        await control('PATCH', '/settings', { json: { profile: applied } });
        expectSame(await snapshotOf(control), taken, choicesOf(applied));
      }
      expectSame(await readAll(mock), read, choicesOf(profile));
    };
    const property = fc.asyncProperty(anyProfile, anyProfile, toTurns(anyStepAtAll, 5, 30), check);
    await fc.assert(property, runs);
  });
});
