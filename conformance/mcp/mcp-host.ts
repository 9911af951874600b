import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { say } from '../../lib/sentence.ts';
import { Inconclusive } from '../signals.ts';
import { type HostPath, offeredTools, type Tool } from './hosted-tools.ts';
import { type Contacts, McpSessions, type Offer } from './mcp-sessions.ts';

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
