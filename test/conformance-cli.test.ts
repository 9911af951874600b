import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { allChecks } from '../conformance/checks/index.ts';
import { parseReport } from '../conformance/parse-report.ts';
import { commands } from '../src/cli/commands.ts';
import { conformanceOptions } from '../src/cli/conformance-options.ts';
import { environmentName } from '../src/cli/options.ts';
import { createMock, type Mock, type MockOptions } from '../src/index.ts';
import { degenerateServers } from './power/degenerate-servers.ts';
import { fixturesOf } from './power/fixtures.ts';
import { startFront } from './power/front.ts';
import { mutants } from './power/mutants/index.ts';
import { takeSnapshot } from './power/snapshot.ts';
import { startMutant } from './power/start-mutant.ts';
import { runCommand, startCommand } from './support/command.ts';
import { runInProcess } from './support/in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-cli-'));
const mock = await createMock();
const url = mock.url;
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => mock.reset());

const at = (name: string) => join(folder, name);

function write(name: string, content: unknown): string {
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  return at(name);
}

const keys = { AGENT_PLATFORM_API_KEY: 'demo-key', AGENT_PLATFORM_OTHER_API_KEY: 'demo-key-2' };
const reading = { AGENT_PLATFORM_BASE_URL: url, ...keys };
const demo = 'examples/conformance-demo.json';
const quick = ['--only', 'listAgents.is-served', '--only', 'listDrives.is-served'];

const conformance = (args: readonly string[], environment: Record<string, string> = reading) =>
  runInProcess(['conformance', ...args], environment);

/** The report that a run with these options writes. */
async function reportOf(args: readonly string[], environment: Record<string, string> = reading) {
  const file = at('report-of.json');
  rmSync(file, { force: true });
  const ended = await conformance([...args, '--json', file], environment);
  return { ...ended, report: parseReport(readFileSync(file, 'utf8'), file) };
}

/** A mock that notes what is asked of it. */
async function watched(options: MockOptions = {}): Promise<{ target: Mock; seen: string[] }> {
  const seen: string[] = [];
  const target = await createMock({ ...options, onExchange: ({ method, path }) => seen.push(`${method} ${path}`) });
  return { target, seen };
}

describe('help', () => {
  it('names the commands', async () => {
    const { code, stdout } = await runCommand(['--help']);
    expect(code).toBe(0);
    for (const { name, summary } of commands) expect(stdout).toContain(`${name.padEnd(19)}  ${summary}`);
  });

  it.each(['conformance', 'conformance doctor', 'conformance compare'])('of %s names every option', async (name) => {
    const { code, stdout } = await runCommand([...name.split(' '), '--help']);
    expect(code).toBe(0);
    const command = commands.find((candidate) => candidate.name === name);
    for (const option of command?.options ?? []) {
      expect(stdout).toContain(`--${option.name}`);
      expect(stdout).toContain(environmentName(option));
      if (option.default !== undefined) expect(stdout).toContain(`(default: ${option.default})`);
    }
    expect(stdout).toContain(`Exit code:\n  ${command?.exitCodes}`);
  });

  it('shows no key', async () => {
    for (const args of [
      ['--help'],
      ['doctor', '--help'],
      ['--list'],
      ['--explain', 'listAgents.is-served'],
      ['--dry-run'],
    ]) {
      const { stdout, stderr } = await conformance([...args], {
        ...reading,
        AGENT_PLATFORM_HEADER: 'X-Gateway: demo-gateway',
      });
      expect(stdout + stderr).not.toMatch(/demo-/);
    }
  });
});

