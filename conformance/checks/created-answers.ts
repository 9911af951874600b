import { joined, say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { circumstancesOf } from '../circumstances.ts';
import { differenceFrom } from '../probing/created-values.ts';
import { type CreateOperation, creationBody, creationKinds } from '../probing/creations.ts';
import { ownerOf, ownersNamed } from '../probing/lists.ts';
import { isUsual } from '../probing/names.ts';
import { successfulReplies } from '../probing/operations.ts';
import { createdSoFar, listedIn, sentObject, successesFor, type Whose } from '../probing/recorded.ts';
import { isValidRequest } from '../probing/valid-requests.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { idOf } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** Every response to a creation in the run, whatever its purpose (4.3, 4.8). */
export function createdAnswerChecks(operation: CreateOperation): Check[] {
  const { noun } = creationKinds[operation];
  const check = checksOf(operation, 'judge');
  return [
    check('each-answer-repeats-the-request', 'Compares every response with what was sent.', (session) =>
      expectRepeated(session, operation),
    ),
    check(
      'each-owner',
      `Compares the owner of every new ${noun} with the owner that the lists showed before.`,
      (session) => expectOwners(session, operation),
    ),
    check('each-one-succeeds', 'Counts the ordinary creations that failed.', (session) =>
      expectNoFailures(session, operation),
    ),
  ];
}

async function expectRepeated(session: Session, operation: CreateOperation): Promise<void> {
  await successfulReplies(session, operation);
  for (const { sent, reply } of createdSoFar(session, operation)) {
    const difference = differenceFrom(sent, reply.json);
    if (difference !== undefined) throw new Violated(difference.expected, difference.actual, [reply]);
  }
}

async function expectOwners(session: Session, operation: CreateOperation): Promise<void> {
  await successfulReplies(session, operation);
  for (const whose of ['own', 'other'] as const) {
    const owners = ownersOf(session, whose);
    const [owner, ...more] = owners;
    // Lists that name several owners break a different rule.
    if (owner === undefined || more.length > 0) continue;
    const created = createdSoFar(session, operation).filter((one) => one.whose === whose);
    const astray = created.find(({ reply }) => ownerOf(reply.json) !== owner);
    if (astray === undefined) continue;
    const expected = say`the organizationId in this key's lists: ${owner}`;
    throw new Violated(expected, say`${ownerOf(astray.reply.json)}`, [astray.reply]);
  }
}

/** The owners of the items that the lists show to a key, except what the run created. */
function ownersOf(session: Session, whose: Whose): string[] {
  const created = new Set(
    (['createDrive', 'createMcpServer'] as const).flatMap((one) =>
      createdSoFar(session, one).map(({ reply }) => idOf(reply.json)),
    ),
  );
  const lists = (['listDrives', 'listMcpServers'] as const).flatMap((one) => successesFor(session, one, whose));
  const found = lists.flatMap(listedIn).filter((item) => !created.has(idOf(item)));
  return [...ownersNamed(found)];
}

/** Statuses of a server or gateway that failed. Not 503, which may be a rate limit. */
const failures = [500, 502, 504];

// If a gateway fails for a moment, other requests fail as well.
async function expectNoFailures(session: Session, operation: CreateOperation): Promise<void> {
  await successfulReplies(session, operation);
  const plain = session.repliesOf(operation).filter((reply) => isOrdinary(session, reply));
  const failed = plain.filter(isFailed);
  const others = session.replies.filter(({ request }) => request.operation !== operation);
  const isElsewhere = others.filter(isFailed).length > others.length / 50;
  if (failed.length < 2 || failed.length < plain.length / 10 || isElsewhere) return;
  const statuses = new Set(failed.map(({ status }) => String(status)));
  const { words, before } = circumstancesOf(session, failed) ?? { words: say``, before: [] };
  const actual = say`${failed.length} of ${plain.length} failed: status ${joined(statuses)}${words}`;
  const expected = say`no ordinary creation fails with status ${joined(failures.map(String))}`;
  throw new Violated(expected, actual, [...before, ...failed.slice(-1)]);
}

/** Whether a creation is valid, with a usual name and, for an MCP server, a URL that the target has accepted or might. */
function isOrdinary(session: Session, reply: Reply): boolean {
  if (!reply.request.isAuthenticated || !isValidRequest(reply.request)) return false;
  const { name, url } = sentObject(reply);
  const usualUrls = [creationBody('createMcpServer', String(name)).url, session.learned.acceptedUrl];
  return isUsual(name, session.runId) && (url === undefined || usualUrls.includes(String(url)));
}

function isFailed({ status }: Reply): boolean {
  return failures.includes(status);
}
