import type { Check } from '../check.ts';
import { type Creation, sendCreation, toCreation } from '../creations.ts';
import { isBusy, member, poll, requestLine, whatCame } from '../expectations.ts';
import { differences, type HostPath, type Tool } from '../hosted-tools.ts';
import { type McpHost, startMcpHost } from '../mcp-host.ts';
import type { Contacts, TransportName } from '../mcp-sessions.ts';
import type { Reply } from '../reply.ts';
import type { Session } from '../session.ts';
import { NotAsked, Unverified, Violated } from '../signals.ts';

/** The tools of a real MCP server that the suite starts itself (4.10). */
export const hostedToolChecks: readonly Check[] = [
  hostedToolCheck('streamable-http', 'mcp', 'streamable HTTP'),
  hostedToolCheck('sse', 'sse', 'HTTP+SSE'),
];

function hostedToolCheck(name: string, path: HostPath, transport: TransportName): Check {
  return {
    id: `listMcpServerTools.hosted-tools.${name}`,
    operation: 'listMcpServerTools',
    phase: 'list',
    does: `Starts an MCP server, registers its URL that ends with /${path}, and compares the tools listed with its own.`,
    needs: ['writes', 'hostMcpServer'],
    effects: { mcpServers: 1 },
    run: (session) => expectOffered(session, path, transport),
  };
}

async function expectOffered(session: Session, path: HostPath, transport: TransportName): Promise<unknown> {
  if (!session.settings.hostMcpServer) throw new NotAsked('Asked for with --host-mcp-server.');
  session.requireWrites();
  const host = await hostOf(session);
  const registration = await register(session, host.urlAt(path));
  const offered = host.toolsAt(path);
  const { seen, isThere } = await poll(
    session.settings.settleMs,
    () => readTools(session, registration.id),
    (reply) => isOffered(offered, reply),
  );
  const contacts = host.contactsAt(path);
  if (isThere) return remarkOn(contacts, transport);
  requireContact(contacts, host.urlAt(path), seen);
  throw new Violated(
    `the tools that the MCP server at ${host.urlAt(path)} offers: ${JSON.stringify(offered)}`,
    `${differences(offered, requireTools(seen)).join('; ')}. The server ${inWords(contacts)}`,
    [registration.reply, seen],
  );
}

function hostOf(session: Session): Promise<McpHost> {
  return session.once('MCP host', async () => {
    const host = await startMcpHost({ runId: session.runId, publicUrl: session.settings.hostMcpUrl });
    session.onClose(() => host.close());
    return host;
  });
}

async function register(session: Session, url: string): Promise<Creation> {
  const sent = { name: session.newName(), url };
  const reply = await sendCreation(session, 'createMcpServer', sent);
  if (reply.status >= 400 && reply.status < 500 && !isBusy(reply)) {
    // Which URLs are accepted is open (open point `mcpUrlRules`); those of a machine's own often are not.
    throw new Unverified('HOST', `The target refused to register ${url} with status ${reply.status}.`);
  }
  return toCreation('createMcpServer', sent, reply);
}

// What comes of a server that the target cannot reach is open, hanging too: only a success is kept to be judged by others.
async function readTools(session: Session, mcpServerId: string): Promise<Reply> {
  const reply = await session.ask('listMcpServerTools', { path: { mcpServerId } });
  if (reply.isSuccess) session.replies.push(reply);
  return reply;
}

function toolsIn(reply: Reply): Partial<Tool>[] | undefined {
  const tools = member(reply.json, 'tools');
  if (!reply.isSuccess || !Array.isArray(tools)) return undefined;
  return tools.map(
    (tool) => ({ name: member(tool, 'name'), description: member(tool, 'description') }) as Partial<Tool>,
  );
}

function isOffered(offered: readonly Tool[], reply: Reply): boolean {
  const listed = toolsIn(reply);
  return listed !== undefined && differences(offered, listed).length === 0;
}

function remarkOn({ transports }: Contacts, expected: TransportName): string | undefined {
  if (transports.size === 0 || transports.has(expected)) return undefined;
  return `The target chose ${[...transports].join(', ')} for this URL, which is open (open point mcpDefaultType).`;
}

/** Throws unless the target spoke MCP with the server: when it does so is open (open point `toolsOfNewServer`). */
function requireContact(contacts: Contacts, url: string, seen: Reply): void {
  if (contacts.handshakes > 0 || contacts.listings > 0) return;
  throw new Unverified(
    'HOST',
    `The MCP server that the suite started ${inWords(contacts)}; the tools were answered with ${whatCame(seen)}. ` +
      `If the target cannot reach ${url}, --host-mcp-url tells it another URL.`,
  );
}

function requireTools(reply: Reply): Partial<Tool>[] {
  if (!reply.isSuccess) {
    const what = `${requestLine(reply)}: ${whatCame(reply)}`;
    throw new Unverified('TARGET', `${what}, though the MCP server was contacted; what failed is not told.`);
  }
  const tools = toolsIn(reply);
  if (tools !== undefined) return tools;
  throw new Unverified('PREREQUISITE', 'The answer has no array of tools. See listMcpServerTools.tools-is-array.');
}

function inWords({ requests, handshakes, listings }: Contacts): string {
  if (requests === 0) return 'was not contacted';
  if (handshakes === 0 && listings === 0) return `got ${requests} requests, none of which spoke MCP with it`;
  return `was asked for its tools ${listings} times`;
}
