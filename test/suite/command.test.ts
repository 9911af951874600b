import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { allChecks } from '../../conformance/checks/index.ts';
import { parseReport } from '../../conformance/report/parse-report.ts';
import { explain } from '../../conformance/run/plan.ts';
import { createMock } from '../../src/index.ts';
import { hasJustRun, isFull, sampleOf } from '../support/depth.ts';
import { createBench, demo, keys, quick } from '../support/judging.ts';
import { timeLimit } from '../support/time-limit.ts';

const { mock, reading, folder, at, write, conformance, reportOf } = await createBench();
const url = mock.url;

describe.skipIf(hasJustRun)('help', () => {
  it('shows no key; neither do --list, --explain or --dry-run', async () => {
    const environment = { ...reading, AGENT_PLATFORM_HEADER: 'X-Gateway: demo-gateway' };
    for (const args of ['--help', 'doctor --help', '--list', '--explain listAgents.is-served', '--dry-run']) {
      const { stdout, stderr } = await conformance(args.split(' '), environment);
      expect(stdout + stderr).not.toMatch(/demo-/);
    }
  });
});

const known = `-u ${url} --api-key key-a`;
const refused: [args: string, RegExp][] = [
  ['', /no base URL: use --base-url <url>, AGENT_PLATFORM_BASE_URL/],
  [`-u ${url}`, /no API key: use AGENT_PLATFORM_API_KEY/],
  [`--baseurl ${url}`, /no option --baseurl \(did you mean --base-url\?\)\./],
  // Without repeating it.
  ['demo-key', /^Unexpected argument: word 1 after the command \(not shown/],
  ['doctr', /Unknown command after conformance \(did you mean doctor\?\)\./],
  ['--header demo-value', /--header takes 'Name: value'/],
  ['--header A:1 --header a:2', /--header a is given twice\. Leave one of them out/],
  ['--list --explain listAgents.is-served', /--list and --explain contradict/],
  ['--list --dry-run', /--list and --dry-run contradict/],
  ['--explain x --dry-run', /--explain and --dry-run contradict/],
  ['--no-observe --observe x', /--no-observe and --observe contradict/],
  ['--timeout 0', /--timeout must be a whole number from 1 to/],
  ['--only listAgent.is-served', /no check "listAgent.is-served" \(did you mean listAgents.is-served\?\)\./],
  ['--only listAgents.* --skip *', /No check is left to run/],
  ['--config nowhere.json', /nowhere\.json cannot be read/],
  [`${known} --report junit,htm`, /--report takes junit, html, markdown, json \(did you mean html\?\)\./],
  [`${known} --report-dir x`, /--report-dir needs --report with a list of formats/],
  [`${known} --expected-failures nowhere.yaml`, /nowhere\.yaml cannot be read/],
  ['compare a.json', /It takes 2 files: <before.json> <after.json>\. You gave 1\./],
  ['compare a.json b.json', /a\.json cannot be read/],
  ['doctor', /no base URL/],
];

describe.skipIf(hasJustRun)('agent-platform-contract conformance', () => {
  it.each(refused)('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await conformance(args.split(' ').filter(Boolean), {});
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/ {4}at |demo-/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('refuses a bad environment variable by its name', async () => {
    const ended = await conformance([], { AGENT_PLATFORM_TIMEOUT: 'long' });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/AGENT_PLATFORM_TIMEOUT must be a whole/) });
  });

  it('refuses a config with mistakes by line and column, also in a dry run and the doctor', async () => {
    const config = write('wrong.yaml', 'apiKey: demo-key\nallowWrite: true\n');
    for (const more of [[], ['--dry-run'], ['doctor']].map((words) => [...words, '--config', config])) {
      const { code, stderr } = await conformance(more, {});
      expect(stderr).toMatch(/wrong\.yaml:2:\d+ allowWrite is not a known field \(did you mean allowWrites\?\)/);
      expect(code).toBe(2);
    }
  });
});

