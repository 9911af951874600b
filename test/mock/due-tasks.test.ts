import { describe, expect, it } from 'vitest';
import { lagCalls, lagMs } from '../../src/domain/deferred.ts';
import { noteListing } from '../../src/domain/mcp-servers.ts';
import { startControlled } from '../support/control.ts';

// What happens a little later: whoever looks into the mock sees it as soon as it is due, and it never finds a resource
// that is gone.

describe('a creation that is listed late', () => {
  const lagging = { set: { readAfterWrite: 'lagging' as const } };

  it('is listed once as many calls have ended as it waits for, without one more', async () => {
    const { mock, api } = await startControlled(lagging);
    const { body } = await api('POST', '/drives', { json: { name: 'Late' } });
    const listed = () => mock.snapshot().organizations[0]?.listed.drives.includes(body.id);
    for (let call = 0; call < lagCalls; call++) {
      expect(listed()).toBe(false);
      await api('GET', '/agents');
    }
    expect(listed()).toBe(true);
  });

  it('is listed by the first call after the time that it waits for', async () => {
    const { api, control } = await startControlled(lagging);
    const { body } = await api('POST', '/drives', { json: { name: 'Late' } });
    const idsOf = async () => (await api('GET', '/drives?limit=100')).body.data.map(({ id }: { id: string }) => id);
    await control('PATCH', '/settings', { json: { advanceMs: lagMs - 1 } });
    expect(await idsOf()).not.toContain(body.id);
    await control('PATCH', '/settings', { json: { advanceMs: 1 } });
    expect(await idsOf()).toContain(body.id);
  });
});

it('the tools of a server that was removed in the meantime change nothing', async () => {
  const { mock } = await startControlled();
  const before = JSON.stringify(mock.snapshot());
  const organization = mock.engine.store.sandboxes[0]?.organization;
  if (organization !== undefined) noteListing(organization, 'removed', { tools: [] });
  expect(JSON.stringify(mock.snapshot())).toBe(before);
});
