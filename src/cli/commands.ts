import { compareOptions, conformanceOptions, doctorOptions } from './conformance-options.ts';
import { columns, optionRows } from './help.ts';
import { mockOptions } from './mock-options.ts';
import type { Option } from './options.ts';
import { proxyOptions } from './proxy-options.ts';
import type { Terminal } from './terminal.ts';
import { varyOptions } from './vary-options.ts';

/** One command of `agent-platform`. What it runs is loaded when it is asked for. */
export interface Command {
  /** One word, or two. */
  name: string;
  summary: string;
  /** The words that it takes beside its options. */
  operands?: string;
  /** What stands behind its options. */
  trailing?: string;
  options: readonly Option[];
  /** What its exit codes mean. */
  exitCodes: string;
  /** The exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

export const commands: readonly Command[] = [
  {
    name: 'mock',
    summary: 'Run the service in memory, with state',
    options: mockOptions,
    exitCodes:
      '0 after a clean stop, 1 when it could not start, 2 for a command line, seed or profile that is not right.',
    run: async (args, terminal) => {
      await (await import('./mock.ts')).runMock(args, terminal);
      return 0;
    },
  },
  {
    name: 'proxy',
    summary: 'Stand in front of a server, and say of all traffic which side breaks the contract',
    options: proxyOptions,
    exitCodes:
      '0 after a clean stop, 1 when it could not start or not write its file, 2 for a command line or profile that is not right.',
    run: async (args, terminal) => (await import('./proxy.ts')).runProxy(args, terminal),
  },
  {
    name: 'vary',
    summary: 'Run your tests in many legal worlds, and say what they rely on that the contract does not promise',
    trailing: '-- <command>',
    options: varyOptions,
    exitCodes: [
      '0 when nothing was found.',
      '1 when the tests depend on something, or, with --strict, when they are flaky or the search was not finished.',
      '2 for a command line, seed or profile that is not right, tests that cannot be started or are red in the base, and when it was stopped before anything was found.',
    ].join('\n  '),
    run: async (args, terminal) => (await import('./vary.ts')).runVary(args, terminal),
  },
  {
    name: 'conformance',
    summary: 'Judge a server by the contract; it only reads unless you allow more',
    options: conformanceOptions,
    exitCodes: [
      '0 when no must failed.',
      '1 when a must failed, when an expected failure did not fail, or, with --strict, when something warned or is unverified.',
      '2 for a command line or config that is not right, a server that does not answer as the service, an error of the suite itself, and when nothing was judged.',
    ].join('\n  '),
    run: async (args, terminal) => (await import('./conformance.ts')).runConformance(args, terminal),
  },
  {
    name: 'conformance doctor',
    summary: 'Say whether a server can be judged, what is missing for it, and what that would unlock; it only reads',
    options: doctorOptions,
    exitCodes: '0 when it could look, 2 when it could not.',
    run: async (args, terminal) => (await import('./conformance.ts')).runDoctor(args, terminal),
  },
  {
    name: 'conformance compare',
    summary: 'Say what changed from one JSON report to another',
    operands: '<before.json> <after.json>',
    options: compareOptions,
    exitCodes: '0 when nothing fails newly, 1 when something does, 2 for files that are no reports.',
    run: async (args, terminal) => (await import('./conformance.ts')).runCompare(args, terminal),
  },
];

/** What `agent-platform --help` says. */
export function generalHelp(): string {
  return [
    'Usage: agent-platform <command> [options]',
    '',
    columns(commands.map(({ name, summary }) => [name, summary] as const)),
    '',
    'agent-platform <command> --help says more of one command. --version says which version this is.',
    '',
  ].join('\n');
}

/** What `agent-platform <command> --help` says. */
export function commandHelp({ name, summary, operands, trailing, options, exitCodes }: Command): string {
  return [
    ['Usage: agent-platform', name, operands, '[options]', trailing].filter((word) => word !== undefined).join(' '),
    '',
    `${summary}.`,
    '',
    ...optionRows(options).map(({ flag, help, environment }) => `  ${flag}\n      ${help}\n      ${environment}`),
    '',
    ...furtherCommands(name),
    'A flag wins over its twin in the environment, which wins over a file, which wins over the default.',
    'Exit code:',
    `  ${exitCodes}`,
    '',
  ].join('\n');
}

function furtherCommands(name: string): string[] {
  const further = commands.filter((command) => command.name.startsWith(`${name} `));
  if (further.length === 0) return [];
  return ['Further commands:', columns(further.map((command) => [command.name, command.summary] as const)), ''];
}
