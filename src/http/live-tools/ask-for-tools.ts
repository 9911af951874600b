import { createRequire } from 'node:module';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Listing } from '../../domain/mcp-servers.ts';
import type { McpServer } from '../../domain/resources.ts';
import { createGuardedFetch, type Guard } from './guarded-fetch.ts';
import { describeProblem, NoTools } from './no-tools.ts';
import type { Question } from './question.ts';

type ServerAddress = Pick<McpServer, 'url' | 'type'>;
type Tools = Extract<Listing, { tools: unknown }>['tools'];

/** Requests the tools of an MCP server: all pages, over the transport of its type. Ends the question; never throws. */
export async function askForTools(server: ServerAddress, question: Question, guard: Guard): Promise<Listing> {
  try {
    // Loading the library must not count against the server's time.
    const sdk = loadSdk();
    const { tools, leave } = await question.answer(() => listAll(sdk, server, question, guard));
    // The result does not wait for the end of the session, which has the question's remaining time.
    void leave().finally(() => question.end());
    return { tools };
  } catch (error) {
    question.end();
    if (error instanceof NoTools) return { problem: describeProblem(server.url, error) };
    throw error;
  }
}

/** The tools, and how to end the session. */
interface ListedTools {
  tools: Tools;
  leave(): Promise<void>;
}

async function listAll(sdk: Sdk, { url, type }: ServerAddress, question: Question, guard: Guard): Promise<ListedTools> {
  if (!URL.canParse(url)) throw new NoTools('NOT_HTTP', 'its registered URL is not valid.');
  const client = new sdk.Client({ name: 'agent-platform-mock', version: '0.1.0' });
  const { transport, leave } = toTransport(sdk, type, new URL(url), question, guard);
  question.signal.addEventListener('abort', () => void client.close().catch(() => undefined), { once: true });
  const options = { signal: question.signal, timeout: question.limits.timeoutMs };
  await client.connect(transport, options);
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], leave };
  const read = (cursor: string | undefined) => {
    const params = cursor === undefined ? {} : { cursor };
    return client.request({ method: 'tools/list', params }, sdk.ListToolsResultSchema, options);
  };
  return { tools: await readPages(question, read), leave };
}

function toTransport(sdk: Sdk, type: ServerAddress['type'], url: URL, question: Question, guard: Guard) {
  if (type === 'sse') {
    const transport = new sdk.SSEClientTransport(url, { fetch: createGuardedFetch(question, guard) });
    return { transport: transport as Transport, leave: async () => undefined };
  }
  // A server may refuse a separate stream (GET) and ending the session (DELETE).
  const fetch = createGuardedFetch(question, guard, ['GET', 'DELETE']);
  const transport = new sdk.StreamableHTTPClientTransport(url, { fetch });
  return { transport: transport as Transport, leave: () => transport.terminateSession().catch(() => undefined) };
}

interface Page {
  tools: Tools;
  nextCursor?: string | undefined;
}

async function readPages({ limits }: Question, read: (cursor: string | undefined) => Promise<Page>): Promise<Tools> {
  const tools: Tools[number][] = [];
  const cursors = new Set<string | undefined>();
  for (let cursor: string | undefined; !cursors.has(cursor); ) {
    cursors.add(cursor);
    const page = await read(cursor);
    tools.push(...page.tools);
    if (tools.length > limits.toolCount) throw new NoTools('TOO_MANY', `it lists more than ${limits.toolCount} tools.`);
    if (page.nextCursor === undefined) return tools;
    if (cursors.size === limits.pageCount) break;
    cursor = page.nextCursor;
  }
  throw new NoTools('ENDLESS', `its list does not end after ${cursors.size} pages.`);
}

// Not imported: Node 22 remembers a failed import for ever, for example after running out of file descriptors.
const require = createRequire(import.meta.url);

type Sdk = ReturnType<typeof loadSdk>;

function loadSdk() {
  const { Client }: typeof import('@modelcontextprotocol/sdk/client/index.js') =
    require('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport }: typeof import('@modelcontextprotocol/sdk/client/streamableHttp.js') =
    require('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const { SSEClientTransport }: typeof import('@modelcontextprotocol/sdk/client/sse.js') =
    require('@modelcontextprotocol/sdk/client/sse.js');
  const { ListToolsResultSchema }: typeof import('@modelcontextprotocol/sdk/types.js') =
    require('@modelcontextprotocol/sdk/types.js');
  return { Client, StreamableHTTPClientTransport, SSEClientTransport, ListToolsResultSchema };
}
