import { asJson, joined, own, type Sentence, say } from '../../openapi/reading/sentence.ts';
import { attemptSharedCreation, creationBody, sendCreation, sharedCreation } from '../probing/creations.ts';
import type { Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { member, poll } from '../target/expectations.ts';
import { moveOf } from './moved-file.ts';
import { ifSeen, isAccepted, type Observer, type Seen } from './observer.ts';

/** What creations show, beside what names they take. */
export const creationObservers: readonly Observer[] = [
  { openPoint: 'createStatus', phase: 'create', effects: {}, ask: (session) => createBoth(session) },
  {
    openPoint: 'mcpDefaultType',
    phase: 'create',
    effects: {},
    ask: (session) => sharedCreation(session, 'createMcpServer', 'second'),
  },
  { openPoint: 'mcpUrlRules', phase: 'create', effects: { mcpServers: 3 }, see: seeUrlRules },
  { openPoint: 'toolsOfNewServer', phase: 'create', effects: {}, see: seeToolsOfNewServer },
  { openPoint: 'wrongBodyTypes', phase: 'create', effects: { drives: 1 }, ask: sendWrongType },
  { openPoint: 'malformedJsonStatus', phase: 'create', effects: {}, ask: sendMalformedJson },
  {
    openPoint: 'requiredBodyFields',
    phase: 'move',
    effects: { drives: 1, mcpServers: 1, moves: true },
    ask: sendEmptyBodies,
  },
];

/** Creates a drive and an MCP server, as far as the target accepts them. */
export async function createBoth(session: Session): Promise<void> {
  for (const operation of ['createDrive', 'createMcpServer'] as const)
    for (const name of ['first', 'second'] as const) await ifSeen(attemptSharedCreation(session, operation, name));
}

const urls = { odd: 'HTTPS://MCP.Example.com', foreign: 'ftp://mcp.example.com/', none: 'no url' };

async function seeUrlRules(session: Session): Promise<Seen> {
  await sharedCreation(session, 'createMcpServer', 'first');
  const odd = await treatmentOf(session, urls.odd);
  const foreign = await treatmentOf(session, urls.foreign);
  const none = await treatmentOf(session, urls.none);
  const found = Object.entries(rules).find(([, expected]) => expected === String(joined([odd, foreign, none], ',')));
  return (
    found?.[0] ?? { other: say`${own(urls.odd)}: ${odd}, ${own(urls.foreign)}: ${foreign}, ${own(urls.none)}: ${none}` }
  );
}

const rules = {
  httpUrl: 'kept,refused,refused',
  canonicalHttpUrl: 'canonical,refused,refused',
  anyString: 'kept,kept,kept',
};

async function treatmentOf(session: Session, url: string): Promise<Sentence> {
  const reply = await sendCreation(session, 'createMcpServer', { name: session.newName(), url });
  if (!isAccepted(reply)) return say`refused`;
  const kept = member(reply.json, 'url');
  if (kept === undefined) throw new Unverified('PREREQUISITE', say`The response shows no url.`);
  if (kept === url) return say`kept`;
  return URL.canParse(url) && kept === new URL(url).href ? say`canonical` : say`changed to ${asJson(kept)}`;
}

// A list that lags behind may know the new server later than the answer to its creation.
async function seeToolsOfNewServer(session: Session): Promise<Seen> {
  const { id } = await sharedCreation(session, 'createMcpServer', 'first');
  const { seen } = await poll(
    session.settings.settleMs,
    () => session.call('listMcpServerTools', { path: { mcpServerId: id } }),
    ({ status }) => status !== 404,
  );
  if (seen.failure !== undefined || seen.status === 401 || seen.status === 429) return undefined;
  if (!seen.isSuccess) return { other: say`status ${seen.status}` };
  const tools = member(seen.json, 'tools');
  if (!Array.isArray(tools)) return undefined;
  return tools.length === 0 ? 'none' : 'plausible';
}

async function sendWrongType(session: Session): Promise<void> {
  await sharedCreation(session, 'createDrive', 'first');
  const name = Number.parseInt(session.runId.replace(/\D*-/, ''), 16);
  await sendCreation(session, 'createDrive', { name: String(name) }, { json: { name } });
}

async function sendMalformedJson(session: Session): Promise<void> {
  await sharedCreation(session, 'createDrive', 'first');
  const body = creationBody('createDrive', session.newName());
  await sendCreation(session, 'createDrive', body, { raw: { body: '{', contentType: 'application/json' } });
}

async function sendEmptyBodies(session: Session): Promise<void> {
  await ifSeen(moveOf(session, ({ path }) => path, { json: {} }));
  for (const operation of ['createDrive', 'createMcpServer'] as const) {
    await sharedCreation(session, operation, 'first');
    await sendCreation(session, operation, { name: '(none was sent)' }, { json: {} });
  }
}
