import { hasNewerRevision } from './agents.ts';
import { nameOf } from './file-tree.ts';
import { createIds, type Ids } from './ids.ts';
import { OrderedList } from './ordered-list.ts';
import { idStreamOf, Organization, type Runtime } from './organizations.ts';
import type { Agent, Drive, DriveFile, FileStatus, McpServer, McpServerType, McpTool, Revision } from './resources.ts';
import { Store } from './store.ts';
import { Templates } from './templates.ts';

/** The named starting state, as in a seed file. Its schema is `seed.schema.json`. Times are ISO date-times. */
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

interface SeedTimes {
  createdAt: string;
  updatedAt?: string;
}

/** The fields that a seed and the store write differently. */
type Made = 'id' | 'organizationId' | 'createdAtMs' | 'updatedAtMs';

export type SeedAgent = SeedTimes &
  Omit<Agent, Made | 'revisions' | 'activeRevisionId' | 'hasChanges'> & {
    id?: string;
    /** Oldest first. */
    revisions?: { id?: string; createdAt: string }[];
    /** The number of the published revision, from 1. */
    published?: number;
  };

export type SeedDrive = SeedTimes & Omit<Drive, Made> & { id?: string; files?: SeedFile[] };

export type SeedFile = Omit<DriveFile, 'id' | 'name' | 'status' | 'next' | 'modifiedAtMs'> & {
  id?: string;
  status?: FileStatus;
  /** The status that the file takes on by itself, and how long after the start. */
  becomes?: { status: FileStatus; afterMs: number };
  modifiedAt: string;
};

type SeedMcpServer = SeedTimes &
  Omit<McpServer, Made | 'type' | 'tools' | 'toolsProblem'> & { id?: string; type?: McpServerType; tools?: McpTool[] };

/** An error in a seed that its schema cannot express. */
interface SeedViolation {
  location: (string | number)[];
  message: string;
}

/** Creates the store in its starting state. The seed must be valid. */
export function createStore(runtime: Runtime, seed: Seed): Store {
  const tenants = seed.organizations.map((entry, index) => ({
    organization: toOrganization(runtime, entry, index),
    origin: { kind: 'seed', index } as const,
    keys: entry.keys,
  }));
  return new Store(tenants, createTemplates(runtime, seed));
}

/** The organizations of a seed, each made on first use. */
export function createTemplates(runtime: Runtime, seed: Seed): Templates {
  return new Templates(seed.organizations.map((entry, index) => () => toOrganization(runtime, entry, index)));
}

function toOrganization(runtime: Runtime, entry: SeedOrganization, index: number): Organization {
  const { name } = entry;
  const ids = createSeedIds(runtime, `${index}/${name}`);
  const id = entry.id ?? ids('organization');
  const agents = (entry.agents ?? []).map((agent) => toAgent({ ids }, agent));
  const drives = (entry.drives ?? []).map((drive) => toDrive({ ids, runtime }, id, drive));
  const servers = (entry.mcpServers ?? []).map((server) => toMcpServer({ ids, runtime }, id, server));
  const organization = new Organization(runtime, { name, id, ids: ids.state() });
  for (const agent of agents) organization.agentsById.set(agent.id, agent);
  for (const { drive } of drives) organization.drivesById.set(drive.id, drive);
  for (const server of servers) organization.mcpServersById.set(server.id, server);
  for (const { drive, files } of drives) for (const file of files) organization.ownFilesOf(drive.id).put(file);
  const order = runtime.profile.listOrder;
  organization.agents = new OrderedList(order, agents);
  organization.drives = new OrderedList(
    order,
    drives.map(({ drive }) => drive),
  );
  organization.mcpServers = new OrderedList(order, servers);
  return organization;
}

// The seed has the same ids at the start, after a reset, and in each world that is opened later.
function createSeedIds(runtime: Runtime, streamName: string): Ids {
  const startClock = { nowMs: () => runtime.startedAtMs };
  return createIds(runtime.profile.idFormat, idStreamOf(runtime, streamName), startClock);
}

/** What the records of a seed are made with. */
type Maker = Pick<Organization, 'ids' | 'runtime'>;

/** The entry with its times in milliseconds. */
function timed<T extends SeedTimes>({ createdAt, updatedAt = createdAt, ...rest }: T) {
  return { ...rest, createdAtMs: Date.parse(createdAt), updatedAtMs: Date.parse(updatedAt) };
}

/** An agent of an organization, from a seed's entry. */
export function toAgent({ ids }: Pick<Maker, 'ids'>, entry: SeedAgent): Agent {
  const { id = ids('agent'), revisions: sent = [], published, ...kept } = timed(entry);
  const revisions = sent.map(
    ({ id = ids('revision'), createdAt }): Revision => ({ id, createdAtMs: Date.parse(createdAt) }),
  );
  const active = published === undefined ? undefined : revisions[published - 1]?.id;
  return {
    ...kept,
    ...{ id, revisions, hasChanges: hasNewerRevision(revisions, active) },
    ...(active === undefined ? {} : { activeRevisionId: active }),
  };
}

function toDrive(maker: Maker, organizationId: string, entry: SeedDrive): { drive: Drive; files: DriveFile[] } {
  const { id = maker.ids('drive'), files = [], ...kept } = timed(entry);
  return { drive: { ...kept, id, organizationId }, files: files.map((file) => toFile(maker, file)) };
}

/** A file of an organization, from a seed's entry. */
export function toFile({ ids, runtime }: Maker, entry: SeedFile): DriveFile {
  const { becomes, modifiedAt, id = ids('file'), status = 'ready', ...kept } = entry;
  return {
    ...kept,
    ...{ id, name: nameOf(entry.path), status },
    ...(becomes === undefined
      ? {}
      : { next: { status: becomes.status, atMs: runtime.clock.nowMs() + becomes.afterMs } }),
    modifiedAtMs: Date.parse(modifiedAt),
  };
}

function toMcpServer({ ids, runtime }: Maker, organizationId: string, entry: SeedMcpServer): McpServer {
  const { id = ids('mcpServer'), type = runtime.profile.mcpDefaultType, tools = [], ...kept } = timed(entry);
  return { ...kept, id, organizationId, type, tools };
}

/** Errors that a schema cannot express: duplicate keys, ids and paths, and unknown revisions. */
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
    return [{ location, message: `the ${what} ${JSON.stringify(value)} is given twice; give each its own` }];
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
      const message = `revision ${agent.published} does not exist; this agent has ${count}, counted from 1`;
      return [{ location: ['organizations', o, 'agents', a, 'published'], message }];
    }),
  );
}
