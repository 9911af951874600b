import type { Handler } from '../handler.ts';

/** 4.9 */
export const listMcpServers: Handler<'listMcpServers'> = (_, { organization: { id, mcpServers }, views, pages }) =>
  pages.of(`mcpServers ${id}`, mcpServers.all(), (all) => all.map(views.mcpServer));
