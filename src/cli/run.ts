import { nearest } from '../../openapi/contract/nearest.ts';
import { packageVersion } from '../../openapi/contract/package-version.ts';
import { StartError, type StartErrorCode } from '../http/start-error.ts';
import { type Command, commandHelp, commands, generalHelp } from './commands.ts';
import { beforeDashes } from './options.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

// What the user can mend by writing something else. The rest depends on the machine.
const usageCodes: readonly StartErrorCode[] = [
  'FILE_UNREADABLE',
  'FILE_MALFORMED',
  'SEED_INVALID',
  'PROFILE_INVALID',
  'OPTION_INVALID',
];

/** Runs one command line. The exit code; what went wrong is said on standard error. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const complain = (message: string, exitCode: number) => {
    terminal.complain(message);
    return exitCode;
  };
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    if (error instanceof UsageError) return complain(`${error.message}\nagent-platform --help says more.`, 2);
    if (error instanceof StartError) return complain(error.message, usageCodes.includes(error.code) ? 2 : 1);
    console.error(error);
    return 1;
  }
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name] = args;
  if (name === '--version' || name === '-V') return say(`${packageVersion()}\n`, terminal);
  if (name === undefined || isHelp(name)) return say(generalHelp(), terminal);
  const command = meantBy(args);
  if (command === undefined) throw new UsageError(unknownCommand(name));
  const rest = args.slice(command.name.split(' ').length);
  if (beforeDashes(rest).some(isHelp)) return say(commandHelp(command), terminal);
  requireNoStray(command, rest[0]);
  return command.run(rest, terminal);
}

function say(text: string, terminal: Terminal): number {
  terminal.write(text);
  return 0;
}

/** The command whose name, of one word or two, the arguments begin with. */
function meantBy([first, second]: readonly string[]): Command | undefined {
  const named = (name: string) => commands.find((candidate) => candidate.name === name);
  return named(`${first} ${second}`) ?? named(first ?? '');
}

/** Throws when a word follows that looks like the second word of a command, misspelt. */
function requireNoStray({ name }: Command, word: string | undefined): void {
  const seconds = commands.flatMap((command) =>
    command.name.startsWith(`${name} `) ? [command.name.split(' ')[1] ?? ''] : [],
  );
  if (word === undefined || word.startsWith('-') || seconds.length === 0) return;
  const meant = nearest(word, seconds);
  if (meant !== undefined) throw new UsageError(`There is no such command. Did you mean ${name} ${meant}?`);
}

function isHelp(argument: string): boolean {
  return argument === '--help' || argument === '-h';
}

function unknownCommand(name: string): string {
  if (name.startsWith('-')) return `The command comes first: agent-platform <command> ${name} ...`;
  const names = commands.map((command) => command.name);
  const meant = nearest(name, names);
  return `There is no command "${name}". ${meant === undefined ? `There is: ${names.join(', ')}.` : `Did you mean ${meant}?`}`;
}
