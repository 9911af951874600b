import { hasNewerRevision } from './agents.ts';
import { nameOf } from './file-tree.ts';
import { createIds, type Ids } from './ids.ts';
import { OrderedList } from './ordered-list.ts';
import { idStreamOf, Organization, type World } from './organizations.ts';
import type { Agent, Drive, DriveFile, FileStatus, McpServer, McpServerType, McpTool, Revision } from './resources.ts';
import { Store } from './store.ts';
import { Templates } from './templates.ts';

/** The named starting state, as a seed file holds it. `seed.schema.json` is its schema. Times are ISO date-times. */
export interface Seed {
  organizations: SeedOrganization[];
}

export interface SeedOrganization {
  id?: string;
  name: string;
  keys: string[];
  agents?: SeedAgent[];
  drives?: SeedDrive[];
  mcpServers?: SeedMcpServer[];
}

export interface SeedAgent {
  id?: string;
  name: string;
  description?: string;
  /** Oldest first. */
  revisions?: { id?: string; createdAt: string }[];
  /** The number of the published revision, from 1. */
  published?: number;
  createdAt: string;
  updatedAt?: string;
}

export interface SeedDrive {
  id?: string;
  name: string;
  createdAt: string;
  updatedAt?: string;
  files?: SeedFile[];
}

export interface SeedFile {
  id?: string;
  path: string;
  status?: FileStatus;
  /** The status that the file takes on by itself, and how long after the start. */
  becomes?: { status: FileStatus; afterMs: number };
  modifiedAt: string;
  sizeBytes: number;
  contentType: string;
  description?: string;
  summary?: string;
  metadata?: Record<string, unknown>;
}

export interface SeedMcpServer {
  id?: string;
  name: string;
  url: string;
  type?: McpServerType;
  createdAt: string;
  updatedAt?: string;
  tools?: McpTool[];
}

/** What is wrong with a seed beyond its schema, where, and what to do. */
export interface SeedViolation {
  location: (string | number)[];
  message: string;
}

/** The store in its starting state. The seed must be valid. */
export function createStore(world: World, seed: Seed): Store {
  const arrivals = seed.organizations.map((entry, index) => ({
    organization: toOrganization(world, entry, index),
    origin: { kind: 'seed', index } as const,
    keys: entry.keys,
  }));
  return new Store(arrivals, createTemplates(world, seed));
}

/** The organizations of a seed, to be made when they are asked for. */
export function createTemplates(world: World, seed: Seed): Templates {
  return new Templates(seed.organizations.map((entry, index) => () => toOrganization(world, entry, index)));
}

function toOrganization(world: World, entry: SeedOrganization, index: number): Organization {
  const { name } = entry;
  const ids = createSeedIds(world, `${index}/${name}`);
  const id = entry.id ?? ids('organization');
  const agents = (entry.agents ?? []).map((agent) => toAgent({ ids }, agent));
  const drives = (entry.drives ?? []).map((drive) => toDrive({ ids, world }, id, drive));
  const servers = (entry.mcpServers ?? []).map((server) => toMcpServer({ ids, world }, id, server));
  const organization = new Organization(world, { name, id, ids: ids.state() });
  for (const agent of agents) organization.agentsById.set(agent.id, agent);
  for (const { drive } of drives) organization.drivesById.set(drive.id, drive);
  for (const server of servers) organization.mcpServersById.set(server.id, server);
  for (const { drive, files } of drives) for (const file of files) organization.ownFilesOf(drive.id).put(file);
  const order = world.profile.listOrder;
  organization.agents = new OrderedList(order, agents);
  organization.drives = new OrderedList(
    order,
    drives.map(({ drive }) => drive),
  );
  organization.mcpServers = new OrderedList(order, servers);
  return organization;
}

// So that the seed has the same ids at the start, after a reset, and in each world that is opened later.
function createSeedIds(world: World, streamName: string): Ids {
  const startClock = { nowMs: () => world.startedAtMs };
  return createIds(world.profile.idFormat, idStreamOf(world, streamName), startClock);
}

/** What a record of a seed is made with. */
type Maker = Pick<Organization, 'ids' | 'world'>;

function times(entry: { createdAt: string; updatedAt?: string }): { createdAtMs: number; updatedAtMs: number } {
  return { createdAtMs: Date.parse(entry.createdAt), updatedAtMs: Date.parse(entry.updatedAt ?? entry.createdAt) };
}

