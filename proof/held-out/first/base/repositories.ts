import type { AgentRow, Database, DriveRow, FileRow, McpServerRow, RevisionRow, ToolRow } from './database.ts';

class Repository {
  db: Database;

  constructor(db: Database) {
    this.db = db;
  }
}

export class ApiKeyRepository extends Repository {
  /** The id of the organization that owns the key. */
  ownerOf(secret: string): string | undefined {
    return this.db.apiKeys.first({ secret })?.organizationId;
  }
}

export class AgentRepository extends Repository {
  list(organizationId: string): AgentRow[] {
    return this.db.agents.select({ where: { organizationId } });
  }

  find(organizationId: string, id: string): AgentRow | undefined {
    return this.db.agents.first({ id, organizationId });
  }

  revision(agentId: string, id: string): RevisionRow | undefined {
    return this.db.revisions.first({ id, agentId });
  }

  activate(agentId: string, revisionId: string, updatedAt: Date): void {
    this.db.agents.update({ id: agentId }, { activeRevisionId: revisionId, hasChanges: false, updatedAt });
  }
}

export class DriveRepository extends Repository {
  page(organizationId: string, limit: number, offset: number): DriveRow[] {
    return this.db.drives.select({ where: { organizationId }, limit, offset });
  }

  count(organizationId: string): number {
    return this.db.drives.count({ organizationId });
  }

  find(organizationId: string, id: string): DriveRow | undefined {
    return this.db.drives.first({ id, organizationId });
  }

  insert(row: DriveRow): DriveRow {
    return this.db.drives.insert(row);
  }
}

export class FileRepository extends Repository {
  find(driveId: string, id: string): FileRow | undefined {
    return this.db.files.first({ id, driveId });
  }

  at(driveId: string, path: string): FileRow | undefined {
    return this.db.files.first({ driveId, path });
  }

  update(id: string, changes: Partial<FileRow>): void {
    this.db.files.update({ id }, changes);
  }

  /** All files below a directory, at any depth. */
  inTree(driveId: string, directory: string): FileRow[] {
    const prefix = directory.endsWith('/') ? directory : `${directory}/`;
    return this.db.files.select({ where: (file) => file.driveId === driveId && file.path.startsWith(prefix) });
  }

  delete(ids: string[]): void {
    this.db.files.delete((file) => ids.includes(file.id));
  }
}

export class McpServerRepository extends Repository {
  list(organizationId: string): McpServerRow[] {
    return this.db.mcpServers.select({ where: { organizationId } });
  }

  find(organizationId: string, id: string): McpServerRow | undefined {
    return this.db.mcpServers.first({ id, organizationId });
  }

  insert(row: McpServerRow): McpServerRow {
    return this.db.mcpServers.insert(row);
  }

  tools(serverId: string): ToolRow[] {
    return this.db.tools.select({ where: { serverId } });
  }
}
