import { toCurlCommand } from '../../lib/curl.ts';
import { isSecretHeader, type Secret } from '../../lib/secrets.ts';
import { inQuotes } from '../../lib/text.ts';
import type { keyHeaders } from '../../openapi/contract/security.ts';
import type { Settings } from '../run/settings.ts';
import type { Exchange } from './reply.ts';

/** A change to a key: how the result is shown after the key's name, and how a POSIX shell derives it. */
interface NearKey {
  shown: string;
  change(key: string): string;
  shell(variable: string): string;
}

/** The key without its last character. */
export function shortened(key: string): string {
  return key.slice(0, -1);
}

/** The key with one more character. */
export function extended(key: string): string {
  return `${key}x`;
}

/** The key in upper case, or in lower case if it has no lower-case letters. */
export function inOtherCase(key: string): string {
  return key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase();
}

/** The key with a different first character. */
export function withOtherStart(key: string): string {
  return `~${key.slice(1)}`;
}

const translated = (variable: string, from: string, to: string) =>
  `"$(printf %s "$${variable}" | tr '[:${from}:]' '[:${to}:]')"`;

/** The last character replaced by a wildcard, or by a different one. */
const endings: Readonly<Record<string, string>> = {
  _: 'with _ for its last character',
  '%': 'with % for its last character',
  '*': 'with * for its last character',
  '.': 'with . for its last character',
  '~': 'with another end',
};

/** Near keys that do not contain the key: one that a target accepts must not be shown. */
export const changedKeys: readonly NearKey[] = [
  { shown: 'without its last character', change: shortened, shell: (name) => `"\${${name}%?}"` },
  { shown: 'without its first character', change: (key) => key.slice(1), shell: (name) => `"\${${name}#?}"` },
  { shown: 'in upper case', change: (key) => key.toUpperCase(), shell: (name) => translated(name, 'lower', 'upper') },
  { shown: 'in lower case', change: (key) => key.toLowerCase(), shell: (name) => translated(name, 'upper', 'lower') },
  { shown: 'with another start', change: withOtherStart, shell: (name) => `"~\${${name}#?}"` },
  { shown: 'with _ for its first character', change: (key) => `_${key.slice(1)}`, shell: (name) => `"_\${${name}#?}"` },
  ...Object.entries(endings).map(([end, shown]) => ({
    shown,
    change: (key: string) => shortened(key) + end,
    shell: (name: string) => `"\${${name}%?}${end}"`,
  })),
];

/** A key that is not valid, and its description without any part of a secret. */
export interface WrongKey {
  value: string;
  kind: string;
}

/** A kind of wrong keys, and how to derive one from a key. */
type Kind = readonly [kind: string, change: (key: string) => string];

const behind = (text: string): Kind => [`the key with ${text} behind it`, (key) => key + text];
const ahead = (text: string): Kind => [`the key with ${text} before it`, (key) => text + key];
const only = (text: string): Kind => [`${text} as the key`, () => text];
const each = (sign: string): Kind => [`the key with ${sign} for each character`, (key) => sign.repeat(key.length)];

/** Texts around a key with which a lookup by substring, pattern or SQL may still find it. */
const around: readonly Kind[] = [
  ...[ahead('x'), behind('%'), behind('*'), ahead('%'), behind('.x'), behind(':x'), behind('='), behind("'--")],
  ahead("x'OR'1'='1'--"),
  ['the key in quotes', (key) => `"${key}"`],
  ['the key twice', (key) => key + key],
];

/** Keys that nobody has, but that careless lookups accept: patterns, and texts that stand for missing values. */
const strangers: readonly Kind[] = [
  ...['%', '*', '.*', "'OR'1'='1", 'null', 'undefined', 'true', '0'].map(only),
  ...['_', '.', '%'].map(each),
];

/** Keys made of halves of two keys: each as long as one of them, but equal to neither. */
export function mixed(key: string, other: string): string[] {
  const half = (text: string) => Math.floor(text.length / 2);
  const start = key.slice(0, half(key));
  const end = other.slice(half(other));
  // A short part may be any word.
  return start.length < shortestPart || end.length < shortestPart ? [] : [start + end];
}

const shortestPart = 4;

/** All keys that are nearly this one, or may pass for any, the kinds in turn. None is this key. */
export function keysNear(key: string): WrongKey[] {
  const changes = changedKeys.flatMap(({ shown, change }, index): (Kind | undefined)[] => [
    ...[[`the key ${shown}`, change] as const, around[index], strangers[index]],
  ]);
  const all = changes.filter((one) => one !== undefined).map(([kind, change]) => ({ value: change(key), kind }));
  return all.filter(({ value }, index) => {
    const isFirst = all.findIndex((one) => one.value === value) === index;
    return isFirst && value !== key && value !== '' && value.trim() === value;
  });
}

/** The two headers that carry a key (section 5). */
export type AuthHeaderName = 'header' | 'bearer';

export const otherAuthHeader: Readonly<Record<AuthHeaderName, AuthHeaderName>> = { header: 'bearer', bearer: 'header' };

/** The credentials of one request. */
export interface Credentials {
  headers: Readonly<Record<string, string>>;
  /** Whether they are valid, for either organization. */
  isValid: boolean;
  /** What is sent in place of a valid key, in words without any part of a secret. */
  kind?: string;
}

export const noKey: Credentials = { headers: {}, isValid: false };

/** A valid key in one of its auth headers. */
export function validKey(key: string, authHeader: AuthHeaderName): Credentials {
  return { headers: carried(key, authHeader), isValid: true };
}

