import { describe, expect, it } from 'vitest';
import { operationsOf } from '../../openapi/contract/operations.ts';
import { loadControlDocument } from '../../src/app/admin-api/handlers.ts';
import { createMock } from '../../src/index.ts';
import type { Client, Sent } from '../support/client.ts';
import { expectProblem, startControlled, useControlled } from '../support/control.ts';

// Wherever the admin API names an organization, its id, its name and `self` mean the same.

const document = loadControlDocument();
const operations = operationsOf(document).map((one) => ({ ...one, operationId: one.operationId as string }));
const slow = { effect: { latency: { delayMs: 0 } } };
const status = { effect: { status: { code: 503 } } };
const key = 'key-a';
const names = ['org-a', 'Alder', 'self'];

/** Bodies of the operations that take one, for their scope. */
const bodies: Record<string, Sent> = {
  addFault: { json: { id: 'one', ...slow } },
  changeSettings: { json: { latency: { delayMs: 1 } } },
};

function isScoped({ parameters }: (typeof operations)[number]): boolean {
  return parameters.some(({ name }) => name === 'organization');
}

describe('?organization=', () => {
  const controlled = useControlled();
  const scoped = operations.filter((one) => isScoped(one) && one.operationId !== 'watchRequests');

  it.each(scoped.map((one) => [one.operationId, one] as const))(
    'means the same as an id, a name and self: %s',
    async (id, { method, path }) => {
      const { control, api } = controlled();
      const seen: unknown[] = [];
      for (const name of names) {
        await control('POST', '/reset');
        await api('GET', '/drives');
        const sent =
          id === 'putSnapshot' ? { json: (await control('GET', '/snapshot?organization=org-a')).body } : bodies[id];
        const reply = await control(method, `${path}?organization=${name}`, { key, ...sent });
        expect([id, reply.status]).toEqual([id, expect.toSatisfy((code) => code < 300)]);
        const counted = (field: string, value: unknown) =>
          ['durationMs', 'requestId', 'id'].includes(field) ? 0 : value;
        seen.push(JSON.parse(reply.text || 'null', id === 'listRequests' ? counted : undefined));
      }
      expect(seen[1]).toEqual(seen[0]);
      expect(seen[2]).toEqual(seen[0]);
    },
  );

  it('is refused where no organization has the name, and self without a key', async () => {
    const { control } = controlled();
    for (const { operationId, method, path } of scoped) {
      const sent = operationId === 'putSnapshot' ? { json: { id: 'x' } } : bodies[operationId];
      expect([operationId, (await control(method, `${path}?organization=nobody`, sent)).status]).toEqual([
        operationId,
        expect.toSatisfy((code) => code === 404 || code === 422),
      ]);
    }
    expectProblem(await control('GET', '/faults?organization=self'), 401, /API key/);
  });
});

describe('the organization of a fault', () => {
  const controlled = useControlled();
  const listed = async (control: Client, query = '') =>
    (await control('GET', `/faults${query}`)).body.map((fault: { organizationId?: string }) => fault.organizationId);

  it.each(names)('may be %s, when it is added, changed and set', async (organizationId) => {
    const { control, api } = controlled();
    await control('POST', '/faults', { key, json: { id: 'one', organizationId, ...status } });
    expect(await listed(control)).toEqual(['org-a']);
    expect((await api('GET', '/drives', { key: 'key-b' })).status).toBe(200);
    expect((await api('GET', '/drives')).status).toBe(503);
    await control('PATCH', '/faults/one', { json: { organizationId: 'org-b' } });
    await control('PATCH', '/faults/one', { key, json: { organizationId } });
    expect(await listed(control)).toEqual(['org-a']);
    await control('PATCH', '/settings', { key, json: { faults: [{ organizationId, ...status }] } });
    expect(await listed(control)).toEqual(['org-a']);
  });

  it('may be that of ?organization=, and no other', async () => {
    const { control } = controlled();
    await control('POST', '/faults', { json: { id: 'all', ...slow } });
    await control('POST', '/faults?organization=self', { key, json: { id: 'own', ...slow } });
    await control('POST', '/faults?organization=org-b', { json: { id: 'other', organizationId: 'org-b', ...slow } });
    expect(await listed(control)).toEqual([undefined, 'org-a', 'org-b']);
    expect(await listed(control, '?organization=org-a')).toEqual(['org-a']);
    const reply = await control('POST', '/faults?organization=org-a', { json: { organizationId: 'org-b', ...slow } });
    expectProblem(reply, 422, /two organizations/);
  });

  it('must exist', async () => {
    const { control } = controlled();
    const json = { organizationId: 'nobody', ...slow };
    expectProblem(await control('POST', '/faults', { json }), 422, /body\.organizationId names no organization/);
    const list = { json: { faults: [slow, json] } };
    expectProblem(await control('PATCH', '/settings', list), 422, /body\.faults\.1\.organizationId names no/);
  });
});

