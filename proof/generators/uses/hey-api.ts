import { createClient } from './generated/client/index.ts';
import * as api from './generated/sdk.gen.ts';
import * as zod from './generated/zod.gen.ts';
import { input, judge, type Target, typed, type Used, validate } from './shared.ts';

export async function use(target: Target): Promise<Used> {
  const { baseUrl, key, ids } = target;
  const client = createClient({ baseUrl, auth: key });
  const call = { client, throwOnError: true } as const;
  const path = { driveId: ids.driveId, fileId: ids.fileId };
  const agents = typed((await api.listAgents(call)).data);
  const atAgent = { path: { agentId: ids.agentId }, body: { revisionId: ids.revisionId } };
  const published = typed((await api.publishAgentRevision({ ...call, ...atAgent })).data);
  const drive = typed((await api.createDrive({ ...call, body: { name: input.name } })).data);
  const page = typed((await api.listDrives({ ...call, query: input.page })).data);
  const file = typed((await api.getDriveFile({ ...call, path })).data);
  const moved = typed((await api.updateDriveFile({ ...call, path, body: { path: input.moveTo } })).data);
  const tree = { path: { driveId: ids.driveId }, query: { path: input.tree } };
  const deletion = typed((await api.deleteDriveTree({ ...call, ...tree })).data);
  const server = typed((await api.createMcpServer({ ...call, body: input.server })).data);
  const servers = typed((await api.listMcpServers(call)).data);
  const atServer = { path: { mcpServerId: ids.mcpServerId } };
  const tools = typed((await api.listMcpServerTools({ ...call, ...atServer })).data);
  const seen = { agents, published, drive, page, file, moved, deletion, server, servers, tools };
  const validations = validate([
    [zod.zListAgentsResponse, agents],
    [zod.zPublishAgentRevisionResponse, published],
    [zod.zCreateDriveResponse, drive],
    [zod.zListDrivesResponse, page],
    [zod.zGetDriveFileResponse, file],
    [zod.zUpdateDriveFileResponse, moved],
    [zod.zDeleteDriveTreeResponse, deletion],
    [zod.zCreateMcpServerResponse, server],
    [zod.zListMcpServersResponse, servers],
    [zod.zListMcpServerToolsResponse, tools],
  ]);
  return { calls: judge(seen, target), validations };
}
