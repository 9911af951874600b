import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { phases } from '../../conformance/checks/check.ts';
import { allChecks } from '../../conformance/checks/index.ts';
import type { CheckResult } from '../../conformance/report/report.ts';
import { type RunOptions, runSuite } from '../../conformance/run/run.ts';
import { type Config, toSettings } from '../../conformance/run/settings.ts';
import { loadRequirements } from '../../openapi/contract/load.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { mutants } from '../../proof/power/mutants/index.ts';
import { takeSnapshot } from '../../proof/power/snapshot.ts';
import { createMock } from '../../src/index.ts';
import { judgeServer } from '../support/judged-server.ts';
import { startPassing } from '../support/judging.ts';
import { wholeRun } from '../support/whole-run.ts';
import { wholeConfig } from '../support/whole-settings.ts';

const mock = await createMock();
const sent: string[] = [];
const front = await startPassing(mock.url, ({ method, url }) => sent.push(`${method} ${url?.slice('/v0.1'.length)}`));
afterAll(() => front.close().finally(() => mock.close()));
beforeEach(() => {
  mock.reset();
  sent.length = 0;
});

/** Judges the mock, by default with one check that takes no time. */
function judge(options: Partial<RunOptions> = {}, config: Partial<Config> = {}) {
  const settings = toSettings({ baseUrl: front.baseUrl, apiKey: 'demo-key', ...config });
  return runSuite(settings, { tool: 'test/1', only: ['listAgents.is-served'], ...options });
}

const writing = () => ({ ...wholeConfig(mock), baseUrl: front.baseUrl });
const moves = ['updateDriveFile.is-served'];
const hosted = ['listMcpServerTools.hosted-tools.sse', 'listMcpServerTools.hosted-tools.streamable-http'];
const checks = allChecks();
const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => a.localeCompare(b, 'en'));

describe('register and checks', () => {
  it('name the same checks, each of its operation', () => {
    const listed = loadRequirements().flatMap(({ checks: ids = [] }) => ids);
    expect(checks.map(({ id }) => id).sort()).toEqual([...new Set(listed)].sort());
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
    expect(checks.filter(({ id, operation }) => !id.startsWith(`${operation}.`))).toEqual([]);
  });
});

describe('suite against the mock', () => {
  it('passes every check but those with hosted tools, each told once, and lists all leftovers', async () => {
    const { report, told, ...run } = await wholeRun();
    expect(report.checks.flatMap(({ id, outcome, reason }) => (outcome === 'passed' ? [] : [{ id, reason }]))).toEqual(
      hosted.map((id) => ({ id, reason: 'Runs only with --host-mcp-server.' })),
    );
    expect(report.verdict).toBe('conformant');
    const ids = sorted(checks.map(({ id }) => id));
    expect([report.checks.map(({ id }) => id), sorted(told)]).toEqual([ids, ids]);
    expect([run.receiptErrors, run.moveLog]).toEqual([[], { wasThere: true, isLeft: false }]);
    expect(report.run).not.toHaveProperty('moveLog');
  });

  it('changes nothing without write permission', async () => {
    const before = takeSnapshot(mock);
    const report = await runSuite(settingsForMock(mock, front.baseUrl, 'read'), { tool: 'test' });
    expect(takeSnapshot(mock).text).toBe(before.text);
    const summary = { failed: 0, warned: 0, inconclusive: 0 };
    expect(report).toMatchObject({ verdict: 'conformant', summary, leftovers: [] });
    expect(report.summary.passed).toBeGreaterThan(150);
    expect(Object.keys(report.observed).length).toBeGreaterThan(10);
    const disabled = report.checks.filter(({ outcome }) => outcome === 'not-enabled');
    expect(disabled.length).toBeGreaterThan(0);
    expect(disabled.filter(({ setting, reason }) => !setting || !reason)).toEqual([]);
  });
});

describe('receipt', () => {
  const moving = ['updateDriveFile.unknown-file', 'updateDriveFile.file-of-another-drive'];
  const accepting = mutants.filter((mutant) => mutant.class === 'state' && moving.includes(mutant.check));

  it.each(accepting)('lists each file that the run moved or created: $id', async (mutant) => {
    const { receiptErrors } = await judgeServer(mutant, [mutant.check], { observe: false });
    expect(receiptErrors.filter((error) => error.endsWith('is not in the receipt'))).toEqual([]);
  });
});

