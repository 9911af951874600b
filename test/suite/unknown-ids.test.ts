import { describe, expect, it } from 'vitest';
import { isUuid, unknownForms } from '../../conformance/probing/fixtures.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { Session } from '../../conformance/target/session.ts';
import { settingsFor } from '../../proof/power/fixtures.ts';
import { startUpstream } from '../support/upstream.ts';

const session = Object.assign(Object.create(Session.prototype), { newName: () => 'conformance-run-1' }) as Session;

/** The unknown ids of one form, for known ids. */
function like(...known: string[]) {
  return unknownForms(session, known, new Set());
}

const uuid = 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6';

describe('unknown ids', () => {
  it.each([
    // A UUID of the same version.
    [uuid, new RegExp(`^${uuid.slice(0, 24)}[0-9a-f]{12}$`)],
    ['m-a1', /^m-a[1-9]\d*$/],
    ['mcp_007', /^mcp_\d{3,7}$/],
    ['server12', /^server[1-9]\d+$/],
    ['17', /^\d+$/],
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', /^01ARZ3NDEKTSV4RRFF[0-9A-F]{8}$/],
    ['mcp_0a1b2c3d4e5f6a7b', /^mcp_[0-9a-f]{16}$/],
    ['0123456789ABCDEF0123456789ABCDEF', /^0123456789ABCDEF01234567[0-9A-F]{8}$/],
  ])('of %s have its form', (known, pattern) => {
    const [form] = like(known);
    expect(form?.isWellFormed).toBe(true);
    expect(form?.ids.length).toBeGreaterThan(0);
    for (const id of form?.ids ?? []) expect(id).toMatch(pattern);
    expect(form?.ids).not.toContain(known);
  });

  it.each(['tickets', 'TWNwU2VydmVyOjE=', 'Uk5bP9', 'V1StGXR8_Z5jdHi6B-myT', 'https://example.com/1'])(
    'of %s are not known to have its form',
    (known) => {
      expect(like(known).map(({ isWellFormed }) => isWellFormed)).toEqual([false]);
    },
  );

  it('are made in each form that the known ones have, and are none of these', () => {
    const counted = ['m-a1', 'm-a2', 'm-a3'];
    const forms = like(...counted, uuid, '4');
    expect(forms.map(({ isWellFormed }) => isWellFormed)).toEqual([true, true, true]);
    const taken = new Set(['m-a4', 'm-a5', 'm-a6', 'm-a7', 'm-a8']);
    const [ids] = unknownForms(session, counted, taken).map((form) => form.ids);
    expect(ids?.[0]).toBe('m-a9');
    expect(ids).toHaveLength(2);
  });
});

/** How the check for unknown MCP servers ends where the list shows these ids, and others get a status. */
async function judge(ids: readonly string[], statusOf: (id: string) => number, unknownId?: string) {
  const at = '2026-02-11T09:00:00Z';
  const servers = ids.map((id) => ({
    ...{ id, organizationId: 'o', name: id, url: 'https://mcp.example.com/', type: 'sse' },
    ...{ createdAt: at, updatedAt: at },
  }));
  const { origin, close } = await startUpstream(({ url = '', headers }, response) => {
    const id = decodeURIComponent(/^\/v0\.1\/mcp-servers\/([^/]+)\/tools/.exec(url)?.[1] ?? '');
    const lists: Record<string, unknown> = {
      '/v0.1/agents': [],
      '/v0.1/drives': { data: [], pagination: { limit: 100, offset: 0, total: 0 } },
      '/v0.1/mcp-servers': servers,
      ...(ids.includes(id) ? { [url]: { tools: [] } } : {}),
    };
    const isKnown = headers['x-api-key'] === 'key' || headers.authorization === 'Bearer key';
    const body = lists[url.replace(/\?.*/, '')];
    const status = body === undefined ? statusOf(id) : 200;
    response.writeHead(isKnown ? status : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown && body !== undefined ? body : { message: 'no' }));
  });
  const check = 'listMcpServerTools.unknown-server';
  const fixtures = unknownId === undefined ? {} : { mcpServer: { id: ids[0] ?? '', unknownId } };
  const settings = settingsFor('read', { baseUrl: `${origin}/v0.1`, apiKey: 'key', fixtures });
  const report = await runSuite(settings, { tool: 'test', only: [check] });
  await close();
  const { outcome, reason } = report.checks.find(({ id }) => id === check) ?? {};
  return { outcome, reason };
}

describe('a server that has no such MCP server', () => {
  const mixed = ['m-a1', uuid];

  it.each([400, 403, 500])('fails if it returns %d for an id of a known form, whichever that is', async (status) => {
    const onlyCounted = (id: string) => (id.startsWith('m-') ? status : 404);
    const onlyUuids = (id: string) => (isUuid(id) ? status : 404);
    for (const statusOf of [() => status, onlyCounted, onlyUuids]) {
      const reason = `Expected status 404; got status ${status}.`;
      expect(await judge(mixed, statusOf)).toEqual({ outcome: 'failed', reason });
    }
  });

  it('passes if it returns 404 for each known form, whatever others get', async () => {
    const isKnownForm = (id: string) => isUuid(id) || /^m-a\d+$/.test(id);
    expect((await judge(mixed, () => 404)).outcome).toBe('passed');
    expect((await judge(mixed, (id) => (isKnownForm(id) ? 404 : 400))).outcome).toBe('passed');
  });

  it('passes if some counted ids are refused as those of another organization', async () => {
    expect((await judge(['m-1'], (id) => (/^m-\d$/.test(id) ? 403 : 404))).outcome).toBe('passed');
  });

  it('is judged by an id of the config if none of its form can be made, and a made-up one gets 400', async () => {
    const opaque = ['TWNwU2VydmVyOjE=', 'tickets'];
    const { outcome, reason } = await judge(opaque, () => 400);
    expect(outcome).toBe('not-enabled');
    expect(reason).toMatch(/^The made-up id got status 400, .* no unknown one of their form can be made\.$/);
    const given = 'TWNwU2VydmVyOjk=';
    expect((await judge(opaque, (id) => (id === given ? 404 : 400), given)).outcome).toBe('passed');
    expect((await judge(opaque, () => 400, given)).outcome).toBe('failed');
    expect((await judge(opaque, () => 400, 'tickets')).outcome).toBe('inconclusive');
    expect((await judge(opaque.slice(0, 1), () => 404)).outcome).toBe('passed');
    expect((await judge([], () => 400)).outcome).toBe('not-enabled');
  });
});
