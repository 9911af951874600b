import { refuse } from '../../domain/refusal.ts';
import type { Handler } from '../handler.ts';

/** 4.10: 404 is stated for an unknown MCP server, which includes another organization's. */
export const listMcpServerTools: Handler<'listMcpServerTools'> = ({ path }, { organization, profile, views }) => {
  const server = organization.mcpServersById.get(path.mcpServerId);
  if (server === undefined) {
    return refuse('mcpServerNotFound', 'This organization has no such MCP server. GET /mcp-servers lists all.');
  }
  if (server.toolsProblem !== undefined && profile.unreachableTools !== 'none') {
    return refuse('mcpServerUnreachable', server.toolsProblem);
  }
  return { tools: server.tools.map(views.tool), ...views.extras('tools') };
};
