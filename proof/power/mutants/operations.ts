import type { OperationId } from '../../../openapi/contract/operations.ts';

const words: Readonly<Record<OperationId, { slug: string; said: string }>> = {
  listAgents: { slug: 'list-agents', said: 'GET /agents' },
  publishAgentRevision: { slug: 'publish-agent-revision', said: 'POST /agents/{agentId}/publish' },
  createDrive: { slug: 'create-drive', said: 'POST /drives' },
  listDrives: { slug: 'list-drives', said: 'GET /drives' },
  getDriveFile: { slug: 'get-drive-file', said: 'GET /drives/{driveId}/files/{fileId}' },
  updateDriveFile: { slug: 'update-drive-file', said: 'PATCH /drives/{driveId}/files/{fileId}' },
  deleteDriveTree: { slug: 'delete-drive-tree', said: 'DELETE /drives/{driveId}/items/tree' },
  createMcpServer: { slug: 'create-mcp-server', said: 'POST /mcp-servers' },
  listMcpServers: { slug: 'list-mcp-servers', said: 'GET /mcp-servers' },
  listMcpServerTools: { slug: 'list-mcp-server-tools', said: 'GET /mcp-servers/{mcpServerId}/tools' },
};

/** The operations, as ids of mutants and sentences name them. */
export const operations = (Object.keys(words) as OperationId[]).map((id) => ({ id, ...words[id] }));
