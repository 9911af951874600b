import { createServer } from 'node:net';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Option } from '../../lib/options.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import { commands } from '../../src/cli/commands.ts';
import { environmentName } from '../../src/cli/read-options.ts';
import { createClient } from '../support/client.ts';
import { runCommand, serve, startMock, transcriptOf } from '../support/command.ts';
import { createFolder } from '../support/folder.ts';
import { now, tinySeed } from '../support/tiny-seed.ts';

const { write } = createFolder('cli');

const serveMock = (args: string[], environment: Record<string, string> = {}) =>
  serve(['mock', '--port', '0', ...args], environment);

const unwrapped = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('agent-platform-contract', () => {
  it('takes help before a command for --help after it', async () => {
    for (const { name } of commands) {
      expect(await runCommand(['help', ...name.split(' ')])).toEqual(await runCommand([...name.split(' '), '--help']));
    }
    expect((await runCommand(['help', 'mokc'])).stderr).toContain('There is no command "mokc" (did you mean mock?).');
  });

  it.each([[[]], [['--help']], [['-h']], [['help']]])('lists the commands for %j', async (args) => {
    const { code, stdout } = await runCommand(args);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: npx node src/cli/main.ts <command> [options]');
    for (const { name, summary } of commands) expect(unwrapped(stdout)).toContain(`${name} ${summary.split('. ')[0]}`);
  });

  it('prints its version, also after a command', async () => {
    const told = { code: 0, stdout: '0.1.0\n', stderr: '' };
    expect(await runCommand(['--version'])).toEqual(told);
    for (const { name } of commands)
      for (const args of [['--version'], ['-V'], ['--no-color', '--version']])
        expect(await runCommand([...name.split(' '), ...args])).toEqual(told);
    expect((await runCommand([])).stdout).toContain('--version prints the version, also after a command.');
  });

  it.each(commands)('$name --help fits one screen and shows usage, common options and examples', async (command) => {
    const { name, options, examples } = command;
    const { code, stdout } = await runCommand([...name.split(' '), '--help']);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(40);
    expect(lines[0]).toMatch(new RegExp(`^Usage: ${shownCommand(name)}.* \\[options\\]`));
    const flags = stdout.match(/(?<=^ {2}(-\w, )?)--[\w-]+/gm);
    const common = Object.values<Option>(options).filter(({ isCommon }) => isCommon);
    expect(flags?.sort()).toEqual(common.map((option) => `--${option.name}`).sort());
    for (const words of examples) expect(lines).toContain(`  ${shownCommand(name, words)}`);
    expect(lines.at(-1)).toContain(`${shownCommand(name, ['--help', 'all'])}`);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it.each(commands)('$name --help all shows each option with its default, and the exit codes', async (command) => {
    const { code, stdout } = await runCommand([...command.name.split(' '), '--help', 'all']);
    expect(code).toBe(0);
    const shown = unwrapped(stdout);
    for (const option of Object.values<Option>(command.options)) {
      expect(shown).toContain(`--${option.name}`);
      expect(shown).toContain(option.help.replaceAll(/\s+/g, ' '));
      const usual = option.defaultText ?? option.default;
      if (usual !== undefined) expect(shown).toContain(`default: ${usual})`);
    }
    const [first] = Object.values<Option>(command.options);
    expect(shown).toContain(
      `Every option has an environment variable, such as ${first && environmentName(first)} for --${first?.name}.`,
    );
    expect(shown).toContain(`Exit codes: ${command.exitCodes.join(' ')}`);
    expect(stdout.split('\n').filter((line) => line.length > 80 && !line.startsWith('Usage'))).toEqual([]);
  });

  const fileOptions = commands.flatMap(({ name, options }) =>
    Object.values<Option>(options).flatMap((option) =>
      option.kind === 'file' ? [[name, `--${option.name}`] as const] : [],
    ),
  );

  it.each(fileOptions)('%s %s - is no file named -, and the message says what to write', async (name, option) => {
    const { code, stdout, stderr } = await runCommand([...name.split(' '), option, '-', '--', 'true']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${option} - does not name a file. Standard input is /dev/stdin, standard output is`);
  });

  it.each(['conformance restore -', 'conformance compare - -'])('%s says how to name standard input', async (line) => {
    const { code, stderr } = await runCommand(line.split(' '));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('- does not name a file. Standard input is /dev/stdin.'),
    ]);
  });

  it('names an option group for each option', () => {
    const alone = commands.flatMap(({ name, options }) =>
      Object.values<Option>(options).flatMap((option) =>
        option.group === undefined ? `${name} --${option.name}` : [],
      ),
    );
    expect(alone).toEqual([]);
  });
});

describe('an error', () => {
  it('shows what a file holds without its escape sequences, on the command line and in the log', async () => {
    const seed = write('hostile.json', JSON.stringify({ organizations: [], '\u001b[2J\u202e': 1 }));
    for (const args of [['mock'], ['proxy', '--upstream', 'http://127.0.0.1:1', '--profile', seed]]) {
      const { code, stderr } = await runCommand([...args, ...(args.includes(seed) ? [] : ['--seed', seed])]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('[U+001B][2J[U+202E]')]);
      expect(stderr).not.toContain('\u001b');
    }
  });
});

const refused: [string, string[], RegExp][] = [
  ['an unknown command', ['mok'], /no command "mok".*did you mean mock\?/],
  ['a flag before the command', ['--port', '1'], /command comes first/],
  ['an open point as a flag', ['mock', '--cors', 'any'], /no option --cors: cors is an open point\. Write --set cors=/],
  ['an unknown flag', ['mock', '--prot', '1'], /no option --prot.*did you mean --port\?/],
  ['a flag without its value', ['mock', '--port'], /--port needs a value: --port <number>/],
  ['a flag in place of a value', ['mock', '--seed', '--no-admin'], /--seed needs a value/],
  ['an empty value, as of a variable that is not set', ['mock', '--seed', ''], /--seed needs a value: --seed <file>/],
  ['a value for a switch', ['mock', '--no-admin=yes'], /--no-admin takes no value/],
  ['a flag given twice', ['mock', '--port', '1', '--port', '2'], /--port is given twice/],
  [
    'two choices for one open point',
    ['mock', '--set', 'successStatus.createDrive=200', '--set', 'successStatus.createDrive=202'],
    /--set successStatus.createDrive is given twice: 200 and 202\. Leave one of them out\./,
  ],
  [
    'the same choice twice',
    [
      'mock',
      '--set',
      'successStatus.createDrive=200',
      '--set',
      'errorBody=message',
      '--set',
      'successStatus.createDrive=200',
    ],
    /--set successStatus.createDrive is given twice: 200 and 200\./,
  ],
  [
    'an unexpected argument',
    ['mock', 'now'],
    /^Unexpected argument: word 1 after the command \(not shown, because it may/,
  ],
  ['a port without its option', ['mock', '4854'], /^Unexpected argument "4854"\. Write --port 4854\.\n/],
  [
    'the command twice',
    ['mock', 'mock'],
    /^Unexpected argument: .* Leave out mock: the npm script already names the command/,
  ],
  [
    'a second word after an option',
    ['conformance', '--no-color', 'doctor'],
    /^doctor comes before all options: \S.* doctor \[options\]\.\n/,
  ],
  [
    'a base URL without its option',
    ['conformance', 'http://127.0.0.1:4010/v0.1'],
    /^Unexpected argument: .* Write --base-url <url> for an address\.\n/,
  ],
  [
    'an upstream without its option',
    ['proxy', 'http://127.0.0.1:4010/v0.1'],
    / Write --upstream <url> for an address\.\n/,
  ],
  ['an option without its dashes', ['proxy', 'errors'], /^Unexpected argument "errors"\. Write --errors\.\n/],
  ['a port out of range', ['mock', '--port', '65536'], /--port must be a whole number from 0 to 65535; it is 65536\./],
  ['a port that is not a number', ['mock', '--port', '80a'], /it is "80a"/],
  ['an unknown log format', ['mock', '--log-format', 'jsn'], /one of pretty, json.*did you mean json\?/],
  ['an unknown log level', ['mock', '--log-level', 'visible'], /one of debug, info, warn, error, silent/],
  ['a body limit that is too small', ['mock', '--set', 'bodySizeLimit=1'], /from 4096 to/],
  ['a setting without a choice', ['mock', '--set', 'successStatus.createDrive'], /<open point>=<choice>/],
  ['an unknown open point', ['mock', '--set', 'createdrive=200'], /did you mean successStatus.createDrive\?/],
  [
    'an illegal choice',
    ['mock', '--set', 'successStatus.createDrive=204'],
    /204 is not a choice of successStatus.createDrive; legal: 201, 200/,
  ],
  [
    'a clock without a zone',
    ['mock', '--clock', '2026-03-02T08:15:00'],
    /^--clock must be an ISO date-time with a zone/,
  ],
  [
    'a clock with an invalid time',
    ['mock', '--clock', '2026-13-02T08:15:00Z'],
    /^--clock must be an ISO date-time with a zone/,
  ],
  [
    'a clock on a day that does not exist',
    ['mock', '--clock', '2026-02-30T08:15:00Z'],
    /^--clock must be an ISO date-time with a zone/,
  ],
  ['a seed file that does not exist', ['mock', '--seed', 'nowhere.yaml'], /nowhere\.yaml cannot be read/],
  ['a profile file that does not exist', ['mock', '--profile', 'nowhere.yaml'], /nowhere\.yaml cannot be read/],
];

describe('agent-platform-contract mock', () => {
  it.each(refused)('refuses %s', async (_, args, message) => {
    const { code, stdout, stderr } = await runCommand(args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/ {4}at /);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it.each([
    ['AGENT_PLATFORM_LATENCY', '5-1', /^AGENT_PLATFORM_LATENCY must be milliseconds from 0 to 600000, or a range such/],
    ['AGENT_PLATFORM_PORT', 'many', /^AGENT_PLATFORM_PORT must be a whole number/],
    [
      'AGENT_PLATFORM_SET',
      'successStatus.createDrive=200, successStatus.createDrive=202',
      /^AGENT_PLATFORM_SET successStatus.createDrive is given twice: 200 and 202\. Leave one of them out\./,
    ],
  ])('refuses a bad environment variable by its name: %s', async (name, value, message) => {
    const { code, stderr } = await runCommand(['mock'], { [name]: value });
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  it('reports a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const { code, stderr } = await runCommand(['mock', '--port', String(port)]);
    other.close();
    expect(stderr).toMatch(
      `Port ${port} on 127.0.0.1 is in use, perhaps by an earlier mock, whose data may have changed. Stop that server, or choose a different port, such as --port ${port + 10};`,
    );
    expect(code).toBe(1);
  });

  it('reports an address that this machine does not have', async () => {
    const { code, stderr } = await runCommand(['mock', '--port', '0', '--host', '192.0.2.1']);
    expect(stderr).toMatch(/Cannot listen on 192\.0\.2\.1/);
    expect(code).toBe(1);
    const bracketed = await runCommand(['mock', '--port', '0', '--host', '[::1]']);
    expect(bracketed.stderr).toMatch(/Cannot listen on \[::1\].*without brackets/);
  });
});

describe('seed and profile files', () => {
  it('accept a seed in YAML or JSON', async () => {
    for (const [name, text] of [
      ['seed.json', JSON.stringify(tinySeed)],
      [
        'seed.yaml',
        'organizations:\n  - { name: A, keys: [key-a], drives: [{ name: D, createdAt: 2026-01-01T00:00:00Z }] }\n',
      ],
    ] as const) {
      const mock = await serveMock(['--seed', write(name, text)]);
      const { body } = await createClient(mock.url, 'key-a')('GET', '/drives');
      await mock.stop();
      expect(body.data.length).toBe(name === 'seed.json' ? 2 : 1);
    }
  });

  const faulty: [string, string, string, RegExp][] = [
    ['--seed', 'is malformed', 'organizations: [1\nkeys: 2', /x\.yaml:2:\d+ is not YAML or JSON/],
    ['--seed', 'lacks a field', 'organizations:\n  - name: A\n', /x\.yaml:2:5 organizations\.0\.keys is required/],
    [
      '--seed',
      'has a misspelt field',
      'organizations:\n  - name: A\n    keys: [k]\n    drive: []\n',
      /x\.yaml:4:\d+ organizations\.0\.drive is not a known field \(did you mean drives\?\)/,
    ],
    [
      '--seed',
      'has a field of the API instead of its own',
      'organizations:\n  - name: A\n    keys: [k]\n    drives:\n      - name: D\n        files:\n          - path: /a\n            size: 1\n',
      /x\.yaml:8:\d+ .*\.size is not a known field \(did you mean sizeBytes\?\)/,
    ],
    [
      '--seed',
      'has a wrong time',
      'organizations:\n  - name: A\n    keys: [k]\n    drives:\n      - name: D\n        createdAt: 2026-01-01\n',
      /x\.yaml:6:20 organizations\.0\.drives\.0\.createdAt must be an ISO date-time/,
    ],
    [
      '--seed',
      'breaks the path rule',
      'organizations:\n  - name: A\n    keys: [k]\n    drives:\n      - name: D\n        createdAt: 2026-01-01T00:00:00Z\n        files:\n          - path: /../x\n            modifiedAt: 2026-01-01T00:00:00Z\n            sizeBytes: 1\n            contentType: a/b\n',
      /x\.yaml:8:19 organizations\.0\.drives\.0\.files\.0\.path must start with \/ and must not contain a \.\. segment/,
    ],
    [
      '--seed',
      'repeats a key',
      'organizations:\n  - { name: A, keys: [k] }\n  - { name: B, keys: [k] }\n',
      /x\.yaml:3:\d+ organizations\.1\.keys\.0 the key "k" is used twice/,
    ],
    [
      '--seed',
      'repeats an id',
      'organizations:\n  - { id: a, name: A, keys: [k] }\n  - { id: a, name: B, keys: [l] }\n',
      /organizations\.1\.id the id "a" is used twice/,
    ],
    [
      '--seed',
      'has a number that is not JSON',
      'organizations:\n  - name: A\n    keys: [k]\n    drives: [{ name: D, files: [{ path: /a, metadata: { x: 1, y: .inf } }] }]\n',
      /x\.yaml:4:\d+ \S+\.files\.0\.metadata\.y must be a finite number, .*; write null or a string/,
    ],
    [
      '--seed',
      'publishes an unknown revision',
      'organizations:\n  - name: A\n    keys: [k]\n    agents: [{ name: X, createdAt: 2026-01-01T00:00:00Z, published: 1 }]\n',
      /published revision 1 does not exist/,
    ],
    [
      '--profile',
      'names an unknown open point',
      'createDrive: 200\n',
      /x\.yaml:1:\d+ createDrive is invalid: there is no open point "createDrive" \(did you mean successStatus.createDrive\?\)/,
    ],
    [
      '--profile',
      'makes an illegal choice',
      'successStatus.createDrive: 404\n',
      /x\.yaml:1:\d+ successStatus.createDrive is invalid: 404 is not a choice/,
    ],
    ['--profile', 'is a list', '- 1\n', /a profile is an object/],
  ];

  it.each(faulty)('%s refuses a file that %s', async (flag, _, text, message) => {
    const { code, stderr } = await runCommand(['mock', flag, write('x.yaml', text)]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  it('set the choices of the mock, overridden by --set', async () => {
    const profile = write('profile.yaml', 'successStatus.createDrive: 200\nerrorBody: message\n');
    const mock = await serveMock([
      '--profile',
      profile,
      '--set',
      'successStatus.createDrive=202',
      '--set',
      'nameRules=bounded',
    ]);
    const call = createClient(mock.url, 'demo-key');
    const created = await call('POST', '/drives', { json: { name: 'x' } });
    const refusal = await call('POST', '/drives', { json: { name: 'x'.repeat(256) } });
    await mock.stop();
    expect([created.status, refusal.status, Object.keys(refusal.body)]).toEqual([202, 422, ['message']]);
  });
});

describe('a running mock', () => {
  it('logs JSON lines when not on a terminal, the first with its URL, and exits cleanly on SIGINT', async () => {
    const mock = await startMock();
    const { headers } = await createClient(mock.url, 'demo-key')('GET', '/agents?x=1');
    const { code, stdout, stderr } = await mock.stop('SIGINT');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [first, second] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({
      level: 'info',
      message: 'listening',
      url: mock.url,
      page: `${new URL(mock.url).origin}/`,
    });
    expect(second).toMatchObject({
      level: 'info',
      message: 'request',
      requestMethod: 'GET',
      requestPath: '/v0.1/agents?x=1',
      responseStatus: 200,
      requestId: headers.get('x-request-id'),
    });
    expect(Number.isNaN(Date.parse(second.timestamp))).toBe(false);
    expect(stdout).not.toContain('demo-key');
  });

  it.each([
    [
      'OPTIONS',
      '/v0.1/drives',
      'http://myapp.test:5173',
      405,
      /Pages from http:\/\/myapp\.test:5173 .* --set cors=any allows/,
    ],
    [
      'OPTIONS',
      '/__admin/reset',
      'http://localhost:5173',
      403,
      /To allow this page, use --admin-origin http:\/\/localhost:5173\./,
    ],
    [
      'POST',
      '/__admin/reset',
      'http://localhost:5173',
      403,
      /To allow this page, use --admin-origin http:\/\/localhost:5173\./,
    ],
  ])('logs why a page may not send %s %s, which the page cannot read', async (method, path, origin, status, why) => {
    const mock = await serveMock([]);
    const headers = { origin, ...(method === 'OPTIONS' && { 'access-control-request-method': 'POST' }) };
    await fetch(new URL(path, mock.url), { method, headers });
    const [, line = '{}'] = (await mock.stop()).stdout.trim().split('\n');
    const { requestMethod, requestPath, responseStatus, notes } = JSON.parse(line);
    expect([requestMethod, requestPath, responseStatus, notes]).toEqual([
      method,
      path,
      status,
      [expect.stringMatching(why)],
    ]);
  });

  const servers = { mock: [[], ''], proxy: [['--upstream', 'http://127.0.0.1:9/v0.1'], '__admin/'] } as const;

  it.each(Object.entries(servers))(
    '%s names a page that a browser can open, even if it listens on every address',
    async (name, [args, page]) => {
      const server = await serve([name, ...args, '--port', '0', '--host', '0.0.0.0']);
      const [line = '{}'] = (await server.stop()).stdout.trim().split('\n');
      expect(JSON.parse(line).page).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/${page}$`));
    },
  );

  it.each(Object.entries(servers))('%s prints no colours with --no-color', async (name, [args]) => {
    const start = (...more: string[]) => serve([name, ...args, '--port', '0', ...more], {}, { isInteractive: true });
    const [colored, plain] = await Promise.all([start(), start('--no-color')]);
    const [before, after] = [await colored.stop(), await plain.stop()].map(({ stdout }) => stdout.includes('\u001b['));
    expect([before, after]).toEqual([true, false]);
  });

  it('prints only its URL at log level silent', async () => {
    const mock = await serveMock(['--log-level', 'silent']);
    await createClient(mock.url, 'demo-key')('GET', '/agents');
    expect((await mock.stop()).stdout.trim().split('\n')).toHaveLength(1);
  });

  it('prints a curl command, the keys and a link to every operation in pretty format', async () => {
    const mock = await serveMock(['--log-format', 'pretty'], { NO_COLOR: '1' });
    await createClient(mock.url, 'demo-key')('GET', '/agents');
    const stdout = stripVTControlCharacters((await mock.stop()).stdout);
    const [, header = '', url = ''] = /curl -H 'X-API-Key: (.*?)' '(.*?)'/.exec(stdout) ?? [];
    expect([header, url]).toEqual(['demo-key', `${mock.url}/drives?limit=2`]);
    expect(stdout).toContain('demo-key-2');
    expect(stdout.match(/^ {2}(GET|POST|PATCH|DELETE) +http:\/\/\S+( {2}\{.+\})?$/gm)).toHaveLength(10);
    expect(stdout.match(/^ {2}(POST|PATCH) .* {2}\{"(revisionId|name|path)":".+\}$/gm)).toHaveLength(4);
    expect(stdout).not.toMatch(/undefined|\{\w+\}/);
    expect(stdout).toMatch(/GET {4}200 {2}\/v0\.1\/agents {2}\d/);
  });

  it.each([
    ['AGENT_PLATFORM_PROT', 'AGENT_PLATFORM_PROT has no effect (did you mean AGENT_PLATFORM_PORT?).'],
    ['AGENT_PLATFORM_OF_MINE', 'AGENT_PLATFORM_OF_MINE has no effect.'],
    [
      'AGENT_PLATFORM_ADMIN',
      'AGENT_PLATFORM_ADMIN has no effect: it is on by default. To turn it off, set AGENT_PLATFORM_NO_ADMIN=true.',
    ],
  ])('warns of an environment variable with its prefix that belongs to no option: %s', async (name, warning) => {
    const { code, stderr } = await runCommand(['contract'], { [name]: 'false' });
    expect([code, stderr.trim()]).toEqual([0, `The environment variable ${warning}`]);
  });

  it('says where npm starts relative paths, if a file is not there', async () => {
    const args = ['mock', '--seed', '../nowhere.yaml'];
    const [elsewhere, here] = [
      await runCommand(args, { INIT_CWD: '/somewhere/else' }),
      await runCommand(args, { INIT_CWD: process.cwd() }),
    ];
    expect(elsewhere.stderr).toContain(`\nnpm runs this in ${process.cwd()}: relative paths start there.`);
    expect(here.stderr).not.toContain('relative paths');
  });

  it('reads options from the environment, overridden by flags', async () => {
    const environment = {
      AGENT_PLATFORM_SET: 'successStatus.createDrive=200, errorBody=nested',
      AGENT_PLATFORM_NO_ADMIN: 'true',
    };
    const mock = await serveMock(['--set', 'successStatus.createDrive=202'], environment);
    const { status } = await createClient(mock.url, 'demo-key')('POST', '/drives', { json: { name: 'x' } });
    const health = await fetch(new URL('/__admin/health', mock.url));
    const { detail } = (await health.json()) as { detail: string };
    await mock.stop();
    expect([status, health.status]).toEqual([202, 404]);
    expect(detail).toBe('The admin API is off. Start the mock without --no-admin.');
  });

  it('answers, and exits cleanly on SIGTERM, although nobody reads its output', async () => {
    const mock = await startMock();
    mock.pause();
    const call = createClient(mock.url, 'demo-key');
    const long = `/agents?${'x'.repeat(8_000)}`;
    for (let count = 0; count < 100; count++) expect((await call('GET', long)).status).toBe(200);
    expect(await mock.stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });

  it('repeats its answers byte for byte with the same clock and random seed, not with another seed', async () => {
    const transcript = (seed: string) => transcriptOf(['--clock', now, '--random-seed', seed]);
    const [one, two, other] = [await transcript('7'), await transcript('7'), await transcript('8')];
    expect(two).toBe(one);
    expect(other).not.toBe(one);
  });
});
