import type { Option, Options } from '../../openapi/contract/options.ts';
import { columns, wrap } from '../../reporting/text.ts';
import { contractFlags, mockFlags, proxyFlags, varyFlags } from './command-options.ts';
import { compareFlags, conformanceFlags, doctorFlags, restoreFlags } from './conformance-options.ts';
import { exitCodes } from './exit-codes.ts';
import { environmentName } from './read-options.ts';
import type { Terminal } from './terminal.ts';

/** One command of `agent-platform-contract`. `run` loads its code on demand. */
export interface Command {
  /** One word, or two. */
  name: string;
  summary: string;
  /** The arguments besides the options. */
  operands?: string;
  /** What follows the options. */
  trailing?: string;
  options: Options;
  /** The meaning of its exit codes, one line each. */
  exitCodes: readonly string[];
  /** The exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

export const commands: readonly Command[] = [
  {
    name: 'mock',
    summary: 'Run a stateful mock of the service',
    options: mockFlags,
    exitCodes: exitCodes.mock,
    run: async (args, terminal) => (await import('./mock.ts')).runMock(args, terminal),
  },
  {
    name: 'proxy',
    summary: 'Forward traffic to a server and report whether client or server breaks the contract',
    options: proxyFlags,
    exitCodes: exitCodes.proxy,
    run: async (args, terminal) => (await import('./proxy.ts')).runProxy(args, terminal),
  },
  {
    name: 'vary',
    summary: 'Run your tests against many legal variants of the mock and find what they rely on that nobody promised',
    trailing: '-- <command>',
    options: varyFlags,
    exitCodes: exitCodes.vary,
    run: async (args, terminal) => (await import('./vary.ts')).runVary(args, terminal),
  },
  {
    name: 'contract',
    summary: 'Write the contract as a profile has it, for client generators',
    options: contractFlags,
    exitCodes: exitCodes.contract,
    run: async (args, terminal) => (await import('./contract.ts')).runContract(args, terminal),
  },
  {
    name: 'conformance',
    summary: 'Judge a server by the contract. Only reads unless you allow more',
    options: conformanceFlags,
    exitCodes: exitCodes.conformance,
    run: async (args, terminal) => (await import('./conformance.ts')).runConformance(args, terminal),
  },
  {
    name: 'conformance doctor',
    summary: 'Show whether a server can be judged, which settings are missing, and what they would unlock. Only reads',
    options: doctorFlags,
    exitCodes: exitCodes.doctor,
    run: async (args, terminal) => (await import('./conformance.ts')).runDoctor(args, terminal),
  },
  {
    name: 'conformance restore',
    summary: 'Move files back that an ended run has moved. Takes its move log, or its JSON report',
    operands: '<move log or report.json>',
    options: restoreFlags,
    exitCodes: exitCodes.restore,
    run: async (args, terminal) => (await import('./conformance.ts')).runRestore(args, terminal),
  },
  {
    name: 'conformance compare',
    summary: 'Show what changed between two JSON reports',
    operands: '<before.json> <after.json>',
    options: compareFlags,
    exitCodes: exitCodes.compare,
    run: async (args, terminal) => (await import('./conformance.ts')).runCompare(args, terminal),
  },
];

const helpWidth = 80;

/** The text of `agent-platform-contract --help`. */
export function generalHelp(): string {
  return [
    'Usage: agent-platform-contract <command> [options]',
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'agent-platform-contract <command> --help describes one command. --version prints the version, also after a command.',
    '',
  ].join('\n');
}

/** `agent-platform-contract vary [options] -- <command>` */
export function usageOf({ name, operands, trailing }: Command): string {
  return ['agent-platform-contract', name, operands, '[options]', trailing]
    .filter((word) => word !== undefined)
    .join(' ');
}

/** The text of `agent-platform-contract <command> --help`. */
export function commandHelp(command: Command): string {
  const { name, summary, options, exitCodes } = command;
  const further = commands.filter((other) => other.name.startsWith(`${name} `));
  return [
    `Usage: ${usageOf(command)}`,
    '',
    ...wrap(`${summary}.`, helpWidth),
    '',
    ...furtherCommands(further),
    ...optionRows(options).flatMap(({ flag, help, environment }) => [
      `  ${flag}`,
      ...indented(help, 6),
      `      ${environment}`,
    ]),
    '',
    ...wrap(
      'A flag wins over its environment variable, which wins over a file, which wins over the default.',
      helpWidth,
    ),
    'Exit codes:',
    ...exitCodes.flatMap((line) => indented(line, 4).map((part, index) => (index === 0 ? part.slice(2) : part))),
    '',
  ].join('\n');
}

function furtherCommands(further: readonly Command[]): string[] {
  if (further.length === 0) return [];
  return [
    'Further commands:',
    ...further.flatMap((one) => [`  ${one.name}`, ...indented(one.summary, 6)]),
    '',
    'Options:',
  ];
}

/** The text in lines that no terminal has to break. */
function indented(text: string, spaces: number): string[] {
  return wrap(text, helpWidth - spaces).map((line) => ' '.repeat(spaces) + line);
}

/** The options of a command, as help and documents show them. */
export function optionRows(options: Options): { key: string; flag: string; environment: string; help: string }[] {
  return Object.entries(options).map(([key, option]) => ({
    key,
    flag: `${option.short === undefined ? '' : `-${option.short}, `}--${option.name}${placeholderOf(option)}`,
    environment: environmentName(option),
    help: `${option.help}${repetitionOf(option)}${defaultOf(option)}`,
  }));
}

function placeholderOf({ kind, placeholder, values, bare }: Option): string {
  if (kind === 'switch') return '';
  const value = placeholder ?? values?.join('|') ?? '<value>';
  return bare === undefined ? ` ${value}` : `[=${value}]`;
}

function repetitionOf({ isRepeatable, separator }: Option): string {
  if (!isRepeatable) return '';
  return `. May be repeated (in the environment: ${separator === undefined ? 'separated by commas' : 'one per line'})`;
}

function defaultOf({ default: usual, defaultText }: Option): string {
  const shown = defaultText ?? usual;
  return shown === undefined ? '' : ` (default: ${shown})`;
}
