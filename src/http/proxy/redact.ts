import { redacted, secretHeaders } from '../journal/secrets.ts';
import type { HeaderPair } from './headers.ts';

// Where keys are put by mistake.
const secretParameters =
  /^(?:x[-_]?)?(?:api[-_]?key|auth[-_]?token|access[-_]?token|token|key|authorization|secret|password)$/i;

// A shorter text stands in many places by chance.
const shortestSought = 6;

/** Takes the secrets of one request out of what is kept and said of it. */
export interface Redaction {
  headers(record: Readonly<Record<string, string>>): Record<string, string>;
  /** A request target. */
  target(text: string): string;
  text(text: string): string;
}

/** Knows the secrets by the headers of the request. */
export function createRedaction(pairs: readonly HeaderPair[]): Redaction {
  const secrets = new Set(pairs.flatMap(secretsIn));
  const sought = [...secrets].filter((secret) => secret.length >= shortestSought).flatMap(spellingsOf);
  sought.sort((a, b) => b.length - a.length);
  const text = (value: string) => sought.reduce((left, secret) => left.replaceAll(secret, redacted), value);
  return {
    headers: (record) =>
      Object.fromEntries(
        Object.entries(record).map(([name, value]) => [name, secretHeaders.includes(name) ? redacted : text(value)]),
      ),
    target: (value) => text(redactQuery(value, secrets)),
    text,
  };
}

// A scheme before the key is none of it: `Bearer`.
function secretsIn([name, value]: HeaderPair): string[] {
  if (!secretHeaders.includes(name.toLowerCase()) || value === '') return [];
  return [value, ...(/^\S+ +(\S.*)$/.exec(value)?.[1]?.split(' ') ?? [])];
}

function spellingsOf(secret: string): string[] {
  return [...new Set([secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)])];
}

function redactQuery(target: string, secrets: ReadonlySet<string>): string {
  const end = target.indexOf('?');
  if (end < 0) return target;
  const pairs = target.slice(end + 1).split('&');
  return `${target.slice(0, end)}?${pairs.map((pair) => redactPair(pair, secrets)).join('&')}`;
}

function redactPair(pair: string, secrets: ReadonlySet<string>): string {
  const end = pair.indexOf('=');
  if (end < 0) return secrets.has(decode(pair)) ? redacted : pair;
  const isSecret = secretParameters.test(decode(pair.slice(0, end))) || secrets.has(decode(pair.slice(end + 1)));
  return isSecret ? `${pair.slice(0, end)}=${redacted}` : pair;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
