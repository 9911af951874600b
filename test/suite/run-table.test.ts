import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { phases } from '../../conformance/check.ts';
import { allChecks } from '../../conformance/checks/index.ts';
import { type Config, toSettings } from '../../conformance/config/settings.ts';
import type { CheckResult } from '../../conformance/report.ts';
import { type RunOptions, runSuite } from '../../conformance/run.ts';
import { takeSnapshot } from '../../proof/power/snapshot.ts';
import { createMock } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { startPassing } from '../support/judging.ts';
import { wholeConfig } from '../support/whole-settings.ts';

const { at, write } = createFolder('run-rules');
const mock = await createMock();
const sent: string[] = [];
const front = await startPassing(mock.url, ({ method, url }) => sent.push(`${method} ${url?.slice('/v0.1'.length)}`));
afterAll(() => front.close().finally(() => mock.close()));
beforeEach(() => {
  mock.reset();
  sent.length = 0;
});

/** Judges the mock. `only` selects one check that takes no time. */
function judge(options: Partial<RunOptions> = {}, config: Partial<Config> = {}) {
  const settings = toSettings({ baseUrl: front.baseUrl, apiKey: 'demo-key', ...config });
  return runSuite(settings, { tool: 'test/1', only: ['listAgents.is-served'], ...options });
}

const writing = () => ({ ...wholeConfig(mock), baseUrl: front.baseUrl });
const moves = ['updateDriveFile.is-served'];
const checks = allChecks();

describe('the facts of a run', () => {
  it('are its tool, its target, its time and how much it sent', async () => {
    const startMs = Date.now();
    const { run, ...report } = await judge({}, { targetName: 'the demo-key one', randomSeed: 7 });
    expect(run).toEqual({
      ...{ id: expect.stringMatching(/^run-/), tool: 'test/1', contractVersion: '0.1.0', baseUrl: front.baseUrl },
      ...{ targetName: 'the <API_KEY> one', randomSeed: 7, allowWrites: false, allowDestructive: false },
      ...{ startedAt: expect.any(String), durationMs: expect.any(Number), requests: sent.length },
    });
    const lastedMs = Date.now() - startMs;
    expect(run.durationMs).toBeGreaterThanOrEqual(0);
    expect(run.durationMs).toBeLessThanOrEqual(lastedMs);
    expect(Date.parse(run.startedAt)).toBeGreaterThanOrEqual(startMs);
    expect(Date.parse(run.startedAt)).toBeLessThanOrEqual(startMs + lastedMs);
    expect(report).not.toHaveProperty('serverErrors');
    expect(report.leftovers).toEqual([]);
  });

  it('have no name of the target unless there is one', async () => {
    expect((await judge()).run).not.toHaveProperty('targetName');
  });
});

