import { type Config, loadConfig, resolveSettings, type Settings, secretsOf } from '../../conformance/index.ts';
import type { Discreet } from './discretion.ts';
import type { Chosen } from './options.ts';
import { UsageError } from './usage-error.ts';

/** The settings that were chosen: flags over environment over the file of `--config`. */
export function settingsFrom(chosen: Chosen, terminal: Discreet): Settings {
  const file = chosen.get('config');
  const config = typeof file === 'string' ? loadConfig(file) : {};
  const { apiKey = '', otherApiKey, headers = {} } = config;
  terminal.learn(secretsOf({ apiKey, otherApiKey, headers }));
  const settings = resolveSettings(config, givenBy(chosen));
  terminal.learn(secretsOf(settings));
  return settings;
}

function givenBy(chosen: Chosen): Config {
  const given: { [Name in keyof Config]: Config[Name] | undefined } = {
    baseUrl: text(chosen, 'base-url'),
    apiKey: text(chosen, 'api-key'),
    otherApiKey: text(chosen, 'other-api-key'),
    headers: headersFrom((chosen.get('header') as string[] | undefined) ?? []),
    allowWrites: flag(chosen, 'allow-writes'),
    allowDestructive: flag(chosen, 'allow-destructive'),
    timeoutMs: number(chosen, 'timeout'),
    settleMs: number(chosen, 'settle'),
    maxRequests: number(chosen, 'max-requests'),
    randomSeed: number(chosen, 'random-seed'),
    hostMcpServer: flag(chosen, 'host-mcp-server') ?? (chosen.has('host-mcp-url') ? true : undefined),
    hostMcpUrl: text(chosen, 'host-mcp-url'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Config;
}

/** A chosen text. */
export function text(chosen: Chosen, name: string): string | undefined {
  return chosen.get(name) as string | undefined;
}

/** A switch; undefined when nobody touched it. */
export function flag(chosen: Chosen, name: string): boolean | undefined {
  return chosen.get(name) as boolean | undefined;
}

/** The values of an option that may stand several times. */
export function list(chosen: Chosen, name: string): string[] {
  return (chosen.get(name) as string[] | undefined) ?? [];
}

function number(chosen: Chosen, name: string): number | undefined {
  return chosen.get(name) as number | undefined;
}

// What is wrong is said without the text: it may be a secret.
function headersFrom(lines: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const end = line.indexOf(':');
    if (end < 1) throw new UsageError("--header is written as 'Name: value'.");
    const name = line.slice(0, end).trim();
    if ([...headers.keys()].some((known) => known.toLowerCase() === name.toLowerCase())) {
      throw new UsageError(`--header ${name} stands twice; once is enough.`);
    }
    headers.set(name, line.slice(end + 1).trim());
  }
  return Object.fromEntries(headers);
}

/** Whether to colour: on a terminal, unless the user wants none. */
export function wantsColor(chosen: Chosen, terminal: Discreet): boolean {
  const isUnwanted = flag(chosen, 'no-color') === true || (terminal.environment.NO_COLOR ?? '') !== '';
  return terminal.isInteractive && !isUnwanted;
}