/** A key that is not valid, in one of its auth headers. */
export function invalidKey(key: string, authHeader: AuthHeaderName, kind?: string): Credentials {
  return { headers: carried(key, authHeader), isValid: false, ...(kind !== undefined && { kind }) };
}

/** The two kinds of credentials that must have no effect: part of a check's id, words, and the credentials in a run. */
export const withoutValidKey = [
  { prefix: 'no-key', who: 'without a key', credentials: (): Credentials => noKey },
  {
    prefix: 'wrong-key',
    who: 'with an unknown key',
    credentials: (runId: string, authHeader: AuthHeaderName): Credentials => invalidKey(`nobody-${runId}`, authHeader),
  },
] as const;

/** A valid key under a scheme that is neither of the two. */
export function foreignScheme(key: string, scheme = 'Basic'): Credentials {
  return { headers: { Authorization: `${scheme} ${key}` }, isValid: false, kind: `the key under the scheme ${scheme}` };
}

/** The header of each auth header. */
export const headerOf: Readonly<Record<AuthHeaderName, (typeof keyHeaders)[number]>> = {
  header: 'X-API-Key',
  bearer: 'Authorization',
};

function carried(key: string, authHeader: AuthHeaderName): Record<string, string> {
  return { [headerOf[authHeader]]: authHeader === 'header' ? key : `Bearer ${key}` };
}

/** Whether the headers of a request that the suite sent carry this key, in whichever auth header. */
export function carries(headers: Readonly<Record<string, string>>, key: string): boolean {
  const expected = Object.entries({ ...carried(key, 'header'), ...carried(key, 'bearer') });
  return expected.some(([name, value]) => headerIn(headers, name) === value);
}

/** The auth header of the key in the headers of a request that the suite sent. */
export function authHeaderIn(headers: Readonly<Record<string, string>>): AuthHeaderName {
  return headerIn(headers, headerOf.header) === undefined ? 'bearer' : 'header';
}

/** Whether two requests that the suite sent carry the same key, in whichever auth header. */
export function hasSameKey(one: Pick<Credentials, 'headers'>, other: Pick<Credentials, 'headers'>): boolean {
  return keyIn(one.headers) === keyIn(other.headers);
}

function keyIn(headers: Readonly<Record<string, string>>): string | undefined {
  return headerIn(headers, headerOf.header) ?? headerIn(headers, headerOf.bearer)?.replace(/^Bearer /, '');
}

// HTTP gives the names of headers no case.
function headerIn(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([sent]) => sent.toLowerCase() === name.toLowerCase())?.[1];
}

const spellings: readonly ((name: string) => string)[] = [
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase().replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  (name) => name,
];

/** The same credentials with header names in a different case, which makes no difference in HTTP. */
export function inSpelling({ headers, isValid }: Credentials, turn: number): Credentials {
  const spell = spellings[turn % spellings.length] ?? String;
  return { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [spell(name), value])), isValid };
}

/** The secrets that no artefact may show, each with its replacement. */
export function secretsOf(settings: Pick<Settings, 'apiKey' | 'otherApiKey' | 'headers'>): Secret[] {
  const keys = [
    { value: settings.apiKey, shownAs: '<API_KEY>' },
    { value: settings.otherApiKey ?? '', shownAs: '<OTHER_API_KEY>' },
  ];
  // A short value, such as `true`, is not a secret.
  const gateway = Object.entries(settings.headers)
    .filter(([name, value]) => value.length > 5 || isSecretHeader(name))
    .map(([name, value]) => ({ value, shownAs: `<${name}>` }));
  const made = mixed(settings.apiKey, settings.otherApiKey ?? '');
  const near = [
    ...keys.flatMap(nearSecrets),
    ...made.map((value) => ({ value, shownAs: '<API_KEY> with the end of <OTHER_API_KEY>' })),
  ];
  // A changed key may be the other key, or the key itself.
  const changed = near.filter(({ value }) => keys.every((key) => key.value !== value));
  // A key in capitals is shown as such, not as the key.
  return [...changed, ...keys, ...gateway];
}

// The rest of a short key may be any word.
const shortestChanged = 4;

function nearSecrets({ value, shownAs }: Secret): Secret[] {
  if (value.length < shortestChanged) return [];
  return changedKeys
    .map(({ change, shown }) => ({ value: change(value), shownAs: `${shownAs} ${shown}` }))
    .filter((near) => near.value !== value);
}

/** A command for a POSIX shell that repeats a request. Keys come from the environment. */
export function toCurl({ request }: Exchange): string {
  const headers = Object.entries(request.headers);
  return toCurlCommand({ ...request, headers }, { word: quoted, options: ['-i'], separator: ' ' });
}

// Longer names first: each starts with the key's name.
const variables = (
  [
    ['<API_KEY>', 'AGENT_PLATFORM_API_KEY'],
    ['<OTHER_API_KEY>', 'AGENT_PLATFORM_OTHER_API_KEY'],
  ] as const
).flatMap(([name, variable]) => [
  ...changedKeys.map(({ shown, shell }) => [`${name} ${shown}`, shell(variable)] as const),
  [name, `"$${variable}"`] as const,
]);

// Only variables are in double quotes.
function quoted(text: string): string {
  const line = variables.reduce((all, [shown, variable]) => all.replaceAll(shown, `'${variable}'`), inQuotes(text));
  return line.replace(/(?<=")''$/, '');
}
