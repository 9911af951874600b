import { describe, expect, it } from 'vitest';
import type { Option, Options } from '../../lib/options.ts';
import { commands } from '../../src/cli/commands.ts';
import { environmentName, readCommandLine } from '../../src/cli/read-options.ts';
import { configKeys } from '../../src/options/conformance-options.ts';
import { runCommand } from '../support/command.ts';
import { createFolder } from '../support/folder.ts';

// An option that does nothing because of another one, or without another one, is never taken in silence.

const { write } = createFolder('idle');

/** The words that give an option its effect, and its variable. */
function giving({ name, kind, bare, values, minimum = 1 }: Option): { words: string[]; variable: string } {
  if (kind === 'switch') return { words: [`--${name}`], variable: 'true' };
  const value = values?.at(-1) ?? (kind === 'text' ? 'x=y' : String(Math.max(minimum, 1)));
  return { words: bare === undefined ? [`--${name}`, value] : [`--${name}=${value}`], variable: value };
}

function told(options: Options, args: readonly string[], environment: Record<string, string> = {}): string[] {
  const lines: string[] = [];
  readCommandLine(options, args, { environment, complain: (line) => lines.push(line) });
  return lines;
}

const pairsOf = (rule: 'idleWith' | 'contradicts' | 'overrides') =>
  commands.flatMap(({ name: command, options }) =>
    Object.values<Option>(options).flatMap((one) =>
      (one[rule] ?? []).flatMap((key) => {
        const other = options[key];
        return other === undefined ? [] : [{ command, options, one, other, name: one.name, by: other.name }];
      }),
    ),
  );

describe('the options of a command', () => {
  it.each(pairsOf('idleWith'))('$command: --$name has no effect with --$by, and this is said', (pair) => {
    const { options, one, other } = pair;
    const alone = giving(one);
    const line = `--${one.name} has no effect with --${other.name}.`;
    expect(told(options, [...alone.words, ...giving(other).words])).toContain(line);
    expect(told(options, alone.words)).toEqual([]);
    const environment = { [environmentName(one)]: alone.variable };
    expect(told(options, giving(other).words, environment)).toContain(line.replace(/^\S+/, environmentName(one)));
  });

  it.each(pairsOf('contradicts'))('$command: --$name contradicts --$by', ({ options, one, other }) => {
    const args = [...giving(one).words, ...giving(other).words];
    expect(() => told(options, args)).toThrow(`--${one.name} and --${other.name} contradict each other.`);
  });

  it.each(pairsOf('overrides'))('$command: --$name overrides --$by of the environment alone', (pair) => {
    const { options, one, other } = pair;
    const set = (option: Option) => ({ [environmentName(option)]: 'true' });
    for (const [args, environment] of [
      [giving(one).words, set(other)],
      [[], { ...set(one), ...set(other) }],
    ] as const) {
      const around = { environment, complain: () => undefined };
      expect(Object.keys(readCommandLine(options, args, around).values)).toHaveLength(1);
    }
    for (const [args, environment] of [
      [[...giving(one).words, ...giving(other).words], {}],
      [giving(other).words, set(one)],
    ] as const)
      expect(() => told(options, args, environment)).toThrow('contradict each other');
  });

  it('has an effect all the same where another option needs it', () => {
    const [mock, suite] = ['mock', 'conformance'].map((name) => commands.find((one) => one.name === name)?.options);
    expect(told(mock ?? {}, ['--max-sandboxes', '2', '--no-admin', '--open-keys'])).toEqual([]);
    expect(told(suite ?? {}, ['--json', 'a.json', '--report-dir', 'b', '--dry-run', '--failed'])).toEqual([]);
  });
});

