/** What the model finds becomes the result of the check with that rule. */
import { describe, expect, it } from 'vitest';
import { allChecks } from '../../conformance/checks/index.ts';
import type { Outcome } from '../../conformance/report/report.ts';
import { withFindings } from '../../conformance/rules/verdicts.ts';
import type { JudgedCheck } from '../../conformance/run/run-check.ts';
import { type Config, toSettings } from '../../conformance/run/settings.ts';
import type { Reply, SentRequest } from '../../conformance/target/reply.ts';
import { Session } from '../../conformance/target/session.ts';

const config = { baseUrl: 'http://target.test/v0.1', apiKey: 'key-a', otherApiKey: 'key-b', settleMs: 1_000 };
const [earlier, later] = ['2026-01-02T03:04:05.000Z', '2026-02-02T03:04:05.000Z'];
const agent = { id: 'agent-1', name: 'Greeter', description: '', isPublished: true, hasChanges: false };
const server = { id: 'server-1', organizationId: 'org-1', name: 'Tickets', url: 'https://a.example/', type: 'sse' };
const stays = 'listMcpServers.created-at-stays';
const checks = allChecks();
const all = new Set(checks.map(({ id }) => id));

interface Happens {
  operation?: SentRequest['operation'];
  method?: string;
  path: string;
  headers?: Record<string, string>;
  isAuthenticated?: boolean;
  status?: number;
  json?: unknown;
  /** The check that sends it. */
  sentBy?: string;
  /** Whether the server crashed before, and is back. */
  isAfterCrash?: boolean;
}

/** Sends requests, a minute apart, and gets these answers. */
function sessionThat(happens: readonly Happens[], more: Partial<Config> = {}): Session {
  const session = new Session(toSettings({ ...config, ...more }), 'test');
  for (const [index, { status = 200, json = [], sentBy, isAfterCrash, ...sent }] of happens.entries()) {
    if (isAfterCrash) session.judge.startAnew();
    const request: SentRequest = {
      ...{ operation: 'listMcpServers', method: 'GET', isAuthenticated: true, headers: { 'X-API-Key': 'key-a' } },
      ...sent,
    };
    const [sentAtMs, receivedAtMs] = [index * 60_000, index * 60_000 + 10];
    const headers = { 'content-type': 'application/json' };
    const text = JSON.stringify(json);
    const exchange = {
      request: { ...request, url: config.baseUrl + request.path },
      response: { status, headers, body: text },
    };
    session.judge.begin(
      request,
      sentAtMs,
    )({
      ...{ request, status, headers, text, json, isJson: true, isTooDeep: false, hasBody: true, exchange },
      ...{ isSuccess: status < 300, sentAtMs, receivedAtMs, sentBy },
    } as unknown as Reply);
  }
  return session;
}

/** Two lists of MCP servers that show different times of creation. */
const changed: readonly Happens[] = [earlier, later].map((createdAt) => ({
  path: '/mcp-servers',
  json: [{ ...server, createdAt, updatedAt: later }],
}));

/** All checks with one outcome, except some. */
function resultsWith(outcome: Outcome, others: Record<string, Outcome> = {}): JudgedCheck[] {
  return checks.map(({ id, operation, level, requirements }) => {
    const ids = requirements.map((requirement) => requirement.id);
    const result = { id, operation, level, requirements: ids, requirement: ids[0] ?? '', reason: '', durationMs: 1 };
    return { ...result, outcome: others[id] ?? outcome };
  });
}

/** The checks that report something else than before. */
function reported(session: Session, before: readonly JudgedCheck[], ids: ReadonlySet<string> = all): JudgedCheck[] {
  return withFindings(session, checks, ids, before).filter((result, index) => result !== before[index]);
}

