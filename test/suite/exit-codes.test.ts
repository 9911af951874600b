import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { degenerateServers } from '../../proof/power/degenerate-servers.ts';
import { mutants } from '../../proof/power/mutants/index.ts';
import { startMutant } from '../../proof/power/start-mutant.ts';
import { createMock } from '../../src/index.ts';
import { runCommand } from '../support/command.ts';
import { isFull } from '../support/depth.ts';
import { startDying } from '../support/dying-target.ts';
import { createBench, demo, keys, quick } from '../support/judging.ts';

const { mock, reading, at, write, conformance, reportOf } = await createBench();
const url = mock.url;

describe('the exit code is', () => {
  const broken = (id: string) => mutants.filter((mutant) => mutant.id === id)[0];
  const must = broken('a-new-drive-loses-the-last-character-of-its-name');
  const should = broken('drive-refused-for-its-charset');
  const few = ['name-taken-over', 'charset-accepted', 'is-served'];
  const creating = ['--allow-writes', ...few.flatMap((rule) => ['--only', `createDrive.${rule}`])];

  async function onMutant(mutant: typeof must, args: readonly string[], more: Record<string, string> = {}) {
    const running = await startMutant(mutant ?? {});
    const ended = await runCommand(['conformance', '-u', running.baseUrl, ...args], { ...keys, ...more });
    await running.close();
    return ended;
  }

  it('0 when nothing failed, the headline says how much was enabled, and --no-observe observes nothing', async () => {
    const { code, stdout, stderr, report } = await reportOf(['--no-observe']);
    expect(stdout).toMatch(/\nCONFORMANT in \d+ of \d+ checks; \d+ need --allow-writes; /);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(report.observed).toEqual({});
  });

  it('0 for an expected failure, which is still shown as a failure, 1 once it passes', async () => {
    const expected = [
      '--expected-failures',
      write('known.yaml', '- { check: createDrive.name-taken-over, reason: PLAT-1 }\n'),
    ];
    const failing = await onMutant(must, [...creating, ...expected]);
    expect(failing.stdout).toMatch(
      /createDrive\.name-taken-over failed as expected: PLAT-1[\s\S]*\nFAILED createDrive\.name-taken-over as expected; 2 passed\n$/,
    );
    expect(failing.code).toBe(0);
    const passing = await onMutant({} as typeof must, [...creating, ...expected]);
    expect(passing.stdout).toMatch(/createDrive\.name-taken-over did not fail: remove it from the list/);
    expect(passing.code).toBe(1);
    const skipping = await runCommand(['conformance', ...quick, ...expected], reading);
    expect(skipping.stdout).toMatch(/createDrive\.name-taken-over was not judged/);
    expect(skipping.code).toBe(0);
  });

  it('1 under --strict for a warning and for a check that is not enabled, which JUnit and GitHub see as well', async () => {
    const charset = ['--allow-writes', '--only', 'createDrive.charset-accepted', '--only', 'listDrives.known-drive'];
    const files = (name: string) => ['--report', 'junit', '--report-dir', at(name)];
    const junit = (name: string) => readFileSync(at(`${name}/conformance.junit.xml`), 'utf8');
    const lenient = await onMutant(should, [...charset, ...files('lenient')]);
    expect([lenient.code, lenient.stdout]).toEqual([0, expect.stringMatching(/1 warned/)]);
    expect(junit('lenient')).toMatch(/failures="0" errors="0"/);
    const onGitHub = { GITHUB_ACTIONS: 'true' };
    const { stdout, code } = await onMutant(should, [...charset, '--strict', ...files('strict')], onGitHub);
    expect([code, junit('strict')]).toEqual([1, expect.stringMatching(/failures="2" errors="0"/)]);
    expect(stdout).toMatch(
      /\nexit code 1: 1 check warned \(--strict\); 1 check not enabled by the settings \(--strict\)\n/,
    );
    expect(stdout).toMatch(
      /\n::error title=createDrive\.charset-accepted warned::[\s\S]*\n::error title=not enabled::1 check needs fixtures\.files\n/,
    );
    expect(stdout).not.toMatch(/::warning/);
    const strictly = (...only: string[]) => runCommand(['conformance', '--strict', ...only], reading);
    const disabled = await strictly('--only', 'listDrives.*');
    expect(disabled.stdout).toMatch(
      /\nexit code 1: \d+ checks not enabled by the settings \(--strict\)\nCONFORMANT in /,
    );
    expect([disabled.code, (await strictly(...quick)).code]).toEqual([1, 0]);
  });

  it('2 with a hint when the target is unreachable or refuses every request', async () => {
    for (const [id, hint] of [
      ['refuses-connections', /Nothing is listening there: start the server.*\n {2}GET \S+ {2}X-API-Key: .*\n$/],
      ['always-401', /Check the key/],
      // Waited for, so this one takes its time.
      ...(isFull ? ([['always-503', /It is not ready: wait until it is/]] as const) : []),
    ] as const) {
      const server = await degenerateServers.find((candidate) => candidate.id === id)?.start();
      const args = ['-u', server?.baseUrl ?? ''];
      const judged = await runCommand(['conformance', ...args], keys);
      const doctor = await conformance(['doctor', ...args], keys);
      await server?.close();
      for (const { code, stderr } of [judged, doctor]) {
        expect(stderr).toMatch(hint);
        const each = id === 'refuses-connections' ? '' : '.*\\/drives\\S* {2}X-API-Key';
        expect(stderr).toMatch(new RegExp(`GET http:\\S+\\/agents {2}X-API-Key: .*\\n${each}`));
        expect(code).toBe(2);
      }
    }
  });

  it('0 for --list, --explain, --dry-run and the doctor when they succeed', async () => {
    const seen: string[] = [];
    const target = await createMock({ onExchange: ({ method }) => seen.push(method) });
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
    expect(new Set(seen)).toEqual(new Set(['GET']));
  });

  it('0 for a comparison without new failures, 1 with one, 2 for an invalid report', async () => {
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
    expect(ended[3]?.stderr).toMatch(/none\.json is not a report of a conformance run/);
  });
});

