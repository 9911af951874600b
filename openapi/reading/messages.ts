import { type Pair, pathParametersIn } from '../../lib/query.ts';
import { rememberingLatest } from '../../lib/remembering.ts';
import { joined, own, type Sentence, say } from '../../lib/sentence.ts';
import type { Operation } from '../contract/operations.ts';
import type { BodyObject } from './body-objects.ts';
import { idFormatOf } from './formats.ts';
import { isSuccess } from './statuses.ts';

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

/** Whether an object in a JSON text, whose value this is, has two members of one name: the parser keeps the last. */
export function namesOneTwice(json: string, value: unknown): boolean {
  return colonsIn(json) > namesIn(value);
}

/** The number of colons outside of strings: each name of a member has one. */
function colonsIn(json: string): number {
  let [count, isInString] = [0, false];
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === '\\') index++;
    else if (character === '"') isInString = !isInString;
    else if (character === ':' && !isInString) count++;
  }
  return count;
}

function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce<number>((sum, member) => sum + namesIn(member), 0);
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

export function valuesOf({ query }: RequestView, name: string): (string | undefined)[] {
  return query.filter((pair) => pair.name === name).map(({ value }) => value);
}

/** The value of a path parameter; undefined if there is none or it is not percent-encoded UTF-8. */
export function pathParameter({ operation, path }: RequestView, name: string): string | undefined {
  return pathParametersIn(operation, path.slice(1).split('/'))[name];
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

export function jsonOf({ body }: { body: Body }): unknown {
  return body.kind === 'json' ? body.value : undefined;
}

const mostKeys = 10;

/** The fields of a JSON value in words. */
export function keysIn(json: unknown): Sentence {
  if (!isObject(json)) return say`JSON that is not an object`;
  const keys = Object.keys(json);
  return keys.length === 0 ? say`an empty object` : say`an object with ${joined(keys.slice(0, mostKeys))}`;
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

/** One exchange as the observers read it. */
export interface ReadExchange {
  operation: Operation;
  request: RequestView;
  answer: AnswerView;
  /** The objects in a successful response; none for a publication, whose shape is unspecified. */
  objects: readonly BodyObject[];
  /** What earlier exchanges with the same key showed. */
  memory: ReturnType<Memory['of']>;
}

const mostFacts = 10_000;
const mostIds = 1_000;
/** Only this many items of a longer list are read. */
export const mostItems = 200;

/** Remembers facts for reading later exchanges. It is bounded: the oldest facts are dropped. Keys are never shown. */
export class Memory {
  readonly #facts = new Map<string, unknown>();

  /** What earlier exchanges with one key showed. */
  of(keys: readonly string[]) {
    const recall = <T>(...name: readonly unknown[]) => this.#facts.get(factName(keys, name)) as T | undefined;
    return {
      /** Whether the key was accepted before. */
      isKeyGood: keys.length > 0 && recall('good') === true,
      /** Whether the key was accepted by this operation. */
      hasSucceeded: ({ operationId }: Operation) => recall('succeeded', operationId) === true,
      isUrlTaken: (url: unknown) => recall('url', url) === true,
      /** Whether something with this name was created. */
      isNameTaken: ({ operationId }: Operation, name: unknown) => recall('name', operationId, name) === true,
      /** Whether this revision was the last one published at this request path. */
      isPublished: (path: string, revisionId: unknown) =>
        revisionId !== undefined && recall('published', path) === revisionId,
      /** The path of the file at a request path, as last shown. */
      filePath: (requestPath: string) => recall<string>('path', requestPath),
      /** Whether a different file from the one at this request path was last shown at a path in its drive. */
      isPathTaken: (requestPath: string, path: string) => {
        const holder = recall<string>('holder', driveOf(requestPath), path);
        return holder !== undefined && holder !== requestPath && recall('path', holder) === path;
      },
      /** Whether a file at a different request path was shown with empty metadata. */
      hasOtherEmptyMetadata: (requestPath: string) => ![undefined, requestPath].includes(recall('empty metadata')),
      /** The ids of a list that pages have shown so far. */
      listedIds: ({ operationId }: Operation) => recall<readonly string[]>('ids', operationId) ?? [],
      isListed: (id: string) => recall('listed', id) === true,
      /** The ids of a list's last page. */
      lastPage: ({ operationId }: Operation) => recall<readonly string[]>('page', operationId) ?? [],
      /** The id formats that lists showed. */
      idFormats: recall<ReadonlySet<string | undefined>>('formats') ?? new Set<string | undefined>(),
    };
  }

  /** Remembers an exchange after it was read. */
  learn(keys: readonly string[], exchange: ReadExchange): void {
    const { operation, request, answer } = exchange;
    if (!isSuccess(answer)) return;
    this.#set(keys, true, 'good');
    this.#set(keys, true, 'succeeded', operation.operationId);
    const sent = jsonOf(request);
    if (operation.isCreation) {
      this.#set(keys, true, 'name', operation.operationId, member(sent, 'name'));
      this.#set(keys, true, 'url', member(sent, 'url'));
    }
    if (operation.statusOpenPoint === 'successStatus.publishAgentRevision')
      this.#set(keys, member(sent, 'revisionId'), 'published', request.path);
    if (operation.statusOpenPoint === 'successStatus.deleteDriveTree') this.#forgetFiles(driveOf(request.path));
    this.#learnFile(keys, exchange);
    this.#learnList(keys, exchange);
  }

  #learnFile(keys: readonly string[], { operation, request, answer }: ReadExchange): void {
    if (operation.resource !== 'DriveFile') return;
    const { path, metadata } = Object(jsonOf(answer));
    if (isObject(metadata) && Object.keys(metadata).length === 0) this.#set(keys, request.path, 'empty metadata');
    if (typeof path !== 'string') return;
    this.#set(keys, path, 'path', request.path);
    this.#set(keys, request.path, 'holder', driveOf(request.path), path);
  }

  #learnList(keys: readonly string[], { operation, answer, memory }: ReadExchange): void {
    const list = (listIn(operation, jsonOf(answer)) ?? []).slice(0, mostIds);
    const texts = list.map((item) => member(item, 'id')).filter((id) => typeof id === 'string');
    if (texts.length === 0) return;
    const { operationId } = operation;
    this.#set(keys, texts, 'page', operationId);
    this.#set(keys, [...new Set([...memory.listedIds(operation), ...texts])].slice(0, mostIds), 'ids', operationId);
    for (const id of texts) this.#set(keys, true, 'listed', id);
    this.#set(keys, new Set([...memory.idFormats, ...texts.map(idFormatOf)]), 'formats');
  }

  // A tree was deleted: any file of the drive may be gone.
  #forgetFiles(drive: string): void {
    for (const name of this.#facts.keys()) {
      const [, kind, path] = JSON.parse(name) as unknown[];
      if (kind === 'path' && String(path).startsWith(`${drive}/`)) this.#facts.delete(name);
    }
  }

  #set(keys: readonly string[], value: unknown, ...name: readonly unknown[]): void {
    const fact = factName(keys, name);
    // The newest facts are last.
    this.#facts.delete(fact);
    this.#facts.set(fact, value);
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > mostFacts && oldest !== undefined) this.#facts.delete(oldest);
  }
}

function factName(keys: readonly string[], name: readonly unknown[]): string {
  return JSON.stringify([keys, ...name]);
}

/** `/drives/{driveId}` */
function driveOf(requestPath: string): string {
  return requestPath.split('/', 3).join('/');
}
