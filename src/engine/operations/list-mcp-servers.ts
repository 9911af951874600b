import type { Handler } from '../handler.ts';

/** 4.9 */
export const listMcpServers: Handler<'listMcpServers'> = (_, { organization, views }) =>
  organization.mcpServers.all().map(views.mcpServer);
