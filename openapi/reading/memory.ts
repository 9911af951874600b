import type { KeyMemory, ReadExchange } from './exchange.ts';
import { idFormatOf } from './formats.ts';
import { isObject, jsonOf, listIn, member } from './messages.ts';
import { isSuccess } from './statuses.ts';

const mostFacts = 10_000;
const mostIds = 1_000;
const anyKey: readonly string[] = [];

/** Remembers what later exchanges are read by. It is bounded: the oldest facts are forgotten. Keys are never shown. */
export class Memory {
  readonly #facts = new Map<string, unknown>();

  of(keys: readonly string[]): KeyMemory {
    const recall = <T>(...name: readonly unknown[]) => this.#facts.get(factName(keys, name)) as T | undefined;
    return {
      isKeyGood: keys.length > 0 && recall('good') === true,
      hasSucceeded: ({ operationId }) => recall('succeeded', operationId) === true,
      isNameTaken: ({ operationId }, name) => recall('name', operationId, name) === true,
      isPublished: (path, revisionId) => revisionId !== undefined && recall('published', path) === revisionId,
      filePath: (requestPath) => recall('path', requestPath),
      isPathTaken: (requestPath, path) => {
        const holder = recall<string>('holder', driveOf(requestPath), path);
        return holder !== undefined && holder !== requestPath && recall('path', holder) === path;
      },
      hasOtherEmptyMetadata: (requestPath) => ![undefined, requestPath].includes(recall('empty metadata')),
      listedIds: ({ operationId }) => recall('ids', operationId) ?? [],
      isListed: (id) => recall('listed', id) === true,
      lastPage: ({ operationId }) => recall('page', operationId) ?? [],
      idFormats: recall('formats') ?? new Set(),
      refusedQuery: ({ operationId }, query) =>
        this.#facts.get(factName(anyKey, ['refused', operationId, query])) as number | undefined,
    };
  }

  /** Takes note of an exchange, after it was read. */
  learn(keys: readonly string[], exchange: ReadExchange, isRefused: boolean): void {
    const { operation, request, answer } = exchange;
    if (isRefused && request.query.length > 0)
      this.#set(anyKey, answer.status, 'refused', operation.operationId, request.query);
    if (!isSuccess(answer)) return;
    this.#set(keys, true, 'good');
    this.#set(keys, true, 'succeeded', operation.operationId);
    const sent = jsonOf(request);
    if (operation.statusOpenPoint === 'createStatus')
      this.#set(keys, true, 'name', operation.operationId, member(sent, 'name'));
    if (operation.statusOpenPoint === 'publishStatus')
      this.#set(keys, member(sent, 'revisionId'), 'published', request.path);
    if (operation.statusOpenPoint === 'deleteStatus') this.#forgetFiles(driveOf(request.path));
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
    const ids = (listIn(operation, jsonOf(answer)) ?? []).filter(isObject).map(({ id }) => id);
    const texts = ids.filter((id) => typeof id === 'string').slice(0, mostIds);
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
