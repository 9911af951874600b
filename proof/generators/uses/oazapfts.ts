import * as api from './generated/api.ts';
import { input, judge, success, type Target, typed, type Used } from './shared.ts';

export async function use(target: Target): Promise<Used> {
  const { baseUrl, key, ids } = target;
  const options = { baseUrl, headers: { 'X-API-Key': key } };
  const agents = typed(success(await api.listAgents(options), 200));
  const revision = { revisionId: ids.revisionId };
  const published = typed(success(await api.publishAgentRevision(ids.agentId, revision, options), 200));
  const drive = typed(success(await api.createDrive({ name: input.name }, options), 201));
  const page = typed(success(await api.listDrives(input.page, options), 200));
  const file = typed(success(await api.getDriveFile(ids.driveId, ids.fileId, options), 200));
  const move = { path: input.moveTo };
  const moved = typed(success(await api.updateDriveFile(ids.driveId, ids.fileId, move, options), 200));
  const deletion = typed(success(await api.deleteDriveTree(ids.driveId, input.tree, options), 200));
  const server = typed(success(await api.createMcpServer(input.server, options), 201));
  const servers = typed(success(await api.listMcpServers(options), 200));
  const tools = typed(success(await api.listMcpServerTools(ids.mcpServerId, options), 200));
  const seen = { agents, published, drive, page, file, moved, deletion, server, servers, tools };
  return { calls: judge(seen, target), validations: 0 };
}