describe('before a run', () => {
  it('a dry run prints the target, the mode and the planned changes', async () => {
    const whole = (await conformance(['--dry-run', '--config', demo, '-u', url], {})).stdout;
    expect(whole).toMatch(
      /Target {2}http:\/\/127\.0\.0\.1:\d+\/v0\.1\n {2}Keys {4}of two organizations\n {2}Mode {4}read, write and delete/,
    );
    expect(whole).toMatch(
      /^This run will\n {2}create \d+ drives and \d+ MCP servers\n {2}create \d+ drives and \d+ MCP servers in the second organization\n {2}publish 1 revision\n {2}move 2 files and move them back\n {2}delete up to \d+ of 28 disposable files$/m,
    );
    expect(whole).toMatch(/The API cannot undo creations/);
    expect(whole).toMatch(/every file in the 4 drives named in disposableFiles is at risk/);
    expect(whole).toMatch(/Then it walks: up to 240 requests/);
    const still = await conformance(['--dry-run', '--config', demo, '-u', url, '--walk', '0'], {});
    expect(still.stdout).not.toMatch(/Then it walks/);
    const bare = (await conformance(['--dry-run', '--allow-destructive'])).stdout;
    expect(bare).toMatch(/Mode +read only\n/);
    expect(bare).toMatch(/Read-only run/);
  });

  it('files that cannot be written are reported and no request is sent', async () => {
    const seen: string[] = [];
    const target = await createMock({ onExchange: ({ path }) => seen.push(path) });
    const file = write('a-file', '');
    const readOnly = at('read-only');
    mkdirSync(readOnly, { mode: 0o555 });
    const moving = ['--config', demo, '--only', 'updateDriveFile.is-served', '--move-log'];
    const refusals: [args: string[], says?: RegExp][] = [
      [['--json', at('no-folder/report.json')]],
      [['--json', folder]],
      [['--json', join(file, 'report.json')]],
      [['--report', 'html', '--report-dir', join(file, 'reports')]],
      [['--report', 'html', '--report-dir', file]],
      [['--observe', at('no-folder/profile.yaml')]],
      [['--observe', folder]],
      [['--trace', at('no-folder/x.har')]],
      [['--trace', folder]],
      [['--trace', '/dev/null'], / cannot be written: .*\. Choose a different file\./],
      [[...moving, at('no-folder/moves.jsonl')], /moves\.jsonl cannot be written: there is no folder/],
      [[...moving, folder], /The move log .* is a folder\. Name a file in it/],
      [[...moving, join(file, 'moves.jsonl')], /moves\.jsonl cannot be written: ENOTDIR/],
      [[...moving, file], /exists and may hold the moves of an earlier run/],
      ...unlessRoot<[string[]]>([
        [['--json', join(readOnly, 'report.json')]],
        [['--report', 'html', '--report-dir', join(readOnly, 'reports')]],
        [['--observe', join(readOnly, 'profile.yaml')]],
      ]),
    ];
    for (const [args, says = / cannot be written: .*\. Choose a different path\./] of refusals) {
      const { code, stderr } = await conformance(['-u', target.url, ...quick, ...args], keys);
      expect(stderr).toMatch(says);
      expect(stderr).not.toMatch(/SuiteError|\n {4}at /);
      expect(code).toBe(2);
    }
    const summary = { ...keys, GITHUB_STEP_SUMMARY: at('no-folder/summary.md') };
    expect((await conformance(['-u', target.url, ...quick], summary)).code).toBe(2);
    await target.close();
    expect(seen).toEqual([]);
  });

  it('one file for two different reports is refused, the same report twice is not', async () => {
    const report = at('report.html');
    const { code, stderr } = await conformance([...quick, '--json', report, '--observe', report]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/Two reports would be written to the same file, .*html/)]);
    const again = ['--report', 'json', '--report-dir', folder, '--json', at('conformance.json')];
    expect((await conformance([...quick, ...again])).stderr).toBe('');
  });

  it.runIf(existsSync('/proc/self'))('a folder that the system never creates is refused immediately', async () => {
    const commands = [
      ['conformance', '-u', url, '--api-key', 'key-a', '--report', 'junit', '--report-dir', '/proc/x'],
      ['conformance', '-u', url, '--api-key', 'key-a', '--json', '/proc/x/y.json'],
      ['conformance', '-u', url, '--api-key', 'key-a', '--observe', '/proc/x/y.yaml'],
      ['vary', '--report', 'junit', '--report-dir', '/proc/x/y', '--', 'true'],
      ['vary', '--json', '/proc/x/y.json', '--', 'true'],
      ['proxy', '--upstream', url, '--port', '0', '--observe', '/proc/x/y.yaml'],
    ];
    for (const args of sampleOf(commands, 1)) {
      // In a process of its own: an endless loop would also stop this test.
      const { status, stderr } = spawnSync(process.execPath, ['src/cli/main.ts', ...args], {
        encoding: 'utf8',
        timeout: timeLimit(60_000),
      });
      expect(stderr).toMatch(/^\/proc\/x\/.* cannot be written: .*the(re is no)? folder \/proc\/x/);
      expect(status).toBe(2);
    }
  });

  // Windows has no named pipes in its file system.
  it.skipIf(process.platform === 'win32')('a named pipe gets the whole report', async () => {
    const pipe = at('pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
    const read = text(reader.stdout);
    const { code } = await conformance([...quick, '--json', pipe]);
    expect([code, parseReport(await read, pipe).summary.passed]).toEqual([0, 2]);
  });
});

// Root may write everywhere.
function unlessRoot<T>(cases: T[]): T[] {
  return process.getuid?.() === 0 ? [] : cases;
}

