import type { AgentRow, DriveRow, FileRow, McpServerRow, ToolRow } from './database.ts';
import { Failure } from './failure.ts';
import type { AgentRepository, DriveRepository, FileRepository, McpServerRepository } from './repositories.ts';
import type { Page } from './rules.ts';
import type { Settings } from './settings.ts';

export class AgentService {
  settings: Settings;
  agents: AgentRepository;

  constructor(settings: Settings, agents: AgentRepository) {
    this.settings = settings;
    this.agents = agents;
  }

  list(organizationId: string): AgentRow[] {
    return this.agents.list(organizationId);
  }

  publish(organizationId: string, agentId: string, revisionId: string): void {
    const agent = this.agents.find(organizationId, agentId);
    if (!agent) throw new Failure('not-found', 'Agent not found');
    const revision = this.agents.revision(agent.id, revisionId);
    if (!revision) throw new Failure('not-found', 'Revision not found');
    this.agents.activate(agent.id, revision.id, this.settings.now());
  }
}

export class DriveService {
  settings: Settings;
  drives: DriveRepository;

  constructor(settings: Settings, drives: DriveRepository) {
    this.settings = settings;
    this.drives = drives;
  }

  create(organizationId: string, name: string): DriveRow {
    const now = this.settings.now();
    return this.drives.insert({ id: this.settings.newId('drv'), organizationId, name, createdAt: now, updatedAt: now });
  }

  list(organizationId: string, page: Page): { rows: DriveRow[]; total: number } {
    return {
      rows: this.drives.page(organizationId, page.limit, page.offset),
      total: this.drives.count(organizationId),
    };
  }

  get(organizationId: string, id: string): DriveRow {
    const drive = this.drives.find(organizationId, id);
    if (!drive) throw new Failure('not-found', 'Drive not found');
    return drive;
  }
}

export interface DeletionJob {
  jobId: string;
  documentCount: number;
}

export class FileService {
  settings: Settings;
  drives: DriveService;
  files: FileRepository;

  constructor(settings: Settings, drives: DriveService, files: FileRepository) {
    this.settings = settings;
    this.drives = drives;
    this.files = files;
  }

  get(organizationId: string, driveId: string, fileId: string): FileRow {
    const drive = this.drives.get(organizationId, driveId);
    const file = this.files.find(drive.id, fileId);
    if (!file) throw new Failure('not-found', 'File not found');
    return file;
  }

  move(organizationId: string, driveId: string, fileId: string, path: string): FileRow {
    const file = this.get(organizationId, driveId, fileId);
    const occupant = this.files.at(driveId, path);
    if (occupant && occupant.id !== file.id) throw new Failure('conflict', 'There is already a file at this path');
    this.files.update(file.id, { path, name: lastSegment(path), modifiedAt: this.settings.now() });
    return this.get(organizationId, driveId, file.id);
  }

  deleteTree(organizationId: string, driveId: string, directory: string): DeletionJob {
    const drive = this.drives.get(organizationId, driveId);
    const doomed = this.files.inTree(drive.id, directory);
    this.files.delete(doomed.map((file) => file.id));
    return { jobId: this.settings.newId('job'), documentCount: doomed.length };
  }
}

export class McpServerService {
  settings: Settings;
  servers: McpServerRepository;

  constructor(settings: Settings, servers: McpServerRepository) {
    this.settings = settings;
    this.servers = servers;
  }

  register(organizationId: string, name: string, url: string): McpServerRow {
    const now = this.settings.now();
    const type = url.endsWith('/sse') ? 'sse' : 'streamableHttp';
    return this.servers.insert({
      id: this.settings.newId('mcp'),
      organizationId,
      name,
      url,
      type,
      createdAt: now,
      updatedAt: now,
    });
  }

  list(organizationId: string): McpServerRow[] {
    return this.servers.list(organizationId);
  }

  tools(organizationId: string, id: string): ToolRow[] {
    const server = this.servers.find(organizationId, id);
    if (!server) throw new Failure('not-found', 'MCP server not found');
    return this.servers.tools(server.id);
  }
}

export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
