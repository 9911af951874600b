/*
 * To add a fixture: `../config.schema.json`, `../config/settings.ts`, `../signals.ts`, `../plan/needs.ts`,
 * `../doctor/doctor-fixtures.ts`, `../doctor/sample-config.ts`, and here.
 */
import { own, say } from '../../lib/sentence.ts';
import type { FileFixture } from '../config/settings.ts';
import { oncePerRun } from '../once.ts';
import type { Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import { idOf, inconclusive, items, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { sharedCreation } from './creations.ts';
import { findById, readList } from './lists.ts';
import { listedIn, successesFor } from './recorded.ts';

/** The agent and the revision that may be published. */
export function publishableAgent(session: Session): { id: string; revisionId: string } {
  const { agent } = session.settings.fixtures;
  if (agent !== undefined) return agent;
  throw new Inconclusive('AGENT', say`No agent is declared with a revision that may be published.`);
}

/** Every declared file, except the disposable ones that an earlier run deleted. */
export function declaredFiles({ settings, files: tracker }: Session): FileFixture[] {
  const { files = [], disposableFiles = [] } = settings.fixtures;
  return [...files, ...disposableFiles.filter((file) => !tracker.isDeletedEarlier(file))];
}

/** A declared file to read. */
export function readableFile(session: Session): FileFixture {
  const [first] = declaredFiles(session);
  if (first !== undefined) return first;
  throw new Inconclusive('FILES', say`No file is declared, and no operation lists files.`);
}

/**
 * The ids of MCP servers whose tools may be listed: the declared one, then those in the list. The first is one that the
 * target can reach, if there is one. Creates an MCP server if there is none and the run may write.
 */
export const mcpServerIds = oncePerRun(async (session: Session): Promise<string[]> => {
  const declared = session.settings.fixtures.mcpServer?.id;
  const listing = await readList(session, 'listMcpServers').catch(() => undefined);
  const isForeign = foreignIn(session);
  const listed = (listing?.items ?? []).filter((item) => !isForeign(item)).flatMap((item) => idOf(item) ?? []);
  const ids = [...new Set([...(declared === undefined ? [] : [declared]), ...listed])];
  if (ids.length > 0) return reachableFirst(session, ids.slice(0, mostServers));
  if (session.settings.allowWrites) return [(await sharedCreation(session, 'createMcpServer', 'first')).id];
  throw new Inconclusive('MCP_SERVER', say`The list has no MCP server, and none is declared.`);
});

/**
 * Whether a list item names an owner other than the most frequent one. It does not belong there, as the list checks
 * report, so the response for its id says nothing about other operations.
 */
function foreignIn(session: Session): (item: unknown) => boolean {
  const times = new Map<unknown, number>();
  for (const owner of listedOwners(session)) times.set(owner, (times.get(owner) ?? 0) + 1);
  const mostOften = times.values().reduce((most, count) => Math.max(most, count), 0);
  return (item) => {
    const owner = member(item, 'organizationId');
    return owner !== undefined && (times.get(owner) ?? 0) < mostOften;
  };
}

function listedOwners(session: Session): unknown[] {
  const replies = (['listDrives', 'listMcpServers'] as const).flatMap((list) =>
    successesFor(session, list, 'own').slice(0, 1),
  );
  return replies.flatMap(listedIn).flatMap((item) => member(item, 'organizationId') ?? []);
}

const mostServers = 20;
const mostTries = 3;

// The response for an MCP server that the target cannot reach is open: such a server says nothing about the operation.
async function reachableFirst(session: Session, ids: readonly string[]): Promise<string[]> {
  for (const id of ids.slice(0, mostTries)) {
    const reply = await session.ask('listMcpServerTools', { path: { mcpServerId: id } });
    if (!isUnreachable(reply)) return [id, ...ids.filter((other) => other !== id)];
  }
  return [...ids];
}

const aboutTheMcpServer = [408, 409, 422, 424];

/** Whether listing the tools may have failed because of the MCP server rather than the target. */
export function isUnreachable({ status, failure }: Reply): boolean {
  return failure === 'timeout' || status >= 500 || aboutTheMcpServer.includes(status);
}

/** Throws {@link Inconclusive} if the tools of an undeclared MCP server could not be listed. */
export function requireReachable(session: Session, reply: Reply): void {
  if (session.settings.fixtures.mcpServer !== undefined || !isUnreachable(reply)) return;
  throw inconclusive(reply, 'MCP_SERVER', say` The target may be unable to reach that MCP server.`);
}

/** Whether an MCP server that is not found is in the list but belongs to another organization. */
export async function isOfOther(session: Session, { status, request }: Reply): Promise<boolean> {
  if (status !== 404 && status !== 410) return false;
  const id = decodeURIComponent(request.path.split('/')[2] ?? '');
  const ofOwn = successesFor(session, 'listMcpServers', 'own').flatMap(listedIn);
  const item = findById({ items: ofOwn }, id);
  if (item === undefined) return false;
  if (foreignIn(session)(item)) return true;
  if (session.settings.otherApiKey === undefined) return false;
  const ofOther = await session.call('listMcpServers', { credentials: session.other });
  return findById({ items: listedIn(ofOther) }, id) !== undefined;
}

export const delisted = own('The MCP server is no longer listed: another client seems to be writing.');

/** Whether the tools of an MCP server could not be listed because it was removed after the list showed it. */
export async function isDelisted(session: Session, { status, request }: Reply): Promise<boolean> {
  if (status !== 404 && status !== 410) return false;
  const id = decodeURIComponent(request.path.split('/')[2] ?? '');
  const isIn = (reply: Reply) => findById({ items: items(reply.json) }, id) !== undefined;
  if (!session.successesOf('listMcpServers').some(isIn)) return false;
  return findById(await readList(session, 'listMcpServers'), id) === undefined;
}

/** An id that nothing has. */
export function unknownId(session: Session): string {
  return `${session.newName()}-none`;
}
