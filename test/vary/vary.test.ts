import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { parse } from 'junit2json';
import { describe, expect, it } from 'vitest';
import { toProfileYaml } from '../../conformance/index.ts';
import { runVary } from '../../src/cli/vary.ts';
import { loadOpenPoints } from '../../src/index.ts';
import type { VaryReport } from '../../src/vary/report.ts';
import { byHand } from '../../src/vary/report.ts';
import { createRunner } from '../../src/vary/vary.ts';
import { createClient } from '../support/client.ts';
import { createTerminal, runCommand, startMockHere, startProcess, stopAgain } from '../support/command.ts';
import { isFull } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { isAlive } from '../support/is-alive.ts';
import { run } from '../support/shell.ts';
import { timeLimit } from '../support/time-limit.ts';

const { PATH = '' } = process.env;
const root = join(import.meta.dirname, '../..');
const folder = createFolder('vary');

/** A script that stands for a team's tests: `ask` calls the mock, `fail` turns the run red. */
function script(name: string, text: string): string[] {
  return [process.execPath, folder.write(name, `${prelude}\n${text}\n`)];
}

// Some hundred processes are started: each loads node:http in half the time of fetch.
const prelude = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
const { AGENT_PLATFORM_BASE_URL: url, AGENT_PLATFORM_API_KEY: key } = process.env;
const ask = (method, path, body, own = key) => new Promise((resolve, reject) => {
  const headers = { 'x-api-key': own, 'content-type': 'application/json' };
  const sent = request(url + path, { method, headers, agent: false }, async (answer) => {
    const told = await json(answer).catch(() => undefined);
    resolve({ status: answer.statusCode, type: answer.headers['content-type'], json: told });
  });
  sent.on('error', reject).end(body && JSON.stringify(body));
});
const fail = (words) => { console.error(words); process.exit(1); };`;

const creation = (first = '') =>
  script(
    'creation.mjs',
    `${first}
     const { status } = await ask('POST', '/drives', { name: 'x' });
     console.log('\\u001b[31mthe status\\u001b[0m is', status);
     if (status !== 201) fail('no drive was created');`,
  );

/** Runs `agent-platform-contract vary`, with its report. */
async function vary(args: readonly string[], command: readonly string[], environment: Record<string, string> = {}) {
  const file = folder.at(`report-${Math.random()}.json`);
  const ended = await runCommand(['vary', '--json', file, ...args, '--', ...command], { PATH, ...environment });
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as VaryReport) : undefined;
  return { ...ended, report };
}

/** A profile as `conformance --observe` writes it. */
function learnedProfile(observed: Parameters<typeof toProfileYaml>[0]['observed']): string {
  const run = { baseUrl: 'https://agents.example.com/v0.1', startedAt: '2026-10-01T09:00:00Z' };
  return folder.write('learned.yaml', toProfileYaml({ observed, samples: {}, run }));
}

const reliedOn = (report: VaryReport | undefined) =>
  report?.dependencies.map(({ openPoints }) =>
    openPoints.map((one) => `${one.openPoint} = ${one.reliesOn}`).join(' and '),
  );

describe('agent-platform-contract vary', () => {
  it('reports a dependency with the legal choices, the question to ask and the test output, also as JUnit', async () => {
    const reports = folder.at('reports');
    const { code, stdout, stderr, report } = await vary(
      ['--runs', '1', '--repeat', '1', '--report', 'junit,json', '--report-dir', reports],
      [...creation(`await ask('GET', '/mcp-servers/none/tools');`), `<&"'`],
    );
    expect(code).toBe(1);
    expect(stdout).toContain('drawn from random seed 1 (all open points)');
    const reason =
      'because its other choice is dangerous, and a server must declare it; --only foreignResources=shared tries it.';
    expect(stdout).toContain(`Not varied: foreignResources, ${reason}`);
    expect(stdout).toContain('Your tests rely on successStatus.createDrive = 201; the contract does not promise it.');
    expect(stdout).toMatch(
      /Your tests exercised \d+ of \d+ open points\. They rely on 1, do not rely on \d+, and 1 was not varied\./,
    );
    const point = loadOpenPoints().find(({ id }) => id === 'successStatus.createDrive');
    expect(stdout).toContain(`Ask       ${point?.question}`);
    expect(stdout).toMatch(/Legal {5}201, 200, 202, any integer from 200 to 299 except 204, 205/);
    expect(stdout).toContain('Cost      a wrong guess breaks the client. A client that expects 201 treats');
    expect(stdout).not.toContain('Repair in this order');
    expect(stdout).toMatch(/ {4}\| the status is 2\d\d\n {4}\| no drive was created\n/);
    expect(stderr).toMatch(/^run 1: the base profile: passed \([\d.]+ m?s\)\n/);
    expect(stderr).toMatch(/^a run of your tests takes [\d.]+ m?s; most searches need 10 to 150 runs: .*s to .*s$/m);
    expect(stderr).not.toContain('suspect');
    expect(stderr).toMatch(
      /profile 1 of 1, \d+ of \d+ choices: failed, exit code 1 \([\s\S]*found: your tests fail with successStatus.createDrive=2\d\d\n/,
    );
    expect(reliedOn(report)).toEqual(['successStatus.createDrive = 201']);
    expect(report?.variants.map(({ outcome }) => outcome)).toEqual(['green']);
    expect(report).toMatchObject({ endedBy: 'end', base: { outcome: 'green', runs: 3, red: 0 } });
    expect(report).not.toHaveProperty('flakiness');
    expect(stdout).toContain(`Written: ${join(reports, 'vary.junit.xml')}, ${join(reports, 'vary.json')}`);
    expect(JSON.parse(readFileSync(join(reports, 'vary.json'), 'utf8')).command.at(-1)).toBe(`<&"'`);
    // Valid JUnit with a case for each open point, and the details of each finding.
    const suites = await parse(readFileSync(join(reports, 'vary.junit.xml'), 'utf8'), {});
    const cases = (suites && 'testsuite' in suites ? suites.testsuite?.[0]?.testcase : undefined) ?? [];
    const outcomes = report?.openPoints.map(({ outcome }) => outcome) ?? [];
    const skipped = outcomes.filter((outcome) => outcome === 'notMet' || outcome === 'notVaried').length;
    expect(suites).toMatchObject({ tests: String(outcomes.length + 1), failures: '1', errors: '0' });
    expect(suites).toMatchObject({ skipped: String(skipped) });
    expect(cases.filter(({ failure }) => failure).map(({ name }) => name)).toEqual(['successStatus.createDrive']);
    const [failure] = cases.find(({ name }) => name === 'successStatus.createDrive')?.failure ?? [];
    expect(failure?.message).toBe(
      'Your tests rely on successStatus.createDrive = 201; the contract does not promise it.',
    );
    expect(failure?.inner).toMatch(/Again[\s\S]* '<&"'\\'''\n[\s\S]*\| the status is 2\d\d/);
  });

  it.runIf(isFull)('reports two choices that fail the tests only together', async () => {
    const both = script(
      'both.mjs',
      `const created = await ask('POST', '/drives', { name: 'x' });
       const refused = await ask('GET', '/mcp-servers/none/tools');
       if (created.status !== 201 && refused.type !== 'application/problem+json') fail('both');`,
    );
    const only = ['successStatus.createDrive=200', 'errorBody=nested', 'listOrder=byName'].flatMap((choice) => [
      '--only',
      choice,
    ]);
    const { code, stdout, report } = await vary([...only, '--repeat', '1'], both);
    expect(code).toBe(1);
    expect(reliedOn(report)).toEqual(['successStatus.createDrive = 201 and errorBody = problem']);
    expect(stdout).toContain(
      'Your tests rely on successStatus.createDrive = 201 together with errorBody = problem; the contract promises neither.',
    );
    expect(stdout).toMatch(
      /Failed {4}with successStatus.createDrive = 200 and errorBody = nested together, in 1 of 1 run/,
    );
  });

  it('tries a learned profile without the choices of --set, and says what to repair first, and why', async () => {
    const charset = 'application/json; charset=utf-8';
    const observed = {
      'successStatus.createDrive': 202,
      answerMediaType: charset,
      errorBody: 'list',
      toolsOfNewServer: 'live',
    } as const;
    const learned = learnedProfile(observed);
    const args = ['--learned', learned, '--runs', '0', '--repeat', '1'];
    const tests = script(
      'two.mjs',
      `const { status, type } = await ask('POST', '/drives', { name: 'x' });
       if (status !== 201 || type !== 'application/json') fail('no drive was created');`,
    );
    const { stdout, report } = await vary(args, tests);
    expect(stdout).toContain(`Repair in this order:
  1. answerMediaType = application/json  hidden; a wrong guess is a nuisance; 10 operations
  2. successStatus.createDrive = 201     a wrong guess breaks the client; 2 operations
`);
    expect(stdout).toContain(
      `Impact    hidden: a correct client does not notice it, so this is a bug in the client or in a
            test`,
    );
    expect(stdout).toContain(
      'look up the ids of the demo data, which depend on idFormat. See "Your own tests" in docs/',
    );
    expect(report?.dependencies.map(({ openPoints }) => openPoints[0])).toMatchObject([
      { openPoint: 'answerMediaType', impact: 'hidden', severity: 1, cost: expect.stringContaining('Content-Type') },
      {
        ...{ openPoint: 'successStatus.createDrive', impact: 'visible', severity: 3, redWith: 202 },
        operations: ['createDrive', 'createMcpServer'],
      },
    ]);
    expect(report?.variants).toMatchObject([
      {
        name: `the profile of ${learned}`,
        choices: { 'successStatus.createDrive': 202, answerMediaType: charset, errorBody: 'list' },
        remaining: { errorBody: 'list' },
      },
    ]);
    const fixed = ['--set', 'successStatus.createDrive=201', '--set', 'answerMediaType=application/json'];
    const settled = await vary([...args, ...fixed], tests);
    expect([settled.code, settled.report?.variants[0]?.choices]).toEqual([0, { errorBody: 'list' }]);
  });

  it('finds no dependency in independent tests, with learned profiles first, and lists what was not met or not varied', async () => {
    const choices = { second: 'errorBody: list', first: 'successStatus.createDrive: 202' };
    const learned = Object.entries(choices).map(([name, choice]) => folder.write(`${name}.yaml`, `${choice}\n`));
    const args = ['--runs', '2', '--impact', 'hidden', '--set', 'keyOrder=reversed', '--parallel', '1'];
    const all = [...learned.flatMap((file) => ['--learned', file]), ...args];
    const { code, stdout, stderr, report } = await vary(all, script('nothing.mjs', `await ask('GET', '/agents');`));
    expect(code).toBe(0);
    const tried = [...stderr.matchAll(/^run \d+: ((?:the )?profile (?:of \S+\.yaml|\d of 2))/gm)].map(
      ([, name]) => name,
    );
    expect(tried).toEqual([...learned.map((file) => `the profile of ${file}`), 'profile 1 of 2', 'profile 2 of 2']);
    expect(stdout).toMatch(/No dependency found\. \(4 profiles, \d+ runs, /);
    expect(report?.openPoints.find(({ id }) => id === 'pathConflict')?.outcome).toBe('notMet');
    const varied = report?.variants.flatMap(({ choices }) => Object.keys(choices)) ?? [];
    expect(varied.length).toBeGreaterThan(0);
    expect(varied).not.toContain('keyOrder');
    const keyOrder = { outcome: 'notVaried', notVariedBecause: 'of --set' };
    expect(report?.openPoints.find(({ id }) => id === 'keyOrder')).toMatchObject(keyOrder);
    expect(stdout).toContain('2 at most, drawn from random seed 1 (only hidden open points)');
    expect(stdout).toMatch(/^Not varied: keyOrder, because of --set\.$/m);
    expect(stdout).toMatch(/^Not varied: .*listOrder.*, because of --impact hidden\.$/m);
  });

  it('passes base URL, first key of the seed and the environment to the tests', async () => {
    const telling = script(
      'telling.mjs',
      `const { json: agents } = await ask('GET', '/agents');
       appendFileSync(process.env.TOLD, JSON.stringify([url, key, agents.length, process.env.OF_MINE]) + '\\n');`,
    );
    const told = folder.at('told');
    const environment = {
      TOLD: told,
      OF_MINE: 'kept',
      AGENT_PLATFORM_BASE_URL: 'http://elsewhere',
      AGENT_PLATFORM_RUNS: '1',
    };
    const { code } = await vary(['--seed', join(root, 'examples/seed.yaml')], telling, environment);
    const lines = readFileSync(told, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(lines.length).toBe(4);
    for (const line of lines)
      expect(line).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v0\.1$/), 'workshop-key', 1, 'kept']);
    expect(new Set(lines.map(([url]) => url)).size).toBe(4);
  });

  const ofTheirOwn = /sent no request to the mock.*\n"Your own tests" in docs\//;
  it.each<[string, RegExp, RegExp]>([
    [`fail('the login is broken');`, ofTheirOwn, /already fail .*, in 3 of 3 runs[\s\S]*\| the login is broken/],
    [
      `await ask('GET', '/agents'); fail('six drives');`,
      /If they pass without vary, test files may disturb each other: all use one mock and one key/,
      /^(?![\s\S]*(?:sent no request|401))/,
    ],
    [
      `await ask('GET', '/agents', undefined, 'made-up'); fail('no agents');`,
      /^1 of 1 request got a 401: [\s\S]*AGENT_PLATFORM_API_KEY, or, .* start vary with --open-keys/m,
      /^(?![\s\S]*disturb)/,
    ],
  ])('exits with 2 and says what may be wrong when the tests fail with the base profile: %s', async (text, ...said) => {
    const { code, stdout, stderr, report } = await vary([], script('red.mjs', text));
    expect(code).toBe(2);
    for (const words of said) expect(stderr).toMatch(words);
    expect(stdout).not.toContain('rely');
    expect(report).toMatchObject({ base: { outcome: 'red' }, dependencies: [], variants: [] });
  });

  it('says that an option of its own went to the tests', async () => {
    const red = script('red.mjs', `await ask('GET', '/agents'); fail('unknown option');`);
    const { code, stderr } = await vary([], [...red, '--impact', 'hidden']);
    const why = '--impact is an option of vary, but it went to your tests. Put it before --; if npm';
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  it.runIf(isFull)('reports flaky tests with counts and no dependency, and fails only with --strict', async () => {
    // Every third run is red, in whichever variant it is.
    const counter = folder.write('counter', '0');
    const flaky = script(
      'flaky.mjs',
      `await ask('GET', '/agents');
       const file = ${JSON.stringify(counter)};
       const count = Number(readFileSync(file, 'utf8')) + 1;
       writeFileSync(file, String(count));
       if (count % 3 === 0) fail('the spinner still turns');`,
    );
    const { code, stdout, report } = await vary(['--runs', '1'], flaky);
    expect(code).toBe(0);
    expect(report?.dependencies).toEqual([]);
    expect(report?.flakiness).toMatchObject({ runs: 4, red: 1, output: 'the spinner still turns' });
    expect(stdout).toMatch(/Your tests are flaky: 1 of 4 runs failed[\s\S]*Base {6}1 of 3 runs failed/);
    folder.write('counter', '0');
    expect((await vary(['--runs', '1', '--strict'], flaky)).code).toBe(1);
  });

  it('lists unfinished profiles when --max-runs is reached', async () => {
    const { code, stdout, stderr, report } = await vary(['--max-runs', '5', '--runs', '1'], [...creation(), 'a b']);
    expect(stdout).toMatch(/ {2}Command .* 'a b'\n/);
    expect(stderr).toMatch(/; the search has at most 5 runs: [\d.]+ m?s$/m);
    expect(stdout).toContain('Your tests fail with profile 1 of 1, in 1 of 1 run. The search ended earlier.');
    expect(stdout).toContain('--max-runs 5 was reached. Not finished: profile 1 of 1.');
    expect([code, report?.endedBy, report?.runs]).toEqual([1, 'maxRuns', 5]);
  });
});

// Three runs are for the base profile.
it.each([
  [1, 2, 'Nothing is known: the search ended before any profile was tried.'],
  [3, 2, 'Nothing is known: the search ended before any profile was tried.'],
  [4, 0, 'Not finished; no dependency found so far.'],
])('--max-runs %i ends a search without a finding with %i', async (most, exitCode, says) => {
  const { code, stdout } = await vary(['--max-runs', String(most)], script('asks.mjs', `await ask('GET', '/agents');`));
  expect(stdout).toContain(says);
  expect(stdout).toContain(`--max-runs ${most} was reached`);
  expect(code).toBe(exitCode);
});

describe('output of vary', () => {
  it('has commands that reproduce a finding with the tests and by hand', async () => {
    const quoting = script(
      `it's.mjs`,
      `if ((await ask('POST', '/drives', { name: 'x' })).status !== 201) fail('no drive');`,
    );
    const learned = folder.write('moved.yaml', 'successStatus.createDrive: 202\n');
    const clock = ['--clock', '2026-10-01T09:00:00Z'];
    const args = ['--runs', '0', '--repeat', '1', '--learned', learned, '--set', 'listOrder=byName', ...clock];
    const { report, stdout } = await vary(args, quoting);
    const { again = '', mock: byHand = '' } = report?.dependencies[0] ?? {};
    const pasted = await run('sh', ['-c', again], { cwd: root });
    expect(pasted).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('rely on successStatus.createDrive = 201;'),
    });
    const mock = await startMockHere(byHand.split(' ').slice(3));
    const { status, body } = await createClient(mock.url, 'demo-key')('POST', '/drives', { json: { name: 'x' } });
    const [printed = ''] = /^ {2}AGENT_PLATFORM_BASE_URL=.*$/m.exec(stdout) ?? [];
    const line = printed.replace('http://127.0.0.1:4010/v0.1', mock.url);
    const tested = await run('sh', ['-c', line], { cwd: root });
    await mock.stop();
    expect(tested).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no drive') });
    expect([status, body.createdAt]).toEqual([202, '2026-10-01T09:00:00.000Z']);
  });

  it('shows how to run the tests by hand, without the keys of a seed file', () => {
    const { signal } = new AbortController();
    const options = { command: ['npm', 'run', 'my tests'], environment: {}, tool: 'vary/1', signal };
    const [url, key] = ['AGENT_PLATFORM_BASE_URL=http://127.0.0.1:4010/v0.1', 'AGENT_PLATFORM_API_KEY='];
    expect(byHand(options, 'linux')).toBe(`${url} ${key}demo-key npm run 'my tests'`);
    expect(byHand(options, 'win32')).toBe(`set "${url}" && set "${key}demo-key" && npm run 'my tests'`);
    const seeded = byHand({ ...options, seed: 'our seed.yaml' }, 'linux');
    expect(seeded).toBe(`${url} ${key}'<the first key of our seed.yaml>' npm run 'my tests'`);
  });
});

describe('agent-platform-contract vary refuses', () => {
  const range = '--only successStatus.createDrive=200';
  it.each<[string, args: string, RegExp]>([
    ['no command', '', /Put the command that runs your tests after --: npm run vary -- \[options\] -- npm test/],
    ['an empty command', '--', /after --: npm run vary/],
    ['a command without --', 'npm test', /after --: npm run vary/],
    ['arguments before --', 'npm -- true', /Unexpected argument "npm"/],
    ['a missing program', '-- no-such x', /Cannot start no-such: no such program\. The command after --/],
    ['a program that is not executable', `-- ${root}`, /Cannot start .*: permission denied/],
    ['an unknown open point', '--only successStat=1 -- true', /--only successStat=1: .*did you mean successStatus\?/],
    [
      'two choices in --set',
      '--set successStatus.createDrive=200 --set successStatus.createDrive=202 -- true',
      /--set successStatus.createDrive is given twice: 200 and 202/,
    ],
    [
      'two choices in --only',
      `${range} --only successStatus.createDrive=202 -- true`,
      /--only successStatus.createDrive is given twice: 200 and 202/,
    ],
    [
      'a choice of the base profile',
      '--only successStatus.createDrive=201 -- true',
      /--only names choices that the base profile already has/,
    ],
    [
      'a choice fixed by --set',
      `${range} --set successStatus.createDrive=201 -- true`,
      /successStatus.createDrive is in --set and in --only/,
    ],
    ['--only with --learned', `${range} --learned x.yaml -- true`, /Remove --learned/],
    ['no profile to try', '--runs 0 -- true', /There is no profile to try/],
    ['a missing learned profile', '--learned nowhere.yaml -- true', /nowhere\.yaml cannot be read/],
    ['a missing seed file', '--seed nowhere.yaml -- true', /nowhere\.yaml cannot be read/],
    ['an invalid clock', '--clock noon -- true', /ISO date-time/],
    ['an unknown report format', '--report junti -- true', /--report takes junit, json \(did you mean junit\?\)\./],
    ['a file that cannot be written', '--json nowhere/x.json -- true', /there is no folder nowhere/],
  ])('%s', async (_, args, message) => {
    const { code, stderr } = await runCommand(['vary', ...args.split(' ').filter(Boolean)], { PATH });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/ {4}at /);
    expect(code).toBe(2);
  });

  it('an empty program', async () => {
    const { code, stderr } = await runCommand(['vary', '--', ''], { PATH });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/after --: npm run vary/)]);
  });

  it.each(['--help', '--version'])('tests that never call the mock, and leaves %s after -- to them', async (flag) => {
    const { code, stdout, stderr } = await runCommand(['vary', '--', process.execPath, flag], { PATH });
    expect(stderr).toMatch(
      /pass without a single request to the mock.*AGENT_PLATFORM_BASE_URL.*"Your own tests" in docs\//,
    );
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^Agent Platform vary[\\s\\S]*node ${flag}\n`)),
    ]);
  });
});

describe('vary on a terminal', () => {
  it('updates one progress line, and keeps findings in colour', async () => {
    const written: string[] = [];
    const terminal = createTerminal({
      environment: { PATH },
      isInteractive: true,
      write: (text) => void written.push(text),
      complain: (text) => expect.unreachable(text),
    });
    await runVary(['--only', 'successStatus.createDrive=200', '--repeat', '1', '--', ...creation()], terminal);
    const plain = written.map(stripVTControlCharacters);
    const renewed = plain.filter((text) => text.startsWith('\r'));
    expect(renewed.map((text) => text.trim())).toEqual([
      'run 1: the base profile …',
      expect.stringMatching(/^run 1: the base profile: passed \([\d.]+ m?s\)$/),
      expect.stringMatching(/^run 2: the base profile: passed/),
      expect.stringMatching(/^run 3: the base profile: passed/),
      '',
      expect.stringMatching(/^run 4: the profile of --only: failed/),
      '',
      '',
    ]);
    for (const text of renewed) expect(text.replaceAll('\r', '')).toHaveLength(78);
    expect(plain).toContainEqual(expect.stringMatching(/^ {2}a run of your tests takes [\d.]+ m?s\n$/));
    expect(plain).toContain('  found: your tests fail with successStatus.createDrive=200\n');
    expect(written.join('')).toContain('\u001b[31mYour tests rely on successStatus.createDrive = 201;');
  });
});

describe('test processes', () => {
  function runnerOf(command: readonly string[], timeoutMs = 60_000) {
    return createRunner({ command, environment: { PATH }, timeoutMs, mock: {}, signal: new AbortController().signal });
  }

  it('are red when stopped after the time limit, or killed by a signal', async () => {
    const endless = runnerOf(script('endless.mjs', 'setInterval(() => undefined, 1000);'), 50);
    expect(await endless({})).toMatchObject({
      isRed: true,
      ending: 'stopped after 50 ms, the time limit; raise it with --timeout',
    });
    const killed = runnerOf(['sh', '-c', 'echo so far; kill -9 $$']);
    const ended = { isRed: true, ending: 'ended by SIGKILL', output: 'so far', requests: 0 };
    expect(await killed({})).toMatchObject(ended);
  });

  it('show the last 30 lines of their output without control characters if no test failed', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
    const text = `process.stdout.write(${JSON.stringify(`${lines}\r\n\u001b[1mbold\u001b[0m\u0007 \u202etricky\n\n`)});`;
    const carryOut = runnerOf(script('talkative.mjs', text));
    const { isRed, output } = await carryOut({ 'successStatus.createDrive': 200 });
    expect(isRed).toBe(false);
    expect(output.split('\n')).toHaveLength(30);
    expect(output).toMatch(/^line 71\n[\s\S]*line 99\nbold tricky$/);
  });

  it.each([
    ['Vitest', ' ❯ a.test.js', '   × finds the id 5ms', ' FAIL  a.test.js > finds the id'],
    ['node:test', '✔ fine (1ms)', '✖ finds the id (1ms)', '  AssertionError [ERR_ASSERTION]: no match {'],
    ['Jest', 'PASS ./b.test.js', 'FAIL ./a.test.js', '  ● finds the id'],
    ['Playwright', 'Running 2 tests', '  1) a.spec.ts:3:1 › finds the id ────', '    Error: no match'],
  ])('show their output from the first failure that %s names, with one stack frame', async (_, before, ...failure) => {
    const frames = [
      '    at one (file:///a.js:1:2)',
      '    at async two (node:internal/x:3:4) {',
      '    at three (b.js:5:6)',
    ];
    const rest = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    const lines = [before, 'another line', ...failure, ...frames, ...rest].join('\n');
    const { output } = await runnerOf(script('failing.mjs', `process.stdout.write(${JSON.stringify(lines)});`))({
      'successStatus.createDrive': 200,
    });
    expect(output).toBe([...failure, frames[0], ...rest.slice(0, 27), '… (13 more lines)'].join('\n'));
  });

  const pidIn = (file: string) => Number(readFileSync(file, 'utf8'));

  it('end on Ctrl+C with their children, even when they ignore SIGTERM, and findings are printed', async () => {
    const [own, other] = [folder.at('own.pid'), folder.at('other.pid')];
    const stubborn = script(
      'stubborn.mjs',
      `import { spawn } from 'node:child_process';
       const { status } = await ask('POST', '/drives', { name: 'x' });
       const { type } = await ask('GET', '/agents');
       if (status !== 201) fail('no drive');
       if (type !== 'application/json') {
         process.on('SIGTERM', () => undefined);
         const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
         writeFileSync(${JSON.stringify(other)}, String(child.pid));
         writeFileSync(${JSON.stringify(own)}, String(process.pid));
         setInterval(() => undefined, 1000);
       }`,
    );
    const first = folder.write('first.yaml', 'successStatus.createDrive: 200\n');
    const second = folder.write('second.yaml', 'answerMediaType: application/json; charset=utf-8\n');
    const args = ['--repeat', '1', '--runs', '0', '--learned', first, '--learned', second, '--', ...stubborn];
    const command = startProcess(['vary', ...args]);
    await expect.poll(() => existsSync(own), { timeout: timeLimit(60_000) }).toBe(true);
    void command.stop('SIGINT');
    const { code, stdout, stderr } = await command.ended;
    expect(stderr).toContain('Stopping: ending the current test run.');
    expect(stdout).toContain('Your tests rely on successStatus.createDrive = 201;');
    expect(stdout).toContain(`vary was stopped. Not finished: the profile of ${second}.`);
    expect(code).toBe(1);
    expect([isAlive(process.pid), isAlive(pidIn(own)), isAlive(pidIn(other))]).toEqual([true, false, false]);
  });

  it('are killed at once by a second Ctrl+C', async () => {
    const [own, other] = [folder.at('killed.pid'), folder.at('also-killed.pid')];
    const stubborn = `trap '' INT TERM; sh -c 'echo $$ > "${other}"; sleep 1000' & echo $$ > '${own}'; wait; sleep 1000`;
    const command = startProcess(['vary', '--', 'sh', '-c', stubborn]);
    await expect.poll(() => existsSync(own) && existsSync(other), { timeout: timeLimit(60_000) }).toBe(true);
    expect((await stopAgain(command)).code).toBe(130);
    await expect.poll(() => [isAlive(pidIn(own)), isAlive(pidIn(other))]).toEqual([false, false]);
  });

  it('leave no background processes running', async () => {
    const left = folder.at('left.pid');
    const carryOut = runnerOf(['sh', '-c', `sleep 1000 > /dev/null 2>&1 & echo $! > '${left}'`]);
    const { isRed } = await carryOut({ 'successStatus.createDrive': 200 });
    expect([isRed, isAlive(pidIn(left))]).toEqual([false, false]);
  });
});
