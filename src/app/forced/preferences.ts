/*
 * What a request may prefer, in the header `Prefer` or as `__code=404` in its query: how it is read, what is legal, and
 * which code a preference means. To add a preference: a row of `rules`, and its use in `forced-answers.ts`.
 */
import { didYouMean } from '../../../lib/nearest.ts';
import { decodeQuery } from '../../../lib/query.ts';
import { successStatus } from '../../../openapi/contract/contract-for.ts';
import type { ContractDocument } from '../../../openapi/contract/document.ts';
import { mockHeaders } from '../../../openapi/contract/mock-headers.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import type { Violation } from '../../../openapi/contract/schemas.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.ts';
import type { RequestHeaders } from '../../engine/call.ts';
import { refuseInput } from '../../engine/input.ts';
import { declaredResponse, exampleNames, responseWith } from './responses.ts';

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

const rules: ReadonlyMap<string, Rule> = new Map(
  Object.entries<Rule>({
    code: {
      legal: 'a status code from 200 to 599',
      parse: (text) => (/^[2-5]\d\d$/.test(text) ? { code: Number(text) } : undefined),
    },
    example: { legal: 'the name of an example', parse: (text) => (text === '' ? undefined : { example: text }) },
    dynamic: {
      legal: 'true or false',
      parse: (text) => (text === 'true' || text === 'false' ? { dynamic: text === 'true' } : undefined),
    },
    seed: {
      legal: 'one or more printable ASCII characters',
      parse: (text) => (/^[\x20-\x7e]+$/.test(text) ? { seed: text } : undefined),
    },
    delay: {
      legal: `a whole number of milliseconds from 0 to ${maxDelayMs}`,
      parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= maxDelayMs ? { delayMs: Number(text) } : undefined),
    },
  }),
);

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
 * The header that reports ignored preferences that are ours behind a semicolon, or look like misspelt ones of ours. Others
 * are left alone: a client may prefer anything (RFC 7240, section 2).
 */
export function preferenceHint(query: string, { prefer = '' }: RequestHeaders): Record<string, string> {
  const names = [...rules.keys()];
  const header = typeof prefer === 'string' ? prefer : prefer.join();
  const sent = parsePrefer(header).map(({ name }) => name);
  const parameters = splitAt(',', header).flatMap((element) => splitAt(';', element).slice(1).map(nameAtStart));
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
  const texts = [
    ...parameters
      .filter((name) => rules.has(name))
      .map((name) => `${name} is ignored after a semicolon (separate preferences with commas)`),
    ...hints.flatMap(([name = '', hint = '']) =>
      hint === '' || !mayEcho.test(name) ? [] : `${name} is ignored${hint}`,
    ),
  ];
  return texts.length === 0 ? {} : { [mockHeaders.hint]: texts.slice(0, 5).join(', ') };
}

// In a header.
const mayEcho = /^[\x21-\x7e]{1,40}$/;

/** One preference as sent, and where. Without a value it is malformed. */
interface Sent {
  readonly place: readonly [string, string];
  readonly name: string;
  readonly value: string | undefined;
}

// Of repeated preferences in the header, the first counts (RFC 7240, section 2).
function sentInHeader({ prefer = '' }: RequestHeaders): Sent[] {
  const all = parsePrefer(typeof prefer === 'string' ? prefer : prefer.join());
  return all
    .filter(({ name }, index) => rules.has(name) && all.findIndex((other) => other.name === name) === index)
    .map(({ name, value }) => ({ place: ['Prefer', name], name, value }));
}

function isTwin(pair: string): boolean {
  return pair.startsWith(twinPrefix) && rules.has(nameOf(pair).slice(twinPrefix.length));
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0] ?? pair;
}

function toSent(pair: string): Sent {
  const twin = nameOf(pair);
  const [sent] = decodeQuery(pair);
  return { place: ['query', twin], name: twin.slice(twinPrefix.length), value: sent?.value };
}

