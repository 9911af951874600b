import { isSecretHeader, type Secret } from '../../lib/secrets.ts';
import type { keyHeaders } from '../../openapi/contract/security.ts';
import type { Settings } from '../config/settings.ts';
import { changedKeys, mixed } from './near-keys.ts';

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
