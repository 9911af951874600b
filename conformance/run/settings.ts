// The config of a run: its file, its settings, and the choices that it requires.
import { readFileSync } from 'node:fs';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isPlainObject } from '../../lib/options.ts';
import { excerpt, joined, own, type Sentence, say } from '../../lib/sentence.ts';
import type { DataViolation } from '../../openapi/contract/data-file.ts';
import { byCase, parseChoice, validateChoice, validateChoices, withoutSchema } from '../../openapi/contract/profile.ts';
import { keyHeaders } from '../../openapi/contract/security.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import type { Choice } from '../../openapi/points/open-point.ts';
import { notSeen } from '../observe/not-seen.ts';
import { loadChecked, loadValid, requireObject, SuiteError, violationsOf } from './suite-error.ts';

const longestShown = 200;

/** Why choices cannot be required: they are not legal, or cannot be seen from outside. */
function choiceViolations(required: Config['require'] = {}): DataViolation[] {
  // The schema says so.
  if (!isPlainObject(required)) return [];
  const illegal = validateChoices(loadOpenPoints(), required).map(({ location, message }) => {
    return { location: ['require', ...location], message: `is invalid: ${message}` };
  });
  const unseen = Object.keys(flat(required)).flatMap((id) => {
    const reason = Object.hasOwn(notSeen, id) ? notSeen[id as keyof typeof notSeen] : undefined;
    return reason === undefined
      ? []
      : [{ location: ['require', id], message: `cannot be seen from outside. ${reason}` }];
  });
  return [...illegal, ...unseen];
}

/** The choices of `--require`: each value is `<open point>=<choice>`, or a profile file. Throws a {@link SuiteError}. */
export function parseRequired(values: readonly string[]): Record<string, Choice> {
  return Object.fromEntries(values.flatMap((value) => (isAssignment(value) ? parsed(value) : fromProfile(value))));
}

const isAssignment = (value: string) => /^[\w.-]*=/.test(value);

function parsed(text: string): [string, Choice][] {
  const end = text.indexOf('=');
  const id = text.slice(0, end);
  const choices = flat({ [id]: parseChoice(loadOpenPoints(), id, text.slice(end + 1)) });
  const [violation] = choiceViolations(choices);
  if (violation === undefined) return Object.entries(choices);
  const message = String(violation.message).replace(/^is invalid: /, '');
  throw new SuiteError('OPTION_INVALID', say`--require ${excerpt(text, longestShown)}: ${own(message)}`);
}

// A choice that cannot be seen from outside is not an error in a profile: the mock uses it.
function fromProfile(file: string): [string, Choice][] {
  if (loadOpenPoints().some(({ id }) => id === file || id.startsWith(`${file}.`)))
    throw new SuiteError('OPTION_INVALID', say`--require ${file}: use <open point>=<choice>, or name a profile file.`);
  const profile = loadChecked<Config['require']>(file, 'CONFIG_INVALID', (value) =>
    validateChoices(loadOpenPoints(), withoutSchema(value)).map(({ location, message }) => {
      return { location, message: `is invalid: ${message}` };
    }),
  );
  return Object.entries(flat(withoutSchema(profile))).filter(([id]) => !Object.hasOwn(notSeen, id));
}

/** One choice for each case of an open point. */
function flat(required: unknown): Record<string, Choice> {
  return byCase(loadOpenPoints(), required ?? {}) as Record<string, Choice>;
}

/** A file on the target that the suite may use. */
export interface FileFixture {
  driveId: string;
  id: string;
}

/** Data on the target that the suite may use and cannot find itself. */
export interface Fixtures {
  /** An agent, and one of its revisions that may be published. */
  agent?: { id: string; revisionId: string };
  /** Files that may be moved; they are moved back. */
  files?: FileFixture[];
  /** Files that may be moved and deleted. */
  disposableFiles?: FileFixture[];
  /** An MCP server, and an id of the same form that no MCP server has. */
  mcpServer?: { id: string; unknownId?: string };
}

