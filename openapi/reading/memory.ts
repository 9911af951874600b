import type { Operation } from '../contract/operations.ts';
import type { BodyObject } from './body-objects.ts';
import { idFormatOf } from './formats.ts';
import { type AnswerView, isObject, jsonOf, listIn, member, type RequestView } from './messages.ts';
import { isSuccess } from './statuses.ts';

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
  #version = 0;

  /** Changes whenever a fact changes. */
  get version(): number {
    return this.#version;
  }

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
      /** Whether any list showed this id. */
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
      if (kind === 'path' && String(path).startsWith(`${drive}/`) && this.#facts.delete(name)) this.#version += 1;
    }
  }

  #set(keys: readonly string[], value: unknown, ...name: readonly unknown[]): void {
    const fact = factName(keys, name);
    if (!isSame(this.#facts.get(fact), value)) this.#version += 1;
    // The newest facts are last.
    this.#facts.delete(fact);
    this.#facts.set(fact, value);
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > mostFacts && oldest !== undefined) this.#facts.delete(oldest);
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return (
    one === other || (isIterable(one) && isIterable(other) && JSON.stringify([...one]) === JSON.stringify([...other]))
  );
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function factName(keys: readonly string[], name: readonly unknown[]): string {
  return JSON.stringify([keys, ...name]);
}

/** `/drives/{driveId}` */
function driveOf(requestPath: string): string {
  return requestPath.split('/', 3).join('/');
}
