import type { Leftover } from '../../conformance/report/report.ts';
import { FileTree } from '../../src/domain/file-tree.ts';
import { OrderedList } from '../../src/domain/ordered-list.ts';
import type { Organization } from '../../src/domain/organizations.ts';
import type { Mock } from '../../src/index.ts';

/** Everything on a mock, organization by organization. Read past whatever a fault has put in the way. */
export interface Snapshot {
  drives: string[];
  mcpServers: string[];
  /** Paths by drive and file. */
  files: Map<string, string>;
  /** The whole state as one text. */
  text: string;
}

/** What is on a mock now. */
export function takeSnapshot(mock: Mock): Snapshot {
  const organizations = mock.engine.store.organizations.map(stateOf);
  return {
    drives: organizations.flatMap(({ drives }) => drives.map(({ id }) => id)),
    mcpServers: organizations.flatMap(({ mcpServers }) => mcpServers.map(({ id }) => id)),
    files: new Map(organizations.flatMap(({ files }) => files.map(({ key, file }) => [key, file.path] as const))),
    text: JSON.stringify(organizations),
  };
}

function stateOf(organization: Organization) {
  const drives = [...organization.drivesById.values()];
  return {
    agents: [...organization.agentsById.values()],
    drives,
    mcpServers: [...organization.mcpServersById.values()],
    listed: [organization.agents, organization.drives, organization.mcpServers].map(idsIn),
    files: drives.flatMap(({ id }) =>
      FileTree.prototype.under
        .call(organization.ownFilesOf(id), '/')
        .below.map((file) => ({ key: JSON.stringify([id, file.id]), file })),
    ),
  };
}

function idsIn(list: OrderedList<{ id: string; name: string; createdAtMs: number }>): string[] {
  return OrderedList.prototype.all.call(list).map(({ id }: { id: string }) => id);
}

/** How a receipt differs from what became of a mock; empty when it tells all of it, and nothing else. */
export function receiptErrors(before: Snapshot, after: Snapshot, leftovers: readonly Leftover[]): string[] {
  const told = (kind: Leftover['kind']) => leftovers.filter((leftover) => leftover.kind === kind).map(({ id }) => id);
  const moved = [...after.files].filter(([key, path]) => before.files.get(key) !== path).map(([key]) => idIn(key));
  const deleted = [...before.files.keys()].filter((key) => !after.files.has(key)).map(idIn);
  return [
    ...differences('drive', added(before.drives, after.drives), told('drive')),
    ...differences('MCP server', added(before.mcpServers, after.mcpServers), told('mcpServer')),
    ...differences('moved file', moved, told('file')),
    ...differences('deleted file', deleted, told('deletedFile')),
  ];
}

function idIn(key: string): string {
  return String(JSON.parse(key)[1]);
}

function added(before: readonly string[], after: readonly string[]): string[] {
  return after.filter((id) => !before.includes(id));
}

function differences(what: string, real: readonly string[], told: readonly string[]): string[] {
  return [
    ...real.filter((id) => !told.includes(id)).map((id) => `${what} ${id} is not in the receipt`),
    ...told.filter((id) => !real.includes(id)).map((id) => `${what} ${id} is in the receipt only`),
  ];
}
