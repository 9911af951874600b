import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { asJson, type Sentence, say } from '../../lib/sentence.ts';
import { member, parseJson } from '../../openapi/reading/messages.ts';
import { Inconclusive } from '../run/signals.ts';

/** A tool, with the fields of the interface. */
export interface Tool {
  name: string;
  description: string;
}

/** The last segment of the URLs of the MCP server that the suite starts. Each has its own tools. */
const hostPaths = ['mcp', 'sse'] as const;
export type HostPath = (typeof hostPaths)[number];

/** The tools offered at a path: names with all characters that MCP allows, and descriptions that are easy to garble. */
function offeredTools(runId: string, path: HostPath): Tool[] {
  return [
    { name: `Look_Up.${path}-${runId}`, description: `Finds “what was meant”, façade or 東京 🚀, for ${runId}.` },
    { name: `${runId}.${path}_2`, description: `First line of ${runId}.\nSecond: <b>50 %</b> & "it's" {a} $b \\n.` },
    { name: `x-${path}--${runId}`, description: 'x' },
  ];
}

/** How a list of tools, in any order, differs from the offered ones; empty if it does not. */
export function differences(offered: readonly Tool[], listed: readonly Partial<Tool>[]): Sentence[] {
  const unknown = listed.filter(({ name }) => !offered.some((tool) => tool.name === name));
  return [
    ...offered.flatMap((tool) => differencesOf(tool, listed)),
    ...unknown.map(({ name }) => say`${asJson(name)} is not offered`),
  ];
}

function differencesOf({ name, description }: Tool, listed: readonly Partial<Tool>[]): Sentence[] {
  const [found, ...more] = listed.filter((tool) => tool.name === name);
  if (found === undefined) return [say`"${name}" is missing`];
  if (more.length > 0) return [say`"${name}" is listed ${more.length + 1} times`];
  if (found.description === description) return [];
  return [say`"${name}" has the description ${asJson(found.description)}`];
}

/** The two ways to speak MCP over HTTP. */
export type TransportName = 'streamable HTTP' | 'HTTP+SSE';

/** What clients did at a path. */
export interface Contacts {
  requests: number;
  /** How often a client completed the handshake. */
  handshakes: number;
  /** How often a client listed the tools. */
  listings: number;
  /** How often a client sent a message, such as tools/list, without starting a session with initialize. */
  uninitialized: number;
  transports: Set<TransportName>;
}

/** What is served at a path. */
interface Offer {
  tools: readonly Tool[];
  /** The path, as clients see it, to which HTTP+SSE clients post their messages. */
  messagePath: string;
}

/** The sessions of an MCP server. At every path a client may use either transport: the choice is the target's. */
class McpSessions {
  readonly contacts: Record<HostPath, Contacts> = { mcp: noContacts(), sse: noContacts() };
  readonly #sdk: Sdk;
  readonly #offers: Record<HostPath, Offer>;
  readonly #open = new Map<string, Session>();

  private constructor(sdk: Sdk, offers: Record<HostPath, Offer>) {
    this.#sdk = sdk;
    this.#offers = offers;
  }

  /** Loads the MCP library, which most runs do not need. */
  static async create(offers: Record<HostPath, Offer>): Promise<McpSessions> {
    return new McpSessions(await loadSdk(), offers);
  }

