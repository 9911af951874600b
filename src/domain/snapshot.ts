import type { DeferredState } from './deferred.ts';
import type { IdState } from './ids.ts';
import { Organization, type Runtime } from './organizations.ts';
import type { Agent, Drive, DriveFile, McpServer } from './resources.ts';
import type { NewSandbox, Origin, Sandbox, Store } from './store.ts';

/** The whole state of a mock as data; restoring it gives the same state. Contains keys. Times in milliseconds. */
export interface Snapshot {
  organizations: OrganizationSnapshot[];
  revokedKeys: string[];
  /** The time at which the clock is fixed; absent while it runs. */
  clockMs?: number | undefined;
}

/** One organization as data. Records are in order of creation, `listed` in the order of the lists. */
export interface OrganizationSnapshot {
  id: string;
  name: string;
  origin: Origin;
  keys: string[];
  /** Its keys at the start. */
  firstKeys: string[];
  ids: IdState;
  deferred: DeferredState;
  agents: Agent[];
  drives: (Omit<Drive, 'organizationId'> & { files: DriveFile[] })[];
  mcpServers: Omit<McpServer, 'organizationId'>[];
  listed: { agents: string[]; drives: string[]; mcpServers: string[] };
}

/** The state of a store as data. */
export function toSnapshot(store: Store): Snapshot {
  return { organizations: store.sandboxes.map(toOrganizationSnapshot), revokedKeys: [...store.revokedKeys] };
}

export function toOrganizationSnapshot({ organization, origin, keys, firstKeys }: Sandbox): OrganizationSnapshot {
  const { id, name, ids, deferred, agents, drives, mcpServers } = organization;
  return {
    ...{ id, name, origin, keys: [...keys], firstKeys: [...firstKeys] },
    ...{ ids: ids.state(), deferred: deferred.state() },
    agents: [...organization.agentsById.values()],
    drives: [...organization.drivesById.values()].map(({ organizationId: _, ...drive }) => ({
      ...drive,
      files: organization.filesOf(drive.id).all(),
    })),
    mcpServers: [...organization.mcpServersById.values()].map(({ organizationId: _, ...server }) => server),
    listed: { agents: agents.arrivedIds(), drives: drives.arrivedIds(), mcpServers: mcpServers.arrivedIds() },
  };
}

/** The organization of a snapshot, with its keys. The snapshot must be valid. */
export function fromSnapshot(runtime: Runtime, snapshot: OrganizationSnapshot): NewSandbox {
  const { id, name, ids, deferred, origin, keys, firstKeys, agents, drives, mcpServers, listed } = snapshot;
  const organization = new Organization(runtime, { id, name, ids, deferred });
  organization.isWritten = true;
  const owned = <T extends object>(record: T) => ({ ...record, organizationId: id });
  organization.fill('agents', agents, listed.agents);
  organization.fill(
    'drives',
    drives.map(({ files: _, ...drive }) => owned(drive)),
    listed.drives,
  );
  organization.fill('mcpServers', mcpServers.map(owned), listed.mcpServers);
  for (const drive of drives) for (const file of drive.files) organization.ownFilesOf(drive.id).put(file);
  return { organization, origin, keys, firstKeys };
}
