import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A JSON-RPC message as sent by an MCP client. */
export interface Message {
  id?: number;
  method: string;
  params?: { cursor?: string };
}

/** The behaviour of a scripted MCP server. */
export interface McpScript {
  /** The result of a listing, or a promise of it; by default one tool. */
  list?(cursor: string | undefined): unknown;
  /** Another reply to a message: JSON-RPC, or a text that is not. */
  reply?(message: Message): object | string | undefined;
  /** Responds to a request if it returns true. */
  instead?(request: IncomingMessage, response: ServerResponse): boolean;
}

/** It speaks streamable HTTP at `/mcp` and HTTP+SSE at `/sse`, without the MCP library. */
export interface ScriptedMcp {
  origin: string;
  urlFor(type: 'sse' | 'streamableHttp'): string;
  /** The number of connections. */
  connections: number;
  /** The methods of the messages, in order. */
  messages: string[];
  /** Every received request line and header. */
  heard: string[];
  close(): Promise<void>;
}

export async function startScriptedMcp(script: McpScript = {}): Promise<ScriptedMcp> {
  const streams = new Map<string, ServerResponse>();
  const server = createServer((request, response) => {
    mcp.heard.push(`${request.method} ${request.url}`, ...request.rawHeaders);
    if (script.instead?.(request, response) !== true) void answer(request, response, script, mcp, streams);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mcp: ScriptedMcp = {
    ...{ origin, connections: 0, messages: [], heard: [] },
    urlFor: (type) => `${origin}/${type === 'sse' ? 'sse' : 'mcp'}`,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
  server.on('connection', () => {
    mcp.connections += 1;
  });
  return mcp;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  script: McpScript,
  { messages }: ScriptedMcp,
  streams: Map<string, ServerResponse>,
): Promise<void> {
  const { method, url = '' } = request;
  if (method === 'GET' && url.startsWith('/sse')) return openStream(response, streams);
  if (method !== 'POST') return void response.writeHead(405).end();
  const message: Message = JSON.parse(await text(request));
  messages.push(message.method);
  const reply = message.id === undefined ? undefined : (script.reply?.(message) ?? (await replyTo(message, script)));
  const stream = streams.get(url);
  if (stream === undefined) return send(response, reply);
  response.writeHead(202).end();
  if (reply !== undefined) stream.write(`data: ${toText(reply)}\n\n`);
}

function openStream(response: ServerResponse, streams: Map<string, ServerResponse>): void {
  const endpoint = `/messages/${streams.size}`;
  streams.set(endpoint, response);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`event: endpoint\ndata: ${endpoint}\n\n`);
}

function send(response: ServerResponse, reply: object | string | undefined): void {
  if (reply === undefined) response.writeHead(202).end();
  else
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session-1' }).end(toText(reply));
}

function toText(reply: object | string): string {
  return typeof reply === 'string' ? reply : JSON.stringify(reply);
}

async function replyTo({ id, method, params }: Message, script: McpScript): Promise<object> {
  const serverInfo = { name: 'scripted', version: '1.0.0' };
  const result =
    method === 'initialize'
      ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }
      : await (script.list?.(params?.cursor) ?? { tools: [tool('find', 'Finds.')] });
  return { jsonrpc: '2.0', id, result };
}

/** A tool as offered by MCP servers. */
export function tool(name: string, description?: string): object {
  return { name, ...(description === undefined ? {} : { description }), inputSchema: { type: 'object' } };
}
