import { createApiClient } from './generated/api.ts';
import { input, judge, type Target, typed, type Used } from './shared.ts';

export async function use(target: Target): Promise<Used> {
  const { baseUrl, key, ids } = target;
  const client = createApiClient(
    {
      fetch: ({ method, url, urlSearchParams, parameters }) => {
        if (urlSearchParams) url.search = urlSearchParams.toString();
        const body = parameters?.body === undefined ? {} : { body: JSON.stringify(parameters.body) };
        const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
        return fetch(url, { method: method.toUpperCase(), headers, ...body });
      },
    },
    baseUrl,
  );
  const path = { driveId: ids.driveId, fileId: ids.fileId };
  const agents = typed(await client.get('/agents'));
  const atAgent = { path: { agentId: ids.agentId }, body: { revisionId: ids.revisionId } };
  const published = typed(await client.post('/agents/{agentId}/publish', atAgent));
  const drive = typed(await client.post('/drives', { body: { name: input.name } }));
  const page = typed(await client.get('/drives', { query: input.page }));
  const file = typed(await client.get('/drives/{driveId}/files/{fileId}', { path }));
  const moved = typed(await client.patch('/drives/{driveId}/files/{fileId}', { path, body: { path: input.moveTo } }));
  const tree = { path: { driveId: ids.driveId }, query: { path: input.tree } };
  const deletion = typed(await client.delete('/drives/{driveId}/items/tree', tree));
  const server = typed(await client.post('/mcp-servers', { body: input.server }));
  const servers = typed(await client.get('/mcp-servers'));
  const tools = typed(await client.get('/mcp-servers/{mcpServerId}/tools', { path: { mcpServerId: ids.mcpServerId } }));
  const seen = { agents, published, drive, page, file, moved, deletion, server, servers, tools };
  return { calls: judge(seen, target), validations: 0 };
}
