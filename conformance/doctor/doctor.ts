import type { Settings } from '../config/settings.ts';
import { reach } from '../reach.ts';
import { readList } from '../scene/lists.ts';
import { requireOtherOrganization } from '../scene/organizations.ts';
import { Session } from '../session.ts';
import { Stopped, Unverified } from '../signals.ts';
import { SuiteError } from '../suite-error.ts';
import type { CarrierName } from '../target/credentials.ts';
import { idOf, items, member, whatCame } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { CarrierFinding, Diagnosis, Discovered, Finding } from './diagnosis.ts';
import { fixtureFindings, permissionFindings } from './doctor-fixtures.ts';

/** Looks at a target, its lists and the fixtures, by safe requests alone. Throws a `SuiteError` when nobody answers. */
export async function diagnose(settings: Settings, tool: string, signal?: AbortSignal): Promise<Diagnosis> {
  const session = new Session({ ...settings, allowWrites: false, allowDestructive: false }, tool);
  const stop = () => session.target.stop();
  signal?.addEventListener('abort', stop);
  try {
    const { byHeader, byBearer } = await reach(session);
    const [agents, drives, mcpServers] = [
      await discovered(session, 'listAgents'),
      await discovered(session, 'listDrives'),
      await discovered(session, 'listMcpServers'),
    ];
    return {
      carriers: byHeader.map((reply, index) => toCarrierFinding(session, reply, byBearer[index])),
      onlyCarrier: onlyCarrier(byHeader, byBearer),
      findings: [
        ...permissionFindings(settings),
        await otherKeyFinding(session),
        ...(await fixtureFindings(session, agents)),
      ],
      agents,
      drives,
      mcpServers,
      serverWithTools: await serverWithTools(session, mcpServers),
    };
  } catch (error) {
    throw error instanceof Stopped ? new SuiteError('STOPPED', 'The doctor was stopped.') : error;
  } finally {
    signal?.removeEventListener('abort', stop);
    await session.close();
  }
}

function toCarrierFinding(session: Session, byHeader: Reply, byBearer: Reply | undefined): CarrierFinding {
  const { operation, method } = byHeader.sending;
  const path = session.operations.get(operation)?.path ?? '';
  return {
    request: `${method} ${path}`,
    header: verdictOn(byHeader),
    bearer: byBearer === undefined ? 'not asked' : verdictOn(byBearer),
  };
}

function verdictOn(reply: Reply): string {
  return reply.isSuccess ? `works (${reply.status})` : whatCame(reply);
}

function onlyCarrier(byHeader: readonly Reply[], byBearer: readonly Reply[]): CarrierName | undefined {
  const works = (replies: readonly Reply[]) => replies.some(({ isSuccess }) => isSuccess);
  if (works(byHeader) === works(byBearer)) return undefined;
  return works(byHeader) ? 'header' : 'bearer';
}

async function discovered(
  session: Session,
  list: 'listAgents' | 'listDrives' | 'listMcpServers',
): Promise<Discovered[]> {
  const { items } = await readList(session, list).catch(ifUnverified({ items: [] }));
  return items.flatMap((item) => {
    const id = idOf(item);
    const flag = member(item, 'isPublished');
    const found = { id: id ?? '', name: String(member(item, 'name') ?? '') };
    if (id === undefined) return [];
    return [typeof flag === 'boolean' ? { ...found, isPublished: flag } : found];
  });
}

const mostServers = 5;

async function serverWithTools(session: Session, servers: readonly Discovered[]): Promise<string | undefined> {
  for (const { id } of servers.slice(0, mostServers)) {
    const reply = await session.call('listMcpServerTools', { path: { mcpServerId: id } });
    if (reply.isSuccess && items(member(reply.json, 'tools')).length > 0) return id;
  }
  return undefined;
}

/** What stands in for a reading that could not be done; other errors are thrown on. */
function ifUnverified<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Unverified) return instead;
    throw error;
  };
}

async function otherKeyFinding(session: Session): Promise<Finding> {
  const setting = 'otherApiKey';
  if (session.settings.otherApiKey === undefined) return { setting, state: 'missing', note: 'not given' };
  try {
    await requireOtherOrganization(session);
    return { setting, state: 'fine', note: 'is the key of another organization' };
  } catch (error) {
    if (!(error instanceof Unverified)) throw error;
    if (error.code !== 'WRITES') return { setting, state: 'wrong', note: error.message };
    const note =
      'Reading does not tell whether it is of another organization: one of the two has nothing. A run that may write creates a drive in each to tell.';
    return { setting, state: 'unknown', note };
  }
}
