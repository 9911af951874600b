import { attempted, type CreateOperation, created, creationBody, sendCreation } from '../creations.ts';
import { member, poll } from '../expectations.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { moveOf } from './moved-file.ts';
import { agreed, ifSeen, isAccepted, type Observer, type Seen } from './observer.ts';

/** What creations show, beside what names they take. */
export const creationObservers: readonly Observer[] = [
  { openPoint: 'createStatus', phase: 'create', effects: {}, see: seeCreateStatus },
  { openPoint: 'mcpDefaultType', phase: 'create', effects: {}, see: seeDefaultType },
  { openPoint: 'mcpUrlRules', phase: 'create', effects: { mcpServers: 3 }, see: seeUrlRules },
  { openPoint: 'toolsOfNewServer', phase: 'create', effects: {}, see: seeToolsOfNewServer },
  { openPoint: 'wrongBodyTypes', phase: 'create', effects: { drives: 1 }, see: seeWrongTypes },
  { openPoint: 'malformedJsonStatus', phase: 'create', effects: {}, see: seeMalformedJson },
  {
    openPoint: 'requiredBodyFields',
    phase: 'move',
    effects: { drives: 1, mcpServers: 1, moves: true },
    see: seeRequiredFields,
  },
];

async function seeCreateStatus(session: Session): Promise<Seen> {
  const drive = await ifSeen(attempted(session, 'createDrive', 'first'));
  const server = await ifSeen(attempted(session, 'createMcpServer', 'first'));
  const statusOf = (reply: { isSuccess: boolean; status: number } | undefined) =>
    reply?.isSuccess ? reply.status : undefined;
  return agreed({ 'POST /drives': statusOf(drive?.reply), 'POST /mcp-servers': statusOf(server?.reply) });
}

async function seeDefaultType(session: Session): Promise<Seen> {
  const types = [];
  for (const name of ['first', 'second'] as const) {
    types.push(String(member((await created(session, 'createMcpServer', name)).reply.json, 'type')));
  }
  return agreed({ first: types[0], second: types[1] });
}

const urls = { odd: 'HTTPS://MCP.Example.com', foreign: 'ftp://mcp.example.com/', none: 'no url' };

async function seeUrlRules(session: Session): Promise<Seen> {
  await created(session, 'createMcpServer', 'first');
  const odd = await treatmentOf(session, urls.odd);
  const foreign = await treatmentOf(session, urls.foreign);
  const none = await treatmentOf(session, urls.none);
  const found = Object.entries(rules).find(([, expected]) => expected === [odd, foreign, none].join());
  return found?.[0] ?? { other: `${urls.odd}: ${odd}, ${urls.foreign}: ${foreign}, ${urls.none}: ${none}` };
}

const rules = {
  httpUrl: 'kept,refused,refused',
  canonicalHttpUrl: 'canonical,refused,refused',
  anyString: 'kept,kept,kept',
};

async function treatmentOf(session: Session, url: string): Promise<string> {
  const reply = await sendCreation(session, 'createMcpServer', { name: session.newName(), url });
  if (!isAccepted(reply)) return 'refused';
  const kept = member(reply.json, 'url');
  if (kept === undefined) throw new Unverified('PREREQUISITE', 'The answer shows no url.');
  if (kept === url) return 'kept';
  return URL.canParse(url) && kept === new URL(url).href ? 'canonical' : `changed to ${JSON.stringify(kept)}`;
}

// A list that lags behind may know the new server later than the answer to its creation.
async function seeToolsOfNewServer(session: Session): Promise<Seen> {
  const { id } = await created(session, 'createMcpServer', 'first');
  const { seen } = await poll(
    session.settings.settleMs,
    () => session.call('listMcpServerTools', { path: { mcpServerId: id } }),
    ({ status }) => status !== 404,
  );
  if (seen.failure !== undefined || seen.status === 401 || seen.status === 429) return undefined;
  if (!seen.isSuccess) return { other: `status ${seen.status}` };
  const tools = member(seen.json, 'tools');
  if (!Array.isArray(tools)) return undefined;
  return tools.length === 0 ? 'none' : 'plausible';
}

async function seeWrongTypes(session: Session): Promise<Seen> {
  await created(session, 'createDrive', 'first');
  const name = Number.parseInt(session.runId.replace(/\D*-/, ''), 16);
  const reply = await sendCreation(session, 'createDrive', { name: String(name) }, { json: { name } });
  if (!isAccepted(reply)) return 'refused';
  const kept = member(reply.json, 'name');
  return kept === String(name) ? 'coerced' : { other: `accepted, and shown as ${JSON.stringify(kept)}` };
}

async function seeMalformedJson(session: Session): Promise<Seen> {
  await created(session, 'createDrive', 'first');
  const body = creationBody('createDrive', session.newName());
  const raw = { body: '{', contentType: 'application/json' };
  const reply = await sendCreation(session, 'createDrive', body, { raw });
  return isAccepted(reply) ? { other: 'accepted' } : reply.status;
}

async function seeRequiredFields(session: Session): Promise<Seen> {
  const isLetIn = async (operation: CreateOperation) => {
    await created(session, operation, 'first');
    return isAccepted(await sendCreation(session, operation, { name: '(none was sent)' }, { json: {} }));
  };
  const move = await ifSeen(moveOf(session, ({ path }) => path, { json: {} }));
  const inWords = (isTaken: boolean) => (isTaken ? 'none' : 'all');
  return agreed({
    'POST /drives': inWords(await isLetIn('createDrive')),
    'POST /mcp-servers': inWords(await isLetIn('createMcpServer')),
    'PATCH of a file': move === undefined ? undefined : inWords(isAccepted(move.reply)),
  });
}
