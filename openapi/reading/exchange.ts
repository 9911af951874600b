import type { Operation } from '../contract/operations.ts';
import type { BodyObject } from './body-objects.ts';
import type { AnswerView, RequestView } from './messages.ts';
import type { Pair } from './query.ts';

/** One exchange as the observers read it. */
export interface ReadExchange {
  operation: Operation;
  request: RequestView;
  answer: AnswerView;
  /** The objects of a success; none for a publication, whose shape is open. */
  objects: readonly BodyObject[];
  hasKey: boolean;
  /** What earlier exchanges with the same key showed. */
  memory: KeyMemory;
}

/** What earlier exchanges with one key showed. */
export interface KeyMemory {
  /** Whether the key was accepted before. */
  isKeyGood: boolean;
  /** Whether the key was accepted by this operation. */
  hasSucceeded(operation: Operation): boolean;
  /** Whether something of this name was created. */
  isNameTaken(operation: Operation, name: unknown): boolean;
  /** Whether this revision was the last one published at this request path. */
  isPublished(path: string, revisionId: unknown): boolean;
  /** The path of the file at a request path, as last shown. */
  filePath(requestPath: string): string | undefined;
  /** Whether another file than the one at this request path was last shown at a path of its drive. */
  isPathTaken(requestPath: string, path: string): boolean;
  /** Whether the file at another request path was shown with empty metadata. */
  hasOtherEmptyMetadata(requestPath: string): boolean;
  /** The ids of a list, as far as pages showed them. */
  listedIds(operation: Operation): readonly string[];
  /** Whether any list showed this id. */
  isListed(id: string): boolean;
  /** The ids of the last page of a list. */
  lastPage(operation: Operation): readonly string[];
  /** The formats of the ids that lists showed. */
  idFormats: ReadonlySet<string | undefined>;
  /** The status with which a query was refused, with any good key. */
  refusedQuery(operation: Operation, query: readonly Pair[]): number | undefined;
}
