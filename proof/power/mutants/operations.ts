import type { OperationId } from '../../../openapi/contract/operations.ts';

/** The ten operations, as ids of mutants and sentences name them. */
export const operations: readonly { id: OperationId; slug: string; said: string }[] = [
  { id: 'listAgents', slug: 'list-agents', said: 'GET /agents' },
  { id: 'publishAgentRevision', slug: 'publish-agent-revision', said: 'POST /agents/{agentId}/publish' },
  { id: 'createDrive', slug: 'create-drive', said: 'POST /drives' },
  { id: 'listDrives', slug: 'list-drives', said: 'GET /drives' },
  { id: 'getDriveFile', slug: 'get-drive-file', said: 'GET /drives/{driveId}/files/{fileId}' },
  { id: 'updateDriveFile', slug: 'update-drive-file', said: 'PATCH /drives/{driveId}/files/{fileId}' },
  { id: 'deleteDriveTree', slug: 'delete-drive-tree', said: 'DELETE /drives/{driveId}/items/tree' },
  { id: 'createMcpServer', slug: 'create-mcp-server', said: 'POST /mcp-servers' },
  { id: 'listMcpServers', slug: 'list-mcp-servers', said: 'GET /mcp-servers' },
  { id: 'listMcpServerTools', slug: 'list-mcp-server-tools', said: 'GET /mcp-servers/{mcpServerId}/tools' },
];