describe('the report on a run', () => {
  it('has its tool, its target, its time and how much it sent', async () => {
    const startMs = Date.now();
    const { run, ...report } = await judge({}, { targetName: 'the demo-key one', randomSeed: 7 });
    expect(run).toEqual({
      ...{ id: expect.stringMatching(/^run-[0-9a-f]{8}$/), tool: 'test/1', contractVersion: '0.1.0' },
      ...{ baseUrl: front.baseUrl, targetName: 'the <API_KEY> one', randomSeed: 7 },
      ...{ allowWrites: false, allowDestructive: false, requests: sent.length },
      ...{ startedAt: expect.any(String), durationMs: expect.any(Number) },
    });
    const lastedMs = Date.now() - startMs;
    expect(run.durationMs).toBeGreaterThanOrEqual(0);
    expect(run.durationMs).toBeLessThanOrEqual(lastedMs);
    expect(Date.parse(run.startedAt)).toBeGreaterThanOrEqual(startMs);
    expect(Date.parse(run.startedAt)).toBeLessThanOrEqual(startMs + lastedMs);
    expect(report).not.toHaveProperty('serverErrors');
    expect(report.leftovers).toEqual([]);
  });

  it('has a verdict on what was selected and enabled, inconclusive if nothing was', async () => {
    const { verdict, summary, checks: results, run } = await judge();
    expect([verdict, summary.passed, summary.skipped]).toEqual(['conformant', 1, checks.length - 1]);
    expect(new Set(results.map(({ reason }) => reason))).toEqual(new Set(['', 'It was not selected.']));
    expect(run).not.toHaveProperty('targetName');
    expect((await judge({ only: ['createDrive.is-served'] })).verdict).toBe('inconclusive');
  });

  it('marks expected failures by the day of the run', async () => {
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const open = await createMock({ openKeys: true });
    const settings = toSettings({ baseUrl: open.url, apiKey: 'demo-key' });
    const marked = async (until?: string) => {
      const expectedFailures = [{ check: 'listAgents.wrong-*', reason: 'known', ...(until && { until }) }];
      const only = ['listAgents.wrong-header-key'];
      const report = await runSuite(settings, { tool: 'test', only, expectedFailures });
      return report.checks.find(({ id }) => id === only[0]);
    };
    expect(await marked()).toMatchObject({ outcome: 'failed', expectedFailure: 'known' });
    expect(await marked(day(1))).toMatchObject({ expectedFailure: 'known' });
    expect(await marked(day(-2))).toMatchObject({ noLongerExpected: `until ${day(-2)}: known` });
    await open.close();
  });
});

it('a run tells how long a response takes once enough came, or at its start if the user sets the pace', async () => {
  const told = async (options: Partial<RunOptions>, config: Partial<Config> = {}) => {
    const latencies: number[] = [];
    await judge({ ...options, onReached: (ms) => latencies.push(ms) }, config);
    return latencies.length;
  };
  expect(await told({})).toBe(0);
  expect(await told({ only: ['listDrives.*'] })).toBe(1);
  expect(await told({}, { rate: 1_000 })).toBe(1);
});

describe('the order of the checks', () => {
  /** The checks in their order, apart from one. */
  async function ordered(shuffleSeed?: number) {
    const told: string[] = [];
    const onResult = ({ id, outcome }: CheckResult) => void (outcome === 'skipped' && told.push(id));
    await judge({ onResult, ...(shuffleSeed === undefined ? {} : { shuffleSeed }) });
    const byId = new Map(checks.map((check) => [check.id, check]));
    return told.map((id) => byId.get(id)).filter((check) => check !== undefined);
  }

  it('is that of the phases, last those that look for what must not change, else that of the table or mixed', async () => {
    const orders = [await ordered(), await ordered(1), await ordered(1), await ordered(2)];
    const rank = ({ phase, isLast = false }: (typeof checks)[number]) => phases.indexOf(phase) * 2 + Number(isLast);
    for (const order of orders) {
      expect(order.map(rank)).toEqual(order.map(rank).toSorted((a, b) => a - b));
      expect(order).toHaveLength(checks.length - 1);
    }
    const [usual, one, again, two] = orders.map((order) => order.map(({ id }) => id).join());
    const table = checks.filter(({ id }) => id !== 'listAgents.is-served').toSorted((a, b) => rank(a) - rank(b));
    expect(usual).toBe(table.map(({ id }) => id).join());
    expect(again).toBe(one);
    expect(new Set([usual, one, two]).size).toBe(3);
  });
});

