import { type Answer, type Call, objectBody, stringField } from './call.ts';
import { Refusal } from './refusal.ts';
import { mcpServerView } from './views.ts';
import type { McpServer } from './world.ts';

/** POST /mcp-servers. Any string is taken as `url`: its form is not stated. */
export function createMcpServer(call: Call): Answer {
  const { world, organizationId, now } = call;
  const { choices } = world;
  const body = objectBody(call);
  const name = choices.name(stringField(call, body, 'name', 'Unnamed server'));
  const url = stringField(call, body, 'url', 'about:blank');
  const times = { createdAt: Date.now(), listedAt: now + choices.settleMs };
  const id = world.nextId('mcpServer');
  const server: McpServer = { id, organizationId, name, url, type: choices.newServerType, ...times, tools: [] };
  world.mcpServers.set(id, server);
  return { status: choices.success.createMcpServer, body: mcpServerView(choices, server) };
}

/** GET /mcp-servers */
export function listMcpServers(call: Call): Answer {
  const { choices, mcpServers } = call.world;
  const own = [...mcpServers.values()].filter((server) => server.organizationId === call.organizationId);
  const listed = choices.order(own.filter((server) => server.listedAt <= call.now));
  return { status: 200, body: listed.map((server) => mcpServerView(choices, server)) };
}

/** GET /mcp-servers/{mcpServerId}/tools. A new server has tools at once: none. */
export function listTools(call: Call): Answer {
  const { choices, mcpServers } = call.world;
  const server = mcpServers.get(call.ids[0] ?? '');
  if (server?.organizationId !== call.organizationId) throw new Refusal(404, 'MCP server not found');
  return { status: 200, body: choices.dress({ tools: server.tools.map((tool) => choices.dress({ ...tool })) }) };
}
