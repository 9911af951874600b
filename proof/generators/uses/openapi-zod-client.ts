import { createApiClient } from './generated/client.ts';
import { input, judge, type Target, typed, type Used } from './shared.ts';

/** The client validates each answer itself. */
export async function use(target: Target): Promise<Used> {
  const { baseUrl, key, ids } = target;
  const api = createApiClient(baseUrl, { validate: true, axiosConfig: { headers: { 'X-API-Key': key } } });
  const params = { driveId: ids.driveId, fileId: ids.fileId };
  const agents = typed(await api.listAgents());
  const revision = { revisionId: ids.revisionId };
  const published = typed(await api.publishAgentRevision(revision, { params: { agentId: ids.agentId } }));
  const drive = typed(await api.createDrive({ name: input.name }));
  const page = typed(await api.listDrives({ queries: input.page }));
  const file = typed(await api.getDriveFile({ params }));
  const moved = typed(await api.updateDriveFile({ path: input.moveTo }, { params }));
  const tree = { params: { driveId: ids.driveId }, queries: { path: input.tree } };
  const deletion = typed(await api.deleteDriveTree(undefined, tree));
  const server = typed(await api.createMcpServer(input.server));
  const servers = typed(await api.listMcpServers());
  const tools = typed(await api.listMcpServerTools({ params: { mcpServerId: ids.mcpServerId } }));
  const seen = { agents, published, drive, page, file, moved, deletion, server, servers, tools };
  const calls = judge(seen, target);
  return { calls, validations: calls };
}