describe('a run sends', () => {
  const files = () => sent.filter((line) => line.includes('/files/'));

  it('nothing about files unless a check of files was selected, and readings of all before it moves one', async () => {
    await judge({}, writing());
    expect(files()).toEqual([]);
    const { fixtures } = writing();
    const declared = [...(fixtures.files ?? []), ...(fixtures.disposableFiles ?? [])];
    for (const [only, config] of [
      [['getDriveFile.is-served'], { ...writing(), allowWrites: false }],
      [moves, writing()],
    ] as const) {
      sent.length = 0;
      await judge({ only }, config);
      const firstMove = files().findIndex((line) => line.startsWith('PATCH'));
      const before = firstMove < 0 ? files() : files().slice(0, firstMove);
      for (const { driveId, id } of declared) expect(before).toContain(`GET /drives/${driveId}/files/${id}`);
    }
  });

  it('what it needs to observe only if it is asked to, judges all, or requires a choice', async () => {
    const observed = async (options: Partial<RunOptions>, config: Partial<Config> = {}) =>
      Object.keys((await judge(options, config)).observed).length > 0;
    expect(await observed({})).toBe(false);
    expect(await observed({ observe: true })).toBe(true);
    expect(await observed({}, { require: { 'successStatus.listDrives': 200 } })).toBe(true);
    const others = checks.map(({ id }) => id).filter((id) => id !== 'listAgents.is-served');
    expect(await observed({ only: [], skip: others })).toBe(false);
  });
});

describe('a run that ends early', () => {
  it('by an error of its own says where, keeps what it has, and moves files back', async () => {
    const before = takeSnapshot(mock).files;
    const only = [...moves, 'listAgents.is-served', 'deleteDriveTree.is-served'];
    const broken = { run: () => Promise.reject(new Error('the key demo-key is broken')) };
    const some = checks.map((check) => (check.id === moves[0] ? { ...check, ...broken } : check));
    const { run, checks: results, verdict, observed } = await judge({ only, checks: some, observe: true }, writing());
    expect(run.suiteError).toMatch(/^updateDriveFile\.is-served: Error: the key <API_KEY> is broken\n {4}at /);
    expect(results.find(({ id }) => id === 'listAgents.is-served')?.outcome).toBe('passed');
    const left = results.find(({ id }) => id === 'deleteDriveTree.is-served');
    expect(left).toMatchObject({ outcome: 'inconclusive', obstacle: 'an error in the suite' });
    expect(sent.filter((line) => line.startsWith('DELETE'))).toEqual([]);
    expect([verdict, observed]).toEqual(['inconclusive', {}]);
    expect(takeSnapshot(mock).files).toEqual(before);
    expect(run).not.toHaveProperty('moveLog');
  });

  it.each([
    ['by its signal says why, and sends nothing more', { only: ['listAgents.is-served', ...moves] }],
    ['while it observes keeps what the checks found, and nothing that it saw', { observe: true }],
  ])('%s', async (_, options) => {
    const stop = new AbortController();
    const onResult = ({ outcome }: CheckResult) => void (outcome === 'passed' && stop.abort());
    const ended = await judge({ ...options, signal: stop.signal, onResult }, writing());
    expect([ended.run.suiteError, ended.summary.passed, ended.observed]).toEqual(['the run was interrupted', 1, {}]);
    // None is lost: the rest can be run with --failed.
    expect(ended.checks).toHaveLength(checks.length);
    const judged = ended.checks.filter(({ outcome }) => outcome !== 'skipped' && outcome !== 'inconclusive');
    expect(judged.map(({ id }) => id)).toEqual(['listAgents.is-served']);
    for (const { outcome, obstacle } of ended.checks)
      if (outcome === 'inconclusive') expect(obstacle).toBe('the run was interrupted');
    expect(sent.filter((line) => line.startsWith('PATCH'))).toEqual([]);
  });

  it.each([1, 5])('by its listener, which throws at result %i of a move, moves files back', async (result) => {
    const before = takeSnapshot(mock).files;
    const throws = () => {
      throw new Error('no disk');
    };
    for (const fail of [throws, async () => throws()]) {
      let moved = 0;
      const onResult = ({ operation, outcome }: CheckResult) =>
        operation === 'updateDriveFile' && outcome === 'passed' && ++moved === result ? fail() : undefined;
      const { run, verdict } = await judge({ only: ['updateDriveFile.*'], onResult }, writing());
      expect([run.suiteError, verdict]).toEqual(['onResult threw an error: no disk', 'inconclusive']);
      expect(takeSnapshot(mock).files).toEqual(before);
      expect(run).not.toHaveProperty('moveLog');
    }
  });

  it('before its first check ends without a report, and says why', async () => {
    const early = 'The run was stopped before its first check: ';
    const stopped = { code: 'STOPPED', message: `${early}the run was interrupted.` };
    await expect(judge({ signal: AbortSignal.abort() })).rejects.toMatchObject(stopped);
    const trace = '/no/folder.har';
    await expect(judge({ trace })).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' });
    expect(sent).toEqual([]);
    const message = `${early}The run sent the 1 request that --max-requests allows.`;
    await expect(judge({}, { maxRequests: 1 })).rejects.toMatchObject({ code: 'STOPPED', message });
  });

  it('at its limit of requests sends no more', async () => {
    const { run } = await judge({ only: ['listAgents.*'] }, { maxRequests: 8 });
    expect([run.requests, sent.length]).toEqual([8, 8]);
  });
});
