// What is known of one organization, and whether two of them are two.

import { Agents } from './agents.ts';
import { Collection } from './collection.ts';
import { Files } from './files.ts';

/** What the observer was told about the server, beyond its responses. */
export interface Told {
  /** The time after which every read shows a change, in milliseconds. */
  settleMs: number;
  /** The name of the query parameter of the tree deletion, if known. */
  treePathParameter?: string | undefined;
  /** Whether organizations share resources by id: a server that shares must say so. */
  foreignResources?: 'hidden' | 'shared' | undefined;
}

/** The organization of one key, or of several. */
export class Organization {
  readonly drives: Collection;
  readonly servers: Collection;
  readonly agents: Collection;
  readonly flags: Agents;
  readonly files: Files;
  /** Whether a request with its key has succeeded. */
  isAccepted = false;
  /** Its id, as the first response showed it, and the kinds of resources that have shown it. */
  ownId: { id: string; kinds: Set<string>; number: number } | undefined;

  constructor({ settleMs }: Told) {
    this.drives = new Collection('Drive', settleMs);
    this.servers = new Collection('McpServer', settleMs);
    this.agents = new Collection('Agent', settleMs);
    this.flags = new Agents(settleMs);
    this.files = new Files(settleMs);
  }

  collectionOf(kind: string | undefined): Collection | undefined {
    return [this.drives, this.servers, this.agents].find((collection) => collection.kind === kind);
  }
}

/** Whether two organizations are different ones for sure: two keys may be of one organization. */
export function areDistinct(one: Organization, other: Organization): boolean {
  return one.ownId !== undefined && other.ownId !== undefined && one.ownId.id !== other.ownId.id;
}

/** Whether a request of one organization may act on what another one has. */
export function mayAct(caller: Organization, owner: Organization, { foreignResources }: Told): boolean {
  return caller === owner || !areDistinct(caller, owner) || foreignResources === 'shared';
}
