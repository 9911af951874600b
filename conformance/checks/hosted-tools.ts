import { asJson, joined, own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import { type Check, checksOf } from '../check.ts';
import { differences, type HostPath, type Tool } from '../mcp/hosted-tools.ts';
import { type McpHost, startMcpHost } from '../mcp/mcp-host.ts';
import type { Contacts, TransportName } from '../mcp/mcp-sessions.ts';
import { oncePerRun } from '../once.ts';
import { type Creation, newBody, requireCreation, sendCreation } from '../probing/creations.ts';
import type { Session } from '../session.ts';
import { Inconclusive, NotRequested, Violated } from '../signals.ts';
import { describeReply, inconclusive, isBusy, judgesShape, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** The tools of a real MCP server that the suite starts (4.10). */
export const hostedToolChecks: readonly Check[] = (
  [
    ['streamable-http', 'mcp', 'streamable HTTP'],
    ['sse', 'sse', 'HTTP+SSE'],
  ] as const
).map(([name, path, transport]) =>
  checksOf('listMcpServerTools', 'list')(
    `hosted-tools.${name}`,
    `Starts an MCP server, registers its URL that ends with /${path}, and compares the listed tools with its own.`,
    (session) => expectOffered(session, path, transport),
    { needs: ['writes', 'hostMcpServer'], effects: { mcpServers: 1 } },
  ),
);

async function expectOffered(
  session: Session,
  path: HostPath,
  transport: TransportName,
): Promise<Sentence | undefined> {
  if (!session.settings.hostMcpServer) throw new NotRequested(say`Runs only with --host-mcp-server.`);
  session.requireWrites();
  const host = await startHost(session);
  const url = host.urlAt(path);
  const registration = await register(session, url);
  const offered = host.toolsAt(path);
  const { seen, isThere } = await session.patience.settle(
    'tools',
    () => readTools(session, registration.id),
    (reply) => isOffered(offered, reply),
  );
  const contacts = host.contactsAt(path);
  if (isThere) return remarkOn(contacts, transport);
  requireContact(session, contacts, url, seen);
  const expected = say`the tools that the MCP server at ${url} offers: ${asJson(offered)}`;
  const replies = [registration.reply, seen];
  if (hasSkippedHandshake(contacts)) throw new Violated(expected, skipped(contacts, seen), replies);
  const found = joined(differences(offered, requireTools(seen)), '; ');
  throw new Violated(expected, say`${found}. The server ${describeContacts(contacts)}`, replies);
}

const startHost = oncePerRun(async (session: Session): Promise<McpHost> => {
  const host = await startMcpHost({ runId: session.runId, publicUrl: session.settings.hostMcpUrl });
  session.onClose(() => host.close());
  return host;
});

async function register(session: Session, url: string): Promise<Creation> {
  const sent = { ...newBody(session, 'createMcpServer'), url };
  const reply = await sendCreation(session, 'createMcpServer', sent);
  if (isClientError(reply) && !isBusy(reply)) {
    // Which URLs are accepted is open (open point `mcpUrlRules`); local ones are often refused.
    throw new Inconclusive('HOST', say`The target refused to register ${url} with status ${reply.status}.`);
  }
  return requireCreation('createMcpServer', sent, reply);
}

// What happens with a server that the target cannot reach is open, even hanging: so the checks judge only successes.
async function readTools(session: Session, mcpServerId: string): Promise<Reply> {
  const reply = await session.ask('listMcpServerTools', { path: { mcpServerId } });
  if (reply.isSuccess) session.remember(reply);
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

function remarkOn({ transports }: Contacts, expected: TransportName): Sentence | undefined {
  if (transports.size === 0 || transports.has(expected)) return undefined;
  return say`The target chose ${own([...transports].join(', '))} for this URL, which is open (open point mcpDefaultType).`;
}

/** Throws {@link Inconclusive} unless the target spoke MCP with the server: when is open (`toolsOfNewServer`). */
function requireContact({ settings }: Session, contacts: Contacts, url: string, seen: Reply): void {
  if (contacts.handshakes > 0 || contacts.listings > 0 || contacts.uninitialized > 0) return;
  const what = say`The MCP server of the suite ${describeContacts(contacts)}; listing its tools ended with ${describeReply(seen)}.`;
  // On the same machine the target can reach the usual URL: a different one would change nothing.
  const isReached = contacts.requests > 0;
  const isNear = settings.hostMcpUrl === undefined && isLoopback(settings.baseUrl);
  if (isReached || isNear) throw new Inconclusive('ASKING', what);
  throw new Inconclusive('HOST', say`${what} If the target cannot reach ${url}, set another URL with --host-mcp-url.`);
}

function hasSkippedHandshake({ handshakes, listings, uninitialized }: Contacts): boolean {
  return uninitialized > 0 && handshakes === 0 && listings === 0;
}

/** What a target did that reached the MCP server but spoke to it without starting a session. */
function skipped({ requests, uninitialized }: Contacts, seen: Reply): Sentence {
  const what = say`the server was reached ${plural(requests, 'time')}; ${uninitialized} of the requests were messages without a session`;
  return say`${what}, so it refused them: an MCP session starts with initialize. The target's last response: ${describeReply(seen)}`;
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

function requireTools(reply: Reply): Partial<Tool>[] {
  if (!reply.isSuccess) throw inconclusive(reply, 'TARGET', say` Yet the target contacted the MCP server.`);
  const tools = toolsIn(reply);
  if (tools !== undefined) return tools;
  const judges = judgesShape('listMcpServerTools', 'tools-is-array');
  throw new Inconclusive(
    'PREREQUISITE',
    say`The response has no array of tools.`,
    ...judges,
    'listMcpServerTools.tools-present',
  );
}

function describeContacts({ requests, handshakes, listings }: Contacts): Sentence {
  if (requests === 0) return say`was not contacted`;
  if (handshakes === 0 && listings === 0) return say`got ${plural(requests, 'request')}, none of which spoke MCP`;
  return say`was asked for its tools ${listings} times`;
}
