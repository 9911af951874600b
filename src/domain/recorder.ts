import type { DeferredChange } from './deferred.ts';
import type { IdState } from './ids.ts';
import type { Agent, Drive, DriveFile, McpServer } from './resources.ts';

/** The kinds of records that an organization has by their ids, and in a list. */
export type RecordKind = 'agents' | 'drives' | 'mcpServers';

/** One change inside an organization, as data. The same changes in the same order lead to the same state. */
export type RecordChange =
  | { readonly do: 'set'; readonly of: RecordKind; readonly record: Agent | Drive | McpServer }
  | { readonly do: 'delete' | 'list' | 'relist' | 'unlist'; readonly of: RecordKind; readonly id: string }
  | { readonly do: 'putFile'; readonly drive: string; readonly file: DriveFile }
  | { readonly do: 'removeFile'; readonly drive: string; readonly id: string }
  | { readonly do: 'dropFiles'; readonly drive: string }
  | DeferredChange
  | ({ readonly do: 'count' } & Counts);

/** What moves on in an organization without a record that changes. */
export interface Counts {
  readonly ids: IdState;
  /** The calls that count for deferred tasks. */
  readonly calls: number;
  readonly isWritten: boolean;
}

/** Is told of changes when they happen. */
export interface Recorder {
  /** A change inside an organization; without one, something that counts moved on. */
  noteIn(organization: { readonly id: string }, change?: RecordChange): void;
}

/** One change of a store besides its organizations, as data. */
export type StoreChange =
  | { readonly do: 'remove'; readonly id: string }
  | { readonly do: 'issue'; readonly id: string; readonly key: string }
  | { readonly do: 'revoke'; readonly key: string }
  /** A world was opened by name, so that somebody relies on it. */
  | { readonly do: 'promise'; readonly id: string }
  /** The keys of a world that was retired. */
  | { readonly do: 'retire'; readonly id: string; readonly keys: readonly string[] };
