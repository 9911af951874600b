import { nearest } from '../../openapi/contract/nearest.ts';
import { StartError, type StartErrorCode } from '../http/start-error.ts';
import { commandHelp, commands, generalHelp } from './commands.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { packageVersion } from './version.ts';

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
  try {
    await dispatch(args, terminal);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) return complain(`${error.message}\nagent-platform --help says more.`, 2);
    if (error instanceof StartError) return complain(error.message, usageCodes.includes(error.code) ? 2 : 1);
    console.error(error);
    return 1;
  }
}

function complain(message: string, exitCode: number): number {
  console.error(message);
  return exitCode;
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<void> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-V') return terminal.write(`${packageVersion()}\n`);
  if (name === undefined || isHelp(name)) return terminal.write(generalHelp());
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) throw new UsageError(unknownCommand(name));
  if (rest.some(isHelp)) return terminal.write(commandHelp(command));
  await command.run(rest, terminal);
}

function isHelp(argument: string): boolean {
  return argument === '--help' || argument === '-h';
}

function unknownCommand(name: string): string {
  if (name.startsWith('-')) return `The command comes first: agent-platform mock ${name} ...`;
  const names = commands.map((command) => command.name);
  const meant = nearest(name, names);
  return `There is no command "${name}". ${meant === undefined ? `There is: ${names.join(', ')}.` : `Did you mean ${meant}?`}`;
}
