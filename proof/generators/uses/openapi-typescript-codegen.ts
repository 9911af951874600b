import * as api from './generated/index.ts';
import { input, judge, type Target, typed, type Used } from './shared.ts';

export async function use(target: Target): Promise<Used> {
  const { baseUrl, key, ids } = target;
  api.OpenAPI.BASE = baseUrl;
  api.OpenAPI.HEADERS = { 'X-API-Key': key };
  const { AgentsService, VersioningService, DrivesService, McpServersService } = api;
  const agents = typed(await AgentsService.listAgents());
  const revision = { revisionId: ids.revisionId };
  const published = typed(await VersioningService.publishAgentRevision(ids.agentId, revision));
  const drive = typed(await DrivesService.createDrive({ name: input.name }));
  const page = typed(await DrivesService.listDrives(input.page.limit, input.page.offset));
  const file = typed(await DrivesService.getDriveFile(ids.driveId, ids.fileId));
  const moved = typed(await DrivesService.updateDriveFile(ids.driveId, ids.fileId, { path: input.moveTo }));
  const deletion = typed(await DrivesService.deleteDriveTree(ids.driveId, input.tree));
  const server = typed(await McpServersService.createMcpServer(input.server));
  const servers = typed(await McpServersService.listMcpServers());
  const tools = typed(await McpServersService.listMcpServerTools(ids.mcpServerId));
  const seen = { agents, published, drive, page, file, moved, deletion, server, servers, tools };
  return { calls: judge(seen, target), validations: 0 };
}
