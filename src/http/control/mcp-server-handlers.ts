import type { Organization } from '../../domain/organizations.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { McpServer, McpTool } from '../../domain/resources.ts';
import { type ControlAnswer, type ControlHandler, done, findOrganization, gone } from './control.ts';

type OnServer = (server: McpServer, organization: Organization, body: unknown) => ControlAnswer | Refusal;

function onServer(act: OnServer): ControlHandler {
  return (input, context) => {
    const resident = findOrganization(input.path.organizationId ?? '', input, context);
    if ('refused' in resident) return resident;
    const server = resident.organization.mcpServersById.get(input.path.mcpServerId ?? '');
    if (server === undefined) return refuse('notFound', 'The organization has no such MCP server.');
    return act(server, resident.organization, input.body);
  };
}

export const deleteMcpServer = onServer((server, organization) => {
  organization.mcpServersById.delete(server.id);
  organization.mcpServers.remove(server);
  return gone;
});

export const getTools = onServer((server) => done(server.tools));

export const putTools = onServer((server, organization, body) => {
  const tools = body as McpTool[];
  const changed = { ...server, tools };
  organization.mcpServersById.set(server.id, changed);
  organization.mcpServers.replace(server, changed);
  return done(tools);
});
