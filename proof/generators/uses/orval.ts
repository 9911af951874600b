import * as api from './generated/client.ts';
import * as zod from './generated/zod.ts';
import { input, judge, success, type Target, typed, type Used, validate } from './shared.ts';

export async function use(target: Target): Promise<Used> {
  const { baseUrl, key, ids } = target;
  // The generated client has its base URL built in.
  const { fetch } = globalThis;
  globalThis.fetch = (url, init) => fetch(String(url).replace(/^.*\/v0\.1/, baseUrl), init);
  const headers = { headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } };
  try {
    const agents = typed(success(await api.listAgents(headers), 200));
    const revision = { revisionId: ids.revisionId };
    const published = typed(success(await api.publishAgentRevision(ids.agentId, revision, headers), 200));
    const drive = typed(success(await api.createDrive({ name: input.name }, headers), 201));
    const page = typed(success(await api.listDrives(input.page, headers), 200));
    const file = typed(success(await api.getDriveFile(ids.driveId, ids.fileId, headers), 200));
    const move = { path: input.moveTo };
    const moved = typed(success(await api.updateDriveFile(ids.driveId, ids.fileId, move, headers), 200));
    const deletion = typed(success(await api.deleteDriveTree(ids.driveId, { path: input.tree }, headers), 200));
    const server = typed(success(await api.createMcpServer(input.server, headers), 201));
    const servers = typed(success(await api.listMcpServers(headers), 200));
    const tools = typed(success(await api.listMcpServerTools(ids.mcpServerId, headers), 200));
    const seen = { agents, published, drive, page, file, moved, deletion, server, servers, tools };
    const validations = validate([
      [zod.listAgentsResponse, agents],
      [zod.publishAgentRevisionResponse, published],
      [zod.listDrivesResponse, page],
      [zod.getDriveFileResponse, file],
      [zod.updateDriveFileResponse, moved],
      [zod.deleteDriveTreeResponse, deletion],
      [zod.listMcpServersResponse, servers],
      [zod.listMcpServerToolsResponse, tools],
    ]);
    return { calls: judge(seen, target), validations };
  } finally {
    globalThis.fetch = fetch;
  }
}
