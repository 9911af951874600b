import { own, say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { inParallel } from '../in-parallel.ts';
import { sharedCreation } from '../probing/creations.ts';
import { mcpServerIds, unknownId } from '../probing/fixtures.ts';
import { readList } from '../probing/lists.ts';
import { createdSoFar, listedIn } from '../probing/recorded.ts';
import { hasPlainForm, malformedId, strangeIds, type UnknownForm, unknownForms } from '../probing/unknown-ids.ts';
import { unknownKey } from '../probing/wrong-keys.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { invalidKey, noKey } from '../target/credentials.ts';
import { describeReply, idOf, inconclusive, isBusy, orAgain, requireConclusive } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

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
  const ids = strangeIds(session, known ?? unknownId(session), idOf(items[0]));
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
    [unknownId(session), invalidKey(unknownKey(session), 'bearer')] as const,
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
  const found = say`The made-up id got ${shown === undefined ? own('no response') : describeReply(shown)}, which is open for an id of another form.`;
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
    { ids: [unknownId(session)], isWellFormed: false },
  ];
}
