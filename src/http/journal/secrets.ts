import type { IncomingHttpHeaders } from 'node:http';

/** What stands in place of a secret. */
export const redacted = '[REDACTED]';

/** Headers whose values are shown to nobody. */
export const secretHeaders: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
];

// A shorter value stands in many texts, and is no secret. A longer one is no key, and would take long to look for.
const shortestSecret = 6;
const longestKey = 256;
const keptPatterns = 1_000;

/** Replaces what is secret in a text. */
export type Redact = (text: string) => string;

/** Headers to be shown: the secret ones without their values, the others without what those hold. */
export function redactHeaders(headers: Readonly<IncomingHttpHeaders>, redact: Redact): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeaders.includes(name) ? redacted : redact(String(value)),
    ]),
  );
}

/** Redacts what the secret headers of a request hold wherever it stands in a text, however it is spelt there. */
export function createRedaction(headers: Readonly<IncomingHttpHeaders>): Redact {
  const secrets = secretHeaders.flatMap((name) => secretsIn(String(headers[name] ?? '')));
  if (secrets.length === 0) return (text) => text;
  const pattern = patternFor(secrets);
  return (text) => text.replace(pattern, redacted);
}

/** An address to be shown: as above, and without what parameters hold that are named like a key. */
export function redactUrl(url: string, headers: Readonly<IncomingHttpHeaders>): string {
  if (!mayHoldSecret(url, headers)) return url;
  return createRedaction(headers)(url).replace(namedLikeKey, `$1${redacted}`);
}

// One is written down for each request: most need no closer look.
function mayHoldSecret(url: string, headers: Readonly<IncomingHttpHeaders>): boolean {
  if (url.includes('%') || url.search(namedLikeKey) >= 0) return true;
  return secretHeaders.some((name) => {
    const value = headers[name] as string | undefined;
    return value !== undefined && (value.includes(',') || url.includes(value.slice(value.lastIndexOf(' ') + 1)));
  });
}

const namedLikeKey = /([?&](?:(?:x[-_])?(?:api|access|auth|admin)?[-_]?(?:key|token)|authorization)=)[^&]+/gi;

function secretsIn(value: string): string[] {
  const parts = [value, value.replace(/^\S+ +/, '').trim(), ...value.split(/, */)];
  return parts.filter((secret) => secret.length >= shortestSecret);
}

const patterns = new Map<string, RegExp>();

// Clients send the same few keys again and again.
function patternFor(secrets: readonly string[]): RegExp {
  const name = JSON.stringify(secrets);
  const known = patterns.get(name);
  if (known !== undefined) return known;
  if (patterns.size >= keptPatterns) patterns.clear();
  const longestFirst = [...new Set(secrets)].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(longestFirst.map(patternOf).join('|'), 'g');
  patterns.set(name, pattern);
  return pattern;
}

function patternOf(secret: string): string {
  return Array.from(secret, secret.length <= longestKey ? spellingsOf : literalOf).join('');
}

function literalOf(character: string): string {
  return `\\x${hexOf(character)}`;
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}

// As it is, percent-encoded as in an address, or escaped as in JSON.
function spellingsOf(character: string): string {
  const digits = Array.from(hexOf(character), (digit) => `[${digit}${digit.toUpperCase()}]`).join('');
  return `(?:\\\\?${literalOf(character)}|%${digits}|\\\\u00${digits})`;
}
