import { Table } from './table.ts';

export interface OrganizationRow {
  id: string;
  name: string;
}
export interface ApiKeyRow {
  id: string;
  organizationId: string;
  secret: string;
}
export interface AgentRow {
  id: string;
  organizationId: string;
  name: string;
  description: string;
  activeRevisionId: string | null;
  hasChanges: boolean;
  createdAt: Date;
  updatedAt: Date;
}
export interface RevisionRow {
  id: string;
  agentId: string;
  number: number;
}
export interface DriveRow {
  id: string;
  organizationId: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}
export type FileStatus = 'processing' | 'ready' | 'error';
export interface FileRow {
  id: string;
  driveId: string;
  name: string;
  path: string;
  status: FileStatus;
  modifiedAt: Date;
  size: number;
  contentType: string;
  description: string;
  summary: string;
  metadata: Record<string, unknown>;
}
export interface McpServerRow {
  id: string;
  organizationId: string;
  name: string;
  url: string;
  type: 'sse' | 'streamableHttp';
  createdAt: Date;
  updatedAt: Date;
}
export interface ToolRow {
  id: string;
  serverId: string;
  name: string;
  description: string;
}

export class Database {
  organizations = new Table<OrganizationRow>();
  apiKeys = new Table<ApiKeyRow>();
  agents = new Table<AgentRow>();
  revisions = new Table<RevisionRow>();
  drives = new Table<DriveRow>();
  files = new Table<FileRow>();
  mcpServers = new Table<McpServerRow>();
  tools = new Table<ToolRow>();
}