describe('the list of checks', () => {
  it('is narrowed by --only and --skip', async () => {
    const only = ['--only', 'listA*.*-key', '--only', 'listAgents.is-served'];
    const { stdout } = await conformance(['--list', ...only, '--skip', '*empty*'], {});
    const ids = stdout.match(/^\S+/gm) ?? [];
    expect(ids).toEqual(expect.arrayContaining(['listAgents.header-key', 'listAgents.is-served']));
    expect(ids.filter((id) => !/^listAgents\.(.*-key|is-served)$/.test(id) || id.includes('empty'))).toEqual([]);
  });

  it('explains a check', async () => {
    const id = 'listAgents.is-served';
    const { code, stdout } = await conformance(['--explain', id], {});
    expect([code, stdout]).toEqual([0, explain(allChecks(), id)]);
  });
});

describe.skipIf(hasJustRun)('the doctor', () => {
  it('prints a config that a run accepts', async () => {
    const { stdout } = await conformance(['doctor']);
    const config = write('pasted.yaml', stdout.slice(stdout.indexOf('# The keys stay in the environment')));
    const { code, report } = await reportOf(['--config', config, ...quick]);
    expect({ code, failed: report.summary.failed }).toEqual({ code: 0, failed: 0 });
  });

  it('prints only what a config lacks, and one line where it lacks nothing', async () => {
    const end = async (...args: string[]) => {
      const { stdout } = await conformance(['doctor', ...args]);
      return stdout.slice(stdout.indexOf('Name only drives')).split('\n').slice(2).join('\n');
    };
    expect(await end('--config', demo)).toBe('Nothing else is missing.\n');
    const given = JSON.parse(readFileSync(demo, 'utf8'));
    delete given.fixtures.agent;
    const file = write('lacking.yaml', stringify(given));
    const lacking = await end('--config', file);
    expect(lacking).toMatch(/^Missing in .*lacking\.yaml\n\n#fixtures:\n {2}# .*agent.*\n {2}#agent:/);
    expect(lacking).not.toMatch(/baseUrl|allow|openPoints|iles:|mcpServer/);
  });

  it('writes the config to a new file, and says how to go on', async () => {
    const file = at('doctored.yaml');
    for (const [given, name] of [
      [['--config', demo], at('given.yaml')],
      [[], file],
    ] as const) {
      const { code, stdout } = await conformance(['doctor', ...given, '--write-config', name]);
      expect(stdout).toMatch(/\b[Rr]un: npm run conformance -- --config /);
      expect([code, stdout]).toEqual([0, expect.stringContaining(` --config ${name}\n`)]);
      expect(stdout).not.toContain('baseUrl:');
      expect((await conformance(['--config', name, ...quick])).code).toBe(0);
    }
    // Before the first request: nothing listens there.
    const gone = ['doctor', '--base-url', 'http://127.0.0.1:9/v0.1'];
    for (const [name, why] of [
      [file, /doctored\.yaml cannot be written: it exists\. Choose/],
      [at('nowhere/x.yaml'), /cannot be written: there is no folder .*nowhere.* Choose a different path\.$/m],
    ] as const) {
      const refused = await conformance([...gone, '--write-config', name]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(why)]);
    }
  });

  it('prints comments that make a valid config without their # and once filled in', async () => {
    const { stdout } = await conformance(['doctor']);
    const text = stdout.slice(stdout.indexOf('baseUrl: ')).replaceAll(/^( *)#(?! )/gm, '$1');
    const unfilled = await conformance(['--config', write('unfilled.yaml', text), '--dry-run']);
    expect([unfilled.code, unfilled.stdout]).toEqual([2, '']);
    expect(unfilled.stderr).toMatch(/:\d+:\d+ openPoints\.treePathParameter is still FILL IN: replace it/);
    expect(unfilled.stderr.match(/is still FILL IN/g)).toHaveLength(text.match(/FILL IN/g)?.length ?? 0);
    let count = 0;
    const filled = write(
      'filled.yaml',
      text.replaceAll('FILL IN', () => `value${++count}`),
    );
    expect((await conformance(['--config', filled, '--dry-run'])).code).toBe(0);
  });
});

it('the suite passes with the demo config', async () => {
  const only = isFull ? [] : ['--only', '*.is-served'];
  const { code, stdout, report } = await reportOf(['--config', demo, '-u', url, ...only], {});
  expect(report.checks.filter(({ outcome }) => !['passed', 'skipped'].includes(outcome))).toEqual([]);
  expect({ code, verdict: report.verdict }).toEqual({ code: 0, verdict: 'conformant' });
  if (!isFull) return;
  expect(Object.keys(report.observed)).toContain('errorBody');
  expect(report.summary).toMatchObject({ failed: 0, warned: 0, inconclusive: 0, 'not-enabled': 0, skipped: 2 });
  expect(stdout).toMatch(/\n0 failed, 0 warned, 0 inconclusive, 0 not enabled, \d+ passed, 2 skipped\n/);
  expect(stdout).toMatch(/\nCONFORMANT in \d+ of \d+ checks; 2 need --host-mcp-server\n/);
});
