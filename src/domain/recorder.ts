import type { DeferredTask } from './deferred.ts';
import type { IdState } from './ids.ts';
import type { Organization } from './organizations.ts';
import type { Agent, Drive, DriveFile, McpServer } from './resources.ts';
import type { Tenant } from './store.ts';

/** The kinds of records that an organization has by their ids, and in a list. */
export type RecordKind = 'agents' | 'drives' | 'mcpServers';

/** One change inside an organization, as data. The same changes in the same order lead to the same state. */
export type RecordChange =
  | { readonly do: 'set'; readonly of: RecordKind; readonly record: Agent | Drive | McpServer }
  | { readonly do: 'delete' | 'list' | 'relist' | 'unlist'; readonly of: RecordKind; readonly id: string }
  | { readonly do: 'putFile'; readonly drive: string; readonly file: DriveFile }
  | { readonly do: 'removeFile'; readonly drive: string; readonly id: string }
  | { readonly do: 'dropFiles'; readonly drive: string }
  | { readonly do: 'defer'; readonly task: DeferredTask }
  | { readonly do: 'takeDue'; readonly count: number }
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
  noteIn(organization: Organization, change?: RecordChange): void;
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

/** Is told of all changes of a store. */
export interface StoreRecorder extends Recorder {
  note(change: StoreChange): void;
  /** An organization was added, or replaced the one with the same id. */
  notePut(tenant: Tenant): void;
}

/** The counts of an organization. */
export function countsOf({ ids, deferred, isWritten }: Organization): Counts {
  return { ids: ids.state(), calls: deferred.calls, isWritten };
}

/** Carries out a change again, on an organization in the state that it was made in. */
export function repeatChange(organization: Organization, change: RecordChange): void {
  switch (change.do) {
    case 'putFile':
      return organization.ownFilesOf(change.drive).put(change.file);
    case 'removeFile':
      return organization.ownFilesOf(change.drive).remove(change.id);
    case 'dropFiles':
      return organization.dropFiles(change.drive);
    case 'defer':
      return organization.deferred.add(change.task);
    case 'takeDue':
      return void organization.deferred.take(change.count);
    case 'count':
      return goOnFrom(organization, change);
    default:
      return repeatOnList(organization, change);
  }
}

function goOnFrom(organization: Organization, { ids, calls, isWritten }: Counts): void {
  organization.ids.goOn(ids);
  organization.deferred.calls = calls;
  organization.isWritten = isWritten;
}

type ListChange = Extract<RecordChange, { of: RecordKind }>;

function repeatOnList(organization: Organization, change: ListChange): void {
  const byId = organization.recordsOf(change.of);
  if (change.do === 'set') return void byId.set(change.record.id, change.record);
  if (change.do === 'delete') return void byId.delete(change.id);
  const list = organization.listOf(change.of);
  const [listed, record] = [list.find(change.id), byId.get(change.id)];
  if (change.do === 'unlist') return listed && list.remove(listed);
  if (record === undefined) return;
  if (change.do === 'list') list.add(record);
  else if (listed !== undefined) list.replace(listed, record);
}
