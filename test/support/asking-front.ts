import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { startUpstream } from './upstream.ts';

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

/** A mock behind a front that itself lists the tools of servers registered through it. */
export interface AskingFront {
  url: string;
  /** The servers that were registered, in order. */
  registered: readonly Registered[];
  close(): Promise<void>;
}

/** Starts a front of a mock. All other requests go to the mock unchanged. */
export async function startAskingFront(mockUrl: string, toolsOf: ToolsOf): Promise<AskingFront> {
  const registered: Registered[] = [];
  const { origin, pathname } = new URL(mockUrl);
  const { origin: ownOrigin, close } = await startUpstream(async (request, response) => {
    const answer = await forward(origin, request);
    const text = await answer.text();
    const tools = answer.ok ? await toolsFor(request, text, registered, toolsOf) : undefined;
    if (tools === 'failed') response.writeHead(502).end();
    else response.writeHead(answer.status, kept(answer.headers)).end(tools ?? text);
  });
  return { url: ownOrigin + pathname, registered, close };
}

async function forward(origin: string, request: IncomingMessage): Promise<Response> {
  const { method = 'GET', url = '/', headers } = request;
  const sent = new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));
  const body = await buffer(request);
  const content = body.length === 0 ? {} : { body };
  return fetch(origin + url, { method, headers: kept(sent), redirect: 'manual', ...content });
}

/** Headers without those for one connection or one body. */
function kept(headers: Headers): Record<string, string> {
  const dropped = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'accept-encoding'];
  return Object.fromEntries([...headers].filter(([name]) => !dropped.includes(name)));
}

/** What the front returns instead of the mock: a body or a failure; undefined if the mock should respond. */
async function toolsFor(
  { method, url = '' }: IncomingMessage,
  text: string,
  registered: Registered[],
  toolsOf: ToolsOf,
): Promise<string | undefined> {
  if (method === 'POST' && url.endsWith('/mcp-servers')) registered.push(JSON.parse(text) as Registered);
  const asked = registered.find(({ id }) => url.endsWith(`/mcp-servers/${encodeURIComponent(id)}/tools`));
  if (asked === undefined) return undefined;
  return toolsOf(asked).then(
    (tools) => JSON.stringify({ tools }),
    () => 'failed',
  );
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
