import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { startFront } from './front.ts';
import { isSuccess, withBody, write } from './mutants/wire-faults.ts';

/** An MCP server as the mock returned it on registration. */
export interface Registered {
  id: string;
  url: string;
  type: 'sse' | 'streamableHttp';
}

export interface Tool {
  name: string;
  description?: string | undefined;
}

/** The tools that the front lists for a server; if this throws, it returns 502. */
export type ToolsOf = (server: Registered) => Promise<readonly Tool[]>;

/** Starts a front of a mock that itself lists the tools of servers registered through it, in order. */
export async function startAskingFront(mockUrl: string, toolsOf: ToolsOf) {
  const registered: Registered[] = [];
  const { baseUrl, close } = await startFront(mockUrl, async ({ method, url = '' }, response, forward) => {
    const answer = await forward();
    if (!isSuccess(answer.status)) return write(response, answer);
    if (method === 'POST' && url.endsWith('/mcp-servers')) registered.push(JSON.parse(answer.body) as Registered);
    const asked = registered.find(({ id }) => url.endsWith(`/mcp-servers/${encodeURIComponent(id)}/tools`));
    if (asked === undefined) return write(response, answer);
    const tools = await toolsOf(asked).catch(() => undefined);
    if (tools === undefined) response.writeHead(502).end();
    else write(response, withBody(answer, JSON.stringify({ tools })));
  });
  return { url: baseUrl, registered, close };
}

/** Connects to an MCP server over the transport of its type. */
export async function connect({ url, type }: Registered): Promise<Client> {
  const client = new Client({ name: 'asking front', version: '1.0.0' });
  const Chosen = type === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport;
  try {
    await client.connect(new Chosen(new URL(url)) as Transport);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Requests the tools of an MCP server from it. */
export async function askForTools(server: Registered): Promise<Tool[]> {
  const client = await connect(server);
  try {
    const { tools } = await client.listTools();
    return tools.map(({ name, description }) => ({ name, description }));
  } finally {
    await client.close();
  }
}
