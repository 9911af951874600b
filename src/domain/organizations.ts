import type { Profile } from '../../openapi/contract/profile.ts';
import type { Clock } from './clock.ts';
import { Deferred, type DeferredState, type Task } from './deferred.ts';
import { FileTree } from './file-tree.ts';
import { createIds, firstIdState, type IdState, type Ids } from './ids.ts';
import { OrderedList } from './ordered-list.ts';
import { createRandom } from './random.ts';
import { RecordMap } from './record-map.ts';
import type { RecordChange, Recorder, RecordKind } from './recorder.ts';
import type { Agent, Drive, DriveFile, McpServer } from './resources.ts';

/** The profile, clock and random seed that all organizations of one mock share. */
export interface Runtime {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly randomSeed: number;
  /** When the mock started. Ids of the seed contain this time, whenever they are made. */
  readonly startedAtMs: number;
}

/** The parts of an organization besides its records. */
interface OrganizationFacts {
  readonly name: string;
  /** Absent: the first of its own ids. */
  readonly id?: string | undefined;
  readonly ids: IdState;
  readonly deferred?: DeferredState;
}

/** Everything that belongs to one organization (section 5: its key identifies it). */
export class Organization {
  readonly id: string;
  readonly name: string;
  readonly runtime: Runtime;
  /** When it was created, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly ids: Ids;
  readonly deferred: Deferred;
  /** Is told of every change. Absent: nobody keeps the state. */
  recorder: Recorder | undefined;
  /** Whether it is exactly what its origin makes of it: nothing was changed since. */
  isAsMade = false;
  #isWritten = false;
  agents: OrderedList<Agent>;
  drives: OrderedList<Drive>;
  mcpServers: OrderedList<McpServer>;
  readonly agentsById = this.#records<Agent>('agents');
  readonly drivesById = this.#records<Drive>('drives');
  readonly mcpServersById = this.#records<McpServer>('mcpServers');
  readonly #files = new Map<string, FileTree>();
  /** Trees shared with another organization. They are copied before they are changed. */
  readonly #shared = new Set<FileTree>();

  constructor(runtime: Runtime, { name, id, ids, deferred }: OrganizationFacts) {
    this.runtime = runtime;
    this.startedAtMs = runtime.clock.nowMs();
    this.name = name;
    this.ids = createIds(runtime.profile.idFormat, ids, runtime.clock);
    this.id = id ?? this.ids('organization');
    this.deferred = new Deferred(deferred, (change) => this.#note(change));
    this.agents = this.list('agents', []);
    this.drives = this.list('drives', []);
    this.mcpServers = this.list('mcpServers', []);
  }

  /** Whether its data may differ from those at the start. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  set isWritten(isWritten: boolean) {
    this.#isWritten = isWritten;
    if (isWritten) this.#note();
  }

  /** Its records of one kind. */
  recordsOf(kind: RecordKind): Map<string, Listed> {
    return this[`${kind}ById`] as Map<string, Listed>;
  }

  /** Its list of one kind. */
  listOf(kind: RecordKind): OrderedList<Listed> {
    return this[kind] as OrderedList<Listed>;
  }

  /** The files of one of its drives, to read. */
  filesOf(driveId: string): FileTree {
    return this.#files.get(driveId) ?? noFiles;
  }

  /** The files of one of its drives, to change. */
  ownFilesOf(driveId: string): FileTree {
    const files = this.#files.get(driveId);
    if (files !== undefined && !this.#shared.has(files)) return files;
    const note = (id: string, file?: DriveFile) =>
      this.#note(file ? { do: 'putFile', drive: driveId, file } : { do: 'removeFile', drive: driveId, id });
    const own = files === undefined ? new FileTree(note) : files.copy(note);
    this.#files.set(driveId, own);
    return own;
  }

  /** Shares the files of another organization's drive without copying them. */
  shareFiles(driveId: string, files: FileTree): void {
    this.#files.set(driveId, files);
    this.#shared.add(files);
  }

  /** Removes the files of a drive. */
  dropFiles(driveId: string): void {
    this.#note({ do: 'dropFiles', drive: driveId });
    this.#files.delete(driveId);
  }

  /** A list of records, in the order of their arrival. */
  list<T extends Listed>(kind: RecordKind, items: readonly T[]): OrderedList<T> {
    const { listOrder } = this.runtime.profile;
    return new OrderedList(listOrder, items, (change, id) => this.#note({ do: change, of: kind, id }));
  }

  #records<T extends Listed>(kind: RecordKind): RecordMap<T> {
    return new RecordMap((id, record) =>
      this.#note(record ? { do: 'set', of: kind, record: record as never } : { do: 'delete', of: kind, id }),
    );
  }

  #note(change?: RecordChange): void {
    this.isAsMade = false;
    this.recorder?.noteIn(this, change);
  }
}

/** What a list needs of a record. */
interface Listed {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
}

// Most drives of a large organization are empty. They share one tree, which is never changed.
const noFiles = new FileTree();

/** The start of an organization's id stream. Each `streamName` has its own stream. */
export function idStreamOf({ randomSeed }: Runtime, streamName: string): IdState {
  return firstIdState(createRandom(`${randomSeed}/${streamName}`));
}

/** Lists a new resource at once, or a little later: open point `readAfterWrite`. */
export function enlist(organization: Organization, task: ListTask): void {
  const { profile, clock } = organization.runtime;
  if (profile.readAfterWrite === 'immediate') showInList(organization, task);
  else organization.deferred.later(clock.nowMs(), task);
}

/** Lists a new resource, unless it was removed again. */
export function showInList({ drives, drivesById, mcpServers, mcpServersById }: Organization, task: ListTask): void {
  if (task.kind === 'listDrive') addTo(drives, drivesById.get(task.id));
  else addTo(mcpServers, mcpServersById.get(task.id));
}

type ListTask = Extract<Task, { id: string }>;

function addTo<T extends Listed>(to: OrderedList<T>, item: T | undefined) {
  if (item !== undefined) to.add(item);
}

/** Gives an organization the records of one kind, and lists those named, in the order of their arrival. */
export function fillList<T extends Listed>(
  organization: Organization,
  kind: RecordKind,
  records: Iterable<T>,
  listed: readonly string[],
): void {
  const byId = organization.recordsOf(kind) as Map<string, T>;
  for (const record of records) byId.set(record.id, record);
  const items = listed.map((id) => byId.get(id)).filter((record) => record !== undefined);
  Object.assign(organization, { [kind]: organization.list(kind, items) });
}