it('self opens a copy of the organization of the key', async () => {
  const { control } = await startControlled();
  const { body } = await control('POST', '/organizations', { key: 'key-b', json: { copyOf: 'self' } });
  const other = await control('POST', '/organizations', { json: { copyOf: 'org-b' } });
  expect(body.organization.holds).toEqual(other.body.organization.holds);
  expectProblem(await control('POST', '/organizations', { json: { copyOf: 'self' } }), 401, /API key/);
});

describe('the settings of one organization', () => {
  const controlled = useControlled({ latency: 3 });
  const change = (control: Client, organization: string, json: unknown) =>
    control('PATCH', `/settings?organization=${organization}`, { key, json });
  const latencyOf = async (control: Client, query = '') => (await control('GET', `/settings${query}`)).body.latency;
  const faultsOn = async (api: Client, key: string) => (await api('GET', '/drives', { key })).headers.get('x-fault');

  it('have a latency that replaces the one of all, until it is removed or the sandbox is reset', async () => {
    const { control, api } = controlled();
    await change(control, 'self', { latency: { fromMs: 1, toMs: 2 } });
    expect(await latencyOf(control, '?organization=org-a')).toEqual({ fromMs: 1, toMs: 2 });
    expect(await latencyOf(control, '?organization=org-b')).toEqual({ delayMs: 3 });
    expect(await latencyOf(control)).toEqual({ delayMs: 3 });
    expect(await faultsOn(api, key)).toMatch(/^latency:\w+$/);
    expect(await faultsOn(api, 'key-b')).toBe('latency');
    await change(control, 'self', { latency: null });
    expect(await faultsOn(api, key)).toBe('latency');
    await change(control, 'self', { latency: { delayMs: 0 } });
    await control('POST', '/reset?organization=self', { key });
    expect(await faultsOn(api, key)).toBe('latency');
  });

  it('replace the faults of the organization only', async () => {
    const { control } = controlled();
    await control('POST', '/faults', { json: { id: 'taken', organizationId: 'org-b', ...slow } });
    await change(control, 'self', { faults: [slow, slow] });
    await change(control, 'self', { faults: [{ id: 'own', ...slow }] });
    const { body } = await control('GET', '/faults');
    expect(body.map(({ id }: { id: string }) => id)).toEqual(['latency', 'taken', 'own']);
    expectProblem(await change(control, 'self', { faults: [{ id: 'taken', ...slow }] }), 409, /taken/);
    expect((await control('GET', '/faults')).body).toEqual(body);
  });

  it('do not hold what all share', async () => {
    for (const json of [{ clock: null }, { advanceMs: 5 }, { profile: { bothAuthHeaders: 'bearerWins' } }])
      expectProblem(await change(controlled().control, 'self', json), 422, /same for all organizations/);
  });

  it('return to those of the start with a reset of all', async () => {
    const { control, mock } = controlled();
    await control('PATCH', '/settings', { json: { latency: null } });
    expect(await latencyOf(control)).toBeNull();
    await control('POST', '/reset');
    expect(await latencyOf(control)).toEqual({ delayMs: 3 });
    mock.faults.clear();
    mock.reset();
    expect(await latencyOf(control)).toEqual({ delayMs: 3 });
  });
});

describe('the option latency', () => {
  const range = { fromMs: 5, toMs: 9 };
  it.each([
    [5, { delayMs: 5 }] as const,
    ['5', { delayMs: 5 }] as const,
    ['5-9', range] as const,
    [range, range] as const,
  ])('takes %j', async (latency, effect) => {
    const { control } = await startControlled({ latency });
    expect((await control('GET', '/settings')).body.latency).toEqual(effect);
  });

  it.each([-1, 600_001, 0.5, Number.NaN, '', 'fast', '9-5', '1-', '-1', { delay: 1 }])(
    'refuses %j',
    async (latency) => {
      const refused = { code: 'OPTION_INVALID', message: expect.stringMatching(/^latency must be milliseconds/) };
      await expect(createMock({ latency: latency as number })).rejects.toMatchObject(refused);
    },
  );
});
