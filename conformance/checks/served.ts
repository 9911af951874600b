import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Check } from '../check.ts';
import { attempted, type CreateOperation, requireRoom, requireUrl } from '../scene/creations.ts';
import { published } from '../scene/publications.ts';
import { answers, firstMove, sampled } from '../scene/samples.ts';
import { isUnreachable, requireReachable } from '../scene/subjects.ts';
import { deletedTree } from '../scene/tree-scenarios.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { expectSuccess, whatCame } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** Valid requests succeed: readings each time they are repeated, writes once. */
export const servedChecks: readonly Check[] = [
  reading('listAgents', 'Lists the agents six times.'),
  reading('listDrives', 'Lists the drives six times, and walks through the pages.'),
  reading('listMcpServers', 'Lists the MCP servers six times.'),
  reading('getDriveFile', 'Reads every file that is vouched for, and one of them six times more.'),
  {
    ...reading('listMcpServerTools', 'Lists the tools of every MCP server, and those of one six times more.'),
    run: expectTools,
  },
  writing('createDrive', 'create', 'Creates two drives.', bothCreations('createDrive')),
  writing('createMcpServer', 'create', 'Registers two MCP servers.', bothCreations('createMcpServer')),
  {
    ...writing('publishAgentRevision', 'publish', 'Publishes the revision that is vouched for.', async () => []),
    run: expectPublication,
  },
  writing('updateDriveFile', 'move', 'Moves a file within its directory.', async (session) => [
    (await firstMove(session)).reply,
  ]),
  writing('deleteDriveTree', 'delete', 'Deletes a tree of disposable files.', async (session) => [
    (await deletedTree(session, session.carrier)).reply,
  ]),
  statusIs200('listAgents'),
  statusIs200('listMcpServers'),
  statusIs200('listMcpServerTools'),
  {
    id: 'listAgents.base-ends-with-version',
    operation: 'listAgents',
    phase: 'read',
    does: 'Looks at the base URL that the run was given, under which the agents are listed.',
    run: expectVersionSegment,
  },
];

function reading(operation: OperationId, does: string): Check {
  return {
    id: `${operation}.is-served`,
    operation,
    phase: 'read',
    does,
    run: async (session) => expectEach(session, await sampled(session, operation)),
  };
}

function writing(
  operation: OperationId,
  phase: Check['phase'],
  does: string,
  send: (session: Session) => Promise<Reply[]>,
): Check {
  const id = `${operation}.is-served`;
  return { id, operation, phase, does, run: async (session) => expectEach(session, await send(session)) };
}

function bothCreations(operation: CreateOperation) {
  return async (session: Session) => {
    const first = await attempted(session, operation, 'first');
    const second = await attempted(session, operation, 'second');
    for (const attempt of [first, second]) requireUrl(attempt);
    const replies = [first.reply, second.reply];
    const refused = replies.find(({ isSuccess }) => !isSuccess);
    if (refused !== undefined) await requireRoom(session, operation, refused);
    return replies;
  };
}

async function expectEach(session: Session, replies: readonly Reply[]): Promise<void> {
  for (const reply of replies) await expectSuccess(session, reply);
}

// One MCP server that cannot be reached is no violation where the tools of another can be listed.
async function expectTools(session: Session): Promise<void> {
  const replies = await sampled(session, 'listMcpServerTools');
  const isServed = replies.some(({ isSuccess }) => isSuccess);
  for (const ofServer of Map.groupBy(replies, ({ sending }) => sending.path).values()) {
    const isDown = ofServer.every(isUnreachable);
    if (isDown && isServed) continue;
    if (isDown) for (const reply of ofServer) requireReachable(session, reply);
    await expectEach(session, ofServer);
  }
}

// Publishing what is active already may be refused: open point `republish`.
async function expectPublication(session: Session): Promise<void> {
  const { reply, wasPublished } = await published(session);
  const mayBeActive = wasPublished !== false && reply.status >= 400 && reply.status < 500;
  if (mayBeActive && ![401, 403, 404, 405, 429].includes(reply.status)) {
    const reason = `The revision may be the active one already: ${whatCame(reply)}. Name an agent that is not published yet.`;
    throw new Unverified('AGENT', reason);
  }
  await expectSuccess(session, reply);
}

function statusIs200(operation: OperationId): Check {
  return {
    id: `${operation}.status-is-200`,
    operation,
    phase: 'judge',
    does: 'Looks at the status of every successful answer.',
    run: async (session) => {
      const other = (await answers(session, operation)).find(({ status }) => status !== 200);
      if (other !== undefined) throw new Violated('status 200', `status ${other.status}`, [other]);
    },
  };
}

async function expectVersionSegment(session: Session): Promise<void> {
  const replies = await answers(session, 'listAgents');
  const { pathname } = new URL(session.settings.baseUrl);
  if (pathname.split('/').at(-1) === 'v0.1') return;
  throw new Violated('a base URL that ends with the segment v0.1', `it ends with ${pathname}`, replies.slice(0, 1));
}
