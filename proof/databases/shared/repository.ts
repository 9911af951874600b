/** What an organization sees of its data. Both databases keep it in their own SQL; what is not there throws a refusal. */
export interface Repository {
  organizationOf(key: string): Promise<string | undefined>;
  listAgents(organizationId: string): Promise<unknown[]>;
  publish(organizationId: string, agentId: string, revisionId: string): Promise<unknown>;
  createDrive(organizationId: string, input: DriveInput): Promise<unknown>;
  listDrives(organizationId: string, page: Page): Promise<{ drives: unknown[]; total: unknown }>;
  getFile(organizationId: string, driveId: string, fileId: string): Promise<unknown>;
  moveFile(organizationId: string, driveId: string, fileId: string, path: string): Promise<unknown>;
  deleteTree(organizationId: string, driveId: string, path: string): Promise<TreeDeletion>;
  createMcpServer(organizationId: string, input: McpServerInput): Promise<unknown>;
  listMcpServers(organizationId: string): Promise<unknown[]>;
  listTools(organizationId: string, mcpServerId: string): Promise<unknown[]>;
}

export interface Page {
  limit: number;
  offset: number;
}

export interface DriveInput {
  name: string;
}

export interface McpServerInput extends DriveInput {
  url: string;
}

export interface TreeDeletion {
  jobId: unknown;
  documentCount: unknown;
}

/** The last segment of a path. */
export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A directory without the slash at its end; empty for the root. */
export function directoryIn(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The fields of a row that are not NULL: no field of the interface may be null. */
export function withoutNulls<T extends object>(row: T): Partial<T> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Partial<T>;
}
