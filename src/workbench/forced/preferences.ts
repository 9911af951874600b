import { didYouMean } from '../../../lib/nearest.ts';
import { decodeText } from '../../../lib/query.ts';
import type { Violation } from '../../../openapi/contract/schemas.ts';
import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import type { RequestHeaders } from '../../engine/call.ts';
import { refuseInput } from '../../engine/refuse-input.ts';
import { type Preference, parsePrefer, writePreference } from './prefer-header.ts';

/** The preferences of one request. */
export interface Preferences {
  /** 200 to 599. */
  readonly code?: number;
  /** The name of an example in the contract. */
  readonly example?: string;
  /** Whether to generate the body from the schema. */
  readonly dynamic?: boolean;
  /** The seed for generation. */
  readonly seed?: string;
  readonly delayMs?: number;
}

/** The preferences of a request, and its query without them. */
interface ReadPreferences {
  readonly preferences: Preferences;
  readonly query: string;
}

interface Rule {
  readonly legal: string;
  /** Undefined for a value that is not legal. */
  parse(text: string): Preferences | undefined;
}

const maxDelayMs = 60_000;

const rules: ReadonlyMap<string, Rule> = new Map([
  [
    'code',
    {
      legal: 'a status code from 200 to 599',
      parse: (text) => (/^[2-5]\d\d$/.test(text) ? { code: Number(text) } : undefined),
    },
  ],
  ['example', { legal: 'the name of an example', parse: (text) => (text === '' ? undefined : { example: text }) }],
  [
    'dynamic',
    {
      legal: 'true or false',
      parse: (text) => (text === 'true' || text === 'false' ? { dynamic: text === 'true' } : undefined),
    },
  ],
  [
    'seed',
    {
      legal: 'one or more printable ASCII characters',
      parse: (text) => (/^[\x20-\x7e]+$/.test(text) ? { seed: text } : undefined),
    },
  ],
  [
    'delay',
    {
      legal: `a whole number of milliseconds from 0 to ${maxDelayMs}`,
      parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= maxDelayMs ? { delayMs: Number(text) } : undefined),
    },
  ],
] satisfies [string, Rule][]);

const twinPrefix = '__';

/** Whether a call may have preferences. It must be cheap, since most calls have none. */
export function mayPrefer(query: string, headers: RequestHeaders): boolean {
  return headers.prefer !== undefined || query.includes(twinPrefix);
}

/** Reads the preferences in the `Prefer` header, or, if it has none of ours, those in the query. */
export function readPreferences(query: string, headers: RequestHeaders): ReadPreferences | Refusal {
  const pairs = query.split('&');
  const rest = pairs.filter((pair) => !isTwin(pair)).join('&');
  const sent = sentInHeader(headers);
  const read = readSent(sent.length > 0 ? sent : pairs.filter(isTwin).map(toSent));
  return isRefusal(read) ? read : { preferences: read, query: rest };
}

/**
 * The header that reports ignored preferences that look like misspelt ones of ours. Others are left alone: a client may
 * prefer anything (RFC 7240, section 2).
 */
export function preferenceHint(query: string, { prefer = '' }: RequestHeaders): Record<string, string> {
  const names = [...rules.keys()];
  const sent = parsePrefer(typeof prefer === 'string' ? prefer : prefer.join()).map(({ name }) => name);
  const twins = query
    .split('&')
    .map(nameOf)
    .filter((name) => name.startsWith(twinPrefix));
  const hints = [
    ...sent.filter((name) => !rules.has(name)).map((name) => [name, didYouMean(name, names)]),
    ...twins
      .filter((name) => !isTwin(name))
      .map((name) => [
        name,
        didYouMean(
          name,
          names.map((one) => twinPrefix + one),
        ),
      ]),
  ];
  const texts = hints.flatMap(([name = '', hint = '']) =>
    hint === '' || !isShort(name) ? [] : `${name} is ignored${hint}`,
  );
  return texts.length === 0 ? {} : { 'x-mock-hint': texts.slice(0, 5).join(', ') };
}

// Only such names may be echoed in a header.
function isShort(name: string): boolean {
  return /^[\x21-\x7e]{1,40}$/.test(name);
}

/** One preference as sent, and where. Without a value it is malformed. */
interface Sent {
  readonly place: readonly [string, string];
  readonly name: string;
  readonly value: string | undefined;
}

// Of repeated preferences in the header, the first counts (RFC 7240, section 2).
function sentInHeader({ prefer = '' }: RequestHeaders): Sent[] {
  const all = parsePrefer(typeof prefer === 'string' ? prefer : prefer.join());
  return all.filter(isKnownFirst).map(({ name, value }) => ({ place: ['Prefer', name], name, value }));
}

function isKnownFirst({ name }: Preference, index: number, all: readonly Preference[]): boolean {
  return rules.has(name) && all.findIndex((other) => other.name === name) === index;
}

function isTwin(pair: string): boolean {
  return pair.startsWith(twinPrefix) && rules.has(nameOf(pair).slice(twinPrefix.length));
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0] ?? pair;
}

function toSent(pair: string): Sent {
  const twin = nameOf(pair);
  const value = decodeText(pair.slice(twin.length + 1));
  return { place: ['query', twin], name: twin.slice(twinPrefix.length), value };
}

function readSent(sent: readonly Sent[]): Preferences | Refusal {
  const wrong = sent.flatMap((one, index) => complaints(one, sent.slice(0, index)));
  if (wrong.length > 0) return refuseInput(wrong, 'invalidPreference');
  const preferences: Preferences = Object.assign({}, ...sent.map(parseSent));
  const dynamic = sent.find(({ name }) => name === 'dynamic');
  if (dynamic === undefined || preferences.example === undefined || !preferences.dynamic) return preferences;
  const message = 'cannot be true together with an example; send one of them';
  return refuseInput([violation(dynamic, message)], 'invalidPreference');
}

function parseSent({ name, value }: Sent): Preferences | undefined {
  return value === undefined ? undefined : rules.get(name)?.parse(value);
}

function complaints(sent: Sent, before: readonly Sent[]): Violation[] {
  if (before.some(({ name }) => name === sent.name)) return [violation(sent, 'must be sent once')];
  return parseSent(sent) === undefined ? [violation(sent, `must be ${rules.get(sent.name)?.legal}`)] : [];
}

function violation({ place }: Sent, message: string): Violation {
  return { location: [...place], code: 'preference', message };
}

/** The header that names the preferences that a response follows, if any. */
export function preferenceApplied({
  delayMs,
  ...rest
}: { [Name in keyof Preferences]?: Preferences[Name] | undefined }): Record<string, string> {
  const applied = Object.entries({ ...rest, delay: delayMs })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => writePreference(name, String(value)));
  return applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') };
}
