import { say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import {
  attemptSharedCreation,
  type CreateOperation,
  requireAcceptedInput,
  requireRoom,
} from '../probing/creations.ts';
import { firstMove } from '../probing/files.ts';
import {
  delisted,
  firstPublication,
  isDelisted,
  isOfOther,
  isUnreachable,
  mayBeActive,
  requireReachable,
} from '../probing/fixtures.ts';
import { operationUses, repliesTo, successfulReplies } from '../probing/operations.ts';
import { usualDeletedTree } from '../probing/trees.ts';
import { Inconclusive, Violated } from '../run/signals.ts';
import { circumstancesOf, isInnocent, isPlain } from '../safety/circumstances.ts';
import { describeReply, expectSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { isServerError } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { type Check, checksOf } from './check.ts';

/** For operations where one request of the sample decides, or where a different operation may be to blame. */
const servedOtherwise: Partial<Record<OperationId, Check['run']>> = {
  listMcpServerTools: expectTools,
  createDrive: expectCreations('createDrive'),
  createMcpServer: expectCreations('createMcpServer'),
  publishAgentRevision: expectPublication,
  updateDriveFile: async (session) => expectSuccess(session, (await firstMove(session)).reply),
  deleteDriveTree: async (session) => expectSuccess(session, (await usualDeletedTree(session)).reply),
};

/** Valid requests succeed, with the status that the specification shows. */
export const servedChecks: readonly Check[] = [
  ...Object.entries(operationUses).map(([id, { phase, does }]) => {
    const operation = id as OperationId;
    const run = servedOtherwise[operation] ?? expectSampleServed(operation);
    return checksOf(operation, phase)('is-served', does, run, {
      atEnd: (session) => expectNoneFailed(session, operation),
    });
  }),
  ...(['listAgents', 'listMcpServers', 'listMcpServerTools'] as const).map((operation) =>
    checksOf(operation, 'judge')(
      'status-is-200',
      'Checks the status of every successful response, and looks for redirects of valid requests.',
      (session) => expectStatus200(session, operation),
    ),
  ),
  checksOf('listAgents', 'read')(
    'base-ends-with-version',
    'Checks the base URL of the run, below which the agents are listed.',
    expectVersionSegment,
  ),
];

async function expectEach(session: Session, replies: readonly Reply[]): Promise<void> {
  for (const reply of replies) await expectSuccess(session, reply);
}

// A server that fails now and then does not serve reliably. Failures caused by an MCP server are open.
function expectNoneFailed(session: Session, operation: OperationId): void {
  if (operation === 'listMcpServerTools') return;
  const valid = session.repliesOf(operation).filter((reply) => isPlain(session, reply));
  const failed = valid.filter((reply) => isServerError(reply) && isInnocent(session, reply));
  const [first] = failed;
  if (first === undefined) return;
  const count = say`${failed.length} of ${valid.length}`;
  const expected = say`a status below 500 for every valid request`;
  const found = circumstancesOf(session, failed);
  if (found !== undefined) {
    const { failure, words, before } = found;
    throw new Violated(expected, say`${count} failed: status ${failure.status}${words}`, [...before, failure]);
  }
  const often = failed.length > 1 ? say`, ${count} times` : say``;
  throw new Violated(expected, say`status ${first.status} for a request that otherwise succeeds${often}`, [first]);
}

async function expectStatus200(session: Session, operation: OperationId): Promise<void> {
  const successes = await successfulReplies(session, operation);
  const served = new Set(successes.map(({ request }) => request.path));
  // For other requests a redirect may be a refusal.
  const isRedirected = ({ status, request }: Reply) =>
    status >= 300 && status < 400 && request.isAuthenticated && served.has(request.path);
  const other = [...successes, ...session.repliesOf(operation).filter(isRedirected)].find(
    ({ status }) => status !== 200,
  );
  if (other !== undefined) throw new Violated(say`status 200`, say`status ${other.status}`, [other]);
}

function expectSampleServed(operation: OperationId): Check['run'] {
  return async (session) => expectEach(session, await repliesTo(session, operation));
}

function expectCreations(operation: CreateOperation): Check['run'] {
  return async (session) => {
    const first = await attemptSharedCreation(session, operation, 'first');
    const second = await attemptSharedCreation(session, operation, 'second');
    for (const attempt of [first, second]) requireAcceptedInput(operation, attempt);
    const refused = [first, second].find(({ reply }) => !reply.isSuccess);
    if (refused !== undefined) await requireRoom(session, operation, refused.reply);
    await expectEach(session, [first.reply, second.reply]);
  };
}

// An unreachable or removed MCP server is not a violation if a different one's tools can be listed.
async function expectTools(session: Session): Promise<void> {
  const replies = await repliesTo(session, 'listMcpServerTools');
  const isServed = replies.some(({ isSuccess }) => isSuccess);
  for (const ofServer of Map.groupBy(replies, ({ request }) => request.path).values()) {
    const isDown = ofServer.every(isUnreachable);
    if (isDown && isServed) continue;
    if (isDown) for (const reply of ofServer) requireReachable(session, reply);
    const failed = ofServer.find(({ isSuccess }) => !isSuccess);
    const isGone = failed !== undefined && (await isDelisted(session, failed));
    if (isGone && !isServed) throw new Inconclusive('QUIET', delisted);
    if (isGone) continue;
    if (failed !== undefined && (await isOfOther(session, failed))) {
      if (isServed) continue;
      throw new Inconclusive('PREREQUISITE', foreignListed, ...judgesOwners);
    }
    await expectEach(session, ofServer);
  }
}

const foreignListed = say`The list shows MCP servers of another organization, and their tools are not found.`;
const judgesOwners = [
  'listMcpServers.items-name-one-organization',
  'listMcpServers.items-name-one-organization.each-answer',
  'listMcpServers.hides-other-organization',
  'listMcpServers.hides-other-organization.each-answer',
];

async function expectPublication(session: Session): Promise<void> {
  const { reply, wasPublished } = await firstPublication(session);
  if (wasPublished !== false && mayBeActive(reply)) {
    const reason = say`The revision may be active already: ${describeReply(reply)}. Declare an agent that is not published yet.`;
    throw new Inconclusive('AGENT', reason);
  }
  await expectSuccess(session, reply);
}

async function expectVersionSegment(session: Session): Promise<void> {
  const replies = await successfulReplies(session, 'listAgents');
  const { pathname } = new URL(session.settings.baseUrl);
  if (pathname.split('/').at(-1) === 'v0.1') return;
  const expected = say`a base URL that ends with the segment v0.1`;
  throw new Violated(expected, say`it ends with ${pathname}`, replies.slice(0, 1));
}
