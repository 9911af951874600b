import { statusAt } from './files.ts';
import type { Organization } from './organizations.ts';
import { type Agent, type Drive, type DriveFile, type McpServer, withIsoTimes } from './resources.ts';
import type { Seed, SeedAgent, SeedDrive, SeedFile, SeedMcpServer, SeedOrganization } from './seed.ts';
import type { Sandbox } from './store.ts';

/**
 * The state of organizations as a seed. What a seed cannot express is left out: file names that differ from their
 * paths, revoked keys, why tools were not listed, `hasChanges` set by hand, and deferred changes.
 */
export function toSeed(sandboxes: readonly Sandbox[]): Seed {
  return { organizations: sandboxes.map(toSeedOrganization) };
}

function toSeedOrganization({ organization, keys }: Sandbox): SeedOrganization {
  const { id, name, agents, drives, mcpServers, agentsById, drivesById, mcpServersById } = organization;
  return {
    ...{ id, name, keys: [...keys] },
    agents: inOrder(agentsById, agents.arrivedIds()).map(toSeedAgent),
    drives: inOrder(drivesById, drives.arrivedIds()).map((drive) => toSeedDrive(organization, drive)),
    mcpServers: inOrder(mcpServersById, mcpServers.arrivedIds()).map(toSeedMcpServer),
  };
}

// In list order. What is not listed yet comes last.
function inOrder<T extends { id: string }>(byId: ReadonlyMap<string, T>, listed: readonly string[]): T[] {
  const shown = new Set(listed);
  const first = listed.flatMap((id) => byId.get(id) ?? []);
  return [...first, ...[...byId.values()].filter(({ id }) => !shown.has(id))];
}

function toSeedAgent({ activeRevisionId, hasChanges: _, revisions, ...agent }: Agent): SeedAgent {
  const published = revisions.findIndex(({ id }) => id === activeRevisionId) + 1;
  return { ...withIsoTimes(agent), revisions: revisions.map(withIsoTimes), ...(published === 0 ? {} : { published }) };
}

function toSeedDrive(organization: Organization, { organizationId: _, ...drive }: Drive): SeedDrive {
  const files = organization.filesOf(drive.id).all();
  return { ...withIsoTimes(drive), files: files.map((file) => toSeedFile(organization, file)) };
}

function toSeedFile(organization: Organization, whole: DriveFile): SeedFile {
  const { name: _, next, ...file } = whole;
  const afterMs = Math.round((next?.atMs ?? 0) - organization.runtime.clock.nowMs());
  return {
    ...withIsoTimes({ ...file, status: statusAt(organization, whole) }),
    ...(next === undefined || afterMs <= 0 ? {} : { becomes: { status: next.status, afterMs } }),
  };
}

function toSeedMcpServer({ organizationId: _, toolsProblem: __, ...server }: McpServer): SeedMcpServer {
  return { ...withIsoTimes(server), tools: [...server.tools] };
}
