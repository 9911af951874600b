import { didYouMean } from '../../lib/nearest.ts';
import type { Option } from '../../lib/options.ts';
import { packageVersion } from '../../lib/package-version.ts';
import { shownCommand, shownHelp } from '../../lib/shown-command.ts';
import { visible } from '../../lib/text.ts';
import { StartError } from '../app/start-error.ts';
import { secondWords } from './command-names.ts';
import { type Command, commandHelp, commands, generalHelp, wholeHelp } from './commands.ts';
import { errorExitCodes, exitCodeOfStart } from './exit-codes.ts';
import { environmentName, UsageError } from './read-options.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line. Returns the exit code; errors go to standard error. */
export function run(args: readonly string[], terminal: Terminal): Promise<number> {
  // Complaints quote files and servers: no escape sequence in them may reach a terminal.
  return runSaying(args, { ...terminal, complain: (text) => terminal.complain(visible(text)) });
}

async function runSaying(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    const name = findCommand(args)?.name;
    const help = name === undefined ? shownHelp() : shownCommand(name, ['--help']);
    if (error instanceof UsageError) terminal.complain(`${error.message}\nSee ${help}.`);
    else if (error instanceof StartError) terminal.complain(error.message + whereSought(error, terminal));
    else console.error(error);
    if (error instanceof UsageError) return errorExitCodes.usage;
    return error instanceof StartError ? exitCodeOfStart(error.code) : errorExitCodes.machine;
  }
}

/** npm runs its scripts in the folder of package.json, and not where the user is. */
function whereSought({ code }: StartError, { environment }: Terminal): string {
  const from = environment.INIT_CWD;
  if (code !== 'FILE_UNREADABLE' || from === undefined || from === process.cwd()) return '';
  return `\nnpm runs this in ${process.cwd()}: relative paths start there.`;
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name] = args;
  const print = (text: string) => {
    terminal.write(text);
    return 0;
  };
  const version = () => print(`${packageVersion()}\n`);
  if (name !== undefined && isVersion(name)) return version();
  if (name === undefined || isHelp(name)) return print(generalHelp());
  if (name === 'help') return dispatch([...args.slice(1), '--help'], terminal);
  const command = findCommand(args);
  if (command === undefined) throw new UsageError(unknownCommand(name));
  const rest = args.slice(command.name.split(' ').length);
  const end = rest.indexOf('--');
  // The command after -- may have a --help or --version of its own.
  const own = rest.slice(0, end < 0 ? undefined : end);
  const help = own.findIndex(isHelp);
  if (help >= 0) return print(own[help + 1] === 'all' ? wholeHelp(command) : commandHelp(command));
  if (own.some(isVersion)) return version();
  const [word = '-'] = rest;
  const hint = word.startsWith('-') ? '' : didYouMean(word, secondWords(command.name));
  if (hint !== '') throw new UsageError(`Unknown command after ${command.name}${hint}.`);
  warnOfVariables(terminal);
  return command.run(rest, terminal);
}

const prefix = environmentName({ name: '' });

/** Warns once of each environment variable with our prefix that belongs to no option of any command. */
function warnOfVariables({ environment, complain }: Terminal): void {
  const options = commands.flatMap((command) => Object.values<Option>(command.options));
  const known = ['BASE_URL', 'API_KEY', ...options.map((option) => environmentName(option).slice(prefix.length))];
  for (const name of Object.keys(environment)) {
    const word = name.slice(prefix.length);
    if (!name.startsWith(prefix) || known.includes(word)) continue;
    complain(`The environment variable ${name} has no effect${insteadOf(word, known)}.`);
  }
}

/** What to use in place of an unknown variable, if something is similar. */
function insteadOf(word: string, known: readonly string[]): string {
  // A switch that turns something off has no positive form.
  if (known.includes(`NO_${word}`)) return `: it is on by default. To turn it off, set ${prefix}NO_${word}=true`;
  return didYouMean(word, known).replace('mean ', `mean ${prefix}`);
}

/** The command that a command line names; its name may have two words. */
function findCommand([name, second]: readonly string[]): Command | undefined {
  const find = (wanted: string) => commands.find((candidate) => candidate.name === wanted);
  return find(`${name} ${second}`) ?? find(`${name}`);
}

function isHelp(argument: string): boolean {
  return argument === '--help' || argument === '-h';
}

function isVersion(argument: string): boolean {
  return argument === '--version' || argument === '-V';
}

function unknownCommand(name: string): string {
  if (name.startsWith('-')) return `The command comes first: agent-platform-contract <command> ${name} ...`;
  const names = commands.map((command) => command.name);
  return `There is no command "${name}"${didYouMean(name, names, `commands: ${names.join(', ')}`)}.`;
}
