import type { IncomingHttpHeaders } from 'node:http';

const redacted = '[REDACTED]';

/** Headers whose values are shown to nobody. */
const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
]);

// A shorter value stands in many texts, and is no secret.
const shortestSecret = 6;

/** Headers to be shown. */
export function redactHeaders(headers: Readonly<IncomingHttpHeaders>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name) ? redacted : String(value)]),
  );
}

/** Replaces what the secret headers of a request hold wherever it stands in a text. */
export function createRedaction(headers: Readonly<IncomingHttpHeaders>): (text: string) => string {
  const secrets = [...secretHeaders].flatMap((name) => secretsIn(String(headers[name] ?? '')));
  const spellings = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]);
  const all = [...new Set(spellings)].sort((one, other) => other.length - one.length);
  return (text) => all.reduce((rest, secret) => rest.replaceAll(secret, redacted), text);
}

function secretsIn(value: string): string[] {
  return [value, value.replace(/^\S+ +/, '').trim()].filter((secret) => secret.length >= shortestSecret);
}