/** The content of a config file. Its schema is `config.schema.json`, with bounds, defaults and descriptions. */
export interface Config {
  baseUrl?: string;
  targetName?: string;
  apiKey?: string;
  otherApiKey?: string;
  headers?: Record<string, string>;
  requestIdHeader?: string;
  allowWrites?: boolean;
  allowDestructive?: boolean;
  fixtures?: Fixtures;
  openPoints?: { treePathParameter?: string; foreignResources?: 'hidden' | 'shared' };
  /** Commands of the shell: see `commands.ts`. */
  commands?: { apiKey?: string; prepare?: string };
  timeoutMs?: number;
  settleMs?: number;
  maxRequests?: number;
  timeLimitMs?: number;
  rate?: number;
  maxWaitMs?: number;
  concurrency?: number;
  randomSeed?: number;
  walk?: number;
  volume?: boolean;
  hostMcpServer?: boolean;
  hostMcpUrl?: string;
  require?: Record<string, Choice | Record<string, Choice>>;
}

/** The settings of a run, with all defaults. */
export interface Settings
  extends Required<
    Omit<
      Config,
      | ('targetName' | 'otherApiKey' | 'headers' | 'openPoints' | 'commands' | 'hostMcpUrl' | 'baseUrl' | 'require')
      | ('timeLimitMs' | 'rate')
    >
  > {
  /** Does not end with a slash. */
  baseUrl: string;
  targetName: string | undefined;
  otherApiKey: string | undefined;
  headers: Readonly<Record<string, string>>;
  treePathParameter: string | undefined;
  /** Whether the target declares that organizations share resources by id. */
  foreignResources: 'hidden' | 'shared';
  /** For the whole run; undefined if it has no limit. */
  timeLimitMs: number | undefined;
  /** The maximum number of requests per second; undefined if there is no limit. */
  rate: number | undefined;
  /** The URL at which the target reaches the hosted MCP server, if not the loopback address. */
  hostMcpUrl: string | undefined;
  /** What the target must choose at some open points. */
  require: Readonly<Record<string, Choice>>;
  /** The keys that the config sets, not the defaults. */
  given?: readonly string[];
}

/** The schema of a config. */
const configSchema = new URL('../config.schema.json', import.meta.url);

type WithNumber = 'timeoutMs' | 'settleMs' | 'maxRequests' | 'maxWaitMs' | 'concurrency' | 'randomSeed' | 'walk';

interface Defaults {
  properties: Record<WithNumber, { default: number }> & Record<'requestIdHeader', { default: string }>;
}

/** The settings of a config. Throws a {@link SuiteError} (`OPTION_INVALID`) for unknown keys and wrong values. */
export function toSettings(config: Config & { baseUrl: string; apiKey: string }): Settings {
  requireValid(config);
  const missing = (['baseUrl', 'apiKey'] as const).filter((key) => config[key] === undefined);
  if (missing.length > 0) throw new SuiteError('OPTION_INVALID', `The config must have ${missing.join(' and ')}.`);
  if (config.commands !== undefined)
    throw new SuiteError(
      'OPTION_INVALID',
      'commands are for the command line. In code, prepare the target first, for example in a function that returns the config.',
    );
  const usual = (JSON.parse(readFileSync(configSchema, 'utf8')) as Defaults).properties;
  const { origin, pathname } = new URL(config.baseUrl);
  return {
    baseUrl: origin + pathname.replace(/(?<!\/)\/+$/, ''),
    targetName: config.targetName,
    apiKey: config.apiKey,
    otherApiKey: config.otherApiKey,
    headers: config.headers ?? {},
    requestIdHeader: config.requestIdHeader ?? usual.requestIdHeader.default,
    allowWrites: config.allowWrites ?? false,
    allowDestructive: config.allowDestructive ?? false,
    fixtures: config.fixtures ?? {},
    treePathParameter: config.openPoints?.treePathParameter,
    foreignResources: config.openPoints?.foreignResources ?? 'hidden',
    timeoutMs: config.timeoutMs ?? usual.timeoutMs.default,
    settleMs: config.settleMs ?? usual.settleMs.default,
    maxRequests: config.maxRequests ?? usual.maxRequests.default,
    timeLimitMs: config.timeLimitMs,
    rate: config.rate,
    maxWaitMs: config.maxWaitMs ?? usual.maxWaitMs.default,
    concurrency: config.concurrency ?? usual.concurrency.default,
    randomSeed: config.randomSeed ?? usual.randomSeed.default,
    walk: config.walk ?? usual.walk.default,
    volume: config.volume ?? false,
    hostMcpServer: config.hostMcpServer ?? config.hostMcpUrl !== undefined,
    hostMcpUrl: config.hostMcpUrl,
    require: flat(config.require),
    given: Object.keys(config).filter((key) => config[key as keyof Config] !== undefined),
  };
}

