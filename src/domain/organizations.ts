import type { Profile } from '../../openapi/contract/profile.ts';
import type { Clock } from './clock.ts';
import { Deferred, type DeferredState, type Task } from './deferred.ts';
import { FileTree } from './file-tree.ts';
import { createIds, firstIdState, type IdState, type Ids } from './ids.ts';
import { OrderedList } from './ordered-list.ts';
import { createRandom } from './random.ts';
import type { Agent, Drive, McpServer } from './resources.ts';

/** What every organization of one mock is played with. */
export interface World {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly randomSeed: number;
  /** When the mock started. Ids of the seed show this time, whenever they are made. */
  readonly startedAtMs: number;
}

/** What an organization is made of, beside its records. */
export interface OrganizationFacts {
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
  readonly world: World;
  /** When it came into being, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly ids: Ids;
  readonly deferred: Deferred;
  agents: OrderedList<Agent>;
  drives: OrderedList<Drive>;
  mcpServers: OrderedList<McpServer>;
  readonly agentsById = new Map<string, Agent>();
  readonly drivesById = new Map<string, Drive>();
  readonly mcpServersById = new Map<string, McpServer>();
  readonly #files = new Map<string, FileTree>();
  /** Trees that another organization has as well: they are copied before they are changed. */
  readonly #shared = new Set<FileTree>();

  constructor(world: World, { name, id, ids, deferred }: OrganizationFacts) {
    const order = world.profile.listOrder;
    this.world = world;
    this.startedAtMs = world.clock.nowMs();
    this.name = name;
    this.ids = createIds(world.profile.idFormat, ids, world.clock);
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

  /** Takes over the files of a drive of another organization without copying them. */
  shareFiles(driveId: string, files: FileTree): void {
    this.#files.set(driveId, files);
    this.#shared.add(files);
  }

  /** Forgets the files of a drive. */
  dropFiles(driveId: string): void {
    this.#files.delete(driveId);
  }
}

// Most drives of a large organization are empty: they share one tree, which nobody changes.
const noFiles = new FileTree();

/** The stream of an organization's ids. `streamName` tells it from the others'. */
export function idStreamOf({ randomSeed }: World, streamName: string): IdState {
  return firstIdState(createRandom(`${randomSeed}/${streamName}`));
}

/** Shows what was created in its list at once, or a little later: open point `readAfterWrite`. */
export function enlist(organization: Organization, task: ListTask): void {
  const { profile, clock } = organization.world;
  if (profile.readAfterWrite === 'immediate') showInList(organization, task);
  else organization.deferred.later(clock.nowMs(), task);
}

/** Shows what was created in its list, unless it is gone again. */
export function showInList({ drives, drivesById, mcpServers, mcpServersById }: Organization, task: ListTask): void {
  if (task.kind === 'listDrive') addTo(drives, drivesById.get(task.id));
  else addTo(mcpServers, mcpServersById.get(task.id));
}

export type ListTask = Extract<Task, { id: string }>;

function addTo<T extends { id: string; name: string; createdAtMs: number }>(to: OrderedList<T>, item: T | undefined) {
  if (item !== undefined) to.add(item);
}
