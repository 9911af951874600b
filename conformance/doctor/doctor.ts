import { own, type Sentence, say } from '../../lib/sentence.ts';
import type { Settings } from '../config/settings.ts';
import { inSession } from '../in-session.ts';
import { needs } from '../plan/needs.ts';
import { type ListOperation, readList } from '../probing/lists.ts';
import { requireOtherOrganization } from '../probing/organizations.ts';
import { reach } from '../reach.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Stopped } from '../signals.ts';
import { SuiteError } from '../suite-error.ts';
import type { Credentials } from '../target/credentials.ts';
import { describeReply, idOf, items, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { absentData, type Lists } from './absent-data.ts';
import type { AuthHeaderFinding, Diagnosis, Discovered, RawFinding } from './diagnosis.ts';
import { fixtureFindings, permissionFindings } from './doctor-fixtures.ts';

/** Examines a target, its lists and the fixtures, with safe requests only. Throws a `SuiteError` if nothing responds. */
export async function diagnose(settings: Settings, tool: string, signal?: AbortSignal): Promise<Diagnosis> {
  const readOnly = { ...settings, allowWrites: false, allowDestructive: false };
  return inSession(readOnly, { tool, signal, reason: say`The doctor was stopped.` }, async (session) => {
    try {
      const diagnosis = await examine(session, settings);
      const { stopReason } = session.target;
      if (stopReason !== undefined) throw new Stopped(stopReason);
      return diagnosis;
    } catch (error) {
      throw error instanceof Stopped ? new SuiteError('STOPPED', error.reason.shown(session.redact)) : error;
    }
  });
}

async function examine(session: Session, settings: Settings): Promise<Diagnosis> {
  const { redact } = session;
  const { byHeader, byBearer } = await reach(session);
  const lists = await discoverAll(session, session.own);
  const { agents, drives, mcpServers } = lists;
  const otherKey = await otherKeyFinding(session);
  const others = otherKey.state === 'fine' ? await discoverAll(session, session.other) : undefined;
  const absent = absentData(settings, lists, others);
  const findings = [
    ...permissionFindings(settings),
    otherKey,
    ...(await fixtureFindings(session, agents)),
    ...absent.map((name): RawFinding => {
      return { setting: needs[name].setting, state: 'missing', note: say`needs ${own(needs[name].what)}` };
    }),
  ];
  const serverWithTools = await findServerWithTools(session, mcpServers);
  const shown = ({ id, name, ...rest }: Discovered) => ({ ...rest, id: redact(id), name: redact(name) });
  return {
    authHeaders: byHeader.map((reply, index) => toAuthHeaderFinding(session, reply, byBearer[index])),
    onlyAuthHeader: onlyAuthHeader(byHeader, byBearer),
    findings: findings.map((finding) => ({ ...finding, note: finding.note.shown(redact) })),
    absent,
    agents: agents.map(shown),
    drives: drives.map(shown),
    mcpServers: mcpServers.map(shown),
    serverWithTools: serverWithTools === undefined ? undefined : redact(serverWithTools),
  };
}

function toAuthHeaderFinding(session: Session, byHeader: Reply, byBearer: Reply | undefined): AuthHeaderFinding {
  const { operation, method } = byHeader.request;
  const describe = (reply: Reply) => (reply.isSuccess ? say`works (${reply.status})` : describeReply(reply));
  return {
    request: `${method} ${session.operations.get(operation)?.path}`,
    header: describe(byHeader).shown(session.redact),
    bearer: byBearer === undefined ? 'not sent' : describe(byBearer).shown(session.redact),
  };
}

function onlyAuthHeader(byHeader: readonly Reply[], byBearer: readonly Reply[]): Diagnosis['onlyAuthHeader'] {
  const [header, bearer] = [byHeader, byBearer].map((replies) => replies.some(({ isSuccess }) => isSuccess));
  if (header === bearer) return undefined;
  return header ? 'header' : 'bearer';
}

async function discoverAll(session: Session, credentials: Credentials): Promise<Lists> {
  return {
    agents: await discover(session, 'listAgents', credentials),
    drives: await discover(session, 'listDrives', credentials),
    mcpServers: await discover(session, 'listMcpServers', credentials),
  };
}

async function discover(session: Session, list: ListOperation, credentials: Credentials): Promise<Discovered[]> {
  const listing = await readList(session, list, credentials).catch((error: unknown) => {
    if (error instanceof Inconclusive) return { items: [] };
    throw error;
  });
  return listing.items.flatMap((item) => {
    const id = idOf(item);
    const isPublished = member(item, 'isPublished');
    if (id === undefined) return [];
    const found = { id, name: String(member(item, 'name') ?? '') };
    return [typeof isPublished === 'boolean' ? { ...found, isPublished } : found];
  });
}

const mostServers = 5;

async function findServerWithTools(session: Session, servers: readonly Discovered[]): Promise<string | undefined> {
  for (const { id } of servers.slice(0, mostServers)) {
    const reply = await session.call('listMcpServerTools', { path: { mcpServerId: id } });
    if (reply.isSuccess && items(member(reply.json, 'tools')).length > 0) return id;
  }
  return undefined;
}

async function otherKeyFinding(session: Session): Promise<RawFinding> {
  const finding = (state: RawFinding['state'], note: Sentence): RawFinding => ({ setting: 'otherApiKey', state, note });
  if (session.settings.otherApiKey === undefined) return finding('missing', say`not given`);
  try {
    await requireOtherOrganization(session);
    return finding('fine', say`is the key of another organization`);
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    if (error.code !== 'WRITES') return finding('wrong', error.reason);
    const note = say`Reading alone does not show whether it belongs to another organization: one of the two has no data. A run with --allow-writes creates a drive in each to find out.`;
    return finding('unknown', note);
  }
}
