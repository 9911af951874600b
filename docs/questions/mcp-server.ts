import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** An MCP server on this machine that lists some tools. */
export interface McpServer {
  url: string;
  close(): Promise<void>;
}

/** Starts an MCP server (streamable HTTP) that knows how to list these tools, and nothing else. */
export async function startMcpServer(tools: readonly object[]): Promise<McpServer> {
  const listed = tools.map((tool) => ({ ...tool, inputSchema: { type: 'object' } }));
  const server = createServer(async (request, response) => {
    const result = request.method === 'POST' ? await answer(request, listed) : undefined;
    if (result === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, close };
}

async function answer(request: IncomingMessage, tools: readonly object[]): Promise<object | undefined> {
  const { id, method } = (await json(request)) as { id?: number; method: string };
  if (id === undefined) return undefined;
  const serverInfo = { name: 'example', version: '1.0.0' };
  const hello = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
  return { jsonrpc: '2.0', id, result: method === 'initialize' ? hello : { tools } };
}