/** An agent of an organization, from a seed's entry. */
export function toAgent({ ids }: Pick<Maker, 'ids'>, entry: SeedAgent): Agent {
  const id = entry.id ?? ids('agent');
  const revisions: Revision[] = (entry.revisions ?? []).map((revision) => ({
    id: revision.id ?? ids('revision'),
    createdAtMs: Date.parse(revision.createdAt),
  }));
  const active = entry.published === undefined ? undefined : revisions[entry.published - 1]?.id;
  return {
    id,
    name: entry.name,
    ...(entry.description === undefined ? {} : { description: entry.description }),
    revisions,
    ...(active === undefined ? {} : { activeRevisionId: active }),
    hasChanges: hasNewerRevision(revisions, active),
    ...times(entry),
  };
}

function toDrive(maker: Maker, organizationId: string, entry: SeedDrive): { drive: Drive; files: DriveFile[] } {
  const id = entry.id ?? maker.ids('drive');
  const files = (entry.files ?? []).map((file) => toFile(maker, file));
  return { drive: { id, organizationId, name: entry.name, ...times(entry) }, files };
}

/** A file of an organization, from a seed's entry. */
export function toFile({ ids, world }: Maker, entry: SeedFile): DriveFile {
  const { becomes, modifiedAt, id, status, ...kept } = entry;
  return {
    ...kept,
    id: id ?? ids('file'),
    name: nameOf(entry.path),
    status: status ?? 'ready',
    ...(becomes === undefined ? {} : { next: { status: becomes.status, atMs: world.clock.nowMs() + becomes.afterMs } }),
    modifiedAtMs: Date.parse(modifiedAt),
  };
}

function toMcpServer({ ids, world }: Maker, organizationId: string, entry: SeedMcpServer): McpServer {
  return {
    id: entry.id ?? ids('mcpServer'),
    organizationId,
    name: entry.name,
    url: entry.url,
    type: entry.type ?? world.profile.mcpDefaultType,
    tools: entry.tools ?? [],
    ...times(entry),
  };
}

/** What a schema cannot see: keys, ids and paths that stand twice, and revisions that are not there. */
export function validateSeedRelations(seed: Seed): SeedViolation[] {
  return [...twice(idsOf(seed), 'id'), ...twice(keysOf(seed), 'key'), ...pathsTwice(seed), ...missingRevisions(seed)];
}

interface Located {
  value: string;
  location: (string | number)[];
}

function twice(entries: readonly Located[], what: string): SeedViolation[] {
  const seen = new Set<string>();
  return entries.flatMap(({ value, location }) => {
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [{ location, message: `the ${what} ${JSON.stringify(value)} stands twice; give each its own` }];
  });
}

function keysOf(seed: Seed): Located[] {
  return seed.organizations.flatMap((organization, o) =>
    organization.keys.map((value, k) => ({ value, location: ['organizations', o, 'keys', k] })),
  );
}

function idsOf(seed: Seed): Located[] {
  const found: Located[] = [];
  const visit = (value: unknown, location: (string | number)[]): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...location, index]);
    else if (typeof value === 'object' && value !== null) visitObject(value, location);
  };
  const visitObject = (value: object, location: (string | number)[]): void => {
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'id') found.push({ value: String(inner), location: [...location, name] });
      else if (name !== 'metadata') visit(inner, [...location, name]);
    }
  };
  visit(seed, []);
  return found;
}

function pathsTwice(seed: Seed): SeedViolation[] {
  return seed.organizations.flatMap((organization, o) =>
    (organization.drives ?? []).flatMap((drive, d) => {
      const at = ['organizations', o, 'drives', d, 'files'];
      const paths = (drive.files ?? []).map((file, f) => ({ value: file.path, location: [...at, f, 'path'] }));
      return twice(paths, 'path');
    }),
  );
}

function missingRevisions(seed: Seed): SeedViolation[] {
  return seed.organizations.flatMap((organization, o) =>
    (organization.agents ?? []).flatMap((agent, a) => {
      const count = agent.revisions?.length ?? 0;
      if (agent.published === undefined || agent.published <= count) return [];
      const message = `revision ${agent.published} is not there; this agent has ${count}, counted from 1`;
      return [{ location: ['organizations', o, 'agents', a, 'published'], message }];
    }),
  );
}
