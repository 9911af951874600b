import * as api from './generated/index.ts';
import { input, judge, type Target, typed, type Used, validate } from './shared.ts';

export async function use(target: Target): Promise<Used> {
  const { baseUrl, key, ids } = target;
  const config = { baseURL: baseUrl, headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } };
  const agents = typed(await api.listAgents(config));
  const published = typed(await api.publishAgentRevision(ids.agentId, { revisionId: ids.revisionId }, config));
  const drive = typed(await api.createDrive({ name: input.name }, config));
  const page = typed(await api.listDrives(input.page, config));
  const file = typed(await api.getDriveFile(ids.driveId, ids.fileId, config));
  const moved = typed(await api.updateDriveFile(ids.driveId, ids.fileId, { path: input.moveTo }, config));
  const deletion = typed(await api.deleteDriveTree(ids.driveId, { path: input.tree }, config));
  const server = typed(await api.createMcpServer(input.server, config));
  const servers = typed(await api.listMcpServers(config));
  const tools = typed(await api.listMcpServerTools(ids.mcpServerId, config));
  const seen = { agents, published, drive, page, file, moved, deletion, server, servers, tools };
  const validations = validate([
    [api.listAgentsQueryResponseSchema, agents],
    [api.publishAgentRevisionMutationResponseSchema, published],
    [api.createDriveMutationResponseSchema, drive],
    [api.listDrivesQueryResponseSchema, page],
    [api.getDriveFileQueryResponseSchema, file],
    [api.updateDriveFileMutationResponseSchema, moved],
    [api.deleteDriveTreeMutationResponseSchema, deletion],
    [api.createMcpServerMutationResponseSchema, server],
    [api.listMcpServersQueryResponseSchema, servers],
    [api.listMcpServerToolsQueryResponseSchema, tools],
  ]);
  return { calls: judge(seen, target), validations };
}
