import type { Organization } from '../../domain/organizations.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.ts';
import type { McpServer } from '../../domain/resources.ts';
import { type Context, type Handler, holderOf, refuseMissing } from '../handler.ts';

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

/** The MCP server that a path names, or the error response: 404 is stated for an unknown one. */
export function findMcpServer({ mcpServerId }: { mcpServerId: string }, context: Context): McpServer | Refusal {
  const isThere = ({ mcpServersById }: Organization) => mcpServersById.get(mcpServerId) !== undefined;
  const server = holderOf(context, isThere)?.mcpServersById.get(mcpServerId);
  return server ?? refuseMissing(context, 'MCP server', isThere);
}
