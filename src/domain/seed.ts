import { hasNewerRevision } from './agents.ts';
import { nameOf } from './file-tree.ts';
import { createIds } from './ids.ts';
import { copyOrganization, idStreamOf, type Organization, type Runtime } from './organizations.ts';
import type { Agent, Drive, DriveFile, FileStatus, McpServer, McpServerType, McpTool, Revision } from './resources.ts';
import { fromSnapshot, type OrganizationSnapshot } from './snapshot.ts';
import { type NewSandbox, Store } from './store.ts';

/** The initial state, as in a seed file. Its schema is `seed.schema.json`. Times are ISO date-times. */
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
  /** Default: when the mock started. */
  createdAt?: string;
  /** Default: `createdAt`. */
  updatedAt?: string;
}

/** The fields that a seed and the store write differently. */
type Made = 'id' | 'organizationId' | 'createdAtMs' | 'updatedAtMs';

export type SeedAgent = SeedTimes &
  Omit<Agent, Made | 'revisions' | 'activeRevisionId' | 'hasChanges'> & {
    id?: string;
    /** Oldest first. */
    revisions?: { id?: string; createdAt?: string }[];
    /** The number of the published revision, from 1. */
    published?: number;
  };

export type SeedDrive = SeedTimes & Omit<Drive, Made> & { id?: string; files?: SeedFile[] };

export type SeedFile = Omit<
  DriveFile,
  'id' | 'name' | 'status' | 'next' | 'modifiedAtMs' | 'sizeBytes' | 'contentType'
> & {
  id?: string;
  status?: FileStatus;
  /** The status that the file changes to by itself, and the delay after startup. */
  becomes?: { status: FileStatus; afterMs: number };
  /** Default: when the mock started. */
  modifiedAt?: string;
  /** Default: 0. */
  sizeBytes?: number;
  /** Default: `application/octet-stream`. */
  contentType?: string;
};

export type SeedMcpServer = SeedTimes &
  Omit<McpServer, Made | 'type' | 'tools' | 'toolsProblem'> & { id?: string; type?: McpServerType; tools?: McpTool[] };

/** Creates the store in its initial state. The seed must be valid. */
export function createStore(runtime: Runtime, seed: Seed): Store {
  const templates = createTemplates(runtime, seed);
  const sandboxes = seed.organizations.map(({ keys }, index): NewSandbox => {
    const organization = copyOrganization(templates[index] as Organization);
    return { organization, origin: { kind: 'seed', index }, keys };
  });
  return new Store(sandboxes, templates);
}

/** The organizations of a seed in their initial state. */
export function createTemplates(runtime: Runtime, seed: Seed): Organization[] {
  return seed.organizations.map((entry, index) => toOrganization(runtime, entry, index));
}

function toOrganization(runtime: Runtime, entry: SeedOrganization, index: number): Organization {
  const { name, keys } = entry;
  // The same at each start, after a reset and in each sandbox opened later.
  const clock = { nowMs: () => idTimeMs };
  const given = givenIn(entry);
  const stream = idStreamOf(runtime, `${index}/${name}`);
  const ids = createIds({ profile: runtime.profile, clock }, stream, (_, id) => given.has(id));
  const id = entry.id ?? ids('organization');
  const maker = { ids, runtime, madeAtMs: runtime.startedAtMs };
  const agents = (entry.agents ?? []).map((agent) => toAgent(maker, agent));
  const drives = (entry.drives ?? []).map((drive) => toDrive(maker, drive));
  const mcpServers = (entry.mcpServers ?? []).map((server) => toMcpServer(maker, server));
  const { organization } = fromSnapshot(runtime, {
    ...{ id, name, origin: { kind: 'seed', index }, keys, firstKeys: keys },
    ...{ ids: ids.state(), deferred: { calls: 0, tasks: [] }, agents, drives, mcpServers },
    listed: { agents: agents.map(idOf), drives: drives.map(idOf), mcpServers: mcpServers.map(idOf) },
  });
  return organization;
}

/** The time in the ids of a seed, if their format has one. */
const idTimeMs = Date.UTC(2026, 0, 1);

/** The ids of all kinds that a seed gives to an organization and what is in it. */
function givenIn({ id, agents = [], drives = [], mcpServers = [] }: SeedOrganization): ReadonlySet<string | undefined> {
  const revisions = agents.flatMap((agent) => agent.revisions ?? []);
  const files = drives.flatMap((drive) => drive.files ?? []);
  return new Set([
    id,
    ...[agents, revisions, drives, files, mcpServers].flatMap((records: { id?: string }[]) =>
      records.map(({ id }) => id),
    ),
  ]);
}

/** What is needed to create a seed's records. */
type Maker = Pick<Organization, 'ids' | 'runtime'> & {
  /** The time for records without one. */
  madeAtMs: number;
};

/** The entry with its times in milliseconds. */
function timed<T extends SeedTimes>({ madeAtMs }: Maker, { createdAt, updatedAt = createdAt, ...rest }: T) {
  return { ...rest, createdAtMs: timeOf(createdAt ?? updatedAt, madeAtMs), updatedAtMs: timeOf(updatedAt, madeAtMs) };
}

function timeOf(written: string | undefined, madeAtMs: number): number {
  return written === undefined ? madeAtMs : Date.parse(written);
}

export function toAgent(maker: Maker, entry: SeedAgent): Agent {
  const { ids, madeAtMs } = maker;
  const { id = ids('agent'), revisions: sent = [], published, ...kept } = timed(maker, entry);
  const revisions = sent.map(
    ({ id = ids('revision'), createdAt }): Revision => ({ id, createdAtMs: timeOf(createdAt, madeAtMs) }),
  );
  const active = published === undefined ? undefined : revisions[published - 1]?.id;
  return {
    ...kept,
    ...{ id, revisions, hasChanges: hasNewerRevision(revisions, active) },
    ...(active === undefined ? {} : { activeRevisionId: active }),
  };
}

function toDrive(maker: Maker, entry: SeedDrive): OrganizationSnapshot['drives'][number] {
  const { id = maker.ids('drive'), files = [], ...kept } = timed(maker, entry);
  return { id, ...kept, files: files.map((file) => toFile(maker, file)) };
}

export function toFile({ ids, runtime, madeAtMs }: Maker, entry: SeedFile): DriveFile {
  const { sizeBytes = 0, contentType = 'application/octet-stream' } = entry;
  const { becomes, modifiedAt, id = ids('file'), status = 'ready', ...kept } = entry;
  return {
    ...{ ...kept, sizeBytes, contentType },
    ...{ id, name: nameOf(entry.path), status },
    ...(becomes === undefined
      ? {}
      : { next: { status: becomes.status, atMs: runtime.clock.nowMs() + becomes.afterMs } }),
    modifiedAtMs: timeOf(modifiedAt, madeAtMs),
  };
}

function toMcpServer(maker: Maker, entry: SeedMcpServer): OrganizationSnapshot['mcpServers'][number] {
  const { ids, runtime } = maker;
  const { id = ids('mcpServer'), type = runtime.profile.mcpDefaultType, tools = [], ...kept } = timed(maker, entry);
  return { ...kept, id, type, tools };
}

function idOf({ id }: { id: string }): string {
  return id;
}
