import { asJson, joined, own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import {
  type Creation,
  createdSoFar,
  listedIn,
  newBody,
  requireCreation,
  sendCreation,
  sharedCreation,
  whoSent,
} from '../probing/creations.ts';
import {
  delisted,
  hasPlainForm,
  malformedId,
  mcpServerIds,
  strangeIds,
  type UnknownForm,
  unknownForms,
} from '../probing/fixtures.ts';
import { findById, readList } from '../probing/lists.ts';
import { successfulReplies, unknownKey } from '../probing/operations.ts';
import { requireOtherOrganization } from '../probing/organizations.ts';
import { lackOf } from '../run/needs.ts';
import { inParallel, oncePerRun } from '../run/once.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { invalidKey, noKey } from '../target/credentials.ts';
import {
  describeReply,
  idOf,
  inconclusive,
  isBusy,
  items,
  judgesShape,
  member,
  orAgain,
  requireConclusive,
} from '../target/expectations.ts';
import {
  type Contacts,
  differences,
  type HostPath,
  type McpHost,
  startMcpHost,
  type Tool,
  type TransportName,
} from '../target/mcp-host.ts';
import type { Reply } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { type Check, checksOf } from './check.ts';

/** The tools of an MCP server (4.10). */
export const toolChecks: readonly Check[] = [
  checksOf('listMcpServerTools', 'read')(
    'unknown-server',
    'Lists the tools of an MCP server that does not exist: under ids of the same forms as the known ones, and a made-up one.',
    expect404,
  ),
  checksOf('listMcpServerTools', 'list')(
    'unknown-server.after-creation',
    'Registers an MCP server, then lists the tools of one that does not exist.',
    async (session) => {
      await sharedCreation(session, 'createMcpServer', 'first');
      await expect404(session);
    },
    { needs: ['writes'], effects: { shared: ['firstMcpServer'] } },
  ),
  checksOf('listMcpServerTools', 'read')(
    'strange-id',
    'Lists tools under ids that must not match: a drive id, capitals, a shortened and an extended id, a pattern, a long id of odd characters.',
    expectNothingTaken,
  ),
  checksOf('listMcpServerTools', 'read')(
    'malformed-id',
    'Lists the tools of an MCP server under an id with spaces and other characters that ids rarely have.',
    expect404ForMalformed,
  ),
  checksOf('listMcpServerTools', 'read')(
    'key-comes-first',
    'Lists the tools of MCP servers that do not exist, without a key and with an unknown one.',
    expect401First,
  ),
];

// Whether one of these ids is malformed is open, and 400 then; a success is always wrong.
async function expectNothingTaken(session: Session): Promise<void> {
  const listed = await mcpServerIds(session);
  // Random ids may look like words.
  const known = listed.find(hasPlainForm) ?? listed[0];
  const { items } = await readList(session, 'listDrives').catch(() => ({ items: [] }));
  const ids = strangeIds(session, known ?? session.unknownId(), idOf(items[0]));
  const look = (mcpServerId: string) => session.call('listMcpServerTools', { path: { mcpServerId } });
  for (const reply of await inParallel(ids, look)) {
    if (reply.isSuccess)
      throw new Violated(say`any non-2xx status: no MCP server has this id`, describeReply(reply), [reply]);
  }
}

async function expect401First(session: Session): Promise<void> {
  const ids = (await unknownIds(session)).flatMap((form) => form.ids);
  const requests = [
    ...[...ids, malformedId(session)].map((id) => [id, noKey] as const),
    [session.unknownId(), invalidKey(unknownKey(session), 'bearer')] as const,
  ];
  const replies = await inParallel(requests, ([mcpServerId, credentials]) =>
    session.call('listMcpServerTools', { path: { mcpServerId }, credentials }),
  );
  for (const reply of replies) {
    requireConclusive(reply);
    if (reply.status !== 401) throw new Violated(say`status 401`, describeReply(reply), [reply]);
  }
}

async function expect404(session: Session): Promise<void> {
  const forms = await unknownIds(session);
  const all = await inParallel(forms, async ({ ids, isWellFormed }) => ({
    isWellFormed,
    replies: await inParallel(ids, (id) => lookUp(session, id)),
  }));
  for (const { isWellFormed, replies } of all) {
    // Of several ids in one form, some may be those of other organizations.
    if (replies.some(({ status }) => status === 404)) continue;
    for (const reply of replies.filter(isBusy)) await requireKnownServed(session, reply);
    const [wrong] = replies.filter((reply) => isWellFormed || !isOpen(session, reply));
    if (wrong !== undefined) throw new Violated(say`status 404`, describeReply(wrong), [wrong]);
  }
  const isJudged = all.some(
    ({ isWellFormed, replies }) => isWellFormed || replies.some(({ status }) => status === 404),
  );
  if (isJudged) return;
  const shown = all.flatMap(({ replies }) => replies).at(-1);
  const found = say`The made-up id got ${shown === undefined ? own('no response') : describeReply(shown)}, which the specification leaves open for an id of another form.`;
  if (forms.length === 1) throw new Inconclusive('DATA', say`${found} No MCP server is known whose id shows the form.`);
  throw new Inconclusive('ID_FORM', say`${found} From the known ids no unknown one of their form can be made.`);
}

async function expect404ForMalformed(session: Session): Promise<void> {
  const reply = await lookUp(session, malformedId(session));
  if (reply.status === 404) return;
  requireConclusive(reply);
  throw new Violated(say`status 404`, describeReply(reply), [reply]);
}

const mostTries = 3;

// A gateway may be busy for a moment.
async function lookUp(session: Session, mcpServerId: string): Promise<Reply> {
  const look = () => session.call('listMcpServerTools', { path: { mcpServerId } });
  for (let tries = 1; ; tries++) {
    const reply = await orAgain(session, await look(), look);
    if (!isBusy(reply) || tries === mostTries) return reply;
  }
}

// A gateway may respond for a failing target; a target that serves known MCP servers is not failing.
async function requireKnownServed(session: Session, reply: Reply): Promise<void> {
  const [known] = await mcpServerIds(session).catch(() => []);
  const control =
    known === undefined ? reply : await session.call('listMcpServerTools', { path: { mcpServerId: known } });
  if (!control.isSuccess) throw inconclusive(reply);
}

// For a malformed id, 400 and 422 can mean "not found". If the form of ids is unknown, a server may ignore an id's end.
function isOpen({ runId }: Session, { status, isSuccess, request }: Reply): boolean {
  return status === 400 || status === 422 || (isSuccess && !request.path.includes(runId));
}

/** Unknown ids in each form that the ids on this target have, and a made-up one. */
async function unknownIds(session: Session): Promise<UnknownForm[]> {
  const declared = await mcpServerIds(session).catch(() => []);
  const created = createdSoFar(session, 'createMcpServer').flatMap(({ whose, reply }) =>
    whose === 'own' ? (idOf(reply.json) ?? []) : [],
  );
  // Another organization's ids are not unknown.
  if (session.settings.otherApiKey !== undefined) await session.call('listMcpServers', { credentials: session.other });
  const seen = session.successesOf('listMcpServers').flatMap(listedIn);
  const taken = new Set(seen.flatMap((item) => idOf(item) ?? []));
  const known = new Set([...declared, ...created]);
  const { unknownId: given } = session.settings.fixtures.mcpServer ?? {};
  const isUnknown = given !== undefined && !known.has(given) && !taken.has(given);
  return [
    ...(isUnknown ? [{ ids: [given], isWellFormed: true }] : []),
    ...unknownForms(session, [...known], taken),
    { ids: [session.unknownId()], isWellFormed: false },
  ];
}

/** The tools of existing MCP servers (4.10). */
export const toolListChecks: readonly Check[] = [
  checksOf('listMcpServerTools', 'list')(
    'created-server',
    'Lists the tools of a new MCP server until it is found.',
    expectNewFound,
    { needs: ['writes'], effects: { shared: ['firstMcpServer'] } },
  ),
  checksOf('listMcpServerTools', 'list')(
    'found-for-other-organization',
    'Lists the MCP servers of the other organization, and the tools of three of them, with its key.',
    expectFoundForOther,
    { needs: ['otherKey', 'otherMcpServer'], effects: { perhaps: ['driveOfEachOrganization'] } },
  ),
  checksOf('listMcpServerTools', 'judge')(
    'same-tools-each-time',
    'Compares all tool lists of each MCP server in the run.',
    expectSameTools,
  ),
];

// The response for an MCP server that the target cannot reach is open, but the server exists. Other checks judge only a success.
async function expectNewFound(session: Session): Promise<void> {
  const { id, reply: creation } = await sharedCreation(session, 'createMcpServer', 'first');
  const { seen } = await session.patience.settle(
    'tools',
    () => session.ask('listMcpServerTools', { path: { mcpServerId: id } }),
    ({ status }) => status !== 404,
  );
  if (seen.isSuccess) session.remember(seen);
  if (seen.status !== 404) return;
  if (findById(await readList(session, 'listMcpServers'), id) === undefined) throw new Inconclusive('QUIET', delisted);
  throw new Violated(say`any status but 404: the server was registered`, say`status 404`, [creation, seen]);
}

const mostAsked = 3;

async function expectFoundForOther(session: Session): Promise<void> {
  await requireOtherOrganization(session);
  const listing = await readList(session, 'listMcpServers', session.other);
  const ids = listing.items.flatMap((item) => idOf(item) ?? []).slice(0, mostAsked);
  if (ids.length === 0) throw new Inconclusive('DATA', say`The other organization has no MCP server.`);
  for (const id of ids) {
    const { seen } = await session.patience.settle(
      'tools',
      () => session.ask('listMcpServerTools', { path: { mcpServerId: id }, credentials: session.other }),
      ({ status }) => status !== 404,
    );
    if (seen.status !== 404) continue;
    if (findById(await readList(session, 'listMcpServers', session.other), id) === undefined) continue;
    const expected = say`any status but 404: the list shows the server`;
    throw new Violated(expected, say`status 404`, [...listing.replies, seen]);
  }
}

// An MCP server may change its tools once meanwhile, but not on every reading.
async function expectSameTools(session: Session): Promise<void> {
  const replies = await successfulReplies(session, 'listMcpServerTools');
  const byServer = Map.groupBy(replies, (reply) => `${whoSent(session, reply)} ${reply.request.path}`);
  for (const ofServer of byServer.values()) {
    const lists = Map.groupBy(ofServer, toolsAsText);
    const [one = [], other = []] = [...lists.values()];
    if (lists.size > 2) {
      const actual = say`${lists.size} different lists in ${ofServer.length} readings`;
      throw new Violated(say`the same tools each time`, actual, [...one.slice(0, 1), ...other.slice(0, 1)]);
    }
  }
}

/** The tools in a response, without their order, as text to compare. */
function toolsAsText({ json }: Reply): string {
  const tools = items(member(json, 'tools'));
  return JSON.stringify(tools.map((tool) => [member(tool, 'name'), member(tool, 'description')].map(String)).sort());
}

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
    { needs: ['hostMcpServer', 'writes'], effects: { mcpServers: 1 } },
  ),
);

async function expectOffered(
  session: Session,
  path: HostPath,
  transport: TransportName,
): Promise<Sentence | undefined> {
  const lack = lackOf(['hostMcpServer'], session.settings);
  if (lack !== undefined) throw lack;
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
  return say`The target chose ${own([...transports].join(', '))} for this URL, which the specification leaves open (open point mcpDefaultType).`;
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
  return say`was asked for its tools ${plural(listings, 'time')}`;
}