const open = await createMock({ openKeys: true });
afterAll(() => open.close());

const wrong = ['--only', 'listAgents.wrong-*', ...quick];
const failing = ['-u', open.url, ...wrong];
const passing = ['-u', mock.url, ...wrong];
const read = (name: string) => readFileSync(at(name), 'utf8');

describe('--write-expected-failures', () => {
  const listing = (name: string, target: readonly string[], ...more: string[]) =>
    conformance([...target, '--write-expected-failures', at(name), ...more], keys);

  it('writes what failed, says so, and the next run is green', async () => {
    const { code, stdout } = await listing('new.yaml', failing);
    expect(stdout).toMatch(/FAILED listAgents\.wrong-header-key/);
    expect(stdout).toMatch(
      /new\.yaml: 2 expected failures; 2 added, 0 dropped, 0 kept\n {2}added +listAgents\.wrong-b/,
    );
    expect(stdout).toMatch(/\nFAILED .*\n$/);
    expect(parse(read('new.yaml'))).toEqual([
      { check: 'listAgents.wrong-bearer-key', reason: 'to be explained: status 200: the request was accepted' },
      { check: 'listAgents.wrong-header-key', reason: 'to be explained: status 200: the request was accepted' },
    ]);
    expect(code).toBe(0);
    expect((await conformance([...failing, '--expected-failures', at('new.yaml')], keys)).code).toBe(0);
  });

  it('adds warnings under --strict', async () => {
    await listing('strict.yaml', failing, '--strict');
    expect(parse(read('strict.yaml'))).toHaveLength(3);
    expect((await conformance([...failing, '--strict', '--expected-failures', at('strict.yaml')], keys)).code).toBe(0);
  });

  const known = [
    '# Of the gateway team.',
    '- check: listAgents.wrong-header-key # the old gateway',
    '  reason: PLAT-7',
    '  until: 2099-01-01',
    '- { check: listAgents.is-served, reason: PLAT-8 }',
    '- { check: getDriveFile.*, reason: PLAT-9 }',
    '',
  ].join('\n');

  it('keeps reasons, days and comments of what still fails or was not judged, and drops what passes', async () => {
    write('known.yaml', known);
    const { stdout } = await listing('known.yaml', failing);
    expect(stdout).toMatch(
      /3 expected failures; 1 added, 1 dropped, 2 kept\n.*added .*bearer-key\n.*dropped .*is-served\n/,
    );
    // It is removed already.
    expect(stdout).not.toMatch(/did not fail/);
    expect(read('known.yaml')).toBe(
      [
        ...known.split('\n').slice(0, 4),
        '- { check: getDriveFile.*, reason: PLAT-9 }',
        '- check: listAgents.wrong-bearer-key',
        '  reason: "to be explained: status 200: the request was accepted"',
        '',
      ].join('\n'),
    );
  });

  const [first, second] = ['is-served', 'wrong-header-key'].map(
    (rule) => `- check: listAgents.${rule}\n  reason: PLAT-1\n`,
  );
  it.each([
    ['the first', `# Header\n\n# first\n${first}# second\n${second}`, `# Header\n\n# second\n${second}`],
    ['the first of a document', `---\n# Header\n\n# first\n${first}${second}`, `---\n# Header\n${second}`],
    ['a later one', `# second\n${second}\n# Gateway\n\n# first\n${first}`, `# second\n${second}\n# Gateway\n`],
    ['one below a blank line', `${second}\n# Gateway\n\n${first}`, `${second}\n# Gateway\n`],
    ['the only one', `# Header\n\n# first\n${first}`, '# Header\n\n[]\n'],
  ])('drops with an entry only the comment directly above it: %s', async (_, before, after) => {
    write('headed.yaml', before);
    const { stdout } = await listing('headed.yaml', ['-u', mock.url, '--only', 'listAgents.is-served']);
    expect(stdout).toContain('0 added, 1 dropped');
    expect(read('headed.yaml')).toBe(after);
  });

  it('writes below the comments of an empty list', async () => {
    write('headed.yaml', '# Header\n\n[]\n');
    await listing('headed.yaml', failing);
    expect(read('headed.yaml')).toMatch(/^# Header\n\n- check: listAgents\.wrong-bearer-key\n/);
  });

  it('starts from --expected-failures where that is another file, and writes JSON too', async () => {
    write('base.yaml', known);
    const { stdout } = await listing('copy.json', failing, '--expected-failures', at('base.yaml'));
    expect(stdout).toMatch(/1 added, 1 dropped, 2 kept/);
    expect(JSON.parse(read('copy.json'))[0]).toEqual({
      check: 'listAgents.wrong-header-key',
      reason: 'PLAT-7',
      until: '2099-01-01',
    });
    expect(read('base.yaml')).toBe(known);
  });

  it('writes an empty list where nothing fails', async () => {
    write('over.yaml', '- { check: listAgents.is-served, reason: PLAT-8 }\n');
    const { code } = await listing('over.yaml', passing);
    expect([code, parse(read('over.yaml'))]).toEqual([0, []]);
    expect((await conformance([...passing, '--expected-failures', at('over.yaml')], keys)).code).toBe(0);
  });

  it('writes nothing after a run that did not come to its end', async () => {
    const dying = await startDying(mock.url, { death: 'resets', answers: 20, carriesOut: false });
    const args = ['-u', dying.baseUrl, '--settle', '0', '--timeout', '2000', '--only', 'listAgents.*'];
    const { stdout } = await listing('early.yaml', args);
    await dying.close();
    expect(stdout).toMatch(
      /The list of expected failures was not written, because the run did not finish or the target crashed\./,
    );
    expect(existsSync(at('early.yaml'))).toBe(false);
  });
});
