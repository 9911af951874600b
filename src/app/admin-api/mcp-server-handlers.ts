import { type McpServer, type McpTool, withIsoTimes } from '../../domain/resources.ts';
import { type ControlHandler, done, forRecord, forSandbox, gone, partOf } from './control.ts';

const onServer = forRecord('The organization has no such MCP server.', ({ mcpServersById }, { mcpServerId = '' }) =>
  mcpServersById.get(mcpServerId),
);

export const mcpServerHandlers = {
  listMcpServerRecords: forSandbox(({ organization }, { query }) =>
    done(partOf(organization.mcpServersById.values(), query).map(showServer)),
  ),

  deleteMcpServer: onServer((server, { organization }) => {
    organization.mcpServersById.delete(server.id);
    organization.mcpServers.remove(server);
    return gone;
  }),

  getTools: onServer((server) => done(server.tools)),

  putTools: onServer((server, { organization, body }) => {
    const tools = body as McpTool[];
    const changed = { ...server, tools };
    organization.mcpServersById.set(server.id, changed);
    organization.mcpServers.replace(server, changed);
    return done(tools);
  }),
} satisfies Record<string, ControlHandler>;

/** An MCP server as the admin API shows it. */
export type ShownServer = ReturnType<typeof showServer>;

function showServer({ organizationId: _, ...server }: McpServer) {
  return withIsoTimes(server);
}