/** Throws a {@link SuiteError} (`OPTION_INVALID`) unless these are the settings of {@link toSettings}. */
export function requireSettings(settings: Settings): void {
  requireObject(settings, 'settings');
  const { baseUrl, apiKey, timeoutMs, headers } = settings as Partial<Settings>;
  if (typeof baseUrl === 'string' && typeof apiKey === 'string' && timeoutMs !== undefined && headers !== undefined)
    return;
  throw new SuiteError('OPTION_INVALID', 'settings must come from toSettings(config), which adds the defaults.');
}

/** Throws a {@link SuiteError} (`OPTION_INVALID`) for unknown keys and wrong values. */
function requireValid(config: Config): void {
  requireObject(config, 'The config');
  const violations = [...violationsOf(configSchema, config), ...violationsIn(config)];
  if (violations.length > 0) throw new SuiteError('OPTION_INVALID', joined(violations.map(inWords), '\n'));
}

const titles: Record<string, string> = {
  baseUrl: 'The base URL',
  apiKey: 'The API key',
  otherApiKey: 'The API key of the second organization',
  hostMcpUrl: 'The URL of --host-mcp-url',
  requestIdHeader: 'The header for request ids',
};

function inWords({ location, message }: DataViolation): Sentence {
  const [place = '', name] = location.map(String);
  const named = place === 'headers' && name !== undefined ? say`The header ${name}` : say`${location.join('.')}`;
  const title = titles[place];
  return say`${title === undefined ? named : own(title)} ${typeof message === 'string' ? own(message) : message}.`;
}

/** What a drafted config has in place of values that only the user knows. */
export const fillIn = 'FILL IN';

/** The violations of rules that no schema can express. */
function violationsIn(config: Config): DataViolation[] {
  const unfilled = unfilledIn(config, []);
  return unfilled.length > 0 ? unfilled : wrongValues(config);
}

function unfilledIn(value: unknown, location: DataViolation['location']): DataViolation[] {
  if (value === fillIn) return [{ location, message: `is still ${fillIn}: replace it, or remove the entry` }];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, one]) => unfilledIn(one, [...location, isList ? Number(key) : key]));
}

function wrongValues(config: Config): DataViolation[] {
  const about = (
    key: 'baseUrl' | 'apiKey' | 'otherApiKey' | 'hostMcpUrl' | 'requestIdHeader',
    rule: (text: string) => Complaint,
  ) => {
    const value = config[key];
    const message = typeof value === 'string' ? rule(value) : undefined;
    return message === undefined ? [] : [{ location: [key], message }];
  };
  const sameKey = 'must differ from the first key and belong to a second organization';
  return [
    ...about('baseUrl', baseUrlComplaint),
    ...about('apiKey', keyComplaint),
    ...about('otherApiKey', (key) => keyComplaint(key) ?? (key === config.apiKey ? sameKey : undefined)),
    ...about('hostMcpUrl', urlComplaint),
    ...about('requestIdHeader', (name) => headerComplaint(name, '')),
    ...headerViolations(config.headers ?? {}),
    ...treePathParameter(config),
    ...duplicateFiles(config),
    ...choiceViolations(config.require),
  ];
}

/** An error text that follows the name of the value. It never quotes the value. */
type Complaint = string | undefined;

