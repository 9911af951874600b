import type { OperationId } from '../../openapi/contract/operations.ts';
import type { FileFixture } from '../config/settings.ts';
import type { CallInput, Session } from '../session.ts';
import { Unverified } from '../signals.ts';
import { idOf, requestLine, whatCame } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { created } from './creations.ts';
import { readList } from './lists.ts';

/** The operations that change something. */
export const writing: readonly OperationId[] = [
  'publishAgentRevision',
  'createDrive',
  'updateDriveFile',
  'deleteDriveTree',
  'createMcpServer',
];

/** The agent and the revision that may be published. */
export function publishableAgent(session: Session): { id: string; revisionId: string } {
  const { agent } = session.settings.fixtures;
  if (agent !== undefined) return agent;
  throw new Unverified('AGENT', 'No agent is named with a revision that may be published.');
}

/** Every file that the user vouches for, but for the disposable ones that an earlier run deleted. */
export function knownFiles({ settings, usedUp }: Session): FileFixture[] {
  const { files = [], disposableFiles = [] } = settings.fixtures;
  return [...files, ...disposableFiles.filter((file) => !usedUp.has(fileKey(file)))];
}

/** Tells one file from another. */
export function fileKey({ driveId, id }: FileFixture): string {
  return JSON.stringify([driveId, id]);
}

/** A file that can be read. */
export function readableFile(session: Session): FileFixture {
  const [first] = knownFiles(session);
  if (first !== undefined) return first;
  throw new Unverified('FILES', 'No file is named; no operation lists files.');
}

/** The MCP servers whose tools may be listed: the one that is vouched for, then those of the list; first one that shows them. */
export function listedServers(session: Session): Promise<string[]> {
  return session.once('MCP servers', async () => {
    const named = session.settings.fixtures.mcpServer?.id;
    const listing = await readList(session, 'listMcpServers').catch(() => undefined);
    const listed = (listing?.items ?? []).flatMap((item) => idOf(item) ?? []);
    const ids = [...new Set([...(named === undefined ? [] : [named]), ...listed])];
    if (ids.length > 0) return reachableFirst(session, ids.slice(0, mostServers));
    if (session.settings.allowWrites) return [(await created(session, 'createMcpServer', 'first')).id];
    throw new Unverified('MCP_SERVER', 'There is no MCP server in the list, and none is named.');
  });
}

const mostServers = 20;
const mostTries = 3;

// What answers for an MCP server that the target cannot reach is open; such a one shows nothing of the operation.
async function reachableFirst(session: Session, ids: readonly string[]): Promise<string[]> {
  for (const id of ids.slice(0, mostTries)) {
    const reply = await session.ask('listMcpServerTools', { path: { mcpServerId: id } });
    if (!isUnreachable(reply)) return [id, ...ids.filter((other) => other !== id)];
  }
  return [...ids];
}

const saidOfTheServer = [408, 409, 422, 424];

/** Whether a listing of tools may have failed for the MCP server that was asked for, and not for the target. */
export function isUnreachable({ status, failure }: Reply): boolean {
  return failure === 'timeout' || status >= 500 || saidOfTheServer.includes(status);
}

/** Throws `Unverified` when the tools of an MCP server could not be listed that nobody vouches for. */
export function requireReachable(session: Session, reply: Reply): void {
  if (session.settings.fixtures.mcpServer !== undefined || !isUnreachable(reply)) return;
  const reason = `${requestLine(reply)}: ${whatCame(reply)}. The target may not reach that MCP server.`;
  throw new Unverified('MCP_SERVER', reason);
}

/** An id that nothing has. */
export function unknownId(session: Session): string {
  return `${session.newSegment()}-none`;
}

/** A request of an operation for things that do not exist: nothing could be done even by a target that lets it through. */
export function harmlessInput(session: Session, operation: OperationId): CallInput {
  const id = unknownId(session);
  switch (operation) {
    case 'publishAgentRevision':
      return { path: { agentId: id }, json: { revisionId: unknownId(session) } };
    case 'updateDriveFile':
      return { path: { driveId: id, fileId: unknownId(session) }, json: { path: `/${session.newSegment()}` } };
    case 'deleteDriveTree': {
      const parameter = session.settings.treePathParameter ?? 'path';
      return { path: { driveId: id }, query: { [parameter]: `/${session.newSegment()}` } };
    }
    default:
      throw new Unverified('WRITES', 'A creation cannot be sent without the risk that it succeeds.');
  }
}
