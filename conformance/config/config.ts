import type { DataViolation } from '../../openapi/contract/data-file.ts';
import { loadOpenPoints } from '../../openapi/contract/load.ts';
import { validateChoice } from '../../openapi/contract/profile.ts';
import { SuiteError } from '../suite-error.ts';
import { baseUrlComplaint, type Complaint, headerComplaint, keyComplaint, urlComplaint } from './config-rules.ts';
import { loadValid } from './data-files.ts';
import { type Config, type FileFixture, type Settings, toSettings } from './settings.ts';

const schema = new URL('../config.schema.json', import.meta.url);

/** The config that a YAML or JSON file holds; a {@link SuiteError} says with line and column what is wrong with it. */
export function loadConfig(file: string): Config {
  const { $schema, ...config } = loadValid<Config & { $schema?: string }>(file, schema, 'CONFIG_INVALID', violationsIn);
  return config;
}

/** The settings of a run: what was `given` by flags and environment, over what the file says. */
export function resolveSettings(file: Config, given: Config): Settings {
  const config = { ...file, ...given, headers: mergedHeaders(file.headers, given.headers) };
  const violations = violationsIn(config);
  if (violations.length > 0) throw new SuiteError('OPTION_INVALID', violations.map(inWords).join('\n'));
  const { baseUrl, apiKey } = config;
  if (baseUrl === undefined || apiKey === undefined) throw missing(baseUrl, apiKey);
  return toSettings({ ...config, baseUrl: plainUrl(baseUrl), apiKey });
}

function missing(baseUrl: string | undefined, apiKey: string | undefined): SuiteError {
  const lines = [
    ...(baseUrl === undefined
      ? ['There is no base URL: give --base-url <url>, AGENT_PLATFORM_BASE_URL, or baseUrl in the file of --config.']
      : []),
    ...(apiKey === undefined
      ? ['There is no API key: set AGENT_PLATFORM_API_KEY, or give apiKey in the file of --config, or --api-key <key>.']
      : []),
  ];
  return new SuiteError('CONFIG_INVALID', lines.join('\n'));
}

const titles: Record<string, string> = {
  baseUrl: 'The base URL',
  apiKey: 'The API key',
  otherApiKey: 'The API key of the second organization',
  hostMcpUrl: 'The URL of --host-mcp-url',
};

function inWords({ location, message }: DataViolation): string {
  const [place = '', name] = location.map(String);
  return `${place === 'headers' && name !== undefined ? `The header ${name}` : (titles[place] ?? location.join('.'))} ${message}.`;
}

/** The URL without a closing slash, in its canonical spelling. */
function plainUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/+$/, '');
}

// Names of headers are the same in upper and lower case.
function mergedHeaders(
  file: Config['headers'] = {},
  given: NonNullable<Config['headers']> = {},
): NonNullable<Config['headers']> {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const kept = Object.entries(file).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...given };
}

/** What no schema can say. */
function violationsIn(config: Config): DataViolation[] {
  return [
    ...about(config.baseUrl, baseUrlComplaint, ['baseUrl']),
    ...about(config.apiKey, keyComplaint, ['apiKey']),
    ...about(config.otherApiKey, keyComplaint, ['otherApiKey']),
    ...about(config.hostMcpUrl, urlComplaint, ['hostMcpUrl']),
    ...sameKeys(config),
    ...headerViolations(config.headers ?? {}),
    ...treePathParameter(config),
    ...twiceNamed(config),
  ];
}

function about(value: string | undefined, rule: (text: string) => Complaint, location: string[]): DataViolation[] {
  const message = value === undefined ? undefined : rule(value);
  return message === undefined ? [] : [{ location, message }];
}

function sameKeys({ apiKey, otherApiKey }: Config): DataViolation[] {
  if (otherApiKey === undefined || otherApiKey !== apiKey) return [];
  return [{ location: ['otherApiKey'], message: 'must be another key, of a second organization' }];
}

function headerViolations(headers: NonNullable<Config['headers']>): DataViolation[] {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return Object.entries(headers).flatMap(([name, value], index) => {
    const isTwice = names.indexOf(name.toLowerCase()) !== index;
    const message = isTwice ? 'stands twice' : headerComplaint(name, value);
    return message === undefined ? [] : [{ location: ['headers', name], message }];
  });
}

function treePathParameter({ openPoints }: Config): DataViolation[] {
  const { treePathParameter: name } = openPoints ?? {};
  if (name === undefined) return [];
  return validateChoice(loadOpenPoints(), 'treePathParameter', name).map(({ message }) => ({
    location: ['openPoints', 'treePathParameter'],
    message: `is not right: ${message}`,
  }));
}

// A file that is deleted cannot be moved back.
function twiceNamed({ fixtures }: Config): DataViolation[] {
  const named = (['files', 'disposableFiles'] as const).flatMap((list) =>
    (fixtures?.[list] ?? []).map((file, index) => ({ key: keyOf(file), list, index })),
  );
  return named.flatMap(({ key, list, index }, place) => {
    const first = named.find((other) => other.key === key);
    if (first === undefined || first === named[place]) return [];
    return [
      { location: ['fixtures', list, index], message: `is the same file as fixtures.${first.list}.${first.index}` },
    ];
  });
}

function keyOf({ driveId, id }: FileFixture): string {
  return JSON.stringify([driveId, id]);
}