function readSent(sent: readonly Sent[]): Preferences | Refusal {
  const wrong = sent.flatMap((one, index) => {
    if (sent.slice(0, index).some(({ name }) => name === one.name)) return [violation(one, 'must be sent once')];
    return parseSent(one) === undefined ? [violation(one, `must be ${rules.get(one.name)?.legal}`)] : [];
  });
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

/** The code that the preferences ask for: the one they name, the one that has the example, or the success code. */
export function codeFor(
  { code, example }: Preferences,
  operation: Operation,
  document: ContractDocument,
  profile: Profile,
): number | Refusal {
  const success = successStatus(operation, profile);
  if (example === undefined) return code ?? success;
  if (code !== undefined) {
    const { examples } = responseWith(code, operation, document, profile);
    return examples.includes(example) ? code : refuseExample(example, operation, document, code);
  }
  // In ascending order, so that the success comes first.
  const holders = exampleTable(operation, document).filter(({ names }) => names.includes(example));
  const [holder] = holders;
  if (holder === undefined) return refuseExample(example, operation, document);
  if (holders.length === 1 || holder.code === success) return holder.code;
  const codes = holders.map((one) => one.code).join(' and ');
  const problem = `Several codes have an example ${JSON.stringify(example)}: ${codes}.`;
  return refuse('invalidPreference', `${problem} Choose one of them with code.`);
}

interface NamedExamples {
  readonly code: number;
  readonly names: readonly string[];
}

function exampleTable(operation: Operation, document: ContractDocument): NamedExamples[] {
  return Object.keys(operation.definition.responses ?? {}).flatMap((text) => {
    const response = declaredResponse(Number(text), operation, document);
    const names = response === undefined ? [] : exampleNames(response);
    return names.length === 0 ? [] : [{ code: Number(text), names }];
  });
}

function refuseExample(example: string, operation: Operation, document: ContractDocument, code?: number): Refusal {
  const table = exampleTable(operation, document);
  const others = table.flatMap(({ names }) => names).filter((name) => name !== example);
  const where = code === undefined ? operation.operationId : `${operation.operationId} with code ${code}`;
  const listed = table.map((row) => `${row.names.join(', ')} (${row.code})`).join('; ');
  return refuse(
    'invalidPreference',
    `There is no example ${JSON.stringify(example)} of ${where}${didYouMean(example, others)}. Available: ${listed || 'none'}.`,
  );
}

export interface Preference {
  /** In lower case. */
  readonly name: string;
  /** Empty if there is none; undefined if it is malformed. */
  readonly value: string | undefined;
}

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const notInToken = /[^\w!#$%&'*+.^`|~-]/;
const quoted = /^"(?:[^"\\]|\\.)*"$/s;

/** The preferences in a `Prefer` header, or in several joined with commas (RFC 7240), without their parameters. */
export function parsePrefer(header: string): Preference[] {
  return splitAt(',', header).flatMap((element) => {
    const name = nameAtStart(element);
    return name === '' ? [] : [{ name, value: parseValue(element.trim().slice(name.length)) }];
  });
}

function nameAtStart(element: string): string {
  const text = element.trim();
  const end = text.search(notInToken);
  return (end < 0 ? text : text.slice(0, end)).toLowerCase();
}

function parseValue(rest: string): string | undefined {
  const [assigned = ''] = splitAt(';', rest);
  const text = assigned.trim();
  if (text === '') return '';
  const word = text.slice(1).trim();
  if (!text.startsWith('=')) return undefined;
  if (word === '' || token.test(word)) return word;
  return quoted.test(word) ? word.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : undefined;
}

/** The parts of a header, split at separators outside quotes. */
function splitAt(separator: ',' | ';', header: string): string[] {
  const elements: string[] = [];
  let start = 0;
  for (let index = 0; index < header.length; index++) {
    const end = header[index] === '"' ? closingQuote(header, index) : index;
    // An unclosed quote is ignored: the rest is read as if it were not there.
    if (end === undefined) return [...elements, ...header.slice(start).split(separator)];
    if (header[index] === separator) {
      elements.push(header.slice(start, index));
      start = index + 1;
    }
    index = end;
  }
  return [...elements, header.slice(start)];
}

function closingQuote(header: string, opening: number): number | undefined {
  for (let index = opening + 1; index < header.length; index++) {
    if (header[index] === '"') return index;
    if (header[index] === '\\') index++;
  }
  return undefined;
}

/** A preference as written in a header: `example=noDrives`, `seed="a b"`. */
export function writePreference(name: string, value: string): string {
  return `${name}=${token.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`}`;
}