describe('the verdict on a run', () => {
  it('is on what was selected and enabled, and inconclusive if nothing was', async () => {
    const { verdict, summary, checks: results } = await judge();
    expect([verdict, summary.passed, summary.skipped]).toEqual(['conformant', 1, checks.length - 1]);
    expect(new Set(results.map(({ reason }) => reason))).toEqual(new Set(['', 'It was not selected.']));
    const { verdict: nearly } = await judge({ only: [], skip: ['listDrives.is-served'] }, writing());
    expect(nearly).toBe('conformant');
    const { verdict: none } = await judge({ only: ['createDrive.is-served'] });
    expect(none).toBe('inconclusive');
  });

  it('has every check once, by its id, each as it was told', async () => {
    const told: CheckResult[] = [];
    const report = await judge({ onResult: (result) => told.push(result) });
    const ids = checks.map(({ id }) => id).sort((a, b) => a.localeCompare(b, 'en'));
    expect(report.checks.map(({ id }) => id)).toEqual(ids);
    expect(told.map(({ id }) => id).sort((a, b) => a.localeCompare(b, 'en'))).toEqual(ids);
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

describe('the order of the checks', () => {
  /** The checks in their order, apart from one. */
  async function ordered(shuffleSeed?: number) {
    const told: string[] = [];
    const onResult = ({ id, outcome }: CheckResult) => void (outcome === 'skipped' && told.push(id));
    await judge({ onResult, ...(shuffleSeed === undefined ? {} : { shuffleSeed }) });
    const byId = new Map(checks.map((check) => [check.id, check]));
    return told.map((id) => byId.get(id)).filter((check) => check !== undefined);
  }

  it('is that of the phases, and in each those that look for what must not change come last', async () => {
    for (const seed of [undefined, 1, 2]) {
      const order = (await ordered(seed)).map(
        ({ phase, isLast = false }) => phases.indexOf(phase) * 2 + Number(isLast),
      );
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(order).toHaveLength(checks.length - 1);
    }
  });

  it('is otherwise that of the table', async () => {
    const [order, table] = [await ordered(), checks.filter(({ id }) => id !== 'listAgents.is-served')];
    const groups = (some: readonly (typeof checks)[number][]) =>
      Object.groupBy(some, ({ phase, isLast = false }) => `${phase} ${isLast}`);
    const ids = (some: readonly (typeof checks)[number][]) =>
      Object.entries(groups(some)).map(([group, all = []]) => `${group}: ${all.map(({ id }) => id).join()}`);
    expect(ids(order).toSorted()).toEqual(ids(table).toSorted());
  });

  it('is mixed within them by a seed, always in the same way', async () => {
    const idsWith = async (seed?: number) => (await ordered(seed)).map(({ id }) => id);
    const [usual, one, again, two] = [await idsWith(), await idsWith(1), await idsWith(1), await idsWith(2)];
    expect(again).toEqual(one);
    expect(new Set([usual, one, two].map((ids) => ids.join())).size).toBe(3);
    expect([one, two].map((ids) => ids.toSorted())).toEqual([usual.toSorted(), usual.toSorted()]);
  });
});

describe('a run sends', () => {
  const files = () => sent.filter((line) => line.includes('/files/'));

  it('nothing about files unless a check of files was selected', async () => {
    await judge({ only: ['listAgents.is-served'] }, writing());
    expect(files()).toEqual([]);
    await judge({ only: ['getDriveFile.is-served'] }, { ...writing(), allowWrites: false });
    const { fixtures } = writing();
    const declared = [...(fixtures.files ?? []), ...(fixtures.disposableFiles ?? [])];
    for (const { driveId, id } of declared) expect(files()).toContain(`GET /drives/${driveId}/files/${id}`);
  });

  it('readings of all files before it moves one', async () => {
    await judge({ only: moves }, writing());
    const { fixtures } = writing();
    const declared = [...(fixtures.files ?? []), ...(fixtures.disposableFiles ?? [])];
    const before = files().slice(
      0,
      files().findIndex((line) => line.startsWith('PATCH')),
    );
    for (const { driveId, id } of declared) expect(before).toContain(`GET /drives/${driveId}/files/${id}`);
  });

  it('nothing that writes if it only reads', async () => {
    await judge({ only: ['*.is-served'] });
    expect(sent.filter((line) => !line.startsWith('GET '))).toEqual([]);
  });

  it('what it needs to observe only if it is asked to, judges all, or requires a choice', async () => {
    const observed = async (options: Partial<RunOptions>, config: Partial<Config> = {}) =>
      Object.keys((await judge(options, config)).observed).length > 0;
    expect(await observed({})).toBe(false);
    expect(await observed({ observe: true })).toBe(true);
    expect(await observed({}, { require: { readStatus: 200 } })).toBe(true);
    expect(await observed({ only: [] })).toBe(true);
    expect(await observed({ only: [], observe: false })).toBe(false);
  });
});

describe('a run that ends early', () => {
  const broken = new Error('the key demo-key is broken');
  const breaking = (id: string) => (result: CheckResult) => {
    if (result.id === id) throw broken;
  };

  it('by an error of its own says where, keeps what it has, and moves files back', async () => {
    const before = takeSnapshot(mock).files;
    const only = [...moves, 'listAgents.is-served', 'deleteDriveTree.is-served'];
    const onResult = breaking('updateDriveFile.is-served');
    const { run, checks: results, verdict, observed } = await judge({ only, onResult, observe: true }, writing());
    expect(run.suiteError).toMatch(/^updateDriveFile\.is-served: Error: the key <API_KEY> is broken\n {4}at /);
    expect(results.find(({ id }) => id === 'listAgents.is-served')?.outcome).toBe('passed');
    expect(results.map(({ id }) => id)).not.toContain('deleteDriveTree.is-served');
    expect(sent.filter((line) => line.startsWith('DELETE'))).toEqual([]);
    expect([verdict, observed]).toEqual(['inconclusive', {}]);
    expect(takeSnapshot(mock).files).toEqual(before);
    expect(run).not.toHaveProperty('moveLog');
  });

  it('by its signal says why, and sends nothing more', async () => {
    const stop = new AbortController();
    const only = ['listAgents.is-served', ...moves];
    const { run, checks: results } = await judge(
      { only, signal: stop.signal, onResult: ({ outcome }) => outcome === 'passed' && stop.abort() },
      writing(),
    );
    expect(run.suiteError).toBe('stopped before its end');
    expect(results.map(({ id }) => id)).not.toContain(moves[0]);
    expect(sent.filter((line) => line.startsWith('PATCH'))).toEqual([]);
  });

  it('while it observes keeps what the checks found, and nothing that it saw', async () => {
    const stop = new AbortController();
    const onResult = ({ outcome }: CheckResult) => void (outcome === 'passed' && stop.abort());
    const { run, summary, observed } = await judge({ observe: true, signal: stop.signal, onResult });
    expect([run.suiteError, summary.passed, observed]).toEqual(['stopped before its end', 1, {}]);
  });

  it('before its first check ends without a report', async () => {
    const stopped = judge({ signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({
      code: 'STOPPED',
      message: 'The run was stopped before its first check.',
    });
    expect(sent).toEqual([]);
    const limited = judge({}, { maxRequests: 1 });
    await expect(limited).rejects.toMatchObject({
      ...{ code: 'TARGET_UNREACHABLE', message: 'The run sent the 1 requests that --max-requests allows.' },
    });
  });
});

describe('the trace of a run', () => {
  it('has every exchange, if one is asked for', async () => {
    const trace = at('trace.har');
    const { run } = await judge({ trace });
    const { log } = JSON.parse(readFileSync(trace, 'utf8'));
    expect([log.entries.length, log.creator]).toEqual([run.requests, { name: 'test', version: '1' }]);
  });

  it('must be possible', async () => {
    await expect(judge({ trace: at('no/folder.har') })).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' });
    expect(sent).toEqual([]);
  });
});

describe('the move log of a run', () => {
  it('is gone once all files are back', async () => {
    const moveLog = at('moves.jsonl');
    let wasThere = false;
    const onResult = () => {
      wasThere ||= existsSync(moveLog);
    };
    const { run } = await judge({ only: moves, moveLog, onResult }, writing());
    expect([wasThere, existsSync(moveLog), run.moveLog]).toEqual([true, false, undefined]);
  });

  it('must be a new file', async () => {
    const run = judge({ moveLog: write('taken.jsonl', 'of another run') });
    await expect(run).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' });
    expect(sent).toEqual([]);
  });
});
