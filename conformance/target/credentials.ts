import type { Settings } from '../config/settings.ts';
import type { Secret } from './redact.ts';

/** The two headers that carry a key (section 5). */
export type CarrierName = 'header' | 'bearer';

/** How one request shows who it comes from. */
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

/** A valid key under a scheme that is neither of the two ways. */
export function foreignScheme(key: string): Credentials {
  return { headers: { Authorization: `Basic ${key}` }, isValid: false };
}

function carried(key: string, carrier: CarrierName): Record<string, string> {
  return carrier === 'header' ? { 'X-API-Key': key } : { Authorization: `Bearer ${key}` };
}

/** The key without its last character. */
export function shortened(key: string): string {
  return key.slice(0, -1);
}

/** The key with a character more. */
export function extended(key: string): string {
  return `${key}x`;
}

/** What no artefact may show, and what stands there instead. */
export function secretsOf(settings: Pick<Settings, 'apiKey' | 'otherApiKey' | 'headers'>): Secret[] {
  const keys = [
    { value: settings.apiKey, shownAs: '<API_KEY>' },
    { value: settings.otherApiKey ?? '', shownAs: '<OTHER_API_KEY>' },
  ];
  // A short value, such as `true`, is no secret, and stands in many texts.
  const gateway = Object.entries(settings.headers)
    .filter(([, value]) => value.length > 5)
    .map(([name, value]) => ({ value, shownAs: `<${name}>` }));
  const near = keys.map(({ value, shownAs }) => ({
    value: value.length > 3 ? shortened(value) : '',
    shownAs: `${shownAs} without its last character`,
  }));
  return [...keys, ...near, ...gateway];
}
