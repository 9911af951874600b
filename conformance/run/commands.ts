/*
 * The commands that a config may name: `commands.apiKey` prints a key, `commands.prepare` prepares the target before a
 * run, since a run uses fixtures up, and prints settings. Both run in the shell, in the current folder.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { hasGroups, signalGroup } from '../../lib/process-group.ts';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { yaml } from '../../lib/yaml.ts';
import { type Config, validatePrinted } from './settings.ts';
import { SuiteError } from './suite-error.ts';

/** Whether the target is prepared, the environment of the commands, and what ends them. */
interface Around {
  prepares: boolean;
  environment: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
}

type Name = keyof NonNullable<Config['commands']>;

/**
 * The config with what its commands print. `given`: flags and environment, which come first. Throws a
 * {@link SuiteError} (`CONFIG_INVALID`) if a command fails or prints something else.
 */
export async function withCommands(
  config: Config,
  given: Config,
  { prepares, environment: around, signal }: Around,
): Promise<Config> {
  const { commands = {}, ...rest } = config;
  const { timeLimitMs } = { ...rest, ...given };
  const limit = timeLimitMs === undefined ? [] : [AbortSignal.timeout(timeLimitMs)];
  const ending = AbortSignal.any([...(signal === undefined ? [] : [signal]), ...limit]);
  const environment = {
    ...around,
    ...toVariable('AGENT_PLATFORM_BASE_URL', given.baseUrl ?? rest.baseUrl),
  };
  const command = (given.apiKey ?? rest.apiKey) === undefined ? commands.apiKey : undefined;
  const printedKey =
    command === undefined ? {} : { apiKey: keyIn(await outputOf('apiKey', command, environment, ending)) };
  const keyed = { ...rest, ...printedKey };
  if (commands.prepare === undefined || !prepares) return keyed;
  const apiKey = given.apiKey ?? keyed.apiKey;
  const preparing = { ...environment, ...toVariable('AGENT_PLATFORM_API_KEY', apiKey) };
  return { ...keyed, ...parsePrinted(await outputOf('prepare', commands.prepare, preparing, ending)) };
}

function toVariable(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}

const graceMs = 2_000;

/**
 * What a command prints. The process waits for it without standing still: the target may run in it. Once `ending` is
 * aborted, it ends the command and all that it has started.
 */
async function outputOf(name: Name, command: string, env: Around['environment'], ending: AbortSignal): Promise<string> {
  const unstarted = (error: unknown) => failed(name, say`\`${command}\` cannot be started (${codeOf(error)}).`);
  const child = start(command, env, unstarted);
  let killing: NodeJS.Timeout | undefined;
  const end = () => {
    signalGroup(child, 'SIGTERM');
    killing = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  };
  ending.addEventListener('abort', end, { once: true });
  if (ending.aborted) end();
  const exited = new Promise<string | undefined>((resolve, reject) => {
    child.once('error', (error) => reject(unstarted(error)));
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });
  const [failure, stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  ending.removeEventListener('abort', end);
  clearTimeout(killing);
  if (ending.aborted) throw new SuiteError('STOPPED', say`commands.${own(name)}: ${whyEnded(command, ending)}`);
  if (failure === undefined) return stdout;
  const said = stderr.trim() === '' ? own('It printed nothing on standard error.') : say`${stderr.trim().slice(-1000)}`;
  throw failed(name, say`\`${command}\` ended with ${own(failure)}. ${said}`);
}

function start(command: string, env: Around['environment'], unstarted: (error: unknown) => SuiteError) {
  try {
    return spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'], detached: hasGroups });
  } catch (error) {
    throw unstarted(error);
  }
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code);

function whyEnded(command: string, { reason }: AbortSignal): Sentence {
  const isLimit = reason instanceof DOMException && reason.name === 'TimeoutError';
  return say`\`${command}\` was stopped${own(isLimit ? ' at the time limit of the run (--time-limit)' : '')}.`;
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
