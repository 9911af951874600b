import { Api } from './generated/api.ts';
import { input, judge, type Target, typed, type Used } from './shared.ts';

export async function use(target: Target): Promise<Used> {
  const { baseUrl, key, ids } = target;
  const api = new Api({ baseUrl, baseApiParams: { headers: { 'X-API-Key': key } } });
  const agents = typed((await api.agents.listAgents()).data);
  const published = typed((await api.agents.publishAgentRevision(ids.agentId, { revisionId: ids.revisionId })).data);
  const drive = typed((await api.drives.createDrive({ name: input.name })).data);
  const page = typed((await api.drives.listDrives(input.page)).data);
  const file = typed((await api.drives.getDriveFile(ids.driveId, ids.fileId)).data);
  const moved = typed((await api.drives.updateDriveFile(ids.driveId, ids.fileId, { path: input.moveTo })).data);
  const deletion = typed((await api.drives.deleteDriveTree(ids.driveId, { path: input.tree })).data);
  const server = typed((await api.mcpServers.createMcpServer(input.server)).data);
  const servers = typed((await api.mcpServers.listMcpServers()).data);
  const tools = typed((await api.mcpServers.listMcpServerTools(ids.mcpServerId)).data);
  const seen = { agents, published, drive, page, file, moved, deletion, server, servers, tools };
  return { calls: judge(seen, target), validations: 0 };
}
