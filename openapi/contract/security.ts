/*
 * How a key is sent: `securitySchemes` of the contract, and this file. Mock and proxy name no auth header; which of two
 * keys counts is decided in `src/engine/applied-profile.ts`. In the suite: `target/credentials.ts`, and what compares
 * the auth headers: `target/session.ts`, `run/reach.ts`, `run/doctor.ts`, `run/doctor-text.ts`, `observe/requests.ts`,
 * `checks/authentication.ts`, `checks/lists.ts`, `probing/operations.ts`, `probing/organizations.ts`, `checks/check.ts`
 * (one more deletion).
 */
import { type ContractDocument, dereference } from './document.ts';
import type { Profile } from './profile.gen.ts';

/** The headers that carry a key (section 5), in their usual spelling. A test compares them with the contract. */
export const keyHeaders = ['X-API-Key', 'Authorization'] as const;

/** How a key is sent, in words. */
export const howToSendKey = 'either as X-API-Key: <API_KEY> or as Authorization: Bearer <API_KEY>';

/** What a client without a valid key is told. */
export const howToAuthenticate = `Send a valid API key, ${howToSendKey}.`;

/** The challenge of a 401, of the API and of the admin API. */
export const challenge = { 'www-authenticate': 'Bearer realm="agent-platform"' };

/** One of the ways to send a key (section 5). */
export interface AuthHeader {
  /** The name of the security scheme in the contract. */
  name: string;
  /** The request header, in lower case. */
  header: string;
  scheme: 'plain' | 'bearer';
}

export function authHeadersOf(document: ContractDocument): AuthHeader[] {
  return Object.entries(document.components?.securitySchemes ?? {}).map(([name, reference]) => {
    const scheme = dereference(document, reference);
    if (scheme.type !== 'apiKey') return { name, header: 'authorization', scheme: 'bearer' };
    if (scheme.in !== 'header')
      throw new Error(`The key of ${name} is in the ${scheme.in}; only headers are read so far.`);
    return { name, header: scheme.name.toLowerCase(), scheme: 'plain' };
  });
}

/** The header that carries a key this way. */
export function headerWith({ header, scheme }: AuthHeader, key: string): readonly [name: string, value: string] {
  const name = keyHeaders.find((one) => one.toLowerCase() === header) ?? header;
  return [name, scheme === 'bearer' ? `Bearer ${key}` : key];
}

/** The key in the header of an auth header (header names in lower case); undefined if there is none. */
export function keyIn(
  authHeader: AuthHeader,
  headers: Readonly<Record<string, unknown>>,
  spelling: Profile['bearerSpelling'] = 'anyCase',
): string | undefined {
  const value = headers[authHeader.header];
  if (typeof value !== 'string' || value === '') return undefined;
  if (authHeader.scheme === 'plain') return value;
  const [, scheme, key] = /^(bearer) +(\S+) *$/i.exec(value) ?? [];
  return spelling === 'anyCase' || scheme === 'Bearer' ? key : undefined;
}

/** Whether a key is read only because the letter case of its scheme is ignored. */
export function isOddlySpelled(authHeader: AuthHeader, headers: Readonly<Record<string, unknown>>): boolean {
  return keyIn(authHeader, headers) !== keyIn(authHeader, headers, 'exact');
}

/** The keys that a request carries, in all its auth headers. */
export function keysOf(
  { headers }: { readonly headers: Readonly<Record<string, unknown>> },
  authHeaders: readonly AuthHeader[],
): string[] {
  return authHeaders.flatMap((authHeader) => keyIn(authHeader, headers) ?? []);
}
