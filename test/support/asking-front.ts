import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** An MCP server as the mock answered with it when it was registered. */
export interface Registered {
  id: string;
  url: string;
  type: 'sse' | 'streamableHttp';
}

export interface Tool {
  name: string;
  description?: string | undefined;
}

/** What the front lists for a server; where it throws, the answer is 502. */
export type ToolsOf = (server: Registered) => Promise<readonly Tool[]>;

/** A mock behind a front that lists the tools of servers registered through it itself. */
export interface AskingFront {
  url: string;
  /** The servers that were registered, in order. */
  registered: readonly Registered[];
  close(): Promise<void>;
}

/** Starts a front of a mock. Every other request goes to the mock as it is. */
export async function startAskingFront(mockUrl: string, toolsOf: ToolsOf): Promise<AskingFront> {
  const registered: Registered[] = [];
  const { origin, pathname } = new URL(mockUrl);
  const server = createServer(async (request, response) => {
    const answer = await forward(origin, request);
    const body = answer.ok ? await altered(request, await answer.json(), registered, toolsOf) : await answer.json();
    send(response, body === undefined ? 502 : answer.status, body ?? { message: 'The MCP server failed.' });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { url: `http://127.0.0.1:${port}${pathname}`, registered, close };
}

async function forward(origin: string, request: IncomingMessage): Promise<Response> {
  const { method = 'GET', url = '/', headers } = request;
  const sent = {
    'x-api-key': String(headers['x-api-key'] ?? ''),
    ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
  };
  const body = method === 'GET' ? {} : { body: JSON.stringify(await json(request)) };
  return fetch(origin + url, { method, headers: sent, ...body });
}

/** The body that the front answers with; undefined where the tools could not be had. */
async function altered(
  { method, url = '' }: IncomingMessage,
  body: unknown,
  registered: Registered[],
  toolsOf: ToolsOf,
): Promise<unknown> {
  if (method === 'POST' && url.endsWith('/mcp-servers')) registered.push(body as Registered);
  const asked = registered.find(({ id }) => url.endsWith(`/mcp-servers/${encodeURIComponent(id)}/tools`));
  if (asked === undefined) return body;
  return toolsOf(asked).then(
    (tools) => ({ tools }),
    () => undefined,
  );
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Connects to an MCP server by the transport of its type. */
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

/** The tools of an MCP server, from itself. */
export async function askForTools(server: Registered): Promise<Tool[]> {
  const client = await connect(server);
  try {
    const { tools } = await client.listTools();
    return tools.map(({ name, description }) => ({ name, description }));
  } finally {
    await client.close();
  }
}
