import type { keyHeaders } from '../../openapi/contract/security.ts';
import { isSecretHeader, type Secret } from '../../openapi/reading/secrets.ts';
import type { Settings } from '../config/settings.ts';

/** The two headers that carry a key (section 5). */
export type CarrierName = 'header' | 'bearer';

/** How one request shows who sends it. */
export interface Credentials {
  headers: Readonly<Record<string, string>>;
  /** Whether they are valid, for the target's own organization or the other one. */
  isValid: boolean;
}

export const noKey: Credentials = { headers: {}, isValid: false };

/** A valid key in one of its carriers. */
export function validKey(key: string, carrier: CarrierName): Credentials {
  return { headers: carried(key, carrier), isValid: true };
}

/** A key that is not valid, in one of its carriers. */
export function invalidKey(key: string, carrier: CarrierName): Credentials {
  return { headers: carried(key, carrier), isValid: false };
}

/** The two ways to send a request that must have no effect: part of a check's id, words, and the credentials in a run. */
export const withoutValidKey = [
  { prefix: 'no-key', who: 'without a key', credentials: (): Credentials => noKey },
  {
    prefix: 'wrong-key',
    who: 'with an unknown key',
    credentials: (runId: string, carrier: CarrierName): Credentials => invalidKey(`nobody-${runId}`, carrier),
  },
] as const;

/** A valid key under a scheme that is neither of the two. */
export function foreignScheme(key: string): Credentials {
  return { headers: { Authorization: `Basic ${key}` }, isValid: false };
}

/** The header of each carrier. */
export const headerOf: Readonly<Record<CarrierName, (typeof keyHeaders)[number]>> = {
  header: 'X-API-Key',
  bearer: 'Authorization',
};

function carried(key: string, carrier: CarrierName): Record<string, string> {
  return { [headerOf[carrier]]: carrier === 'header' ? key : `Bearer ${key}` };
}

/** Whether the headers of a request that the suite sent carry this key, in whichever carrier. */
export function carries(headers: Readonly<Record<string, string>>, key: string): boolean {
  const sent = Object.entries({ ...carried(key, 'header'), ...carried(key, 'bearer') });
  return sent.some(([name, value]) => headers[name] === value);
}

/** The carrier of the key in the headers of a request that the suite sent. */
export function carrierIn(headers: Readonly<Record<string, string>>): CarrierName {
  return headerOf.header in headers ? 'header' : 'bearer';
}

/** The key without its last character. */
export function shortened(key: string): string {
  return key.slice(0, -1);
}

/** The key with one more character. */
export function extended(key: string): string {
  return `${key}x`;
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
  const near = keys.flatMap(({ value, shownAs }) => [
    { value: value === '' ? '' : extended(value), shownAs: extended(shownAs) },
    { value: value.length > 3 ? shortened(value) : '', shownAs: `${shownAs} without its last character` },
  ]);
  return [...keys, ...near, ...gateway];
}
