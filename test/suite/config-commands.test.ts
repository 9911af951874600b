import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withCommands } from '../../conformance/run/commands.ts';
import { toSettings } from '../../conformance/run/settings.ts';
import { isAlive } from '../support/is-alive.ts';
import { createBench, demo, keys, quick } from '../support/judging.ts';
import { timeLimit } from '../support/time-limit.ts';

// The commands of a config: one that prints a key, and one that prepares the target and prints settings.

const { mock, at, write, conformance, reportOf } = await createBench();
const { fixtures, openPoints } = JSON.parse(readFileSync(demo, 'utf8'));
const url = mock.url;

/** A command line that prints a value as JSON, and leaves a file as a trace. */
function printing(value: unknown, trace = 'trace'): string {
  const file = write(`${trace}.mjs`, '');
  const lines = [
    "import { appendFileSync } from 'node:fs';",
    `appendFileSync(${JSON.stringify(at(trace))}, [process.env.AGENT_PLATFORM_BASE_URL, process.env.AGENT_PLATFORM_API_KEY].join(' ') + '\\n');`,
    `console.log(${JSON.stringify(JSON.stringify(value))});`,
  ];
  write(`${trace}.mjs`, lines.join('\n'));
  return `"${process.execPath}" "${file}"`;
}

describe('commands.prepare', () => {
  it('runs before each run, is told the target, and its settings count', async () => {
    const config = write('prepared.json', {
      baseUrl: url,
      commands: { prepare: printing({ fixtures, openPoints, otherApiKey: keys.AGENT_PLATFORM_OTHER_API_KEY }) },
    });
    const environment = { AGENT_PLATFORM_API_KEY: keys.AGENT_PLATFORM_API_KEY };
    const one = ['--config', config, '--only', 'getDriveFile.is-served'];
    const { report } = await reportOf(one, environment);
    expect(report.checks.find(({ id }) => id === 'getDriveFile.is-served')?.outcome).toBe('passed');
    expect(readFileSync(at('trace'), 'utf8')).toBe(`${url} demo-key\n`);
    for (const args of [
      [...one, '--dry-run'],
      ['doctor', '--config', config],
    ])
      await conformance(args, environment);
    expect(readFileSync(at('trace'), 'utf8')).toBe(`${url} demo-key\n`);
  });

  it.each<[string, string, RegExp]>([
    ['fails', 'echo not ready >&2; exit 3', /commands\.prepare: `echo .*` ended with exit code 3\. not ready/],
    ['prints something else', 'echo "ready: [" ', /commands\.prepare: it must print settings as YAML or JSON/],
    [
      'prints an unknown key',
      'echo "fixture: {}"',
      /commands\.prepare: it printed settings that are not valid: fixture/,
    ],
    ['prints a permission', 'echo "allowWrites: true"', /allowWrites cannot be printed by a command/],
    ['prints a wrong value', 'echo "baseUrl: nowhere"', /baseUrl must start with http/],
  ])('ends the run before its first request if it %s', async (_, prepare, message) => {
    const config = write('failing.json', { baseUrl: url, apiKey: 'demo-key', commands: { prepare } });
    const { code, stderr, stdout } = await conformance(['--config', config, ...quick], {});
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

it('a command that cannot be started is named', async () => {
  const around = { prepares: true, environment: process.env };
  await expect(withCommands({ commands: { prepare: 'a\0b' } }, {}, around)).rejects.toMatchObject({
    ...{
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/^commands\.prepare: `a.b` cannot be started \(ERR_/s),
    },
  });
});

it.each(['the first signal', '--time-limit'])(
  'a command that does not end is stopped at %s, with what it started',
  async (by) => {
    const pidFile = at('pid');
    const never = `sleep 600 & echo $! > "${pidFile}"; wait`;
    const stop = new AbortController();
    const ended = withCommands(
      { commands: { prepare: never } },
      by === '--time-limit' ? { timeLimitMs: timeLimit(500) } : {},
      {
        ...{ prepares: true, environment: process.env, signal: stop.signal },
      },
    ).catch((error: unknown) => error);
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/\d/);
    if (by !== '--time-limit') stop.abort();
    expect(await ended).toMatchObject({
      code: 'STOPPED',
      message: expect.stringMatching(/^commands\.prepare: `sleep .*was stopped/),
    });
    await expect.poll(() => isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  },
);

describe('commands.apiKey', () => {
  it('prints the key, which no output shows, for the doctor too', async () => {
    const config = write('keyed.json', { baseUrl: url, commands: { apiKey: 'echo demo-key' } });
    const { report, stdout } = await reportOf(['--config', config, ...quick], {});
    expect(report.summary.passed).toBe(2);
    const doctor = await conformance(['doctor', '--config', config], {});
    expect(doctor.code).toBe(0);
    expect(stdout + doctor.stdout).not.toContain('demo-key');
  });

  it.each([
    ['nothing', 'true', /commands\.apiKey: it must print the key .* It printed nothing\./],
    ['a log line too', 'echo Reading secret-key', /commands\.apiKey: it must print the key .* It printed 2 words\./],
  ])('is named when it prints %s', async (_, apiKey, complaint) => {
    const config = write('printing.json', { baseUrl: url, commands: { apiKey } });
    const { code, stderr } = await conformance(['--config', config, ...quick], {});
    expect(stderr).toMatch(complaint);
    expect(stderr).not.toContain('secret-key');
    expect(code).toBe(2);
  });

  it('does not run if a key is given', async () => {
    const command = printing('unused', 'unused');
    const config = write('given.json', { baseUrl: url, commands: { apiKey: command } });
    const { code } = await conformance(['--config', config, ...quick], { AGENT_PLATFORM_API_KEY: 'demo-key' });
    expect(code).toBe(0);
    expect(existsSync(at('unused'))).toBe(false);
  });
});

describe('commands in code', () => {
  it('are refused, with what to do instead', () => {
    const config = { baseUrl: url, apiKey: 'demo-key', commands: { prepare: 'true' } };
    expect(() => toSettings(config)).toThrow(/commands are for the command line\. In code, prepare the target first/);
  });
});
