import createClient from 'openapi-fetch';
import type { paths } from './generated/schema.ts';
import { input, judge, present, type Target, typed, type Used } from './shared.ts';

export async function use(target: Target): Promise<Used> {
  const { baseUrl, key, ids } = target;
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } });
  const path = { driveId: ids.driveId, fileId: ids.fileId };
  const atAgent = { path: { agentId: ids.agentId } };
  const agents = typed(present(await client.GET('/agents')));
  const body = { revisionId: ids.revisionId };
  const published = typed(present(await client.POST('/agents/{agentId}/publish', { params: atAgent, body })));
  const drive = typed(present(await client.POST('/drives', { body: { name: input.name } })));
  const page = typed(present(await client.GET('/drives', { params: { query: input.page } })));
  const file = typed(present(await client.GET('/drives/{driveId}/files/{fileId}', { params: { path } })));
  const move = { params: { path }, body: { path: input.moveTo } };
  const moved = typed(present(await client.PATCH('/drives/{driveId}/files/{fileId}', move)));
  const tree = { params: { path: { driveId: ids.driveId }, query: { path: input.tree } } };
  const deletion = typed(present(await client.DELETE('/drives/{driveId}/items/tree', tree)));
  const server = typed(present(await client.POST('/mcp-servers', { body: input.server })));
  const servers = typed(present(await client.GET('/mcp-servers')));
  const atServer = { params: { path: { mcpServerId: ids.mcpServerId } } };
  const tools = typed(present(await client.GET('/mcp-servers/{mcpServerId}/tools', atServer)));
  const seen = { agents, published, drive, page, file, moved, deletion, server, servers, tools };
  return { calls: judge(seen, target), validations: 0 };
}