function urlComplaint(text: string): Complaint {
  if (!/^https?:\/\//i.test(text)) return 'must start with http:// or https://';
  return URL.canParse(text) ? undefined : 'must be a URL, such as http://127.0.0.1:8080/v0.1';
}

function baseUrlComplaint(text: string): Complaint {
  const complaint = urlComplaint(text);
  if (complaint !== undefined) return complaint;
  const { username, password } = new URL(text);
  if (username !== '' || password !== '')
    return 'must not contain a user or a password; for a gateway, send a header instead';
  if (text.includes('#')) return 'must not have a fragment (#)';
  return text.includes('?') ? 'must not have a query (?)' : undefined;
}

function keyComplaint(text: string): Complaint {
  if (/^[!-~]+$/.test(text)) return undefined;
  return text === ''
    ? 'must not be empty'
    : 'must be printable ASCII without spaces or line breaks, because it is sent in a header';
}

// The suite sets these itself, and omits the key on purpose.
const ownHeaders: readonly string[] = keyHeaders.map((name) => name.toLowerCase());
const framingHeaders = ['content-type', 'content-length', 'transfer-encoding', 'connection', 'expect', 'upgrade'];

function headerViolations(headers: NonNullable<Config['headers']>): DataViolation[] {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return Object.entries(headers).flatMap(([name, value], index) => {
    const isTwice = names.indexOf(name.toLowerCase()) !== index;
    const message = isTwice ? 'is given twice' : headerComplaint(name, value);
    return message === undefined ? [] : [{ location: ['headers', name], message }];
  });
}

function headerComplaint(name: string, value: string): Complaint {
  const lower = name.toLowerCase();
  if (throws(() => validateHeaderName(name))) return 'is not a header name';
  if (ownHeaders.includes(lower)) return 'is set by the suite itself; remove it';
  if (framingHeaders.includes(lower)) return 'is set by the suite for each request; remove it';
  return throws(() => validateHeaderValue(name, value)) ? 'has a value with illegal characters' : undefined;
}

function throws(validate: () => void): boolean {
  try {
    validate();
    return false;
  } catch {
    return true;
  }
}

function treePathParameter({ openPoints }: Config): DataViolation[] {
  const { treePathParameter: name } = openPoints ?? {};
  if (name === undefined) return [];
  return validateChoice(loadOpenPoints(), 'treePathParameter', name).map(({ message }) => ({
    location: ['openPoints', 'treePathParameter'],
    message: `is invalid: ${message}`,
  }));
}

// A deleted file cannot be moved back.
function duplicateFiles({ fixtures }: Config): DataViolation[] {
  const named = (['files', 'disposableFiles'] as const).flatMap((list) =>
    (fixtures?.[list] ?? []).map(({ driveId, id }, index) => ({ key: JSON.stringify([driveId, id]), list, index })),
  );
  const firsts = new Map(named.toReversed().map((each) => [each.key, each]));
  return named.flatMap((each) => {
    const { key, list, index } = each;
    const first = firsts.get(key);
    if (first === undefined || first === each) return [];
    const message = `is the same file as fixtures.${first.list}.${first.index}`;
    return [{ location: ['fixtures', list, index], message }];
  });
}

/** The config in a YAML or JSON file. Throws a {@link SuiteError} with line and column of each error. */
export function loadConfig(file: string): Config {
  const { $schema, ...config } = loadValid<Config & { $schema?: string }>(
    file,
    configSchema,
    'CONFIG_INVALID',
    violationsIn,
  );
  return config;
}

/** The errors of settings that a command has printed. */
export function validatePrinted(value: unknown): DataViolation[] {
  const violations = violationsOf(configSchema, value);
  if (violations.length > 0) return violations;
  const unfit = Object.keys(value as Config).filter((key) => !printable.includes(key));
  return unfit.length > 0
    ? unfit.map((key) => ({ location: [key], message: `cannot be printed by a command, only ${printable.join(', ')}` }))
    : violationsIn(value as Config);
}

const printable = ['baseUrl', 'apiKey', 'otherApiKey', 'headers', 'fixtures', 'openPoints', 'targetName'];

/** The settings of a run: flags and environment (`given`) over the config file. */
export function resolveSettings(file: Config, given: Config): Settings {
  requireObject(file, 'The config of the file');
  requireObject(given, 'The given config');
  const headers = mergedHeaders(file.headers, given.headers);
  const config = { ...file, ...given, headers, require: { ...flat(file.require), ...flat(given.require) } };
  const { baseUrl, apiKey } = config;
  if (baseUrl !== undefined && apiKey !== undefined) return toSettings({ ...config, baseUrl, apiKey });
  requireValid(config);
  const lines = [
    ...(baseUrl === undefined
      ? ['There is no base URL: use --base-url <url>, AGENT_PLATFORM_BASE_URL, or baseUrl in the file of --config.']
      : []),
    ...(apiKey === undefined
      ? ['There is no API key: use AGENT_PLATFORM_API_KEY, apiKey in the file of --config, or --api-key <key>.']
      : []),
  ];
  throw new SuiteError('CONFIG_INVALID', lines.join('\n'));
}

// Header names are case-insensitive.
function mergedHeaders(file: Config['headers'] = {}, given: Config['headers'] = {}): Record<string, string> {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const others = Object.entries(file).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(others), ...given };
}
