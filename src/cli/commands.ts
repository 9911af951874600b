import type { Option, Options } from '../../lib/options.ts';
import { shownCommand, shownProgram } from '../../lib/shown-command.ts';
import { wrap } from '../../lib/text.ts';
import { compareFlags, conformanceFlags, doctorFlags, restoreFlags } from '../options/conformance-options.ts';
import { contractFlags } from '../options/contract-options.ts';
import { mockFlags } from '../options/mock-options.ts';
import { proxyFlags } from '../options/proxy-options.ts';
import { varyFlags } from '../options/vary-options.ts';
import type { CommandName } from './command-names.ts';
import { exitCodes } from './exit-codes.ts';
import { environmentName } from './read-options.ts';
import type { Terminal } from './terminal.ts';

/** One command of `agent-platform-contract`. `run` loads its code on demand. */
export interface Command {
  name: CommandName;
  summary: string;
  /** The arguments that are not options. */
  operands?: string;
  /** What follows the options. */
  trailing?: string;
  options: Options;
  /** Example arguments. */
  examples: readonly (readonly string[])[];
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
    examples: [['--seed my-seed.yaml', '--watch'], ['--open-keys', '--latency 50-300'], ['--vary=hidden']],
    exitCodes: exitCodes.mock,
    run: async (args, terminal) => (await import('./mock.ts')).runMock(args, terminal),
  },
  {
    name: 'proxy',
    summary: 'Forward traffic to a server and report where the client or the server breaks the contract',
    options: proxyFlags,
    examples: [
      ['--upstream http://127.0.0.1:8080/v0.1'],
      ['--upstream http://127.0.0.1:8080/v0.1', '--observe learned.yaml'],
    ],
    exitCodes: exitCodes.proxy,
    run: async (args, terminal) => (await import('./proxy.ts')).runProxy(args, terminal),
  },
  {
    name: 'vary',
    summary:
      'Run your tests against many legal variants of the mock, to find what they rely on that the contract does not promise',
    trailing: '-- <command>',
    options: varyFlags,
    examples: [
      ['--', 'npm test'],
      ['--impact hidden', '--parallel 4', '--', 'npm test'],
      ['--only successStatus.createDrive=200', '--', 'npm test'],
    ],
    exitCodes: exitCodes.vary,
    run: async (args, terminal) => (await import('./vary.ts')).runVary(args, terminal),
  },
  {
    name: 'contract',
    summary:
      'Write an OpenAPI document for client generators, with one choice for each open point (unspecified behaviour)',
    options: contractFlags,
    examples: [
      ['--set successStatus.createDrive=200', '--output openapi.yaml'],
      ['--stated', '--format json'],
    ],
    exitCodes: exitCodes.contract,
    run: async (args, terminal) => (await import('./contract.ts')).runContract(args, terminal),
  },
  {
    name: 'conformance',
    summary: 'Check a server against the contract. Changes nothing by default',
    options: conformanceFlags,
    examples: [
      ['-u http://127.0.0.1:8080/v0.1', '--api-key my-key'],
      ['--config conformance.yaml', '--report junit,html'],
      ['--failed'],
    ],
    exitCodes: exitCodes.conformance,
    run: async (args, terminal) => (await import('./conformance.ts')).runConformance(args, terminal),
  },
  {
    name: 'conformance doctor',
    summary:
      'Check the connection and the settings. Shows how many checks each missing setting would enable. Sends only reads, whatever the settings allow',
    options: doctorFlags,
    examples: [['-u http://127.0.0.1:8080/v0.1', '--api-key my-key'], ['--config conformance.yaml']],
    exitCodes: exitCodes.doctor,
    run: async (args, terminal) => (await import('./conformance.ts')).runDoctor(args, terminal),
  },
  {
    name: 'conformance restore',
    summary:
      'Move files back to where an interrupted run found them. Takes the move log of that run (see --move-log of conformance) or its JSON report',
    operands: '<move log or report.json>',
    options: restoreFlags,
    examples: [['moves.jsonl', '--config conformance.yaml']],
    exitCodes: exitCodes.restore,
    run: async (args, terminal) => (await import('./conformance.ts')).runRestore(args, terminal),
  },
  {
    name: 'conformance compare',
    summary: 'Show what changed between two JSON reports',
    operands: '<before.json> <after.json>',
    options: compareFlags,
    examples: [['before.json', 'after.json']],
    exitCodes: exitCodes.compare,
    run: async (args, terminal) => (await import('./conformance.ts')).runCompare(args, terminal),
  },
];

/** The text of `agent-platform-contract --help`. */
export function generalHelp(): string {
  const names = commands.map(({ name }) => name);
  return [
    `Usage: ${shownProgram()} <command> [options]`,
    '',
    ...commands.flatMap(({ name, summary }) => twoColumns(name, firstSentence(summary), widthOf(names))),
    '',
    'Help for one command: <command> --help',
    '--version prints the version, also after a command.',
    '',
  ].join('\n');
}

/** `agent-platform-contract vary [options] -- <command>` */
export function usageOf(command: Command): string {
  return ['agent-platform-contract', command.name, ...usageWords(command)].join(' ');
}

function usageWords({ operands, trailing }: Command): string[] {
  return [operands, '[options]', trailing].filter((word) => word !== undefined);
}

