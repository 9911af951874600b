import { say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { type Check, checksOf } from '../check.ts';
import { inParallel } from '../in-parallel.ts';
import { oncePerRun } from '../once.ts';
import { wrongRequests } from '../probing/bad-input.ts';
import { operationUses } from '../probing/operations.ts';
import { unknownKey } from '../probing/wrong-keys.ts';
import type { CallInput, Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { invalidKey, noKey } from '../target/credentials.ts';
import { describeReply, expectRefusal, requireConclusive } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** What else is wrong in the requests, besides the key. Lists without parameters have no input. */
const wrongOtherwise: Partial<Record<OperationId, string>> = {
  publishAgentRevision:
    'Publishes an agent that does not exist, with invalid bodies, without a key and with an unknown one.',
  createDrive: 'Sends invalid bodies, without a key and with an unknown one.',
  listDrives: 'Sends an invalid limit and offset, without a key and with an unknown one.',
  getDriveFile: 'Reads a file that does not exist, without a key and with an unknown one.',
  updateDriveFile:
    'Moves a file that does not exist, with invalid bodies and paths, without a key and with an unknown one.',
  deleteDriveTree:
    'Deletes trees of a drive that does not exist, with invalid paths, without a key and with an unknown one.',
  createMcpServer: 'Sends invalid bodies, without a key and with an unknown one.',
  listMcpServerTools: 'Lists the tools of an MCP server that does not exist, without a key and with an unknown one.',
};

/** Checks with requests that are wrong in two ways: their key and what they ask for. */
export function keyFirstChecks(operation: OperationId): Check[] {
  const does = wrongOtherwise[operation];
  if (does === undefined) return [];
  const { phase, refused } = operationUses[operation];
  const more = { ...refused, effects: {}, isAboutKeys: true };
  const check = checksOf(operation, refused?.phase ?? phase);
  const letsNobodyIn = (session: Session) => expectNobodyIn(session, operation);
  const judgesKeyFirst = (session: Session) => expect401First(session, operation);
  // For the tools of MCP servers 401 is stated: that check is with the others of this operation.
  const isStated = operation === 'listMcpServerTools';
  return [
    check('wrong-input-is-not-let-through', does, letsNobodyIn, more),
    ...(isStated ? [] : [check('key-comes-first', `${does} Checks the status.`, judgesKeyFirst, more)]),
  ];
}

async function expectNobodyIn(session: Session, operation: OperationId): Promise<void> {
  const replies = await wrongReplies(session, operation);
  for (const reply of replies) if (reply.isSuccess) expectRefusal(reply, say`the request was accepted`);
  for (const reply of replies) requireConclusive(reply);
}

// The other error must not decide: a response that depends on it tells strangers what exists.
async function expect401First(session: Session, operation: OperationId): Promise<void> {
  for (const reply of await wrongReplies(session, operation)) {
    if (reply.status === 401) continue;
    requireConclusive(reply);
    throw new Violated(say`status 401, whatever else is wrong`, describeReply(reply), [reply]);
  }
}

/** The replies to requests without a valid key that also have another error. */
const wrongReplies = oncePerRun(async (session, operation: OperationId): Promise<Reply[]> => {
  // A broken target might create something.
  if (operation === 'createDrive' || operation === 'createMcpServer') session.requireWrites();
  // The unknown file must be in an existing drive, so this throws without one.
  operationUses[operation].unknown?.(session);
  const requests = wrongRequests(session, operation).flatMap((input, index) => {
    const wrong = invalidKey(unknownKey(session), index % 2 === 0 ? 'bearer' : 'header');
    return [noKey, wrong].map((credentials) => ({ ...input, credentials }));
  });
  const send = async (input: CallInput) => ({ input, first: await session.call(operation, input) });
  const replies: Reply[] = [];
  for (const { input, first } of await inParallel(requests, send)) {
    replies.push(await outOfTheWay(session, first, () => session.call(operation, input)));
  }
  return replies;
});

const inTheWay = [409, 423];

/** A target may accept one write at a time, and check that before the key: then the request is sent once more. */
export async function outOfTheWay(session: Session, first: Reply, send: () => Promise<Reply>): Promise<Reply> {
  const isFree = ({ status }: Reply) => !inTheWay.includes(status);
  return isFree(first) ? first : (await session.patience.settle('ready', send, isFree)).seen;
}