const refused: [string, string[], RegExp][] = [
  ['no base URL', [], /no base URL: give --base-url <url>, AGENT_PLATFORM_BASE_URL/],
  ['no key', ['-u', url], /no API key: set AGENT_PLATFORM_API_KEY/],
  ['an unknown flag', ['--baseurl', url], /no option --baseurl. Did you mean --base-url\?/],
  ['a bare word, without repeating it', ['demo-key'], /no place for a bare word here/],
  ['a misspelt second word', ['doctr'], /Did you mean conformance doctor\?/],
  ['a base URL that is none', ['-u', 'localhost:4010'], /The base URL must begin with http:\/\//],
  ['a header without a name', ['--header', 'demo-value'], /--header is written as 'Name: value'/],
  ['a header that can be none', ['-u', url, '--api-key', 'key-a', '--header', 'a b: c'], /The header a b is no name/],
  ['a header that stands twice', ['--header', 'A: 1', '--header', 'a: 2'], /--header a stands twice/],
  ['a timeout of nothing', ['--timeout', '0'], /--timeout is a whole number from 1 to/],
  ['a time to settle that is none', ['--settle', '5s'], /--settle is a whole number from 0 to/],
  ['no requests', ['--max-requests', '0'], /--max-requests is a whole number from 1 to/],
  [
    'an unknown check',
    ['--only', 'listAgent.is-served'],
    /no check "listAgent.is-served". Did you mean listAgents.is-served\?/,
  ],
  ['an unknown check to skip', ['--skip', 'x.*'], /no check "x\.\*"/],
  ['a selection of nothing', ['--only', 'listAgents.*', '--skip', '*'], /No check is left to run/],
  ['an unknown check to explain', ['--explain', 'listAgents.served'], /Did you mean listAgents.is-served\?/],
  ['a pattern to explain', ['--explain', 'listAgents.*'], /--explain takes the id of one check/],
  ['a config that is not there', ['--config', 'nowhere.json'], /nowhere\.json cannot be read/],
  [
    'an unknown form of report',
    ['-u', url, '--api-key', 'key-a', '--report', 'junit,htm'],
    /--report is of junit, html, markdown, json. Did you mean html\?/,
  ],
  [
    'a folder without reports',
    ['-u', url, '--api-key', 'key-a', '--report-dir', 'x'],
    /--report-dir says where to; --report says what/,
  ],
  [
    'expected failures that are not there',
    ['-u', url, '--api-key', 'key-a', '--expected-failures', 'nowhere.yaml'],
    /nowhere\.yaml cannot be read/,
  ],
  ['a comparison of one', ['compare', 'a.json'], /It takes 2 files: <before.json> <after.json>. There is 1\./],
  ['a comparison with what is not there', ['compare', 'a.json', 'b.json'], /a\.json cannot be read/],
  ['a doctor without a base URL', ['doctor'], /no base URL/],
];

describe('agent-platform conformance refuses', () => {
  it.each(refused)('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await conformance(args, {});
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/ {4}at |demo-/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('a bad value in the environment, by its name there', async () => {
    const { code, stderr } = await conformance([], { AGENT_PLATFORM_TIMEOUT: 'long' });
    expect(stderr).toMatch(/AGENT_PLATFORM_TIMEOUT is a whole number/);
    expect(code).toBe(2);
  });

  it('a config with mistakes, by line and column, in a dry run as well', async () => {
    const config = write('wrong.yaml', 'apiKey: demo-key\nallowWrite: true\n');
    for (const more of [[], ['--dry-run'], ['doctor']].map((words) => [...words, '--config', config])) {
      const { code, stderr } = await conformance(more, {});
      expect(stderr).toMatch(/wrong\.yaml:2:\d+ allowWrite is not a known field; did you mean allowWrites\?/);
      expect(code).toBe(2);
    }
  });
});

describe('the exit code is', () => {
  const broken = (id: string) => mutants.filter((mutant) => mutant.id === id)[0];
  const must = broken('a-new-drive-loses-the-last-character-of-its-name');
  const should = broken('a-new-drive-loses-its-accents');
  const creating = ['--allow-writes', '--only', 'createDrive.name*', '--only', 'createDrive.is-served'];
  const judgingLast = [...creating, '--only', 'listAgents.status-is-200'];

  async function onMutant(mutant: typeof must, args: readonly string[], more: Record<string, string> = {}) {
    const running = await startMutant(mutant ?? {});
    const ended = await runCommand(['conformance', '-u', running.baseUrl, ...args], { ...keys, ...more });
    await running.close();
    return ended;
  }

  const breaking = (place: string) => ({
    BREAK_SUITE: place,
    NODE_OPTIONS: `--import=${new URL('./support/broken-suite.ts', import.meta.url)}`,
  });

  it('0 when no must failed, though most could not be judged, which is said loudly', async () => {
    const { code, stdout, stderr } = await runCommand(['conformance'], reading);
    expect(stdout).toMatch(/\nUNDETERMINED: \d+ checks could not be judged; nothing failed/);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('0 when all was judged and nothing failed', async () => {
    const { code, stdout } = await runCommand(['conformance', '--config', demo, '-u', url]);
    expect(stdout).toMatch(/\n0 failed, 0 warned, 0 unverified, \d+ passed, 2 skipped\n/);
    expect(stdout).toMatch(/\nCONFORMANT: \d+ checks passed; nothing failed/);
    expect(code).toBe(0);
  });

  it('1 when a must failed', async () => {
    const { code, stdout } = await onMutant(must, creating);
    expect(stdout).toMatch(/FAILED createDrive\.name-taken-over \(MUST\)[\s\S]*NON-CONFORMANT/);
    expect(code).toBe(1);
  });

  it('1 when a must failed and the suite breaks off afterwards', async () => {
    const { code, stdout } = await onMutant(must, judgingLast, breaking('check'));
    expect(stdout).toMatch(/Left behind on the target[\s\S]*The suite broke off: listAgents\.status-is-200/);
    expect(code).toBe(1);
  });

  it('2 when the suite breaks off; what was left behind is told', async () => {
    const { code, stdout } = await onMutant({} as typeof must, judgingLast, breaking('check'));
    expect(stdout).toMatch(/Left behind on the target[\s\S]*The suite broke off: listAgents\.status-is-200/);
    expect(stdout).toMatch(/UNDETERMINED: the suite broke off before its end/);
    expect(code).toBe(2);
  });

  it('2 when the suite breaks before its first check', async () => {
    const { code, stderr } = await runCommand(['conformance'], { ...reading, ...breaking('start') });
    expect(stderr).toMatch(/^The suite broke off; this says nothing of the target\. Error: broken on purpose/);
    expect(code).toBe(2);
  });

  it('0 for what was expected to fail, and the verdict stays; 1 once it passes', async () => {
    const expected = [
      '--expected-failures',
      write('known.yaml', '- { check: createDrive.name-taken-over, reason: PLAT-1 }\n'),
    ];
    const failing = await onMutant(must, [...creating, ...expected, '--skip', '*name-kept*']);
    expect(failing.stdout).toMatch(/createDrive\.name-taken-over failed as expected: PLAT-1[\s\S]*NON-CONFORMANT/);
    expect(failing.code).toBe(0);
    const passing = await onMutant({} as typeof must, [...creating, ...expected]);
    expect(passing.stdout).toMatch(/createDrive\.name-taken-over did not fail: take it off the list/);
    expect(passing.code).toBe(1);
    const skipping = await runCommand(['conformance', ...quick, ...expected], reading);
    expect(skipping.stdout).toMatch(/createDrive\.name-taken-over was not judged/);
    expect(skipping.code).toBe(0);
  });

  it('1 under --strict when something warned or is unverified; the verdict stays', async () => {
    const accents = ['--allow-writes', '--only', 'createDrive.name-kept.*'];
    const warned = await onMutant(should, accents);
    expect(warned.stdout).toMatch(/1 warned/);
    const [warnedStrictly, unverified, fine] = await Promise.all([
      onMutant(should, [...accents, '--strict']),
      runCommand(['conformance', '--strict', '--only', 'list*'], reading),
      runCommand(['conformance', '--strict', ...quick], reading),
    ]);
    expect([warned.code, warnedStrictly.code, unverified.code, fine.code]).toEqual([0, 1, 1, 0]);
    expect(unverified.stdout).toMatch(/UNDETERMINED/);
  });

  it('2 when nothing was judged', async () => {
    const { code, stdout } = await runCommand(['conformance', '--only', 'createDrive.*'], reading);
    expect(stdout).toMatch(/0 failed, 0 warned, \d+ unverified, 0 passed/);
    expect(code).toBe(2);
  });

  it('2 when nobody answers, or not as the service, with what to check', async () => {
    for (const [id, hint] of [
      ['refuses-connections', /Check that the server runs/],
      ['always-401', /Check the key/],
      ['always-503', /Check that the server runs/],
    ] as const) {
      const server = await degenerateServers.find((candidate) => candidate.id === id)?.start();
      const args = ['-u', server?.baseUrl ?? ''];
      const judged = await runCommand(['conformance', ...args], keys);
      const doctor = await conformance(['doctor', ...args], keys);
      await server?.close();
      for (const { code, stderr } of [judged, doctor]) {
        expect(stderr).toMatch(hint);
        expect(stderr).toMatch(/GET http:\S+\/agents {2}X-API-Key: .*\n.*\/drives {2}X-API-Key/);
        expect(code).toBe(2);
      }
    }
  });

  it('2 for a command line and a config that are not right', async () => {
    const config = write('broken.json', '{ "baseUrl": ');
    const ended = await Promise.all([
      runCommand(['conformance', '--nly', 'x']),
      runCommand(['conformance', '--config', config]),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([2, 2]);
  });

  it('0 for --list, --explain, --dry-run and the doctor when they did their job', async () => {
    const { target, seen } = await watched();
    const environment = { ...keys, AGENT_PLATFORM_BASE_URL: target.url };
    const ended = [
      await runCommand(['conformance', '--list']),
      await runCommand(['conformance', '--explain', 'listAgents.is-served']),
      await runCommand(['conformance', '--dry-run', '--config', demo], environment),
    ];
    expect(seen).toEqual([]);
    ended.push(await runCommand(['conformance', 'doctor'], environment));
    await target.close();
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ended.map(() => ({ code: 0, stderr: '' })));
    expect(new Set(seen.map((line) => line.split(' ')[0]))).toEqual(new Set(['GET']));
  });

  it('of a comparison 0 when nothing fails newly, 1 when something does, 2 for what is no report', async () => {
    const [sound, faulty] = [at('sound.json'), at('faulty.json')];
    await runCommand(['conformance', '-u', url, ...creating, '--json', sound], keys);
    await onMutant(must, [...creating, '--json', faulty]);
    const none = write('none.json', '{ "verdict": "conformant" }');
    const ended = await Promise.all(
      [
        [sound, sound],
        [sound, faulty],
        [faulty, sound],
        [sound, none],
      ].map((files) => runCommand(['conformance', 'compare', ...files])),
    );
    expect(ended.map(({ code }) => code)).toEqual([0, 1, 0, 2]);
    expect(ended[1]?.stdout).toMatch(/Newly failing[\s\S]*createDrive\.name-taken-over: passed -> failed/);
    expect(ended[2]?.stdout).toMatch(/Newly passing/);
    expect(ended[3]?.stderr).toMatch(/none\.json is no report of a conformance run/);
  });
});

describe('before a run', () => {
  it('it says what it is going to do, and with which rights', async () => {
    const whole = (await conformance(['--dry-run', '--config', demo, '-u', url], {})).stdout;
    expect(whole).toMatch(
      /Target {2}http:\/\/127\.0\.0\.1:\d+\/v0\.1\n {2}Keys {4}of two organizations\n {2}Mode {4}reading, writing and deleting/,
    );
    expect(whole).toMatch(
      /This run will create 1\d drives and 1\d MCP servers, publish 1 revision, move 1 file and move it back, and delete up to 10 of 28 disposable files\./,
    );
    expect(whole).toMatch(/can be undone through the API/);
    expect(whole).toMatch(/every file of the 4 drives named in disposableFiles is at risk/);
    const bare = (await conformance(['--dry-run', '--allow-destructive'])).stdout;
    expect(bare).toMatch(/Mode {4}reading only: --allow-destructive takes --allow-writes as well/);
    expect(bare).toMatch(/This run only reads/);
  });

  it('files that cannot be written are told, and no request is sent', async () => {
    const { target, seen } = await watched();
    const file = write('a-file', '');
    for (const args of [
      ['--json', at('no-folder/report.json')],
      ['--json', folder],
      ['--json', join(file, 'report.json')],
      ['--report', 'html', '--report-dir', join(file, 'reports')],
      ['--observe', at('no-folder/profile.yaml')],
    ]) {
      const { code, stderr } = await conformance(['-u', target.url, ...quick, ...args], keys);
      expect(stderr).toMatch(/ cannot be written: /);
      expect(code).toBe(2);
    }
    const summary = { ...keys, GITHUB_STEP_SUMMARY: at('no-folder/summary.md') };
    expect((await conformance(['-u', target.url, ...quick], summary)).code).toBe(2);
    await target.close();
    expect(seen).toEqual([]);
  });
});

describe('the list of checks', () => {
  it('has a line for each, with level and needs', async () => {
    const { stdout } = await conformance(['--list'], {});
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(allChecks().map(({ id }) => id));
    expect(stdout).toMatch(
      /^updateDriveFile\.path-empty +must +Moves a file to an empty path\. Needs --allow-writes, fixtures\.files$/m,
    );
  });

  it('is shorter with --only and --skip', async () => {
    const { stdout } = await conformance(
      ['--list', '--only', 'listA*.*-key', '--only', 'listAgents.is-served', '--skip', '*empty*'],
      {},
    );
    const ids = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '');
    expect(ids).toContain('listAgents.header-key');
    expect(ids).toContain('listAgents.is-served');
    expect(ids.filter((id) => !/^listAgents\.(.*-key|is-served)$/.test(id) || id.includes('empty'))).toEqual([]);
  });

  it('explains each check', async () => {
    for (const { id, does, level, requirements } of allChecks()) {
      const { code, stdout } = await conformance(['--explain', id], {});
      expect(code).toBe(0);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`${id} (${level}) ${does}`);
      expect(requirements.length).toBeGreaterThan(0);
      expect(stdout).toMatch(/\(section\s[\d., a-zA-Z\s]+\)\n {4}openapi\.yaml#\//);
      expect(stdout).toMatch(/It needs:\n {2}\S[\s\S]*It changes:\n {2}\S[\s\S]*--only /);
    }
  });
});

describe('an option', () => {
  it('--only and --skip choose checks', async () => {
    const { report } = await reportOf(['--only', 'listAgents.*', '--skip', '*key*']);
    const judged = report.checks.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
    expect(judged.length).toBeGreaterThan(5);
    expect(judged.filter((id) => !id.startsWith('listAgents.') || id.includes('key'))).toEqual([]);
  });

  it('--allow-writes lets it write, and --allow-destructive delete', async () => {
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

  it('--header adds a header to every request; what a gateway gets shows nowhere', async () => {
    const seen: unknown[] = [];
    const front = await startFront(url, async (request, response, forward) => {
      seen.push(request.headers['x-gateway']);
      const { status, headers, body } = await forward();
      response.writeHead(status, headers).end(body);
    });
    const { stdout } = await conformance(['-u', front.baseUrl, ...quick, '--header', 'X-Gateway: let-me-in'], keys);
    await front.close();
    expect(new Set(seen)).toEqual(new Set(['let-me-in']));
    expect(stdout).not.toContain('let-me-in');
  });

  it('--timeout ends a request that hangs', async () => {
    const front = await startFront(url, async (request, response, forward) => {
      if (request.url?.includes('/mcp-servers')) return;
      const { status, headers, body } = await forward();
      response.writeHead(status, headers).end(body);
    });
    const { report } = await reportOf(['-u', front.baseUrl, '--only', 'listMcpServers.is-served', '--timeout', '60']);
    await front.close();
    expect(report).toMatchObject({ verdict: 'non-conformant', summary: { failed: 1 } });
    expect(report.run.durationMs).toBeLessThan(2_000);
  });

  it('--settle is how long a target may take to show what it did', async () => {
    const target = await createMock({ set: { readAfterWrite: 'lagging' } });
    const args = ['-u', target.url, '--allow-writes', '--only', 'listDrives.created-drive'];
    const patient = await reportOf(args);
    const impatient = await reportOf([...args, '--settle', '0']);
    await target.close();
    expect([patient.report.summary.failed, impatient.report.summary.failed]).toEqual([0, 1]);
  });

  it('--max-requests ends the asking, not the moving back', async () => {
    const config = write('files.json', { fixtures: { files: fixturesOf(mock).files } });
    const before = takeSnapshot(mock).text;
    const { report } = await reportOf([
      '--config',
      config,
      '--allow-writes',
      '--only',
      'updateDriveFile.*',
      '--max-requests',
      '40',
    ]);
    expect(report.checks.some(({ setting }) => setting === '--max-requests')).toBe(true);
    expect(report.leftovers).toEqual([]);
    expect(
      JSON.parse(before).map(({ files }: { files: { file: { path: string } }[] }) =>
        files.map(({ file }) => file.path),
      ),
    ).toEqual(
      JSON.parse(takeSnapshot(mock).text).map(({ files }: { files: { file: { path: string } }[] }) =>
        files.map(({ file }) => file.path),
      ),
    );
  });

  it('--random-seed is what the generated paths depend on', async () => {
    const config = write('one-file.json', { fixtures: { files: fixturesOf(mock).files } });
    const paths = async (seed: string) => {
      const bodies: string[] = [];
      const front = await startFront(url, async (request, response, forward) => {
        const { status, headers, body } = await forward({
          body: (sent) => {
            if (request.method === 'PATCH') bodies.push(sent.replaceAll(/run-[0-9a-f]{8}/g, 'run'));
            return sent;
          },
        });
        response.writeHead(status, headers).end(body);
      });
      await conformance(
        [
          '-u',
          front.baseUrl,
          '--config',
          config,
          '--allow-writes',
          '--only',
          'updateDriveFile.dot-dot-segment.generated',
          '--random-seed',
          seed,
        ],
        keys,
      );
      await front.close();
      return bodies;
    };
    const [one, again, two] = [await paths('1'), await paths('1'), await paths('2')];
    expect(one.length).toBeGreaterThan(30);
    expect(again).toEqual(one);
    expect(two).not.toEqual(one);
  });

  it('--host-mcp-server and --host-mcp-url start a real MCP server', async () => {
    const args = ['--allow-writes', '--settle', '50', '--only', '*hosted-tools*'];
    const without = await reportOf([...args, ...quick]);
    expect(without.report.checks.filter(({ reason }) => reason.includes('--host-mcp-server'))).toHaveLength(2);
    for (const asked of [['--host-mcp-server'], ['--host-mcp-url', 'http://127.0.0.1:45871/']]) {
      const { report } = await reportOf([...args, ...asked]);
      expect(
        report.checks.filter(({ outcome, setting }) => outcome === 'unverified' && setting === '--host-mcp-url'),
      ).toHaveLength(2);
    }
  });

  it('--json, --report and --report-dir write files, each as a whole', async () => {
    const place = at('reports/deep');
    const { stdout } = await conformance([
      ...quick,
      '--report',
      'junit,html',
      '--report',
      'markdown',
      '--report-dir',
      place,
      '--json',
      join(place, 'own.json'),
    ]);
    expect(readdirSync(place).sort()).toEqual([
      'conformance.html',
      'conformance.junit.xml',
      'conformance.md',
      'own.json',
    ]);
    for (const name of readdirSync(place)) expect(stdout).toContain(join(place, name));
    expect(parseReport(readFileSync(join(place, 'own.json'), 'utf8'), 'own.json').verdict).toBe('undetermined');
  });

  it('the summary of a CI job is appended to', async () => {
    const summary = write('summary.md', '# Before\n');
    await conformance(quick, { ...reading, GITHUB_STEP_SUMMARY: summary });
    expect(readFileSync(summary, 'utf8')).toMatch(/^# Before\n[\s\S]*undetermined/);
  });

  it('--observe writes a profile that the mock takes', async () => {
    const file = at('profile.yaml');
    const odd = await createMock({ set: { errorBody: 'nested', defaultLimit: 10 } });
    await conformance(['-u', odd.url, ...quick, '--observe', file], keys);
    await odd.close();
    const target = await createMock({ profile: file });
    await target.close();
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({ errorBody: 'nested' });
    expect(target.profile.errorBody).toBe('nested');
  });

  it('--no-observe leaves out what the specification leaves open', async () => {
    const [whole, without] = [await reportOf([]), await reportOf(['--no-observe'])];
    expect(Object.keys(whole.report.observed)).toContain('errorBody');
    expect(without.report.observed).toEqual({});
  });

  it('a flag wins over the environment, which wins over the file', async () => {
    const config = write('seeds.yaml', `baseUrl: ${url}\nrandomSeed: 3\nmaxRequests: 33\nsettleMs: 333\n`);
    const environment = { ...keys, AGENT_PLATFORM_RANDOM_SEED: '2', AGENT_PLATFORM_CONFIG: config };
    const seed = async (args: string[], more = environment) =>
      (await reportOf([...quick, ...args], more)).report.run.randomSeed;
    expect(await seed([])).toBe(2);
    expect(await seed(['--random-seed', '1'])).toBe(1);
    expect(await seed([], { ...environment, AGENT_PLATFORM_RANDOM_SEED: '' })).toBe(3);
  });

  it('every option has a test here', () => {
    const text = readFileSync(import.meta.filename, 'utf8');
    expect(conformanceOptions.map(({ name }) => `--${name}`).filter((flag) => !text.includes(flag))).toEqual([]);
  });
});

describe('on a terminal', () => {
  const interactive = (args: string[], environment: Record<string, string> = reading) =>
    runInProcess(['conformance', ...args], environment, { isInteractive: true });

  it('one line shows how far it is, and is gone at the end; elsewhere there is none', async () => {
    const { stdout } = await interactive(quick);
    expect(stdout).toMatch(/\r1 of 2: \S+ +\r2 of 2: \S+ +\r {78}\r/);
    expect((await conformance(quick)).stdout).not.toContain('\r');
  });

  it('there is colour, but with --no-color and NO_COLOR', async () => {
    const colour = '\u001b[';
    expect((await interactive(quick)).stdout).toContain(colour);
    expect((await interactive([...quick, '--no-color'])).stdout).not.toContain(colour);
    expect((await interactive(quick, { ...reading, NO_COLOR: '1' })).stdout).not.toContain(colour);
    expect((await interactive(['doctor', '--no-color'])).stdout).not.toContain(colour);
    expect((await conformance(quick)).stdout).not.toContain(colour);
  });
});

/** A mock that answers every request a little late, and says when it was asked to move something. */
async function lateMock() {
  const { promise: moved, resolve } = Promise.withResolvers<void>();
  const front = await startFront(url, async (request, response, forward) => {
    await setTimeout(5);
    const { status, headers, body } = await forward();
    response.writeHead(status, headers).end(body);
    if (request.method === 'PATCH') resolve();
  });
  return { front, moved };
}

describe('a signal during a run', () => {
  const pathsNow = () => [...takeSnapshot(mock).files];

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s has files moved back, and the receipt and the report written',
    async (signal) => {
      const before = pathsNow();
      const { front, moved } = await lateMock();
      const file = at(`${signal}.json`);
      const running = startCommand([
        'conformance',
        '-u',
        front.baseUrl,
        '--config',
        demo,
        '--json',
        file,
        '--skip',
        'deleteDriveTree.*',
      ]);
      await Promise.race([moved, running.ended]);
      running.kill(signal);
      const { code, stdout, stderr } = await running.ended;
      await front.close();
      expect(stderr).toMatch(/^Stopping: files are moved back\./);
      expect(stdout).toMatch(/Left behind on the target \(\d+\)[\s\S]*The suite broke off: stopped before its end/);
      expect(code).toBe(2);
      expect(pathsNow()).toEqual(before);
      expect(parseReport(readFileSync(file, 'utf8'), file).run.suiteError).toBe('stopped before its end');
    },
  );

  it('a second one ends it at once', async () => {
    const server = await degenerateServers.find(({ id }) => id === 'never-answers')?.start();
    const running = startCommand(['conformance', '-u', server?.baseUrl ?? ''], keys);
    for (let tries = 0; tries < 500 && !running.stdout().includes('This run'); tries++) await setTimeout(20);
    running.kill('SIGINT');
    await setTimeout(100);
    running.kill('SIGINT');
    expect((await running.ended).code).toBeNull();
    await server?.close();
  });
});

describe('when a report cannot be written in the end', () => {
  it('the receipt is told all the same, nothing half-written stays, and the exit code is 2', async () => {
    const place = at('vanishing');
    mkdirSync(place);
    const { code, stdout, stderr } = await runCommand(
      ['conformance', '--allow-writes', '--only', 'createDrive.is-served', '--report', 'junit', '--report-dir', place],
      {
        ...reading,
        BREAK_SUITE: 'report',
        NODE_OPTIONS: `--import=${new URL('./support/broken-suite.ts', import.meta.url)}`,
      },
    );
    expect(stdout).toMatch(/Left behind on the target \(2\)/);
    expect(stderr).toMatch(/conformance\.junit\.xml cannot be written: broken on purpose/);
    expect(readdirSync(place)).toEqual([]);
    expect(code).toBe(2);
  });
});

describe('a key', () => {
  const secret = `sk-${crypto.randomUUID()}`;
  const gateway = `gw-${crypto.randomUUID()}`;
  const others = { AGENT_PLATFORM_OTHER_API_KEY: `${secret}-other`, AGENT_PLATFORM_HEADER: `X-Gateway: ${gateway}` };
  const environment = { AGENT_PLATFORM_API_KEY: secret, ...others };
  const everywhere = (name: string) => [
    '--json',
    at(`${name}.json`),
    '--report',
    'junit,html,markdown',
    '--report-dir',
    at(name),
    '--observe',
    at(`${name}.yaml`),
  ];

  /** Everything that a run said and wrote. */
  async function traces(name: string, args: readonly string[], more: Record<string, string> = {}): Promise<string> {
    const summary = { GITHUB_STEP_SUMMARY: at(`${name}-summary.md`) };
    const { stdout, stderr } = await runCommand(['conformance', ...args, ...everywhere(name)], {
      ...environment,
      ...summary,
      ...more,
    });
    const files = [...readdirSync(folder, { recursive: true, withFileTypes: true })].filter((entry) => entry.isFile());
    return [stdout, stderr, ...files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))].join(
      '\n',
    );
  }

  function expectNoSecret(text: string): void {
    expect(text.length).toBeGreaterThan(500);
    for (const part of [secret, secret.slice(0, -1), gateway, Buffer.from(secret).toString('base64').slice(0, 20)]) {
      expect(text.toLowerCase().includes(part.toLowerCase())).toBe(false);
    }
  }

  const breaking = (place: string) => ({
    BREAK_SUITE: place,
    NODE_OPTIONS: `--import=${new URL('./support/broken-suite.ts', import.meta.url)}`,
  });

  it('is in nothing that is said or written of a target that echoes everything', async () => {
    const server = await degenerateServers.find(({ id }) => id === 'echo')?.start();
    expectNoSecret(await traces('echo', ['-u', server?.baseUrl ?? '', '--allow-writes', '--settle', '20']));
    await server?.close();
  });

  it('is in no error of the suite, wherever it comes from', async () => {
    const target = await createMock({
      seed: {
        organizations: [
          { name: 'A', keys: [secret] },
          { name: 'B', keys: [`${secret}-other`] },
        ],
      },
    });
    const args = ['-u', target.url, '--allow-writes', '--only', 'createDrive.is-served', '--only', 'listAgents.*'];
    for (const place of ['check', 'start', 'report']) {
      const text = await traces(place, args, breaking(place));
      expect(text).toMatch(/broken on purpose, with <API_KEY>/);
      expectNoSecret(text);
    }
    await target.close();
  });

  it('is in no complaint about a command line or a config', async () => {
    const config = write('with-key.json', { apiKey: secret, otherApiKey: secret, baseUrl: `http://u:${secret}@x` });
    const malformed = write('malformed.yaml', `apiKey: ${secret}: ${secret}\n`);
    rmSync(at('echo'), { recursive: true, force: true });
    for (const args of [
      ['--api-key', secret, '--api-key', secret],
      ['--api-key', secret, secret],
      ['--other-api-key', secret, '--timeout', secret],
      ['-u', `http://${secret}@example.com`],
      ['--header', `${gateway}`],
      ['--config', config],
      ['--config', malformed],
      ['--explain', secret],
      ['doctor', '-u', `http://127.0.0.1:1/${secret}`],
      ['compare', secret, secret],
      [secret],
    ]) {
      const { code, stdout, stderr } = await conformance(args, environment);
      expect(code).toBe(2);
      expect(stderr).not.toBe('');
      expect(`${stdout}${stderr}`.toLowerCase()).not.toContain(secret);
      expect(stderr).not.toContain(gateway);
    }
    rmSync(config);
    rmSync(malformed);
  });

  it('of a crash is hidden as well, and what was left behind is told', async () => {
    const target = await createMock({ seed: { organizations: [{ name: 'A', keys: [secret] }] } });
    const front = await startFront(target.url, async (_, response, forward) => {
      await setTimeout(40);
      const { status, headers, body } = await forward();
      response.writeHead(status, headers).end(body);
    });
    const { code, stdout, stderr } = await runCommand(
      ['conformance', '-u', front.baseUrl, '--allow-writes', '--skip', 'list*'],
      { AGENT_PLATFORM_API_KEY: secret, ...breaking('timer') },
    );
    await front.close();
    await target.close();
    expect(stderr).toMatch(
      /^The suite broke off; this says nothing of the target\. Error: broken on purpose, with <API_KEY>/,
    );
    expect(stdout).toMatch(/Left behind on the target/);
    expect(stdout + stderr).not.toContain(secret);
    expect(code).toBe(2);
  });
});

describe('the doctor', () => {
  it('ends with a config that can be pasted', async () => {
    for (const args of [[], ['--config', demo]]) {
      const { stdout } = await conformance(['doctor', ...args]);
      const config = write('pasted.yaml', stdout.slice(stdout.indexOf('# The keys stay in the environment')));
      const { code, report } = await reportOf(['--config', config, ...quick]);
      expect({ code, failed: report.summary.failed }).toEqual({ code: 0, failed: 0 });
    }
  });

  it('has comments in it that make a config once they are filled in', async () => {
    const { stdout } = await conformance(['doctor']);
    const text = stdout.slice(stdout.indexOf('baseUrl: ')).replaceAll(/^# (?=(openPoints|fixtures)| )/gm, '');
    const config = write('filled.yaml', text);
    const { code, stdout: planned } = await conformance(['--config', config, '--dry-run']);
    expect(code).toBe(2);
    const named = write(
      'named.yaml',
      text
        .replace('treePathParameter: "FILL IN"', 'treePathParameter: path')
        .replace(/(disposableFiles:\n.*)FILL IN/, '$1other'),
    );
    expect((await conformance(['--config', named, '--dry-run'])).code).toBe(0);
    expect(planned).toBe('');
  });
});

it('the demo config is what the package shows, and the whole suite passes with it', async () => {
  const { code, report } = await reportOf(['--config', demo, '-u', url], {});
  expect(report.checks.filter(({ outcome }) => !['passed', 'skipped'].includes(outcome))).toEqual([]);
  expect({ code, verdict: report.verdict }).toEqual({ code: 0, verdict: 'conformant' });
  expect(report.summary).toMatchObject({ failed: 0, warned: 0, unverified: 0, skipped: 2 });
  expect(existsSync(demo)).toBe(true);
});
