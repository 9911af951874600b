import { isRefusal, type Refusal, refuse } from '../../domain/refusal.ts';
import type { McpServer } from '../../domain/resources.ts';
import type { Context, Handler } from '../handler.ts';

/** 4.10 */
export const listMcpServerTools: Handler<'listMcpServerTools'> = ({ path }, context) => {
  const { profile, views } = context;
  const server = findMcpServer(path, context);
  if (isRefusal(server)) return server;
  if (server.toolsProblem !== undefined && profile.unreachableTools !== 'none') {
    return refuse('mcpServerUnreachable', server.toolsProblem);
  }
  return { tools: server.tools.map(views.tool), ...views.extras('tools') };
};

/** 404 is stated for an unknown MCP server, which includes another organization's. */
export function findMcpServer(
  { mcpServerId }: { mcpServerId: string },
  { organization }: Context,
): McpServer | Refusal {
  const server = organization.mcpServersById.get(mcpServerId);
  return server ?? refuse('mcpServerNotFound', 'This organization has no such MCP server. GET /mcp-servers lists all.');
}
