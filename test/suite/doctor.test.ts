import { describe, expect, it } from 'vitest';
import { allChecks } from '../../conformance/checks/index.ts';
import { diagnose } from '../../conformance/run/doctor.ts';
import { coverageOf, describeDiagnosis, unlocksOf } from '../../conformance/run/doctor-text.ts';
import { settingsOf } from '../../conformance/run/needs.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { type Settings, toSettings } from '../../conformance/run/settings.ts';
import { startFront } from '../../proof/power/front.ts';
import { answerWith, changeAnswer, on, passOn } from '../../proof/power/mutants/wire-faults.ts';
import { createMock } from '../../src/index.ts';
import { isFull, sampleOf } from '../support/depth.ts';
import { createDemo } from '../support/whole-settings.ts';

const { mock, without } = await createDemo();
const checks = allChecks();

describe('the doctor', () => {
  const tell = async (settings: Settings) =>
    describeDiagnosis(await diagnose(settings, 'test'), checks, settings, { color: false });

  it('reports no problem with valid settings', async () => {
    const { findings, authHeaders, onlyAuthHeader } = await diagnose(without(), 'test');
    expect(findings.filter(({ state }) => state !== 'fine')).toEqual([]);
    expect(authHeaders).toEqual([
      { request: 'GET /agents', header: 'works (200)', bearer: 'works (200)' },
      { request: 'GET /drives', header: 'works (200)', bearer: 'works (200)' },
    ]);
    expect(onlyAuthHeader).toBeUndefined();
    const told = await tell(without());
    expect(told).toMatch(/would enable\n\n.*\n {2}--host-mcp-server .*\n\nBefore/);
    expect(told).toMatch(/fixtures\.agent +listed as unpublished; only a publication can show whether the revision/);
  });

  it('says which files deletions put at risk, also before any are declared', async () => {
    expect(await tell(without('disposableFiles'))).toContain(
      'every file in a drive named in disposableFiles is at risk',
    );
    expect(await tell(without())).toMatch(/every file in the \d+ drives named in disposableFiles is at risk/);
  });

  it('predicts how many checks each missing setting unlocks', async () => {
    const only = isFull ? ['*'] : ['listMcpServerTools.*'];
    const bare = without('otherApiKey', 'mcpServer');
    const selected = checks.filter(({ id }) => isFull || id.startsWith('listMcpServerTools.'));
    const unlocks = unlocksOf(selected, bare);
    const judged = async (settings: Settings) => {
      const { passed } = (await runSuite(settings, { tool: 'test', observe: false, only })).summary;
      mock.reset();
      return passed;
    };
    const now = await judged(bare);
    for (const [setting, settings] of [
      ['otherApiKey', without('mcpServer')],
      ['fixtures.mcpServer', without('otherApiKey')],
    ] as const) {
      const unlock = unlocks.find((each) => each.setting === setting);
      expect(await judged(settings), setting).toBe(now + (unlock?.alone.checks ?? 0));
    }
  });

  const createdAt = '2026-01-01T00:00:00Z';
  const agents = (...ids: string[]) =>
    ids.map((id) => ({ id, name: id, createdAt, revisions: [{ id: `revision-of-${id}`, createdAt }] }));
  const drives = [{ name: 'd', createdAt }];
  const mcpServers = [{ name: 'm', url: 'https://mcp.example.com', type: 'sse' as const, createdAt, tools: [] }];
  const all = { agents: agents('agent-one', 'agent-two'), drives, mcpServers };
  type Data = Partial<typeof all>;
  const lacking: [what: string, own: Data, other: Data][] = [
    ['an agent besides the published one', { ...all, agents: agents('agent-one') }, { ...all, agents: agents('b') }],
    ['an agent in each organization', all, { drives, mcpServers }],
    ['a drive in each organization', all, { agents: agents('b'), mcpServers }],
    ['an MCP server in each organization', all, { agents: agents('b'), drives }],
    ['an MCP server in each organization', { agents: all.agents, drives }, { agents: agents('b'), drives, mcpServers }],
  ];
  it.each(sampleOf(lacking, 2))(
    'names the data that is missing, and counts exactly what can be judged: %s',
    async (what, own, other) => {
      const organizations = [
        { name: 'A', keys: ['key-a'], ...own },
        { name: 'B', keys: ['key-b'], ...other },
      ];
      const target = await createMock({ seed: { organizations } });
      const selected = checks.filter(({ needs: names }) => settingsOf(names).includes('data on the target'));
      const ids = selected.map(({ id }) => id);
      const agent = { id: 'agent-one', revisionId: 'revision-of-agent-one' };
      const config = { baseUrl: target.url, apiKey: 'key-a', otherApiKey: 'key-b', fixtures: { agent } };
      let isNamed = false;
      for (const allowWrites of [false, true]) {
        const settings = toSettings({ ...config, allowWrites });
        const { absent, findings } = await diagnose(settings, 'test');
        const { now } = coverageOf(selected, settings, absent);
        isNamed ||= findings.some(({ setting, note }) => setting === 'data on the target' && note === `needs ${what}`);
        // A whole run creates some of the data.
        const only = [...ids, '*.is-served', 'create*.own-organization-at-once'];
        const report = await runSuite(settings, { tool: 'test', observe: false, only });
        const passed = report.checks.filter(({ id, outcome }) => ids.includes(id) && outcome === 'passed');
        expect([allowWrites, passed.length]).toEqual([allowWrites, now.checks]);
      }
      await target.close();
      expect(isNamed).toBe(true);
    },
  );

  it('reports an invalid second key and unknown fixtures', async () => {
    const nothing = { driveId: 'none', id: 'none' };
    const settings = {
      ...without(),
      otherApiKey: 'nobody',
      fixtures: {
        agent: { id: 'none', revisionId: 'none' },
        files: [nothing],
        disposableFiles: [nothing],
        mcpServer: { id: 'none' },
      },
    };
    const { findings } = await diagnose(settings, 'test');
    const told = await tell(settings);
    for (const setting of ['otherApiKey', 'fixtures.agent', 'fixtures.files', 'fixtures.disposableFiles']) {
      expect(told.slice(told.indexOf('would enable'))).toMatch(new RegExp(`^ {2}${setting} +\\d+ checks? of`, 'm'));
    }
    const wrong = findings.filter(({ state }) => state === 'wrong').map(({ setting }) => setting);
    expect(wrong).toEqual([
      'otherApiKey',
      'fixtures.agent',
      'fixtures.files',
      'fixtures.disposableFiles',
      'fixtures.mcpServer',
    ]);
    expect(findings).toContainEqual(expect.objectContaining({ note: 'none is not in the list of agents' }));
  });

  it.each([
    ['header', 'x-api-key', 'as a bearer token'],
    ['bearer', 'authorization', 'in X-API-Key'],
  ] as const)('names the %s where the target accepts keys in no other', async (only, name, other) => {
    const front = await startFront(mock.url, async (request, response, forward) =>
      request.headers[name] === undefined
        ? answerWith(401, {})(request, response, forward)
        : passOn(request, response, forward),
    );
    const settings = { ...without(), baseUrl: front.baseUrl };
    const { onlyAuthHeader } = await diagnose(settings, 'test');
    const told = await tell(settings);
    await front.close();
    expect(onlyAuthHeader).toBe(only);
    expect(told).toContain(`The target does not accept the key ${other}.`);
  });

  it('says that the tools of the MCP server have a wrong shape, not that it offers none', async () => {
    const shown = { status: 200, headers: { 'content-type': 'application/json' }, body: '[{"name":"a"},{"name":"b"}]' };
    const isTools = (status: number) => status === 200;
    const front = await startFront(
      mock.url,
      on(
        'listMcpServerTools',
        changeAnswer(isTools, () => shown),
      ),
    );
    const { findings } = await diagnose({ ...without(), baseUrl: front.baseUrl }, 'test');
    await front.close();
    const finding = findings.find(({ setting }) => setting === 'fixtures.mcpServer');
    expect(finding).toMatchObject({ state: 'partly', note: 'its response is not an object with tools' });
  });

  it('detects a second key of the same organization, and reports when it cannot tell', async () => {
    const target = await createMock({
      seed: {
        organizations: [
          { name: 'A', keys: ['key-a', 'key-b'], drives: [{ name: 'd', createdAt: '2026-01-01T00:00:00Z' }] },
          { name: 'C', keys: ['key-c'] },
        ],
      },
    });
    const finding = async (otherApiKey: string) => {
      const { findings } = await diagnose(toSettings({ baseUrl: target.url, apiKey: 'key-a', otherApiKey }), 'test');
      return findings.find(({ setting }) => setting === 'otherApiKey');
    };
    const [same, empty] = [await finding('key-b'), await finding('key-c')];
    await target.close();
    expect(same).toMatchObject({ state: 'wrong', note: expect.stringMatching(/same organization/) });
    expect(empty).toMatchObject({ state: 'unknown' });
  });
});
