import { once } from 'node:events';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { allChecks } from '../../conformance/checks/index.ts';
import { parseReport } from '../../conformance/report/parse-report.ts';
import { startFront } from '../../proof/power/front.ts';
import { passOn } from '../../proof/power/mutants/wire-faults.ts';
import { takeSnapshot } from '../../proof/power/snapshot.ts';
import { createMock } from '../../src/index.ts';
import { conformanceFlags } from '../../src/options/conformance-options.ts';
import { runCommand } from '../support/command.ts';
import { fixturesOf } from '../support/fixtures.ts';
import { createBench, keys, quick, startPassing } from '../support/judging.ts';
import { timeLimit } from '../support/time-limit.ts';

const { mock, reading, at, write, conformance, reportOf } = await createBench();
const url = mock.url;

describe('an option', () => {
  it('--allow-writes permits writes, --allow-destructive also deletions', async () => {
    const config = write('fixtures.json', { fixtures: fixturesOf(mock), openPoints: { treePathParameter: 'path' } });
    const only = ['--config', config, '--only', 'createDrive.is-served', '--only', 'deleteDriveTree.is-served'];
    const kinds = async (...args: string[]) => {
      mock.reset();
      const { report } = await reportOf([...only, ...args]);
      return [...new Set(report.leftovers.map(({ kind }) => kind))].sort();
    };
    expect(await kinds()).toEqual([]);
    expect(await kinds('--allow-writes')).toEqual(['drive']);
    expect(await kinds('--allow-writes', '--allow-destructive')).toEqual(['deletedFile', 'drive']);
  });

  it('--no-allow-writes reads only, whatever the config allows', async () => {
    const config = write('writing.json', { allowWrites: true, allowDestructive: true });
    const only = ['--config', config, '--only', 'createDrive.is-served', '--only', 'listDrives.*-page'];
    const { stdout, report } = await reportOf([...only, '--no-allow-writes']);
    expect(stdout).toMatch(/Mode +read only\n/);
    expect(report).toMatchObject({ leftovers: [], run: { allowWrites: false, allowDestructive: false } });
    expect((await reportOf(only)).report.leftovers).not.toEqual([]);
  });

  it('--only with checks that only read sends no writing request', async () => {
    const config = write('allowing.json', { allowWrites: true, allowDestructive: true });
    const sent: string[] = [];
    const front = await startPassing(url, ({ method, headers }) => {
      if (headers['user-agent']?.startsWith('agent-platform')) sent.push(method ?? '');
    });
    const args = ['-u', front.baseUrl, '--config', config, '--only', 'list*.is-served', '--only', '*-page'];
    const { stdout } = await conformance(args, keys);
    await front.close();
    expect(sent.length).toBeGreaterThan(10);
    expect(new Set(sent)).toEqual(new Set(['GET']));
    expect(stdout).toMatch(/Read-only run/);
  });

  it('--header adds a header to every request and keeps its value out of the output', async () => {
    const seen: unknown[] = [];
    const front = await startPassing(url, ({ headers }) => seen.push(headers['x-gateway']));
    const args = ['--base-url', front.baseUrl, ...quick, '--header', 'X-Gateway: let-me-in'];
    const { stdout } = await conformance(args, keys);
    await front.close();
    expect(new Set(seen)).toEqual(new Set(['let-me-in']));
    expect(stdout).not.toContain('let-me-in');
  });

  it('--timeout ends a request that takes longer', async () => {
    const isOver = new AbortController();
    const front = await startFront(url, async (request, response, forward) => {
      const { status, headers, body } = await forward();
      if (request.url?.includes('/mcp-servers') && !isOver.signal.aborted) await once(isOver.signal, 'abort');
      response.writeHead(status, headers).end(body);
    });
    // Only what is not answered reaches the short limit, also on a busy machine.
    const runWith = (limitMs: number) =>
      reportOf(['-u', front.baseUrl, '--only', 'listMcpServers.is-served', '--timeout', String(limitMs)]);
    const patient = runWith(600_000);
    const impatient = await runWith(timeLimit(1_500));
    isOver.abort();
    const failures = [impatient, await patient].map(({ report }) => report.summary.failed);
    await front.close();
    expect(failures).toEqual([1, 0]);
  });

  it('--settle limits how long a target may take to show a change', async () => {
    const target = await createMock({ set: { readAfterWrite: 'lagging' } });
    const args = ['-u', target.url, '--allow-writes', '--only', 'listDrives.created-drive'];
    const patient = await reportOf(args);
    const impatient = await reportOf([...args, '--settle', '0']);
    await target.close();
    expect([patient.report.summary.failed, impatient.report.summary.failed]).toEqual([0, 1]);
  });

  it('--max-requests and --time-limit end a run with a report of all checks, and move files back', async () => {
    const config = write('files.json', { fixtures: { files: fixturesOf(mock).files }, allowWrites: true });
    const before = takeSnapshot(mock).files;
    const front = await startFront(url, async (request, response, forward) => {
      await setTimeout(20);
      await passOn(request, response, forward);
    });
    for (const [name, ...args] of [
      ['--max-requests', '40', '-u', url, '--only', 'updateDriveFile.*'],
      ['--time-limit', '1000', '-u', front.baseUrl, '--strict'],
    ] as const) {
      const { report, code, stdout } = await reportOf(['--config', config, name, ...args]);
      expect(report.checks).toHaveLength(allChecks().length);
      const cut = report.checks.filter(({ obstacle }) => obstacle === `the limit of ${name}`);
      expect(new Set(cut.map(({ outcome }) => outcome))).toEqual(new Set(['inconclusive']));
      expect(report.leftovers.filter(({ kind }) => kind === 'file')).toEqual([]);
      expect(takeSnapshot(mock).files).toEqual(before);
      if (name === '--max-requests') {
        expect(report.leftovers).toEqual([]);
      } else {
        expect(cut.length).toBeGreaterThan(100);
        expect({ code, verdict: report.verdict }).toEqual({ code: 3, verdict: 'inconclusive' });
        expect(stdout).toMatch(/\nexit code 3: the run ended early; .*\nINCONCLUSIVE: the run reached --time-limit/);
      }
    }
    await front.close();
  });

  it('--rate and --max-wait keep to the pace of the target, and say why where that is not enough', async () => {
    let count = 0;
    const busy = () => ++count > 6 && count < 9;
    const front = await startFront(url, async (request, response, forward) => {
      if (busy()) response.writeHead(429, { 'Retry-After': '7' }).end();
      else await passOn(request, response, forward);
    });
    const args = ['-u', front.baseUrl, '--rate', '500', '--max-wait', '10', '--only', 'listAgents.*-key'];
    const { report, code, stdout } = await reportOf(args);
    await front.close();
    expect(report.run.troubles).toEqual([{ what: 'status 429', count: 2 }]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/status 429, 2 times/);
    const refused = await conformance([...quick, '--rate', '0']);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/--rate must be a number from 0\.01 to 1000/),
    ]);
  });

  it('--random-seed determines the generated paths', async () => {
    const config = write('one-file.json', { fixtures: { files: fixturesOf(mock).files } });
    const paths = async (seed: string) => {
      const bodies: string[] = [];
      const front = await startPassing(url, ({ method }, body) => {
        // Sent at the same time, in several spellings.
        const spelled = JSON.stringify(body === '' ? '' : JSON.parse(body));
        if (method === 'PATCH') bodies.push(spelled.replaceAll(/run-[0-9a-f]{8}/g, 'run'));
      });
      const only = ['--allow-writes', '--only', 'updateDriveFile.dot-dot-segment.generated'];
      await conformance(['-u', front.baseUrl, '--config', config, ...only, '--random-seed', seed], keys);
      await front.close();
      return bodies.sort();
    };
    const [one, again, two] = [await paths('1'), await paths('1'), await paths('2')];
    expect(one.length).toBeGreaterThan(30);
    expect(again).toEqual(one);
    expect(two).not.toEqual(one);
  });

  it('--host-mcp-server and --host-mcp-url enable the hosted-tools checks', async () => {
    const args = ['--allow-writes', '--settle', '50', '--only', '*hosted-tools*'];
    const without = await reportOf([...args, ...quick]);
    expect(without.report.checks.filter(({ reason }) => reason.includes('--host-mcp-server'))).toHaveLength(2);
    const hosting = write('hosting.json', { hostMcpUrl: 'http://127.0.0.1:45871/' });
    const flags = [['--host-mcp-server'], ['--host-mcp-url', 'http://127.0.0.1:45871/']];
    for (const asked of [...flags, ['--config', hosting]]) {
      const { report } = await reportOf([...args, ...asked]);
      const hosted = report.checks.filter(({ id }) => id.startsWith('listMcpServerTools.hosted-tools'));
      // The mock never asks, which is open. A URL that the user gave is never what is missing.
      expect(hosted.map(({ outcome, setting }) => [outcome, setting])).toEqual(Array(2).fill(['skipped', undefined]));
    }
  });

  it('--target-name stands in the report and in the closing text', async () => {
    const { report, stdout } = await reportOf([...quick, '--target-name', 'billing 4f1c2ab']);
    expect([report.run.targetName, stdout]).toEqual(['billing 4f1c2ab', expect.stringContaining('billing 4f1c2ab')]);
  });

  it('--json, --report and --report-dir write the report files', async () => {
    const place = at('reports/deep');
    const formats = ['--report', 'junit,html', '--report', 'markdown', '--report-dir', place];
    const { stdout } = await conformance([...quick, ...formats, '--json', join(place, 'own.json')]);
    const written = ['conformance.html', 'conformance.junit.xml', 'conformance.md', 'own.json'];
    expect(readdirSync(place).sort()).toEqual(written);
    for (const name of readdirSync(place)) expect(stdout).toContain(join(place, name));
    expect(parseReport(readFileSync(join(place, 'own.json'), 'utf8'), 'own.json').verdict).toBe('conformant');
  });

  it('GITHUB_STEP_SUMMARY gets the report appended', async () => {
    const summary = write('summary.md', '# Before\n');
    await conformance(quick, { ...reading, GITHUB_STEP_SUMMARY: summary });
    expect(readFileSync(summary, 'utf8')).toMatch(/^# Before\n[\s\S]*passed listAgents\.is-served/);
  });

  it('--observe writes a profile that the mock accepts', async () => {
    const file = at('profile.yaml');
    const odd = await createMock({ set: { errorBody: 'nested', 'pagingDefaults.limit': 10 } });
    await conformance(['-u', odd.url, ...quick, '--observe', file], keys);
    await odd.close();
    const target = await createMock({ profile: file });
    await target.close();
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({ errorBody: 'nested' });
    expect(target.profile.errorBody).toBe('nested');
  });

  it('from a flag overrides the environment, which overrides the file', async () => {
    const config = write('seeds.yaml', `baseUrl: ${url}\nrandomSeed: 3\nmaxRequests: 33\nsettleMs: 333\n`);
    const environment = { ...keys, AGENT_PLATFORM_RANDOM_SEED: '2', AGENT_PLATFORM_CONFIG: config };
    const seed = async (args: string[], more = environment) =>
      (await reportOf([...quick, ...args], more)).report.run.randomSeed;
    expect(await seed([])).toBe(2);
    expect(await seed(['--random-seed', '1'])).toBe(1);
    expect(await seed([], { ...environment, AGENT_PLATFORM_RANDOM_SEED: '' })).toBe(3);
  });

  it('appears in a conformance test, for every flag', () => {
    const files = globSync('*.test.ts', { cwd: import.meta.dirname });
    const texts = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n');
    expect(
      Object.values(conformanceFlags)
        .map(({ name }) => `'--${name}'`)
        .filter((flag) => !texts.includes(flag)),
    ).toEqual([]);
  });
});

describe('output on a terminal', () => {
  const interactive = (args: string[], environment: Record<string, string> = reading) =>
    runCommand(['conformance', ...args], environment, { isInteractive: true });

  it('shows a progress line and erases it at the end, elsewhere none', async () => {
    const { stdout } = await interactive(quick);
    expect(stdout).toMatch(/\r1 of 2: \S+ +\r2 of 2: \S+ +\r {78}\r/);
    expect((await conformance(quick)).stdout).not.toContain('\r');
  });

  it('uses colour unless --no-color or NO_COLOR is set, or the terminal has none', async () => {
    const colour = '\u001b[';
    expect((await interactive(quick)).stdout).toContain(colour);
    expect((await interactive([...quick, '--no-color'])).stdout).not.toContain(colour);
    for (const none of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
      expect((await interactive(quick, { ...reading, ...none })).stdout).not.toContain(colour);
    expect((await interactive(['doctor', '--no-color'])).stdout).not.toContain(colour);
    expect((await conformance(quick)).stdout).not.toContain(colour);
  });
});