describe('a setting of a run', () => {
  const file = { driveId: 'd', id: 'f' };
  const [writes, reading] = [['--allow-writes'], ['--only', 'listDrives.is-served']];
  const deletable = { fixtures: { disposableFiles: [file] }, openPoints: { treePathParameter: 'path' } };
  const withoutEffect = (flag: string, why: string) => new RegExp(`^ +No effect +${flag}: ${why}$`, 'm');
  const cases: [flag: string, config: object, args: string[], why: string][] = [
    ['--allow-writes', {}, [...writes, ...reading], 'no selected check changes anything with these settings'],
    ['--allow-writes', { allowWrites: true }, reading, 'no selected check changes anything with these settings'],
    [
      '--allow-destructive',
      {},
      ['--allow-destructive'],
      'it also needs --allow-writes, openPoints.treePathParameter in the config, and fixtures.disposableFiles in the config',
    ],
    ['--allow-destructive', deletable, ['--allow-destructive'], 'it also needs --allow-writes'],
    [
      '--allow-destructive',
      { allowDestructive: true, ...deletable },
      [...writes, ...reading],
      'no selected check deletes anything with these settings',
    ],
    ['--volume', {}, ['--volume'], 'it also needs --allow-writes'],
    ['--volume', { volume: true, allowWrites: true }, ['--no-allow-writes'], 'it also needs --allow-writes'],
    [
      '--volume',
      { volume: true },
      [...writes, '--skip', 'listDrives.*'],
      'only a run of all checks makes many of anything',
    ],
    ['--walk', {}, ['--walk', '240', ...reading], 'only a run of all checks walks'],
    ['--walk', { walk: 500 }, reading, 'only a run of all checks walks'],
    ['--walk', {}, ['--walk', '3'], 'it also needs --allow-writes'],
    ['--host-mcp-server', {}, ['--host-mcp-server'], 'it also needs --allow-writes'],
    ['--host-mcp-server', { hostMcpUrl: 'http://a.test/' }, reading, 'it also needs --allow-writes'],
    ['--host-mcp-server', {}, [...writes, '--host-mcp-server', '--only', 'create*'], 'no selected check uses it'],
    ['--host-mcp-url', { hostMcpUrl: 'http://a.test/', hostMcpServer: false }, [], 'hostMcpServer is set to false'],
    ['--move-log', { fixtures: { files: [file] } }, ['--move-log', 'x'], 'this run cannot move files'],
  ];

  const lines = async (config: object, args: string[], environment: Record<string, string> = {}) => {
    const common = ['conformance', '--dry-run', '-u', 'http://127.0.0.1:9/v0.1', '--api-key', 'k'];
    const { code, stdout } = await runCommand([...common, '--config', write('c.json', config), ...args], environment);
    expect(code).toBe(0);
    return stdout;
  };

  it.each(cases)('%s in %j with %j says why it has no effect', async (flag, config, args, why) => {
    expect(await lines(config, args)).toMatch(withoutEffect(flag, why));
  });

  it('is told of from the environment too', async () => {
    const environment = { AGENT_PLATFORM_VOLUME: 'true' };
    expect(await lines({}, [], environment)).toMatch(withoutEffect('--volume', 'it also needs --allow-writes'));
  });

  it.each([
    [{}, []],
    [{}, reading],
    [{ walk: 0 }, reading],
    [{}, [...writes, '--volume', '--walk', '300', '--host-mcp-server']],
    [{ ...deletable, allowDestructive: true }, writes],
    [{ ...deletable, allowDestructive: true }, ['--no-allow-writes']],
    [deletable, [...writes, '--move-log', 'x']],
  ])('with an effect is not told of: %j with %j', async (config, args) => {
    expect(await lines(config, args)).not.toContain('No effect');
  });

  // Each key that asks for more is judged above, whichever is added.
  it('that is a switch stands in the table', () => {
    const switches = Object.entries(configKeys).filter(([, { default: usual }]) => typeof usual === 'boolean');
    const flags = new Set(cases.map(([flag]) => flag));
    const flagOf = (key: string) => `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    expect(switches.map(([key]) => flagOf(key)).filter((flag) => !flags.has(flag))).toEqual([]);
  });
});
