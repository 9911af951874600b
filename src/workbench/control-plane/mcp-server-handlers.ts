import type { Organization } from '../../domain/organizations.ts';
import { refuse } from '../../domain/refusal.ts';
import type { McpServer, McpTool } from '../../domain/resources.ts';
import { type ControlAnswer, type ControlHandler, done, forTenant, gone } from './control.ts';

function onServer(act: (server: McpServer, organization: Organization, body: unknown) => ControlAnswer) {
  return forTenant(({ organization }, { path, body }) => {
    const server = organization.mcpServersById.get(path.mcpServerId ?? '');
    if (server === undefined) return refuse('notFound', 'The organization has no such MCP server.');
    return act(server, organization, body);
  });
}

/** MCP servers and their tools. */
export const mcpServerHandlers = {
  deleteMcpServer: onServer((server, organization) => {
    organization.mcpServersById.delete(server.id);
    organization.mcpServers.remove(server);
    return gone;
  }),

  getTools: onServer((server) => done(server.tools)),

  putTools: onServer((server, organization, body) => {
    const tools = body as McpTool[];
    const changed = { ...server, tools };
    organization.mcpServersById.set(server.id, changed);
    organization.mcpServers.replace(server, changed);
    return done(tools);
  }),
} satisfies Record<string, ControlHandler>;
