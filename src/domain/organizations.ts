import type { Profile } from '../../openapi/contract/profile.ts';
import type { Clock } from './clock.ts';
import { Deferred, type DeferredState, type Task } from './deferred.ts';
import { FileTree } from './file-tree.ts';
import { createIds, firstIdState, type IdState, type Ids } from './ids.ts';
import { OrderedList } from './ordered-list.ts';
import { createRandom } from './random.ts';
import type { Agent, Drive, McpServer } from './resources.ts';

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
  /** Whether its data may differ from those at the start. */
  isWritten = false;
  agents: OrderedList<Agent>;
  drives: OrderedList<Drive>;
  mcpServers: OrderedList<McpServer>;
  readonly agentsById = new Map<string, Agent>();
  readonly drivesById = new Map<string, Drive>();
  readonly mcpServersById = new Map<string, McpServer>();
  readonly #files = new Map<string, FileTree>();
  /** Trees shared with another organization. They are copied before they are changed. */
  readonly #shared = new Set<FileTree>();

  constructor(runtime: Runtime, { name, id, ids, deferred }: OrganizationFacts) {
    const order = runtime.profile.listOrder;
    this.runtime = runtime;
    this.startedAtMs = runtime.clock.nowMs();
    this.name = name;
    this.ids = createIds(runtime.profile.idFormat, ids, runtime.clock);
    this.id = id ?? this.ids('organization');
    this.deferred = new Deferred(deferred);
    this.agents = new OrderedList(order);
    this.drives = new OrderedList(order);
    this.mcpServers = new OrderedList(order);
  }

  /** The files of one of its drives, to read. */
  filesOf(driveId: string): FileTree {
    return this.#files.get(driveId) ?? noFiles;
  }

  /** The files of one of its drives, to change. */
  ownFilesOf(driveId: string): FileTree {
    const files = this.#files.get(driveId);
    if (files !== undefined && !this.#shared.has(files)) return files;
    const own = files === undefined ? new FileTree() : files.copy();
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
    this.#files.delete(driveId);
  }
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

function addTo<T extends { id: string; name: string; createdAtMs: number }>(to: OrderedList<T>, item: T | undefined) {
  if (item !== undefined) to.add(item);
}

/** Gives an organization the records of one kind, and makes the list of those named, in the order of their arrival. */
export function fillList<T extends { id: string; name: string; createdAtMs: number }>(
  { runtime }: Organization,
  byId: Map<string, T>,
  records: Iterable<T>,
  listed: readonly string[],
): OrderedList<T> {
  for (const record of records) byId.set(record.id, record);
  const items = listed.map((id) => byId.get(id)).filter((record) => record !== undefined);
  return new OrderedList(runtime.profile.listOrder, items);
}