/** The text of `agent-platform-contract <command> --help`: one screen with what most users need. */
export function commandHelp(command: Command): string {
  const { name, options, examples } = command;
  return [
    ...helpHead(command),
    ...groupsOf(options, ({ isCommon }) => isCommon === true).flatMap(({ group, rows }) =>
      groupLines(
        group,
        rows.map(({ flag, brief }) => [flag, brief]),
      ),
    ),
    'Examples:',
    ...examples.map((words) => `  ${shownCommand(name, words)}`),
    '',
    `All options and exit codes: ${shownCommand(name, ['--help', 'all'])}`,
    '',
  ].join('\n');
}

/** The text of `agent-platform-contract <command> --help all`. */
export function wholeHelp(command: Command): string {
  const { options, exitCodes } = command;
  const head = helpHead(command);
  return [
    ...(head.at(-1) === '' ? head : [...head, '']),
    ...groupsOf(options).flatMap(({ group, rows }) => [
      ...groupLines(
        group,
        rows.map(({ flag, help }) => [flag, help]),
      ),
      '',
    ]),
    ...wrap(environmentNote(options), helpWidth),
    '',
    'Exit codes:',
    ...exitCodes.flatMap((line) =>
      wrap(line, helpWidth - 4).map((part, index) => `${index === 0 ? '  ' : '    '}${part}`),
    ),
    '',
  ].join('\n');
}

function helpHead(command: Command): string[] {
  const further = commands.filter((other) => other.name.startsWith(`${command.name} `));
  return [
    `Usage: ${shownCommand(command.name, usageWords(command))}`,
    '',
    ...wrap(`${command.summary}.`, helpWidth),
    '',
    ...(further.length === 0
      ? []
      : groupLines(
          'Further commands',
          further.map(({ name, summary }) => [name, firstSentence(summary)]),
        )),
  ];
}

/** How environment variables set options, for help and documents. */
export function environmentNote(options: Options): string {
  const example = Object.values(options)[0];
  const variable = example === undefined ? '' : `, such as ${environmentName(example)} for --${example.name}`;
  const file = Object.hasOwn(options, 'config') ? 'config file, ' : '';
  const separated = Object.values(options).some(({ separator }) => separator !== undefined);
  const unless = separated ? ', unless its description says otherwise' : '';
  return `Every option has an environment variable${variable}. For a repeatable option, separate the values in its variable with commas${unless}. Precedence, highest first: flag, environment variable, ${file}default.`;
}

const helpWidth = 80;
/** Longer names get a separate line. */
const longestInColumn = 27;

function groupLines(group: string, rows: readonly [name: string, text: string][]): string[] {
  const width = widthOf(rows.map(([name]) => name));
  return [`${group}:`, ...rows.flatMap(([name, text]) => twoColumns(name, text, width))];
}

function widthOf(names: readonly string[]): number {
  return Math.max(16, ...names.map(({ length }) => length).filter((length) => length <= longestInColumn));
}

function twoColumns(name: string, text: string, width: number): string[] {
  const indent = ' '.repeat(width + 4);
  const lines = wrap(text, helpWidth - indent.length).map((line) => indent + line);
  if (name.length > width) return [`  ${name}`, ...lines];
  return [`  ${name.padEnd(width)}${lines[0]?.slice(width + 2) ?? ''}`, ...lines.slice(1)];
}

/** An option of a command, as help and documents show it. */
export interface OptionRow {
  key: string;
  flag: string;
  help: string;
  /** The first sentence of the help. */
  brief: string;
}

/** The options of a command by group, in the order of the table. */
export function groupsOf(
  options: Options,
  isShown: (option: Option) => boolean = () => true,
): { group: string; rows: OptionRow[] }[] {
  const shown = Object.entries(options).filter(([, option]) => isShown(option));
  const groups = Map.groupBy(shown, ([, { group = 'Options' }]) => group);
  return [...groups].map(([group, entries]) => ({ group, rows: entries.map(([key, option]) => rowOf(key, option)) }));
}

function rowOf(key: string, option: Option): OptionRow {
  const { short, name, help } = option;
  const notes = notesOf(option);
  return {
    key,
    flag: `${short === undefined ? '' : `-${short}, `}--${name}${placeholderOf(option)}`,
    help: `${help}${notes}`,
    brief: `${firstSentence(help)}${notes}`,
  };
}

function firstSentence(text: string): string {
  return text.split('. ', 1)[0] ?? text;
}

function placeholderOf({ kind, placeholder, values, bare }: Option): string {
  if (kind === 'switch') return '';
  const value = placeholder ?? values?.join('|') ?? '<value>';
  return bare === undefined ? ` ${value}` : `[=${value}]`;
}

/** ` (repeatable; default: demo)` */
function notesOf({ isRepeatable, separator, usualVariable, default: usual, defaultText }: Option): string {
  const shown = defaultText ?? usual;
  const notes = [
    ...(isRepeatable ? ['repeatable'] : []),
    ...(separator === undefined ? [] : ['in the environment variable, one per line']),
    ...(usualVariable === undefined ? [] : [`also read from ${usualVariable}`]),
    ...(shown === undefined ? [] : [`default: ${shown}`]),
  ];
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`;
}