describe('what the model finds', () => {
  it('fails the check of that rule, and shows the exchanges with the deciding one last', () => {
    const [result, ...others] = reported(sessionThat(changed), resultsWith('passed'));
    expect(others).toEqual([]);
    expect(result).toMatchObject({ id: stays, outcome: 'failed', requirement: 'timestamps.creation-never-changes' });
    const { evidence, reason, required } = result ?? {};
    expect(reason).toContain(earlier);
    expect(evidence?.actual).toContain(later);
    expect(
      evidence?.exchanges.map(({ response }) => response?.body.includes(later) && response.body.includes(earlier)),
    ).toEqual([true, false]);
    expect(evidence?.curl).toContain('/mcp-servers');
    expect(required?.[0]?.sections).toContain('2.mcpServer');
  });

  it.each(['inconclusive', 'skipped', 'not-enabled'] as const)('is reported although its check is %s', (outcome) => {
    const [result] = reported(sessionThat(changed), resultsWith('passed', { [stays]: outcome }));
    expect(result).toMatchObject({ id: stays, outcome: 'failed' });
    expect(result).not.toHaveProperty('setting');
  });

  it('is told once: not if the check has failed by itself', () => {
    expect(reported(sessionThat(changed), resultsWith('passed', { [stays]: 'failed' }))).toEqual([]);
  });

  it('is the result of every check that leaves its judgement to the model, and of the one that sent the request', () => {
    const created = { id: 'drive-1', name: 'Plans', createdAt: earlier, updatedAt: earlier };
    const create = { operation: 'createDrive', method: 'POST', path: '/drives', status: 201 } as const;
    const { url, type, ...drive } = { ...server, createdAt: earlier, updatedAt: earlier };
    const json = { data: [drive], pagination: { limit: 100, offset: 0, total: 1 } };
    const listed: Happens = { operation: 'listDrives', path: '/drives?limit=100&offset=0', json };
    const [owner, inBody, atOnce] = ['each-owner', 'organization-in-body', 'own-organization-at-once'].map(
      (rule) => `createDrive.${rule}`,
    ) as [string, string, string];
    const strange = sessionThat([listed, { ...create, json: { ...created, organizationId: 'org-2' }, sentBy: inBody }]);
    const idsIn = (before: JudgedCheck[]) => reported(strange, before).map(({ id }) => id);
    expect(idsIn(resultsWith('passed')).sort()).toEqual([owner, inBody]);
    expect(idsIn(resultsWith('passed', { [atOnce]: 'failed', [inBody]: 'failed' }))).toEqual([owner]);
    expect(idsIn(resultsWith('passed', { [owner]: 'failed', [inBody]: 'failed' }))).toEqual([]);
  });

  it('counts only for selected checks', () => {
    const others = new Set([...all].filter((id) => id !== stays));
    expect(reported(sessionThat(changed), resultsWith('passed', { [stays]: 'skipped' }), others)).toEqual([]);
  });

  it('warns where the rule is a should', () => {
    const dateless = { path: '/mcp-servers', json: [{ ...server, createdAt: later, updatedAt: earlier }] };
    const [result] = reported(sessionThat([dateless]), resultsWith('passed'));
    expect(result).toMatchObject({ id: 'listMcpServers.created-not-after-updated', outcome: 'warned' });
  });

  it('says nothing if something else may be the cause', () => {
    const times = { createdAt: earlier, updatedAt: earlier };
    const lists = [true, false].map((isPublished) => ({ ...agent, ...times, isPublished }));
    const publish = {
      operation: 'publishAgentRevision',
      method: 'POST',
      path: '/agents/agent-1/publish',
      json: {},
    } as const;
    const listed = lists.map((one): Happens => ({ operation: 'listAgents', path: '/agents', json: [one] }));
    const session = sessionThat([listed[0] as Happens, publish, listed[0] as Happens, listed[1] as Happens]);
    expect(session.judge.broken.map(({ certainty }) => certainty)).toEqual(['maybe']);
    expect(reported(session, resultsWith('passed'))).toEqual([]);
  });

  it('says nothing of a key that was never accepted, and of requests whose caller is open', () => {
    const other = { path: '/mcp-servers', headers: { 'X-API-Key': 'key-b' }, status: 401, json: {} };
    const both = {
      path: '/mcp-servers',
      headers: { 'X-API-Key': 'key-a', Authorization: 'Bearer key-b' },
      status: 401,
      json: {},
    };
    expect(sessionThat([other, { path: '/mcp-servers' }, both]).judge.broken).toEqual([]);
  });

  it('starts anew after a crash: the server may have lost everything', () => {
    const crashed = changed.map((one, index) => ({ ...one, isAfterCrash: index > 0 }));
    expect(sessionThat(crashed).judge.broken).toEqual([]);
  });
});