  /** Responds to any request. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map(({ transport }) => transport.close()));
  }

  // By the last segment: a gateway may have removed the others.
  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
    const path = hostPaths.find((candidate) => pathname.replace(/(?<!\/)\/+$/, '').endsWith(`/${candidate}`));
    if (path === undefined) return refuse(response, 404, 'There is nothing here.');
    this.contacts[path].requests++;
    const id = request.headers['mcp-session-id'] ?? searchParams.get('sessionId');
    if (id === null) return this.#begin(path, request, response);
    const session = this.#open.get(String(id));
    if (session === undefined) return refuse(response, 404, 'There is no such session.');
    await session.receive(request, response);
  }

  async #begin(path: HostPath, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = request;
    if (method === 'POST') return this.#beginStreamable(path, request, response);
    if (method === 'GET' && headers.accept?.includes('text/event-stream')) return this.#beginSse(path, response);
    response.setHeader('Allow', 'GET, POST, DELETE');
    refuse(response, 405, 'Without a session, POST a message or GET text/event-stream.');
  }

  // The transport refuses anything but an initial message, without opening a session.
  async #beginStreamable(path: HostPath, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const transport = new this.#sdk.StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#open.set(id, { transport, receive: (...message) => transport.handleRequest(...message) });
      },
    });
    await this.#serve(path, 'streamable HTTP', transport as Transport);
    const message = await readMessage(request);
    if (message === undefined) return refuse(response, 400, 'The body is not JSON.');
    const isFirst = isInitializeRequest(message);
    if (!isFirst) this.contacts[path].uninitialized++;
    await transport.handleRequest(request, response, message);
  }

  async #beginSse(path: HostPath, response: ServerResponse): Promise<void> {
    const transport = new this.#sdk.SSEServerTransport(this.#offers[path].messagePath, response);
    const receive: Session['receive'] = (...message) => transport.handlePostMessage(...message);
    this.#open.set(transport.sessionId, { transport, receive });
    await this.#serve(path, 'HTTP+SSE', transport);
  }

  async #serve(path: HostPath, name: TransportName, transport: Transport): Promise<void> {
    const { Server, ListToolsRequestSchema, CallToolRequestSchema } = this.#sdk;
    const contacts = this.contacts[path];
    const server = new Server({ name: 'conformance', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.oninitialized = () => {
      contacts.handshakes++;
      contacts.transports.add(name);
    };
    server.onclose = () => void this.#open.delete(transport.sessionId ?? '');
    server.setRequestHandler(ListToolsRequestSchema, () => {
      contacts.listings++;
      contacts.transports.add(name);
      return { tools: this.#offers[path].tools.map((tool) => ({ ...tool, inputSchema: { type: 'object' } })) };
    });
    server.setRequestHandler(CallToolRequestSchema, () => ({
      content: [{ type: 'text', text: 'This tool is only listed.' }],
    }));
    await server.connect(transport);
  }
}

/** The JSON of a request; undefined if it is not JSON. */
async function readMessage(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return parseJson(Buffer.concat(chunks).toString())?.value;
}

function isInitializeRequest(message: unknown): boolean {
  return [message].flat().some((one) => member(one, 'method') === 'initialize');
}

interface Session {
  transport: { close(): Promise<void> };
  receive(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

async function loadSdk() {
  const [{ Server }, { StreamableHTTPServerTransport }, { SSEServerTransport }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/server/sse.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const { ListToolsRequestSchema, CallToolRequestSchema } = types;
  return { Server, StreamableHTTPServerTransport, SSEServerTransport, ListToolsRequestSchema, CallToolRequestSchema };
}

function noContacts(): Contacts {
  return { requests: 0, handshakes: 0, listings: 0, uninitialized: 0, transports: new Set() };
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain' }).end(reason);
}

/** Where to host the MCP server. */
interface McpHostOptions {
  /** Part of the names and descriptions of the tools. */
  runId: string;
  /** The URL under which the target reaches this machine; undefined if the target runs on this machine. */
  publicUrl: string | undefined;
}

/** A running MCP server with tools that nobody else has. */
export interface McpHost {
  urlAt(path: HostPath): string;
  toolsAt(path: HostPath): readonly Tool[];
  contactsAt(path: HostPath): Contacts;
  /** Closes all sessions and connections. */
  close(): Promise<void>;
}

/** Starts the MCP server, with both transports. Throws {@link Inconclusive} if it cannot listen on the given address. */
export async function startMcpHost({ runId, publicUrl }: McpHostOptions): Promise<McpHost> {
  const listenAt = addressFor(publicUrl);
  const offers = { mcp: offerAt('mcp', runId, publicUrl), sse: offerAt('sse', runId, publicUrl) };
  const sessions = await McpSessions.create(offers);
  const server = createServer((request, response) => void sessions.handle(request, response));
  const port = await listen(server, listenAt);
  return {
    urlAt: (path) => below(publicUrl ?? `http://${loopback}:${port}`, path).href,
    toolsAt: (path) => offers[path].tools,
    contactsAt: (path) => sessions.contacts[path],
    close: async () => {
      await sessions.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const loopback = '127.0.0.1';

function offerAt(path: HostPath, runId: string, publicUrl: string = `http://${loopback}`): Offer {
  const { pathname, search } = below(publicUrl, path);
  return { tools: offeredTools(runId, path), messagePath: pathname + search };
}

function below(base: string, path: HostPath): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${path}`;
  return url;
}

/** The loopback address, unless a different URL is set for a target on a different machine. */
function addressFor(publicUrl: string | undefined): ListenOptions {
  if (publicUrl === undefined) return { host: loopback, port: 0 };
  const { hostname, port, protocol } = new URL(publicUrl);
  const chosen = { port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return isHere ? { ...chosen, host: hostname.replaceAll(/[[\]]/g, '') } : chosen;
}

async function listen(server: Server, address: ListenOptions): Promise<number> {
  try {
    await once(server.listen(address), 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const port = address.port ?? 0;
    throw new Inconclusive('LISTEN', say`The MCP server of the suite cannot listen on port ${port}: ${reason}.`);
  }
}
