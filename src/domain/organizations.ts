import type { Profile } from '../../openapi/contract/profile.ts';
import type { Clock } from './clock.ts';
import { Deferred } from './deferred.ts';
import { FileTree } from './file-tree.ts';
import { createIds, type Ids } from './ids.ts';
import { OrderedList } from './ordered-list.ts';
import { createRandom } from './random.ts';
import type { Agent, Drive, McpServer } from './resources.ts';

/** What every organization of one mock is played with. */
export interface World {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly randomSeed: number;
}

/** Everything that belongs to one organization (section 5: its key identifies it). */
export class Organization {
  readonly id: string;
  readonly name: string;
  readonly world: World;
  readonly ids: Ids;
  readonly deferred = new Deferred();
  agents: OrderedList<Agent>;
  drives: OrderedList<Drive>;
  mcpServers: OrderedList<McpServer>;
  readonly agentsById = new Map<string, Agent>();
  readonly drivesById = new Map<string, Drive>();
  readonly mcpServersById = new Map<string, McpServer>();
  readonly #files = new Map<string, FileTree>();

  /** `streamName` tells this organization's random stream from the others'. */
  constructor(world: World, name: string, streamName: string, id?: string) {
    const order = world.profile.listOrder;
    const random = createRandom(`${world.randomSeed}/${streamName}`);
    this.world = world;
    this.name = name;
    this.ids = createIds(world.profile.idFormat, random, world.clock);
    this.id = id ?? this.ids('organization');
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
    const files = this.#files.get(driveId) ?? new FileTree();
    this.#files.set(driveId, files);
    return files;
  }
}

// Most drives of a large organization are empty: they share one tree, which nobody changes.
const noFiles = new FileTree();

/** Adds to a list at once, or a little later: open point `readAfterWrite`. */
export function enlist<T extends { id: string; name: string; createdAtMs: number }>(
  organization: Organization,
  list: OrderedList<T>,
  item: T,
): void {
  const { profile, clock } = organization.world;
  if (profile.readAfterWrite === 'immediate') list.add(item);
  else organization.deferred.later(clock.nowMs(), () => list.add(item));
}
