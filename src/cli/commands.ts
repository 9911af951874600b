import { columns, optionRows } from './help.ts';
import { mockOptions } from './mock-options.ts';
import type { Option } from './options.ts';
import type { Terminal } from './terminal.ts';

/** One command of `agent-platform`. What it runs is loaded when it is asked for. */
export interface Command {
  name: string;
  summary: string;
  options: readonly Option[];
  run(args: readonly string[], terminal: Terminal): Promise<void>;
}

export const commands: readonly Command[] = [
  {
    name: 'mock',
    summary: 'Run the service in memory, with state',
    options: mockOptions,
    run: async (args, terminal) => (await import('./mock.ts')).runMock(args, terminal),
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
export function commandHelp({ name, summary, options }: Command): string {
  return [
    `Usage: agent-platform ${name} [options]`,
    '',
    `${summary}.`,
    '',
    ...optionRows(options).map(({ flag, help, environment }) => `  ${flag}\n      ${help}\n      ${environment}`),
    '',
    'A flag wins over its twin in the environment, which wins over the default.',
    'Exit code: 0 after a clean stop, 1 when it could not start, 2 for a command line, seed or profile that is not right.',
    '',
  ].join('\n');
}
