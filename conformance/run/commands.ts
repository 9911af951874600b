/*
 * The commands that a config may name: `commands.apiKey` prints a key, `commands.prepare` prepares the target before a
 * run, since a run uses fixtures up, and prints settings. Both run in the shell, in the current folder.
 */
import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { yaml } from '../../lib/yaml.ts';
import { type Config, validatePrinted } from './settings.ts';
import { SuiteError } from './suite-error.ts';

/** Whether the target is prepared, and the environment of the commands. */
interface Around {
  prepares: boolean;
  environment: Readonly<Record<string, string | undefined>>;
}

type Name = keyof NonNullable<Config['commands']>;

/**
 * The config with what its commands print. `given`: flags and environment, which come first. Throws a
 * {@link SuiteError} (`CONFIG_INVALID`) if a command fails or prints something else.
 */
export async function withCommands(
  config: Config,
  given: Config,
  { prepares, environment: around }: Around,
): Promise<Config> {
  const { commands = {}, ...rest } = config;
  const environment = {
    ...around,
    ...toVariable('AGENT_PLATFORM_BASE_URL', given.baseUrl ?? rest.baseUrl),
  };
  const command = (given.apiKey ?? rest.apiKey) === undefined ? commands.apiKey : undefined;
  const printedKey = command === undefined ? {} : { apiKey: keyIn(await outputOf('apiKey', command, environment)) };
  const keyed = { ...rest, ...printedKey };
  if (commands.prepare === undefined || !prepares) return keyed;
  const apiKey = given.apiKey ?? keyed.apiKey;
  const printed = await outputOf('prepare', commands.prepare, {
    ...environment,
    ...toVariable('AGENT_PLATFORM_API_KEY', apiKey),
  });
  return { ...keyed, ...parsePrinted(printed) };
}

function toVariable(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}

/** What a command prints. The process waits for it without standing still: the target may run in it. */
async function outputOf(name: Name, command: string, env: Around['environment']): Promise<string> {
  try {
    const { stdout } = await promisify(exec)(command, { env, maxBuffer: 16 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { code, signal, stderr = '' } = error as { code?: unknown; signal?: string | null; stderr?: string };
    throw failed(name, say`\`${command}\` ended with ${signal ?? `exit code ${code}`}. ${stderr.trim().slice(-1000)}`);
  }
}

/** The key that a command prints. What it printed is not quoted: a part may be the key. */
function keyIn(text: string): string {
  const key = text.trim();
  const printed = key === '' ? 'nothing' : /\s/.test(key) ? `${key.split(/\s+/).length} words` : undefined;
  if (printed === undefined) return key;
  throw failed('apiKey', say`it must print the key on standard output and nothing else. It printed ${own(printed)}.`);
}

function parsePrinted(text: string): Config {
  const value = settingsIn(text);
  const violations = validatePrinted(value);
  const [violation] = violations;
  if (violation === undefined) return value as Config;
  const place = violation.location.join('.');
  const { message } = violation;
  const what = typeof message === 'string' ? own(message) : message;
  throw failed('prepare', say`it printed settings that are not valid: ${place === '' ? 'the output' : place} ${what}.`);
}

function settingsIn(text: string): unknown {
  try {
    return yaml().parse(text) ?? {};
  } catch {
    throw failed(
      'prepare',
      say`it must print settings as YAML or JSON and nothing else. It printed ${text.slice(0, 200)}`,
    );
  }
}

function failed(name: Name, why: Sentence): SuiteError {
  return new SuiteError('CONFIG_INVALID', say`commands.${own(name)}: ${why}`);
}
