import { decodeText, type Pair } from '../../lib/query.ts';
import { rememberingLatest } from '../../lib/remembering.ts';
import { joined, own, type Sentence, say } from '../../lib/sentence.ts';
import type { Operation } from '../contract/operations.ts';
import { type AuthHeader, keyIn } from '../contract/security.ts';

/** The content of a body, as far as it was read. */
export type Body =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown; lengthBytes: number }
  /** Not JSON, and why. */
  | { kind: 'text'; why: Sentence; lengthBytes: number }
  /** Not read, and why. */
  | { kind: 'unread'; why: Sentence; lengthBytes: number };

// Created on first use: some test environments lack the class.
let decoder: TextDecoder | undefined;

/** The bytes as text; undefined if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  // Keeps a byte order mark: JSON must not start with one (RFC 8259, section 8.1).
  decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The maximum nesting of arrays and objects that is read. Walking a deeper value would overflow the stack. */
const mostLevels = 1_000;

const codes = { quote: 34, backslash: 92, openList: 91, closeList: 93, openObject: 123, closeObject: 125 } as const;

/** Whether a JSON text is nested too deeply to be read. Stops at the first level that is too deep. */
export function isTooDeep(text: string, limit = mostLevels): boolean {
  let level = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    // By code unit, for speed: a body may have millions of characters.
    const code = text.charCodeAt(index);
    if (code === codes.backslash) index++;
    else if (code === codes.quote) isInString = !isInString;
    else if (isInString) continue;
    else if (code === codes.openList || code === codes.openObject) {
      level++;
      if (level > limit) return true;
    } else if (code === codes.closeList || code === codes.closeObject) level--;
  }
  return false;
}

/** The value of a JSON text; undefined for any other text and for one that {@link isTooDeep}. */
export function parseJson(text: string): { value: unknown } | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Why a body is not JSON in UTF-8, to follow `the body`, and the parser's message, which quotes the body. */
interface NoJson {
  fault:
    | 'is not valid UTF-8'
    | 'begins with a byte order mark, so it is not valid JSON'
    | 'is nested deeper than 1,000 levels'
    | 'is not valid JSON';
  details?: string;
}

/** Reads the bytes of a body as JSON. Mock and proxy both use this, so they accept the same bodies. */
export const readJson: (bytes: Uint8Array) => { value: unknown } | NoJson = rememberingLatest(parseBytes);

function parseBytes(bytes: Uint8Array): { value: unknown } | NoJson {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { fault: 'is not valid UTF-8' };
  if (text.startsWith('\ufeff')) return { fault: 'begins with a byte order mark, so it is not valid JSON' };
  if (isTooDeep(text)) return { fault: 'is nested deeper than 1,000 levels' };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: 'is not valid JSON', details: (error as SyntaxError).message };
  }
}

/** The content of a body, from its bytes. */
export function parseBody(bytes: Uint8Array): Body {
  const lengthBytes = bytes.length;
  if (lengthBytes === 0) return { kind: 'none' };
  const read = readJson(bytes);
  if ('value' in read) return { kind: 'json', ...read, lengthBytes };
  return { kind: 'text', why: say`the body ${own(read.fault)}`, lengthBytes };
}

/** A request, ready to be read. */
export interface RequestView {
  /** As the contract states it. */
  operation: Operation;
  /** As sent, below the base path, without the query. */
  path: string;
  query: readonly Pair[];
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Body;
}

/** A response, ready to be read. */
export interface AnswerView {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Body;
}

/** The values of a query parameter. */
export function valuesOf({ query }: RequestView, name: string): (string | undefined)[] {
  return query.filter((pair) => pair.name === name).map(({ value }) => value);
}

/** The keys that a request carries, in the headers of section 5. */
export function keysOf({ headers }: RequestView, authHeaders: readonly AuthHeader[]): string[] {
  return authHeaders.flatMap((authHeader) => keyIn(authHeader, headers) ?? []);
}

/** The value of a path parameter; undefined if there is none or it is not percent-encoded UTF-8. */
export function pathParameter({ operation, path }: RequestView, name: string): string | undefined {
  const place = operation.segments.findIndex((segment) => 'parameter' in segment && segment.parameter === name);
  return place < 0 ? undefined : decodeText((path.split('/')[place + 1] ?? '').replaceAll('+', '%2B'));
}

/** The media type without its parameters, in lower case. */
export function mediaTypeOf(headers: Readonly<Record<string, string>>): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of a JSON object; undefined if there is none. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The elements of a JSON array; none if it is not an array. */
export function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The list in the response of a list operation; undefined if there is none. */
export function listIn({ list }: Operation, answer: unknown): unknown[] | undefined {
  const found = list?.property === undefined ? answer : member(answer, list.property);
  return list !== undefined && Array.isArray(found) ? found : undefined;
}

/** The value of a body that is JSON. */
export function jsonOf({ body }: { body: Body }): unknown {
  return body.kind === 'json' ? body.value : undefined;
}

const mostKeys = 10;

/** The fields of a JSON value in words. */
export function keysIn(json: unknown): Sentence {
  if (!isObject(json)) return say`JSON that is not an object`;
  return say`an object with ${joined(Object.keys(json).slice(0, mostKeys))}`;
}

/** Whether a media type declares JSON in UTF-8. */
export function isJson(contentType: unknown): boolean {
  if (typeof contentType !== 'string') return false;
  const [type, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (parameters.at(-1) === '') parameters.pop();
  const areKnown = parameters.every((parameter) => /^charset\s*=\s*"?utf-8"?$/.test(parameter));
  return type === 'application/json' && parameters.length < 2 && areKnown;
}
