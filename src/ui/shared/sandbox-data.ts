import { signal } from '@preact/signals';
import type { ShownAgent } from '../../app/admin-api/agent-handlers.ts';
import type { ShownDrive, ShownFile } from '../../app/admin-api/file-handlers.ts';
import type { ShownServer } from '../../app/admin-api/mcp-server-handlers.ts';
import { pageSize, readControl } from './control.ts';
import { placeOf } from './state-undo.ts';

/** The records of one organization that the page suggests: the first ones of each kind. */
export interface SandboxData {
  keys: readonly string[];
  agents: readonly ShownAgent[];
  drives: readonly ShownDrive[];
  mcpServers: readonly ShownServer[];
  /** By drive; missing until they are loaded. */
  files: ReadonlyMap<string, readonly ShownFile[]>;
}

/** By organization; missing until it is loaded. */
export const sandboxData = signal<ReadonlyMap<string, SandboxData>>(new Map());

/** Loads what an organization holds now. Files are loaded drive by drive, on demand. */
export async function loadSandboxData(organizationId: string): Promise<void> {
  const first = <T>(name: string) =>
    readControl<T>(`${placeOf('organizations', organizationId, name)}?limit=${pageSize}`);
  const [keys, agents, drives, mcpServers] = await Promise.all([
    first<{ key: string }[]>('keys'),
    first<SandboxData['agents']>('agents'),
    first<SandboxData['drives']>('drives'),
    first<SandboxData['mcpServers']>('mcp-servers'),
  ]);
  const data = { keys: keys.map(({ key }) => key), agents, drives, mcpServers, files: new Map() };
  sandboxData.value = new Map(sandboxData.value).set(organizationId, data);
}

/** Loads the first files of a drive, unless they are loaded, or the organization has no such drive. */
export async function loadDriveFiles(organizationId: string, driveId: string): Promise<void> {
  const data = sandboxData.value.get(organizationId);
  if (data === undefined || data.files.has(driveId) || !data.drives.some(({ id }) => id === driveId)) return;
  const files = await readControl<ShownFile[]>(
    `${placeOf('organizations', organizationId, 'drives', driveId, 'files')}?limit=${pageSize}`,
  );
  // The data were reloaded meanwhile, so these may be out of date.
  if (sandboxData.value.get(organizationId) !== data) return;
  const loaded = { ...data, files: new Map(data.files).set(driveId, files) };
  sandboxData.value = new Map(sandboxData.value).set(organizationId, loaded);
}
