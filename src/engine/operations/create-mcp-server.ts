import { createMcpServer as createMcpServerOf } from '../../domain/mcp-servers.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { Handler } from '../handler.ts';

/** 4.8 */
export const createMcpServer: Handler<'createMcpServer'> = ({ body }, { organization, views }) => {
  const server = createMcpServerOf(organization, body);
  return isRefusal(server) ? server : views.mcpServer(server);
};
