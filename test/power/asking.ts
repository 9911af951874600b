import { askForTools, type Registered, type ToolsOf } from '../support/asking-front.ts';

/** Whether an MCP server is one on this machine, as the suite hosts them. Nothing else is ever asked. */
export function isHosted({ url }: Registered): boolean {
  return URL.canParse(url) && new URL(url).hostname === '127.0.0.1';
}

/** The tools of a server from itself; none where it is not on this machine. */
export const askHosted: ToolsOf = async (server) => (isHosted(server) ? askForTools(server) : []);
